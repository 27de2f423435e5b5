// SPDX-License-Identifier: MIT
// table.js - console.table: rows and columns of anything, drawn with boxes as Node 20 does.
"use strict";

const p = require("primordials");
const { inspect } = require("format");

const INDEX = "(index)";
const ITERATION = "(iteration index)";
const VALUES = "Values";

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

/** {index, key, value} of everything in `data`, and what the first column is called. */
function entriesOf(data) {
  const pairs = [];
  const isMap = native.isKind(data, ["Map"]);
  if (isMap || native.isKind(data, ["Set"])) {
    const add = (value, key) => {
      p.arrayPush(pairs, { index: p.String(pairs.length), key, value });
    };
    (isMap ? p.mapForEach : p.setForEach)(data, add);
    return { title: ITERATION, pairs, isMap };
  }
  forEach(p.objectKeys(data), (key) => p.arrayPush(pairs, { index: key, value: data[key] }));
  return { title: INDEX, pairs, isMap };
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

function mapTable({ title, pairs }) {
  const rows = p.arrayMap(pairs, ({ index, key, value }) => [
    index, cellText(key), cellText(value),
  ]);
  return draw([title, "Key", VALUES], rows);
}

/** The columns that the rows have, in the order in which they are met. */
function columnsOf(pairs, only) {
  if (only) {
    return p.arrayMap(only, (name) => p.String(name));
  }
  const columns = [];
  forEach(pairs, ({ value }) => {
    forEach(isCompound(value) ? p.objectKeys(value) : [], (key) => {
      if (!p.arrayIncludes(columns, key)) {
        p.arrayPush(columns, key);
      }
    });
  });
  return columns;
}

/** `data` as a table; undefined when it is nothing to make one of. */
function table(data, only) {
  if (!isCompound(data)) {
    return undefined;
  }
  const entries = entriesOf(data);
  if (entries.isMap) {
    return mapTable(entries);
  }
  const { title, pairs } = entries;
  const columns = columnsOf(pairs, only);
  let hasValues = false;
  const rows = p.arrayMap(pairs, ({ index, value: row }) => {
    const cells = [index];
    forEach(columns, (column) => {
      p.arrayPush(cells, isCompound(row) && p.hasOwn(row, column) ? cellText(row[column]) : "");
    });
    hasValues ||= !isCompound(row);
    p.arrayPush(cells, isCompound(row) ? "" : cellText(row));
    return cells;
  });
  const titles = p.arrayConcat([title], columns);
  if (!hasValues) {
    return draw(titles, p.arrayMap(rows, (row) => p.arraySlice(row, 0, -1)));
  }
  p.arrayPush(titles, VALUES);
  return draw(titles, rows);
}

module.exports = { table };
