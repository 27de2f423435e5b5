# SPDX-License-Identifier: MIT
r"""A table of cells with what they give. The rows of a group run in one context, in their order, so that
later ones meet the names of earlier ones. A row is (code, value): the text of the result, None for no
result, Out(...) for output, Err(...) for an error at a line and a column of the cell. What Node's eval
can run has the same value there, in the same run (test_values_are_those_of_node)."""
import json
import re
import subprocess
from typing import NamedTuple

import pytest

from support.build import scaled
from support.node import node_program
from support.text import plain

pytestmark = pytest.mark.rows


class Out(NamedTuple):
    stdout: str = ""
    stderr: str = ""
    value: str | None = None


class Err(NamedTuple):
    name: str
    message: str | None = None
    place: str | None = None


JAVASCRIPT = {
    "redeclaration": [
        ("let a = 1", None), ("let a = 2; a", "2"), ("const a = 3; a", "3"), ("var a = 4; a", "4"), ("class a { static s = 5 }\na.s", "5"), ("function a() { return 6 }\na()", "6"), ("let a; a", None), ("typeof a", "'undefined'"),
        ("const k = 1; k", "1"), ("const k = 2; k", "2"), ("k = 3; k", "3"), ("let { x, y: [z] } = { x: 1, y: [2] }; [x, z]", "[ 1, 2 ]"), ("const { x, ...rest } = { x: 5, p: 6 }; [x, rest]", "[ 5, { p: 6 } ]"),
        ("let [first, , third = 9, ...others] = [1, 2, undefined, 4, 5]; [first, third, others]", "[ 1, 9, [ 4, 5 ] ]"), ("[first, third] = [third, first]; [first, third]", "[ 9, 1 ]"), ("const seen = 1; const see = () => seen", None), ("const seen = 2; see()", "2"), ("function f() { return g() }", None), ("function g() { return 'one' }\nf()", "'one'"),
        ("g = () => 'two'; f()", "'two'"), ("class A { who() { return 'first' } }\nlet old = new A()", None), ("class A { who() { return 'second' } }\n[old.who(), new A().who()]", "[ 'first', 'second' ]"), ("old instanceof A", "false"),
        ("class B extends A { who() { return super.who() + '!' } }\nnew B().who()", "'second!'"), ("let boom = (() => { throw new Error('no') })()", Err("Error", "no", "1:31")), ("let boom = 1; boom", "1"), ("var [d1, d2] = new Map([[1, 2]]); [d1, d2]", "[ [ 1, 2 ], undefined ]"),
        ("let one = 1, two = one + 1, three; [one, two, three]", "[ 1, 2, undefined ]"), ("for (let i = 0; i < 2; i++) var last = i; last", "1"), ("const {length} = 'four'; length", "4"), ("async function af() { return 1 }\nasync function af() { return 2 }\nawait af()", "2"),
        ("let { deep: { er = 3 } = {} } = {}; er", "3"), ("const fn = function named() { return typeof named }; fn()", "'function'"), ("delete globalThis.nothing", "true"), ("let undefinedName; undefinedName ?? 'none'", "'none'"), ("let a = 1; let a = 2", Err("SyntaxError", None, "1:16")),
    ],
    "completion": [
        ("1 + 1", "2"), ("1;2;3", "3"), ("", None), ("// nothing", None), ("/* nothing */", None), (";", None), ("undefined", None), ("null", "null"), ("void 0", None), ("'a' + `b${1 + 1}`", "'ab2'"), ("if (1) 'yes'; else 'no'", "'yes'"), ("if (0) 'yes'", None),
        ("{}", "{}"), ("{a: 1}", "{ a: 1 }"), ("{a: 1};", "1"), ("{ let inner = 3; inner * 2 }", "6"), ("({}).toString()", "'[object Object]'"), ("({a: 1, b: {c: [1, 2]}})", "{ a: 1, b: { c: [ 1, 2 ] } }"), ("for (let i = 0; i < 3; i++) i", "2"), ("for (const x of []) x", None),
        ("var w = 0; while (w < 5) w++; w", "5"), ("do { 'once' } while (false)", "'once'"), ("for (const k in {p: 1, q: 2}) k", "'q'"), ("outer: for (let i = 0; i < 3; i++) { for (let j = 0; j < 3; j++) { if (j == 1) continue outer; if (i == 2) break outer; [i, j] } }", None),
        ("blk: { 1; break blk; }", "1"), ("switch (2) { case 1: 'a'; case 2: 'b'; case 3: 'c' }", "'c'"), ("switch (9) { default: 'd' }", "'d'"), ("try { 'body' } finally { 'not this' }", "'body'"), ("try { throw 1 } catch { 'caught' }", "'caught'"), ("var v = 5", None), ("x1 = 5", "5"), ("x1 += 2", "7"), ("x1++", "7"), ("(x1, 'comma')", "'comma'"),
        ("function decl() {}", None), ("(function () { return 1 })()", "1"), ("(() => {})()", None), ("!function () {}()", "true"), ("1\n+ 2", "3"), ("let asi = 1\n;[asi].length", "1"), ("'use strict'; 1", "1"), ("debugger; 3", "3"), ("0 || 'or'", "'or'"), ("1 && 'and'", "'and'"), ("x1?.y?.z", None), ("null?.x ?? 'fallback'", "'fallback'"), ("2 ** 10", "1024"),
        ("typeof typeof 1", "'string'"), ("`line\n${'two'}`", "'line\\ntwo'"), ("String.raw`a\\n${1}`", "'a\\\\n1'"), ("((a, b = 2, ...c) => [a, b, c])(1)", "[ 1, 2, [] ]"), ("(function () { return arguments.length })(1, 2)", "2"), ("new (class { v = 1 })().v", "1"), ("[...'ab', ...[1]]", "[ 'a', 'b', 1 ]"), ("({...{a: 1}, b: 2})", "{ a: 1, b: 2 }"), ("[1, [2, [3, [4]]]].flat(Infinity)", "[ 1, 2, 3, 4 ]"),
    ],
    "text": [
        ("#!/usr/bin/env node\n3", "3"), ("const ünï = 'é😀'; ünï", "'é😀'"), ("let π = 3.14, \\u0061b = 2; [π, ab]", "[ 3.14, 2 ]"), ("'let x = 1; const'", "'let x = 1; const'"), ("/let|const|class/.test('class')", "true"), ("/[/]let/.source", "'[/]let'"), ("'a/let/g'.split('/')", "[ 'a', 'let', 'g' ]"), ("`const ${`let ${1}`}`", "'const let 1'"),
        ("// import x from 'y'\n4", "4"), ("/* export default */ 5", "5"), ("let $ = 1, _ = 2; $ + _", "3"), ("var let_ = 1, classy = 2, imports = 3; let_ + classy + imports", "6"), ("({let: 1, class: 2, import: 3}).class", "2"), ("({ get() { return 'got' } }).get()", "'got'"), ("'\\u{1F600}'.length", "2"), ("'\\x41\\n'", "'A\\n'"), ("\"it's\"", '"it\'s"'), ("'say \"hi\"'", "'say \"hi\"'"),
        ("const crlf = 1\r\ncrlf\r\n", "1"), ("'a\\\nb'", "'ab'"), ("0x1f + 0b11 + 0o17 + 1_000", "1049"), ("010", "8"), ("'\\101'", "'A'"), ("<!-- html comment\n6", "6"), ("'é'.normalize('NFD').length", "2"), ("[...'👨‍👩‍👧'].length", "5"), ("'abc'.at(-1)", "'c'"), ("'a-b-c'.replaceAll('-', '+')", "'a+b+c'"), ("'2024-01-02'.match(/(?<y>\\d+)-(?<m>\\d+)/).groups.m", "'01'"),
        ("[...'a1b2'.matchAll(/[a-z](\\d)/g)].map(m => m[1])", "[ '1', '2' ]"), ("/(?<=\\$)\\d+/.exec('cost $42')[0]", "'42'"), ("'x'.padStart(3, 'ab')", "'abx'"), ("\ufeff7", "7"), ("'\u2028'.length", "1"), ("var \U00020bb7 = 8; \U00020bb7", "8"),
    ],
    "scope": [
        ("{ let inner = 1; const also = 2; class Hidden {} }", None), ("[typeof inner, typeof also, typeof Hidden]", "[ 'undefined', 'undefined', 'undefined' ]"), ("{ function hoisted() { return 'h' } }\nhoisted()", "'h'"), ("var fs_ = []; for (let i = 0; i < 3; i++) fs_.push(() => i); fs_.map(f => f())", "[ 0, 1, 2 ]"),
        ("var gs = []; for (var vi = 0; vi < 3; vi++) gs.push(() => vi); gs.map(f => f())", "[ 3, 3, 3 ]"), ("const counter = (() => { let n = 0; return { up: () => ++n } })(); counter.up(); counter.up()", "2"), ("counter.up()", "3"), ("this === globalThis", "true"), ("(function () { return this === globalThis })()", "true"), ("(function () { 'use strict'; return this })()", None), ("(() => this === globalThis)()", "true"),
        ("undeclared = 1; undeclared", "1"), ("(function () { 'use strict'; other = 1 })()", Err("ReferenceError")), ("with ({w: 1}) w", "1"), ("var top1 = 1; globalThis.top1", "1"), ("let top2 = 2; globalThis.top2", "2"), ("eval('var ev = 3'); ev", "3"), ("eval('let hidden = 4; hidden')", "4"), ("typeof hidden", "'undefined'"), ("new Function('a', 'return a + 1')(1)", "2"), ("(0, eval)('typeof counter')", "'object'"), ("typeof neverDeclared", "'undefined'"),
        ("var o = { m() { return this.v }, v: 1 }; o.m()", "1"), ("var unbound = o.m; globalThis.v = 'global'; unbound()", "'global'"), ("o.m.call({v: 2})", "2"), ("o.m.bind({v: 3})()", "3"), ("(function f(n) { return n ? n * f(n - 1) : 1 })(5)", "120"), ("var arguments_ = (function () { arguments[0] = 9; return arguments[0] })(1); arguments_", "9"), ("NaN === NaN", "false"), ("typeof hoistedLater + hoistedLater()\nfunction hoistedLater() { return '!' }", "'function!'"),
    ],
    "await": [
        ("await 1", "1"), ("await Promise.resolve('x')", "'x'"), ("const t = await new Promise(go => setTimeout(go, 1, 'timer')); t", "'timer'"), ("await Promise.all([1, Promise.resolve(2)])", "[ 1, 2 ]"), ("let total = 0; for await (const n of (async function* () { yield 1; yield 2 })()) total += n; total", "3"), ("for (const p of [1, 2].map(async n => n * 2)) await p", "4"), ("if (await true) 'then'", "'then'"),
        ("const { v: tv = await 5 } = {}; tv", "5"), ("[await 1, await 2]", "[ 1, 2 ]"), ("`${await 'tpl'}`", "'tpl'"), ("(async () => await 7)()", "Promise { <pending> }"), ("await (async () => await 7)()", "7"), ("Promise.resolve(1)", "Promise { 1 }"), ("new Promise(() => {})", "Promise { <pending> }"), ("const rej = Promise.reject(new Error('r')); rej.catch(() => {}); typeof rej", "'object'"), ("await Promise.reject(new Error('r'))", Err("Error", "r", "1:26")),
        ("try { await Promise.reject('why') } catch (e) { e }", "'why'"), ("await Promise.allSettled([1, Promise.reject(2)])", "[\n  { status: 'fulfilled', value: 1 },\n  { status: 'rejected', reason: 2 }\n]"), ("await Promise.any([Promise.reject(1), 2])", "2"), ("await Promise.race([new Promise(() => {}), 3])", "3"), ("await { then(go) { go('thenable') } }", "'thenable'"), ("await null", "null"), ("await undefined", None), ("let order = []; Promise.resolve().then(() => order.push(1)); order.push(0); await 0; order", "[ 0, 1 ]"),
        ("class AsyncBox { async *[Symbol.asyncIterator]() { yield 'a'; yield 'b' } }\nlet got = []; for await (const x of new AsyncBox()) got.push(x); got", "[ 'a', 'b' ]"), ("await (async function rec(n) { return n ? n + await rec(n - 1) : 0 })(3)", "6"), ("const { promise: wr, resolve: go } = Promise.withResolvers(); go(8); await wr", "8"), ("await Array.fromAsync([1, Promise.resolve(2)])", "[ 1, 2 ]"), ("queueMicrotask(() => globalThis.micro = 1); await 0; micro", "1"),
        ("function notAsync() { await 1 }", Err("SyntaxError")), ("async () => { await", Err("SyntaxError")), ("await new Promise((_, no) => setTimeout(() => no(new TypeError('later')), 1))", Err("TypeError", "later", "1:54")),
    ],
    "modules": [
        ("import path from 'path'; path.sep", "'/'"), ("import * as os from 'node:os'; typeof os.cpus", "'function'"), ("import { join, basename as base } from 'path'; [join('a', 'b'), base('/x/y')]", "[ 'a/b', 'y' ]"), ("import fs, { readFileSync } from 'fs'; fs.readFileSync === readFileSync", "true"), ("import 'path'", None), ("import path from 'node:path'; typeof path.join", "'function'"), ("import {\n  sep,\n} from 'path'\nsep", "'/'"),
        ("const { resolve } = await import('path'); resolve('/a', 'b')", "'/a/b'"), ("const p2 = require('path'); p2.sep", "'/'"), ("import { nothing } from 'path'", Err("SyntaxError", "The requested module 'path' does not provide an export named 'nothing'")), ("import x from 'no-such-package'", Err("Error")), ("export const ex = 1; ex", "1"), ("ex", "1"), ("export let ex = 2, ey = 3; [ex, ey]", "[ 2, 3 ]"), ("export default 5", "5"), ("export default { a: 1 }", "{ a: 1 }"), ("export default function df() { return 4 }\ndf()", "4"),
        ("export default class DC { v = 1 }\nnew DC().v", "1"), ("export default () => 1", "[Function (anonymous)]"), ("export function ef() { return 7 }", None), ("ef()", "7"), ("export class EC {}\nnew EC()", "EC {}"), ("export { ex, ey as renamed }; ex", "2"), ("export * from 'path'; 1", "1"), ("export { sep as s2 } from 'path'; 2", "2"), ("export {}", None), ("typeof import.meta.url", "'string'"), ("import('path') instanceof Promise", "true"), ("import { default as pd } from 'path'; pd.sep", "'/'"), ("if (true) { const { sep } = await import('path'); sep }", "'/'"), ("if (true) { import 'path' }", Err("SyntaxError")),
    ],
    "errors": [
        ("missing", Err("ReferenceError", "missing is not defined", "1:1")), ("let before = 1;\n\n  missing()", Err("ReferenceError", "missing is not defined", "3:3")), ("const q1 = 1; let q2; missing", Err("ReferenceError", None, "1:23")), ("class Q {} class R {} missing", Err("ReferenceError", None, "1:23")), ("import { sep } from 'path'; missing", Err("ReferenceError", None, "1:29")), ("throw new TypeError('t')", Err("TypeError", "t", "1:11")), ("throw new RangeError('r')", Err("RangeError", "r", "1:11")), ("throw 'text'", Err("Uncaught", "'text'")), ("throw { a: 1 }", Err("Uncaught", "{ a: 1 }")), ("throw null", Err("Uncaught", "null")),
        ("null.x", Err("TypeError")), ("undefined.x.y", Err("TypeError")), ("({}).x.y", Err("TypeError")), ("let nf = {}; nf.method()", Err("TypeError")), ("new 5", Err("TypeError")), ("null[Symbol.iterator]", Err("TypeError")), ("const [bad] = null", Err("TypeError")), ("const {bad} = undefined", Err("TypeError")), ("[].reduce((a, b) => a)", Err("TypeError")), ("'x'.repeat(-1)", Err("RangeError")), ("new Array(-1)", Err("RangeError")), ("(1.5).toFixed(101)", Err("RangeError")), ("1n + 1", Err("TypeError")), ("BigInt(1.5)", Err("RangeError")), ("Symbol() + ''", Err("TypeError")), ("JSON.parse('{bad')", Err("SyntaxError")), ("decodeURIComponent('%')", Err("URIError")), ("class C1 { constructor() { this.#p } #p = 1; static t(o) { return o.#p } }\nC1.t({})", Err("TypeError")), ("C1()", Err("TypeError")),
        ("class D1 extends Object { constructor() { this.x = 1 } }\nnew D1()", Err("ReferenceError")), ("'use strict'; Object.freeze([1]).push(2)", Err("TypeError")), ("(function deep() { deep() })()", Err("RangeError", "Maximum call stack size exceeded")), ("class MyError extends Error { name = 'MyError' }\nthrow new MyError('own')", Err("MyError", "own")), ("throw new AggregateError([new Error('one')], 'many')", Err("AggregateError", "many")), ("throw new Error('outer', { cause: 'inner' })", Err("Error", "outer")), ("function thrower() {\n  throw new Error('in f')\n}\nthrower()", Err("Error", "in f", "2:13")), ("[1].map(x => {\n  return x.y.z\n})", Err("TypeError", None, "2:10")),
        ("let x = ;", Err("SyntaxError", None, "1:9")), ("1 +", Err("SyntaxError", None, "1:4")), ("foo(", Err("SyntaxError", None, "1:5")), ("}", Err("SyntaxError", None, "1:1")), ("let 1a", Err("SyntaxError", None, "1:6")), ("'open", Err("SyntaxError", None, "1:1")), ("return 1", Err("SyntaxError", None, "1:1")), ("const c", Err("SyntaxError", None, "1:8")), ("a b", Err("SyntaxError", None, "1:3")), ("if (", Err("SyntaxError", None, "1:5")), ("break", Err("SyntaxError", None, "1:1")), ("let let = 1", Err("SyntaxError")), ("'use strict'; with ({}) 1", Err("SyntaxError")), ("class { }", Err("SyntaxError", None, "1:7")), ("await = 1", Err("SyntaxError")), ("({a b})", Err("SyntaxError", None, "1:5")),
        ("try { missing } catch (e) { e.name }", "'ReferenceError'"), ("try { null.x } catch (e) { e instanceof TypeError }", "true"), ("new Error('shown').message", "'shown'"), ("try { eval('let let') } catch (e) { e.name }", "'SyntaxError'"), ("Error('m') instanceof Error", "true"), ("new Error('a', { cause: 1 }).cause", "1"), ("'after all that'", "'after all that'"),
    ],
    "objects": [
        ("class P { #x = 1; get x() { return this.#x } set x(v) { this.#x = v } static #n = 0; static make() { P.#n++; return P.#n } has(o) { return #x in o } }\nconst p = new P(); p.x = 5; [p.x, P.make(), P.make(), p.has(p), p.has({})]", "[ 5, 1, 2, true, false ]"), ("p", "P {}"), ("class S { static { S.ready = true } static f = 1 }\n[S.ready, S.f]", "[ true, 1 ]"), ("({ get a() { return 1 }, set a(v) {} })", "{ a: [Getter/Setter] }"), ("({ get b() { throw 1 } })", "{ b: [Getter] }"), ("({ ['com' + 'puted']: 1 })", "{ computed: 1 }"), ("Symbol('s')", "Symbol(s)"), ("({ [Symbol('k')]: 1 })", "{ [Symbol(k)]: 1 }"), ("Symbol.for('x') === Symbol.for('x')", "true"),
        ("function* gen() { const got = yield 1; yield got * 2 }\nconst it = gen(); [it.next().value, it.next(21).value, it.next().done]", "[ 1, 42, true ]"), ("[...(function* () { yield* [1, 2] })()]", "[ 1, 2 ]"), ("gen()", "Object [Generator] {}"), ("class Range { constructor(n) { this.n = n } *[Symbol.iterator]() { for (let i = 0; i < this.n; i++) yield i } }\n[...new Range(3)]", "[ 0, 1, 2 ]"), ("Array.from(new Range(2), x => x * 10)", "[ 0, 10 ]"), ("10n ** 20n", "100000000000000000000n"), ("[5n / 2n, -5n % 3n, BigInt('0xff'), 1n < 2]", "[ 2n, -2n, 255n, true ]"), ("new Uint8Array([1, 2, 300])", "Uint8Array(3) [ 1, 2, 44 ]"), ("new Float64Array(2)", "Float64Array(2) [ 0, 0 ]"), ("new BigInt64Array([1n])", "BigInt64Array(1) [ 1n ]"), ("Uint8Array.from('123').map(x => x * 2)", "Uint8Array(3) [ 2, 4, 6 ]"),
        ("new DataView(new ArrayBuffer(2)).byteLength", "2"), ("new Map([['a', 1], [{ k: 1 }, new Map()]])", "Map(2) { 'a' => 1, { k: 1 } => Map(0) {} }"), ("new Set([1, 'a', [2]])", "Set(3) { 1, 'a', [ 2 ] }"), ("[...new Map([[1, 2]]).entries()]", "[ [ 1, 2 ] ]"), ("new WeakMap()", "WeakMap { <items unknown> }"), ("new Date(0)", "1970-01-01T00:00:00.000Z"), ("new Date(NaN)", "Invalid Date"), ("new Date(2020, 1, 30).getMonth()", "2"), ("/a+/gi", "/a+/gi"), ("function named() {}\nnamed", "[Function: named]"), ("() => 1", "[Function (anonymous)]"), ("(class Foo {})", "[class Foo]"), ("(class extends Array {})", "[class (anonymous) extends Array]"), ("async () => {}", "[AsyncFunction (anonymous)]"), ("Math.max", "[Function: max]"), ("Object.create(null)", "[Object: null prototype] {}"),
        ("Object.create({ a: 1 })", "{}"), ("[1, , 3]", "[ 1, <1 empty item>, 3 ]"), ("[undefined, null]", "[ undefined, null ]"), ("Object.assign([1], { k: 2 })", "[ 1, k: 2 ]"), ("new Proxy({ a: 1 }, { get: () => 2 }).a", "2"), ("var cyc = {}; cyc.self = cyc; cyc", "<ref *1> { self: [Circular *1] }"), ("({ a: { b: { c: { d: 1 } } } })", "{ a: { b: { c: [Object] } } }"), ("-0", "-0"), ("[NaN, Infinity, -0]", "[ NaN, Infinity, -0 ]"), ("new String('s')", "[String: 's']"), ("Object(1n)", "[BigInt: 1n]"), ("[new Boolean(false)]", "[ [Boolean: false] ]"), ("Object.entries({ a: 1 })", "[ [ 'a', 1 ] ]"), ("structuredClone({ a: new Date(0) })", "{ a: 1970-01-01T00:00:00.000Z }"), ("JSON.stringify({ a: [1, { b: undefined }], c: () => 1 })", "'{\"a\":[1,{}]}'"), ("Object.groupBy([1, 2, 3], n => n % 2 ? 'odd' : 'even').odd", "[ 1, 3 ]"),
        ("[3, 1, 2].toSorted()", "[ 1, 2, 3 ]"), ("[1, 2, 3].findLast(x => x < 3)", "2"), ("Object.fromEntries([['a', 1]])", "{ a: 1 }"), ("Reflect.ownKeys({ b: 1, a: 2, 1: 3 })", "[ '1', 'b', 'a' ]"), ("Object.freeze({ a: 1 })", "{ a: 1 }"), ("({ a: 1, toString() { return 'str' } }) + ''", "'str'"), ("({ valueOf: () => 42 }) * 2", "84"), ("class Temp { static [Symbol.hasInstance](x) { return x === 1 } }\n1 instanceof Temp", "true"), ("class Tagged { get [Symbol.toStringTag]() { return 'T' } }\nnew Tagged()", "Tagged [T] {}"), ("Array.from({ length: 101 }, (_, i) => i).length", "101"), ("'x'.repeat(3).split('')", "[ 'x', 'x', 'x' ]"), ("label => label", "[Function (anonymous)]"), ("globalThis.globalThis === globalThis", "true"), ("new (class Foo { a = 1; #b = 2; c() {} })()", "Foo { a: 1 }"),
    ],
    "console": [
        ("console.log('a', 1, { b: 2 })", Out("a 1 { b: 2 }\n")), ("console.log('%s is %d and %o', 'x', 4.5, [1])", Out("x is 4.5 and [ 1, [length]: 1 ]\n")), ("console.log(); console.log('')", Out("\n\n")), ("console.log('last'); 5", Out("last\n", value="5")), ("console.error('e'); console.warn('w')", Out(stderr="e\nw\n")), ("console.info('i'); console.debug('d')", Out("i\nd\n")), ("console.log([1, 'a'], 'a', Symbol('s'), 1n, null, undefined)", Out("[ 1, 'a' ] a Symbol(s) 1n null undefined\n")), ("console.group('G'); console.log('in'); console.groupEnd(); console.log('out')", Out("G\n  in\nout\n")),
        ("console.table([{ a: 1 }, { a: 2 }])", Out("┌─────────┬───┐\n│ (index) │ a │\n├─────────┼───┤\n│ 0       │ 1 │\n│ 1       │ 2 │\n└─────────┴───┘\n")), ("console.count(); console.count('x'); console.count()", Out("default: 1\nx: 1\ndefault: 2\n")), ("console.countReset(); console.count()", Out("default: 1\n")), ("console.assert(1 === 1, 'fine'); console.assert(false, 'wrong %s', 'here')", Out(stderr="Assertion failed: wrong here\n")), ("console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 })", Out("{ a: [Object] }\n")), ("console.log('100%', 5)", Out("100% 5\n")), ("console.log('%c styled', 'color: red')", Out(" styled\n")), ("console.log('%i %f %j %%', 42.9, '1.5', { a: 1 })", Out('42 1.5 {"a":1} %\n')),
        ("console.log(new Error('m').message)", Out("m\n")), ("console.log([[[[1]]]])", Out("[ [ [ [Array] ] ] ]\n")), ("console.log({ f() {}, g: class X {} })", Out("{ f: [Function: f], g: [class X] }\n")), ("console.log(new Map([[1, 2]]), new Set([1]))", Out("Map(1) { 1 => 2 } Set(1) { 1 }\n")), ("console.log(-0, [-0], '%d', -0)", Out("-0 [ -0 ] %d -0\n")), ("process.stdout.write('no newline')", Out("no newline", value="true")), ("console.log('é😀')", Out("é😀\n")), ("for (const c of 'ab') console.log(c)", Out("a\nb\n")), ("console.log(`multi\nline`)", Out("multi\nline\n")),
    ],
}

