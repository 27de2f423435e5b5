// SPDX-License-Identifier: MIT
// rewrite.js - makes what a cell declares persistent and declarable again: top-level let, const,
// class, import and export become var and assignments, in place and without moving a line.
"use strict";

const acorn = require("acorn");

const OPTIONS = {
  ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true,
  allowHashBang: true, allowImportExportEverywhere: false, locations: false,
};
// Names that are exported may come from an earlier cell.
const Parser = acorn.Parser.extend((Base) => class extends Base {
  checkLocalExport() {}
});
// Globals of prelude/user/node/surface.js: what a cell's import.meta becomes, and what refuses
// names that a module does not export. Types may be among those of TypeScript: it does not ask.
const META = "__importMeta";
const CHECK = "__checkImports";
// The words in front of a default export; what follows may be in parentheses that no node contains.
const EXPORT_DEFAULT = /export(?:\s|\/\*[^]*?\*\/|\/\/.*)*default/y;
const WORDS = /\b(?:let|const|class|import|export|using)\b/;

/** Parses as a module, else as a sloppy script; the error that got further is thrown. */
function parse(source) {
  try {
    return Parser.parse(source, OPTIONS);
  } catch (error) {
    try {
      return Parser.parse(source, { ...OPTIONS, sourceType: "script" });
    } catch (second) {
      throw second.pos > error.pos ? second : error;
    }
  }
}

/** As many ends of lines as `text` has. */
function newlines(text) {
  return "\n".repeat(text.split("\n").length - 1);
}

function blank(text) {
  return text.replace(/[^\n\r]/g, " ");
}

/** Adds the names that a pattern binds. */
function bindNames(pattern, names) {
  switch (pattern.type) {
    case "Identifier":
      names.push(pattern.name);
      break;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        bindNames(property.type === "RestElement" ? property.argument : property.value, names);
      }
      break;
    case "ArrayPattern":
      pattern.elements.filter(Boolean).forEach((element) => bindNames(element, names));
      break;
    case "AssignmentPattern":
      bindNames(pattern.left, names);
      break;
    case "RestElement":
      bindNames(pattern.argument, names);
      break;
  }
}

/** A string as it is written, or in one line when it was written in several. */
function literal({ raw, value }) {
  return raw.includes("\n") ? JSON.stringify(value) : raw;
}

/** What a specifier takes from its module. */
function importedName({ type, imported }) {
  return type === "ImportDefaultSpecifier" ? "default" : imported.name ?? imported.value;
}

/** Loads a module and has no value: what stood before it remains that of the cell. */
function loadOnly(module) {
  return `var {}=await import(${module});`;
}

/** Collects the edits of one cell. */
class Rewriter {
  constructor(source, checksImports) {
    this.source = source;
    this.checksImports = checksImports;
    this.edits = [];
    this.names = [];
  }

  text(node) {
    return this.source.slice(node.start, node.end);
  }

  replace(start, end, text) {
    this.edits.push([start, end, text]);
  }

  /** Replaces a whole statement and keeps the lines behind it where they are. */
  replaceStatement(node, text) {
    this.replace(node.start, node.end, text + newlines(this.text(node)));
  }

  blankUntil(node, inner) {
    this.replace(node.start, inner.start, blank(this.source.slice(node.start, inner.start)));
  }

  statement(node) {
    switch (node.type) {
      case "VariableDeclaration": return this.variables(node);
      case "ClassDeclaration": return this.classDeclaration(node);
      case "FunctionDeclaration": return node.id && this.names.push(node.id.name);
      case "ImportDeclaration": return this.importDeclaration(node);
      case "ExportNamedDeclaration": return this.exportNamed(node);
      case "ExportAllDeclaration":
        return this.replaceStatement(node, loadOnly(literal(node.source)));
      case "ExportDefaultDeclaration": return this.exportDefault(node);
    }
  }

  variables(node) {
    if (node.kind !== "var" && node.kind !== "let" && node.kind !== "const") {
      return;
    }
    if (node.kind !== "var") {
      this.replace(node.start, node.start + node.kind.length, "var".padEnd(node.kind.length));
    }
    for (const declarator of node.declarations) {
      bindNames(declarator.id, this.names);
      if (!declarator.init && node.kind === "let") {
        this.replace(declarator.id.end, declarator.id.end, "=void 0");
      }
    }
  }

