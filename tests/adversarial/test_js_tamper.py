# SPDX-License-Identifier: MIT
"""User code that tampers with the language must not change what the harness says: each attack is one
cell; afterwards console, results, errors, rewriter, timers, displays and completion tell the truth."""
import base64

import pytest

from support import png
from support.contexts import create

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"

# Each would lie, throw or loop when the harness used what it replaces.
ATTACKS = {
    "Object.prototype setters": """for (const name of ['value', 'get', 'set', 'writable', 'text', 'name',
        'message', 'code', 'error', 'status', 'size', 'open', 'index', 'key', 'type', 'depth', 'length'])
        Object.defineProperty(Object.prototype, name, {configurable: true,
            get() { throw new Error('stolen') }, set(v) { throw new Error('stolen') }})""",
    "Object.prototype values": """for (const name of ['depth', 'colors', 'compact', 'showHidden',
        'breakLength', 'maxArrayLength', 'customInspect', 'getters', 'raw', 'id', 'update', 'metadata',
        'value', 'writable', 'enumerable', 'configurable', 'stylize', 'seen', 'budget', 'sorted'])
        Object.prototype[name] = 'fake'""",
    "Array.prototype setters": """for (let i = 0; i < 20; i++) Object.defineProperty(Array.prototype, i, {
        configurable: true, get() { return 'fake' }, set(v) { throw new Error('stolen') }})""",
    "Array.prototype methods": """for (const k of Reflect.ownKeys(Array.prototype))
        if (typeof Array.prototype[k] === 'function' && k !== 'constructor')
            Array.prototype[k] = () => { throw new Error('array') }""",
    "array iterator": "Array.prototype[Symbol.iterator] = function* () { yield 'fake' }",
    "iterator prototypes": """Object.getPrototypeOf([][Symbol.iterator]()).next =
        Object.getPrototypeOf(new Map().keys()).next = Object.getPrototypeOf(''[Symbol.iterator]()).next =
        Object.getPrototypeOf((function* () {})()).next = () => { throw new Error('next') }""",
    "call, apply and bind": """Function.prototype.call = Function.prototype.apply =
        Function.prototype.bind = () => { throw new Error('call') }; Function.prototype.toString = () => 'f'""",
    "hasInstance": """Object.defineProperty(Function.prototype, Symbol.hasInstance, {value: () => true,
        configurable: true, writable: true})""",
    "String.prototype methods": """for (const k of Reflect.ownKeys(String.prototype))
        if (typeof String.prototype[k] === 'function' && k !== 'constructor' && k !== 'concat')
            String.prototype[k] = () => { throw new Error('string') }""",
    "split and replace": """String.prototype[Symbol.split] = String.prototype[Symbol.replace] =
        () => { throw new Error('symbol') }; RegExp.prototype[Symbol.split] = () => ['fake']""",
    "RegExp.prototype": """RegExp.prototype.exec = RegExp.prototype.test = () => { throw new Error('re') };
        RegExp.prototype[Symbol.replace] = RegExp.prototype[Symbol.match] = () => 'fake';
        Object.defineProperty(RegExp.prototype, 'flags', {get() { throw new Error('re') }})""",
    "Promise.prototype": """Promise.prototype.then = Promise.prototype.catch = Promise.prototype.finally =
        () => { throw new Error('then') }; Promise.resolve = Promise.reject = () => 'fake'""",
    "Promise": "globalThis.Promise = class { constructor() { throw new Error('promise') } }",
    "Promise species": """Object.defineProperty(Promise, Symbol.species, {get() { throw new Error('sp') }});
        Object.defineProperty(Promise.prototype, 'constructor', {get() { throw new Error('ctor') }})""",
    "Array species": """Object.defineProperty(Array, Symbol.species, {value: class {
        constructor() { throw new Error('species') } }}); Array.prototype.constructor = {[Symbol.species]:
        function () { throw new Error('species') }}""",
    "JSON": "JSON.stringify = JSON.parse = () => { throw new Error('json') }; globalThis.JSON = null",
    "toJSON": """Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON =
        Number.prototype.toJSON = () => 'fake'""",
    "Object statics": """for (const k of Object.getOwnPropertyNames(Object)) if (typeof Object[k] ===
        'function' && k !== 'prototype') try { Object[k] = () => { throw new Error('object') } } catch {}""",
    "Reflect": "for (const k of Object.keys(Object.getOwnPropertyDescriptors(Reflect))) Reflect[k] = () => 7",
    "Map and Set": """for (const C of [Map, Set, WeakMap, WeakSet]) for (const k of
        Object.getOwnPropertyNames(C.prototype)) if (k !== 'constructor') Object.defineProperty(C.prototype, k,
        {value() { throw new Error('map') }, configurable: true, writable: true})""",
    "Symbol.for": "Symbol.for = () => { throw new Error('symbol') }; globalThis.Symbol = undefined",
    "Math and Number": """for (const k of Object.getOwnPropertyNames(Math)) try { Math[k] = () => NaN } catch {}
        for (const k of ['toString', 'toFixed', 'valueOf']) Number.prototype[k] = () => 'fake';
        Number.isFinite = Number.isInteger = () => false""",
    "Error": """Error.prototype.toString = () => 'fake'; Object.defineProperty(Error.prototype, 'name',
        {get() { return 'Fake' }, configurable: true}); Error.captureStackTrace = () => { throw 1 };
        Error.isError = () => false""",
    "prepareStackTrace": "Error.prepareStackTrace = () => { throw new Error('hook') }; Error.stackTraceLimit = 0",
    "prepareStackTrace returns": "Error.prepareStackTrace = (e, sites) => ({toString() { throw 1 }, sites})",
    "stackTraceLimit": "Object.defineProperty(Error, 'stackTraceLimit', {get() { throw new Error('limit') }})",
    "all globals": """for (const name of Object.getOwnPropertyNames(globalThis)) { if (!['globalThis',
        'console', 'setTimeout', 'display', 'shop', 'undefined', 'NaN', 'Infinity'].includes(name))
        try { globalThis[name] = 'fake' } catch {} }""",
    "globalThis": "globalThis.globalThis = {}; globalThis.global = {}; globalThis.value = 'fake'",
    "global prototype": "Object.setPrototypeOf(globalThis, null)",
    "typed arrays": """for (const k of Reflect.ownKeys(Object.getPrototypeOf(Uint8Array.prototype))) try {
        Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), k, {get() { throw new Error('ta') },
        configurable: true}) } catch {}""",
    "typed array classes": """globalThis.Uint8ClampedArray = globalThis.Uint8Array = globalThis.ArrayBuffer =
        class { constructor() { throw new Error('class') } }; Object.getPrototypeOf(Uint8Array);
        Object.defineProperty(ArrayBuffer, 'isView', {value: () => false})""",
    "image names": """for (const name of ['data', 'width', 'height', 'channels', 'columns', 'rows', 'titles', 'count',
        'isMap', 'characters', 'moreRows', 'html', 'png']) Object.prototype[name] = 1""",
    "ImageData": """for (const name of ['data', 'width', 'height', Symbol.toStringTag]) Object.defineProperty(
        ImageData.prototype, name, {get() { throw new Error('image') }, configurable: true});
        ImageData.prototype.constructor = Proxy; globalThis.ImageData = null""",
    "inspect.custom": """Object.prototype[Symbol.for('nodejs.util.inspect.custom')] = undefined;
        Array.prototype[Symbol.for('nodejs.util.inspect.custom')] = 5""",
    "timers": "globalThis.clearTimeout = () => { throw 1 }; Object.getPrototypeOf(setTimeout(() => {})).ref = 1",
    "console methods": """for (const k of Object.keys(console)) if (k !== 'log') console[k] = () => { throw 1 }""",
    "process": """globalThis.process ??= {}; process.stdout = {write() { throw new Error('stdout') }};
        process.stdout.write = process.nextTick = () => { throw new Error('stdout') }""",
    "toString": "Object.prototype.toString = Object.prototype.valueOf = () => { throw new Error('text') }",
    "frozen": "for (const C of [Object, Array, String, Function, Map, Promise, Error]) Object.freeze(C.prototype)",
    "proto accessor": """Object.defineProperty(Object.prototype, '__proto__', {get() { throw 1 },
        set() { throw 1 }})""",
    "queueMicrotask": "globalThis.queueMicrotask = () => { throw 1 }; globalThis.structuredClone = null",
}

