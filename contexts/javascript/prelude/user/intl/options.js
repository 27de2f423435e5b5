// SPDX-License-Identifier: MIT
// options.js - locales and options of Intl. There is one locale, American English: any other
// resolves to it, as in an engine without the data of others.
"use strict";

const k = require("node/kit");

const regExpExec = k.uncurry(RegExp.prototype.exec);
const LOCALE = "en-US";
const TAG = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;

function matches(pattern, text) {
  return regExpExec(pattern, text) !== null;
}

function checkLocale(tag) {
  if (typeof tag !== "string" && (typeof tag !== "object" || tag === null)) {
    throw new k.TypeError("Incorrect locale information provided");
  }
  const text = k.String(tag);
  if (!matches(TAG, text)) {
    throw new k.RangeError(`Incorrect locale information provided`);
  }
  return text;
}

/** The tags of an argument `locales`, in the usual case of letters. */
function localeList(locales) {
  if (locales === undefined) {
    return [];
  }
  if (locales === null) {
    throw new k.TypeError("Cannot convert undefined or null to object");
  }
  const list = typeof locales === "string" ? [locales] : k.Object(locales);
  const count = k.Number(list.length) || 0;
  const found = [];
  for (let i = 0; i < count; i++) {
    const tag = canonical(checkLocale(list[i]));
    if (!k.arrayIncludes(found, tag)) {
      k.arrayPush(found, tag);
    }
  }
  return found;
}

function canonical(tag) {
  const parts = k.stringSplit(k.stringToLowerCase(tag), "-");
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i];
    if (part.length === 2) {
      parts[i] = stringToUpperCase(part);
    } else if (part.length === 4) {
      parts[i] = stringToUpperCase(part[0]) + k.stringSlice(part, 1);
    }
  }
  return k.arrayJoin(parts, "-");
}

const stringToUpperCase = k.uncurry(String.prototype.toUpperCase);

function isSupported(tag) {
  return tag === "en" || tag === LOCALE;
}

/** The locale that a formatter has. */
function resolveLocale(locales) {
  const list = localeList(locales);
  return list.length > 0 && isSupported(list[0]) ? list[0] : LOCALE;
}

function supportedLocalesOf(locales) {
  return k.arrayFilter(localeList(locales), isSupported);
}

/** The argument `options` as an object. */
function optionsObject(options) {
  if (options === undefined) {
    return k.createObject(null);
  }
  if (options === null) {
    throw new k.TypeError("Cannot convert undefined or null to object");
  }
  return k.Object(options);
}

/** A text that is one of `values` (any when undefined). */
function textOption(options, name, values, otherwise) {
  const value = options[name];
  if (value === undefined) {
    return otherwise;
  }
  const text = k.String(value);
  if (values !== undefined && !k.arrayIncludes(values, text)) {
    throw new k.RangeError(`Value ${text} out of range for Intl options property ${name}`);
  }
  return text;
}

function numberOption(options, name, least, most, otherwise) {
  const value = options[name];
  if (value === undefined) {
    return otherwise;
  }
  const number = k.Number(value);
  if (!(number >= least && number <= most)) {
    throw new k.RangeError(`${name} value is out of range.`);
  }
  return k.floor(number);
}

function flagOption(options, name, otherwise) {
  return options[name] === undefined ? otherwise : Boolean(options[name]);
}

/** Called without `new`: makes one all the same, as older constructors of Intl do, or refuses. */
const CALL = { makes: true, throws: false };

/** The constructor that people see: its prototype is that of `Class`, which does the work. */
function expose(Class, isCallable) {
  const { name, prototype } = Class;
  const Outer = { [name]: function (locales, options) {
    if (new.target === undefined && !isCallable) {
      throw new k.TypeError(`Constructor Intl.${name} requires 'new'`);
    }
    return construct(Class, [locales, options], new.target ?? Outer);
  } }[name];
  k.defineProperty(Outer, "prototype", { value: prototype, writable: false });
  k.defineProperty(Outer, "length", { value: 0, configurable: true });
  k.defineProperty(prototype, "constructor", { value: Outer, writable: true, configurable: true });
  k.defineProperty(prototype, k.Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
  k.defineProperty(Outer, "supportedLocalesOf", {
    value: supportedLocalesOf, writable: true, configurable: true,
  });
  return Outer;
}

const { construct } = Reflect;
const Boolean = globalThis.Boolean;

module.exports = {
  matches, localeList, resolveLocale, optionsObject, textOption, numberOption, flagOption, expose,
  CALL, stringToUpperCase,
};
