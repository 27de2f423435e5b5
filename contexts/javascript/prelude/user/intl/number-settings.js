// SPDX-License-Identifier: MIT
// number-settings.js - the options of Intl.NumberFormat as resolvedOptions() gives them.
"use strict";

const k = require("node/kit");
const o = require("intl/options");
const { DIGITS, UNITS } = require("intl/number-data");

const MODES = ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand",
               "halfTrunc", "halfEven"];

function unitOption(options, style) {
  const unit = o.textOption(options, "unit");
  if (style === "unit" && unit === undefined) {
    throw new k.TypeError("Invalid unit argument for Intl.NumberFormat() ''");
  }
  const parts = unit === undefined ? [] : k.stringSplit(unit, "-per-");
  for (let i = 0; i < parts.length; i++) {
    if (!k.hasOwn(UNITS, parts[i]) || parts.length > 2) {
      throw new k.RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
    }
  }
  return unit;
}

function currencyOption(options, style) {
  const currency = o.textOption(options, "currency");
  if (currency === undefined) {
    if (style === "currency") {
      throw new k.TypeError("Currency code is required with currency style.");
    }
    return undefined;
  }
  if (!o.matches(/^[a-z]{3}$/i, currency)) {
    throw new k.RangeError(`Invalid currency code : ${currency}`);
  }
  return o.stringToUpperCase(currency);
}

function styleSettings(options) {
  const style = o.textOption(options, "style",
                             ["decimal", "percent", "currency", "unit"], "decimal");
  const currency = currencyOption(options, style);
  const unit = unitOption(options, style);
  const currencyDisplay = o.textOption(options, "currencyDisplay",
                                       ["code", "symbol", "narrowSymbol", "name"], "symbol");
  const currencySign = o.textOption(options, "currencySign", ["standard", "accounting"],
                                    "standard");
  const unitDisplay = o.textOption(options, "unitDisplay", ["short", "narrow", "long"], "short");
  return {
    style,
    ...(style === "currency" ? { currency, currencyDisplay, currencySign } : {}),
    ...(style === "unit" ? { unit, unitDisplay } : {}),
  };
}

/** Least and most digits behind the point, where the options may name one of them. */
function fractionSettings(options, least, most) {
  const low = o.numberOption(options, "minimumFractionDigits", 0, 100);
  const high = o.numberOption(options, "maximumFractionDigits", 0, 100);
  if (low !== undefined && high !== undefined && low > high) {
    throw new k.RangeError("maximumFractionDigits value is out of range.");
  }
  return {
    minimumFractionDigits: low ?? k.min(least, high ?? least),
    maximumFractionDigits: high ?? k.max(most, low ?? most),
  };
}

function significantSettings(options) {
  const low = o.numberOption(options, "minimumSignificantDigits", 1, 21, 1);
  return {
    minimumSignificantDigits: low,
    maximumSignificantDigits: o.numberOption(options, "maximumSignificantDigits", low, 21, 21),
  };
}

/** Which digits are kept; `defaults` are least and most behind the point. */
function digitSettings(options, defaults, notation) {
  const integer = { minimumIntegerDigits: o.numberOption(options, "minimumIntegerDigits",
                                                         1, 21, 1) };
  const priority = o.textOption(options, "roundingPriority",
                                ["auto", "morePrecision", "lessPrecision"],
                                "auto");
  const hasSignificant = options.minimumSignificantDigits !== undefined ||
                         options.maximumSignificantDigits !== undefined;
  const hasFraction = options.minimumFractionDigits !== undefined ||
                      options.maximumFractionDigits !== undefined;
  const fraction = () => fractionSettings(options, defaults[0], defaults[1]);
  if (priority !== "auto") {
    return { ...integer, ...significantSettings(options), ...fraction(), priority };
  }
  if (hasSignificant) {
    return { ...integer, ...significantSettings(options), priority };
  }
  if (notation === "compact" && !hasFraction) {
    return { ...integer, minimumSignificantDigits: 1, maximumSignificantDigits: 2,
             minimumFractionDigits: 0, maximumFractionDigits: 0, priority: "morePrecision" };
  }
  return { ...integer, ...fraction(), priority };
}

function groupingOption(options, notation) {
  const value = options.useGrouping;
  const otherwise = notation === "compact" ? "min2" : "auto";
  if (value === undefined || value === "true" || value === "false") {
    return otherwise;
  }
  if (value === true || value === false || !value) {
    return value === true ? "always" : false;
  }
  return o.textOption(options, "useGrouping", ["min2", "auto", "always"], otherwise);
}

function defaultDigits(style, currency) {
  if (style === "currency") {
    const digits = k.hasOwn(DIGITS, currency) ? DIGITS[currency] : 2;
    return [digits, digits];
  }
  return style === "percent" ? [0, 0] : [0, 3];
}

function resolve(locales, given) {
  const locale = o.resolveLocale(locales);
  const options = o.optionsObject(given);
  const style = styleSettings(options);
  const notation = o.textOption(options, "notation",
                                ["standard", "scientific", "engineering", "compact"],
                                "standard");
  const defaults = defaultDigits(style.style, style.currency);
  const { priority, ...digits } = digitSettings(options, defaults, notation);
  const compactDisplay = o.textOption(options, "compactDisplay", ["short", "long"], "short");
  return {
    locale, numberingSystem: "latn", ...style, ...digits,
    useGrouping: groupingOption(options, notation), notation,
    ...(notation === "compact" ? { compactDisplay } : {}),
    signDisplay: o.textOption(options, "signDisplay",
                              ["auto", "never", "always", "exceptZero", "negative"], "auto"),
    roundingMode: o.textOption(options, "roundingMode", MODES, "halfExpand"),
    roundingIncrement: 1,
    trailingZeroDisplay: o.textOption(options, "trailingZeroDisplay",
                                      ["auto", "stripIfInteger"], "auto"),
    roundingPriority: priority,
  };
}

module.exports = { resolve };