TYPESCRIPT = {
    "types": [
        ("const n: number = 1; n", "1"), ("let s: string | undefined; s ?? 'none'", "'none'"), ("1 as number", "1"), ("<any>5", "5"), ("'a' satisfies string", "'a'"), ("const cfg = { a: 1 } as const satisfies Record<string, number>; cfg.a", "1"), ("let nn = null!; nn", "null"), ("({ a: 1 } as { a: number }).a", "1"), ("interface I { a: number }", None), ("const i: I = { a: 1 }; i", "{ a: 1 }"), ("type T = 'x' | 'y'", None), ("const t: T = 'x'; t", "'x'"), ("type Deep<K> = { [P in keyof K]?: Deep<K[P]> }; 1", "1"), ("declare const ambient: number", None), ("declare global { var g1: number }", None), ("declare module 'm' { export const z: number }", None),
        ("import type { X } from './nowhere'; 2", "2"), ("import { type Y, sep } from 'path'; sep", "'/'"), ("export type { X } from './nowhere'; 3", "3"), ("export interface E { a: 1 }", None), ("export type U = string; export const u: U = 'u'; u", "'u'"), ("interface Only { types: true }\n\ntype Also = Only[]\n", None), ("abstract class Shape { abstract area(): number; describe(): string { return `area ${this.area()}` } }\nclass Sq extends Shape { constructor(private side: number) { super() } area() { return this.side ** 2 } }\nnew Sq(3).describe()", "'area 9'"), ("new Sq(2)", "Sq { side: 2 }"), ("function id<V>(v: V): V { return v }\nid<number>(3)", "3"), ("const gen = <V,>(v: V): V[] => [v]; gen('a')", "[ 'a' ]"),
        ("function over(x: string): string\nfunction over(x: number): number\nfunction over(x: any) { return x }\nover(4)", "4"), ("function isS(x: unknown): x is string { return typeof x === 'string' }\nisS('a')", "true"), ("function assertIt(x: unknown): asserts x { if (!x) throw new Error('no') }\nassertIt(1); 'fine'", "'fine'"), ("class Box<V> { constructor(public readonly value: V) {} map<W>(f: (v: V) => W): Box<W> { return new Box(f(this.value)) } }\nnew Box(2).map(x => `${x}`)", "Box { value: '2' }"), ("class Opt { a?: number; b!: string; declare c: number; readonly d = 1; protected e = 2; static f: number = 3; override toString(): string { return 'o' } }\n[new Opt().d, Opt.f, `${new Opt()}`]", "[ 1, 3, 'o' ]"),
        ("function opt(a?: number, b: string = 'd', ...c: boolean[]): [number?, string?, number?] { return [a, b, c.length] }\nopt(1, undefined, true)", "[ 1, 'd', 1 ]"), ("const tup: [a: number, b?: string] = [1]; tup", "[ 1 ]"), ("let fnType: (a: number) => void = a => {}; typeof fnType", "'function'"), ("const key: keyof { k: 1 } = 'k'; key", "'k'"), ("let idx: { [k: string]: number } = {}; idx.z = 1; idx", "{ z: 1 }"), ("const un: unique symbol = Symbol('u'); un", "Symbol(u)"), ("const big: bigint = 5n; big", "5n"), ("try { throw 1 } catch (e: unknown) { e as number }", "1"), ("for (const q of [1, 2] as number[]) q", "2"), ("async function as1(): Promise<number> { return 6 }\nawait as1()", "6"),
        ("const f3 = async <V,>(v: V): Promise<V> => v; await f3('g')", "'g'"), ("function th(this: { v: number }) { return this.v }\nth.call({ v: 8 })", "8"), ("class Acc { get v(): number { return 1 } set v(x: number) {} }\nnew Acc().v", "1"), ("class Impl implements I { a = 5 }\nnew Impl().a", "5"), ("let a1: number = 1\ntype ASI = string\n(a1 as number) + 1", "2"), ("const o1 = { m<V>(v: V): V { return v } }; o1.m('x')", "'x'"), ("const x1 = (y1: number): number => y1 * 2; x1(2)", "4"), ("`${1 as number}`", "'1'"), ("{ a: 1 as number }", "{ a: 1 }"), ("a1! + 1", "2"), ("(a1 as any)?.b?.c ?? 'opt'", "'opt'"), ("type Cond<V> = V extends string ? 'a' : 'b'; const cnd: Cond<string> = 'a'; cnd", "'a'"), ("type Tpl = `id-${number}`; const tpl: Tpl = 'id-5'; tpl", "'id-5'"), ("new Map<string, number[]>([['a', [1]]])", "Map(1) { 'a' => [ 1 ] }"), ("let v2 = new Array<number>(2).fill(0); v2", "[ 0, 0 ]"),
    ],
    "emitted": [
        ("enum Color { Red, Green = 5, Blue }", None), ("[Color.Red, Color.Blue, Color[5]]", "[ 0, 6, 'Green' ]"), ("enum Str { A = 'a', B = 'b' }\nStr", "{ A: 'a', B: 'b' }"), ("const enum K { A = 1, B = A << 2 }\nK.B", "4"), ("enum Color { Only }\nColor.Only", "0"), ("enum Calc { A = 'x'.length, B = A + 1 }\nCalc.B", "2"), ("namespace N { export const x = 4; export function f() { return x * 2 } }\nN.f()", "8"), ("namespace N { export const y = 1 }\n[N.x, N.y]", "[ 4, 1 ]"), ("namespace A.B { export let z = 2 }\nA.B.z", "2"), ("class PP { constructor(public a: number, private b = 2, readonly c?: string) {} sum() { return this.a + this.b } }\nnew PP(1).sum()", "3"), ("new PP(1)", "PP { a: 1, b: 2, c: undefined }"),
        ("function log(v: any, c: any) { return function (this: any, ...args: any[]) { return 'logged ' + v.apply(this, args) } }\nclass D { @log m(x: number) { return x } }\nnew D().m(7)", "'logged 7'"), ("function mark(c: any, ctx: any) { c.marked = ctx.kind }\n@mark class M {}\n(M as any).marked", "'class'"), ("function init(_: undefined, ctx: any) { return (v: number) => v + 1 }\nclass F { @init n = 1 }\nnew F().n", "2"), ("class Au { accessor z = 3 }\nnew Au().z", "3"), ("{ using r = { [Symbol.dispose]() { (globalThis as any).gone = true } } }\n(globalThis as any).gone", "true"), ("import pth = require('path'); pth.sep", "'/'"), ("export enum Ex { A = 9 }\nEx.A", "9"), ("export namespace NN { export const v = 1 }\nNN.v", "1"), ("enum Un { A = 1 }\nconst fromEnum: Un = Un.A; fromEnum", "1"), ("abstract class Ab { constructor(protected k: string) {} abstract go(): string }\nclass Ac extends Ab { go() { return this.k } }\nnew Ac('key').go()", "'key'"),
    ],
    "again": [
        ("let v: number = 1", None), ("let v: string = 'two'; v", "'two'"), ("const c: number = 1", None), ("const c: string = 'c'; c", "'c'"), ("class R { m(): number { return 1 } }", None), ("class R { m(): number { return 2 } }\nnew R().m()", "2"), ("interface Re { a: number }", None), ("interface Re { b: string }\nconst re: Re = { a: 1, b: 'x' }; re", "{ a: 1, b: 'x' }"), ("function fo(a: number): number { return a }", None), ("function fo(a: string): string { return a + '!' }\nfo('x')", "'x!'"), ("type Re2 = number", None), ("type Re2 = string; const r2: Re2 = 's'; r2", "'s'"), ("const { d1, e1: [f1] }: { d1: number, e1: number[] } = { d1: 1, e1: [2] }; [d1, f1]", "[ 1, 2 ]"), ("const aw: number = await Promise.resolve(3); aw", "3"), ("var loose = 1; loose as unknown as string", "1"),
    ],
    "errors": [
        ("let x: = 1", Err("SyntaxError", None, "1:8")), ("const ok: number = 1;\nlet b: string =", Err("SyntaxError", None, "2:16")), ("function f(x: {", Err("SyntaxError", None, "1:16")), ("class A { x: }", Err("SyntaxError", None, "1:14")), ("enum { A }", Err("SyntaxError", None, "1:6")), ("const jsx = <div/>", Err("SyntaxError")), ("interface { }", Err("SyntaxError")), ("type = = 1", Err("SyntaxError")), ("const typed: number = 1;\n  missing()", Err("ReferenceError", "missing is not defined", "2:3")), ("interface Long {\n  x: number\n}\nlet nn: Long; missing()", Err("ReferenceError", None, "4:15")), ("enum E { A }\n\nfunction g() {\n    missing()\n}\ng()", Err("ReferenceError", None, "4:5")), ("class P { constructor(public x: number) {\n  missing() } }\nnew P(1)", Err("ReferenceError", None, "2:3")),
        ("throw new TypeError('t' as string)", Err("TypeError", "t", "1:11")), ("(null as any).x", Err("TypeError")), ("const num: number = 'not checked' as any; num", "'not checked'"), ("let wrong: number = 'types are not checked'; wrong", "'types are not checked'"), ("'after'", "'after'"),
    ],
}