PIXELS = bytes([1, 2, 3, 255, 5, 6, 7, 0])
TABLE = """<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;">
      <th>(index)</th>
      <th>a</th>
      <th>b</th>
    </tr>
  </thead>
  <tbody>
    <tr>
      <th>0</th>
      <td>1</td>
      <td>&lt;i&gt;</td>
    </tr>
    <tr>
      <th>1</th>
      <td>2</td>
      <td></td>
    </tr>
  </tbody>
</table>"""


def decode(data):
    return png.decode(base64.b64decode(data["image/png"], validate=True))


def attack(client, name, context=None):
    """Runs it; whether the cell itself fails does not matter here."""
    client.run(ATTACKS[name], context=context)


@pytest.mark.parametrize("name", ATTACKS)
def test_console_and_results_tell_the_truth(client, name):
    attack(client, name)

    run = client.run("const a = 1; let b; class C { f = 1 }\nconsole.log('out %s', 'put', [1, 'x'], {k: 2});"
                     "({a: [1, 2], b: 'text', c: {d: null}})").ok()

    assert run.stdout == "out put [ 1, 'x' ] { k: 2 }\n"
    assert run.result == "{ a: [ 1, 2 ], b: 'text', c: { d: null } }"


@pytest.mark.parametrize("name", ATTACKS)
def test_bytes_and_long_lists_are_told(client, name):
    client.run("const shop = [new Uint8Array([1, 2, 3]), [1, 2, 3, 4, 5, 6, 7, 8]]; 0").ok()
    attack(client, name)

    run = client.run("console.log(shop[0]); shop[1]").ok()

    assert run.stdout == "Uint8Array(3) [ 1, 2, 3 ]\n"
    assert run.result == "[\n  1, 2, 3, 4,\n  5, 6, 7, 8\n]"


