// SPDX-License-Identifier: MIT
// file-url.js - file: URLs and paths.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");
const { decodeURIComponent, encodeURI } = globalThis;
const { resolve } = require("node/paths");

/** The path of a file: URL, given as a string or as an object with an href. */
function fileURLToPath(value) {
  const href = typeof value === "string" ? value : value?.href;
  if (typeof href !== "string") {
    throw argumentType("path", "of type string or an instance of URL", value);
  }
  if (!k.stringStartsWith(href, "file:")) {
    throw coded(k.TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  }
  const rest = k.stringSlice(href, k.stringStartsWith(href, "file://") ? 7 : 5);
  if (k.stringSlice(rest, 0, 1) !== "/") {
    throw coded(k.TypeError, "ERR_INVALID_FILE_URL_HOST",
                'File URL host must be "localhost" or empty on linux');
  }
  const path = k.stringSplit(k.stringSplit(rest, "?")[0], "#")[0];
  if (k.stringIncludes(k.stringToLowerCase(path), "%2f")) {
    throw coded(k.TypeError, "ERR_INVALID_FILE_URL_PATH",
                "File URL path must not include encoded / characters");
  }
  return decodeURIComponent(path);
}

// Allowed in a URL, but with another meaning than in a path.
const ESCAPES = { "?": "%3F", "#": "%23", "\\": "%5C", "[": "%5B", "]": "%5D" };

/** The text of the file: URL of a path. */
function pathToHref(path) {
  let full = resolve(path);
  if (k.stringEndsWith(path, "/") && full !== "/") {
    full += "/";
  }
  let href = encodeURI(full);
  k.arrayForEach(k.objectKeys(ESCAPES), (from) => {
    href = k.stringReplaceAll(href, from, ESCAPES[from]);
  });
  return `file://${href}`;
}

module.exports = { fileURLToPath, pathToHref };
