// SPDX-License-Identifier: MIT
// event-target.js - Event, EventTarget, CustomEvent, AbortController and AbortSignal.
"use strict";

const k = require("node/kit");
const { coded, argumentType } = require("node/node-error");
const { globals: { setTimeout } } = require("timers");
const { inspect } = require("format");
const { DOMException, Symbol } = globalThis;

const CUSTOM = Symbol.for("nodejs.util.inspect.custom");

/** Shows an object by some of its accessors, as Node does. */
function showBy(type, names) {
  k.defineProperty(type.prototype, CUSTOM, {
    value(depth, options) {
      const shown = {};
      for (let i = 0; i < names.length; i++) {
        shown[names[i]] = this[names[i]];
      }
      return depth < 0 ? `[${type.name}]` : `${type.name} ${inspect(shown, options)}`;
    }, writable: true, configurable: true, enumerable: false,
  });
  k.defineProperty(type.prototype, Symbol.toStringTag, { value: type.name, configurable: true });
}

let prepare; // sets what only the dispatcher may set
let stateOf;

class Event {
  #type;
  #options;
  #state = { target: null, stopped: false, prevented: false, active: false };
  #time = native.now();

  constructor(type, options = {}) {
    if (arguments.length === 0) {
      throw coded(k.TypeError, "ERR_MISSING_ARGS", 'The "type" argument must be specified');
    }
    this.#type = `${type}`;
    this.#options = options ?? {};
  }

  static {
    prepare = (event, target) => {
      event.#state.target = target;
      event.#state.active = target !== null;
    };
    stateOf = (event) => event.#state;
  }

  get type() { return this.#type; }
  get target() { return this.#state.target; }
  get currentTarget() { return this.#state.active ? this.#state.target : null; }
  get srcElement() { return this.#state.target; }
  get bubbles() { return !!this.#options.bubbles; }
  get cancelable() { return !!this.#options.cancelable; }
  get composed() { return !!this.#options.composed; }
  get defaultPrevented() { return this.#state.prevented; }
  get returnValue() { return !this.#state.prevented; }
  get timeStamp() { return this.#time; }
  get isTrusted() { return false; }
  get eventPhase() { return this.#state.active ? 2 : 0; }
  composedPath() { return this.#state.active ? [this.#state.target] : []; }
  preventDefault() { this.#state.prevented ||= this.cancelable; }
  stopPropagation() {}
  stopImmediatePropagation() { this.#state.stopped = true; }
}
showBy(Event, ["type", "defaultPrevented", "cancelable", "timeStamp"]);

class CustomEvent extends Event {
  #detail;

  constructor(type, options = {}) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() { return this.#detail; }
}

/** Errors of listeners are uncaught, not the dispatcher's. */
function call(listener, target, event) {
  try {
    if (typeof listener === "function") {
      k.apply(listener, target, [event]);
    } else {
      listener.handleEvent(event);
    }
  } catch (error) {
    setTimeout(() => {
      throw error;
    }, 0);
  }
}

class EventTarget {
  #listeners = [];

  addEventListener(type, listener, options) {
    if (listener === null || listener === undefined) {
      return;
    }
    if (typeof listener !== "function" && typeof listener !== "object") {
      throw argumentType("listener", "an instance of EventListener", listener);
    }
    const { once = false, signal } = typeof options === "object" && options !== null ? options : {};
    const isKnown = k.arraySome(this.#listeners,
                                (one) => one.type === `${type}` && one.listener === listener);
    if (isKnown || signal?.aborted) {
      return;
    }
    k.arrayPush(this.#listeners, { type: `${type}`, listener, once });
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener),
                             { once: true });
  }

  removeEventListener(type, listener) {
    this.#listeners = k.arrayFilter(this.#listeners,
                                    (one) => one.type !== `${type}` || one.listener !== listener);
  }

  dispatchEvent(event) {
    if (!(event instanceof Event)) {
      throw argumentType("event", "an instance of Event", event);
    }
    const state = stateOf(event);
    prepare(event, this);
    const listeners = k.arraySlice(this.#listeners);
    for (let i = 0; i < listeners.length; i++) {
      const one = listeners[i];
      if (one.type !== event.type || !k.arrayIncludes(this.#listeners, one)) {
        continue;
      }
      if (one.once) {
        this.#listeners = k.arrayFilter(this.#listeners, (other) => other !== one);
      }
      call(one.listener, this, event);
      if (state.stopped) {
        break;
      }
    }
    state.active = false;
    return !event.defaultPrevented;
  }
}
k.defineProperty(EventTarget.prototype, Symbol.toStringTag,
                 { value: "EventTarget", configurable: true });

let abort;
let mayConstruct = false;

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;
  onabort = null;

  constructor() {
    if (!mayConstruct) {
      throw coded(k.TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
    }
    super();
    k.defineProperty(this, "onabort", { value: null, writable: true, configurable: true });
  }

  static {
    abort = (signal, reason) => {
      if (signal.#aborted) {
        return;
      }
      signal.#aborted = true;
      signal.#reason = reason ?? new DOMException("This operation was aborted", "AbortError");
      const event = new Event("abort");
      if (typeof signal.onabort === "function") {
        signal.addEventListener("abort", signal.onabort, { once: true });
      }
      signal.dispatchEvent(event);
    };
  }

  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }

  throwIfAborted() {
    if (this.#aborted) {
      throw this.#reason;
    }
  }

  static abort(reason) {
    const signal = newSignal();
    abort(signal, reason);
    return signal;
  }

  static timeout(delay) {
    const signal = newSignal();
    const late = () => abort(signal, new DOMException("The operation was aborted due to timeout",
                                                      "TimeoutError"));
    setTimeout(late, delay).unref();
    return signal;
  }

  static any(signals) {
    const signal = newSignal();
    for (const one of signals) {
      if (one.aborted) {
        abort(signal, one.reason);
        return signal;
      }
    }
    for (const one of signals) {
      one.addEventListener("abort", () => abort(signal, one.reason), { once: true });
    }
    return signal;
  }
}
showBy(AbortSignal, ["aborted"]);

function newSignal() {
  mayConstruct = true;
  try {
    return new AbortSignal();
  } finally {
    mayConstruct = false;
  }
}

class AbortController {
  #signal = newSignal();

  get signal() { return this.#signal; }

  abort(reason) {
    abort(this.#signal, reason);
  }
}
showBy(AbortController, ["signal"]);

module.exports = {
  showBy, globals: { Event, CustomEvent, EventTarget, AbortController, AbortSignal },
};
