// SPDX-License-Identifier: MIT
// comparisons.js - isDeepEqual, strict and loose, as assert and util know it.
"use strict";

const k = require("node/kit");

const { Object, Map, Set, Date, RegExp } = globalThis;
const tagOf = k.uncurry(Object.prototype.toString);

function isObject(value) {
  return typeof value === "object" && value !== null;
}

function enumerableKeys(value) {
  return k.arrayFilter(k.ownKeys(value),
                       (key) => k.getOwnPropertyDescriptor(value, key)?.enumerable);
}

class Comparison {
  constructor(isStrict) {
    this.isStrict = isStrict;
    this.seen = []; // pairs that are being compared: cycles are equal when they go the same way
  }

  equal(a, b) {
    if (this.isStrict ? Object.is(a, b) : a === b || (a !== a && b !== b)) {
      return true;
    }
    if (!isObject(a) || !isObject(b)) {
      return !this.isStrict && !isObject(a) && !isObject(b) && a == b; // loose on purpose
    }
    if (this.isStrict && k.getPrototypeOf(a) !== k.getPrototypeOf(b)) {
      return false;
    }
    if (tagOf(a) !== tagOf(b) || k.isArray(a) !== k.isArray(b)) {
      return false;
    }
    if (this.seen.some(([first, second]) => first === a && second === b)) {
      return true;
    }
    this.seen.push([a, b]);
    const result = this.content(a, b);
    this.seen.pop();
    return result;
  }

  content(a, b) {
    if (a instanceof Date && b instanceof Date && a.getTime() !== b.getTime()) {
      return false;
    }
    if (a instanceof RegExp && b instanceof RegExp &&
        (`${a}` !== `${b}` || a.lastIndex !== b.lastIndex)) {
      return false;
    }
    if (k.isError(a) && (!k.isError(b) || a.message !== b.message || a.name !== b.name)) {
      return false;
    }
    if (isBoxed(a) && (!isBoxed(b) || !Object.is(a.valueOf(), b.valueOf()))) {
      return false;
    }
    if (k.isView(a) && !this.views(a, b)) {
      return false;
    }
    if (a instanceof Map && !(b instanceof Map && this.maps(a, b))) {
      return false;
    }
    if (a instanceof Set && !(b instanceof Set && this.sets(a, b))) {
      return false;
    }
    return this.properties(a, b);
  }

  views(a, b) {
    if (a.byteLength !== b.byteLength) {
      return false;
    }
    const left = new k.Uint8Array(a.buffer, a.byteOffset, a.byteLength);
    const right = new k.Uint8Array(b.buffer, b.byteOffset, b.byteLength);
    return left.every((byte, i) => byte === right[i]);
  }

  maps(a, b) {
    return a.size === b.size && [...a].every(([key, value]) =>
      (b.has(key) ? this.equal(value, b.get(key))
                  : [...b].some(([other, found]) => isObject(other) && this.equal(key, other) &&
                                                    this.equal(value, found))));
  }

  sets(a, b) {
    return a.size === b.size && [...a].every((value) =>
      b.has(value) || [...b].some((other) => (isObject(other) || !this.isStrict) &&
                                  this.equal(value, other)));
  }

  properties(a, b) {
    const keys = enumerableKeys(a);
    if (k.isArray(a) && a.length !== b.length) {
      return false;
    }
    return keys.length === enumerableKeys(b).length &&
           keys.every((key) => k.hasOwn(b, key) && this.equal(a[key], b[key]));
  }
}

function isBoxed(value) {
  return value instanceof globalThis.Number || value instanceof globalThis.String ||
         value instanceof globalThis.Boolean;
}

module.exports = {
  isDeepStrictEqual: (a, b) => new Comparison(true).equal(a, b),
  isDeepEqual: (a, b) => new Comparison(false).equal(a, b),
};
