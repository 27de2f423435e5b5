// SPDX-License-Identifier: MIT
// timers.js - setTimeout and its kin, with Node's objects. What is due when is kept in C.
"use strict";

const p = require("primordials");

const { TypeError } = globalThis;

const LONGEST = 2 ** 31 - 1;
const timers = new p.SafeMap(); // those that wait, by number, for clearTimeout(number)

let start;
let cancel;
let fire;

function checkCallback(callback) {
  if (typeof callback !== "function") {
    const error = new TypeError('The "callback" argument must be of type function.');
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  }
}

/** Milliseconds as Node understands them: at least 1, and 1 when there are too many. */
function delayOf(value) {
  const ms = +value;
  return ms >= 1 && ms <= LONGEST ? ms : 1;
}

class Timeout {
  #callback;
  #args;
  #delay;
  #repeats;
  #id = 0; // 0 while it does not wait
  #refed = true;

  constructor(callback, args, delay, repeats) {
    this.#callback = callback;
    this.#args = args;
    this.#delay = delay;
    this.#repeats = repeats;
  }

  // Not methods: user code gets hold of the class by any timer.
  static {
    start = (timer) => {
      timer.#id = native.addTimer(timer, timer.#delay);
      timers.set(timer.#id, timer);
      if (!timer.#refed) {
        native.keepAlive(timer.#id, false);
      }
      return timer;
    };
    const stop = (timer) => {
      timers.delete(timer.#id);
      native.removeTimer(timer.#id);
      timer.#id = 0;
    };
    cancel = (timer) => {
      if (typeof timer === "object" && timer !== null && #repeats in timer) {
        stop(timer);
        timer.#repeats = false;
      }
    };
    fire = (timer) => {
      timers.delete(timer.#id);
      timer.#id = 0;
      try {
        p.apply(timer.#callback, timer, timer.#args);
      } finally {
        if (timer.#repeats && timer.#id === 0) {
          start(timer);
        }
      }
    };
  }

  ref() {
    this.#refed = true;
    native.keepAlive(this.#id, true);
    return this;
  }

  unref() {
    this.#refed = false;
    native.keepAlive(this.#id, false);
    return this;
  }

  hasRef() {
    return this.#refed;
  }

  refresh() {
    if (this.#id !== 0) {
      timers.delete(this.#id);
      native.removeTimer(this.#id);
      start(this);
    }
    return this;
  }

  close() {
    cancel(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    return this.#id;
  }

  [Symbol.dispose]() {
    cancel(this);
  }
}

class Immediate extends Timeout {}

function setTimeout(callback, delay, ...args) {
  checkCallback(callback);
  return start(new Timeout(callback, args, delayOf(delay), false));
}

function setInterval(callback, delay, ...args) {
  checkCallback(callback);
  return start(new Timeout(callback, args, delayOf(delay), true));
}

function setImmediate(callback, ...args) {
  checkCallback(callback);
  return start(new Immediate(callback, args, 0, false));
}

function clear(timer) {
  cancel(typeof timer === "number" || typeof timer === "string" ? timers.get(+timer) : timer);
}

const clearTimeout = (timer) => clear(timer);
const clearInterval = (timer) => clear(timer);
const clearImmediate = (timer) => clear(timer);

module.exports = {
  fire,
  globals: {
    setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate,
  },
};
