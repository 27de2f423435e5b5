# SPDX-License-Identifier: MIT
"""JavaScript under control: interrupts, depth, chance, and user code that meddles with what the
harness uses."""
import pytest

from support.build import SANITIZED, scaled
from support.contexts import create
from support.waiting import Stopwatch

LANGUAGE = "javascript"
pytestmark = pytest.mark.rows

# Each prints when it is about to be stuck.
STOPPABLE = {
    "loop": "console.log('go'); for (;;) {}",
    "function": "function f() { for (;;) {} }\nconsole.log('go'); f()",
    "catch": "console.log('go'); for (;;) { try { for (;;) {} } catch {} finally {} }",
    "regex": "console.log('go'); /^(a+)+$/.test('a'.repeat(40) + 'b')",
    "proxy": "const p = new Proxy({}, {get(t, k) { return p[k + 1] ?? 1 }});"
             "console.log('go'); for (;;) { try { p.x } catch {} }",
    "indexOf": "console.log('go'); for (;;) new Array(2 ** 32 - 1).indexOf(3)",
    "await": "console.log('go'); await new Promise(go => setTimeout(go, 1e6))",
    "chain": "console.log('go'); for (;;) await 0",
    "chains": "console.log('go'); const spin = async () => { for (;;) await 0 };"
              "await Promise.all([spin(), spin(), spin()])",
    "timers": "console.log('go'); setInterval(() => {}, 1); await new Promise(() => {})",
    "timer loop": "setTimeout(() => { for (;;) {} }, 1); console.log('go');"
                  "await new Promise(() => setTimeout(() => {}, 1e6))",
    "prints": "console.log('go'); for (;;) console.log('x'.repeat(100))",
    "getter": "console.log('go'); ({get [Symbol.toStringTag]() { for (;;) {} }})",
    "then": "console.log('go'); await {then() { for (;;) {} }}",
}


@pytest.mark.parametrize("name", STOPPABLE)
def test_interrupt_stops_what_runs(client, name):
    request = client.execute(STOPPABLE[name])
    client.wait_output(request, "go")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(request)

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(1)
    assert client.run("1 + 1").ok().result == "2"


def test_interrupted_chain_leaves_nothing_behind(client):
    request = client.execute("globalThis.n = 0; console.log('go');"
                             "const spin = async () => { for (;;) { n++; await 0 } };"
                             "setInterval(() => n++, 1); spin(); await spin()")
    client.wait_output(request, "go")
    client.interrupt()
    client.finish(request)

    client.run("const before = n; await new Promise(go => setTimeout(go, 30))").ok()

    assert client.run("n === before").ok().result == "true"


def test_interrupt_leaves_timers_of_other_cells(client):
    client.run("let beats = 0; const timer = setInterval(() => beats++, 1)").ok()
    request = client.execute("console.log('go'); for (;;) {}")
    client.wait_output(request, "go")
    client.interrupt()
    client.finish(request)

    run = client.run("const seen = beats; await new Promise(go => setTimeout(go, 30));"
                     "clearInterval(timer); beats > seen").ok()

    assert run.result == "true"


def test_interrupt_while_idle_does_not_hit_the_next_cell(client):
    client.run("1").ok()
    client.interrupt()

    assert client.run("let s = 0; for (let i = 0; i < 1e5; i++) s += i; s").ok().result == \
        "4999950000"


def test_background_loop_does_not_lock_the_context(client):
    """A chain of awaits that nobody waits for lets requests through."""
    client.run("(async () => { for (;;) await 0 })(); 'started'").ok()

    assert client.run("1 + 1").ok().result == "2"


def test_depth_is_about_that_of_node(client):
    run = client.run("let d = 0; const deeper = () => { d++; deeper() };"
                     "try { deeper() } catch {} d").ok()

    assert 5000 < int(run.result) < 50000


def test_overflow_inside_an_error_handler_is_survived(client):
    run = client.run("function f() { try { f() } catch (e) { throw new Error('again') } }\nf()")

    assert run.content["ename"] == "Error"
    assert client.run("1").ok().result == "1"


def test_random_differs_between_contexts(start_kernel):
    client = start_kernel(language="javascript").client()
    numbers = set()

    for name in "abc":
        create(client, name, language="javascript")
        numbers.add(client.run("Math.random()", context=name).ok().result)

    assert len(numbers) == 3


