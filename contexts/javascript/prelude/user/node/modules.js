// SPDX-License-Identifier: MIT
// modules.js - require, and what import loads: files, packages, JSON and our own modules.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");
const { readFileSync } = require("node/fs-sync");
const { dirname, resolve } = require("node/paths");
const { packageOf } = require("node/packages");
const { resolveRequire, resolveImport, modulePaths, isTypeScript } = require("node/resolve");
const { takeTypesOff } = require("node/typescript");
const { fileURLToPath, pathToHref } = require("node/file-url");
const builtins = require("node/builtins");

const { queueMicrotask } = globalThis;
const CELL = "the cell"; // who asks, when no file does
const cache = k.createObject(null); // require.cache
const namespaces = new k.SafeMap(); // of ES modules that were required, by path
// ES modules that were loaded in this very turn: they may not have run yet, and the engine must not
// be asked to run one that is running.
let fresh = [];
let bridges = 0; // made so far, see requireNamespace
let handed; // what requireNamespace() has read: the engine asks for it at once

class Module {
  constructor(id, filename) {
    this.id = id;
    this.path = dirname(filename);
    this.exports = {};
    this.filename = filename;
    this.loaded = false;
    this.children = [];
    this.paths = modulePaths(this.path);
  }

  require(name) {
    return requireFrom(name, this.filename, this);
  }
}

function sourceOf(file) {
  const text = readFileSync(file, "utf8");
  const start = text[0] === "\uFEFF" ? 1 : 0;
  // The same length, so that lines and columns stay.
  return text[start] === "#" && text[start + 1] === "!" ? `//${k.stringSlice(text, start + 2)}`
                                                        : k.stringSlice(text, start);
}

function parseJsonFile(file) {
  try {
    return k.parseJson(sourceOf(file));
  } catch (error) {
    throw new k.SyntaxError(`${file}: ${error.message}`);
  }
}

const MODULE_SYNTAX =
  /^\s*(?:import|export)\b|\bimport\.meta\b|^\s*(?:(?:const|let|var)\b[^=\n]*=\s*)?await\b/m;

/** Text of an ES module in a file that does not say what it is. */
function looksLikeModule(source, file) {
  if (!k.regExpTest(MODULE_SYNTAX, source)) {
    return false;
  }
  try {
    native.compile(source, file);
    return false;
  } catch {
    return true;
  }
}

/** What the ending of a file, or its package, says that it is; undefined when nothing does. */
function declaredFormat(file) {
  const isTyped = isTypeScript(file);
  if (k.stringEndsWith(file, isTyped ? ".mts" : ".mjs")) {
    return "module";
  }
  if (k.stringEndsWith(file, isTyped ? ".cts" : ".cjs") ||
      (!isTyped && !k.stringEndsWith(file, ".js"))) {
    return "commonjs";
  }
  const type = packageOf(file)?.content.type;
  return type === "module" || type === "commonjs" ? type : undefined;
}

/** {format, source} of a file: "json" (no source), "module" or "commonjs". */
function readModule(file) {
  if (k.stringEndsWith(file, ".json")) {
    return { format: "json" };
  }
  const declared = declaredFormat(file);
  const text = sourceOf(file);
  const { code, format } = isTypeScript(file) ? takeTypesOff(text, file, declared)
                                              : { code: text, format: declared };
  return { source: code,
           format: format ?? (looksLikeModule(code, file) ? "module" : "commonjs") };
}

// require.

function makeRequire(base, parent) {
  const require = (name) => requireFrom(name, base(), parent);
  require.resolve = (name, options) => {
    checkName(name);
    const from = options?.paths?.[0] === undefined ? base() : `${resolve(options.paths[0])}/x`;
    const found = resolveRequire(name, from);
    return k.stringStartsWith(found, "node:") && !k.stringStartsWith(name, "node:")
      ? k.stringSlice(found, 5) : found;
  };
  require.resolve.paths = (name) =>
    (builtins.find(name) === undefined ? modulePaths(dirname(base())) : null);
  require.cache = cache;
  require.main = undefined;
  require.extensions = k.createObject(null);
  return require;
}

function checkName(name) {
  if (typeof name !== "string") {
    throw argumentType("id", "of type string", name);
  }
  if (name === "") {
    throw coded(k.TypeError, "ERR_INVALID_ARG_VALUE",
                "The argument 'id' must be a non-empty string. Received ''");
  }
}

function requireFrom(name, base, parent) {
  checkName(name);
  const full = resolveRequire(name, base);
  return k.stringStartsWith(full, "node:") ? builtins.load(k.stringSlice(full, 5))
                                           : requireFile(full, parent);
}

