// SPDX-License-Identifier: MIT
// codegen.js - a context without code from strings: eval and every constructor of functions is
// replaced by one that throws. The originals stay with the engine, out of reach of user code.
"use strict";

const p = require("primordials");

const { getPrototypeOf, setPrototypeOf } = globalThis.Object;
const EvalError = globalThis.EvalError;
const global = (0, eval)("this");
const MESSAGE = "Code generation from strings disallowed for this context";

// One function of each kind, to find its constructor by.
const KINDS = [
  function () {}, async function () {}, function* () {}, async function* () {},
];

function replace(object, name, value) {
  p.defineProperty(object, name, {
    __proto__: null, value, writable: false, configurable: false, enumerable: false,
  });
}

/** A constructor with the name and the prototype of the original, so that instanceof works. */
function refusing(name, prototype) {
  const refuse = function () {
    throw new EvalError(MESSAGE);
  };
  replace(refuse, "prototype", prototype);
  replace(refuse, "name", name);
  return refuse;
}

/** For good: nothing in the context can bring them back. */
function deny() {
  const refuseEval = { eval() {
    throw new EvalError(MESSAGE);
  } }.eval;
  replace(global, "eval", refuseEval);
  let plain;
  for (let i = 0; i < KINDS.length; i++) {
    const prototype = getPrototypeOf(KINDS[i]);
    const original = p.getOwnPropertyDescriptor(prototype, "constructor").value;
    const refuse = refusing(original.name, prototype);
    replace(prototype, "constructor", refuse);
    if (plain === undefined) {
      plain = refuse;
      replace(global, "Function", refuse);
    } else {
      setPrototypeOf(refuse, plain);
    }
  }
}

module.exports = { deny };
