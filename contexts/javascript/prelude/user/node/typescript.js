// SPDX-License-Identifier: MIT
// typescript.js - files of TypeScript: the tools take the types off, here are the errors.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");

/** An error of syntax as Node shows it: the place, which `text` begins with, and the line come
 *  first. */
function syntaxError({ message, text }) {
  const error = new k.SyntaxError(message);
  const stack = `${error.stack}`;
  const frames = k.stringIndexOf(stack, "\n    at ");
  const place = k.stringSlice(text, 0, k.stringIndexOf(text, "\n"));
  k.defineProperty(error, "stack", {
    value: `${text}\n    at ${place}${frames < 0 ? "" : k.stringSlice(stack, frames)}`,
    writable: true, configurable: true, enumerable: false,
  });
  return error;
}

/** {code, format} of a file's text. `format` is what the file has to be, if that is known. */
function takeTypesOff(text, file, format) {
  if (k.stringEndsWith(file, "x")) {
    throw coded(k.TypeError, "ERR_UNKNOWN_FILE_EXTENSION",
                `JSX is not supported: ${file}. ` +
                "Compile it to JavaScript first, or write a .ts file without JSX.");
  }
  const made = native.typescript(text, file, format ?? "");
  if (made === undefined) {
    throw coded(k.Error, "ERR_NO_TYPESCRIPT",
                `Cannot load ${file}: this build of Pandia has no TypeScript, ` +
                "parts from npm were missing when it was made (docs/JAVASCRIPT.md). " +
                "Run script/get-npm-parts and build again.");
  }
  if (made.code === undefined) {
    throw syntaxError(made);
  }
  return made;
}

module.exports = { takeTypesOff };
