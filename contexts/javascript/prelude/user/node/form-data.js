// SPDX-License-Identifier: MIT
// form-data.js - FormData, and the two forms in which it travels.
"use strict";

const k = require("node/kit");
const { encode, decode } = require("node/encodings");
const { Blob, File, blobBytes, join } = require("node/blob");
const { toBuffer } = require("node/buffer");
const { exports: { randomBytes } } = require("node/crypto");
const { inspect } = require("format");
const { Symbol, URLSearchParams } = globalThis;

const toWellFormed = k.uncurry(k.String.prototype.toWellFormed);
const stringReplace = k.uncurry(k.String.prototype.replace);

function valueOf(value, filename) {
  if (!(value instanceof Blob)) {
    return toWellFormed(`${value}`);
  }
  if (value instanceof File && filename === undefined) {
    return value;
  }
  const { type, lastModified } = value;
  return new File([value], filename ?? "blob", { type, lastModified });
}

class FormData {
  #entries = [];

  constructor(form) {
    if (form !== undefined) {
      throw new k.TypeError(
        "FormData constructor: Argument 1 could not be converted to: undefined.");
    }
  }

  append(name, value, filename) {
    k.arrayPush(this.#entries, [toWellFormed(`${name}`), valueOf(value, filename)]);
  }

  set(name, value, filename) {
    const entry = [toWellFormed(`${name}`), valueOf(value, filename)];
    const at = this.#entries.findIndex((one) => one[0] === entry[0]);
    if (at < 0) {
      k.arrayPush(this.#entries, entry);
      return;
    }
    this.#entries[at] = entry;
    this.#entries = this.#entries.filter((one, i) => i <= at || one[0] !== entry[0]);
  }

  get(name) { return this.#entries.find((one) => one[0] === `${name}`)?.[1] ?? null; }
  getAll(name) { return this.#entries.filter((one) => one[0] === `${name}`).map((one) => one[1]); }
  has(name) { return this.#entries.some((one) => one[0] === `${name}`); }
  delete(name) { this.#entries = this.#entries.filter((one) => one[0] !== `${name}`); }
  forEach(call, self) {
    this.#entries.forEach(([name, value]) => call.call(self, value, name, this));
  }
  entries() { return this.#entries.map(([name, value]) => [name, value]).values(); }
  keys() { return this.#entries.map((one) => one[0]).values(); }
  values() { return this.#entries.map((one) => one[1]).values(); }
  [Symbol.iterator]() { return this.entries(); }

  [Symbol.for("nodejs.util.inspect.custom")](_depth, options) {
    const shown = {};
    for (const [name, value] of this.#entries) {
      shown[name] = k.hasOwn(shown, name) ? [shown[name], value].flat() : value;
    }
    return `FormData ${inspect(shown, options)}`;
  }
}
k.defineProperty(FormData.prototype, Symbol.toStringTag, { value: "FormData", configurable: true });

// multipart/form-data: RFC 7578, with the escapes of the HTML standard.

function normalizeLines(text) {
  return stringReplace(text, /\r?\n|\r/g, "\r\n");
}

function escapeName(name) {
  return stringReplace(name, /[\r\n"]/g, (c) => (c === "\n" ? "%0A" : c === "\r" ? "%0D" : "%22"));
}

/** {bytes, type} of a form as a body. */
function encodeForm(form) {
  const boundary = `----formdata-pandia-${k.bytesToHex(randomBytes(8))}`;
  const parts = [];
  for (const [name, value] of form) {
    const isFile = typeof value !== "string";
    const file = isFile ? `; filename="${escapeName(value.name)}"` : "";
    const type = isFile ? `Content-Type: ${value.type || "application/octet-stream"}\r\n` : "";
    const label = escapeName(normalizeLines(name));
    const disposition = `Content-Disposition: form-data; name="${label}"${file}`;
    k.arrayPush(parts, encode(`--${boundary}\r\n${disposition}\r\n${type}\r\n`));
    k.arrayPush(parts, isFile ? blobBytes(value) : encode(normalizeLines(value)));
    k.arrayPush(parts, encode("\r\n"));
  }
  k.arrayPush(parts, encode(`--${boundary}--\r\n`));
  return { bytes: join(parts), type: `multipart/form-data; boundary=${boundary}` };
}

function malformed() {
  return new k.TypeError("Failed to parse body as FormData.");
}

function parameterOf(header, name) {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]*))`, "i").exec(header);
  const text = found?.[1] ?? found?.[2];
  return text === undefined ? undefined
                            : text.replace(/%0A|%0D|%22/gi, (code) => decodeURIComponent(code));
}

function addPart(form, part) {
  const split = part.indexOf("\r\n\r\n");
  if (split < 0) {
    throw malformed();
  }
  const head = part.toString("utf8", 0, split);
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1];
  const name = disposition === undefined ? undefined : parameterOf(disposition, "name");
  if (name === undefined) {
    throw malformed();
  }
  const content = part.subarray(split + 4);
  const filename = parameterOf(disposition, "filename");
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? "text/plain";
  form.append(name, filename === undefined ? decode(content)
              : new File([content], filename, { type }));
}

function parseMultipart(bytes, type) {
  const boundary = parameterOf(type, "boundary");
  const all = toBuffer(bytes);
  const form = new FormData();
  let at = boundary === undefined ? -1 : all.indexOf(`--${boundary}`);
  if (at < 0) {
    throw malformed();
  }
  for (;;) {
    at += boundary.length + 2;
    if (all.toString("latin1", at, at + 2) === "--") {
      return form;
    }
    const next = all.indexOf(`\r\n--${boundary}`, at);
    if (next < 0) {
      throw malformed();
    }
    addPart(form, all.subarray(at + 2, next));
    at = next + 2;
  }
}

/** The form that a body is, by its type. */
function decodeForm(bytes, type) {
  if (k.regExpTest(/^multipart\/form-data\b/i, type)) {
    return parseMultipart(bytes, type);
  }
  if (k.regExpTest(/^application\/x-www-form-urlencoded\b/i, type)) {
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(decode(bytes))) {
      form.append(name, value);
    }
    return form;
  }
  throw new k.TypeError(
    'Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
}

module.exports = { FormData, encodeForm, decodeForm };
