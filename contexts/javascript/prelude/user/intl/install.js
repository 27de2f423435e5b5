// SPDX-License-Identifier: MIT
// install.js - puts Intl, and the methods of the language that follow it, in their places. QuickJS
// has none of it: its own toLocaleString() knows neither locales nor options.
"use strict";

const k = require("node/kit");
const o = require("intl/options");
const { NumberFormat, formatNumber } = require("intl/number");
const { DateTimeFormat, formatDate } = require("intl/date");
const { Collator, compareLocale } = require("intl/collator");
const words = require("intl/words");

const numberValue = k.uncurry(Number.prototype.valueOf);
const bigIntValue = k.uncurry(BigInt.prototype.valueOf);

const Intl = k.createObject(Object.prototype);
k.defineProperty(Intl, k.Symbol.toStringTag, { value: "Intl", configurable: true });

function define(target, values) {
  const names = k.objectKeys(values);
  for (let i = 0; i < names.length; i++) {
    k.defineProperty(target, names[i], {
      value: values[names[i]], writable: true, configurable: true, enumerable: false,
    });
  }
}

define(Intl, {
  getCanonicalLocales: (locales) => o.localeList(locales),
  DateTimeFormat, NumberFormat, Collator, ...words,
});

const DATES = {
  toLocaleString: { required: "any", defaults: "all" },
  toLocaleDateString: { required: "date", defaults: "date" },
  toLocaleTimeString: { required: "time", defaults: "time" },
};

function dateMethod(name) {
  return { [name](locales, options) {
    return formatDate(this, locales, options, DATES[name]);
  } }[name];
}

/** Before user code. */
function install() {
  define(Number.prototype, { toLocaleString(locales, options) {
    return formatNumber(numberValue(this), locales, options);
  } });
  define(BigInt.prototype, { toLocaleString(locales, options) {
    return formatNumber(bigIntValue(this), locales, options);
  } });
  define(String.prototype, { localeCompare(that, locales, options) {
    if (this === null || this === undefined) {
      throw new k.TypeError("String.prototype.localeCompare called on null or undefined");
    }
    return compareLocale(`${this}`, `${that}`, locales, options);
  } });
  const names = k.objectKeys(DATES);
  for (let i = 0; i < names.length; i++) {
    define(Date.prototype, { [names[i]]: dateMethod(names[i]) });
  }
}

module.exports = { install, globals: { Intl } };
