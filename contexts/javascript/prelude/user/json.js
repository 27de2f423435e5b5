// SPDX-License-Identifier: MIT
// json.js - the JSON of a value that is nothing but data. Whatever JSON would change on the way
// (undefined, NaN, -0, BigInt, holes, Map, Date, class instances, getters, cycles, ...) has none:
// it is better to have only the text than to have something else beside it. Runs no user code.
"use strict";

const p = require("primordials");

const quote = globalThis.JSON.stringify; // asks strings for nothing
const { getPrototypeOf } = globalThis.Object;
const isFinite = globalThis.Number.isFinite;
const same = globalThis.Object.is;
const arrayPrototype = globalThis.Array.prototype;
const objectPrototype = globalThis.Object.prototype;
const DEPTH_MAX = 64;
const SIZE_MAX = 4 * 1024 * 1024; // characters
const NOT_JSON = {};

/** State of one conversion: what is being written, how deep we are, how much there is. */
function append(state, text) {
  state.size += text.length;
  if (state.size > SIZE_MAX) {
    throw NOT_JSON;
  }
  state.text += text;
}

/** The value of an own property that is plain data. */
function dataOf(object, key) {
  const descriptor = p.getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined || !p.hasOwn(descriptor, "value") || !descriptor.enumerable) {
    throw NOT_JSON;
  }
  return descriptor.value;
}

function writeArray(state, value, depth) {
  const keys = p.ownKeys(value); // indices and length
  if (getPrototypeOf(value) !== arrayPrototype || keys.length !== value.length + 1) {
    throw NOT_JSON;
  }
  append(state, "[");
  for (let i = 0; i < value.length; i++) {
    append(state, i > 0 ? "," : "");
    write(state, dataOf(value, i), depth + 1);
  }
  append(state, "]");
}

function writeObject(state, value, depth) {
  const prototype = getPrototypeOf(value);
  if (prototype !== objectPrototype && prototype !== null) {
    throw NOT_JSON;
  }
  const keys = p.ownKeys(value);
  append(state, "{");
  for (let i = 0; i < keys.length; i++) {
    if (typeof keys[i] !== "string") {
      throw NOT_JSON;
    }
    append(state, `${i > 0 ? "," : ""}${quote(keys[i])}:`);
    write(state, dataOf(value, keys[i]), depth + 1);
  }
  append(state, "}");
}

/** Kinds with insides that no property tells of, and proxies. */
function isPlain(value) {
  return native.proxyDetails(value, false) === undefined &&
    native.isKind(value, ["Object", "Array"]);
}

function writeCompound(state, value, depth) {
  if (depth > DEPTH_MAX || !isPlain(value) || state.open.has(value)) {
    throw NOT_JSON;
  }
  state.open.set(value, true);
  if (p.isArray(value)) {
    writeArray(state, value, depth);
  } else {
    writeObject(state, value, depth);
  }
  state.open.delete(value);
}

function write(state, value, depth) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return append(state, quote(value));
    case "number":
      if (!isFinite(value) || same(value, -0)) {
        throw NOT_JSON;
      }
      return append(state, quote(value));
    case "object":
      return value === null ? append(state, "null") : writeCompound(state, value, depth);
    default:
      throw NOT_JSON;
  }
}

/** The JSON text of `value`; undefined when it has none. */
function toJson(value) {
  const state = { __proto__: null, text: "", size: 0, open: new p.SafeMap() };
  try {
    write(state, value, 0);
    return state.text;
  } catch (error) {
    if (error !== NOT_JSON) {
      throw error;
    }
    return undefined;
  }
}

module.exports = { toJson };
