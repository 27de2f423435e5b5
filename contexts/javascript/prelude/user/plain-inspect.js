// SPDX-License-Identifier: MIT
// plain-inspect.js - a small stand-in for util.inspect, for builds without node-inspect-extracted.
"use strict";

const p = require("primordials");

const DEPTH = 2;
const ITEMS = 100;

function quote(text) {
  const slashes = p.stringReplaceAll(text, "\\", "\\\\");
  const quotes = p.stringReplaceAll(slashes, "'", "\\'");
  return `'${p.stringReplaceAll(quotes, "\n", "\\n")}'`;
}

function primitive(value) {
  switch (typeof value) {
    case "string": return quote(value);
    case "bigint": return `${value}n`;
    case "symbol": return p.String(value);
    case "number": return value === 0 && 1 / value < 0 ? "-0" : p.String(value);
    default: return p.String(value);
  }
}

function list(items, open, close) {
  return items.length === 0 ? `${open}${close}` : `${open} ${p.arrayJoin(items, ", ")} ${close}`;
}

function compound(value, depth, seen) {
  if (p.arrayIncludes(seen, value)) {
    return "[Circular]";
  }
  if (p.isError(value)) {
    return typeof value.stack === "string" ? value.stack : `[${p.errorToString(value)}]`;
  }
  if (typeof value === "function") {
    return `[Function: ${value.name || "(anonymous)"}]`;
  }
  if (depth > DEPTH) {
    return p.isArray(value) ? "[Array]" : "[Object]";
  }
  const inner = (item) => show(item, depth + 1, p.arrayConcat(seen, [value]));
  if (p.isArray(value)) {
    return list(p.arrayMap(p.arraySlice(value, 0, ITEMS), inner), "[", "]");
  }
  const pairs = p.arrayMap(p.objectKeys(value), (key) => `${key}: ${inner(value[key])}`);
  return list(pairs, "{", "}");
}

function show(value, depth, seen) {
  const isCompound = typeof value === "function" || (typeof value === "object" && value !== null);
  return isCompound ? compound(value, depth, seen) : primitive(value);
}

function inspect(value) {
  return show(value, 0, []);
}

function formatWithOptions(_options, ...values) {
  return p.arrayJoin(
    p.arrayMap(values, (value) => (typeof value === "string" ? value : inspect(value))), " ");
}

function format(...values) {
  return p.apply(formatWithOptions, undefined, p.arrayConcat([{}], values));
}

module.exports = { inspect, format, formatWithOptions };
