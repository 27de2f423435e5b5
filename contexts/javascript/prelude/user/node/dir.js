// SPDX-License-Identifier: MIT
// dir.js - what fs.opendir gives: the entries of a folder, one after the other.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");

class Dir {
  #path;
  #entries;
  #isOpen = true;

  /** Takes the entries that are there now. */
  constructor(path, entries) {
    this.#path = path;
    this.#entries = entries;
  }

  get path() {
    return this.#path;
  }

  readSync() {
    this.#check();
    return this.#entries.length > 0 ? k.arrayShift(this.#entries) : null;
  }

  closeSync() {
    this.#check();
    this.#isOpen = false;
  }

  #check() {
    if (!this.#isOpen) {
      throw coded(k.Error, "ERR_DIR_CLOSED", "Directory handle was closed");
    }
  }

  read(callback) {
    return answer(async () => this.readSync(), callback);
  }

  close(callback) {
    return answer(async () => this.closeSync(), callback);
  }

  async* entries() {
    try {
      for (let entry = this.readSync(); entry !== null; entry = this.readSync()) {
        yield entry;
      }
    } finally {
      this.closeSync();
    }
  }
}
k.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  value: Dir.prototype.entries, writable: true, configurable: true,
});

/** A promise, or nothing when there is a callback. */
function answer(call, callback) {
  const promise = call();
  if (callback === undefined) {
    return promise;
  }
  k.promiseThen(promise, (value) => callback(null, value), callback);
  return undefined;
}

module.exports = { Dir };
