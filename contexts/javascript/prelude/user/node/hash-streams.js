// SPDX-License-Identifier: MIT
// hash-streams.js - makes Hash and Hmac streams: what is written to one is hashed, and read from it
// is the digest. Most are never used so, and become streams only when they are.
"use strict";

const k = require("node/kit");
const { exports: { Hash, Hmac } } = require("node/crypto");
const { Stream: { Transform } } = require("node/stream");

function addState(prototype, name) {
  k.defineProperty(prototype, name, {
    configurable: true,
    get() {
      k.apply(Transform, this, []);
      return this[name];
    },
    set(value) {
      k.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
    },
  });
}

const METHODS = {
  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  },
  _flush(done) {
    this.push(this.digest());
    done();
  },
};

for (const { prototype } of [Hash, Hmac]) {
  k.setPrototypeOf(prototype, Transform.prototype);
  addState(prototype, "_readableState");
  addState(prototype, "_writableState");
  for (const name of k.objectKeys(METHODS)) {
    k.defineProperty(prototype, name, { value: METHODS[name], writable: true, configurable: true });
  }
}
