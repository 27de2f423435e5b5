// SPDX-License-Identifier: MIT
// ask.js - prompt(), confirm() and alert(), answered by the client of the cell.
"use strict";

const p = require("primordials");

const stringTrim = p.uncurry(globalThis.String.prototype.trim);
const stringToLowerCase = p.uncurry(globalThis.String.prototype.toLowerCase);

function textOf(value, otherwise) {
  return value === undefined ? otherwise : p.String(value);
}

/** A line from the user, `defaultValue` when it is empty; null when there is no more input. */
function prompt(message, defaultValue) {
  const hint = defaultValue === undefined ? "" : ` [${p.String(defaultValue)}]`;
  const line = native.ask(`${textOf(message, "Prompt")}${hint} `, "prompt()");
  return line === "" && defaultValue !== undefined ? p.String(defaultValue) : line;
}

/** True when the user says yes. */
function confirm(message) {
  const line = native.ask(`${textOf(message, "Confirm")} [y/N] `, "confirm()");
  const word = line === null ? "" : stringToLowerCase(stringTrim(line));
  return word === "y" || word === "yes";
}

/** Waits until the user has seen it. */
function alert(message) {
  native.ask(`${textOf(message, "Alert")} [Enter] `, "alert()");
}

module.exports = { globals: { prompt, confirm, alert } };
