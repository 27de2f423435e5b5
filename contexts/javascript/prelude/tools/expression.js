// SPDX-License-Identifier: MIT
// expression.js - the expression that ends at a token, as far as it can be followed without running
// anything: a root and the keys from there.
"use strict";

const CLOSES = { ")": "(", "]": "[", "}": "{" };
const LITERALS = { string: "String", template: "String", regex: "RegExp", number: "Number" };

/** Words that look like names and are none. */
const KEYWORDS = new Set([
  "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
  "delete", "do", "else", "export", "extends", "false", "finally", "for", "function", "if",
  "import", "in", "instanceof", "let", "new", "null", "of", "return", "static", "super", "switch",
  "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield",
]);
const TYPE_KEYWORDS = [
  "abstract", "as", "declare", "enum", "implements", "interface", "keyof", "namespace", "private",
  "protected", "public", "readonly", "satisfies", "type",
];

function isDot(token) {
  return token !== undefined && token.type === "punctuation" &&
    (token.text === "." || token.text === "?.");
}

/** Index of the bracket that opens what the one at `index` closes; -1 when there is none. */
function openingOf(tokens, index) {
  let depth = 0;
  for (let i = index; i >= 0; i--) {
    const { type, text, opens } = tokens[i];
    if (type !== "punctuation") {
      continue;
    }
    if (text in CLOSES) {
      depth++;
    } else if (text === "(" || text === "[" || text === "{" || opens) {
      depth--;
      if (depth === 0) {
        return text === CLOSES[tokens[index].text] ? i : -1;
      }
    }
  }
  return -1;
}

/** Whether the token before `index` ends a value, so that a bracket there is a call or an index. */
function followsValue(tokens, index) {
  const last = tokens[index - 1];
  if (last === undefined) {
    return false;
  }
  return last.type === "name" ? !KEYWORDS.has(last.text) || last.text === "this"
    : last.type !== "punctuation" || last.text === ")" || last.text === "]" || last.text === "}";
}

/** A key in brackets that can be read from the text. */
function keyBetween(tokens, open, close) {
  if (close !== open + 2) {
    return null;
  }
  const token = tokens[open + 1];
  if (token.type === "number") {
    return String(Number(token.text));
  }
  return token.type === "string" ? unescapeText(token.value) : null;
}

const POINT_MAX = 0x10ffff;

/** The text that a string literal stands for; an escape that is none stands for itself. */
function unescapeText(raw) {
  return raw.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi,
    (all, point, unit, byte, plain) => {
      const digits = point ?? unit ?? byte;
      const code = parseInt(digits, 16);
      const known = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };
      if (digits === undefined) {
        return known[plain] ?? plain;
      }
      return code <= POINT_MAX ? String.fromCodePoint(code) : all;
    });
}

function extend(base, key) {
  return base === null || key === null ? null : { root: base.root, keys: [...base.keys, key] };
}

/** `new Map(...)`: what instances of it have. */
function instanceOf(tokens, open) {
  let first = open - 1;
  while (first >= 0 && (tokens[first].type === "name" && isDot(tokens[first - 1]))) {
    first -= 2;
  }
  const made = tokens[first - 1];
  if (made === undefined || made.text !== "new") {
    return null;
  }
  return extend(chainAt(tokens, open - 1), "prototype");
}

function closedAt(tokens, index) {
  const open = openingOf(tokens, index);
  if (open < 0) {
    return null;
  }
  const continues = followsValue(tokens, open);
  const before = isDot(tokens[open - 1]) ? open - 2 : open - 1;
  switch (tokens[index].text) {
    case "]":
      return continues || isDot(tokens[open - 1])
        ? extend(chainAt(tokens, before), keyBetween(tokens, open, index))
        : { root: { literal: "Array" }, keys: [] };
    case ")":
      return continues ? instanceOf(tokens, open)
        : index > open + 1 && isWhole(tokens, open, index) ? chainAt(tokens, index - 1) : null;
    default:
      return null;
  }
}

/** Whether what stands in parentheses is one chain and nothing else. */
function isWhole(tokens, open, close) {
  return tokens.slice(open + 1, close).every(
    ({ type, text }) => type !== "punctuation" || isDot({ type, text }) || text === "[" ||
      text === "]");
}

/** {root, keys} of the expression whose last token is `index`; null when it cannot be followed. */
function chainAt(tokens, index) {
  const token = tokens[index];
  if (token === undefined) {
    return null;
  }
  if (token.type === "punctuation") {
    return closedAt(tokens, index);
  }
  if (token.type === "name") {
    if (isDot(tokens[index - 1])) {
      return extend(chainAt(tokens, index - 2), token.text);
    }
    return KEYWORDS.has(token.text) && token.text !== "this" ? null
      : { root: { name: token.text }, keys: [] };
  }
  return token.type in LITERALS ? { root: { literal: LITERALS[token.type] }, keys: [] } : null;
}

module.exports = {
  chainAt, isDot, openingOf, followsValue, unescapeText, KEYWORDS, TYPE_KEYWORDS,
};
