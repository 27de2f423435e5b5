// SPDX-License-Identifier: MIT
// assert.js - the module assert. Messages are Node's where values fit on a line; where Node shows a
// coloured difference, both values are shown.
"use strict";

const { isDeepEqual, isDeepStrictEqual } = require("node/comparisons");
const { argumentType } = require("node/node-error");
const { inspect } = require("format");

class AssertionError extends Error {
  constructor({ message, actual, expected, operator, stackStartFn }) {
    super(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`);
    this.generatedMessage = message === undefined;
    this.code = "ERR_ASSERTION";
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    if (stackStartFn) {
      Error.captureStackTrace?.(this, stackStartFn);
    }
  }
}
Object.defineProperty(AssertionError.prototype, "name",
                      { value: "AssertionError", writable: true, configurable: true });

const TITLES = {
  strictEqual: "Expected values to be strictly equal:",
  deepStrictEqual: "Expected values to be strictly deep-equal:",
  deepEqual: "Expected values to be loosely deep-equal:",
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
};

function lines(value, mark) {
  return inspect(value).split("\n").map((line) => `${mark} ${line}`).join("\n");
}

/** What a failed comparison says. */
function describe(operator, actual, expected) {
  if (operator === "==" || operator === "!=") {
    return `${inspect(actual)} ${operator} ${inspect(expected)}`;
  }
  const title = TITLES[operator];
  if (operator.startsWith("not")) {
    const text = inspect(actual);
    return text.includes("\n") ? `${title}\n\n${text}\n` : `${title} ${text}`;
  }
  const [left, right] = [inspect(actual), inspect(expected)];
  const isShort = typeof actual !== "object" && typeof expected !== "object";
  if (operator === "deepEqual") {
    return `${title}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  }
  if (isShort && left.length + right.length <= 80) {
    return `${title}\n\n${left} !== ${right}\n`;
  }
  return `${title}\n+ actual - expected\n\n${lines(actual, "+")}\n${lines(expected, "-")}`;
}

/** Throws what the user gave, or an AssertionError. */
function fail(given, actual, expected, operator, start, message) {
  if (given instanceof Error) {
    throw given;
  }
  const error =
    new AssertionError({ message: given ?? message ?? describe(operator, actual, expected),
                                     actual, expected, operator, stackStartFn: start });
  error.generatedMessage = given === undefined;
  throw error;
}

function assert(...args) {
  check(args, assert);
}

function ok(...args) {
  check(args, ok);
}

function check(args, start) {
  const [value, message] = args;
  if (args.length === 0) {
    fail(undefined, value, true, "==", start, "No value argument passed to `assert.ok()`");
  }
  if (!value) {
    fail(message, value, true, "==", start,
         "The expression evaluated to a falsy value");
  }
}

/** One function per comparison. */
function comparison(name, operator, holds) {
  const compare = { [name]: (actual, expected, message) => {
    if (!holds(actual, expected)) {
      fail(message, actual, expected, operator, compare);
    }
  } }[name];
  assert[name] = compare;
}

// Loose on purpose: that is what they are for.
comparison("equal", "==", (a, b) => a == b || (a !== a && b !== b));
comparison("notEqual", "!=", (a, b) => a != b && (a === a || b === b));
comparison("strictEqual", "strictEqual", Object.is);
comparison("notStrictEqual", "notStrictEqual", (a, b) => !Object.is(a, b));
comparison("deepEqual", "deepEqual", isDeepEqual);
comparison("notDeepEqual", "notDeepEqual", (a, b) => !isDeepEqual(a, b));
comparison("deepStrictEqual", "deepStrictEqual", isDeepStrictEqual);
comparison("notDeepStrictEqual", "notDeepStrictEqual", (a, b) => !isDeepStrictEqual(a, b));

/** Whether an error is what was expected: a class, a pattern, an object of properties, a check. */
function matches(error, expected, message, start) {
  if (expected === undefined) {
    return;
  }
  if (expected instanceof RegExp) {
    if (!expected.test(String(error))) {
      fail(message, error, expected, "throws", start,
           `The input did not match the regular expression ${inspect(expected)}. ` +
           `Input:\n\n${inspect(String(error))}\n`);
    }
    return;
  }
  if (typeof expected === "object") {
    for (const key of [...Object.keys(expected),
                       ...(expected instanceof Error ? ["name", "message"] : [])]) {
      const good = expected[key] instanceof RegExp && typeof error[key] === "string"
        ? expected[key].test(error[key]) : isDeepStrictEqual(error[key], expected[key]);
      if (!good) {
        fail(message, error, expected, "throws", start,
             describe("deepStrictEqual", error[key], expected[key]));
      }
    }
    return;
  }
  if (expected.prototype !== undefined && error instanceof expected) {
    return;
  }
  if (Error.isPrototypeOf(expected) || expected === Error) {
    throw error;
  }
  if (expected.call({}, error) !== true) {
    fail(message, error, expected, "throws", start,
         `The ${expected.name ? `"${expected.name}" ` : ""}validation function ` +
         'is expected to return "true".');
  }
}

/** The second argument may be the message. */
function split(expected, message) {
  return typeof expected === "string" ? [undefined, expected] : [expected, message];
}

function missing(what, expected, message) {
  const name = expected?.name ? ` (${expected.name})` : "";
  return `Missing expected ${what}${name}${message ? `: ${message}` : "."}`;
}

assert.throws = function throws(run, ...rest) {
  if (typeof run !== "function") {
    throw argumentType("fn", "of type function", run);
  }
  const [expected, message] = split(...rest);
  let error;
  try {
    run();
  } catch (thrown) {
    error = thrown;
    matches(error, expected, message, throws);
    return;
  }
  fail(undefined, undefined, expected, "throws", throws, missing("exception", expected, message));
};

assert.doesNotThrow = function doesNotThrow(run, ...rest) {
  const [, message] = split(...rest);
  try {
    run();
  } catch (error) {
    fail(undefined, error, undefined, "doesNotThrow", doesNotThrow,
         `Got unwanted exception${message ? `: ${message}` : "."}\n` +
         `Actual message: "${error?.message}"`);
  }
};

assert.rejects = async function rejects(promise, ...rest) {
  const [expected, message] = split(...rest);
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    matches(error, expected, message, rejects);
    return;
  }
  fail(undefined, undefined, expected, "rejects", rejects, missing("rejection", expected, message));
};