@pytest.mark.parametrize("name", ATTACKS)
def test_errors_are_told_with_their_place(client, name):
    attack(client, name)

    run = client.run("let u = 5;\n\nnull.property")

    assert run.status == "error"
    assert run.content["ename"] in ("TypeError", "Fake")
    assert "cannot read property" in run.content["evalue"]
    if "stack" not in name.lower():
        assert any("In[2]:3" in line for line in run.content["traceback"]), run.content


# The language itself asks a promise that is awaited for its constructor.
@pytest.mark.parametrize("name", [name for name in ATTACKS if name != "Promise species"])
def test_awaits_and_timers_go_on(client, name):
    attack(client, name)

    run = client.run("async function wait() { await 0; return 6 }\nconst x = await wait();"
                     "setTimeout(() => console.log('late'), 1); x + 1").ok()
    client.wait(lambda: "late" in "".join(m.content["text"] for m in client.by_parent[run.request.msg_id]
                                          if m.type == "stream"), "the timer")

    assert run.result == "7"


@pytest.mark.parametrize("name", ATTACKS)
def test_json_and_displays_tell_the_truth(client, name):
    create(client, "rich", language="javascript", rich=True)
    attack(client, name, context="rich")

    run = client.run("display.html('<b>'); ({a: [1, 'x', true], n: null})", context="rich").ok()

    assert run.contents("display_data")[0]["data"]["text/html"] == "<b>"
    assert run.contents("execute_result")[0]["data"]["application/json"] == {
        "a": [1, "x", True], "n": None}


@pytest.mark.parametrize("name", ATTACKS)
def test_images_and_tables_tell_the_truth(client, name):
    client.run("const shop = {pixels: new Uint8ClampedArray([1, 2, 3, 255, 5, 6, 7, 0]), rows: [{a: 1, b: '<i>'}, {a: 2}]};"
               "shop.image = new ImageData(shop.pixels, 2); shop.plain = {data: shop.pixels, width: 2, height: 1}; 0").ok()
    attack(client, name)

    run = client.run("display.image(shop.pixels, {width: 4, height: 2, channels: 1}); display.image(shop.image);"
                     "display.table(shop.rows); display.table(shop.rows, ['b']); shop.plain").ok()

    grey, image, table, column = (content["data"] for content in run.contents("display_data"))
    assert decode(grey) == (4, 2, 1, PIXELS)
    assert decode(image) == decode(run.contents("execute_result")[0]["data"]) == (2, 1, 4, PIXELS)
    assert run.result.split() == ("{ data: Uint8ClampedArray(8) [ 1, 2, 3, 255, 5, 6, 7, 0 ], width: 2, "
                                  "height: 1 }").split()
    assert table["text/html"] == TABLE
    assert "<td>&lt;i&gt;</td>" in column["text/html"] and column["text/plain"].count("│") == 9


