// SPDX-License-Identifier: MIT
// string_decoder.js - the module, under the name by which parts from npm ask for it.
"use strict";

module.exports = require("node/string-decoder");
