// SPDX-License-Identifier: MIT
// paths.js - the few functions of path that modules and files stand on, so that they work whatever
// a cell has done to strings and arrays.
"use strict";

const k = require("node/kit");

/** The parts of a path without "", "." and, where they can be undone, "..". */
function partsOf(path, isAbsolute) {
  const parts = [];
  const all = k.stringSplit(path, "/");
  for (let i = 0; i < all.length; i++) {
    const part = all[i];
    if (part === "" || part === ".") {
      continue;
    }
    if (part !== ".." || (parts.length === 0 ? !isAbsolute : parts[parts.length - 1] === "..")) {
      k.arrayPush(parts, part);
    } else if (parts.length > 0) {
      k.arrayPop(parts);
    }
  }
  return parts;
}

function normalize(path) {
  const isAbsolute = path[0] === "/";
  const text = k.arrayJoin(partsOf(path, isAbsolute), "/");
  return isAbsolute ? `/${text}` : text === "" ? "." : text;
}

/** Without a slash at its end. */
function join(first, second) {
  return normalize(first === "" ? second : `${first}/${second}`);
}

function resolve(first, second) {
  const path = second === undefined ? first : second[0] === "/" ? second : `${first}/${second}`;
  return normalize(path[0] === "/" ? path : `${native.system.cwd()}/${path}`);
}

function dirname(path) {
  const end = k.stringLastIndexOf(path, "/");
  return end < 0 ? "." : end === 0 ? "/" : k.stringSlice(path, 0, end);
}

module.exports = { join, resolve, dirname };