TABLES = {"javascript": JAVASCRIPT, "typescript": TYPESCRIPT}
GROUPS = [(language, group) for language, table in TABLES.items() for group in table]


def outcome(run):
    """What a cell gave, in the form of the table."""
    if run.status == "error":
        text = plain(run.content["traceback"])
        place = re.search(r"In\[\d+\]:(\d+:\d+)", text)
        return Err(run.content["ename"], run.content["evalue"], place and place[1])
    value = run.result if "execute_result" in run.types else None
    return Out(run.stdout, run.stderr, value) if run.stdout or run.stderr else value


def matches(got, expected):
    if isinstance(got, Err) and isinstance(expected, Err):
        return all(want is None or have == want for have, want in zip(got, expected, strict=True))
    return got == expected and type(got) is type(expected)


@pytest.mark.parametrize("language, group", GROUPS)
def test_cells_give_what_the_table_says(start_kernel, language, group):
    client = start_kernel(language=language).client()
    rows = TABLES[language][group]

    got = [outcome(client.run(code)) for code, _ in rows]

    wrong = [{"code": code, "expected": want, "got": have}
             for (code, want), have in zip(rows, got, strict=True) if not matches(have, want)]
    assert wrong == []


def test_the_table_is_large_enough():
    count = {language: sum(len(rows) for rows in table.values()) for language, table in TABLES.items()}

    assert count["javascript"] >= 250 and count["typescript"] >= 90


