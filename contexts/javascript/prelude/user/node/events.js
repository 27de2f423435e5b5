// SPDX-License-Identifier: MIT
// events.js - EventEmitter from npm, with what Node has added to the module since.
"use strict";

const k = require("node/kit");
const EventEmitter = require("events");
const { argumentType, checkFunction } = require("node/node-error");

const npmOnce = EventEmitter.once;

/** A promise for the next event; may be given up by a signal. */
function once(emitter, name, options = {}) {
  const { signal } = options;
  if (typeof emitter.addEventListener === "function" && typeof emitter.on !== "function") {
    return new k.Promise((resolve) => {
      emitter.addEventListener(name, (event) => resolve([event]), { once: true });
    });
  }
  if (signal === undefined) {
    return npmOnce(emitter, name);
  }
  return new k.Promise((resolve, reject) => {
    signal.throwIfAborted();
    npmOnce(emitter, name).then(resolve, reject);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** An endless iterator over the events of a name. */
function on(emitter, name, options = {}) {
  const events = [];
  const waiting = [];
  let failure;
  const push = (...args) => (waiting.length > 0
    ? k.arrayShift(waiting).resolve({ value: args, done: false }) : k.arrayPush(events, args));
  const fail = (error) => (waiting.length > 0 ? k.arrayShift(waiting).reject(error)
                                              : (failure = { error }));
  const stop = () => {
    emitter.removeListener(name, push);
    emitter.removeListener("error", fail);
    for (const { resolve } of waiting.splice(0)) {
      resolve({ value: undefined, done: true });
    }
  };
  emitter.on(name, push);
  emitter.on("error", fail);
  options.signal?.addEventListener("abort", () => fail(options.signal.reason), { once: true });
  return {
    async next() {
      if (events.length > 0) {
        return { value: k.arrayShift(events), done: false };
      }
      if (failure !== undefined) {
        const { error } = failure;
        failure = undefined;
        stop();
        throw error;
      }
      return new k.Promise((resolve, reject) => k.arrayPush(waiting, { resolve, reject }));
    },
    async return() {
      stop();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Calls when a signal is aborted; at once, but later, when it has been. Gives what takes that
 *  back. */
function addAbortListener(signal, listener) {
  if (signal === null || typeof signal !== "object" || !("aborted" in signal)) {
    throw argumentType("signal", "an instance of AbortSignal", signal);
  }
  checkFunction(listener, "listener");
  if (signal.aborted) {
    globalThis.queueMicrotask(() => listener());
  } else {
    signal.addEventListener("abort", listener, { once: true });
  }
  return {
    __proto__: null,
    [Symbol.dispose]: () => signal.removeEventListener("abort", listener),
  };
}

k.assign(EventEmitter, {
  once, on, addAbortListener, EventEmitter,
  captureRejectionSymbol: Symbol.for("nodejs.rejection"),
  errorMonitor: Symbol.for("nodejs.errorMonitor"),
  getEventListeners: (emitter, name) => emitter.listeners(name),
  listenerCount: (emitter, name) => emitter.listenerCount(name),
  setMaxListeners: (count, ...emitters) => emitters.forEach((one) => one.setMaxListeners?.(count)),
});

module.exports = EventEmitter;
