// SPDX-License-Identifier: MIT
// javascript.cjs ACORN - the half of javascript.py that reads syntax trees. On standard input a JSON list
// of {path, text, guarded}; on standard output a JSON list of {path, line, rule, text}.
"use strict";

const vm = require("vm");
const fs = require("fs");

const acorn = require(process.argv[2]);

const FUNCTION_LINES = 60;
const MODULE_NAMES = ["exports", "require", "module", "native", "globalThis"];

/** What the language has, from a realm that nobody has added to. */
const language = vm.runInNewContext(`
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !/console|WebAssembly/.test(name));
  const methods = new Set();
  const add = (prototype) => {
    for (const key of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, key);
      if (typeof value === "function" && key !== "constructor") methods.add(key);
    }
  };
  for (const name of names) {
    if (typeof globalThis[name] === "function" && globalThis[name].prototype) add(globalThis[name].prototype);
  }
  for (const one of [Uint8Array.prototype, [].values(), function* () {}.prototype]) add(Object.getPrototypeOf(one));
  ({ names, methods: [...methods] })`);
const BUILTINS = new Set(language.names.filter((name) => name !== "globalThis")); // ours is a copy
const METHODS = new Set(language.methods);

class Scope {
  constructor(parent, isFunction) {
    this.parent = parent;
    this.isFunction = isFunction;
    this.names = new Map();
  }

  declare(name, entry) {
    const owner = entry.kind === "var" ? this.nearestFunction() : this;
    if (!owner.names.has(name)) {
      owner.names.set(name, { reads: 0, ...entry });
    }
  }

  nearestFunction() {
    return this.isFunction || this.parent === null ? this : this.parent.nearestFunction();
  }

  find(name) {
    return this.names.get(name) ?? this.parent?.find(name);
  }
}

/** One file: a walk that declares names and notes references, resolved when all is declared. */
class Check {
  constructor(file) {
    this.path = file.path;
    this.lines = file.text.split("\n");
    this.guarded = file.guarded;
    this.found = [];
    this.scopes = [];
    this.references = [];
    this.calls = []; // of methods, looked at when it is known what their objects are
    this.depth = 0; // of functions around
    this.classes = [];
    const tree = acorn.parse(file.text, { ecmaVersion: "latest", sourceType: "script", locations: true, allowReturnOutsideFunction: true });
    this.scope = this.push(null, true);
    for (const name of MODULE_NAMES) {
      this.scope.declare(name, { kind: "module", node: tree });
    }
    this.visitAll(tree.body);
    this.resolve();
  }

  complain(node, rule, text) {
    this.found.push({ path: this.path, line: node.loc.start.line, rule, text });
  }

  push(parent, isFunction) {
    const scope = new Scope(parent, isFunction);
    this.scopes.push(scope);
    return scope;
  }

  within(isFunction, work) {
    const before = this.scope;
    this.scope = this.push(before, isFunction);
    work();
    this.scope = before;
  }

  forbid(node, text) {
    if (this.guarded && this.depth > 0) {
      this.complain(node, "primordials", text);
    }
  }

  visitAll(nodes) {
    for (const node of nodes) {
      this.visit(node);
    }
  }

  visit(node) {
    if (node === null || node === undefined) {
      return;
    }
    const own = this[node.type];
    if (own !== undefined) {
      own.call(this, node);
    } else {
      this.children(node);
    }
  }

