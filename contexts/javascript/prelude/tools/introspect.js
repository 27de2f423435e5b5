// SPDX-License-Identifier: MIT
// introspect.js - completion and inspection. Here the text is read and replies are written; what
// values have is told by the user realm (reflect.js), which is asked in between. The engine carries
// texts to and fro: question() -> reflect.js -> reply().
"use strict";

const { tokenize } = require("lexer");
const { chainAt, isDot, followsValue, unescapeText, KEYWORDS, TYPE_KEYWORDS } =
  require("expression");
const { modules, paths } = require("modules");
const { describe } = require("description");

const MATCHES_MAX = 5000;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const DECLARING = new Set(["let", "const", "var", "function", "class", "import", "enum"]);

/** Offset in UTF-16 units of a code point, and back. */
function unitsOf(source, points) {
  return [...source].slice(0, points).join("").length;
}

function pointsOf(source, units) {
  return [...source.slice(0, units)].length;
}

let pending = null; // what reply() has to know of the last question

/** The question of reflect.js about a chain. */
function asks(chain, prefix) {
  const [kind, root] = chain === null ? ["globals", ""]
    : chain.root.name ? ["name", chain.root.name] : ["literal", chain.root.literal];
  return JSON.stringify([kind, root, prefix, ...(chain === null ? [] : chain.keys)]);
}

/** Names that this text declares: they exist as soon as it runs. */
function declaredIn(tokens) {
  const found = new Set();
  tokens.forEach((token, i) => {
    const last = tokens[i - 1];
    if (token.type === "name" && last !== undefined && DECLARING.has(last.text) &&
        !KEYWORDS.has(token.text)) {
      found.add(token.text);
    }
  });
  return found;
}

/** Completion inside an open string: {matches} or {question}. */
function insideString(tokens, token, last) {
  const before = tokens[last - 1];
  const quote = token.text[0];
  const place = { start: token.start + 1 };
  const callee = tokens[last - 2];
  const isCall = before !== undefined && before.text === "(" && callee !== undefined &&
    (callee.text === "require" || callee.text === "import");
  if (isCall || (before !== undefined && (before.text === "from" || before.text === "import"))) {
    return { ...place, matches: modules(token.value) };
  }
  if (before !== undefined && before.text === "[" && followsValue(tokens, last - 1)) {
    const chain = chainAt(tokens, last - 2);
    return chain === null ? { ...place, matches: [] }
      : { ...place, quote, prefix: unescapeText(token.value), chain };
  }
  return { ...place, matches: paths(token.value) };
}

/** What is to be completed at the end of `tokens`. */
function analyse(tokens, cursor) {
  let last = tokens.length - 1;
  const token = tokens[last];
  if (token !== undefined && token.open) {
    return token.type === "string" ? insideString(tokens, token, last)
      : { start: cursor, matches: [] };
  }
  const isWord = token !== undefined && token.type === "name" && token.end === cursor;
  const prefix = isWord ? token.text : "";
  const start = isWord ? token.start : cursor;
  last -= isWord ? 1 : 0;
  if (isDot(tokens[last])) {
    const chain = chainAt(tokens, last - 1);
    return chain === null ? { start, matches: [] } : { start, prefix, chain };
  }
  const isNumber = token !== undefined && token.type === "number" && token.end === cursor;
  return isNumber ? { start, matches: [] } : { start, prefix, chain: null };
}

/** The text to ask the user realm; "" when it need not be asked. */
function completeQuestion(source, cursor, isTypeScript) {
  const end = unitsOf(source, cursor);
  const tokens = tokenize(source.slice(0, end));
  const found = analyse(tokens, end);
  const extra = found.chain === null ? [...declaredIn(tokenize(source))] : [];
  pending = { ...found, source, cursor, extra, isTypeScript };
  return found.matches ? "" : asks(found.chain, found.prefix);
}

/** Names from the user realm: "type name". */
function parseMembers(lines) {
  return lines.map((line) => {
    const cut = line.indexOf(" ");
    return { type: line.slice(0, cut), text: line.slice(cut + 1) };
  });
}

/** A key as it is written behind a bracket and a quote. */
function quoted(key, quote) {
  const escaped = JSON.stringify(key).slice(1, -1);
  return quote === '"' ? escaped : escaped.replaceAll('\\"', '"').replaceAll("'", "\\'");
}

