// SPDX-License-Identifier: MIT
// number.js - Intl.NumberFormat in American English: a number as parts.
"use strict";

const k = require("node/kit");
const o = require("intl/options");
const { decimalOf, roundDigits, roundFraction, textsOf } = require("intl/decimal");
const { CURRENCIES, UNITS, ONES, PER } = require("intl/number-data");
const { resolve } = require("intl/number-settings");

const SPACE = "\u00a0";
const COMPACT = [["", ""], ["K", " thousand"], ["M", " million"], ["B", " billion"],
                 ["T", " trillion"]];
const GROUP = 3;
const slots = new k.WeakMap();
const slotGet = k.uncurry(k.WeakMap.prototype.get);
const slotSet = k.uncurry(k.WeakMap.prototype.set);

// A number.

/** The value after rounding, and how many digits behind the point are shown at least. */
function round(value, set) {
  const { maximumSignificantDigits: most, minimumSignificantDigits: least,
          roundingMode: mode } = set;
  const bySignificant = most !== undefined && (() => {
    const rounded = roundDigits(value, most, mode);
    return { rounded, places: k.max(0, least - (rounded.digits === "" ? 1 : rounded.point)),
             finest: most - value.point };
  });
  const byFraction = set.maximumFractionDigits !== undefined && (() => ({
    rounded: roundFraction(value, set.maximumFractionDigits, mode),
    places: set.minimumFractionDigits, finest: set.maximumFractionDigits,
  }));
  if (!bySignificant || !byFraction) {
    return (bySignificant || byFraction)();
  }
  const significant = bySignificant();
  const fraction = byFraction();
  const isFiner = significant.finest > fraction.finest;
  return isFiner === (set.roundingPriority === "morePrecision") ? significant : fraction;
}

/** {rounded, places, exponent}: the value divided by 10^exponent, as the notation wants it. */
function scale(value, set) {
  const step = { scientific: 1, engineering: GROUP, compact: GROUP }[set.notation];
  if (step === undefined || value.digits === "") {
    return { ...round(value, set), exponent: 0 };
  }
  const exponentOf = ({ point }) => {
    const exponent = k.floor((point - 1) / step) * step;
    return set.notation === "compact" ? k.min(k.max(exponent, 0),
                                              GROUP * (COMPACT.length - 1)) : exponent;
  };
  const at = (exponent) => round({ ...value, point: value.point - exponent }, set);
  const first = exponentOf(value);
  const tried = at(first);
  // Rounding may make it longer: 999,999 is 1M.
  const second = exponentOf({ point: tried.rounded.point + first });
  return second === first ? { ...tried, exponent: first } : { ...at(second), exponent: second };
}

function addGrouped(parts, whole, grouping) {
  const least = grouping === "min2" ? GROUP + 2 : GROUP + 1;
  if (grouping === false || whole.length < least) {
    k.arrayPush(parts, { type: "integer", value: whole });
    return;
  }
  const head = whole.length % GROUP || GROUP;
  k.arrayPush(parts, { type: "integer", value: k.stringSlice(whole, 0, head) });
  for (let i = head; i < whole.length; i += GROUP) {
    k.arrayPush(parts, { type: "group", value: "," });
    k.arrayPush(parts, { type: "integer", value: k.stringSlice(whole, i, i + GROUP) });
  }
}

function addNotation(parts, exponent, set) {
  if (set.notation === "compact") {
    const names = COMPACT[exponent / GROUP];
    const name = names[set.compactDisplay === "long" ? 1 : 0];
    if (name !== "" && set.compactDisplay === "long") {
      k.arrayPush(parts, { type: "literal", value: " " });
    }
    if (name !== "") {
      k.arrayPush(parts, { type: "compact", value: k.stringTrim(name) });
    }
  } else if (set.notation !== "standard") {
    k.arrayPush(parts, { type: "exponentSeparator", value: "E" });
    if (exponent < 0) {
      k.arrayPush(parts, { type: "exponentMinusSign", value: "-" });
    }
    k.arrayPush(parts, { type: "exponentInteger",
                         value: k.String(exponent < 0 ? -exponent : exponent) });
  }
}

/** The digits as parts, and whether they are all zero, and exactly "1". */
function digitParts(value, set) {
  if (value.special !== undefined) {
    const type = value.special;
    return { parts: [{ type, value: type === "nan" ? "NaN" : "∞" }], isZero: false, isOne: false };
  }
  const parts = [];
  const { rounded, places, exponent } = scale(value, set);
  const isWhole = rounded.point >= rounded.digits.length;
  const least = set.trailingZeroDisplay === "stripIfInteger" && isWhole ? 0 : places;
  const { 0: whole, 1: fraction } = textsOf(rounded, set.minimumIntegerDigits, least);
  addGrouped(parts, whole, set.useGrouping);
  if (fraction !== "") {
    k.arrayPush(parts, { type: "decimal", value: "." });
    k.arrayPush(parts, { type: "fraction", value: fraction });
  }
  addNotation(parts, exponent, set);
  return { parts, isZero: rounded.digits === "",
           isOne: whole === "1" && fraction === "" && exponent === 0 };
}

function signOf(negative, isZero, isNaN, display) {
  switch (display) {
    case "never": return "";
    case "always": return negative ? "-" : "+";
    case "exceptZero": return isZero || isNaN ? "" : negative ? "-" : "+";
    case "negative": return negative && !isZero ? "-" : "";
    default: return negative && !isNaN ? "-" : "";
  }
}

