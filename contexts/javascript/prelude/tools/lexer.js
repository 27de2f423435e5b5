// SPDX-License-Identifier: MIT
// lexer.js - the tokens of a text that is still being written: never fails, and says whether a
// string was left open. Good enough to find what stands before a cursor; parsing is acorn's.
"use strict";

const NAME = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER =
  /(?:0[xob][\da-f_]+|(?:\d[\d_]*)(?:\.[\d_]*)?(?:e[+-]?\d+)?|\.\d[\d_]*(?:e[+-]?\d+)?)n?/iy;
const BLANK = /\s+/y;
const PUNCTUATION = /\?\.(?!\d)|\.\.\.|=>|[{}()[\].,;:?<>=+\-*/%&|^!~@]/y;
const REGEX = /\/(?![*/])(?:[^\n\\/[]|\\.|\[(?:[^\n\\\]]|\\.)*\])+\/[a-z]*/y;

/** Words after which a value cannot stand, so that a slash begins a regular expression. */
const OPERATOR_WORDS = new Set([
  "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "await", "yield", "do",
  "else", "instanceof",
]);

class Lexer {
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.tokens = [];
    this.templates = []; // depth of braces at each `${` that is open
    this.depth = 0;
  }

  add(type, end, more) {
    this.tokens.push({ type, start: this.at, end, text: this.source.slice(this.at, end), ...more });
    this.at = end;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    return pattern.test(this.source) ? pattern.lastIndex : -1;
  }

  /** Whether the last token ends a value: what follows is an operator. */
  afterValue() {
    const last = this.tokens[this.tokens.length - 1];
    if (last === undefined) {
      return false;
    }
    return last.type === "name" ? !OPERATOR_WORDS.has(last.text)
      : last.type !== "punctuation" || last.text === ")" || last.text === "]";
  }

  comment() {
    const isLine = this.source.startsWith("//", this.at);
    const end = this.source.indexOf(isLine ? "\n" : "*/", this.at + 2);
    const stop = end < 0 ? this.source.length : end + (isLine ? 0 : 2);
    this.add("comment", stop, { open: !isLine && end < 0 || isLine && end < 0 });
  }

  string(quote) {
    let end = this.at + 1;
    while (end < this.source.length && this.source[end] !== quote && this.source[end] !== "\n") {
      end += this.source[end] === "\\" ? 2 : 1;
    }
    const open = end >= this.source.length || this.source[end] !== quote;
    end = Math.min(end, this.source.length);
    const value = this.source.slice(this.at + 1, end);
    this.add("string", open ? end : end + 1, { value, open });
  }

  /** From a backquote, or from the brace that ends a `${...}`, to the next of either. */
  template() {
    let end = this.at + 1;
    for (; end < this.source.length && this.source[end] !== "`"; end++) {
      if (this.source[end] === "\\") {
        end++;
      } else if (this.source.startsWith("${", end)) {
        this.templates.push(this.depth++);
        this.add("punctuation", end + 2, { opens: true });
        return;
      }
    }
    const open = end >= this.source.length;
    this.add("template", Math.min(end + 1, this.source.length), { open });
  }

  punctuation(end) {
    const text = this.source.slice(this.at, end);
    if (text === "{") {
      this.depth++;
    } else if (text === "}") {
      this.depth--;
      if (this.templates[this.templates.length - 1] === this.depth) {
        this.templates.pop();
        this.template();
        return;
      }
    }
    this.add("punctuation", end);
  }

  step() {
    const char = this.source[this.at];
    const blank = this.match(BLANK);
    if (blank > 0) {
      this.at = blank;
    } else if (this.source.startsWith("//", this.at) || this.source.startsWith("/*", this.at)) {
      this.comment();
    } else if (char === '"' || char === "'") {
      this.string(char);
    } else if (char === "`") {
      this.template();
    } else {
      this.word(char);
    }
  }

  word(char) {
    const name = this.match(NAME);
    const number = name > 0 ? -1 : this.match(NUMBER);
    const regex = char === "/" && !this.afterValue() ? this.match(REGEX) : -1;
    const mark = this.match(PUNCTUATION);
    if (name > 0) {
      this.add("name", name);
    } else if (number > 0 && !(char === "." && this.afterValue())) {
      this.add("number", number);
    } else if (regex > 0) {
      this.add("regex", regex);
    } else if (mark > 0) {
      this.punctuation(mark);
    } else {
      this.add("punctuation", this.at + 1);
    }
  }
}

/** The tokens of `source`, comments only where the text ends inside one. */
function tokenize(source) {
  const lexer = new Lexer(source);
  while (lexer.at < source.length) {
    lexer.step();
  }
  return lexer.tokens.filter((token) => token.type !== "comment" || token.open);
}

module.exports = { tokenize };
