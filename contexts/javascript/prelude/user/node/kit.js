// SPDX-License-Identifier: MIT
// kit.js - primordials.js and what else of the language the Node surface uses, kept from before
// user code ran.
"use strict";

const p = require("primordials");

const { Array, JSON, Math, Object, Promise, String, Uint8Array } = globalThis;
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);

/** Before user code. */
function getter(prototype, name) {
  return p.uncurry(Object.getOwnPropertyDescriptor(prototype, name).get);
}

module.exports = {
  ...p,
  Promise, Uint8Array,
  Error: globalThis.Error,
  TypeError: globalThis.TypeError,
  RangeError: globalThis.RangeError,
  SyntaxError: globalThis.SyntaxError,
  Date: globalThis.Date,
  BigInt: globalThis.BigInt,
  parseJson: JSON.parse,
  arrayPop: p.uncurry(Array.prototype.pop),
  arrayShift: p.uncurry(Array.prototype.shift),
  arrayUnshift: p.uncurry(Array.prototype.unshift),
  arraySort: p.uncurry(Array.prototype.sort),
  arraySome: p.uncurry(Array.prototype.some),
  arrayForEach: p.uncurry(Array.prototype.forEach),
  stringIndexOf: p.uncurry(String.prototype.indexOf),
  stringLastIndexOf: p.uncurry(String.prototype.lastIndexOf),
  stringEndsWith: p.uncurry(String.prototype.endsWith),
  stringToLowerCase: p.uncurry(String.prototype.toLowerCase),
  stringTrim: p.uncurry(String.prototype.trim),
  stringPadStart: p.uncurry(String.prototype.padStart),
  regExpTest: p.uncurry(RegExp.prototype.test),
  regExpExec: p.uncurry(RegExp.prototype.exec),
  promiseThen: p.uncurry(Promise.prototype.then),
  dateGetTime: p.uncurry(globalThis.Date.prototype.getTime),
  byteLength: getter(typedArray, "byteLength"),
  byteOffset: getter(typedArray, "byteOffset"),
  bufferOf: getter(typedArray, "buffer"),
  bytesSet: p.uncurry(typedArray.set),
  bytesSlice: p.uncurry(typedArray.slice),
  bytesSubarray: p.uncurry(typedArray.subarray),
  bytesToBase64: p.uncurry(Uint8Array.prototype.toBase64),
  bytesToHex: p.uncurry(Uint8Array.prototype.toHex),
  setPrototypeOf: Object.setPrototypeOf,
  getPrototypeOf: Object.getPrototypeOf,
  assign: Object.assign,
  entries: Object.entries,
  freeze: Object.freeze,
  isInteger: Number.isInteger,
  floor: Math.floor,
  round: Math.round,
  min: Math.min,
};
