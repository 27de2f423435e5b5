// SPDX-License-Identifier: MIT
// errors.js - stacks in Node's form, with places in the user's text and without frames of ours.
"use strict";

const p = require("primordials");

const { Error, Object: { getPrototypeOf } } = globalThis;

// Before user code: the prototype of call sites is met only inside a hook.
const callSite = (() => {
  let prototype;
  Error.prepareStackTrace = (_error, sites) => {
    prototype = getPrototypeOf(sites[0]);
  };
  void new Error("any").stack;
  Error.prepareStackTrace = undefined;
  const methods = {};
  for (const name of ["isNative", "getFileName", "getFunctionName", "getLineNumber",
                      "getColumnNumber"]) {
    methods[name] = p.uncurry(prototype[name]);
  }
  return methods;
})();

const { set: setHook } = p.getOwnPropertyDescriptor(Error, "prepareStackTrace");
const OURS = "pandia:";
const TEXT_MAX = 100_000; // characters of a message
const NAME_MAX = 1000;
const STACK_MAX = 10_000; // of what stands behind it

let usersHook; // Error.prepareStackTrace as user code sees it

/** Frames of ours, and of functions that the engine made up: static blocks have one, on line 0. */
function isHidden(site) {
  const file = callSite.getFileName(site);
  return (typeof file === "string" && p.stringStartsWith(file, OURS)) ||
    (!callSite.isNative(site) && callSite.getLineNumber(site) === 0);
}

function place(site) {
  if (callSite.isNative(site)) {
    return "<anonymous>";
  }
  const file = callSite.getFileName(site);
  const spot = native.locate(p.String(file), callSite.getLineNumber(site) ?? 0,
                             callSite.getColumnNumber(site) ?? 0);
  return `${file}:${spot[0]}:${spot[1]}`;
}

function frame(site) {
  const name = callSite.getFunctionName(site);
  const where = place(site);
  return name && name !== "<eval>" && name !== "<anonymous>" ? `${name} (${where})` : where;
}

/** "Name: message" of an error, whatever its getters do. */
function header(error) {
  try {
    return p.errorToString(error);
  } catch {
    return "Error";
  }
}

function formatStack(error, sites) {
  let text = header(error);
  for (let i = 0; i < sites.length; i++) {
    text += `\n    at ${frame(sites[i])}`;
  }
  return text;
}

/** The one hook of the engine: hides our frames, then asks the user's hook or ours. */
function hook(error, sites) {
  const visible = p.arrayFilter(sites, (site) => !isHidden(site));
  if (typeof usersHook === "function") {
    return p.apply(usersHook, Error, [error, visible]);
  }
  return formatStack(error, visible);
}

function install() {
  p.apply(setHook, Error, [hook]);
  p.defineProperty(Error, "prepareStackTrace", {
    configurable: true,
    enumerable: false,
    get() {
      return usersHook;
    },
    set(value) {
      usersHook = value;
    },
  });
}

function textOf(value, otherwise) {
  return typeof value === "string" ? value : value === undefined ? otherwise : p.String(value);
}

/** A property that may be a getter that throws. */
function read(object, name, otherwise) {
  try {
    return textOf(object[name], otherwise);
  } catch {
    return otherwise;
  }
}

/** Beginning and end of a text, and how much is missing between them. */
function cut(text, start, end) {
  const missing = text.length - start - end;
  return missing <= 0 ? text : `${p.stringSlice(text, 0, start)}... (${missing} more characters)`
    + p.stringSlice(text, text.length - end, text.length);
}

/** What an error looks like: a long message does not cost it its stack. */
function show(error, inspect) {
  return cut(inspect(error), TEXT_MAX, p.isError(error) ? STACK_MAX : 0);
}

/** What a cell's error says: {name, message, text}. */
function describe(error, inspect) {
  const text = show(error, inspect);
  if (!p.isError(error)) {
    return { name: "Uncaught", message: text, text: `Uncaught ${text}` };
  }
  const name = cut(read(error, "name", "Error"), NAME_MAX, 0);
  return { name, message: cut(read(error, "message", ""), TEXT_MAX, 0), text };
}

module.exports = { install, describe, show };
