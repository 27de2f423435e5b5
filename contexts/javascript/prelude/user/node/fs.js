// SPDX-License-Identifier: MIT
// fs.js - the module fs: the synchronous functions, and beside each one with a callback and one
// with a promise. Files do not block for long, so that these do their work at once and answer
// later.
"use strict";

const k = require("node/kit");
const { checkFunction } = require("node/node-error");
const { constants } = require("node/fs-arguments");
const { Stats, Dirent } = require("node/stats");
const sync = require("node/fs-sync");
const { Dir } = require("node/dir");
const { makeStreams } = require("node/fs-streams");
const { globals: { setImmediate } } = require("timers");

/** Gives the result of a call to a callback, later. */
function callLater(call, args, callback) {
  let error = null;
  let result;
  try {
    result = k.apply(call, undefined, args);
  } catch (thrown) {
    error = thrown;
  }
  setImmediate(() => (error === null ? callback(null, result) : callback(error)));
}

function withCallback(name, call) {
  const wrapped = (...args) => {
    const callback = k.arrayPop(args);
    checkFunction(typeof callback === "function" ? callback : undefined, "cb");
    callLater(call, args, callback);
  };
  k.defineProperty(wrapped, "name", { value: name, configurable: true });
  return wrapped;
}

/** The next turn of the loop: work of others goes on between two files. */
function turn() {
  return new k.Promise((done) => setImmediate(done));
}

function withPromise(name, call) {
  const wrapped = async (...args) => {
    await turn();
    return k.apply(call, undefined, args);
  };
  k.defineProperty(wrapped, "name", { value: name, configurable: true });
  return wrapped;
}

const fs = { ...sync, constants, Stats, Dirent, Dir };
const promises = { constants };
for (const full of k.objectKeys(sync)) {
  const name = k.stringSlice(full, 0, -"Sync".length);
  fs[name] = withCallback(name, sync[full]);
  promises[name] = withPromise(name, sync[full]);
}
for (const name of ["exists", "close", "fstat", "ftruncate", "fsync", "read", "write"]) {
  delete promises[name];
}
fs.exists = (file, callback) => {
  checkFunction(callback, "cb");
  setImmediate(callback, sync.existsSync(file));
};
fs.realpath.native = fs.realpath;
fs.read = (fd, buffer, ...rest) => {
  const callback = k.arrayPop(rest);
  k.arrayUnshift(rest, fd, buffer);
  callLater(sync.readSync, rest,
            (error, count) => callback(error, count, buffer));
};
fs.write = (fd, data, ...rest) => {
  const callback = k.arrayPop(rest);
  k.arrayUnshift(rest, fd, data);
  callLater(sync.writeSync, rest,
            (error, count) => callback(error, count, data));
};

/** What fs.promises.open gives. */
class FileHandle {
  constructor(fd) {
    this.fd = fd;
  }

  async read(buffer, offset, length, position) {
    return { bytesRead: sync.readSync(this.fd, buffer, offset, length, position), buffer };
  }

  async write(data, offset, length, position) {
    return { bytesWritten: sync.writeSync(this.fd, data, offset, length, position), buffer: data };
  }

  async readFile(options) {
    return sync.readFileSync(this.fd, options);
  }

  async writeFile(data, options) {
    return sync.writeFileSync(this.fd, data, options);
  }

  async appendFile(data, options) {
    return sync.appendFileSync(this.fd, data, options);
  }

  async stat(options) {
    return sync.fstatSync(this.fd, options);
  }

  async truncate(length) {
    return sync.ftruncateSync(this.fd, length);
  }

  async sync() {
    return sync.fsyncSync(this.fd);
  }

  createReadStream(options) {
    return new fs.ReadStream(undefined, { ...options, fd: this });
  }

  createWriteStream(options) {
    return new fs.WriteStream(undefined, { ...options, fd: this });
  }

  readLines(options) {
    return require("node/readline").createInterface({ input: this.createReadStream(options) });
  }

  async close() {
    if (this.fd >= 0) {
      sync.closeSync(this.fd);
      this.fd = -1;
    }
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

promises.open = withPromise("open", (...args) =>
  new FileHandle(k.apply(sync.openSync, undefined, args)));
fs.promises = promises;
k.assign(fs, makeStreams(fs));
k.assign(fs, { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 });

module.exports = fs;
