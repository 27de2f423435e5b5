// SPDX-License-Identifier: MIT
// encodings.js - bytes to text and back, by the names that Node has for encodings.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");
const { text } = native;

const NAMES = {
  "utf8": "utf8", "utf-8": "utf8", "ucs2": "utf16le", "ucs-2": "utf16le", "utf16le": "utf16le",
  "utf-16le": "utf16le", "latin1": "latin1", "binary": "latin1", "ascii": "ascii",
  "base64": "base64", "base64url": "base64url", "hex": "hex", "__proto__": null,
};

/** The one name of an encoding; undefined when there is none. */
function normalize(name) {
  return NAMES[name] ?? NAMES[k.stringToLowerCase(`${name}`)];
}

function checkEncoding(name) {
  const found = normalize(name);
  if (found === undefined) {
    throw coded(k.TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${name}`);
  }
  return found;
}

function wide(string) {
  const bytes = new k.Uint8Array(string.length * 2);
  for (let i = 0; i < string.length; i++) {
    const unit = charCode(string, i);
    bytes[2 * i] = unit & 255;
    bytes[2 * i + 1] = unit >> 8;
  }
  return bytes;
}

function narrow(string) {
  const bytes = new k.Uint8Array(string.length);
  for (let i = 0; i < string.length; i++) {
    bytes[i] = charCode(string, i);
  }
  return bytes;
}

const charCode = k.uncurry(String.prototype.charCodeAt);

/** A new Uint8Array with the string. */
function encode(string, encoding = "utf8") {
  switch (checkEncoding(encoding)) {
    case "utf8": return text.toUtf8(string);
    case "utf16le": return wide(string);
    case "latin1": case "ascii": return narrow(string);
    case "hex": return text.fromHex(string);
    default: return text.fromBase64(string);
  }
}

function toAscii(bytes) {
  const copy = new k.Uint8Array(bytes);
  for (let i = 0; i < copy.length; i++) {
    copy[i] &= 127;
  }
  return text.fromLatin1(copy);
}

const URL_SAFE = { alphabet: "base64url", omitPadding: true };

/** The string that bytes [start, end) mean. */
function decode(bytes, encoding = "utf8", start = 0, end = bytes.length) {
  switch (checkEncoding(encoding)) {
    case "utf8": return text.fromUtf8(bytes, start, end);
    case "utf16le": return text.fromWide(bytes, start, end);
    case "latin1": return text.fromLatin1(bytes, start, end);
    case "ascii": return toAscii(k.bytesSubarray(bytes, start, end));
    case "hex": return k.bytesToHex(k.bytesSubarray(bytes, start, end));
    case "base64": return k.bytesToBase64(k.bytesSubarray(bytes, start, end));
    default: return k.bytesToBase64(k.bytesSubarray(bytes, start, end), URL_SAFE);
  }
}

/** How many bytes encode() gives. */
function lengthOf(string, encoding = "utf8") {
  const name = normalize(encoding) ?? "utf8";
  switch (name) {
    case "utf8": return text.utf8Length(string);
    case "utf16le": return string.length * 2;
    case "latin1": case "ascii": return string.length;
    case "hex": return string.length >>> 1;
    default: return text.fromBase64(string).length;
  }
}

/** A Uint8Array over the memory of any view or ArrayBuffer. */
function viewOf(value) {
  if (k.isView(value)) {
    return new k.Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return new k.Uint8Array(value);
}

module.exports = { normalize, checkEncoding, encode, decode, lengthOf, viewOf };
