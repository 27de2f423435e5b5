// SPDX-License-Identifier: MIT
// format.js - values as text: Node's own inspect where the build has it, a plain one where not.
"use strict";

function load() {
  try {
    return require("inspect");
  } catch {
    return require("plain-inspect");
  }
}

const { inspect, format, formatWithOptions } = load();

module.exports = { inspect, format, formatWithOptions };
