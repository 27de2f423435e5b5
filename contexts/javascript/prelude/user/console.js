// SPDX-License-Identifier: MIT
// console.js - the global console. log, info and debug go to stdout, warn and error to stderr.
"use strict";

const p = require("primordials");
const { inspect, formatWithOptions } = require("format");
const { table } = require("table");

const STDOUT = 1;
const STDERR = 2;
const INDENT = "  ";

const counts = new p.SafeMap();
const clocks = new p.SafeMap();
let indent = "";

function write(stream, text) {
  const lines = indent === "" ? text : indent + p.stringReplaceAll(text, "\n", `\n${indent}`);
  native.write(stream, `${lines}\n`);
}

/** Values as one text. No spread: user code may have replaced the iterator of arrays. */
function format(values) {
  const args = [{}];
  for (let i = 0; i < values.length; i++) {
    p.arrayPush(args, values[i]);
  }
  return p.apply(formatWithOptions, undefined, args);
}

function print(stream, values) {
  write(stream, format(values));
}

/** The values with one in front. */
function prepend(first, values) {
  return p.arrayConcat([first], values);
}

function labelOf(label) {
  return label === undefined ? "default" : `${label}`;
}

/** A duration as Node writes it. */
function duration(ms) {
  if (ms >= 3600000) {
    return `${p.numberToFixed(ms / 3600000, 3)}h`;
  }
  if (ms >= 60000) {
    return `${p.numberToFixed(ms / 60000, 3)}m`;
  }
  if (ms >= 1000) {
    return `${p.numberToFixed(ms / 1000, 3)}s`;
  }
  return `${p.Number(p.numberToFixed(ms, 3))}ms`;
}

function warn(text) {
  write(STDERR, `Warning: ${text}`);
}

/** Writes how long the clock of `label` has been running; false when there is none. */
function tellTime(label, values, method) {
  const begun = clocks.get(label);
  if (begun === undefined) {
    warn(`No such label '${label}' for console.${method}()`);
    return false;
  }
  print(STDOUT, prepend(`${label}: ${duration(native.now() - begun)}`, values));
  return true;
}

const methods = {
  log(...values) {
    print(STDOUT, values);
  },
  info(...values) {
    print(STDOUT, values);
  },
  debug(...values) {
    print(STDOUT, values);
  },
  warn(...values) {
    print(STDERR, values);
  },
  error(...values) {
    print(STDERR, values);
  },
  dir(value, options) {
    write(STDOUT, inspect(value, { customInspect: false, ...options }));
  },
  dirxml(...values) {
    print(STDOUT, values);
  },
  trace(...values) {
    const trace = { name: "Trace", message: format(values) };
    p.Error.captureStackTrace(trace, methods.trace);
    const frames = p.arraySlice(p.stringSplit(trace.stack, "\n    at "), 1);
    const head = trace.message === "" ? "Trace" : `Trace: ${trace.message}`;
    write(STDERR, p.arrayJoin(prepend(head, frames), "\n    at "));
  },
  assert(condition, ...values) {
    if (condition) {
      return;
    }
    if (typeof values[0] === "string") {
      values[0] = `Assertion failed: ${values[0]}`;
      print(STDERR, values);
    } else {
      print(STDERR, values.length > 0 ? prepend("Assertion failed:", values)
            : ["Assertion failed"]);
    }
  },
  count(label) {
    const name = labelOf(label);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    write(STDOUT, `${name}: ${count}`);
  },
  countReset(label) {
    const name = labelOf(label);
    if (!counts.delete(name)) {
      warn(`Count for '${name}' does not exist`);
    }
  },
  group(...values) {
    if (values.length > 0) {
      print(STDOUT, values);
    }
    indent += INDENT;
  },
  groupEnd() {
    indent = p.stringSlice(indent, INDENT.length);
  },
  table(data, columns) {
    const text = table(data, columns);
    if (text === undefined) {
      print(STDOUT, [data]);
    } else {
      write(STDOUT, text);
    }
  },
  time(label) {
    const name = labelOf(label);
    if (clocks.has(name)) {
      warn(`Label '${name}' already exists for console.time()`);
    } else {
      clocks.set(name, native.now());
    }
  },
  timeLog(label, ...values) {
    tellTime(labelOf(label), values, "timeLog");
  },
  timeEnd(label) {
    const name = labelOf(label);
    if (tellTime(name, [], "timeEnd")) {
      clocks.delete(name);
    }
  },
  clear() {
    native.clearOutput(false);
  },
  timeStamp() {},
  profile() {},
  profileEnd() {},
};
methods.groupCollapsed = methods.group;

module.exports = { console: methods };
