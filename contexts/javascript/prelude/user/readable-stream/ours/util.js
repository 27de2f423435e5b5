// SPDX-License-Identifier: MIT
// util.js - the few functions of util that readable-stream needs. Stands in for its own.
"use strict";

const k = require("node/kit");
const { globals: { AbortSignal } } = require("node/event-target");
const { addAbortListener } = require("node/events");
const { inspect } = require("format");

function once(callback) {
  let called = false;
  return function (...args) {
    if (!called) {
      called = true;
      k.apply(callback, this, args);
    }
  };
}

function createDeferredPromise() {
  const deferred = {};
  deferred.promise = new k.Promise((resolve, reject) => {
    deferred.resolve = resolve;
    deferred.reject = reject;
  });
  return deferred;
}

module.exports = {
  once, createDeferredPromise, inspect, addAbortListener,
  kEmptyObject: k.freeze({}),
  AbortSignalAny: AbortSignal.any,
  promisify: { custom: globalThis.Symbol.for("nodejs.util.promisify.custom") },
  debuglog: () => () => {},
  deprecate: (call) => call,
};
