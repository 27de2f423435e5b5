// SPDX-License-Identifier: MIT
// web-stream.js - ReadableStream, as far as bodies of fetch need one: readers, async iteration,
// cancel, sources that push and sources that are pulled.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");

const { Promise, Symbol } = globalThis;

function invalidState(text) {
  return coded(k.TypeError, "ERR_INVALID_STATE", `Invalid state: ${text}`);
}

function absent(name, instead) {
  return coded(k.Error, "ERR_METHOD_NOT_IMPLEMENTED",
               `ReadableStream.${name}() is not part of this JavaScript engine; ${instead}. ` +
               "docs/JAVASCRIPT.md lists what is.");
}

/** A promise and what settles it. Nobody has to hear of its rejection. */
function deferred() {
  const it = {};
  it.promise = new Promise((resolve, reject) => {
    it.resolve = resolve;
    it.reject = reject;
  });
  it.promise.catch(() => {});
  return it;
}

// What readers and controllers may do to a stream, and no one else.
let inside;

class ReadableStreamDefaultController {
  #stream;

  constructor(stream) {
    this.#stream = stream;
  }

  get desiredSize() { return inside.room(this.#stream); }
  enqueue(chunk) { inside.add(this.#stream, chunk); }
  close() { inside.finish(this.#stream); }
  error(reason) { inside.fail(this.#stream, reason); }
}

class ReadableStream {
  #source;
  #limit; // of chunks that wait, before the source is asked for no more
  #chunks = [];
  #state = "readable";
  #error;
  #reader = null;
  #wasRead = false;
  #isFinishing = false; // closed, once the chunks are taken
  #isPulling = true; // until start() is through
  #controller = new ReadableStreamDefaultController(this);

  constructor(source = {}, strategy = {}) {
    if (source === null || typeof source !== "object") {
      throw argumentType("source", "of type object", source);
    }
    this.#source = source;
    this.#limit = strategy.highWaterMark ?? (source.type === "bytes" ? 0 : 1);
    this.#await(source.start?.(this.#controller));
  }

  /** Goes on pulling when what the source does is done. */
  async #await(work) {
    try {
      await work;
    } catch (error) {
      this.#fail(error);
    }
    this.#isPulling = false;
    this.#pull();
  }

  #pull() {
    const isWanted = this.#reader !== null && inside.isHungry(this.#reader);
    if (this.#isPulling || this.#state !== "readable" || this.#isFinishing ||
        typeof this.#source.pull !== "function" ||
        (this.#chunks.length >= this.#limit && !isWanted)) {
      return;
    }
    this.#isPulling = true;
    this.#await((async () => this.#source.pull(this.#controller))());
  }

  #fail(error) {
    if (this.#state === "readable") {
      this.#state = "errored";
      this.#error = error;
      this.#chunks = [];
      this.#tell();
    }
  }

  #tell() {
    if (this.#reader !== null) {
      inside.settle(this.#reader, this.#state, this.#error);
    }
  }

  /** After each change: closes when the last chunk is taken, or asks the source. */
  #goOn() {
    if (this.#isFinishing && this.#chunks.length === 0 && this.#state === "readable") {
      this.#close();
    } else {
      this.#pull();
    }
  }

  #close() {
    this.#state = "closed";
    this.#tell();
  }

  async #cancel(reason) {
    this.#wasRead = true;
    if (this.#state === "errored") {
      throw this.#error;
    }
    if (this.#state === "readable") {
      this.#chunks = [];
      this.#close();
      await this.#source.cancel?.(reason);
    }
  }

  static {
    inside = {
      room: (stream) => (stream.#state === "errored" ? null
                         : stream.#state === "closed" ? 0 : stream.#limit - stream.#chunks.length),
      add(stream, chunk) {
        if (stream.#state !== "readable" || stream.#isFinishing) {
          throw invalidState("Controller is already closed");
        }
        k.arrayPush(stream.#chunks, chunk);
        stream.#tell();
        stream.#goOn();
      },
      finish(stream) {
        if (stream.#state !== "readable" || stream.#isFinishing) {
          throw invalidState("Controller is already closed");
        }
        stream.#isFinishing = true;
        stream.#goOn();
      },
      fail: (stream, error) => stream.#fail(error),
      lock(stream, reader) {
        if (stream.#reader !== null) {
          throw invalidState("ReadableStream is locked");
        }
        stream.#reader = reader;
        return [stream.#state, stream.#error];
      },
      unlock(stream) {
        stream.#reader = null;
      },
      hasChunk: (stream) => stream.#chunks.length > 0,
      take: (stream) => k.arrayShift(stream.#chunks),
      goOn(stream) {
        stream.#wasRead = true;
        stream.#goOn();
      },
      cancel: (stream, reason) => stream.#cancel(reason),
      wasRead: (stream) => stream.#wasRead,
    };
  }

  get locked() {
    return this.#reader !== null;
  }

  async cancel(reason) {
    if (this.locked) {
      throw invalidState("ReadableStream is locked");
    }
    return this.#cancel(reason);
  }

  getReader(options) {
    if (options?.mode !== undefined) {
      throw absent("getReader({ mode: 'byob' })", "read without a mode");
    }
    return new ReadableStreamDefaultReader(this);
  }

  async* #iterate(reader, preventCancel) {
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          isOver = true;
          return;
        }
        yield value;
      }
    } catch (error) {
      isOver = true;
      throw error;
    } finally {
      const cancelled = isOver || preventCancel ? undefined : reader.cancel();
      reader.releaseLock();
      await cancelled;
    }
  }

  values(options) {
    return this.#iterate(this.getReader(), options?.preventCancel);
  }

  pipeTo() { throw absent("pipeTo", "use Readable.fromWeb(stream).pipe()"); }
  pipeThrough() { throw absent("pipeThrough", "use Readable.fromWeb(stream).pipe()"); }
  tee() { throw absent("tee", "clone the Response"); }

  static from(values) {
    const all = values[Symbol.asyncIterator]?.() ?? values[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await all.next();
        if (done) {
          controller.close();
        } else {
          controller.enqueue(await value);
        }
      },
      cancel: (reason) => all.return?.(reason),
    }, { highWaterMark: 0 });
  }
}

class ReadableStreamDefaultReader {
  #stream;
  #readers = []; // promises of chunks that are not there yet
  #closed = deferred();
  #state = ["readable", undefined]; // of the stream, and its error

