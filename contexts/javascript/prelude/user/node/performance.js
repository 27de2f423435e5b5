// SPDX-License-Identifier: MIT
// performance.js - the global performance: the engine's clock, from the start of the context, with
// marks and measures.
"use strict";

const k = require("node/kit");

let epoch; // when the context began
let entries = [];

class PerformanceEntry {
  constructor(name, entryType, startTime, duration, detail) {
    k.assign(this, { name, entryType, startTime, duration, detail });
  }

  toJSON() {
    return { ...this };
  }
}

class Performance {
  get timeOrigin() {
    epoch ??= k.Date.now() - native.now();
    return epoch;
  }

  now() {
    return native.now();
  }

  mark(name, options = {}) {
    const entry = new PerformanceEntry(`${name}`, "mark", options.startTime ?? this.now(), 0,
                                       options.detail ?? null);
    k.arrayPush(entries, entry);
    return entry;
  }

  measure(name, start, end) {
    const given = typeof start === "object" && start !== null ? start : { start, end };
    const from = timeOf(given.start, 0);
    const until = given.duration === undefined ? timeOf(given.end, this.now())
      : from + given.duration;
    const entry = new PerformanceEntry(`${name}`, "measure", from, until - from,
                                       given.detail ?? null);
    k.arrayPush(entries, entry);
    return entry;
  }

  getEntries() {
    return k.arraySlice(entries);
  }

  getEntriesByName(name) {
    return k.arrayFilter(entries, (entry) => entry.name === name);
  }

  getEntriesByType(type) {
    return k.arrayFilter(entries, (entry) => entry.entryType === type);
  }

  clearMarks(name) {
    clear("mark", name);
  }

  clearMeasures(name) {
    clear("measure", name);
  }

  toJSON() {
    return { timeOrigin: this.timeOrigin };
  }
}

function clear(type, name) {
  entries = k.arrayFilter(entries, (entry) =>
    entry.entryType !== type || (name !== undefined && entry.name !== name));
}

/** A mark's time, or a time itself. */
function timeOf(value, otherwise) {
  if (typeof value !== "string") {
    return value ?? otherwise;
  }
  for (let i = entries.length - 1; i >= 0; i--) {
    if (entries[i].entryType === "mark" && entries[i].name === value) {
      return entries[i].startTime;
    }
  }
  throw new globalThis.DOMException(`The "${value}" performance mark has not been set`,
                                    "SyntaxError");
}

const performance = new Performance();

module.exports = { performance, exports: { performance, Performance, PerformanceEntry } };
