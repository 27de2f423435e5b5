// SPDX-License-Identifier: MIT
// json.js - the JSON of a value that is nothing but data. Whatever JSON would change on the way
// (undefined, NaN, -0, BigInt, holes, Map, Date, class instances, getters, cycles, ...) has none:
// it is better to have only the text than to have something else beside it. Where JSON was asked
// for, much of that is written as JSON.stringify() writes it. Runs no user code.
"use strict";

const p = require("primordials");

const quote = globalThis.JSON.stringify; // asks strings for nothing
const { getPrototypeOf } = globalThis.Object;
const { RangeError, TypeError } = globalThis;
const isFinite = globalThis.Number.isFinite;
const same = globalThis.Object.is;
const arrayPrototype = globalThis.Array.prototype;
const objectPrototype = globalThis.Object.prototype;
const numbersPrototype = getPrototypeOf(globalThis.Uint8Array.prototype);
const countOf = p.uncurry(p.getOwnPropertyDescriptor(numbersPrototype, "length").get);
const timeOf = p.uncurry(globalThis.Date.prototype.getTime);
const dateText = p.uncurry(globalThis.Date.prototype.toISOString);
const NUMBERS = [
  "Float64Array", "Float32Array", "Float16Array", "Int32Array", "Uint32Array", "Int16Array",
  "Uint16Array", "Int8Array", "Uint8Array", "Uint8ClampedArray",
];
const DEPTH_MAX = 64;
const SIZE_MAX = 4 * 1024 * 1024; // characters
const ASKED_SIZE_MAX = 64 * 1024 * 1024; // of what somebody wants to see
const PART_SIZE = 16 * 1024; // adding to a long text copies it
const NOT_JSON = {};
const TOO_LONG = {};

function append(state, text) {
  state.size += text.length;
  if (state.size > state.most) {
    throw TOO_LONG;
  }
  state.text += text;
  if (state.text.length > PART_SIZE) {
    p.arrayPush(state.parts, state.text);
    state.text = "";
  }
}

/** What only strict conversions refuse. */
function refuseIfStrict(state) {
  if (!state.isLenient) {
    throw NOT_JSON;
  }
}

/** What JSON.stringify() leaves out of objects. */
function isNothing(value) {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** The value of an own property; getters are not run. */
function dataOf(descriptor) {
  if (!p.hasOwn(descriptor, "value")) {
    throw NOT_JSON;
  }
  return descriptor.value;
}

function itemOf(state, array, index) {
  const descriptor = p.getOwnPropertyDescriptor(array, index);
  if (descriptor === undefined || !descriptor.enumerable) {
    refuseIfStrict(state);
  }
  return descriptor === undefined ? undefined : dataOf(descriptor);
}

function writeArray(state, value, depth) {
  if (getPrototypeOf(value) !== arrayPrototype ||
      p.ownKeys(value).length !== value.length + 1) { // indices and length
    refuseIfStrict(state);
  }
  append(state, "[");
  for (let i = 0; i < value.length; i++) {
    append(state, i > 0 ? "," : "");
    write(state, itemOf(state, value, i), depth + 1);
  }
  append(state, "]");
}

/** Numbers of a typed array, which has no getters. */
function writeNumbers(state, value) {
  const count = countOf(value);
  append(state, "[");
  for (let i = 0; i < count; i++) {
    append(state, i > 0 ? `,${numberText(state, value[i])}` : numberText(state, value[i]));
  }
  append(state, "]");
}

function writeObject(state, value, depth) {
  const prototype = getPrototypeOf(value);
  if (prototype !== objectPrototype && prototype !== null) {
    refuseIfStrict(state);
  }
  const keys = p.ownKeys(value);
  let comma = "";
  append(state, "{");
  for (let i = 0; i < keys.length; i++) {
    const descriptor = p.getOwnPropertyDescriptor(value, keys[i]);
    if (typeof keys[i] !== "string" || !descriptor.enumerable) {
      refuseIfStrict(state);
    } else if (!isNothing(dataOf(descriptor)) || !state.isLenient) {
      append(state, `${comma}${quote(keys[i])}:`);
      write(state, descriptor.value, depth + 1);
      comma = ",";
    }
  }
  append(state, "}");
}

/** Kinds of the engine that have no properties of their own to tell of them. */
function writeOther(state, value) {
  refuseIfStrict(state);
  if (native.isKind(value, NUMBERS)) {
    writeNumbers(state, value);
  } else if (native.isKind(value, ["Date"])) {
    append(state, isFinite(timeOf(value)) ? quote(dateText(value)) : "null");
  } else {
    throw NOT_JSON;
  }
}

function writeCompound(state, value, depth) {
  if (depth > DEPTH_MAX || native.proxyDetails(value, false) !== undefined ||
      state.open.has(value)) {
    throw NOT_JSON;
  }
  if (!native.isKind(value, ["Object", "Array"])) {
    return writeOther(state, value);
  }
  state.open.set(value, true);
  if (p.isArray(value)) {
    writeArray(state, value, depth);
  } else {
    writeObject(state, value, depth);
  }
  state.open.delete(value);
}

function numberText(state, value) {
  if (isFinite(value) && !same(value, -0)) {
    return quote(value);
  }
  refuseIfStrict(state);
  return value === 0 ? "0" : "null";
}

function write(state, value, depth) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return append(state, quote(value));
    case "number":
      return append(state, numberText(state, value));
    case "object":
      return value === null ? append(state, "null") : writeCompound(state, value, depth);
    case "bigint":
      throw NOT_JSON;
    default:
      refuseIfStrict(state);
      return append(state, "null");
  }
}

function textOf(value, isLenient, most) {
  const state = {
    __proto__: null, parts: [], text: "", size: 0, most, isLenient, open: new p.SafeMap(),
  };
  write(state, value, 0);
  return state.parts.length > 0 ? p.arrayJoin(state.parts, "") + state.text : state.text;
}

/** The JSON text of `value`; undefined when it has none. */
function toJson(value) {
  try {
    return textOf(value, false, SIZE_MAX);
  } catch (error) {
    if (error !== NOT_JSON && error !== TOO_LONG) {
      throw error;
    }
    return undefined;
  }
}

/** The same as JSON.stringify() writes it. What is too long is an error that names it. */
function writtenJson(value, what) {
  try {
    return textOf(value, true, ASKED_SIZE_MAX);
  } catch (error) {
    if (error === NOT_JSON) {
      return undefined;
    }
    throw error !== TOO_LONG ? error
      : new RangeError(`${what} has over ${ASKED_SIZE_MAX} characters of JSON`);
  }
}

/** The JSON text of what is to be shown as `type`, or an error that says why there is none. */
function demandJson(value, type) {
  const json = isNothing(value) ? undefined : writtenJson(value, `the value for ${type}`);
  if (json === undefined) {
    throw new TypeError(`the value for ${type} is not plain JSON data`);
  }
  return json;
}

module.exports = { toJson, writtenJson, demandJson };
