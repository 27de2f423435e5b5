// SPDX-License-Identifier: MIT
// packages.js - package.json: where it is, and which file `main`, `exports` and `imports` name.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");
const { readFileSync } = require("node/fs-sync");
const { join, dirname } = require("node/paths");
const { fs } = native;

const FILE = 8, FOLDER = 4;
const known = new k.SafeMap(); // package.json by folder, those that exist

/** FILE, FOLDER, or 0 when there is nothing. */
function kindOf(path) {
  const found = fs.stat(path, true);
  return typeof found === "number" ? 0 : found[1] >> 12;
}

function isFile(path) {
  return kindOf(path) === FILE;
}

function isFolder(path) {
  return kindOf(path) === FOLDER;
}

/** The package.json of a folder; undefined when it has none. */
function readPackage(folder) {
  const cached = known.get(folder);
  if (cached !== undefined) {
    return cached;
  }
  const file = join(folder, "package.json");
  if (!isFile(file)) {
    return undefined;
  }
  let content;
  try {
    content = k.parseJson(readFileSync(file, "utf8"));
  } catch (error) {
    throw coded(k.Error, "ERR_INVALID_PACKAGE_CONFIG",
                `Invalid package config ${file}. ${error.message}`);
  }
  const found = { folder, content };
  known.set(folder, found);
  return found;
}

/** The package that a file belongs to. */
function packageOf(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (k.stringEndsWith(folder, "/node_modules")) {
      return undefined;
    }
    const found = readPackage(folder);
    if (found !== undefined || folder === "/") {
      return found;
    }
  }
}

/** The first target whose condition holds; null forbids, undefined: none. */
function pickTarget(target, conditions, star) {
  if (typeof target === "string") {
    return star === undefined ? target : k.stringReplaceAll(target, "*", star);
  }
  if (target === null || typeof target !== "object") {
    return target === null ? null : undefined;
  }
  if (k.isArray(target)) {
    for (let i = 0; i < target.length; i++) {
      const found = pickTarget(target[i], conditions, star);
      if (typeof found === "string") {
        return found;
      }
    }
    return undefined;
  }
  const names = k.objectKeys(target);
  for (let i = 0; i < names.length; i++) {
    const condition = names[i];
    if (condition === "default" || k.arrayIncludes(conditions, condition)) {
      const found = pickTarget(target[condition], conditions, star);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** The pattern of a table ("./lib/*") that fits a name best: [key, what the star stands for]. */
function matchPattern(table, name) {
  let best;
  const keys = k.objectKeys(table);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const at = k.stringIndexOf(key, "*");
    if (at < 0) {
      continue;
    }
    const head = k.stringSlice(key, 0, at);
    const tail = k.stringSlice(key, at + 1);
    const fits = k.stringStartsWith(name, head) && k.stringEndsWith(name, tail) &&
                 name.length >= key.length;
    if (fits && (best === undefined || head.length > best.head.length)) {
      best = { key, head, star: k.stringSlice(name, head.length, name.length - tail.length) };
    }
  }
  return best;
}

function lookUp(table, name, conditions) {
  if (k.hasOwn(table, name) && !k.stringIncludes(name, "*")) {
    return pickTarget(table[name], conditions);
  }
  const match = matchPattern(table, name);
  return match && pickTarget(table[match.key], conditions, match.star);
}

/** `exports` as a table of subpaths. */
function exportsTable(exports) {
  const isTable = typeof exports === "object" && exports !== null && !k.isArray(exports) &&
                  k.arraySome(k.objectKeys(exports), (key) => k.stringStartsWith(key, "."));
  return isTable ? exports : { ".": exports };
}

/** The file that a package exports as `subpath` ("." or "./x"). */
function resolveExports({ folder, content }, subpath, conditions) {
  const target = lookUp(exportsTable(content.exports), subpath, conditions);
  if (typeof target === "string" && k.stringStartsWith(target, "./")) {
    return join(folder, target);
  }
  const what = subpath === "." ? 'No "exports" main defined'
                               : `Package subpath '${subpath}' is not defined by "exports"`;
  throw coded(k.Error, "ERR_PACKAGE_PATH_NOT_EXPORTED",
              `${what} in ${join(folder, "package.json")}`);
}

/** The target of "#name" for a file of a package. */
function resolveImports(name, file, conditions) {
  const scope = packageOf(file);
  const target = scope?.content.imports && lookUp(scope.content.imports, name, conditions);
  if (typeof target !== "string") {
    throw coded(k.TypeError, "ERR_PACKAGE_IMPORT_NOT_DEFINED",
                `Package import specifier "${name}" is not defined imported from ${file}`);
  }
  return k.stringStartsWith(target, "./") ? join(scope.folder, target) : target;
}

module.exports = { isFile, isFolder, readPackage, packageOf, resolveExports, resolveImports };
