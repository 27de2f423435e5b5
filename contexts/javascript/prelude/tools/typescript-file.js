// SPDX-License-Identifier: MIT
// typescript-file.js - takes the types off a file that is imported or required, as tsc would for a
// project without settings: imports that only types use go with the types.
"use strict";

const ts = require("typescript");
const { parse, parseErased, problemOf, needsTranspiling, plainRequires, erase, transpile } =
  require("typescript-cell");

const AS_MODULE = { verbatimModuleSyntax: false };
const AS_COMMONJS = {
  verbatimModuleSyntax: false, module: ts.ModuleKind.CommonJS, esModuleInterop: true,
};

function isExported(node) {
  return ts.canHaveModifiers(node) &&
         (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** `export = x` and `import x = require("y")`. */
function isCommonJs(node) {
  return (ts.isExportAssignment(node) && node.isExportEquals === true) ||
         (ts.isImportEqualsDeclaration(node) && !node.isTypeOnly &&
          ts.isExternalModuleReference(node.moduleReference));
}

function isModuleSyntax(node) {
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ||
         ts.isExportAssignment(node) || isCommonJs(node) || isExported(node);
}

/** "module", "commonjs", or undefined when neither name nor text of the file tells. */
function formatOf(file, wanted) {
  if (wanted === "module" || wanted === "commonjs") {
    return wanted;
  }
  if (file.statements.some(isCommonJs)) {
    return "commonjs";
  }
  return file.statements.some(isModuleSyntax) ? "module" : undefined;
}

/** Names that a file imports, those marked as types aside. */
function importedNames(file) {
  const names = [];
  for (const { importClause: clause } of file.statements.filter(ts.isImportDeclaration)) {
    const bindings = clause?.namedBindings;
    if (!clause || clause.isTypeOnly) {
      continue;
    }
    const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : [bindings];
    for (const part of [clause, ...named]) {
      if (part?.name && !(part.isTypeOnly && part !== clause)) {
        names.push(part.name.text);
      }
    }
  }
  return names;
}

/** Names of the file itself that it exports in braces, those marked as types aside. */
function exportedNames(file) {
  return file.statements
    .filter((node) => ts.isExportDeclaration(node) && !node.moduleSpecifier && !node.isTypeOnly)
    .flatMap(({ exportClause }) => [...exportClause.elements])
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** Names that code mentions, which has no types left; properties aside. */
function usedNames(code) {
  const used = new Set();
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      return;
    }
    if (ts.isIdentifier(node)) {
      used.add(node.text);
    } else if (ts.isPropertyAccessExpression(node)) {
      visit(node.expression);
    } else if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) {
      visit(node.initializer);
    } else {
      ts.forEachChild(node, visit);
    }
  };
  visit(parseErased(code));
  return used;
}

/** True when the file imports or exports, by a name without `type`, what may be a type. */
function namesTypes(file, code) {
  const imported = importedNames(file);
  const exported = exportedNames(file);
  if (imported.length + exported.length === 0) {
    return false;
  }
  const used = usedNames(code);
  return imported.some((name) => !used.has(name) && !exported.includes(name)) ||
         exported.some((name) => !used.has(name) && !imported.includes(name));
}

/** {code, format, map} of a file, map for what was moved; {problem} when it does not parse. */
function stripFile(source, wanted) {
  let file = parse(source);
  const problem = problemOf(file);
  if (problem) {
    return { problem };
  }
  const format = formatOf(file, wanted);
  if (format === "commonjs" && file.statements.some(isModuleSyntax)) {
    return { format, ...transpile(source, AS_COMMONJS) };
  }
  const text = plainRequires(source, file);
  if (text !== source) {
    file = parse(text);
  }
  const erased = needsTranspiling(file) ? null : erase(file);
  return erased !== null && !namesTypes(file, erased) ? { code: erased, format }
                                                      : { format, ...transpile(text, AS_MODULE) };
}

module.exports = { stripFile };
