// SPDX-License-Identifier: MIT
// util.js - the module util.
"use strict";

const k = require("node/kit");
const { argumentType, checkFunction, systemError } = require("node/node-error");
const { isDeepStrictEqual } = require("node/comparisons");
const { inspect, format, formatWithOptions } = require("format");
const { TextEncoder, TextDecoder } = require("node/text");
const types = require("node/types");
const { globals: { AbortController } } = require("node/event-target");

const CUSTOM = Symbol.for("nodejs.util.promisify.custom");

function promisify(original) {
  checkFunction(original, "original");
  if (original[CUSTOM] !== undefined) {
    checkFunction(original[CUSTOM], "util.promisify.custom");
    return original[CUSTOM];
  }
  function promised(...args) {
    return new k.Promise((resolve, reject) => {
      k.apply(original, this,
              [...args, (error, value) => (error ? reject(error) : resolve(value))]);
    });
  }
  k.setPrototypeOf(promised, k.getPrototypeOf(original));
  k.defineProperty(promised, CUSTOM, { value: promised, configurable: true });
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = CUSTOM;

function callbackify(original) {
  checkFunction(original, "original");
  return function callbackified(...args) {
    const callback = args.pop();
    checkFunction(callback, "last argument");
    const { process } = require("node/process");
    k.apply(original, this, args).then(
      (value) => process.nextTick(callback, null, value),
      (reason) => process.nextTick(callback, reason ?? Object.assign(
        new Error("Promise was rejected with a falsy value"),
        { reason, code: "ERR_FALSY_VALUE_REJECTION" })));
  };
}

function inherits(constructor, parent) {
  checkFunction(constructor, "ctor");
  checkFunction(parent, "superCtor");
  k.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  k.setPrototypeOf(constructor.prototype, parent.prototype);
}

function deprecate(original, message, code) {
  let told = false;
  return function deprecated(...args) {
    if (!told) {
      told = true;
      require("node/process").process.emitWarning(message, "DeprecationWarning", code);
    }
    return new.target ? Reflect.construct(original, args, new.target)
      : k.apply(original, this, args);
  };
}

const STYLES = inspect.colors ?? {};

/** Marks only where asked to in any case: the standard streams of a context are no terminals. */
function styleText(style, text, { validateStream = true } = {}) {
  const list = [].concat(style);
  const marks = list.map((name) => {
    if (STYLES[name] === undefined) {
      throw argumentType("format", `one of: ${Object.keys(STYLES).join(", ")}`, name);
    }
    return STYLES[name];
  });
  const mark = (inner, [on, off]) => `\x1b[${on}m${inner}\x1b[${off}m`;
  return validateStream ? text : marks.reduceRight(mark, text);
}

const ESCAPES = /\x1b\[[0-9;?]*[ -\/]*[@-~]|\x1b\][^\x07]*\x07/g;

function debuglog() {
  return Object.assign(() => {}, { enabled: false });
}

/** The value of the arguments that a program was given. */
function parseArgs({ args = [], options = {}, allowPositionals = false, strict = true } = {}) {
  const values = Object.create(null);
  const positionals = [];
  const shorts = Object.entries(options).filter(([, o]) => o.short);
  const short = Object.fromEntries(shorts.map(([n, o]) => [o.short, n]));
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    const [, dashes, name, given] = /^(--?)([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined || arg === "--") {
      positionals.push(arg);
      continue;
    }
    const full = dashes === "-" ? short[name] ?? name : name;
    const option = options[full];
    if (option === undefined && strict) {
      throw Object.assign(new TypeError(`Unknown option '${arg}'`),
                          { code: "ERR_PARSE_ARGS_UNKNOWN_OPTION" });
    }
    const value = option?.type === "string" ? given ?? args[++i] : given ?? true;
    values[full] = option?.multiple ? [...(values[full] ?? []), value] : value;
  }
  if (positionals.length > 0 && strict && !allowPositionals) {
    throw Object.assign(new TypeError(`Unexpected argument '${positionals[0]}'`),
                        { code: "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL" });
  }
  for (const [name, option] of Object.entries(options)) {
    if (!(name in values) && option.default !== undefined) {
      values[name] = option.default;
    }
  }
  return { values, positionals };
}

module.exports = {
  inspect, format, formatWithOptions, promisify, callbackify, inherits, deprecate, types,
  isDeepStrictEqual, TextEncoder, TextDecoder, styleText, debuglog, debug: debuglog, parseArgs,
  stripVTControlCharacters: (text) => text.replace(ESCAPES, ""),
  toUSVString: (text) => `${text}`.toWellFormed(),
  getSystemErrorName: (number) => systemError(-number)[0],
  aborted: (signal) => new k.Promise((resolve) =>
    signal.addEventListener("abort", resolve, { once: true })),
  transferableAbortController: () => new AbortController(),
  isArray: k.isArray,
  isBoolean: (v) => typeof v === "boolean", isNull: (v) => v === null,
  isNullOrUndefined: (v) => v === null || v === undefined, isNumber: (v) => typeof v === "number",
  isString: (v) => typeof v === "string", isSymbol: (v) => typeof v === "symbol",
  isUndefined: (v) => v === undefined, isObject: (v) => v !== null && typeof v === "object",
  isFunction: (v) => typeof v === "function", isRegExp: types.isRegExp, isDate: types.isDate,
  isError: (v) => k.isError(v),
  isPrimitive: (v) => v === null || (typeof v !== "object" && typeof v !== "function"),
};