function unitName(unit, display, isOne) {
  const { 0: short, 1: narrow, 2: plural, 3: shortPlural } = UNITS[unit];
  if (display === "long") {
    const one = k.hasOwn(ONES, unit) ? ONES[unit] : unit;
    return isOne ? one : plural || `${unit}s`;
  }
  return display === "narrow" ? narrow || short : isOne ? short : shortPlural || short;
}

/** What stands behind the number for a unit, with the space before it. */
function unitSuffix({ unit, unitDisplay: display }, isOne) {
  const { 0: main, 1: per } = k.stringSplit(unit, "-per-");
  const name = unitName(main, display, isOne);
  const glue = display === "long" || (display === "short" && name[0] !== "°" &&
                                      name !== "%") ? " " : "";
  if (per === undefined) {
    return [glue, name];
  }
  if (display === "long") {
    return [glue, `${name} per ${unitName(per, display, true)}`];
  }
  if (unit === "mile-per-gallon" || unit === "mile-per-hour") {
    return [glue, unit === "mile-per-hour" ? "mph" : "mpg"];
  }
  return [glue, `${name}/${PER[per] ?? unitName(per, display, true)}`];
}

function currencySymbol({ currency, currencyDisplay }) {
  const known = k.hasOwn(CURRENCIES, currency) ? CURRENCIES[currency] : [];
  if (currencyDisplay === "code") {
    return currency;
  }
  return (currencyDisplay === "narrowSymbol" ? known[1] || known[0] : known[0]) || currency;
}

function isLetter(text) {
  return o.matches(/^\p{L}$/u, text);
}

/** Adds currency, percent sign or unit around the parts of the digits. */
function wrap(parts, set, isOne) {
  const literal = (value) => ({ type: "literal", value });
  const behind = (glue, type, value) =>
    k.arrayConcat(parts, glue === "" ? [{ type, value }] : [literal(glue), { type, value }]);
  switch (set.style) {
    case "percent":
      return behind("", "percentSign", "%");
    case "unit": {
      const { 0: glue, 1: name } = unitSuffix(set, isOne);
      return behind(glue, set.unit === "percent" && set.unitDisplay !== "long" ? "percentSign"
                    : "unit", name);
    }
    case "currency": {
      const known = k.hasOwn(CURRENCIES, set.currency) ? CURRENCIES[set.currency] : undefined;
      if (set.currencyDisplay === "name") {
        return behind(" ", "currency", known === undefined ? set.currency : known[isOne ? 2 : 3]);
      }
      const symbol = currencySymbol(set);
      const before = [{ type: "currency", value: symbol }];
      if (isLetter(symbol[symbol.length - 1])) {
        k.arrayPush(before, literal(SPACE));
      }
      return k.arrayConcat(before, parts);
    }
    default:
      return parts;
  }
}

function partsOf(value, set) {
  const decimal = decimalOf(value);
  const scaled = set.style === "percent" && decimal.digits
    ? { ...decimal, point: decimal.point + 2 } : decimal;
  const { parts, isZero, isOne } = digitParts(scaled, set);
  const sign = signOf(decimal.negative, isZero, decimal.special === "nan", set.signDisplay);
  const whole = wrap(parts, set, isOne);
  if (sign === "") {
    return whole;
  }
  if (sign === "-" && set.currencySign === "accounting" && set.currencyDisplay !== "name") {
    return k.arrayConcat(k.arrayConcat([{ type: "literal", value: "(" }], whole),
                         [{ type: "literal", value: ")" }]);
  }
  return k.arrayConcat([{ type: sign === "-" ? "minusSign" : "plusSign", value: sign }], whole);
}

function join(parts) {
  let text = "";
  for (let i = 0; i < parts.length; i++) {
    text += parts[i].value;
  }
  return text;
}

/** What is to be formatted: BigInts and texts of digits keep all of theirs. */
function numeric(value) {
  if (typeof value === "bigint" || typeof value === "number") {
    return value;
  }
  if (typeof value === "string" && o.matches(/^-?[0-9]+(\.[0-9]+)?$/, value)) {
    return value;
  }
  const primitive = typeof value === "object" && value !== null ? value.valueOf() : value;
  return typeof primitive === "bigint" ? primitive : k.Number(primitive);
}

function settingsOf(formatter, method) {
  const set = slotGet(slots, formatter);
  if (set === undefined) {
    throw new k.TypeError(
      `Method Intl.NumberFormat.prototype.${method} called on incompatible receiver ` +
                          k.String(formatter));
  }
  return set;
}

class NumberFormat {
  constructor(locales, options) {
    slotSet(slots, this, resolve(locales, options));
  }

  get format() {
    const set = settingsOf(this, "format");
    return (value) => join(partsOf(numeric(value), set));
  }

  formatToParts(value) {
    return partsOf(numeric(value), settingsOf(this, "formatToParts"));
  }

  resolvedOptions() {
    return { ...settingsOf(this, "resolvedOptions") };
  }
}

const plain = resolve();

/** Number.prototype.toLocaleString */
function formatNumber(value, locales, options) {
  const set = locales === undefined && options === undefined ? plain : resolve(locales, options);
  return join(partsOf(value, set));
}

module.exports = { NumberFormat: o.expose(NumberFormat, o.CALL.makes), formatNumber, resolve, round,
                   decimalOf };
