// SPDX-License-Identifier: MIT
// validators.js - checks of arguments, as far as streams make them. Stands in for readable-stream's
// own.
"use strict";

const k = require("node/kit");
const { argumentType, argumentRange } = require("node/node-error");

const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = k.Number;

function validateOf(type) {
  return (value, name) => {
    if (typeof value !== type) {
      throw argumentType(name, `of type ${type}`, value);
    }
  };
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined && (signal === null || typeof signal !== "object" ||
                               !("aborted" in signal))) {
    throw argumentType(name, "an instance of AbortSignal", signal);
  }
}

function validateObject(value, name) {
  if (value === null || typeof value !== "object" || k.isArray(value)) {
    throw argumentType(name, "of type object", value);
  }
}

function validateInteger(value, name, min = MIN_SAFE_INTEGER, max = MAX_SAFE_INTEGER) {
  if (typeof value !== "number") {
    throw argumentType(name, "of type number", value);
  }
  if (!k.isInteger(value)) {
    throw argumentRange(name, "an integer", value);
  }
  if (value < min || value > max) {
    throw argumentRange(name, `>= ${min} && <= ${max}`, value);
  }
}

module.exports = {
  validateAbortSignal, validateObject, validateInteger,
  validateBoolean: validateOf("boolean"),
  validateFunction: validateOf("function"),
};
