// SPDX-License-Identifier: MIT
// words.js - Intl.PluralRules, ListFormat and RelativeTimeFormat in English.
"use strict";

const k = require("node/kit");
const o = require("intl/options");
const { formatNumber, resolve, round, decimalOf } = require("intl/number");

const slots = new k.WeakMap();
const slotGet = k.uncurry(k.WeakMap.prototype.get);
const slotSet = k.uncurry(k.WeakMap.prototype.set);
const { is } = Object;

function slot(object, name) {
  const found = slotGet(slots, object);
  if (found === undefined) {
    throw new k.TypeError(`Method ${name} called on incompatible receiver ${k.String(object)}`);
  }
  return found;
}

// Plurals.

function ordinal(number) {
  const ten = number % 10;
  const hundred = number % 100;
  if (ten === 1 && hundred !== 11) {
    return "one";
  }
  if (ten === 2 && hundred !== 12) {
    return "two";
  }
  return ten === 3 && hundred !== 13 ? "few" : "other";
}

class PluralRules {
  constructor(locales, given) {
    const options = o.optionsObject(given);
    const type = o.textOption(options, "type", ["cardinal", "ordinal"], "cardinal");
    const digits = resolve(locales, {
      minimumIntegerDigits: options.minimumIntegerDigits,
      minimumFractionDigits: options.minimumFractionDigits,
      maximumFractionDigits: options.maximumFractionDigits,
      minimumSignificantDigits: options.minimumSignificantDigits,
      maximumSignificantDigits: options.maximumSignificantDigits,
    });
    slotSet(slots, this, { type, digits });
  }

  select(value) {
    const { type, digits } = slot(this, "Intl.PluralRules.prototype.select");
    const number = k.Number(value);
    const decimal = decimalOf(number < 0 ? -number : number);
    if (decimal.special !== undefined) {
      return "other";
    }
    if (type === "ordinal") {
      return ordinal(number < 0 ? -number : number);
    }
    const { rounded, places } = round(decimal, digits);
    return rounded.digits === "1" && rounded.point === 1 && places === 0 ? "one" : "other";
  }

  resolvedOptions() {
    const { type, digits } = slot(this, "Intl.PluralRules.prototype.resolvedOptions");
    const hasSignificant = digits.maximumSignificantDigits !== undefined;
    return {
      locale: digits.locale, type, minimumIntegerDigits: digits.minimumIntegerDigits,
      ...(hasSignificant
        ? { minimumSignificantDigits: digits.minimumSignificantDigits,
            maximumSignificantDigits: digits.maximumSignificantDigits }
        : { minimumFractionDigits: digits.minimumFractionDigits,
            maximumFractionDigits: digits.maximumFractionDigits }),
      pluralCategories: type === "ordinal" ? ["few", "one", "two", "other"] : ["one", "other"],
    };
  }
}

// Lists: what stands between two, before the last of more, and between the others.

const GLUE = {
  conjunction: { long: [" and ", ", and "], short: [" & ", ", & "], narrow: [", ", ", "] },
  disjunction: { long: [" or ", ", or "], short: [" or ", ", or "], narrow: [" or ", ", or "] },
  unit: { long: [", ", ", "], short: [", ", ", "], narrow: [" ", " ", " "] },
};

function listParts(list, { type, style }) {
  const { 0: two, 1: last, 2: middle = ", " } = GLUE[type][style];
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    if (i > 0) {
      const value = list.length === 2 ? two : i === list.length - 1 ? last : middle;
      k.arrayPush(parts, { type: "literal", value });
    }
    k.arrayPush(parts, { type: "element", value: list[i] });
  }
  return parts;
}

/** The texts of any iterable: user code by its nature. */
function texts(list) {
  if (list === undefined) {
    return [];
  }
  const found = k.Array.from(list);
  for (let i = 0; i < found.length; i++) {
    if (typeof found[i] !== "string") {
      throw new k.TypeError(`Iterable yielded ${k.String(found[i])} which is not a string`);
    }
  }
  return found;
}

function joinParts(parts) {
  return k.arrayJoin(k.arrayMap(parts, ({ value }) => value), "");
}