  constructor(stream) {
    if (!(stream instanceof ReadableStream)) {
      throw argumentType("stream", "an instance of ReadableStream", stream);
    }
    const { 0: state, 1: error } = inside.lock(stream, this);
    this.#stream = stream;
    this.#settle(state, error);
  }

  /** Gives chunks to those who wait; when there will be no more, tells them that. */
  #settle(state, error) {
    this.#state = [state, error];
    while (this.#readers.length > 0 && inside.hasChunk(this.#stream)) {
      k.arrayShift(this.#readers).resolve({ value: inside.take(this.#stream), done: false });
    }
    if (state === "readable") {
      return;
    }
    const waiting = this.#readers;
    this.#readers = [];
    k.arrayForEach(waiting, (one) => (state === "closed"
                                      ? one.resolve({ value: undefined, done: true })
                                                         : one.reject(error)));
    if (state === "closed") {
      this.#closed.resolve(undefined);
    } else {
      this.#closed.reject(error);
    }
  }

  static {
    inside.settle = (reader, state, error) => reader.#settle(state, error);
    inside.isHungry = (reader) => reader.#readers.length > 0;
  }

  get closed() {
    return this.#closed.promise;
  }

  async read() {
    if (this.#stream === null) {
      throw invalidState("The reader is not attached to a stream");
    }
    const next = deferred();
    k.arrayPush(this.#readers, next);
    this.#settle(this.#state[0], this.#state[1]);
    inside.goOn(this.#stream);
    return next.promise;
  }

  async cancel(reason) {
    if (this.#stream === null) {
      throw invalidState("The reader is not attached to a stream");
    }
    return inside.cancel(this.#stream, reason);
  }

  releaseLock() {
    if (this.#stream === null) {
      return;
    }
    const error = invalidState("Reader released");
    inside.unlock(this.#stream);
    this.#stream = null;
    k.arrayForEach(this.#readers, (one) => one.reject(error));
    this.#readers = [];
    this.#closed.reject(error);
  }
}

k.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  value: ReadableStream.prototype.values, writable: true, configurable: true,
});
const TYPES = [ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController];
k.arrayForEach(TYPES, (type) => {
  k.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
});
k.defineProperty(ReadableStream.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value() {
    const state = inside.room(this) === null ? "errored" : "readable";
    return `ReadableStream { locked: ${this.locked}, state: '${state}', supportsBYOB: false }`;
  }, writable: true, configurable: true,
});

const BLOCK = 65536;

/** A stream of bytes that are there. */
function streamOf(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) {
        controller.enqueue(new k.Uint8Array(k.bytesSubarray(bytes, at,
                                                            k.min(at + BLOCK, bytes.length))));
        at += BLOCK;
      }
      if (at >= bytes.length) {
        controller.close();
      }
    },
  }, { highWaterMark: 0 });
}

module.exports = {
  streamOf, wasRead: inside.wasRead, globals: { ReadableStream, ReadableStreamDefaultReader,
                                                ReadableStreamDefaultController },
};
