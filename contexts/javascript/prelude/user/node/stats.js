// SPDX-License-Identifier: MIT
// stats.js - what fs tells about a file: Stats and Dirent.
"use strict";

const k = require("node/kit");

const TYPES = {
  isDirectory: 0o040000, isFile: 0o100000, isBlockDevice: 0o060000, isCharacterDevice: 0o020000,
  isSymbolicLink: 0o120000, isFIFO: 0o010000, isSocket: 0o140000,
};
const FIELDS = ["dev", "mode", "nlink", "uid", "gid", "rdev", "blksize", "ino", "size", "blocks",
                "atimeMs", "mtimeMs", "ctimeMs", "birthtimeMs"];
const TIMES = ["atime", "mtime", "ctime", "birthtime"];

class Stats {
  constructor(values, isBig) {
    for (let i = 0; i < FIELDS.length; i++) {
      this[FIELDS[i]] = isBig ? k.BigInt(k.floor(values[i])) : values[i];
    }
    for (let i = 0; i < TIMES.length; i++) {
      const ms = values[FIELDS.length - TIMES.length + i];
      if (isBig) {
        this[`${TIMES[i]}Ns`] = k.BigInt(k.floor(ms)) * 1000000n;
      }
      this[TIMES[i]] = new k.Date(ms);
    }
  }
}

class Dirent {
  #type;

  constructor(name, folder, type) {
    this.name = name;
    this.parentPath = folder;
    this.path = folder;
    this.#type = type << 12; // as the upper bits of a mode
  }

  static typeOf(entry) {
    return entry.#type;
  }
}

const { typeOf } = Dirent;
delete Dirent.typeOf;

for (const name of k.objectKeys(TYPES)) {
  const type = TYPES[name];
  k.defineProperty(Stats.prototype, name, {
    value() {
      return (k.Number(this.mode) & 0o170000) === type;
    }, writable: true, configurable: true,
  });
  k.defineProperty(Dirent.prototype, name, {
    value() {
      return typeOf(this) === type;
    }, writable: true, configurable: true,
  });
}

module.exports = { Stats, Dirent };