class ListFormat {
  constructor(locales, given) {
    const options = o.optionsObject(given);
    slotSet(slots, this, {
      locale: o.resolveLocale(locales),
      type: o.textOption(options, "type", ["conjunction", "disjunction", "unit"], "conjunction"),
      style: o.textOption(options, "style", ["long", "short", "narrow"], "long"),
    });
  }

  format(list) {
    return joinParts(listParts(texts(list), slot(this, "Intl.ListFormat.prototype.format")));
  }

  formatToParts(list) {
    return listParts(texts(list), slot(this, "Intl.ListFormat.prototype.formatToParts"));
  }

  resolvedOptions() {
    return { ...slot(this, "Intl.ListFormat.prototype.resolvedOptions") };
  }
}

// Relative times: [long, short of one, short of many, narrow].

const SPANS = {
  year: ["year", "yr.", "yr.", "y"], quarter: ["quarter", "qtr.", "qtrs.", "q"],
  month: ["month", "mo.", "mo.", "mo"], week: ["week", "wk.", "wk.", "w"],
  day: ["day", "day", "days", "d"],
  hour: ["hour", "hr.", "hr.", "h"], minute: ["minute", "min.", "min.", "m"],
  second: ["second", "sec.", "sec.", "s"],
};

/** A word for -1, 0 or 1 of a unit; undefined when there is none. */
function relativeWord(value, unit, style) {
  if (unit === "day") {
    return { "-1": "yesterday", 0: "today", 1: "tomorrow" }[value];
  }
  if (unit === "hour" || unit === "minute" || unit === "second") {
    return value !== 0 ? undefined : unit === "second" ? "now" : `this ${unit}`;
  }
  const which = { "-1": "last", 0: "this", 1: "next" }[value];
  return which === undefined ? undefined : `${which} ${SPANS[unit][style === "long" ? 0 : 1]}`;
}

function spanName(count, unit, style) {
  const { 0: long, 1: one, 2: many, 3: narrow } = SPANS[unit];
  const isOne = count === 1;
  switch (style) {
    case "long": return isOne ? ` ${long}` : ` ${long}s`;
    case "short": return isOne ? ` ${one}` : ` ${many}`;
    default: return narrow;
  }
}

function unitOf(given) {
  const text = k.String(given);
  const unit = k.stringEndsWith(text, "s") ? k.stringSlice(text, 0, -1) : text;
  if (!k.hasOwn(SPANS, unit)) {
    throw new k.RangeError(
      `Invalid unit argument for Intl.RelativeTimeFormat.prototype.format() '${text}'`);
  }
  return unit;
}

class RelativeTimeFormat {
  constructor(locales, given) {
    const options = o.optionsObject(given);
    slotSet(slots, this, {
      locale: o.resolveLocale(locales),
      style: o.textOption(options, "style", ["long", "short", "narrow"], "long"),
      numeric: o.textOption(options, "numeric", ["always", "auto"], "always"),
      numberingSystem: "latn",
    });
  }

  format(value, given) {
    const { style, numeric } = slot(this, "Intl.RelativeTimeFormat.prototype.format");
    const number = k.Number(value);
    const unit = unitOf(given);
    if (!(number - number === 0)) {
      throw new k.RangeError("Invalid time value");
    }
    const word = numeric === "auto" ? relativeWord(number, unit, style) : undefined;
    if (word !== undefined) {
      return word;
    }
    const isPast = number < 0 || is(number, -0);
    const count = isPast ? -number : number;
    const text = `${formatNumber(count)}${spanName(count, unit, style)}`;
    return isPast ? `${text} ago` : `in ${text}`;
  }

  resolvedOptions() {
    return { ...slot(this, "Intl.RelativeTimeFormat.prototype.resolvedOptions") };
  }
}

module.exports = {
  PluralRules: o.expose(PluralRules, o.CALL.throws),
  ListFormat: o.expose(ListFormat, o.CALL.throws),
  RelativeTimeFormat: o.expose(RelativeTimeFormat, o.CALL.throws),
};
