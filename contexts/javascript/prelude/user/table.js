// SPDX-License-Identifier: MIT
// table.js - rows and columns of anything, and how they are drawn with boxes: console.table as Node
// 20 prints it, and the text of display.table.
"use strict";

const p = require("primordials");
const { inspect } = require("format");

const INDEX = "(index)";
const ITERATION = "(iteration index)";
const VALUES = "Values";
const EMPTY = {}; // stands where a row has nothing
const NO_BOUNDS = { rows: Infinity, columns: Infinity, characters: Infinity };

function isCompound(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Not for-of: user code may have replaced the iterator of arrays. */
function forEach(items, visit) {
  for (let i = 0; i < items.length; i++) {
    visit(items[i]);
  }
}

/** One cell: nested values are only hinted at. */
function cellText(value) {
  const depth = isCompound(value) && !p.isArray(value) && p.objectKeys(value).length > 2 ? -1 : 0;
  return inspect(value, { maxArrayLength: 3, breakLength: Infinity, depth });
}

/** A text of `most` characters at most. */
function cut(text, most) {
  return text.length > most ? `${p.stringSlice(text, 0, most)}...` : text;
}

/** {index, key, value} of the first `most` things in `data`, and how many there are. */
function entriesOf(data, most) {
  const pairs = [];
  const isMap = native.isKind(data, ["Map"]);
  if (isMap || native.isKind(data, ["Set"])) {
    let count = 0;
    const add = (value, key) => {
      if (count++ < most) {
        p.arrayPush(pairs, { index: p.String(pairs.length), key, value });
      }
    };
    (isMap ? p.mapForEach : p.setForEach)(data, add);
    return { title: ITERATION, pairs, count, isMap };
  }
  const keys = p.objectKeys(data);
  for (let i = 0; i < keys.length && i < most; i++) {
    p.arrayPush(pairs, { index: keys[i], key: undefined, value: data[keys[i]] });
  }
  return { title: INDEX, pairs, count: keys.length, isMap };
}

function drawRow(cells, widths) {
  let text = "│";
  for (let i = 0; i < cells.length; i++) {
    text += ` ${cells[i]}${p.stringRepeat(" ", widths[i] - cells[i].length - 1)}│`;
  }
  return text;
}

function drawLine(widths, left, middle, right) {
  const parts = p.arrayMap(widths, (width) => p.stringRepeat("─", width));
  return left + p.arrayJoin(parts, middle) + right;
}

function draw(titles, rows) {
  const widths = p.arrayMap(titles, (title, column) => {
    let width = title.length;
    forEach(rows, (row) => {
      width = p.max(width, row[column].length);
    });
    return width + 2;
  });
  const lines = [
    drawLine(widths, "┌", "┬", "┐"), drawRow(titles, widths), drawLine(widths, "├", "┼", "┤"),
  ];
  forEach(rows, (row) => p.arrayPush(lines, drawRow(row, widths)));
  p.arrayPush(lines, drawLine(widths, "└", "┴", "┘"));
  return p.arrayJoin(lines, "\n");
}

/** The columns that the rows have, in the order in which they are met. */
function columnsOf(pairs, only) {
  if (only) {
    return p.arrayMap(only, (name) => p.String(name));
  }
  const columns = [];
  const seen = new p.SafeMap();
  forEach(pairs, ({ value }) => {
    forEach(isCompound(value) ? p.objectKeys(value) : [], (key) => {
      if (!seen.has(key)) {
        seen.set(key, true);
        p.arrayPush(columns, key);
      }
    });
  });
  return columns;
}

/** The cells of one row: its index, its columns, and last itself if it has no columns. */
function cellsOf({ index, value: row }, columns) {
  const cells = [index];
  forEach(columns, (column) => {
    p.arrayPush(cells, isCompound(row) && p.hasOwn(row, column) ? row[column] : EMPTY);
  });
  p.arrayPush(cells, isCompound(row) ? EMPTY : row);
  return cells;
}

/**
 * {titles, rows, moreRows, moreColumns} of `data`: each row its index and then values, of which
 * EMPTY is none. Undefined when it is nothing to make a table of.
 */
function layOut(data, only, bounds) {
  if (!isCompound(data)) {
    return undefined;
  }
  const { title, pairs, count, isMap } = entriesOf(data, bounds.rows);
  const moreRows = count - pairs.length;
  if (isMap) {
    const rows = p.arrayMap(pairs, ({ index, key, value }) => [index, key, value]);
    return { titles: [title, "Key", VALUES], rows, moreRows, moreColumns: 0 };
  }
  const all = columnsOf(pairs, only);
  const columns = p.arraySlice(all, 0, bounds.columns);
  const titles = p.arrayConcat([title], columns);
  let rows = p.arrayMap(pairs, (pair) => cellsOf(pair, columns));
  if (p.arrayFilter(pairs, ({ value }) => !isCompound(value)).length > 0) {
    p.arrayPush(titles, VALUES);
  } else {
    rows = p.arrayMap(rows, (row) => p.arraySlice(row, 0, -1));
  }
  return { titles, rows, moreRows, moreColumns: all.length - columns.length };
}

/** Rows as texts; `show` makes one of a value. */
function textsOf(rows, show) {
  return p.arrayMap(rows, (row) => p.arrayMap(row, (value, column) =>
    (column === 0 ? value : value === EMPTY ? "" : show(value))));
}

/** The box of what layOut() gave. */
function drawLayout({ titles, rows }, bounds) {
  return draw(titles, textsOf(rows, (value) => cut(cellText(value), bounds.characters)));
}

/** `data` as console.table prints it; undefined when it is nothing to make a table of. */
function table(data, only) {
  const layout = layOut(data, only, NO_BOUNDS);
  return layout === undefined ? undefined : drawLayout(layout, NO_BOUNDS);
}

module.exports = { table, layOut, drawLayout, textsOf, cellText, cut };
