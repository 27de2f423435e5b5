// SPDX-License-Identifier: MIT
// buffer.js - Buffer from npm, with its slow conversions replaced by ours in C.
"use strict";

const k = require("node/kit");
const { Buffer, SlowBuffer, kMaxLength } = require("buffer");
const encodings = require("node/encodings");

const { from, byteLength, isEncoding, prototype } = Buffer;
const npm = { toString: prototype.toString, write: prototype.write, fill: prototype.fill };

/** Turns fresh bytes of ours into a Buffer, without copying. */
function adopt(bytes) {
  return k.setPrototypeOf(bytes, prototype);
}

const numberToString = k.uncurry(Number.prototype.toString);

/** Before user code. */
function define(target, methods) {
  for (const name of k.ownKeys(methods)) {
    k.defineProperty(target, name, { value: methods[name], writable: true, configurable: true });
  }
}

define(Buffer, {
  from(value, encoding, length) {
    if (typeof value !== "string") {
      return from(value, encoding, length);
    }
    return adopt(encodings.encode(value, typeof encoding === "string" ? encoding : "utf8"));
  },
  byteLength(value, encoding) {
    return typeof value === "string" ? encodings.lengthOf(value, encoding) : byteLength(value);
  },
  isEncoding(name) {
    return typeof name === "string" &&
      (encodings.normalize(name) !== undefined || isEncoding(name));
  },
  copyBytesFrom(view, offset = 0, length = view.length - offset) {
    return adopt(new k.Uint8Array(encodings.viewOf(k.bytesSlice(view, offset, offset + length))));
  },
});

define(prototype, {
  toString(encoding, start, end) {
    if (!(this instanceof k.Uint8Array)) {
      return k.apply(npm.toString, this, [encoding, start, end]);
    }
    const first = k.max(0, start | 0);
    const last = end === undefined ? this.length : k.min(end | 0, this.length);
    return last <= first ? "" : encodings.decode(this, encoding, first, last);
  },
  write(string, offset, length, encoding) {
    if (typeof offset === "string") {
      encoding = offset;
      offset = undefined;
      length = undefined;
    } else if (typeof length === "string") {
      encoding = length;
      length = undefined;
    }
    if (encoding === "base64url") {
      encoding = "base64";
    }
    return k.apply(npm.write, this, [string, offset ?? 0, length ?? this.length,
                                     encoding ?? "utf8"]);
  },
  toLocaleString(encoding, start, end) {
    return this.toString(encoding, start, end);
  },
});

const SHOWN = 50; // bytes that inspect shows
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

define(prototype, {
  [INSPECT]() {
    let text = "";
    for (let i = 0; i < k.min(this.length, SHOWN); i++) {
      text += `${i > 0 ? " " : ""}${k.stringPadStart(numberToString(this[i], 16), 2, "0")}`;
    }
    const more = this.length - SHOWN;
    const rest = more > 0 ? ` ... ${more} more byte${more > 1 ? "s" : ""}` : "";
    return `<${this.constructor?.name ?? "Buffer"} ${text}${rest}>`;
  },
});
k.defineProperty(prototype, "constructor", { value: Buffer, writable: true, configurable: true });

/** Bytes of ours as a Buffer; a string by an encoding, bytes as they are. */
function toBuffer(value, encoding) {
  return typeof value === "string" ? adopt(encodings.encode(value, encoding))
                                   : adopt(encodings.viewOf(value));
}

function isUtf8(value) {
  return native.text.fromUtf8(encodings.viewOf(value), 0, undefined, true) !== undefined;
}

function isAscii(value) {
  const bytes = encodings.viewOf(value);
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] > 127) {
      return false;
    }
  }
  return true;
}

const MAX_STRING = 2 ** 30 - 25;

module.exports = {
  adopt, toBuffer,
  exports: {
    Buffer, SlowBuffer, kMaxLength, kStringMaxLength: MAX_STRING, INSPECT_MAX_BYTES: 50,
    constants: { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: MAX_STRING },
    isUtf8, isAscii, atob: globalThis.atob, btoa: globalThis.btoa,
  },
};