  /** The semicolon keeps a following parenthesis from calling the class. */
  classDeclaration(node) {
    this.names.push(node.id.name);
    this.replace(node.start, node.start, `var ${node.id.name}=`);
    this.replace(node.end, node.end, ";");
  }

  importDeclaration(node) {
    const attributes = (node.attributes ?? []).map((attribute) => this.attribute(attribute));
    const options = attributes.length > 0 ? `,{with:{${attributes.join()}}}` : "";
    const source = literal(node.source);
    const module = `await import(${source}${options})`;
    const space = node.specifiers.find(({ type }) => type === "ImportNamespaceSpecifier");
    const others = node.specifiers.filter((specifier) => specifier !== space);
    const pattern = `{${others.map((specifier) => this.importPair(specifier)).join()}}`;
    const load = this.checksImports && others.length > 0
      ? `${CHECK}(${module},${source},${JSON.stringify(others.map(importedName))})` : module;
    this.names.push(...node.specifiers.map(({ local }) => local.name));
    if (space) {
      const rest = others.length > 0 ? `,${pattern}=${space.local.name}` : "";
      this.replaceStatement(node, `var ${space.local.name}=${load}${rest};`);
    } else if (others.length > 0) {
      this.replaceStatement(node, `var ${pattern}=${load};`);
    } else {
      this.replaceStatement(node, loadOnly(`${source}${options}`));
    }
  }

  /** `imported: local` of a pattern. */
  importPair({ type, imported, local }) {
    const name = type === "ImportDefaultSpecifier" ? "default" : this.key(imported);
    return `${name}:${local.name}`;
  }

  /** `type: "json"`, always in one line. */
  attribute({ key, value }) {
    return `${this.key(key)}:${literal(value)}`;
  }

  /** A name, or a string in the place of one. */
  key(node) {
    return node.type === "Literal" ? literal(node) : this.text(node);
  }

  exportNamed(node) {
    if (node.declaration) {
      this.blankUntil(node, node.declaration);
      this.statement(node.declaration);
    } else {
      this.replaceStatement(node, node.source ? loadOnly(literal(node.source)) : ";");
    }
  }

  exportDefault(node) {
    const inner = node.declaration;
    if (inner.type.endsWith("Declaration") && inner.id) {
      this.blankUntil(node, inner);
      this.statement(inner);
      return;
    }
    EXPORT_DEFAULT.lastIndex = node.start;
    const [words] = EXPORT_DEFAULT.exec(this.source);
    const end = this.source[node.end - 1] === ";" ? node.end - 1 : node.end;
    this.replace(node.start, node.start + words.length, `;${blank(words.slice(1, -1))}(`);
    this.replace(end, node.end, ");");
  }
}

/** Calls back for every `import.meta` below a node. */
function findMeta(node, found) {
  if (node.type === "MetaProperty" && node.meta.name === "import") {
    found(node);
    return;
  }
  for (const child of Object.values(node)) {
    if (typeof child === "object" && child !== null) {
      findMeta(child, found); // a node, or an array of them
    }
  }
}

/** A cell that is one object literal, which a script would read as a block. */
function isObjectLiteral(source) {
  if (!/^\s*\{/.test(source) || /;\s*$/.test(source)) {
    return false;
  }
  try {
    const { body } = Parser.parse(`(${source}\n)`, { ...OPTIONS, preserveParens: true });
    return body.length === 1 && body[0].expression?.type === "ParenthesizedExpression";
  } catch {
    return false;
  }
}

/** The edits and declared names of a cell. Throws acorn's SyntaxError. */
function rewrite(source, { checksImports = false } = {}) {
  if (isObjectLiteral(source)) {
    return { edits: [[0, 0, "("], [source.length, source.length, "\n)"]], names: [] };
  }
  if (!WORDS.test(source)) {
    return { edits: [], names: [] };
  }
  const rewriter = new Rewriter(source, checksImports);
  const tree = parse(source);
  tree.body.forEach((node) => rewriter.statement(node));
  if (source.includes("import.meta")) {
    findMeta(tree, (node) => rewriter.replace(node.start, node.end, META));
  }
  return { edits: rewriter.edits, names: rewriter.names };
}

module.exports = { parse, rewrite };
