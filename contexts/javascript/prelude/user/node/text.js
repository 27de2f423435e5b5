// SPDX-License-Identifier: MIT
// text.js - TextEncoder and TextDecoder: UTF-8, UTF-16LE and Latin-1, which Node 20 reads
// as it is although its name there is windows-1252.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");
const { viewOf } = require("node/encodings");
const { text } = native;

class TextEncoder {
  get encoding() {
    return "utf-8";
  }

  encode(input = "") {
    return text.toUtf8(`${input}`);
  }

  encodeInto(source, destination) {
    const bytes = text.toUtf8(`${source}`);
    let written = k.min(bytes.length, destination.length);
    while (written > 0 && written < bytes.length && (bytes[written] & 0xC0) === 0x80) {
      written--;
    }
    const part = k.bytesSubarray(bytes, 0, written);
    k.bytesSet(destination, part);
    return { read: text.fromUtf8(part).length, written };
  }
}

const LABELS = {
  "utf-8": "utf-8", "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16le": "utf-16le",
  "utf-16": "utf-16le", "ucs-2": "utf-16le", "latin1": "windows-1252", "iso-8859-1": "windows-1252",
  "ascii": "windows-1252", "us-ascii": "windows-1252", "windows-1252": "windows-1252",
  "__proto__": null,
};

function join(first, second) {
  const bytes = new k.Uint8Array(first.length + second.length);
  k.bytesSet(bytes, first, 0);
  k.bytesSet(bytes, second, first.length);
  return bytes;
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBom;
  #held = new k.Uint8Array(0);
  #begun = false; // whether a byte order mark may no longer come

  constructor(label = "utf-8", options = {}) {
    this.#encoding = LABELS[k.stringToLowerCase(k.stringTrim(`${label}`))];
    if (this.#encoding === undefined) {
      throw coded(k.RangeError, "ERR_ENCODING_NOT_SUPPORTED",
                  `The "${label}" encoding is not supported`);
    }
    this.#fatal = !!options.fatal;
    this.#ignoreBom = !!options.ignoreBOM;
  }

  get encoding() {
    return this.#encoding;
  }

  get fatal() {
    return this.#fatal;
  }

  get ignoreBOM() {
    return this.#ignoreBom;
  }

  /** Bytes at the end that wait for the rest of their character. */
  #unfinished(bytes) {
    if (this.#encoding === "utf-8") {
      return text.unfinished(bytes);
    }
    return this.#encoding === "utf-16le" ? bytes.length % 2 : 0;
  }

  #convert(bytes) {
    if (this.#encoding === "windows-1252") {
      return text.fromLatin1(bytes);
    }
    const out = this.#encoding === "utf-8" ? text.fromUtf8(bytes, 0, undefined, this.#fatal)
                                           : text.fromWide(bytes);
    if (out === undefined || (this.#encoding === "utf-16le" && this.#fatal && bytes.length % 2)) {
      throw coded(k.TypeError, "ERR_ENCODING_INVALID_ENCODED_DATA",
                  `The encoded data was not valid for encoding ${this.#encoding}`);
    }
    return out;
  }

  decode(input = new k.Uint8Array(0), options = {}) {
    if (typeof input !== "object" || input === null) {
      throw argumentType("list", "an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView",
                         input);
    }
    let bytes = join(this.#held, viewOf(input));
    const keep = options.stream ? this.#unfinished(bytes) : 0;
    this.#held = k.bytesSubarray(bytes, bytes.length - keep);
    bytes = k.bytesSubarray(bytes, 0, bytes.length - keep);
    let out = this.#convert(bytes);
    if (!this.#begun && !this.#ignoreBom && out[0] === "\uFEFF") {
      out = k.stringSlice(out, 1);
    }
    this.#begun = !!options.stream && (this.#begun || bytes.length > 0);
    return out;
  }
}

for (const [type, name] of [[TextEncoder, "TextEncoder"], [TextDecoder, "TextDecoder"]]) {
  k.defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true });
}

module.exports = { TextEncoder, TextDecoder };
