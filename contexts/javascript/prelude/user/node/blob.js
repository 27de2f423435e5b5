// SPDX-License-Identifier: MIT
// blob.js - Blob and File: bytes with a type, and a name.
"use strict";

const k = require("node/kit");
const { encode, decode, viewOf } = require("node/encodings");
const { coded } = require("node/node-error");
const { showBy } = require("node/event-target");
const { streamOf } = require("node/web-stream");
const { exports: buffer } = require("node/buffer");

const dateNow = k.Date.now;

let blobBytes;

class Blob {
  #bytes;
  #type;

  constructor(parts = [], options = {}) {
    this.#bytes = join([...parts].map((part) =>
      (part instanceof Blob ? part.#bytes : bytesOf(part) ?? encode(`${part}`))));
    this.#type = options.type === undefined ? "" : k.stringToLowerCase(`${options.type}`);
  }

  static {
    blobBytes = (blob) => blob.#bytes;
  }

  get size() { return this.#bytes.length; }
  get type() { return this.#type; }
  async text() { return decode(this.#bytes); }
  async arrayBuffer() { return new k.Uint8Array(this.#bytes).buffer; }
  async bytes() { return new k.Uint8Array(this.#bytes); }
  stream() { return streamOf(this.#bytes); }

  slice(start = 0, end = this.size, type = "") {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
}
showBy(Blob, ["size", "type"]);

class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = {}) {
    if (arguments.length < 2) {
      throw coded(k.TypeError, "ERR_MISSING_ARGS",
                  'The "fileBits" and "fileName" arguments must be specified');
    }
    super(parts, options);
    this.#name = `${name}`;
    this.#lastModified = options.lastModified === undefined ? dateNow()
      : k.Number(options.lastModified);
  }

  get name() { return this.#name; }
  get lastModified() { return this.#lastModified; }
}
showBy(File, ["size", "type", "name", "lastModified"]);

function join(chunks) {
  const all = new k.Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    k.bytesSet(all, chunk, at);
    at += chunk.length;
  }
  return all;
}

/** Bytes of what is bytes or a string; undefined for anything else. */
function bytesOf(value) {
  if (typeof value === "string") {
    return encode(value);
  }
  return k.isView(value) || value instanceof k.ArrayBuffer ? new k.Uint8Array(viewOf(value))
    : undefined;
}

k.assign(buffer, { Blob, File });

module.exports = { Blob, File, blobBytes, bytesOf, join };
