// SPDX-License-Identifier: MIT
// safe-arrays.js - methods of arrays that look at nothing but the array: the language's own ask its
// constructor for a species, and run setters that user code has put on Array.prototype. Named as
// Node's primordials, because they take their place in inspect.
"use strict";

const { defineProperty } = Object;

function add(list, value) {
  defineProperty(list, list.length, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}

function addAll(list, values) {
  for (let i = 0; i < values.length; i++) {
    add(list, values[i]);
  }
  return list.length;
}

/** An index as slice() understands it. */
function clamp(index, length) {
  return index < 0 ? (index + length > 0 ? index + length : 0) : index < length ? index : length;
}

function slice(list, start = 0, end = list.length) {
  const out = [];
  const last = clamp(end, list.length);
  for (let i = clamp(start, list.length); i < last; i++) {
    add(out, list[i]);
  }
  return out;
}

function map(list, change) {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    add(out, change(list[i], i, list));
  }
  return out;
}

function filter(list, wanted) {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    if (wanted(list[i], i, list)) {
      add(out, list[i]);
    }
  }
  return out;
}

function concat(list, more) {
  const out = slice(list);
  addAll(out, more);
  return out;
}

// Descriptors: what is defined with them cannot be defined again.
const primordials = {
  ArrayPrototypePush: { value: (list, ...values) => addAll(list, values) },
  ArrayPrototypePushApply: { value: addAll },
  ArrayPrototypeSlice: { value: slice },
  ArrayPrototypeMap: { value: map },
  ArrayPrototypeFilter: { value: filter },
};

module.exports = { primordials, add, slice, map, filter, concat };
