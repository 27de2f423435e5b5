// SPDX-License-Identifier: MIT
// readline.js - the modules readline and readline/promises: lines of a stream. There is no
// terminal.
"use strict";

const k = require("node/kit");
const { coded, argumentType, checkFunction } = require("node/node-error");
const EventEmitter = require("node/events");
const { StringDecoder } = require("node/string-decoder");
const { AbortError } = require("readable-stream/ours/errors");
const { asks, isAsked } = require("node/stdio");

const WAITING_LINES = 1024; // that an iteration has not taken yet, before the input is paused

/** (input, output?, completer?, terminal?) or one object. */
function optionsOf(input, output) {
  const options = typeof input?.input === "object" ? input : { input, output };
  if (typeof options.input?.on !== "function") {
    throw argumentType("input", "an instance of Stream", options.input);
  }
  return options;
}

let ask; // shows a text and gives the next line to a callback

class Interface extends EventEmitter {
  #decoder = new StringDecoder("utf8");
  #rest = ""; // of the last piece: the beginning of a line
  #answer = null; // takes the next line
  #iterator;
  #prompt;
  #listeners;
  terminal = false;
  line = "";
  cursor = 0;
  closed = false;
  paused = false;

  constructor(given, output) {
    super();
    const { input, output: target, prompt = "> ", signal } = optionsOf(given, output);
    this.input = input;
    this.output = target;
    this.#prompt = `${prompt}`;
    this.#listeners = [
      ["data", (data) => this.#take(this.#decoder.write(data))],
      ["end", () => this.#end()],
      ["error", (error) => this.emit("error", error)],
    ];
    k.arrayForEach(this.#listeners, ({ 0: name, 1: listener }) => input.on(name, listener));
    if (signal !== undefined) {
      EventEmitter.addAbortListener(signal, () => this.close());
    }
    if (!isAsked(input)) {
      input.resume();
      return;
    }
    input.pause();
    this.paused = true;
    this.on("newListener", (name) => name === "line" && this.resume());
  }

  /** Where each line is a question, none is asked that nobody wants to hear the answer of. */
  #mayPause() {
    if (isAsked(this.input) && this.#answer === null && this.listenerCount("line") === 0) {
      this.pause();
    }
  }

  #take(text) {
    const all = this.#rest + text;
    const ending = /\r\n|\n|\r/g;
    let start = 0;
    this.#rest = "";
    for (let found = ending.exec(all); found !== null; found = ending.exec(all)) {
      if (found[0] === "\r" && ending.lastIndex === all.length) {
        break; // it may be half of an ending
      }
      const line = k.stringSlice(all, start, found.index);
      start = ending.lastIndex;
      this.#give(line);
    }
    this.#rest = k.stringSlice(all, start) + this.#rest;
  }

  #give(line) {
    const answer = this.#answer;
    if (answer === null) {
      this.emit("line", line);
    } else {
      this.#answer = null;
      answer(line);
    }
    this.#mayPause();
  }

  #end() {
    this.#take(this.#decoder.end());
    const line = this.#rest;
    this.#rest = "";
    if (line !== "") {
      this.#give(k.stringEndsWith(line, "\r") ? k.stringSlice(line, 0, -1) : line);
    }
    this.close();
  }

  close() {
    if (this.closed) {
      return;
    }
    this.pause();
    k.arrayForEach(this.#listeners, ({ 0: name, 1: listener }) =>
      this.input.removeListener(name, listener));
    this.closed = true;
    this.emit("close");
  }

  pause() {
    if (!this.paused) {
      this.input.pause();
      this.paused = true;
      this.emit("pause");
    }
    return this;
  }

  resume() {
    if (this.paused) {
      this.input.resume();
      this.paused = false;
      this.emit("resume");
    }
    return this;
  }

  getPrompt() { return this.#prompt; }
  setPrompt(prompt) { this.#prompt = `${prompt}`; }
  prompt() { this.#show(this.#prompt); }
  getCursorPos() { return { rows: 0, cols: this.cursor }; }

  /** A prompt for a line that the client is asked for is told with the question. */
  #show(text) {
    this.resume();
    if (!asks(this.input, this.output, text)) {
      this.output?.write(text);
    }
  }

  write(data) {
    this.#checkOpen();
    this.resume();
    if (data !== undefined && data !== null) {
      this.#take(`${data}`);
    }
  }

  #checkOpen() {
    if (this.closed) {
      throw coded(k.Error, "ERR_USE_AFTER_CLOSE", "readline was closed");
    }
  }

  /** Shows a text; the next line goes to the callback. */
  question(query, options, callback = options) {
    this.#checkOpen();
    if (typeof callback !== "function") {
      return;
    }
    ask(this, `${query}`, options?.signal, callback, () => {});
  }

  static {
    ask = (self, query, signal, callback, give) => {
      self.#checkOpen();
      if (signal?.aborted) {
        give(new AbortError(undefined, { cause: signal.reason }));
        return;
      }
      if (self.#answer !== null) {
        self.prompt();
        return;
      }
      const listening = signal && EventEmitter.addAbortListener(signal, () => {
        self.#answer = null;
        give(new AbortError(undefined, { cause: signal.reason }));
      });
      self.#answer = (line) => {
        listening?.[Symbol.dispose]();
        callback(line);
      };
      self.#show(query);
    };
  }

  [Symbol.asyncIterator]() {
    this.#iterator ??= iterate(this);
    return this.#iterator;
  }

  [Symbol.dispose]() {
    this.close();
  }
}

