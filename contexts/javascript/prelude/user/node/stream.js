// SPDX-License-Identifier: MIT
// stream.js - the modules stream, stream/promises and stream/consumers: readable-stream, which is
// Node's own code, over our events, Buffer and errors (prelude/user/readable-stream).
"use strict";

const k = require("node/kit");
const { globals: { AbortController, AbortSignal } } = require("node/event-target");
const { Blob } = require("node/blob");
const { globals: { ReadableStream } } = require("node/web-stream");

require("node/events"); // adds to the emitter what the package looks for

// The package looks for them here: our copy of the globals, which no cell sees.
k.assign(globalThis, { AbortController, AbortSignal, Blob });

const Stream = require("readable-stream/stream");
const { toBuffer } = require("node/buffer");
const { decode } = require("node/encodings");
const { join } = require("node/child-launch");
const { coded } = require("node/node-error");
const { process } = require("node/process");

const { Duplex, Readable, Writable } = Stream;

/** One of two ends: what is written to an end is read at the other. */
class End extends Duplex {
  #taken = null; // goes on with what the other end writes
  #other = null;

  static join(one, other) {
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  _read() {
    const taken = this.#taken;
    this.#taken = null;
    taken?.();
  }

  _write(chunk, _encoding, done) {
    if (chunk.length === 0) {
      process.nextTick(done);
      return;
    }
    this.#other.push(chunk);
    this.#other.#taken = done;
  }

  _final(done) {
    this.#other.on("end", done);
    this.#other.push(null);
  }
}
const joinEnds = End.join;
delete End.join;
k.defineProperty(End, "name", { value: "DuplexSide" });

k.assign(Stream, {
  _isArrayBufferView: k.isView,
  duplexPair: (options) => joinEnds(new End(options), new End(options)),
});

// Web streams: ReadableStream is the only one there is.

function fromWeb(stream, options) {
  const reader = stream.getReader();
  return new Readable({
    ...options,
    read() {
      reader.read().then(({ done, value }) => this.push(done ? null : value),
                         (error) => this.destroy(error));
    },
    destroy(error, done) {
      const finish = () => done(error);
      reader.cancel(error).then(finish, finish);
    },
  });
}

function toWeb(readable) {
  const all = readable[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await all.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(k.isView(value) ? new k.Uint8Array(value) : value);
      }
    },
    cancel: (reason) => readable.destroy(reason),
  }, { highWaterMark: 0 });
}

function noWeb() {
  throw coded(k.Error, "ERR_METHOD_NOT_IMPLEMENTED",
              "Of web streams only ReadableStream is part of this JavaScript engine. " +
              "docs/JAVASCRIPT.md lists what is.");
}

k.assign(Readable, { fromWeb, toWeb });
k.assign(Writable, { fromWeb: noWeb, toWeb: noWeb });
k.assign(Duplex, { fromWeb: noWeb, toWeb: noWeb });

/** All bytes of a stream, or of anything that gives pieces. */
async function buffer(stream) {
  const chunks = [];
  for await (const chunk of stream) {
    k.arrayPush(chunks, toBuffer(chunk, "utf8"));
  }
  return join(chunks);
}

const consumers = {
  buffer,
  arrayBuffer: async (stream) => k.bufferOf(await buffer(stream)),
  blob: async (stream) => new Blob([await buffer(stream)]),
  text: async (stream) => decode(await buffer(stream)),
  json: async (stream) => k.parseJson(decode(await buffer(stream))),
};

module.exports = { Stream, consumers };
