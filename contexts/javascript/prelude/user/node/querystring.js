// SPDX-License-Identifier: MIT
// querystring.js - the module querystring.
"use strict";

const { exports: { Buffer } } = require("node/buffer");
const { encodeURIComponent, decodeURIComponent } = globalThis;

function escape(text) {
  return encodeURIComponent(text).replace(/%(?:20)/g, "%20");
}

const ESCAPED = /%[0-9a-f]{2}/i;

function hexAt(text, at) {
  const digits = text.slice(at, at + 3);
  return ESCAPED.test(digits) ? parseInt(digits.slice(1), 16) : undefined;
}

/** The bytes of a text: of good escapes what they stand for, of the rest the low bytes of its
 *  units, as in Node. */
function unescapeBuffer(text) {
  const bytes = [];
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] === "%" ? hexAt(text, i) : undefined;
    bytes.push(byte ?? text.charCodeAt(i));
    i += byte === undefined ? 0 : 2;
  }
  return Buffer.from(bytes);
}

function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(`${text}`).toString();
  }
}

/** A name or value in parse(); what has no good escape stays as it is. */
function decodeWith(decode, text) {
  const spaced = text.replaceAll("+", " ");
  if (decode === unescape && !ESCAPED.test(spaced)) {
    return spaced;
  }
  try {
    return decode(spaced);
  } catch {
    return unescape(spaced);
  }
}

function valueOf(value) {
  return ["string", "boolean", "bigint"].includes(typeof value) || Number.isFinite(value)
    ? `${value}` : "";
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

function parse(text, givenSeparator, givenEquals, options = {}) {
  const separator = givenSeparator || "&";
  const equals = givenEquals || "=";
  const decode = options.decodeURIComponent ?? unescape;
  const limit = options.maxKeys ?? 1000;
  const out = Object.create(null);
  if (typeof text !== "string" || text === "") {
    return out;
  }
  for (const pair of text.split(separator).slice(0, limit > 0 ? limit : undefined)) {
    const at = pair.indexOf(equals);
    const [rawName, rawValue] = at < 0 ? [pair, ""]
      : [pair.slice(0, at), pair.slice(at + equals.length)];
    if (pair === "") {
      continue;
    }
    const name = decodeWith(decode, rawName);
    const value = decodeWith(decode, rawValue);
    out[name] = name in out ? [].concat(out[name], value) : value;
  }
  return out;
}

module.exports = { stringify, parse, escape, unescape, unescapeBuffer, encode: stringify,
                   decode: parse };
