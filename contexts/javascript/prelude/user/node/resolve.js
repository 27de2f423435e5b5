// SPDX-License-Identifier: MIT
// resolve.js - where a name leads, for require and for import, by Node's rules.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");
const { isFile, isFolder, readPackage, packageOf, resolveExports, resolveImports } =
  require("node/packages");
const { fileURLToPath } = require("node/file-url");
const { join, dirname, resolve } = require("node/paths");
const builtins = require("node/builtins");

const REQUIRE = ["node", "require", "module-sync"];
const IMPORT = ["node", "import", "module-sync"];
const SUFFIXES = ["", ".js", ".json", ".cjs", ".mjs", ".ts", ".mts", ".cts", ".tsx"];
// TypeScript imports a file by the name that it will have once it is compiled.
const COMPILED = { ".js": ".ts", ".mjs": ".mts", ".cjs": ".cts", ".jsx": ".tsx" };

function real(file) {
  const found = native.names.realpath(file);
  return typeof found === "string" ? found : file;
}

function isRelative(name) {
  return name === "." || name === ".." || k.stringStartsWith(name, "./") ||
         k.stringStartsWith(name, "../");
}

/** "@scope/name/sub" is {packageName: "@scope/name", subpath: "./sub"}. */
function splitName(name) {
  const parts = k.stringSplit(name, "/");
  const count = k.stringStartsWith(name, "@") ? 2 : 1;
  const rest = k.arrayJoin(k.arraySlice(parts, count), "/");
  return { packageName: k.arrayJoin(k.arraySlice(parts, 0, count), "/"),
           subpath: rest === "" ? "." : `./${rest}` };
}

/** The folders named node_modules from `folder` upwards. */
function modulePaths(folder) {
  const paths = [];
  for (let at = folder; ; at = dirname(at)) {
    if (!k.stringEndsWith(at, "/node_modules")) {
      k.arrayPush(paths, join(at, "node_modules"));
    }
    if (at === "/") {
      return paths;
    }
  }
}

function asFile(path) {
  for (let i = 0; i < SUFFIXES.length; i++) {
    if (isFile(path + SUFFIXES[i])) {
      return path + SUFFIXES[i];
    }
  }
  return asSource(path);
}

/** The TypeScript file that `path` would be compiled from; undefined when there is none. */
function asSource(path) {
  const dot = k.stringLastIndexOf(path, ".");
  const suffix = dot < 0 ? undefined : k.stringSlice(path, dot);
  const source = suffix !== undefined && k.hasOwn(COMPILED, suffix)
    ? k.stringSlice(path, 0, dot) + COMPILED[suffix] : undefined;
  return source !== undefined && isFile(source) ? source : undefined;
}

function isTypeScript(file) {
  return k.stringEndsWith(file, ".ts") || k.stringEndsWith(file, ".mts") ||
         k.stringEndsWith(file, ".cts") || k.stringEndsWith(file, ".tsx");
}

/** What an import finds beyond Node's rules: TypeScript leaves endings out, or says .js. */
function asTypeScript(path, base) {
  const fromTypeScript = k.stringStartsWith(base, "/") ? isTypeScript(base) : native.isTypeScript;
  const found = asFile(path) ?? asFile(join(path, "index"));
  return found !== undefined && (fromTypeScript || isTypeScript(found)) ? found : undefined;
}

/** What `require` of a folder runs. */
function asFolder(path) {
  if (!isFolder(path)) {
    return undefined;
  }
  const main = readPackage(path)?.content.main;
  if (typeof main === "string") {
    const named = join(path, main);
    const found = asFile(named) ?? asFile(join(named, "index"));
    if (found !== undefined) {
      return found;
    }
  }
  return asFile(join(path, "index"));
}

function remedy(name, paths) {
  const folders = k.arrayJoin(paths, ", ");
  return `Looked in ${folders}. To install it, run "npm install ${name}" in ${dirname(paths[0])}.`;
}

function notFoundByRequire(name, base, hint) {
  const error = new k.Error(`Cannot find module '${name}'\nRequire stack:\n- ${base}\n${hint}`);
  error.code = "MODULE_NOT_FOUND";
  error.requireStack = [base];
  return error;
}

