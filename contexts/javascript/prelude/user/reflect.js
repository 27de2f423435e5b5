// SPDX-License-Identifier: MIT
// reflect.js - what values have, told without running any code of theirs: by descriptors, around
// proxies, and through the methods that primordials kept. Questions come as JSON texts, answers go
// as arrays of texts (prelude/tools/introspect.js).
"use strict";

const p = require("primordials");
const { inspect } = require("format");

const { getPrototypeOf } = globalThis.Object;
const parse = globalThis.JSON.parse;
const functionToString = p.uncurry(globalThis.Function.prototype.toString);
const global = (0, eval)("this");
const PROTOTYPES = {
  __proto__: null,
  string: globalThis.String.prototype, number: globalThis.Number.prototype,
  boolean: globalThis.Boolean.prototype, bigint: globalThis.BigInt.prototype,
  symbol: globalThis.Symbol.prototype, String: globalThis.String.prototype,
  Number: globalThis.Number.prototype, RegExp: globalThis.RegExp.prototype,
  Array: globalThis.Array.prototype,
};
const ALL = 0; // of ownNonIndexProperties: hidden ones too
const ENUMERABLE = 2;
const OBJECTS_MAX = 2000; // looked at before a preview
const TAG = globalThis.Symbol.toStringTag;
const typedArrayTag = p.getOwnPropertyDescriptor(
  getPrototypeOf(globalThis.Uint8Array.prototype), TAG).get;
const LEVELS_MAX = 100; // of prototypes
const NAMES_MAX = 20000;
const PREVIEW = {
  __proto__: null, customInspect: false, getters: false, showProxy: true, depth: 1,
  maxArrayLength: 20, maxStringLength: 200, breakLength: 80,
};

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** The target behind a proxy, whose traps must not run. */
function bare(value) {
  let inner = value;
  for (let i = 0; i < LEVELS_MAX && isObject(inner); i++) {
    const target = native.proxyDetails(inner, false);
    if (target === undefined) {
      return inner;
    }
    inner = target;
  }
  return inner;
}

/** The object whose properties a value shows: itself, or the prototype of its kind. */
function holderOf(value) {
  return isObject(value) ? bare(value) : PROTOTYPES[typeof value];
}

/** The descriptor of a key, here or further up; undefined when there is none. */
function lookUp(value, key) {
  let holder = holderOf(value);
  for (let i = 0; i < LEVELS_MAX && isObject(holder); i++) {
    const descriptor = p.getOwnPropertyDescriptor(holder, key);
    if (descriptor !== undefined) {
      return descriptor;
    }
    holder = bare(getPrototypeOf(holder));
  }
  return undefined;
}

/** {found, value}; getters are not followed. */
function follow(kind, root, keys) {
  let place = kind === "literal" ? { value: PROTOTYPES[root] }
    : kind === "globals" || root === "this" ? { value: global } : lookUp(global, root);
  for (let i = 0; i < keys.length; i++) {
    if (place === undefined || !p.hasOwn(place, "value")) {
      return undefined;
    }
    place = lookUp(place.value, keys[i]);
  }
  return place;
}

function isClass(value) {
  const prototype = p.getOwnPropertyDescriptor(value, "prototype");
  return prototype !== undefined && prototype.writable === false;
}

function typeOf(descriptor) {
  if (!p.hasOwn(descriptor, "value")) {
    return "property";
  }
  const value = bare(descriptor.value);
  if (typeof value !== "function") {
    return "instance";
  }
  return isClass(value) ? "class" : "function";
}

/** Adds "type name" of what `holder` itself has. */
function addNames(holder, prefix, lines, seen) {
  const names = native.ownNonIndexProperties(holder, ALL);
  for (let i = 0; i < names.length && lines.length < NAMES_MAX; i++) {
    const name = names[i];
    if (typeof name !== "string" || seen.has(name) || !p.stringStartsWith(name, prefix)) {
      continue;
    }
    seen.set(name, true);
    const descriptor = p.getOwnPropertyDescriptor(holder, name);
    if (descriptor !== undefined) {
      p.arrayPush(lines, `${typeOf(descriptor)} ${name}`);
    }
  }
}

