// SPDX-License-Identifier: MIT
// child-pipes.js - stdin, stdout and stderr of a child process, as streams.
"use strict";

const k = require("node/kit");
const { adopt } = require("node/buffer");
const { Stream: { Readable, Writable } } = require("node/stream");
const { readSome, writeSome } = require("node/child-launch");
const { fs } = native;

const EPIPE = 32;

/** A descriptor, and what the loop does when it is ready; waits for nothing unless told. */
class Pipe {
  #fd;
  #watch = null;

  constructor(fd) {
    this.#fd = fd;
  }

  /** Calls once when it can be read or written. */
  await(forWriting, call) {
    this.#watch ??= native.watch(this.#fd, forWriting, () => {
      this.#forget();
      call();
    });
  }

  #forget() {
    if (this.#watch !== null) {
      native.unwatch(this.#watch);
      this.#watch = null;
    }
  }

  read() {
    return readSome(this.#fd);
  }

  write(bytes) {
    return writeSome(this.#fd, bytes);
  }

  close() {
    this.#forget();
    fs.close(this.#fd);
  }
}

/** The other end is closed. */
function brokenPipe() {
  return k.assign(new k.Error("write EPIPE"), { errno: -EPIPE, code: "EPIPE", syscall: "write" });
}

/** What a process prints. */
class OutputPipe extends Readable {
  #pipe;

  constructor(fd) {
    super();
    this.#pipe = new Pipe(fd);
  }

  _read() {
    this.#pipe.await(false, () => {
      const bytes = this.#pipe.read();
      if (bytes === undefined) {
        this._read();
      } else {
        this.push(bytes === null ? null : adopt(bytes));
      }
    });
  }

  _destroy(error, done) {
    this.#pipe.close();
    done(error);
  }
}

/** What it is told. */
class InputPipe extends Writable {
  #pipe;

  constructor(fd) {
    super();
    this.#pipe = new Pipe(fd);
  }

  _write(bytes, _encoding, done) {
    const left = this.#pipe.write(bytes);
    if (left === null) {
      done(brokenPipe());
    } else if (left.length > 0) {
      this.#pipe.await(true, () => this._write(left, undefined, done));
    } else {
      done();
    }
  }

  _destroy(error, done) {
    this.#pipe.close();
    done(error);
  }
}

/** For a process that did not start: streams that are at their end. */
function deadPipes() {
  const output = () => new Readable({ read() { this.push(null); } });
  return [new Writable({ write: (_bytes, _encoding, done) => done() }), output(), output()];
}

module.exports = { OutputPipe, InputPipe, deadPipes };
