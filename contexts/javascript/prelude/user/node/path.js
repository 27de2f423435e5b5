// SPDX-License-Identifier: MIT
// path.js - the module path; Windows' half of it is not there.
"use strict";

const path = require("path-browserify");

path.toNamespacedPath = (name) => name;
path.posix = path;

module.exports = path;