# Whatever a cell does to the language, what others printed and computed is still told.
MEDDLING = {
    "array": "for (const k of Reflect.ownKeys(Array.prototype)) { if (typeof Array.prototype[k] === "
             "'function') Array.prototype[k] = () => { throw new Error('array') } }",
    "string": "for (const k of Object.getOwnPropertyNames(String.prototype)) { if (typeof "
              "String.prototype[k] === 'function') String.prototype[k] = () => { throw 's' } }",
    "map": "Map.prototype.get = Map.prototype.set = () => { throw new Error('map') }; "
           "globalThis.Map = undefined",
    "json": "JSON.stringify = JSON.parse = () => { throw new Error('json') }",
    "promise": "Promise.prototype.then = () => { throw new Error('then') }; "
               "globalThis.Promise = undefined",
    "object": "Object.prototype.value = 'polluted'; Object.prototype.then = undefined; "
              "Object.prototype.get = undefined; delete Object.prototype.get",
    "function": "Function.prototype.call = Function.prototype.apply = () => { throw 'f' }",
    "error": "Error.prepareStackTrace = () => { throw new Error('hook') }; Error.stackTraceLimit = 0",
    "symbol": "Symbol.iterator; Array.prototype[Symbol.iterator] = function* () { yield 'fake' }",
    "globals": "globalThis.Object = globalThis.Error = globalThis.String = undefined",
    "inspect": "Object.prototype[Symbol.for('nodejs.util.inspect.custom')] = undefined",
    "reflect": "Reflect.apply = Reflect.ownKeys = () => { throw 'r' }",
    "math": "Math.max = Math.min = Math.floor = () => { throw 'm' }",
    "regexp": "RegExp.prototype.exec = () => { throw 'x' }; RegExp.prototype.test = () => true",
}


@pytest.mark.parametrize("name", MEDDLING)
def test_user_code_cannot_break_console_or_results(client, name):
    client.run(MEDDLING[name])

    run = client.run("const a = 1; let b; console.log('out %s', 'put', [1, 'x']);"
                     "({a: [1, 2], b: 'text', c: {d: null}})").ok()

    assert run.stdout == "out put [ 1, 'x' ]\n"
    assert run.result == "{ a: [ 1, 2 ], b: 'text', c: { d: null } }"


@pytest.mark.parametrize("name", MEDDLING)
def test_user_code_cannot_hide_errors(client, name):
    client.run(MEDDLING[name])

    run = client.run("let u; null.property")

    assert run.status == "error"
    assert run.content["ename"] == "TypeError"
    assert "cannot read property" in run.content["evalue"]


@pytest.mark.parametrize("code", [
    "native", "acorn", "ts", "typescript", "pandia"])
def test_parts_of_the_harness_are_not_in_reach(client, code):
    run = client.run(f"typeof {code}").ok()

    assert run.result == "'undefined'"


def test_frames_of_the_harness_are_hidden_from_hooks(client):
    run = client.run("""
        const seen = [];
        Error.prepareStackTrace = (error, sites) => {
            seen.push(...sites.map(site => String(site.getFileName())));
            return 'stack';
        };
        console.log({get a() { return new Error('x').stack }, [Symbol.for(
            'nodejs.util.inspect.custom')]() { return new Error('y').stack }});
        seen.filter(file => file.startsWith('pandia'))""").ok()

    assert run.result == "[]"


# Options of a context.

# Each makes code from a text.
GENERATING = [
    "eval('1')", "(0, eval)('1')", "globalThis.eval('1')", "new Function('return 1')()",
    "Function('return 1')()", "(() => {}).constructor('return 1')()",
    "(async () => {}).constructor('return 1')()", "(function* () {}).constructor('yield 1')()",
    "(async function* () {}).constructor('yield 1')()", "this.constructor.constructor('return 1')()",
    "Reflect.construct(Function, ['return 1'])", "Reflect.apply(Function, null, ['return 1'])",
    "class F extends Function {}; new F('return 1')", "Function.prototype.constructor('return 1')",
    "Object.getPrototypeOf(Object.getPrototypeOf(async () => {}).constructor)('return 1')",
    "console.log.constructor('return 1')()", "[].map.constructor('return 1')()",
    "Object.getPrototypeOf(async () => {}).constructor.constructor('return 1')()",
    "Error.prototype.toString.constructor('return 1')()", "eval.constructor('return 1')()",
    "setTimeout.constructor('return 1')()", "display.constructor('return 1')()",
]


@pytest.fixture
def denied(client):
    create(client, "denied", language="javascript", codegen="deny")
    return lambda code: client.run(code, context="denied")


@pytest.mark.parametrize("code", GENERATING)
def test_code_from_texts_can_be_denied(denied, code):
    run = denied(code)

    assert run.content.get("ename") == "EvalError", run.content
    assert run.content["evalue"] == "Code generation from strings disallowed for this context"


