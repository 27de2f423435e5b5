// SPDX-License-Identifier: MIT
// description.js - what inspection says of a value: signature, type, doc comment, value, source.
"use strict";

const { tokenize } = require("lexer");

const CELLS_KEPT = 200;
const cells = []; // texts of cells that have doc comments, newest first

/** Keeps the text of a cell that has a doc comment. */
function remember(source) {
  cells.unshift(source);
  cells.length = Math.min(cells.length, CELLS_KEPT);
}

function escapeRegExp(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** The comment without its marks. */
function clean(comment) {
  return comment.slice(3, -2).split("\n").map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n").trim();
}

/** The doc comment in front of a definition of `name`, from the newest cell that has one. */
function docOf(name) {
  const definition = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*(?:(?:export|default|async|static|public|private|` +
    String.raw`protected|readonly|abstract|get|set|declare)\s+)*(?:(?:function\s*\*?|class|const|` +
    String.raw`let|var|enum|interface|type|namespace)\s+)?(?:\*\s*)?${escapeRegExp(name)}` +
    String.raw`(?![\w$])`, "u");
  for (const source of cells) {
    const found = definition.exec(source);
    if (found !== null) {
      return clean(`/**${found[1]}*/`);
    }
  }
  return "";
}

/** The parameters as they are written, "" when they cannot be found. */
function parametersOf(source) {
  const tokens = tokenize(source);
  const skip = tokens[0]?.text === "class"
    ? tokens.findIndex(({ text }, i) => text === "constructor" && tokens[i + 1]?.text === "(") : 0;
  if (skip < 0) {
    return "()";
  }
  const single = tokens[0]?.text === "async" ? 1 : 0;
  if (tokens[single + 1]?.text === "=>") {
    return `(${tokens[single].text})`;
  }
  const open = tokens.findIndex(({ text }, i) => i >= skip && text === "(");
  let depth = 0;
  for (let i = open; open >= 0 && i < tokens.length; i++) {
    depth += tokens[i].text === "(" ? 1 : tokens[i].text === ")" ? -1 : 0;
    if (depth === 0) {
      return source.slice(tokens[open].start, tokens[i].end).replace(/\s+/g, " ");
    }
  }
  return "";
}

/** Native functions tell only how many parameters they have. */
function unnamed(count) {
  return `(${Array.from({ length: count }, (_any, i) => `arg${i + 1}`).join(", ")})`;
}

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

function signature(name, { source, length, isClass }) {
  const parameters = NATIVE.test(source) ? unnamed(Number(length)) : parametersOf(source);
  return `${isClass ? "new " : ""}${name}${parameters}`;
}

function section(title, text) {
  return text === "" ? [] : [`${title}:${text.includes("\n") ? "\n" : " "}${text}`];
}

/** Facts as reflect.js tells them: type, preview, source, length, class or "", accessor. */
function describe({ name, last, detail }, [type, preview, source, length, isClass]) {
  const isFunction = source !== "";
  const isNative = NATIVE.test(source);
  return [
    ...section("Signature", isFunction ? signature(name, { source, length, isClass }) : ""),
    ...section("Type", type),
    ...section("Value", isFunction ? "" : preview),
    ...section("Documentation", docOf(last)),
    ...section("Source", isFunction && detail > 0 && !isNative ? source : ""),
  ].join("\n");
}

module.exports = { describe, remember };