function gather(lines) {
  const { quote, prefix, chain, extra, isTypeScript } = pending;
  const members = parseMembers(lines);
  if (quote !== undefined) {
    return members.map(({ type, text }) => ({ type, text: quoted(text, quote) }));
  }
  const words = chain !== null ? []
    : [...KEYWORDS, ...(isTypeScript ? TYPE_KEYWORDS : [])].map(
      (text) => ({ type: "keyword", text }));
  const declared = extra.map((text) => ({ type: "instance", text }));
  return [...members.filter(({ text }) => IDENTIFIER.test(text)), ...declared, ...words]
    .filter(({ text }) => text.startsWith(prefix) && (text !== prefix || members.length > 0));
}

/** One of each name; what begins with an underscore comes last. */
function arrange(matches) {
  const known = new Map();
  for (const match of matches) {
    if (!known.has(match.text)) {
      known.set(match.text, match);
    }
  }
  const rank = ({ text }) => (text.startsWith("_") ? 1 : 0);
  return [...known.values()]
    .sort((a, b) => rank(a) - rank(b) || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .slice(0, MATCHES_MAX);
}

/** The content of a complete_reply. */
function completeReply(lines) {
  const { source, cursor, start } = pending;
  const matches = arrange(pending.matches ?? gather(lines));
  const from = pointsOf(source, start);
  return JSON.stringify({
    status: "ok", matches: matches.map(({ text }) => text), cursor_start: from, cursor_end: cursor,
    metadata: {
      _jupyter_types_experimental: matches.map(
        ({ text, type }) => ({ start: from, end: cursor, text, type })),
    },
  });
}

/** The token that the cursor is in or behind. */
function tokenAt(tokens, at) {
  return tokens.findIndex(({ type, start, end }) => type === "name" && start <= at && at <= end);
}

/** The function whose parentheses the cursor is in. */
function calleeAt(tokens, at) {
  let depth = 0;
  for (let i = tokens.length - 1; i > 0; i--) {
    const { text, type, end } = tokens[i];
    if (type !== "punctuation" || end > at) {
      continue;
    }
    depth += text === ")" || text === "]" || text === "}" ? 1 : 0;
    if (text === "(" && depth === 0 && followsValue(tokens, i)) {
      return i - 1;
    }
    depth -= text === "(" || text === "[" || text === "{" ? 1 : 0;
  }
  return -1;
}

/** The same for inspection. */
function inspectQuestion(source, cursor, detail) {
  const at = unitsOf(source, cursor);
  const tokens = tokenize(source);
  const candidates = [tokenAt(tokens, at), calleeAt(tokens, at)];
  for (const index of candidates) {
    const chain = index < 0 ? null : chainAt(tokens, index);
    const last = chain?.keys.at(-1) ?? chain?.root.name; // a literal alone has no name to look up
    if (last !== undefined) {
      pending = { name: [...Object.values(chain.root), ...chain.keys].join("."), last, detail };
      return asks(chain, "");
    }
  }
  pending = null;
  return "";
}

/** Text about what was asked for; "" when there is nothing. */
function inspectText(facts) {
  return pending === null || facts.length === 0 ? "" : describe(pending, facts);
}

/** The content of an inspect_reply. */
function inspectReply(facts) {
  const text = inspectText(facts);
  return JSON.stringify({
    status: "ok", found: text !== "", data: text === "" ? {} : { "text/plain": text }, metadata: {},
  });
}

/** `name?` and `name??`: the question for it, "" when the cell is something else. */
function helpQuestion(source) {
  const match =
    /^\s*(?:\?\s*)?([\p{ID_Start}$_][\p{ID_Continue}$.]*)\s*(\?{0,2})\s*$/u.exec(source);
  if (match === null || !source.includes("?")) {
    return "";
  }
  return inspectQuestion(match[1], [...match[1]].length, match[2] === "??" ? 1 : 0);
}

/** The payload of the reply to `name?`. */
function helpReply(facts) {
  const name = pending === null ? "" : pending.name;
  const text = inspectText(facts) || `Nothing is known as ${name}.`;
  return JSON.stringify([{ source: "page", data: { "text/plain": text }, start: 0 }]);
}

module.exports = {
  completeQuestion, completeReply, inspectQuestion, inspectReply, helpQuestion, helpReply,
};
