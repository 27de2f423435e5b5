// SPDX-License-Identifier: MIT
// positions.js - edits of a text that keep its lines, and the way back from a place in the result.
// Lines count from 1, columns from 0 here; the caller turns them into what people read.
"use strict";

function advance(place, text) {
  const lines = text.split("\n");
  if (lines.length === 1) {
    place.column += text.length;
  } else {
    place.line += lines.length - 1;
    place.column = lines[lines.length - 1].length;
  }
}

/**
 * Applies edits [start, end, text]. Gives the code and its segments: from (line, column) of the
 * code on, text is what begins at (toLine, toColumn) of the source; a fixed segment is all of one
 * place.
 */
function applyEdits(source, edits) {
  const sorted = [...edits].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const from = { line: 1, column: 0 };
  const to = { line: 1, column: 0 };
  const segments = [];
  let code = "";
  let at = 0;
  const mark = (fixed) => segments.push({
    line: from.line, column: from.column, toLine: to.line, toColumn: to.column, fixed,
  });
  const copy = (text) => {
    code += text;
    advance(from, text);
    advance(to, text);
  };
  for (const [start, end, text] of sorted) {
    copy(source.slice(at, start));
    if (text.length !== end - start) {
      mark(true);
    }
    code += text;
    advance(from, text);
    advance(to, source.slice(start, end));
    if (text.length !== end - start) {
      mark(false);
    }
    at = end;
  }
  copy(source.slice(at));
  return { code, segments };
}

/** The place in the source of a place in the code. */
function locate(segments, line, column) {
  let best = null;
  for (const segment of segments) {
    if (segment.line === line && segment.column <= column) {
      best = segment;
    }
  }
  if (best === null) {
    return { line, column };
  }
  const distance = best.fixed ? 0 : column - best.column;
  return { line: best.toLine, column: best.toColumn + distance };
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The numbers of one segment of a source map. */
function decodeNumbers(text) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const digit of text) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if ((bits & 32) === 0) {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1);
      value = 0;
      shift = 0;
    }
  }
  return numbers;
}

/**
 * The segments of the text of a source map (version 3) with one source, for a code of so many
 * lines. What the map does not know (helpers, indentation, the end) is of the place before it.
 */
function decodeMap(text, count = undefined) {
  const map = JSON.parse(text);
  const segments = [];
  const rows = map.mappings.split(";");
  let toLine = 1;
  let toColumn = 0;
  for (let index = 0; index < (count ?? rows.length); index++) {
    const row = rows[index] ?? "";
    let column = 0;
    segments.push({ line: index + 1, column, toLine, toColumn, fixed: true });
    for (const part of row.split(",").filter(Boolean)) {
      const [step, , lines = 0, columns = 0] = decodeNumbers(part);
      column += step;
      toLine += lines;
      toColumn += columns;
      segments.push({ line: index + 1, column, toLine, toColumn, fixed: false });
    }
  }
  return segments;
}

module.exports = { applyEdits, locate, decodeMap };