@pytest.mark.parametrize("code", [
    "globalThis.eval = () => 1; eval('1')", "delete globalThis.eval; delete globalThis.Function;"
    "Function('return 1')()", "Object.defineProperty(Function.prototype, 'constructor', {value: 1})",
    "var eval; eval('1')", "globalThis.Function = null; (() => {}).constructor('return 1')()",
])
def test_denial_cannot_be_undone(denied, code):
    assert denied(code).status == "error"
    assert denied("eval('1')").content["ename"] == "EvalError"


def test_denial_leaves_the_rest_alone(denied):
    assert denied("let a = 1; const f = async () => 2; class B {}; [(() => 1) instanceof Function, "
                  "f instanceof Function, typeof Function, Function.name, f.constructor.name, await f()]"
                  ).ok().result == "[ true, true, 'function', 'Function', 'AsyncFunction', 2 ]"
    assert denied("import('x').catch(() => 0); JSON.parse('1') + new RegExp('a').exec('a').length").ok()
    assert denied("a").ok().result == "1"


@pytest.mark.parametrize("code", ["setTimeout('x = 1', 1)", "setInterval('x = 1')"])
def test_timers_take_no_texts(denied, code):
    assert denied(code).content["ename"] == "TypeError"


def test_code_from_texts_is_allowed_otherwise(client):
    create(client, "free", language="javascript", codegen="allow")

    assert client.run("eval('1') + Function('return 1')()", context="free").ok().result == "2"


def test_network_and_processes_can_be_denied(client):
    create(client, "shut", language="javascript", network=False, processes=False)
    create(client, "open", language="typescript", network=True, processes=True)
    spawns = "require('child_process').execSync('echo here').toString()"

    fetched = client.run("await fetch('http://127.0.0.1:1/')", context="shut")
    spawned = client.run(spawns, context="shut")

    assert "not allowed in this context" in fetched.content["evalue"], fetched.content
    assert "not allowed in this context" in spawned.content["evalue"], spawned.content
    assert client.run(spawns, context="open").ok().result == "'here\\n'"
    assert "not allowed" not in client.run("await fetch('http://127.0.0.1:1/')", context="open").content["evalue"]


FILLING = {
    "keys": "const o = {}; for (let i = 0;; i++) o['key' + i] = i",
    "index keys": "const o = {}; for (let i = 0;; i++) o[i * 7919] = i",
    "symbols": "const o = {}; for (;;) o[Symbol()] = 1", "deep": "let o = {}; for (;;) o = {o}",
    "set": "const s = new Set(); for (let i = 0;; i++) s.add('x' + i)",
    "json": "let a = [1]; for (;;) { a = a.concat(a); JSON.stringify(a) }",
    "array": "const a = []; for (;;) a.push({})", "text": "let s = 'x'; for (;;) s += s",
    "typed": "const a = []; for (;;) a.push(new Uint8Array(1e6))",
    "map": "const m = new Map(); for (let i = 0;; i++) m.set(i, [i])",
    "closures": "let f = () => 0; for (;;) { const g = f; f = () => g }",
    "promises": "const all = []; for (;;) all.push(new Promise(() => {}))",
}


@pytest.mark.parametrize("name", FILLING)
def test_memory_limit_is_a_catchable_error(client, name):
    create(client, "small", language="javascript", memory_bytes=32 << 20)

    caught = client.run(f"let told; try {{ (() => {{ {FILLING[name]} }})() }} catch (e) "
                        "{ told = [e?.name, e?.message] } told", context="small").ok()
    uncaught = client.run(f"(() => {{ {FILLING[name]} }})()", context="small")

    assert caught.result in ("[ 'InternalError', 'out of memory' ]",
                             "[ 'RangeError', 'invalid string length' ]",
                             "[ 'InternalError', 'string too long' ]")
    assert uncaught.status == "error" and uncaught.content["ename"] in ("InternalError", "RangeError")
    assert client.run("1 + 1", context="small").ok().result == "2"


def test_recursion_is_as_deep_as_in_node(client):
    wanted = 900 if SANITIZED else 9000  # a frame is many times larger there
    run = client.run("let depth = 0; function down() { depth++; down() }\n"
                     f"try {{ down() }} catch (e) {{ [e.name, e.message, depth >= {wanted}] }}").ok()

    assert run.result == "[ 'RangeError', 'Maximum call stack size exceeded', true ]"
    pid = client.control("list_context_request").content["contexts"][0]["pid"]
    assert client.run("down()").content["ename"] == "RangeError"
    assert client.control("list_context_request").content["contexts"][0]["pid"] == pid
