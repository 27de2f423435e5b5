// SPDX-License-Identifier: MIT
// types.js - util.types: what the engine made a value, whatever its prototype says.
"use strict";

const k = require("node/kit");

const kindOf = (...names) => (value) => native.isKind(value, names);
const isView = k.isView;

const VIEWS = ["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array",
               "Int32Array",
               "Uint32Array", "BigInt64Array", "BigUint64Array", "Float32Array", "Float64Array"];

const types = {
  isMap: kindOf("Map"), isSet: kindOf("Set"), isWeakMap: kindOf("WeakMap"),
  isWeakSet: kindOf("WeakSet"),
  isDate: kindOf("Date"), isRegExp: kindOf("RegExp"), isPromise: kindOf("Promise"),
  isNativeError: (value) => k.isError(value),
  isProxy: (value) => native.proxyDetails(value) !== undefined,
  isArrayBuffer: kindOf("ArrayBuffer"), isSharedArrayBuffer: kindOf("SharedArrayBuffer"),
  isAnyArrayBuffer: kindOf("ArrayBuffer", "SharedArrayBuffer"), isDataView: kindOf("DataView"),
  isArrayBufferView: (value) => isView(value),
  isTypedArray: (value) => isView(value) && !native.isKind(value, ["DataView"]),
  isGeneratorObject: kindOf("Generator"), isMapIterator: kindOf("Map Iterator"),
  isSetIterator: kindOf("Set Iterator"),
  isGeneratorFunction: kindOf("GeneratorFunction", "AsyncGeneratorFunction"),
  isAsyncFunction: kindOf("AsyncFunction", "AsyncGeneratorFunction"),
  isBoxedPrimitive: kindOf("Number", "String", "Boolean", "Symbol", "BigInt"),
  isNumberObject: kindOf("Number"), isStringObject: kindOf("String"),
  isBooleanObject: kindOf("Boolean"),
  isSymbolObject: kindOf("Symbol"), isBigIntObject: kindOf("BigInt"),
  isArgumentsObject: kindOf("Arguments", "MappedArguments"),
  isModuleNamespaceObject: kindOf("Module Namespace", "Module"),
  isExternal: () => false,
};
for (const name of VIEWS) {
  types[`is${name}`] = kindOf(name);
}

module.exports = types;