assert.doesNotReject = async function doesNotReject(promise, ...rest) {
  const [, message] = split(...rest);
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    fail(undefined, error, undefined, "doesNotReject", doesNotReject,
         `Got unwanted rejection${message ? `: ${message}` : "."}\n` +
         `Actual message: "${error?.message}"`);
  }
};

function matcher(name, wanted, text) {
  assert[name] = (string, pattern, message) => {
    if (!(pattern instanceof RegExp)) {
      throw argumentType("regexp", "an instance of RegExp", pattern);
    }
    if (typeof string !== "string" || pattern.test(string) !== wanted) {
      fail(message, string, pattern, name, assert[name],
           `The input ${text} the regular expression ${inspect(pattern)}. ` +
           `Input:\n\n${inspect(string)}\n`);
    }
  };
}
matcher("match", true, "did not match");
matcher("doesNotMatch", false, "was expected to not match");

assert.ifError = (value) => {
  if (value !== null && value !== undefined) {
    fail(undefined, value, null, "ifError", assert.ifError,
         `ifError got unwanted exception: ${value?.message ?? inspect(value)}`);
  }
};
assert.fail = (message = "Failed") => {
  fail(message, undefined, undefined, "fail", assert.fail);
};
assert.ok = ok;
assert.AssertionError = AssertionError;

const strict = Object.assign((...args) => check(args, strict), assert, {
  equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
strict.strict = strict;
assert.strict = strict;

module.exports = assert;
