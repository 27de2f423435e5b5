// SPDX-License-Identifier: MIT
// rich-table.js - display.table: the table of console.table as HTML and as text, of which no more
// is shown than a person looks at.
"use strict";

const p = require("primordials");
const { layOut, drawLayout, textsOf, cellText, cut } = require("table");

const { TypeError } = globalThis;
const BOUNDS = { rows: 200, columns: 50, characters: 1000 };
const ENTITIES = {
  __proto__: null, "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;",
};

/** Not replaceAll: it asks String.prototype for a method that user code may have put there. */
function escape(text) {
  let escaped = "";
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const entity = ENTITIES[text[i]];
    if (entity !== undefined) {
      escaped += p.stringSlice(text, start, i) + entity;
      start = i + 1;
    }
  }
  return escaped + p.stringSlice(text, start);
}

/** Strings as they are, without the quotes of the text: a browser draws the cell around them. */
function htmlCell(value) {
  return cut(typeof value === "string" ? value : cellText(value), BOUNDS.characters);
}

function tag(name, texts) {
  return p.arrayJoin(p.arrayMap(texts, (text) => `      <${name}>${escape(text)}</${name}>`), "\n");
}

function htmlRow(cells) {
  const rest = p.arraySlice(cells, 1);
  const more = rest.length > 0 ? `${tag("td", rest)}\n` : "";
  return `    <tr>\n${tag("th", [cells[0]])}\n${more}    </tr>`;
}

function counted(count, what) {
  return `${count} more ${what}${count > 1 ? "s" : ""}`;
}

/** What is not shown; "" when all is. */
function restOf({ moreRows, moreColumns }) {
  const parts = [];
  if (moreRows > 0) {
    p.arrayPush(parts, counted(moreRows, "row"));
  }
  if (moreColumns > 0) {
    p.arrayPush(parts, counted(moreColumns, "column"));
  }
  return parts.length > 0 ? `... ${p.arrayJoin(parts, ", ")}` : "";
}

/** In the form that pandas gives its tables, so that notebooks style them alike. */
function htmlOf(layout, rest) {
  const rows = p.arrayMap(textsOf(layout.rows, htmlCell), htmlRow);
  const lines = [
    '<table border="1" class="dataframe">', "  <thead>", '    <tr style="text-align: right;">',
    tag("th", layout.titles), "    </tr>", "  </thead>", "  <tbody>",
  ];
  for (let i = 0; i < rows.length; i++) {
    p.arrayPush(lines, rows[i]);
  }
  p.arrayPush(lines, "  </tbody>\n</table>");
  if (rest !== "") {
    p.arrayPush(lines, `<p>${rest}</p>`);
  }
  return p.arrayJoin(lines, "\n");
}

/** {html, text} of rows. */
function richTable(data, columns) {
  if (columns !== undefined && !p.isArray(columns)) {
    throw new TypeError("columns of display.table() must be an array of names");
  }
  const layout = layOut(data, columns, BOUNDS);
  if (layout === undefined) {
    throw new TypeError("display.table() needs rows: an array, an object, a Map or a Set");
  }
  const rest = restOf(layout);
  const text = drawLayout(layout, BOUNDS);
  return { html: htmlOf(layout, rest), text: rest === "" ? text : `${text}\n${rest}` };
}

module.exports = { richTable };
