// SPDX-License-Identifier: MIT
// child-pipes.js - stdin, stdout and stderr of a child process, as far as streams are needed for that.
"use strict";

const k = require("node/kit");
const { callError, coded } = require("node/node-error");
const { encode, viewOf } = require("node/encodings");
const { adopt } = require("node/buffer");
const { StringDecoder } = require("node/string-decoder");
const EventEmitter = require("node/events");
const { readSome, writeSome } = require("node/child-launch");
const { fs } = native;

const EPIPE = 32;

/** What a process prints. */
class OutputPipe extends EventEmitter {
  #fd;
  #watch;
  #decoder = null;
  readable = true;

  constructor(fd) {
    super();
    this.#fd = fd;
    this.#watch = native.watch(fd, false, () => this.#read());
  }

  setEncoding(encoding) {
    this.#decoder = new StringDecoder(encoding);
    return this;
  }

  #read() {
    const bytes = readSome(this.#fd);
    if (bytes === undefined) {
      return;
    }
    if (bytes !== null) {
      this.#give(this.#decoder === null ? adopt(bytes) : this.#decoder.write(bytes));
      return;
    }
    this.#give(this.#decoder === null ? "" : this.#decoder.end());
    native.unwatch(this.#watch);
    fs.close(this.#fd);
    this.readable = false;
    this.emit("end");
    this.emit("close");
  }

  #give(data) {
    if (data.length > 0) {
      this.emit("data", data);
    }
  }

  pipe(target) {
    this.on("data", (data) => target.write(data));
    return target;
  }

  resume() {
    return this;
  }

  async* [Symbol.asyncIterator]() {
    const end = new k.Promise((resolve) => this.once("end", () => resolve(null)));
    const events = EventEmitter.on(this, "data");
    for (;;) {
      const next = await k.Promise.race([events.next(), end]);
      if (next === null) {
        return;
      }
      yield next.value[0];
    }
  }
}

class InputPipe extends EventEmitter {
  #fd;
  #waiting = [];
  #watch = null;
  #ending = false;
  writable = true;

  constructor(fd) {
    super();
    this.#fd = fd;
  }

  write(data, encoding) {
    if (!this.writable) {
      this.emit("error", coded(k.Error, "ERR_STREAM_WRITE_AFTER_END", "write after end"));
      return false;
    }
    this.#waiting.push(typeof data === "string" ? encode(data, typeof encoding === "string" ? encoding : "utf8") : viewOf(data));
    this.#watch ??= native.watch(this.#fd, true, () => this.#flush());
    return true;
  }

  end(data, encoding) {
    if (data !== undefined && typeof data !== "function") {
      this.write(data, encoding);
    }
    this.writable = false;
    this.#ending = true;
    this.#watch ??= native.watch(this.#fd, true, () => this.#flush());
    return this;
  }

  #flush() {
    while (this.#waiting.length > 0) {
      const left = writeSome(this.#fd, this.#waiting[0]);
      if (left === null) {
        this.#close();
        this.emit("error", callError(EPIPE, "write"));
        return;
      }
      if (left.length > 0) {
        this.#waiting[0] = left;
        return;
      }
      this.#waiting.shift();
    }
    native.unwatch(this.#watch);
    this.#watch = null;
    if (this.#ending) {
      this.#close();
      this.emit("finish");
    }
  }

  #close() {
    if (this.#watch !== null) {
      native.unwatch(this.#watch);
    }
    this.#watch = null;
    this.#waiting = [];
    this.writable = false;
    fs.close(this.#fd);
    this.emit("close");
  }
}

module.exports = { OutputPipe, InputPipe };
