// SPDX-License-Identifier: MIT
// cell.js - what the engine asks the tools: prepare a cell, explain what is wrong with it, find a
// place of it again, tell whether it is complete.
"use strict";

const { applyEdits, locate: locateIn, decodeMap } = require("positions");

// Maps of the cells, and of the files, whose places were moved; the oldest go first. Files may be
// large: their maps stay texts until an error asks, and one is kept decoded.
const CELLS_KEPT = 2000;
const maps = new Map();
const FILES_KEPT = 1000;
const fileMaps = new Map();
let decoded = { map: "", segments: [] };

/** A part of the build that may be absent; null when it is. */
function optional(name) {
  try {
    return require(name);
  } catch (error) {
    if (!(error instanceof ReferenceError)) {
      throw error;
    }
    return null;
  }
}

function rewriter() {
  return optional("rewrite");
}

/** Line and column of an offset, both from 1. */
function placeOf(source, offset) {
  const before = source.slice(0, offset).split("\n");
  return { line: before.length, column: before[before.length - 1].length + 1 };
}

/** The error as people see it: where, the line, a mark below it, what. */
function syntaxError(source, name, message, { line, column }) {
  const text = source.split("\n")[line - 1] ?? "";
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  return {
    message: `${message} (${line}:${column})`,
    text: `${name}:${line}:${column}\n${text}\n${indent}^\nSyntaxError: ${message}`,
  };
}

function fromAcorn(error, source, name) {
  const message = error.message.replace(/ \(\d+:\d+\)$/, "");
  return syntaxError(source, name, message, placeOf(source, error.pos));
}

/** Puts `value` under `name`, as the newest; undefined only takes away what was there. */
function keep(kept, name, value, most) {
  kept.delete(name);
  if (value !== undefined) {
    kept.set(name, value);
    if (kept.size > most) {
      kept.delete(kept.keys().next().value);
    }
  }
}

function remember(name, chain) {
  const moved = chain.filter((segments) => segments.length > 0);
  keep(maps, name, moved.length > 0 ? moved : undefined, CELLS_KEPT);
}

/** What leads from a place in what ran to the user's text, step by step; undefined: nothing. */
function chainOf(name) {
  const map = fileMaps.get(name);
  if (map === undefined) {
    return maps.get(name);
  }
  if (decoded.map !== map) {
    decoded = { map, segments: decodeMap(map) };
  }
  return [decoded.segments];
}

/** JavaScript of a TypeScript cell: {code, chain} or {error}. */
function fromTypeScript(source, name) {
  const { strip } = require("typescript-cell");
  const result = strip(source);
  if (result.problem) {
    return { error: syntaxError(source, name, result.problem.message,
                                placeOf(source, result.problem.start)) };
  }
  return result;
}

/** {code} to run for the cell, or {error}. */
function prepare(source, name, isTypeScript) {
  const stripped = isTypeScript ? fromTypeScript(source, name) : { code: source, chain: [] };
  const tool = rewriter();
  if (stripped.error || tool === null) {
    return stripped;
  }
  try {
    const { edits } = tool.rewrite(stripped.code, { checksImports: !isTypeScript });
    const { code, segments } = applyEdits(stripped.code, edits);
    remember(name, [segments, ...stripped.chain]);
    return { code };
  } catch (error) {
    if (typeof error.pos !== "number") {
      throw error;
    }
    // What QuickJS accepts runs as it is, so that newer syntax than the parser's works.
    return isTypeScript ? { error: fromAcorn(error, stripped.code, name) } : { code: source };
  }
}

/**
 * {code, format} of a TypeScript file, or {message, text} of the error in it; undefined where this
 * build has no TypeScript. `wanted` is what the file has to be: "module", "commonjs" or "".
 */
function prepareFile(source, name, wanted) {
  const tool = optional("typescript-file");
  if (tool === null) {
    return undefined;
  }
  const { problem, code, format, map } = tool.stripFile(source, wanted);
  if (problem) {
    return syntaxError(source, name, problem.message, placeOf(source, problem.start));
  }
  keep(fileMaps, name, map, FILES_KEPT);
  return { code, format };
}

/** Why QuickJS refused a cell; undefined when the parser finds nothing wrong. */
function explain(source, name, isTypeScript) {
  const tool = rewriter();
  if (isTypeScript || tool === null) {
    return undefined;
  }
  try {
    tool.parse(source);
    return undefined;
  } catch (error) {
    return fromAcorn(error, source, name);
  }
}

/** The place in the user's text of a place in what ran; undefined when they are the same. */
function locate(name, line, column) {
  const chain = chainOf(name);
  if (chain === undefined) {
    return undefined;
  }
  let place = { line, column: column - 1 };
  for (const segments of chain) {
    place = locateIn(segments, place.line, place.column);
  }
  return { line: place.line, column: place.column + 1 };
}

/** How deep the brackets of an unfinished text are. */
function indentOf(source) {
  const lines = source.trimEnd().split("\n");
  const last = lines[lines.length - 1];
  const own = /^\s*/.exec(last)[0];
  return /[{([]\s*$/.test(last) ? `${own}  ` : own;
}

const UNFINISHED = /Unterminated (template|comment)|Missing catch or finally/;

/** The position of the first error in a JavaScript text; -1 when there is none. */
function firstError(source) {
  try {
    rewriter().rewrite(source);
    rewriter().parse(source);
    return { pos: -1, message: "" };
  } catch (error) {
    return error;
  }
}

function isComplete(source, _name, isTypeScript) {
  if (source.trim() === "") {
    return { status: "complete" };
  }
  if (rewriter() === null) {
    return { status: "unknown" };
  }
  const problem = isTypeScript ? require("typescript-cell").firstError(source) : firstError(source);
  if (problem.pos < 0) {
    return { status: "complete" };
  }
  if (problem.pos >= source.trimEnd().length || UNFINISHED.test(problem.message)) {
    return { status: "incomplete", indent: indentOf(source) };
  }
  return { status: "invalid" };
}

/** Loads what cells will need. */
function loadAhead(isTypeScript) {
  rewriter();
  if (isTypeScript) {
    require("typescript-cell");
  }
}

module.exports = { prepare, prepareFile, explain, locate, isComplete, loadAhead };