function notFoundByImport(what, base, hint) {
  return coded(k.Error, "ERR_MODULE_NOT_FOUND",
               `Cannot find ${what} imported from ${base}\n${hint}`);
}

/** The file of a package's name; undefined when no node_modules has it. */
function findPackage(name, folder, base, conditions) {
  const { packageName, subpath } = splitName(name);
  const own = packageOf(join(folder, "x"));
  if (own?.content.name === packageName && own.content.exports !== undefined) {
    return resolveExports(own, subpath, conditions);
  }
  const folders = modulePaths(folder);
  for (let i = 0; i < folders.length; i++) {
    const where = join(folders[i], packageName);
    const found = isFolder(where) ? readPackage(where) : undefined;
    if (found?.content.exports !== undefined && found.content.exports !== null) {
      return resolveExports(found, subpath, conditions);
    }
    const path = join(where, subpath);
    const file = (subpath === "." ? undefined : asFile(path)) ?? asFolder(path) ?? asFile(where);
    if (file !== undefined) {
      return file;
    }
  }
  return undefined;
}

/** The folder that names are relative to: a file's own, or that of the process for a cell. */
function folderOf(base) {
  return k.stringStartsWith(base, "/") ? dirname(base) : native.system.cwd();
}

function resolvePlain(name, base, conditions) {
  const folder = folderOf(base);
  if (k.stringStartsWith(name, "#")) {
    const target = resolveImports(name, join(folder, "x"), conditions);
    return k.stringStartsWith(target, "/") ? target : resolvePlain(target, base, conditions);
  }
  const builtin = builtins.find(name);
  return builtin === undefined ? findPackage(name, folder, base, conditions) : `node:${builtin}`;
}

/** Full name for require: "node:x" or a path. */
function resolveRequire(name, base) {
  if (isRelative(name) || k.stringStartsWith(name, "/")) {
    const path = resolve(folderOf(base), name);
    const isFolderName = k.regExpTest(/(^|\/)\.{0,2}$/, name);
    const file = (isFolderName ? undefined : asFile(path)) ?? asFolder(path);
    if (file === undefined) {
      throw notFoundByRequire(name, base,
                              `Nothing is at ${path}, with or without .js, .json or .ts.`);
    }
    return real(file);
  }
  const found = resolvePlain(name, base, REQUIRE);
  if (found === undefined) {
    builtins.refuseUnknown(name);
    throw notFoundByRequire(name, base,
                            remedy(splitName(name).packageName, modulePaths(folderOf(base))));
  }
  return k.stringStartsWith(found, "node:") ? found : real(found);
}

/** A path that import names: it must be exactly there. */
function checkImported(path, base) {
  if (isFile(path)) {
    return real(path);
  }
  const typed = asTypeScript(path, base);
  if (typed !== undefined) {
    return real(typed);
  }
  if (isFolder(path)) {
    throw coded(k.Error, "ERR_UNSUPPORTED_DIR_IMPORT",
                `Directory import '${path}' is not supported ` +
                `resolving ES modules imported from ${base}`);
  }
  const near = asFile(path);
  throw notFoundByImport(`module '${path}'`, base,
                         near === undefined ? "Nothing is there."
                           : `Did you mean to import ${near}?`);
}

/** Full name for import: "node:x" or a path. */
function resolveImport(base, name) {
  if (k.stringStartsWith(name, "file:")) {
    return checkImported(fileURLToPath(name), base);
  }
  if (isRelative(name) || k.stringStartsWith(name, "/")) {
    return checkImported(resolve(folderOf(base), name), base);
  }
  if (k.regExpTest(/^(https?|data):/, name)) {
    throw coded(k.Error, "ERR_UNSUPPORTED_ESM_URL_SCHEME",
                "Only URLs with a scheme in: file and node are supported. Received protocol " +
                `'${k.stringSplit(name, ":")[0]}:'`);
  }
  const found = resolvePlain(name, base, IMPORT);
  if (found === undefined) {
    builtins.refuseUnknown(name);
    throw notFoundByImport(`package '${splitName(name).packageName}'`, base,
                           remedy(splitName(name).packageName, modulePaths(folderOf(base))));
  }
  return k.stringStartsWith(found, "node:") ? found : checkImported(found, base);
}

module.exports = { resolveRequire, resolveImport, modulePaths, isTypeScript };
