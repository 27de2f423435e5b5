// SPDX-License-Identifier: MIT
// process.js - process, under the name by which parts from npm ask for it.
"use strict";

module.exports = require("node/process").process;
