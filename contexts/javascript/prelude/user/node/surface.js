// SPDX-License-Identifier: MIT
// surface.js - all of Node that cells find: globals, and the hooks by which the engine loads
// modules.
"use strict";

const k = require("node/kit");
const { globals: urls } = require("node/url"); // first: inspect looks for URL when it is loaded
const { structuredClone } = require("node/clone");
const { exports: { Buffer } } = require("node/buffer");
const text = require("node/text");
const events = require("node/event-target");
const { performance } = require("node/performance");
const { process, isExit, end } = require("node/process");
require("node/stdio"); // gives it its streams
require("node/hash-streams");
const { webcrypto } = require("node/crypto");
const { globals: web } = require("node/fetch");
const modules = require("node/modules");
const builtins = require("node/builtins");

// Everything is loaded before user code runs, and shared by all contexts.
builtins.names.forEach(builtins.load);

/** Names that are looked up anew each time: a cell's folder is that of the process. */
const accessors = {
  // See prelude/tools/rewrite.js.
  __importMeta: () => modules.metaOf(`${native.system.cwd()}/cell.js`),
  __checkImports: () => modules.checkImports,
  __dirname: () => native.system.cwd(),
  __filename: () => `${native.system.cwd()}/cell.js`,
};

/** Before user code. */
function defineAccessors(global) {
  for (const name of k.objectKeys(accessors)) {
    k.defineProperty(global, name, {
      configurable: true, enumerable: false, get: accessors[name],
      set(value) {
        k.defineProperty(global, name, { value, writable: true, configurable: true,
                                         enumerable: false });
      },
    });
  }
}

module.exports = {
  defineAccessors,
  isExit,
  end,
  resolveImport: modules.resolveImport,
  loadModule: modules.loadModule,
  globals: {
    ...urls, ...text, ...events.globals, ...web, structuredClone, Buffer, performance, process,
    crypto: webcrypto, require: modules.require, module: modules.cellModule,
    exports: modules.cellModule.exports,
  },
};
