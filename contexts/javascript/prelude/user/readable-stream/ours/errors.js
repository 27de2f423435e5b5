// SPDX-License-Identifier: MIT
// errors.js - the errors of streams, as Node builds them. Stands in for readable-stream's own.
"use strict";

const k = require("node/kit");
const { coded, argumentType, argumentRange } = require("node/node-error");
const { inspect } = require("format");

const TYPES = ["string", "function", "number", "object", "boolean", "bigint", "symbol"];

function either(words) {
  const last = words[words.length - 1];
  const comma = words.length > 2 ? "," : "";
  const others = k.arrayJoin(k.arraySlice(words, 0, words.length - 1), ", ");
  return words.length === 1 ? last : `${others}${comma} or ${last}`;
}

/** "of type string or an instance of Buffer", of names as Node's own code gives them. */
function expectation(expected) {
  const all = k.isArray(expected) ? expected : [expected];
  const isType = (name) => k.arrayIncludes(TYPES, k.stringToLowerCase(name));
  const isClass = (name) => !isType(name) && k.regExpTest(/^([A-Z][a-z0-9]*)+$/, name);
  const parts = [];
  const types = k.arrayMap(k.arrayFilter(all, isType), k.stringToLowerCase);
  const classes = k.arrayFilter(all, isClass);
  const others = k.arrayFilter(all, (name) => !isType(name) && !isClass(name));
  if (types.length > 0) {
    k.arrayPush(parts, `${types.length > 1 ? "one of type" : "of type"} ${either(types)}`);
  }
  if (classes.length > 0) {
    k.arrayPush(parts, `an instance of ${either(classes)}`);
  }
  if (others.length > 0) {
    k.arrayPush(parts, others.length > 1 ? `one of ${either(others)}` : others[0]);
  }
  return k.arrayJoin(parts, " or ");
}

function returned(value) {
  const name = value?.constructor?.name;
  return name ? `instance of ${name}` : `type ${typeof value}`;
}

// Code, kind and text.
const TABLE = [
  ["ERR_ILLEGAL_CONSTRUCTOR", k.TypeError, () => "Illegal constructor"],
  ["ERR_INVALID_ARG_VALUE", k.TypeError, (name, value, reason = "is invalid") =>
    `The ${k.stringIncludes(name, ".") ? "property" : "argument"} '${name}' ${reason}. ` +
    `Received ${inspect(value)}`],
  ["ERR_INVALID_RETURN_VALUE", k.TypeError, (input, name, value) =>
    `Expected ${input} to be returned from the "${name}" function but got ${returned(value)}.`],
  ["ERR_METHOD_NOT_IMPLEMENTED", k.Error, (name) => `The ${name} method is not implemented`],
  ["ERR_MISSING_ARGS", k.TypeError, (name) => `The "${name}" argument must be specified`],
  ["ERR_MULTIPLE_CALLBACK", k.Error, () => "Callback called multiple times"],
  ["ERR_STREAM_ALREADY_FINISHED", k.Error,
   (name) => `Cannot call ${name} after a stream was finished`],
  ["ERR_STREAM_CANNOT_PIPE", k.Error, () => "Cannot pipe, not readable"],
  ["ERR_STREAM_DESTROYED", k.Error, (name) => `Cannot call ${name} after a stream was destroyed`],
  ["ERR_STREAM_NULL_VALUES", k.TypeError, () => "May not write null values to stream"],
  ["ERR_STREAM_PREMATURE_CLOSE", k.Error, () => "Premature close"],
  ["ERR_STREAM_PUSH_AFTER_EOF", k.Error, () => "stream.push() after EOF"],
  ["ERR_STREAM_UNSHIFT_AFTER_END_EVENT", k.Error, () => "stream.unshift() after end event"],
  ["ERR_STREAM_WRITE_AFTER_END", k.Error, () => "write after end"],
  ["ERR_UNKNOWN_ENCODING", k.TypeError, (name) => `Unknown encoding: ${name}`],
];

// They are called with and without `new`.
const codes = {
  ERR_INVALID_ARG_TYPE: function (name, expected, value) {
    return argumentType(name, expectation(expected), value);
  },
  ERR_OUT_OF_RANGE: function (name, range, value) {
    return argumentRange(name, range, value);
  },
};
k.arrayForEach(TABLE, ({ 0: code, 1: Base, 2: text }) => {
  codes[code] = function (...args) {
    return coded(Base, code, k.apply(text, undefined, args));
  };
});

class AbortError extends k.Error {
  constructor(message = "The operation was aborted", options = undefined) {
    super(message, options);
    this.code = "ABORT_ERR";
    this.name = "AbortError";
  }
}

/** Both, when cleaning up after one failure met another. */
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) {
    return inner || outer;
  }
  if (k.isArray(outer.errors)) {
    k.arrayPush(outer.errors, inner);
    return outer;
  }
  const error = new globalThis.AggregateError([outer, inner], outer.message);
  error.code = outer.code;
  return error;
}

module.exports = { AbortError, aggregateTwoErrors, codes };
