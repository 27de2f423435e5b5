// SPDX-License-Identifier: MIT
// timers.js - the modules timers and timers/promises.
"use strict";

const k = require("node/kit");
const { globals } = require("timers");

const {
  setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate,
} = globals;

function abortError(signal) {
  const error = new k.Error("The operation was aborted", { cause: signal.reason });
  k.defineProperty(error, "name", { value: "AbortError", writable: true, configurable: true });
  error.code = "ABORT_ERR";
  return error;
}

/** A promise that `start` settles by a timer, or `signal` by an abort. */
function wait(start, stop, value, { signal, ref = true } = {}) {
  return new k.Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortError(signal));
      return;
    }
    const timer = start(() => resolve(value));
    if (!ref) {
      timer.unref();
    }
    signal?.addEventListener("abort", () => {
      stop(timer);
      reject(abortError(signal));
    }, { once: true });
  });
}

const promises = {
  setTimeout: (delay, value, options) =>
    wait((done) => setTimeout(done, delay), clearTimeout, value, options),
  setImmediate: (value, options) => wait((done) => setImmediate(done), clearImmediate,
                                         value, options),
  async* setInterval(delay, value, options) {
    for (;;) {
      yield promises.setTimeout(delay, value, options);
    }
  },
  scheduler: {
    wait: (delay, options) => promises.setTimeout(delay, undefined, options),
    yield: () => promises.setImmediate(),
  },
};

const PROMISIFY = Symbol.for("nodejs.util.promisify.custom");
for (const [timer, version] of [[setTimeout, promises.setTimeout],
                                [setImmediate, promises.setImmediate]]) {
  k.defineProperty(timer, PROMISIFY, { value: version, configurable: true });
}

module.exports = {
  setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises,
};
