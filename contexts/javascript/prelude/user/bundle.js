// SPDX-License-Identifier: MIT
// bundle.js - values in several MIME types: what a result becomes. A bundle is an array of type,
// data, type, data...; data is a text or bytes.
"use strict";

const p = require("primordials");
const { inspect } = require("format");
const { chartLabel, isProxy } = require("chart");
const image = require("image");
const { toJson, demandJson } = require("json");

const { getPrototypeOf, prototype: objectPrototype } = globalThis.Object;
const { DataView, TypeError, Uint8Array } = globalThis;
const [viewBuffer, viewOffset, viewLength] = p.arrayMap(
  ["buffer", "byteOffset", "byteLength"],
  (name) => p.uncurry(p.getOwnPropertyDescriptor(DataView.prototype, name).get));
const DISPLAY = globalThis.Symbol.for("Jupyter.display");
const add = p.arrayPush;
const TYPES = typesOf(native.mimeTypes());

let isRich = false;

/** {label: type} of every type that languages have a name for, as the table in C has them. */
function typesOf(rows) {
  const types = { __proto__: null };
  for (let i = 0; i < rows.length; i += 2) {
    types[rows[i]] = rows[i + 1];
  }
  return types;
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** What a text or a picture can be made of; undefined for other values. */
function bytesOf(value) {
  if (native.isKind(value, ["DataView"])) {
    return new Uint8Array(viewBuffer(value), viewOffset(value), viewLength(value));
  }
  return p.isView(value) || native.isKind(value, ["ArrayBuffer"]) ? value : undefined;
}

/** Text that is to be base64; whether it is, C finds out. */
function base64Of(type, value) {
  if (typeof value !== "string") {
    throw new TypeError(`${type}: bytes or a text of base64 are needed, not ${inspect(value)}`);
  }
  return value;
}

/** The data of one type as it is sent. */
function dataOf(type, value) {
  switch (native.mimeForm(type)) {
    case "json":
      return demandJson(value, type);
    case "text":
      return bytesOf(value) ?? p.String(value);
    case "binary":
      return native.binary(type, bytesOf(value) ?? base64Of(type, value));
    default:
      throw new TypeError(`${inspect(type)} is no MIME type`);
  }
}

function raise(error) {
  throw error;
}

/** A bundle from an object {type: data}. What cannot be of its type is given to `refuse`. */
function bundleFrom(object, refuse = raise) {
  if (!isObject(object) || typeof object === "function") {
    throw new TypeError(`a bundle is an object {type: data}, not ${inspect(object)}`);
  }
  const bundle = [];
  const types = p.objectKeys(object);
  for (let i = 0; i < types.length; i++) {
    const data = object[types[i]];
    if (data !== undefined && data !== null) {
      addForm(bundle, types[i], data, refuse);
    }
  }
  return bundle;
}

function addForm(bundle, type, data, refuse) {
  let form;
  try {
    form = dataOf(type, data);
  } catch (error) {
    refuse(error);
    return;
  }
  add(bundle, type);
  add(bundle, form);
}

/**
 * The method that tells how a value is shown: its own, or that of its class. One of
 * Object.prototype does not count: it would change every value there is.
 */
function methodOf(value) {
  let holder = value;
  while (holder !== null && holder !== objectPrototype && !isProxy(holder)) {
    const descriptor = p.getOwnPropertyDescriptor(holder, DISPLAY);
    if (descriptor !== undefined) {
      return p.hasOwn(descriptor, "value") ? descriptor.value
        : descriptor.get === undefined ? undefined : p.apply(descriptor.get, value, []);
    }
    holder = getPrototypeOf(holder);
  }
  return undefined;
}

/** On stderr, as in Python. */
function tellFailure(error) {
  native.write(2, `Jupyter.display of this value failed: ${inspect(error)}\n`);
}

/** What an object says of itself by Symbol.for("Jupyter.display"); undefined when it does not. */
function ownBundle(value) {
  const method = isObject(value) ? methodOf(value) : undefined;
  const told = typeof method === "function" ? p.apply(method, value, []) : undefined;
  if (native.isKind(told, ["Promise"])) {
    throw new TypeError("it gives a promise, and must give an object {type: data}");
  }
  return told === undefined || told === null ? undefined : bundleFrom(told, tellFailure);
}

function hasType(bundle, type) {
  for (let i = 0; i < bundle.length; i += 2) {
    if (bundle[i] === type) {
      return true;
    }
  }
  return false;
}

function addText(bundle, value) {
  if (!hasType(bundle, TYPES.text)) {
    add(bundle, TYPES.text);
    add(bundle, inspect(value));
  }
  return bundle;
}

/** The spec of a value that is a chart; undefined when it is none. */
function chartBundle(value) {
  const type = TYPES[chartLabel(value)];
  try {
    return type === undefined ? undefined : [type, demandJson(value, type)];
  } catch (error) {
    native.write(2, `There is no chart of this value: ${error.message}\n`);
    return undefined;
  }
}

/** The PNG of a value that is an image; undefined when it is none. One too large is told of. */
function imageBundle(value) {
  const parts = image.recognise(value, isRich);
  try {
    return parts === undefined ? undefined : [TYPES.png, image.encode(parts)];
  } catch (error) {
    native.write(2, `There is no PNG of this value: ${error.message}\n`);
    return undefined;
  }
}

/** The bundle of any value. A failing method of the value is told, and leaves its text. */
function present(value) {
  let bundle;
  try {
    bundle = ownBundle(value) ?? imageBundle(value) ?? chartBundle(value);
  } catch (error) {
    tellFailure(error);
  }
  bundle = addText(bundle ?? [], value);
  const json = isRich && !hasType(bundle, TYPES.json) ? toJson(value) : undefined;
  if (json !== undefined) {
    add(bundle, TYPES.json);
    add(bundle, json);
  }
  return bundle;
}

module.exports = {
  TYPES,
  isObject,
  dataOf,
  bundleFrom,
  addText,
  present,
  enrich() {
    isRich = true;
  },
};