function split(question) {
  const parts = parse(question);
  return { kind: parts[0], root: parts[1], prefix: parts[2], keys: p.arraySlice(parts, 3) };
}

/** Names that a value has, its prototypes included. */
function members(question) {
  const { kind, root, prefix, keys } = split(question);
  const place = follow(kind, root, keys);
  const lines = [];
  const seen = new p.SafeMap();
  if (place === undefined || !p.hasOwn(place, "value")) {
    return lines;
  }
  let holder = holderOf(place.value);
  for (let i = 0; i < LEVELS_MAX && isObject(holder); i++) {
    addNames(holder, prefix, lines, seen);
    holder = bare(getPrototypeOf(holder));
  }
  return lines;
}

/** The name of the class of a value, by its prototype's own constructor. */
function className(value) {
  if (!isObject(value)) {
    return value === null ? "null" : typeof value;
  }
  const prototype = bare(getPrototypeOf(value));
  const made = isObject(prototype) ? p.getOwnPropertyDescriptor(prototype, "constructor")
    : undefined;
  const by = made !== undefined && p.hasOwn(made, "value") ? bare(made.value) : undefined;
  const name = typeof by === "function" ? p.getOwnPropertyDescriptor(by, "name") : undefined;
  return name !== undefined && typeof name.value === "string" && name.value !== ""
    ? name.value : "Object";
}

/** Whether inspect() would run code of the value to find out what it is. */
function isWild(value) {
  const tag = lookUp(value, TAG);
  const made = lookUp(value, "constructor");
  const by = made !== undefined && p.hasOwn(made, "value") ? made.value : undefined;
  const name = isObject(by) ? lookUp(by, "name") : undefined;
  let prototype = getPrototypeOf(value);
  for (let i = 0; prototype !== null; i++) {
    if (i === LEVELS_MAX || native.proxyDetails(prototype, false) !== undefined) {
      return true;
    }
    prototype = getPrototypeOf(prototype);
  }
  return (tag !== undefined && !p.hasOwn(tag, "value") && tag.get !== typedArrayTag) ||
    (made !== undefined && by === undefined) || (name !== undefined && !p.hasOwn(name, "value"));
}

/** The same for all that the preview shows. */
function showsWild(value, depth, budget) {
  const inner = bare(value);
  if (!isObject(inner)) {
    return false;
  }
  if (isWild(inner) || --budget.left < 0) {
    return true;
  }
  const names = depth === 0 ? [] : native.ownNonIndexProperties(inner, ENUMERABLE);
  const count = p.isArray(inner) && depth > 0 ? p.min(inner.length, PREVIEW.maxArrayLength) : 0;
  for (let i = 0; i < names.length + count; i++) {
    const key = i < count ? i : names[i - count];
    const descriptor = p.getOwnPropertyDescriptor(inner, key);
    if (descriptor !== undefined && p.hasOwn(descriptor, "value") &&
        showsWild(descriptor.value, depth - 1, budget)) {
      return true;
    }
  }
  return false;
}

function preview(value) {
  try {
    return showsWild(value, PREVIEW.depth + 1, { left: OBJECTS_MAX }) ? ""
      : inspect(value, PREVIEW);
  } catch {
    return "";
  }
}

function functionFacts(value) {
  const length = p.getOwnPropertyDescriptor(value, "length");
  const count = length !== undefined && typeof length.value === "number" ? length.value : 0;
  const kind = isClass(value) ? "class" : "";
  return [kind === "" ? "function" : "class", "", functionToString(value), p.String(count), kind];
}

/** Facts about a value: type, preview, source, number of parameters, "class" or "". */
function look(question) {
  const { kind, root, keys } = split(question);
  const place = follow(kind, root, keys);
  if (place === undefined) {
    return [];
  }
  if (!p.hasOwn(place, "value")) {
    return ["accessor", place.get === undefined ? "[Setter]" : "[Getter]", "", "0", ""];
  }
  const value = bare(place.value);
  return typeof value === "function" ? functionFacts(value)
    : [className(value), preview(place.value), "", "0", ""];
}

module.exports = { members, look };
