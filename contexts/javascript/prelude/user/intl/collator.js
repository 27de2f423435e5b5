// SPDX-License-Identifier: MIT
// collator.js - Intl.Collator: the order of a dictionary. Spaces come before punctuation, symbols,
// digits and letters; letters go by their base first, then by accents, then small before large.
"use strict";

const k = require("node/kit");
const o = require("intl/options");

const normalize = k.uncurry(String.prototype.normalize);
const codePointAt = k.uncurry(String.prototype.codePointAt);
const fromCodePoint = String.fromCodePoint;
const slots = new k.WeakMap();
const slotGet = k.uncurry(k.WeakMap.prototype.get);
const slotSet = k.uncurry(k.WeakMap.prototype.set);

const SENSITIVITIES = ["base", "accent", "case", "variant"];
// Punctuation and symbols of ASCII in the order of dictionaries.
const MARKS = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const CLASS = { space: 0, mark: 1, digit: 2, letter: 3, other: 4 };
const LAST_ACCENT = 0x36f;
const FIRST_ACCENT = 0x300;

/** {rank, base, accents, upper}: one character as it is compared. */
function elementOf(code, character) {
  const lower = k.stringToLowerCase(character);
  const isDigit = code >= 48 && code <= 57;
  const mark = k.stringIndexOf(MARKS, character);
  const rank = code === 32 || (code >= 9 && code <= 13) || code === 0xa0 ? CLASS.space
    : mark >= 0 ? CLASS.mark
    : isDigit ? CLASS.digit
    : lower >= "a" && lower <= "z" ? CLASS.letter : CLASS.other;
  return { rank, base: rank === CLASS.mark ? mark : codePointAt(lower, 0), accents: "",
           upper: lower !== character, number: isDigit ? character : "" };
}

function isIgnored({ rank }, options) {
  return options.ignorePunctuation && rank <= CLASS.mark;
}

/** What a text is compared by: an element for each letter, accents with their letter. */
function elementsOf(text, options) {
  const plain = normalize(text, "NFD");
  const elements = [];
  for (let i = 0; i < plain.length;) {
    const code = codePointAt(plain, i);
    const character = fromCodePoint(code);
    const last = elements[elements.length - 1];
    i += character.length;
    if (code >= FIRST_ACCENT && code <= LAST_ACCENT && last !== undefined) {
      last.accents += character;
      continue;
    }
    const element = elementOf(code, character);
    if (options.numeric && element.number !== "" && last?.number) {
      last.number += element.number;
    } else if (!isIgnored(element, options)) {
      k.arrayPush(elements, element);
    }
  }
  return elements;
}

function order(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareNumbers(a, b) {
  const bare = (text) => {
    let first = 0;
    while (first < text.length - 1 && text[first] === "0") {
      first++;
    }
    return k.stringSlice(text, first);
  };
  const x = bare(a);
  const y = bare(b);
  return order(x.length, y.length) || order(x, y);
}

function comparePrimary(a, b, numeric) {
  return order(a.rank, b.rank) ||
         (numeric && a.number && b.number ? compareNumbers(a.number, b.number)
          : order(a.base, b.base));
}

/** The first difference that `compareOne` finds, else that of the lengths. */
function compareBy(a, b, compareOne) {
  const length = k.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const found = compareOne(a[i], b[i]);
    if (found !== 0) {
      return found;
    }
  }
  return order(a.length, b.length);
}

function compareTexts(first, second, options) {
  const { sensitivity, numeric, caseFirst } = options;
  if (sensitivity === "variant" && caseFirst !== "upper" && !numeric &&
      !options.ignorePunctuation) {
    const found = native.collate(first, second); // most texts are ASCII
    if (found !== undefined) {
      return found;
    }
  }
  const a = elementsOf(first, options);
  const b = elementsOf(second, options);
  const levels = [(x, y) => comparePrimary(x, y, numeric)];
  if (sensitivity === "accent" || sensitivity === "variant") {
    k.arrayPush(levels, (x, y) => order(x.accents, y.accents));
  }
  if (sensitivity === "case" || sensitivity === "variant") {
    const sign = caseFirst === "upper" ? -1 : 1;
    k.arrayPush(levels, (x, y) => sign * order(x.upper, y.upper));
  }
  for (let i = 0; i < levels.length; i++) {
    const found = compareBy(a, b, levels[i]);
    if (found !== 0) {
      return found;
    }
  }
  return 0;
}

function resolve(locales, given) {
  const options = o.optionsObject(given);
  return {
    locale: o.resolveLocale(locales),
    usage: o.textOption(options, "usage", ["sort", "search"], "sort"),
    sensitivity: o.textOption(options, "sensitivity", SENSITIVITIES, "variant"),
    ignorePunctuation: o.flagOption(options, "ignorePunctuation", false),
    collation: "default",
    numeric: o.flagOption(options, "numeric", false),
    caseFirst: o.textOption(options, "caseFirst", ["upper", "lower", "false"], "false"),
  };
}

class Collator {
  constructor(locales, options) {
    slotSet(slots, this, resolve(locales, options));
  }

  get compare() {
    const options = slotGet(slots, this);
    return (a, b) => compareTexts(`${a}`, `${b}`, options);
  }

  resolvedOptions() {
    return { ...slotGet(slots, this) };
  }
}

const plain = resolve();

/** String.prototype.localeCompare */
function compareLocale(a, b, locales, options) {
  const isPlain = locales === undefined && options === undefined;
  return compareTexts(a, b, isPlain ? plain : resolve(locales, options));
}

module.exports = { Collator: o.expose(Collator, o.CALL.makes), compareLocale };
