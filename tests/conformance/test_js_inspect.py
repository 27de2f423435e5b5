# SPDX-License-Identifier: MIT
"""Values as Node's own util.inspect prints them, in the same run. Each line is an expression that
both evaluate; what differs on purpose is listed with its reason."""
import json
import subprocess

import pytest

from support.build import scaled
from support.kernel import Kernel
from support.node_path import node_path

LANGUAGE = "javascript"

VALUES = r"""
undefined === void 0
null
-0
1e21
123456789.123
10n ** 30n
NaN
"it's"
'say "hi"'
`it's "both"`
'line\nbreak\ttab\\'
'\x00\x1b\u2028é😀'
'a'.repeat(200)
Symbol('desc')
Symbol.iterator
[]
{}.x ?? ({})
[1, 'two', null, undefined, true]
[, 1, , , 2]
[[1, [2, [3, [4]]]]]
Array.from({length: 7}, (_, i) => i)
Array.from({length: 30}, (_, i) => i * 1000)
Array.from({length: 101}, (_, i) => i)
Array.from({length: 27}, (_, i) => 'item' + i)
Object.assign([1, 2], {extra: 'x', '-1': 'y'})
new Array(5)
({a: 1, 'b-c': 2, 3: 4, [Symbol('s')]: 5})
({a: {b: {c: {d: 1}}}})
({get a() { return 1 }, set b(v) {}, get c() { return 1 }, set c(v) {}})
({f() {}, g: () => 1, h: function named() {}, async i() {}, *j() {}, async *k() {}})
({long: 'x'.repeat(60), other: 'y'.repeat(30)})
Object.create(null)
Object.create({inherited: 1})
Object.defineProperty({shown: 1}, 'hidden', {value: 2})
(() => { const o = {name: 'o'}; o.self = o; return o })()
(() => { const a = {}, b = {a}; a.b = b; return [a, b] })()
(() => { const shared = {s: 1}; return {x: shared, y: shared} })()
new Map([['k', 1], [{o: 1}, [2]]])
new Map()
new Set([1, 'a', {b: 1}])
new Map([[1, new Map([[2, new Map([[3, 4]])]])]])
new WeakMap()
new WeakSet()
[1, 2][Symbol.iterator]()
new Date(0)
new Date(NaN)
/re[/]g/giu
function plain() {}
() => {}
(class Foo {})
(class Foo extends Array {})
(class {})
async () => {}
function* gen() {}
Object.assign(function withProps() {}, {a: 1})
new (class Point { x = 1; y = 2; #hidden = 3 })()
new (class Empty {})()
new (class Derived extends (class Base { b = 1 }) { d = 2 })()
new (class Sub extends Array {})(3)
new (class extends Map {})([[1, 2]])
new Uint8Array([1, 2, 255])
new Float64Array([1.5, -0, NaN])
new BigInt64Array([1n])
new ArrayBuffer(4)
new DataView(new ArrayBuffer(2))
Promise.resolve(4)
Promise.resolve({a: 1})
new Promise(() => {})
new Proxy({a: 1}, {})
new Proxy(function f() {}, {})
new String('boxed')
new Number(-0)
new Boolean(false)
Object(1n)
Object(Symbol('b'))
(function () { return arguments })(1, 2)
Math
JSON
Reflect
globalThis.Math.max
({[Symbol.toStringTag]: 'Tagged', a: 1})
new (class A { get [Symbol.toStringTag]() { return 'T' } })()
({[Symbol.for('nodejs.util.inspect.custom')]() { return 'custom!' }})
({[Symbol.for('nodejs.util.inspect.custom')](d, o) { return {depth: d, color: o.colors} }})
({toString() { return 'no' }})
[new Error('in a list').message, 'x']
[['a', 1], ['b', 2], ['c', 3]]
[{id: 1, name: 'first'}, {id: 2, name: 'second'}]
({array: [1, 2, 3], map: new Map([[1, {a: [1]}]]), set: new Set([[1]])})
'a\nb'.split('').map(c => c + '\n')
['x'.repeat(80), 'y']
[1.5, -2.25, 1e100]
[true, false]
[undefined, , null]
[[], {}, [[]], [{}]]
({a: [], b: {}, c: '', d: 0})
({undefined, NaN, Infinity})
({'': 1, ' ': 2, 'a b': 3, 'é': 4, class: 5})
Object.freeze({frozen: true})
new (function Legacy() { this.a = 1 })()
Object.setPrototypeOf({a: 1}, null)
Object.setPrototypeOf([1], null)
""".strip().splitlines()


# QuickJS has no way to look into an iterator without using it up.
DIFFERENT = ["new Map([[1, 2], [3, 4]]).entries()", "new Set([1, 2]).values()"]


@pytest.fixture(scope="module")
def of_node():
    """What Node prints for each value."""
    program = node_path()
    if program is None:
        pytest.skip("no Node 20 or newer: set PANDIA_NODE")
    rows = ",".join(f"() => ({value})" for value in VALUES + DIFFERENT)
    script = ("const {inspect} = require('util');"
              f"console.log(JSON.stringify([{rows}].map(make => inspect(make()))))")
    done = subprocess.run([program, "-"], input=script, capture_output=True, text=True, check=True,
                          timeout=scaled(60))
    return dict(zip(VALUES + DIFFERENT, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("value", VALUES)
def test_value_is_printed_as_node_prints_it(kernel_of_module, of_node, value):
    assert kernel_of_module.run(f"({value})").ok().result == of_node[value]


@pytest.mark.parametrize("value", DIFFERENT)
def test_value_still_differs(kernel_of_module, of_node, value):
    """Once it does not, it belongs to the values."""
    assert kernel_of_module.run(f"({value})").ok().result != of_node[value]


def test_there_are_enough_values():
    assert len(set(VALUES)) >= 67


@pytest.fixture(scope="module")
def kernel_of_module(tmp_path_factory):
    """One kernel for all of them: no value changes another."""
    kernel = Kernel(tmp_path_factory.mktemp("inspect"), language=LANGUAGE)
    yield kernel.client()
    kernel.finish()
