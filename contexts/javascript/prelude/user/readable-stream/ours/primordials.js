// SPDX-License-Identifier: MIT
// primordials.js - what readable-stream uses of the language, kept from before user code ran.
// Stands in for the package's own file of this name, which looks methods up when they are called.
"use strict";

const k = require("node/kit");

const { Boolean, Function, Number, Object, Promise, RegExp, Set, String, Symbol,
        Uint8Array } = globalThis;

module.exports = {
  ArrayIsArray: k.isArray,
  ArrayPrototypeIncludes: k.arrayIncludes,
  ArrayPrototypeIndexOf: k.uncurry(k.Array.prototype.indexOf),
  ArrayPrototypeJoin: k.arrayJoin,
  ArrayPrototypeMap: k.arrayMap,
  ArrayPrototypePop: k.arrayPop,
  ArrayPrototypePush: k.uncurry(k.Array.prototype.push),
  ArrayPrototypeSlice: k.uncurry(k.Array.prototype.slice),
  Boolean,
  Error: k.Error,
  FunctionPrototypeCall: k.uncurry(Function.prototype.call),
  FunctionPrototypeSymbolHasInstance: k.uncurry(Function.prototype[Symbol.hasInstance]),
  MathFloor: k.floor,
  Number,
  NumberIsInteger: k.isInteger,
  NumberIsNaN: Number.isNaN,
  NumberMAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
  NumberMIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
  NumberParseInt: Number.parseInt,
  ObjectDefineProperties: Object.defineProperties,
  ObjectDefineProperty: k.defineProperty,
  ObjectGetOwnPropertyDescriptor: k.getOwnPropertyDescriptor,
  ObjectKeys: k.objectKeys,
  ObjectSetPrototypeOf: k.setPrototypeOf,
  Promise,
  PromisePrototypeThen: k.uncurry(Promise.prototype.then),
  PromiseReject: (error) => Promise.reject(error),
  PromiseResolve: (value) => Promise.resolve(value),
  ReflectApply: k.apply,
  RegExpPrototypeExec: k.uncurry(RegExp.prototype.exec),
  SafeSet: Set,
  String,
  StringPrototypeSlice: k.stringSlice,
  StringPrototypeToLowerCase: k.stringToLowerCase,
  StringPrototypeToUpperCase: k.uncurry(String.prototype.toUpperCase),
  StringPrototypeTrim: k.stringTrim,
  Symbol,
  SymbolFor: Symbol.for,
  SymbolAsyncIterator: Symbol.asyncIterator,
  SymbolHasInstance: Symbol.hasInstance,
  SymbolIterator: Symbol.iterator,
  SymbolDispose: Symbol.dispose,
  SymbolAsyncDispose: Symbol.asyncDispose,
  TypedArrayPrototypeSet: k.bytesSet,
  Uint8Array,
};
