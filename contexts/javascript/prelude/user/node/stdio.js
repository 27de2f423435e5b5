// SPDX-License-Identifier: MIT
// stdio.js - process.stdin, process.stdout and process.stderr as streams. What is printed is the
// cell's output; lines are asked for from its client.
"use strict";

const k = require("node/kit");
const { coded } = require("node/node-error");
const { Stream: { Readable, Writable } } = require("node/stream");
const { toBuffer } = require("node/buffer");
const { normalize } = require("node/encodings");
const { StringDecoder } = require("node/string-decoder");
const { process } = require("node/process");
const { globals: { setImmediate } } = require("timers");

/** Prints. */
class WriteStream extends Writable {
  #decoder = new StringDecoder("utf8");

  constructor(fd) {
    super({ decodeStrings: false });
    k.assign(this, { fd, isTTY: false, columns: 80, _isStdio: true });
  }

  _write(chunk, encoding, done) {
    const isText = typeof chunk === "string" && normalize(encoding) === "utf8";
    native.write(this.fd, isText ? chunk : this.#decoder.write(toBuffer(chunk, encoding)));
    done();
  }
}

let setPrompt;
let isOver;

/** Lines of the client: each is asked for when somebody is about to read it, and not before. */
class ReadStream extends Readable {
  #isWanted = false;
  #isAsking = false; // stays so when an interrupt ends the question
  #prompt = "";
  fd = 0;

  constructor() {
    super({ highWaterMark: 0 });
  }

  static {
    setPrompt = (input, text) => {
      input.#prompt = text;
    };
    isOver = (input) => input.#isAsking || input.destroyed || input.readableEnded;
  }

  _read() {
    this.#isWanted = true;
    this.#askSoon();
  }

  resume() {
    super.resume();
    if (this.#isWanted) {
      this.#askSoon();
    }
    return this;
  }

  /** Later, so that who has the last line can say that it was enough. */
  #askSoon() {
    native.reading(new k.Promise((done) => setImmediate(() => {
      const isPaused = this.readableFlowing === false && this.listenerCount("readable") === 0;
      if (this.#isWanted && !isPaused && !this.destroyed) {
        this.#isWanted = false;
        this.#ask();
      }
      done();
    })));
  }

  #ask() {
    const prompt = this.#prompt;
    let line;
    this.#prompt = "";
    this.#isAsking = true;
    try {
      line = native.ask(prompt, "process.stdin");
    } catch (error) {
      this.#isAsking = false;
      this.destroy(coded(k.Error, "ERR_NO_INPUT", error.message));
      return;
    }
    this.#isAsking = false;
    this.push(line === null ? null : `${line}\n`);
  }

  ref() { return this; }
  unref() { return this; }
}
const MAKERS = {
  stdin: () => new ReadStream(),
  stdout: () => new WriteStream(1),
  stderr: () => new WriteStream(2),
};
const current = { stdin: MAKERS.stdin(), stdout: MAKERS.stdout(), stderr: MAKERS.stderr() };

/** Cells come after each other: what ended in one begins anew in the next. */
function streamOf(name) {
  const last = current[name];
  if (name === "stdin" ? isOver(last) : last.writableEnded || last.destroyed) {
    current[name] = MAKERS[name]();
  }
  return current[name];
}

/** True when a text will be shown by who is asked for the next line, and so need not be printed. */
function asks(input, output, text) {
  const isOurs = input instanceof ReadStream && (output === undefined || output === current.stdout);
  if (isOurs) {
    setPrompt(input, text);
  }
  return isOurs;
}

k.arrayForEach(k.objectKeys(MAKERS), (name) => {
  k.defineProperty(process, name, { get: () => streamOf(name), enumerable: true,
                                    configurable: true });
});

// The module tty, which packages ask whether they may use colours.

class Terminal {
  constructor() {
    throw coded(k.Error, "ERR_TTY_INIT_FAILED", "TTY initialization failed: there is no terminal");
  }
}

const tty = {
  isatty: () => false,
  ReadStream: class ReadStream extends Terminal {},
  WriteStream: class WriteStream extends Terminal {},
};

module.exports = { asks, isAsked: (input) => input instanceof ReadStream, tty };
