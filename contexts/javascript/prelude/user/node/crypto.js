// SPDX-License-Identifier: MIT
// crypto.js - the module crypto and the global of that name: random values and hashes.
"use strict";

const k = require("node/kit");
const { coded, argumentType, argumentRange } = require("node/node-error");
const { encode, viewOf } = require("node/encodings");
const { adopt } = require("node/buffer");
const { DOMException } = globalThis;
const { crypto } = native;

const KINDS = {
  "md5": [0, 64], "sha1": [1, 64], "sha-1": [1, 64], "sha224": [2, 64], "sha-224": [2, 64],
  "sha256": [3, 64], "sha-256": [3, 64], "sha384": [4, 128], "sha-384": [4, 128],
  "sha512": [5, 128], "sha-512": [5, 128], "__proto__": null,
};

/** [number, bytes of a block] of a hash; throws `refusal` when there is none of that name. */
function kindOf(name, refusal) {
  if (typeof name !== "string") {
    throw argumentType("algorithm", "of type string", name);
  }
  const kind = KINDS[k.stringToLowerCase(name)];
  if (kind === undefined) {
    throw refusal;
  }
  return kind;
}

function bytesOf(data, encoding, name = "data") {
  if (typeof data === "string") {
    return encode(data, encoding);
  }
  if (k.isView(data) || data instanceof k.ArrayBuffer) {
    return viewOf(data);
  }
  throw argumentType(name, "of type string or an instance of Buffer, TypedArray, or DataView",
                     data);
}

function shown(bytes, encoding) {
  const buffer = adopt(bytes);
  return encoding === undefined || encoding === "buffer" ? buffer : buffer.toString(encoding);
}

let startHash; // a Hash from a state

class Hash {
  #state;
  #ended = false;

  constructor(algorithm) {
    this.#state = algorithm === undefined ? undefined
      : crypto.hashBegin(kindOf(algorithm, new k.Error("Digest method not supported"))[0]);
  }

  static {
    startHash = (state) => {
      const hash = new Hash();
      hash.#state = state;
      return hash;
    };
  }

  update(data, encoding) {
    if (this.#ended) {
      throw coded(k.Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    }
    crypto.hashAdd(this.#state, bytesOf(data, encoding));
    return this;
  }

  copy() {
    return startHash(new k.Uint8Array(this.#state));
  }

  digest(encoding) {
    if (this.#ended) {
      throw coded(k.Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    }
    this.#ended = true;
    return shown(crypto.hashEnd(this.#state), encoding);
  }
}

function digest(kind, ...pieces) {
  const state = crypto.hashBegin(kind);
  for (const piece of pieces) {
    crypto.hashAdd(state, piece);
  }
  return crypto.hashEnd(state);
}

class Hmac {
  #kind;
  #outer;
  #state;

  constructor(algorithm, key) {
    const [kind, size] = kindOf(
      algorithm, coded(k.Error, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${algorithm}`));
    const given = bytesOf(key, undefined, "key");
    const short = given.length > size ? digest(kind, given) : given;
    const inner = new k.Uint8Array(size);
    k.bytesSet(inner, short);
    const outer = new k.Uint8Array(inner);
    for (let i = 0; i < size; i++) {
      inner[i] ^= 0x36;
      outer[i] ^= 0x5c;
    }
    this.#kind = kind;
    this.#outer = outer;
    this.#state = crypto.hashBegin(kind);
    crypto.hashAdd(this.#state, inner);
  }

  update(data, encoding) {
    crypto.hashAdd(this.#state, bytesOf(data, encoding));
    return this;
  }

  digest(encoding) {
    return shown(digest(this.#kind, this.#outer, crypto.hashEnd(this.#state)), encoding);
  }
}

function randomFill(bytes) {
  crypto.fill(bytes);
  return bytes;
}

function randomBytes(size, callback) {
  if (typeof size !== "number") {
    throw argumentType("size", "of type number", size);
  }
  if (!(size >= 0 && size <= 2 ** 31 - 1)) {
    throw argumentRange("size", ">= 0 && <= 2147483647", size);
  }
  const bytes = adopt(randomFill(new k.Uint8Array(size)));
  if (callback === undefined) {
    return bytes;
  }
  globalThis.queueMicrotask(() => callback(null, bytes));
  return undefined;
}

function randomUUID() {
  const bytes = randomFill(new k.Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = k.bytesToHex(bytes);
  const part = (from, to) => k.stringSlice(hex, from, to);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20)}`;
}

/** An integer in [low, high), every one equally likely. */
function randomInt(first, second, third) {
  const [low, high] = typeof second === "number" ? [first, second] : [0, first];
  const callback = typeof second === "function" ? second : third;
  const range = high - low;
  if (!k.isInteger(low) || !k.isInteger(high) || !(range > 0 && range <= 2 ** 48 - 1)) {
    throw argumentRange("max", `greater than the value of "min" (${low})`, high);
  }
  const limit = 2 ** 48 - (2 ** 48 % range);
  const bytes = new k.Uint8Array(6);
  let value;
  do {
    randomFill(bytes);
    value = 0;
    for (let i = 0; i < 6; i++) {
      value = value * 256 + bytes[i];
    }
  } while (value >= limit);
  const result = low + (value % range);
  if (typeof callback === "function") {
    globalThis.queueMicrotask(() => callback(null, result));
    return undefined;
  }
  return result;
}

function getRandomValues(array) {
  const isInteger = k.isView(array) && !native.isKind(array,
                                                      ["Float32Array", "Float64Array", "DataView"]);
  if (!isInteger) {
    throw new DOMException("The data argument must be an integer-type TypedArray",
                           "TypeMismatchError");
  }
  if (array.byteLength > 65536) {
    throw new DOMException(
      `The requested length exceeds 65,536 bytes`, "QuotaExceededError");
  }
  randomFill(viewOf(array));
  return array;
}

function timingSafeEqual(a, b) {
  const [left, right] = [viewOf(a), viewOf(b)];
  if (left.length !== right.length) {
    throw coded(k.RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH",
                "Input buffers must have the same byte length");
  }
  let difference = 0;
  for (let i = 0; i < left.length; i++) {
    difference |= left[i] ^ right[i];
  }
  return difference === 0;
}

const subtle = {
  async digest(algorithm, data) {
    const name = typeof algorithm === "string" ? algorithm : algorithm?.name;
    const [kind] = kindOf(name, new DOMException("Unrecognized algorithm name",
                                                 "NotSupportedError"));
    return digest(kind, viewOf(data)).buffer;
  },
};

const webcrypto = { subtle, getRandomValues, randomUUID };
k.defineProperty(webcrypto, Symbol.toStringTag, { value: "Crypto", configurable: true });

module.exports = {
  webcrypto,
  exports: {
    randomBytes, randomUUID, randomInt, getRandomValues, timingSafeEqual, subtle,
    webcrypto, Hash, Hmac,
    pseudoRandomBytes: randomBytes,
    randomFillSync: (array, offset = 0, size = array.byteLength - offset) => {
      randomFill(k.bytesSubarray(viewOf(array), offset, offset + size));
      return array;
    },
    createHash: (algorithm) => new Hash(algorithm),
    createHmac: (algorithm, key) => new Hmac(algorithm, key),
    hash: (algorithm, data, encoding = "hex") => new Hash(algorithm).update(data).digest(encoding),
    getHashes: () => ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
  },
};