/** `known` is what readModule() gave, if it was asked already. */
function requireFile(file, parent, known) {
  const cached = cache[file];
  if (cached !== undefined) {
    return cached.exports;
  }
  if (namespaces.has(file)) {
    return namespaces.get(file);
  }
  const read = known ?? readModule(file);
  if (read.format === "module") {
    return requireNamespace(file, read);
  }
  const module = new Module(file, file);
  cache[file] = module;
  if (parent !== undefined) {
    k.arrayPush(parent.children, module);
  }
  try {
    if (read.format === "json") {
      module.exports = parseJsonFile(file);
    } else {
      runCommonJs(module, read.source);
    }
    module.loaded = true;
  } finally {
    if (!module.loaded) {
      delete cache[file];
    }
  }
  return module.exports;
}

function runCommonJs(module, source) {
  const { filename } = module;
  const require = makeRequire(() => filename, module);
  k.apply(native.compile(source, filename), module.exports,
          [module.exports, require, module, filename, module.path]);
}

/** The namespace of an ES module, run at once. */
function requireNamespace(file, read) {
  if (k.arrayIncludes(fresh, file)) {
    throw coded(k.Error, "ERR_REQUIRE_CYCLE_MODULE",
                `Cannot require() ES Module ${file} in a cycle: it is being loaded.`);
  }
  const before = fresh;
  let namespace;
  const take = (value) => {
    namespace = value;
  };
  // The engine finds import.meta by the name of the module: each needs one of its own.
  const name = `pandia:require/${bridges++}`;
  handed = { file, read };
  try {
    native.requireModule(`import * as it from ${quote(file)};import.meta.take(it)`, { take }, name);
  } finally {
    handed = undefined;
  }
  if (namespace === undefined) {
    throw coded(k.Error, "ERR_REQUIRE_ASYNC_MODULE",
                `require() cannot be used on an ESM graph with top-level await: ${file}. ` +
                "Use import() instead.");
  }
  fresh = before; // everything below it has run
  namespaces.set(file, namespace);
  return namespace;
}

const quote = JSON.stringify;

// import.

function noteFresh(file) {
  if (fresh.length === 0) {
    queueMicrotask(() => {
      fresh = [];
    });
  }
  fresh = k.arraySlice(fresh); // requireNamespace() keeps the one before
  k.arrayPush(fresh, file);
}

/** A module made of values. */
function synthetic(defaultValue, named) {
  const names = ["default"];
  const values = [defaultValue];
  for (let i = 0; i < named.length; i++) {
    const name = named[i];
    if (name !== "default") {
      k.arrayPush(names, name);
      k.arrayPush(values, defaultValue[name]);
    }
  }
  return { names, values };
}

function namesOf(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function"
    ? k.objectKeys(value) : [];
}

function loadJson(file, type) {
  if (type !== "json") {
    throw coded(k.TypeError, "ERR_IMPORT_ASSERTION_TYPE_MISSING",
                `Module "${pathToHref(file)}" needs an import attribute of type "json"`);
  }
  return synthetic(parseJsonFile(file), []);
}

/** What is at the place that resolveImport() named. */
function loadModule(name, type) {
  if (k.stringStartsWith(name, "node:")) {
    const exports = builtins.load(k.stringSlice(name, 5));
    return synthetic(exports, namesOf(exports));
  }
  const read = handed?.file === name ? handed.read : readModule(name);
  const { format, source } = read;
  if (format === "json") {
    return loadJson(name, type);
  }
  if (type !== undefined) {
    throw coded(k.TypeError, "ERR_IMPORT_ASSERTION_TYPE_FAILED",
                `Module "${pathToHref(name)}" is not of type "${type}"`);
  }
  if (format === "commonjs") {
    const exports = requireFile(name, undefined, read);
    return synthetic(exports, namesOf(exports));
  }
  noteFresh(name);
  return { source, ...metaOf(name) };
}

/** import.meta of a file. */
function metaOf(file) {
  const url = pathToHref(file);
  return {
    dirname: dirname(file), filename: file, url,
    resolve: (name) => {
      const full = resolveImport(file, `${name}`);
      return k.stringStartsWith(full, "node:") ? full : pathToHref(full);
    },
  };
}

/** Throws, as a static import does, for names that a module does not export; gives the module. */
function checkImports(namespace, from, names) {
  k.arrayForEach(names, (name) => {
    if (!k.hasOwn(namespace, name)) {
      throw new k.SyntaxError(
        `The requested module '${from}' does not provide an export named '${name}'`);
    }
  });
  return namespace;
}

/** module.createRequire */
function createRequire(from) {
  const file = typeof from === "string" && !k.stringStartsWith(from, "file:") ? from
    : fileURLToPath(from);
  return makeRequire(() => file);
}

const cellModule = new Module("<cell>", "/");
delete cellModule.path;
cellModule.filename = null;

const requireInCell = makeRequire(() => CELL);
k.defineProperty(requireInCell, "name", { value: "require", configurable: true });

Module.createRequire = createRequire;
Module.builtinModules = builtins.names;
Module.isBuiltin = (name) => builtins.find(`${name}`) !== undefined;
Module._cache = cache;
Module.Module = Module;

module.exports = {
  resolveImport, loadModule, metaOf, checkImports, Module, require: requireInCell, cellModule,
};
