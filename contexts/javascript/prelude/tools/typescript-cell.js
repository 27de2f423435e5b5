// SPDX-License-Identifier: MIT
// typescript-cell.js - takes the types off a cell. What can be erased is blanked, so that lines and
// columns stay; enums, namespaces, parameter properties and decorators are transpiled, and a source
// map leads back. Types are not checked.
"use strict";

const ts = require("typescript");
const { blankSourceFile } = require("ts-blank-space");
const { decodeMap, applyEdits } = require("positions");

const PARSE = {
  languageVersion: ts.ScriptTarget.ESNext,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  // A cell is a module to TypeScript: only there is `await` allowed at its top.
  setExternalModuleIndicator: (file) => {
    file.externalModuleIndicator = true;
  },
};

const TRANSPILE = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  verbatimModuleSyntax: true,
  sourceMap: true,
};

// Of a list of declarations: let and const are 1 and 2, using and await using begin at 4.
const USING = 4;
const DECLARED_BY = 7;

function parse(source) {
  return ts.createSourceFile("cell.ts", source, PARSE, false, ts.ScriptKind.TS);
}

/** Parses what is JavaScript already. */
function parseErased(code) {
  return ts.createSourceFile("cell.js", code, PARSE, false, ts.ScriptKind.JS);
}

/** Syntax that QuickJS does not know and that is not merely types. */
function needsTranspiling(file) {
  const visit = (node) =>
    node.kind === ts.SyntaxKind.Decorator ||
    node.kind === ts.SyntaxKind.AccessorKeyword ||
    (node.kind === ts.SyntaxKind.VariableDeclarationList && (node.flags & DECLARED_BY) >= USING) ||
    ts.forEachChild(node, visit) ||
    false;
  return visit(file);
}

/** `import x = require("y")` in the form that needs no TypeScript, of the same length. */
function plainRequires(source, file) {
  let text = source;
  for (const node of file.statements) {
    if (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly &&
        ts.isExternalModuleReference(node.moduleReference)) {
      const start = node.getStart(file);
      text = `${text.slice(0, start)}const ${text.slice(start + "import".length)}`;
    }
  }
  return text;
}

/** A cell that is one object literal, in parentheses; null for any other. */
function objectLiteral(source) {
  if (!/^\s*\{/.test(source) || /;\s*$/.test(source)) {
    return null;
  }
  const file = parse(`(${source}\n)`);
  const [only, ...others] = file.statements;
  return file.parseDiagnostics.length === 0 && others.length === 0 &&
    ts.isExpressionStatement(only) && ts.isParenthesizedExpression(only.expression) ? file : null;
}

// Ends of lines to TypeScript; to everybody else only the first of them.
const LINE_END = /\r?\n|[\r\u2028\u2029]/g;
const ODD_LINE_END = /\r(?!\n)|[\u2028\u2029]/;

/** A function from places in TypeScript's lines of a text to places in lines that end in \n. */
function recounting(text) {
  const starts = [0, ...Array.from(text.matchAll(LINE_END), (end) => end.index + end[0].length)];
  return (line, column) => {
    const before = text.slice(0, starts[line - 1] + column).split("\n");
    return [before.length, before[before.length - 1].length];
  };
}

/** The same of all segments between two texts. */
function recount(segments, code, source) {
  const ofCode = recounting(code);
  const ofSource = recounting(source);
  return segments.map((segment) => {
    const [line, column] = ofCode(segment.line, segment.column);
    const [toLine, toColumn] = ofSource(segment.toLine, segment.toColumn);
    return { line, column, toLine, toColumn, fixed: segment.fixed };
  });
}

/** {code, map}, where map is the text of a source map. */
function transpile(source, options) {
  const { outputText, sourceMapText } = ts.transpileModule(source, {
    compilerOptions: { ...TRANSPILE, ...options },
  });
  const code = outputText
    .replace(/\/\/# sourceMappingURL=.*\s*$/, "")
    .replace(/^export \{\};\s*$/m, "");
  return { code, map: sourceMapText };
}

function erase(file) {
  let unsupported = false;
  const code = blankSourceFile(file, () => {
    unsupported = true;
  });
  return unsupported ? null : code;
}

function problemOf(file) {
  const [first] = file.parseDiagnostics;
  return first && {
    start: first.start, message: ts.flattenDiagnosticMessageText(first.messageText, " "),
  };
}

/** {code, chain} of a cell, where chain leads back to its text; or {problem} of its syntax. */
function strip(source) {
  const literal = objectLiteral(source);
  const outer = literal ? applyEdits(source, [[0, 0, "("]]).segments : [];
  let file = literal ?? parse(source);
  const problem = problemOf(file);
  if (problem) {
    return { problem };
  }
  const text = plainRequires(file.text, file);
  if (text !== file.text) {
    file = parse(text);
  }
  const erased = needsTranspiling(file) ? null : erase(file);
  if (erased !== null) {
    return { code: erased, chain: [outer] };
  }
  const { code, map } = transpile(text);
  const segments = decodeMap(map, code.split(LINE_END).length);
  return { code, chain: [ODD_LINE_END.test(text) ? recount(segments, code, text)
    : segments, outer] };
}

/** The first error of a text; pos is -1 when there is none. */
function firstError(source) {
  const problem = objectLiteral(source) ? undefined : problemOf(parse(source));
  return problem ? { pos: problem.start, message: problem.message } : { pos: -1, message: "" };
}

module.exports = {
  strip, firstError, parse, parseErased, problemOf, needsTranspiling, plainRequires,
  erase, transpile,
};
