// SPDX-License-Identifier: MIT
// string-decoder.js - the module string_decoder: text of bytes that come in pieces.
"use strict";

const k = require("node/kit");
const { checkEncoding, decode, viewOf } = require("node/encodings");

const UNITS = { utf16le: 2, base64: 3, base64url: 3, "__proto__": null };

class StringDecoder {
  #held = new k.Uint8Array(0);

  constructor(encoding = "utf8") {
    this.encoding = checkEncoding(encoding);
  }

  /** Bytes at the end that the next piece may complete. */
  #unfinished(bytes) {
    if (this.encoding === "utf8") {
      return native.text.unfinished(bytes);
    }
    return bytes.length % (UNITS[this.encoding] ?? 1);
  }

  write(chunk) {
    if (typeof chunk === "string") {
      return chunk;
    }
    const piece = viewOf(chunk);
    const bytes = new k.Uint8Array(this.#held.length + piece.length);
    k.bytesSet(bytes, this.#held, 0);
    k.bytesSet(bytes, piece, this.#held.length);
    const whole = bytes.length - this.#unfinished(bytes);
    this.#held = k.bytesSubarray(bytes, whole);
    return decode(bytes, this.encoding, 0, whole);
  }

  end(chunk) {
    const text = chunk === undefined ? "" : this.write(chunk);
    const rest = decode(this.#held, this.encoding);
    this.#held = new k.Uint8Array(0);
    return text + rest;
  }
}

module.exports = { StringDecoder };
