// SPDX-License-Identifier: MIT
// headers.js - Headers, and the head of an answer as the server sent it.
"use strict";

const k = require("node/kit");
const { inspect } = require("format");
const { Object, Symbol } = globalThis;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const COOKIE = "set-cookie";

function byName(a, b) {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}

class Headers {
  #map = new k.Map(); // all but cookies
  #cookies = []; // kept apart: dates in them have commas

  constructor(init) {
    if (init === undefined || init === null) {
      return;
    }
    const pairs = typeof init[Symbol.iterator] === "function" ? init : k.entries(init);
    for (const [name, value] of pairs) {
      this.append(name, value);
    }
  }

  static #name(name) {
    if (!k.regExpTest(TOKEN, `${name}`)) {
      throw new k.TypeError(`Headers.append: ${name} is an invalid header name.`);
    }
    return k.stringToLowerCase(`${name}`);
  }

  static #value(value) {
    const text = k.stringTrim(`${value}`);
    if (k.regExpTest(/[\r\n\0]/, text)) {
      throw new k.TypeError(`Headers.append: ${text} is an invalid header value.`);
    }
    return text;
  }

  append(name, value) {
    const key = Headers.#name(name);
    const text = Headers.#value(value);
    if (key === COOKIE) {
      k.arrayPush(this.#cookies, text);
      return;
    }
    const before = this.#map.get(key);
    this.#map.set(key, before === undefined ? text
                  : `${before}${key === "cookie" ? "; " : ", "}${text}`);
  }

  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }

  get(name) {
    const key = Headers.#name(name);
    if (key === COOKIE) {
      return this.#cookies.length > 0 ? k.arrayJoin(this.#cookies, ", ") : null;
    }
    return this.#map.get(key) ?? null;
  }

  has(name) {
    const key = Headers.#name(name);
    return key === COOKIE ? this.#cookies.length > 0 : this.#map.has(key);
  }

  delete(name) {
    const key = Headers.#name(name);
    if (key === COOKIE) {
      this.#cookies = [];
    } else {
      this.#map.delete(key);
    }
  }

  getSetCookie() { return k.arraySlice(this.#cookies); }

  #list() {
    const cookies = k.arrayMap(this.#cookies, (value) => [COOKIE, value]);
    return k.arraySort([...this.#map, ...cookies], byName);
  }

  forEach(call, self) {
    k.arrayForEach(this.#list(), ([name, value]) => call.call(self, value, name, this));
  }
  entries() { return this.#list().values(); }
  keys() { return this.entries().map(([name]) => name); }
  values() { return this.entries().map(([, value]) => value); }
  [Symbol.iterator]() { return this.entries(); }

  [Symbol.for("nodejs.util.inspect.custom")](_depth, options) {
    const shown = k.arrayMap(this.#list(), ([name]) => [name, this.get(name)]);
    return `Headers ${inspect(Object.fromEntries(shown), options)}`;
  }
}

/** Status line and headers as the server sent them. */
function parseHead(head) {
  const lines = k.stringSplit(head, "\r\n");
  const headers = new Headers();
  for (let i = 1; i < lines.length; i++) {
    const at = k.stringIndexOf(lines[i], ":");
    if (at > 0) {
      headers.append(k.stringSlice(lines[i], 0, at), k.stringSlice(lines[i], at + 1));
    }
  }
  const words = k.stringSplit(lines[0], " ");
  return { statusText: k.arrayJoin(k.arraySlice(words, 2), " "), headers };
}

module.exports = { Headers, TOKEN, parseHead };