/** The lines from now on, until the interface is closed. */
function iterate(lines) {
  const waiting = []; // lines that nobody has taken
  const takers = []; // who waits for one
  let failure;
  const settle = () => {
    while (takers.length > 0 && (waiting.length > 0 || failure !== undefined || lines.closed)) {
      const { resolve, reject } = k.arrayShift(takers);
      if (waiting.length > 0) {
        resolve({ value: k.arrayShift(waiting), done: false });
      } else if (failure !== undefined) {
        reject(failure.error);
        failure = undefined;
      } else {
        resolve({ value: undefined, done: true });
      }
    }
    if (waiting.length === 0 && !lines.closed) {
      lines.resume();
    }
  };
  const onLine = (line) => {
    k.arrayPush(waiting, line);
    if (waiting.length > WAITING_LINES) {
      lines.pause();
    }
    settle();
  };
  const onError = (error) => {
    failure = { error };
    settle();
  };
  lines.on("line", onLine);
  lines.on("error", onError);
  lines.on("close", settle);
  return {
    next() {
      return new k.Promise((resolve, reject) => {
        k.arrayPush(takers, { resolve, reject });
        settle();
      });
    },
    async return() {
      lines.removeListener("line", onLine);
      lines.removeListener("error", onError);
      lines.close();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

class PromiseInterface extends Interface {
  question(query, options) {
    return new k.Promise((resolve, reject) =>
      ask(this, `${query}`, options?.signal, resolve, reject));
  }
}
k.defineProperty(PromiseInterface, "name", { value: "Interface", configurable: true });

k.defineProperty(Interface.prototype.question, Symbol.for("nodejs.util.promisify.custom"), {
  configurable: true,
  value(query, options) {
    return new k.Promise((resolve, reject) =>
      ask(this, `${query}`, options?.signal, resolve, reject));
  },
});

// Movements of a cursor are texts to a terminal.

function sendTo(stream, text, callback) {
  if (callback !== undefined) {
    checkFunction(callback, "callback");
  }
  if (stream === null || stream === undefined) {
    if (callback !== undefined) {
      globalThis.queueMicrotask(() => callback(null));
    }
    return true;
  }
  return stream.write(text, callback);
}

const clearLine = (stream, direction, callback) =>
  sendTo(stream, direction < 0 ? "\x1b[1K" : direction > 0 ? "\x1b[0K" : "\x1b[2K", callback);
const clearScreenDown = (stream, callback) => sendTo(stream, "\x1b[0J", callback);

function cursorTo(stream, x, y, callback) {
  const done = typeof y === "function" ? y : callback;
  return sendTo(stream, typeof y === "number" ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`, done);
}

function moveCursor(stream, dx, dy, callback) {
  const across = dx < 0 ? `\x1b[${-dx}D` : dx > 0 ? `\x1b[${dx}C` : "";
  const along = dy < 0 ? `\x1b[${-dy}A` : dy > 0 ? `\x1b[${dy}B` : "";
  return sendTo(stream, across + along, callback);
}

const promises = {
  Interface: PromiseInterface,
  createInterface: (input, output) => new PromiseInterface(input, output),
};

module.exports = {
  Interface, promises, clearLine, clearScreenDown, cursorTo, moveCursor,
  createInterface: (input, output) => new Interface(input, output),
  emitKeypressEvents() {}, // there are no keys
};
