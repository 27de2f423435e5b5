// SPDX-License-Identifier: MIT
// primordials.js - what the prelude uses of the language, kept from before user code ran: a cell
// may replace any method of any prototype, and console must go on working.
"use strict";

const arrays = require("safe-arrays");

const { call, bind } = Function.prototype;

/** method.call as a plain function. */
const uncurry = bind.bind(call);

const { Array, ArrayBuffer, Error, Map, Number, Object, Reflect, Set, String, Symbol, WeakMap } =
  globalThis;

class SafeMap extends Map {}
for (const name of ["get", "set", "has", "delete"]) {
  Object.defineProperty(SafeMap.prototype, name, { value: Map.prototype[name] });
}
Object.setPrototypeOf(SafeMap.prototype, null);
Object.freeze(SafeMap.prototype);

const { getOwnPropertyDescriptor, hasOwn } = Object;

/** An own property that is no getter; undefined when there is none. */
function own(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && hasOwn(descriptor, "value") ? descriptor.value : undefined;
}

module.exports = {
  own,
  uncurry,
  SafeMap,
  apply: Reflect.apply,
  ownKeys: Reflect.ownKeys,
  isArray: Array.isArray,
  arrayJoin: uncurry(Array.prototype.join),
  arrayPush: arrays.add,
  arrayConcat: arrays.concat,
  arraySlice: arrays.slice,
  arrayMap: arrays.map,
  arrayFilter: arrays.filter,
  arrayIncludes: uncurry(Array.prototype.includes),
  mapForEach: uncurry(Map.prototype.forEach),
  setForEach: uncurry(Set.prototype.forEach),
  stringIncludes: uncurry(String.prototype.includes),
  stringStartsWith: uncurry(String.prototype.startsWith),
  stringRepeat: uncurry(String.prototype.repeat),
  stringReplaceAll: uncurry(String.prototype.replaceAll),
  stringSlice: uncurry(String.prototype.slice),
  stringSplit: uncurry(String.prototype.split),
  numberToFixed: uncurry(Number.prototype.toFixed),
  errorToString: uncurry(Error.prototype.toString),
  isError: Error.isError,
  createObject: Object.create,
  defineProperty: Object.defineProperty,
  getOwnPropertyDescriptor,
  objectKeys: Object.keys,
  hasOwn,
  String, Number, Symbol, Map, Set, Array, Object, Error, ArrayBuffer, WeakMap,
  isView: ArrayBuffer.isView,
  ceil: Math.ceil,
  floor: Math.floor,
  random: Math.random,
  max: Math.max,
  min: Math.min,
};
