// SPDX-License-Identifier: MIT
// querystring.js - the module querystring.
"use strict";

const { encodeURIComponent, decodeURIComponent } = globalThis;

function escape(text) {
  return encodeURIComponent(text).replace(/%(?:20)/g, "%20");
}

function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function valueOf(value) {
  return ["string", "boolean", "bigint"].includes(typeof value) || Number.isFinite(value) ? `${value}` : "";
}

function stringify(object, separator = "&", equals = "=", options = {}) {
  const encode = options.encodeURIComponent ?? escape;
  const pairs = [];
  for (const [name, value] of Object.entries(object ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      pairs.push(encode(name) + equals + encode(valueOf(one)));
    }
  }
  return pairs.join(separator);
}

function parse(text, separator = "&", equals = "=", options = {}) {
  const decode = options.decodeURIComponent ?? unescape;
  const limit = options.maxKeys ?? 1000;
  const out = Object.create(null);
  if (typeof text !== "string" || text === "") {
    return out;
  }
  for (const pair of text.split(separator).slice(0, limit > 0 ? limit : undefined)) {
    const at = pair.indexOf(equals);
    const [rawName, rawValue] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + equals.length)];
    if (pair === "") {
      continue;
    }
    const name = decode(rawName.replaceAll("+", " "));
    const value = decode(rawValue.replaceAll("+", " "));
    out[name] = name in out ? [].concat(out[name], value) : value;
  }
  return out;
}

module.exports = { stringify, parse, escape, unescape, encode: stringify, decode: parse };
