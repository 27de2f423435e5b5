// SPDX-License-Identifier: MIT
// clone.js - structuredClone of core-js.
"use strict";

require("core-js/modules/web.structured-clone");

module.exports = { structuredClone: globalThis.structuredClone };