NODE = r"""
const { inspect } = require('util');
const rows = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const values = rows.map(code => {
  try {
    const literal = /^\s*\{/.test(code) && !/;\s*$/.test(code);
    let value;
    try { value = (0, eval)(literal ? `(${code}\n)` : code) } catch (e) { if (!literal) throw e; value = (0, eval)(code) }
    return value === undefined ? null : inspect(value);
  } catch (error) { return { error: error?.name } }
});
console.log(JSON.stringify(values));
"""


# Groups that are about what eval does not do; rows that differ from a script, or need an earlier row.
NOT_IN_NODE = {"redeclaration", "await", "modules", "console"}
OURS = {"let top2 = 2; globalThis.top2", "(0, eval)('typeof counter')", "import { sep } from 'path'; missing", "C1()", "await = 1"}


@pytest.mark.parametrize("group", [name for name in JAVASCRIPT if name not in NOT_IN_NODE])
def test_values_are_those_of_node(group):
    """Rows that need a name of an earlier row, or more than eval gives, fail there and do not count."""
    rows = JAVASCRIPT[group]
    done = subprocess.run([node_program(), "-e", NODE], input=json.dumps([code for code, _ in rows]), capture_output=True,
                          text=True, check=True, timeout=scaled(60))
    theirs = json.loads(done.stdout)

    compared = [(code, want, node) for (code, want), node in zip(rows, theirs, strict=True)
                if not isinstance(want, Err) and not isinstance(node, dict) and code not in OURS]

    assert [row for row in compared if row[1] != row[2]] == []
    assert len(compared) >= len(rows) * (0.1 if group == "errors" else 0.7)
    errors = [(code, want.name, node) for (code, want), node in zip(rows, theirs, strict=True)
              if isinstance(want, Err) and want.name != "Uncaught" and code not in OURS]
    assert [row for row in errors if row[2] != {"error": row[1]}] == []