  children(node) {
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (Array.isArray(value)) {
        this.visitAll(value.filter((item) => typeof item?.type === "string"));
      } else if (typeof value?.type === "string") {
        this.visit(value);
      }
    }
  }

  // Names.

  pattern(node, entry) {
    switch (node?.type) {
      case "Identifier":
        this.scope.declare(node.name, { node, ...entry });
        break;
      case "ObjectPattern": {
        const hasRest = node.properties.some((property) => property.type === "RestElement");
        for (const property of node.properties) {
          if (property.computed) {
            this.visit(property.key);
          }
          this.pattern(property.value ?? property.argument, { ...entry, isLeftOut: hasRest && property.type === "Property" });
        }
        break;
      }
      case "ArrayPattern":
        this.forbid(node, "[a, b] = uses the iterator of arrays; name the indices: { 0: a, 1: b } =");
        node.elements.forEach((element) => this.pattern(element, { ...entry, isLeftOut: false }));
        break;
      case "AssignmentPattern":
        this.pattern(node.left, entry);
        this.visit(node.right);
        break;
      case "RestElement":
        this.pattern(node.argument, entry);
        break;
      default: // an assignment to a member, or a hole
        this.visit(node);
    }
  }

  Identifier(node) {
    this.references.push({ node, scope: this.scope, depth: this.depth });
  }

  MemberExpression(node) {
    this.visit(node.object);
    if (node.computed) {
      this.visit(node.property);
    } else if (node.property.type === "PrivateIdentifier") {
      this.readPrivate(node.property);
    }
  }

  PrivateIdentifier(node) {
    this.readPrivate(node); // #x in object
  }

  readPrivate(node) {
    this.classes.findLast((names) => names.has(node.name))?.set(node.name, null);
  }

  Property(node) {
    if (node.computed) {
      this.visit(node.key);
    }
    this.visit(node.value);
  }

  LabeledStatement(node) {
    this.visit(node.body);
  }

  BreakStatement() {}
  ContinueStatement() {}
  MetaProperty() {}

  VariableDeclaration(node) {
    for (const declarator of node.declarations) {
      this.pattern(declarator.id, { kind: node.kind, init: declarator.id.type === "Identifier" ? declarator.init : undefined,
                                    node: declarator.id });
      this.visit(declarator.init);
    }
  }

  AssignmentExpression(node) {
    if (node.left.type === "ArrayPattern" || node.left.type === "ObjectPattern") {
      this.children(node.left);
      if (node.left.type === "ArrayPattern") {
        this.forbid(node, "[a, b] = uses the iterator of arrays");
      }
    } else if (node.left.type !== "Identifier" || node.operator !== "=") {
      this.visit(node.left);
    } else {
      this.references.push({ node: node.left, scope: this.scope, depth: this.depth, isWrite: true });
    }
    this.visit(node.right);
  }

  // Functions, classes, blocks.

  function_(node) {
    const lines = node.loc.end.line - node.loc.start.line + 1;
    if (lines > FUNCTION_LINES) {
      this.complain(node, "length", `a function of ${lines} lines, at most ${FUNCTION_LINES}`);
    }
    const runsLater = this.runsLater(node) ? 1 : 0;
    this.depth += runsLater;
    this.within(true, () => {
      if (node.type !== "ArrowFunctionExpression") {
        this.scope.declare("arguments", { kind: "module", node });
      }
      if (node.type === "FunctionExpression" && node.id) {
        this.scope.declare(node.id.name, { kind: "own", node });
      }
      node.params.forEach((param, index) => this.pattern(param, { kind: "param", index }));
      if (node.body.type === "BlockStatement") {
        this.visitAll(node.body.body);
      } else {
        this.visit(node.body);
      }
    });
    this.depth -= runsLater;
  }

  /** The comment above a function of the file may say that it runs only while the prelude is loaded. */
  runsLater(node) {
    return this.depth > 0 || !/before user code/i.test(this.lines[node.loc.start.line - 2] ?? "");
  }

  FunctionDeclaration(node) {
    this.scope.declare(node.id.name, { kind: "function", node });
    this.function_(node);
  }

  FunctionExpression(node) { this.function_(node); }
  ArrowFunctionExpression(node) { this.function_(node); }

  ClassDeclaration(node) {
    this.scope.declare(node.id.name, { kind: "class", node });
    this.class_(node);
  }

  ClassExpression(node) { this.class_(node); }

  class_(node) {
    this.visit(node.superClass);
    const names = new Map();
    for (const member of node.body.body) {
      if (member.key?.type === "PrivateIdentifier") {
        names.set(member.key.name, member);
      }
    }
    this.classes.push(names);
    for (const member of node.body.body) {
      this.member(member);
    }
    this.classes.pop();
    for (const [name, member] of names) {
      if (member !== null) {
        this.complain(member, "unused", `#${name} is never used`);
      }
    }
  }

  member(node) {
    if (node.type === "StaticBlock") {
      this.within(true, () => this.visitAll(node.body));
      return;
    }
    if (node.computed) {
      this.visit(node.key);
    }
    const runsLater = node.type === "PropertyDefinition" && !node.static;
    this.depth += runsLater ? 1 : 0;
    this.visit(node.value);
    this.depth -= runsLater ? 1 : 0;
  }

  BlockStatement(node) { this.within(false, () => this.visitAll(node.body)); }
  ForStatement(node) { this.within(false, () => this.children(node)); }
  ForInStatement(node) { this.within(false, () => this.children(node)); }

  SwitchStatement(node) {
    this.visit(node.discriminant);
    this.within(false, () => this.visitAll(node.cases));
  }

  ForOfStatement(node) {
    if (!node.await) { // that is over streams of others
      this.forbid(node, "for-of uses the iterator of arrays; count indices");
    }
    this.within(false, () => this.children(node));
  }

  CatchClause(node) {
    this.within(false, () => {
      if (node.param) {
        this.pattern(node.param, { kind: "caught" });
      }
      this.visitAll(node.body.body);
    });
  }

  // Forms.

  SpreadElement(node) {
    this.visit(node.argument);
  }

  ArrayExpression(node) {
    this.spreads(node.elements);
    this.children(node);
  }

  spreads(nodes) {
    for (const node of nodes) {
      if (node?.type === "SpreadElement") {
        this.forbid(node, "...list uses the iterator of arrays");
      }
    }
  }

  NewExpression(node) {
    this.spreads(node.arguments);
    this.children(node);
  }

  CallExpression(node) {
    this.spreads(node.arguments);
    const { callee } = node;
    if (callee.type === "MemberExpression" && !callee.computed && callee.property.type === "Identifier") {
      this.calls.push({ node: callee, scope: this.scope, depth: this.depth });
    }
    this.children(node);
  }

  // Afterwards.

  resolve() {
    for (const { node, scope, depth, isWrite } of this.references) {
      const entry = scope.find(node.name);
      if (entry !== undefined) {
        entry.reads += isWrite ? 0 : 1;
      } else if (!BUILTINS.has(node.name)) {
        this.complain(node, "unknown", `${node.name} is declared nowhere`);
      } else if (this.guarded && depth > 0 && !["undefined", "NaN", "Infinity"].includes(node.name)) {
        this.complain(node, "primordials", `${node.name} can be replaced; take it from globalThis at the top of the file`);
      }
    }
    if (this.guarded) {
      this.calls.filter(({ depth }) => depth > 0).forEach((call) => this.checkCall(call));
    }
    for (const scope of this.scopes) {
      this.unused(scope);
    }
  }

  unused(scope) {
    const lastUsed = Math.max(-1, ...[...scope.names.values()].filter((entry) => entry.reads > 0).map((entry) => entry.index ?? -1));
    for (const [name, entry] of scope.names) {
      const isExempt = ["module", "own"].includes(entry.kind) || name.startsWith("_") || entry.isLeftOut ||
        (entry.kind === "param" && entry.index < lastUsed);
      if (entry.reads === 0 && !isExempt) {
        this.complain(entry.node, "unused", `${name} is never used`);
      }
    }
  }

  /** Methods of values that are not ours, and functions of objects that user code can change. */
  checkCall({ node, scope }) {
    const name = node.property.name;
    const { object } = node;
    if (object.type === "Identifier" && BUILTINS.has(object.name)) {
      this.complain(node, "primordials", `${object.name}.${name} can be replaced; keep it from before user code`);
    } else if (METHODS.has(name) && !this.isOurs(object, scope)) {
      this.complain(node, "primordials", `.${name}() can be replaced; use primordials or kit`);
    }
  }

  /** Objects whose methods are ours: modules, `native`, this, and what is made by one of OWN. */
  isOurs(object, scope) {
    if (object.type === "ThisExpression" || object.type === "Super") {
      return true;
    }
    if (object.type === "MemberExpression") {
      return object.object.type === "Identifier" && object.object.name === "native";
    }
    const init = object.type === "Identifier" ? scope.find(object.name)?.init : undefined;
    return object.name === "native" || (init !== undefined && init !== null && isModuleOrSafe(init));
  }
}

function isModuleOrSafe(init) {
  const callee = init.callee?.property?.name ?? init.callee?.name;
  return (init.type === "CallExpression" && callee === "require") ||
    (init.type === "NewExpression" && callee === "SafeMap");
}

function main() {
  const files = JSON.parse(fs.readFileSync(0, "utf-8"));
  const found = [];
  for (const file of files) {
    try {
      found.push(...new Check(file).found);
    } catch (error) {
      if (!(error instanceof SyntaxError)) {
        throw error;
      }
      found.push({ path: file.path, line: error.loc?.line ?? 1, rule: "syntax", text: error.message });
    }
  }
  process.stdout.write(JSON.stringify(found));
}

main();
