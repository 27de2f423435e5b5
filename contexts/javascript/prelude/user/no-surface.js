// SPDX-License-Identifier: MIT
// no-surface.js - stands in for the Node surface in a build without its parts from npm.
"use strict";

const { Error } = globalThis;

function refuse() {
  throw new Error(
    "This build of Pandia has no modules: parts from npm were missing when it was made " +
                  "(docs/JAVASCRIPT.md). Run script/get-npm-parts and build again.");
}

module.exports = {
  defineAccessors() {}, isExit: () => false, end: () => -1,
  resolveImport: refuse, loadModule: refuse,
  globals: { require: refuse, __checkImports: refuse },
};
