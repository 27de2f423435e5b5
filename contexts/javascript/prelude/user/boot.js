// SPDX-License-Identifier: MIT
// boot.js - the first module of the user realm: fills the global object, and gives the engine the
// functions it calls (JS_HOOK_MAP in js.h).
"use strict";

const p = require("primordials");
const surface = loadSurface(); // first: what is loaded later finds its URL
const errors = require("errors");
const { inspect } = require("format");
const { console } = require("console");
const timers = require("timers");
const reflect = require("reflect");
const { present, enrich } = require("bundle");
const { display } = require("display");
const { ImageData } = require("image");
const ask = require("ask");
const { deny } = require("codegen");
const intl = require("intl/install");

const global = (0, eval)("this"); // globalThis here is our copy of it

/** The Node surface, or its stand-in when this build lacks what it is made of. Before user code. */
function loadSurface() {
  try {
    return require("node/surface");
  } catch (error) {
    if (!(error instanceof ReferenceError) ||
        !p.stringIncludes(error.message, "not part of this build")) {
      throw error;
    }
    return require("no-surface");
  }
}

/** Adds globals as the language itself has them: not enumerable, replaceable. Before user code. */
function define(values) {
  for (const name of p.objectKeys(values)) {
    p.defineProperty(global, name, {
      value: values[name], writable: true, configurable: true, enumerable: false,
    });
  }
}

// QuickJS makes template literals by calling this method: replaced, it would change the syntax.
p.defineProperty(String.prototype, "concat", { writable: false, configurable: false });

errors.install();
intl.install();
define({ ...intl.globals, console, global, display, ImageData, ...timers.globals, ...ask.globals,
         ...surface.globals });
surface.defineAccessors(global);

module.exports = {
  show: (value) => inspect(value),
  describe: (error) => errors.describe(error, inspect),
  uncaught: (error, intro) => (surface.isExit(error) ? "" : intro + errors.show(error, inspect)),
  end: surface.end,
  fire: timers.fire,
  resolveImport: surface.resolveImport,
  loadModule: surface.loadModule,
  present,
  members: reflect.members,
  look: reflect.look,
  enrich,
  deny,
};