@pytest.mark.parametrize("name", ATTACKS)
def test_charts_and_bundles_tell_the_truth(client, name):
    client.run("const shop = {spec: {$schema: 'https://vega.github.io/schema/vega-lite/v5.json', mark: 'bar'},"
               "trace: {x: new Float64Array([1, 2]), t: new Date(0)}, pdf: 'JVBERi0=',"
               "bundle: {'text/html': '<i>', 'text/plain': 'i'}}; 0").ok()
    attack(client, name)

    run = client.run("display.plotly([shop.trace]); display.pdf(shop.pdf, {metadata: {'application/pdf': {n: 1}}});"
                     "display.publish(shop.bundle, {id: 'b', transient: {kept: true}}); shop.spec").ok()

    plotly, pdf, bundle = run.contents("display_data")
    assert plotly["data"]["application/vnd.plotly.v1+json"] == {
        "data": [{"x": [1, 2], "t": "1970-01-01T00:00:00.000Z"}], "layout": {}}
    assert pdf["data"] == {"application/pdf": "JVBERi0=", "text/plain": "<application/pdf>"}
    assert pdf["metadata"] == {"application/pdf": {"n": 1}}
    assert bundle["data"] == {"text/html": "<i>", "text/plain": "i"}
    assert bundle["transient"] == {"display_id": "b", "kept": True}
    assert run.contents("execute_result")[0]["data"]["application/vnd.vegalite.v5+json"] == {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json", "mark": "bar"}


@pytest.mark.parametrize("name", ATTACKS)
def test_completion_tells_the_truth(client, name):
    client.run("const shop = {apple: {price: 1}}; 0").ok()
    attack(client, name)

    reply = client.request("shell", "complete_request", {"code": "shop.apple.pri", "cursor_pos": 14})

    assert reply.content["matches"] == ["price"]


# A cell is a text for the compiler, there is no wrapper that it could close.


@pytest.mark.parametrize("code", [
    "})(); console.log('escaped'); (async () => {", "}); console.log('escaped'); ({",
    "*/ console.log('escaped') /*", "} catch {} console.log('escaped'); {",
    "\u2028})(); console.log('escaped')", "1 }, x: (console.log('escaped')", "{a: 1}); console.log('escaped'",
    "{a: 1}\n); (console.log('escaped')", "{a: 1} /*", "let x = 1 })(); console.log('escaped'); (() => {",
    "import x from 'y'})(); console.log('escaped'); (() => {//'",
])
def test_a_cell_cannot_close_what_is_around_it(client, code):
    run = client.run(code)

    assert run.content["ename"] == "SyntaxError"
    assert run.stdout == ""
    assert client.run("1 + 1").ok().result == "2"


@pytest.mark.parametrize("code", [
    "this.constructor.constructor('return this')() === globalThis",
    "console.log.constructor('return this')() === globalThis",
    "(async () => {}).constructor('return typeof native + typeof require.cache')().then(() => 0, () => 0)",
    "new (display.constructor)('return this')() === globalThis",
    "Object.getPrototypeOf(setTimeout(() => {})).constructor.constructor('return this')() === globalThis",
])
def test_constructor_chains_lead_to_the_users_realm_only(client, code):
    client.run(code).ok()
    names = client.run("Reflect.ownKeys(console.log.constructor('return this')()).filter(n => "
                       "['native', 'acorn', 'ts', 'pandia'].includes(n))").ok()

    assert names.result == "[]"


@pytest.mark.parametrize("code", [
    "(function () { return arguments.callee.caller })()", "console.log.caller", "console.log.arguments",
    "setTimeout.arguments",
])
def test_functions_of_the_harness_tell_nothing_of_their_callers(client, code):
    run = client.run(f"let r; try {{ r = {code} }} catch (e) {{ r = e.name }} r")

    assert run.result in (None, "null", "undefined", "'TypeError'")


def test_callbacks_see_no_harness_behind_them(client):
    run = client.run("""const seen = [];
        const custom = Symbol.for('nodejs.util.inspect.custom');
        console.log({[custom](depth, options, inspect) { seen.push(typeof inspect, this !== globalThis);
            return 'shown' }});
        console.log('%s', {toString() { seen.push(new Error().stack.includes('pandia:')); return 's' }});
        seen""").ok()

    assert run.stdout == "shown\ns\n" or run.stdout.startswith("shown\n")
    assert "true" not in run.result.replace("'function', true", "")


# Results that fight back. (cell, text that must be in the result or in the error)
RESULTS = {
    "getter": ("({get a() { throw 1 }, b: 2})", "{ a: [Getter], b: 2 }"),
    "proxy": ("new Proxy({a: 1}, {get() { throw 1 }, ownKeys() { throw 1 }})", "{ a: 1 }"),
    "proxy of everything": ("new Proxy(() => {}, new Proxy({}, {get() { throw 1 }}))", "Function"),
    "revoked proxy": ("const r = Proxy.revocable({}, {}); r.revoke(); r.proxy", "Revoked Proxy"),
    "custom that throws": ("({[Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('mine') }})", "mine"),
    "tag that throws": ("({get [Symbol.toStringTag]() { throw new Error('mine') }})", "Getter"),
    "constructor that throws": ("const o = {a: 1}; Object.defineProperty(o, 'constructor', {get() "
                                "{ throw 1 }}); o", "a: 1"),
    "error with getters": ("const e = new Error('m'); Object.defineProperty(e, 'stack', {get() { throw 1 }});"
                           "Object.defineProperty(e, 'message', {get() { throw 1 }}); throw e", ""),
    "error that is a proxy": ("throw new Proxy(new Error('m'), {get() { throw 1 }})", ""),
    "error named by an object": ("const e = new Error('m'); e.name = {toString() { throw 1 }}; throw e", ""),
    "null thrown": ("throw null", "null"), "undefined thrown": ("throw undefined", "undefined"),
    "symbol thrown": ("throw Symbol('s')", "Symbol(s)"),
    "function thrown": ("throw () => 1", "Function"),
    "thenable thrown": ("throw {then() { throw 1 }}", "then"),
    "class with static name": ("class A { static get name() { throw 1 } }; new A()", ""),
    "null prototype error": ("const e = new Error('m'); Object.setPrototypeOf(e, null); throw e", "m"),
    "deep": ("let d = {}; for (let i = 0; i < 1e5; i++) d = {d}; d", "[Object]"),
    "map with bad key": ("new Map([[{[Symbol.for('nodejs.util.inspect.custom')]() { return 'k' }}, 1]])", "k => 1"),
    "lone surrogate": ("'a\\ud800b'", "a"), "terminal codes": ("'\\x1b[31mred'", "\\x1B[31mred"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_that_fight_back_are_told(client, name):
    code, text = RESULTS[name]

    run = client.run(code)

    told = run.result if run.status == "ok" else run.content["evalue"] + "".join(run.content["traceback"])
    assert text in told
    assert client.run("1 + 1").ok().result == "2"


LOOPS = {
    "custom": "({[Symbol.for('nodejs.util.inspect.custom')]() { console.log('go'); for (;;) {} }})",
    "tag": "({get [Symbol.toStringTag]() { console.log('go'); for (;;) {} }})",
    "display": "({[Symbol.for('Jupyter.display')]() { console.log('go'); for (;;) {} }})",
    "display getter": "({get [Symbol.for('Jupyter.display')]() { console.log('go'); for (;;) {} }})",
    "message": "const e = new Error('m'); Object.defineProperty(e, 'message', {get() { console.log('go'); "
               "for (;;) {} }}); throw e",
    "toString": "console.log('%s', {toString() { console.log('go'); for (;;) {} }})",
}


@pytest.mark.parametrize("name", LOOPS)
def test_results_that_loop_can_be_interrupted(client, name):
    request = client.execute(LOOPS[name])
    client.wait_output(request, "go")

    client.interrupt()

    assert client.finish(request).content["ename"] == "KeyboardInterrupt"
    assert client.run("1 + 1").ok().result == "2"


@pytest.mark.parametrize("code, result", [
    ("({then(go) { go(5) }})", "{ then: [Function: then] }"), ("await {then(go) { go(5) }}", "5"),
    ("({then: 1})", "{ then: 1 }"), ("Object.prototype.then = function (go) { go('stolen') }; 7", "7"),
])
def test_thenables_are_values_until_they_are_awaited(client, code, result):
    assert client.run(code).ok().result == result


def test_polluted_then_does_not_take_results(client):
    client.run("Object.prototype.then = function (go) { go({value: 'stolen'}) }; 0")

    assert client.run("5 + 5").ok().result == "10"
    assert client.run("let x = 3; x").ok().result == "3"


def test_one_context_cannot_tamper_with_another(client):
    create(client, "other", language="javascript")
    for name in ("Object.prototype setters", "Array.prototype methods", "all globals"):
        attack(client, name)

    assert client.run("[1, 2].map(x => x * 2)", context="other").ok().result == "[ 2, 4 ]"
