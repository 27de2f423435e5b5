# SPDX-License-Identifier: MIT
"""What a JavaScript cell means: its value, its names, its errors, its jobs and timers. Interrupts
are in test_js_control.py, console in test_js_console.py, TypeScript in test_ts_cells.py."""
import json
import re

import pytest

from support.text import failure

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"


# Values.


@pytest.mark.parametrize("code, result", [
    ("1 + 1", "2"), ("'text'", "'text'"), ('"it\'s"', '"it\'s"'), ("`a\nb`", "'a\\nb'"),
    ("null", "null"), ("true", "true"), ("-0", "-0"), ("NaN", "NaN"), ("10n ** 20n",
     "100000000000000000000n"), ("Symbol('s')", "Symbol(s)"), ("[1, 'a', null]", "[ 1, 'a', null ]"),
    ("({})", "{}"), ("{}", "{}"), ("{a: 1}", "{ a: 1 }"), ("{a: 1, b: [2]}", "{ a: 1, b: [ 2 ] }"),
    ("{a: 1};", "1"), ("{ let x = 1; x }", "1"), ("[]", "[]"), ("[,1]", "[ <1 empty item>, 1 ]"),
    ("new Map([[1, {a: 2}]])", "Map(1) { 1 => { a: 2 } }"), ("new Set('ab')", "Set(2) { 'a', 'b' }"),
    ("new Date(0)", "1970-01-01T00:00:00.000Z"), ("/a+/gi", "/a+/gi"),
    ("function f() {}\nf", "[Function: f]"), ("() => 1", "[Function (anonymous)]"),
    ("(class A {})", "[class A]"), ("class A {}; new A()", "A {}"), ("(class extends Array {})",
     "[class (anonymous) extends Array]"), ("Promise.resolve(5)", "Promise { 5 }"),
    ("Promise.resolve([1])", "Promise { [ 1 ] }"), ("new Promise(() => {})", "Promise { <pending> }"),
    ("new Uint8Array([1, 2])", "Uint8Array(2) [ 1, 2 ]"), ("Object.create(null)",
     "[Object: null prototype] {}"), ("({get a() { throw 1 }})", "{ a: [Getter] }"),
    ("new Proxy({a: 1}, {})", "{ a: 1 }"), ("const o = {}; o.o = o; o",
     "<ref *1> { o: [Circular *1] }"), ("await 7", "7"), ("await Promise.resolve('x')", "'x'"),
    ("x = 5", "5"), ("1; 2; 3", "3"), ("1\n2;", "2"), ("if (true) { 3 }", "3"),
    ("for (let i = 0; i < 3; i++) i * 10", "20"), ("var a = 1; a", "1"), ("let a = 1; a", "1"),
    ("const a = 1; a", "1"), ("let a, b = 2; [a, b]", "[ undefined, 2 ]"),
    ("const {p, q: [r]} = {p: 1, q: [2]}; [p, r]", "[ 1, 2 ]"),
    ("function g() { return h() } function h() { return 9 } g()", "9"),
    ("class P { x = 1; static s = 2; get y() { return 3 } #z = 4; z() { return this.#z } }\n"
     "[new P().x, P.s, new P().y, new P().z()]", "[ 1, 2, 3, 4 ]"),
    ("'let x = 1'", "'let x = 1'"), ("`const ${1 + 1}`", "'const 2'"), ("/let/.test('let')", "true"),
    ("// let\n1", "1"), ("/* const */ 2", "2"), ("#!/usr/bin/env node\n3", "3"),
    ("const ünïcode = 'é😀'; ünïcode", "'é😀'"), ("export const e = 1; e", "1"),
    ("export default 5", "5"), ("export function k() { return 4 }\nk()", "4"),
    ("label: for (const a of [1, 2]) { for (;;) { continue label } }\n'end'", "'end'"),
    ("var fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); fs.map(f => f())", "[ 0, 1, 2 ]"),
    ("with ({w: 1}) w", "1"), ("const a = 1\r\na\r\n", "1"), ("010", "8"),
    ("let f = function () { return this === globalThis }; f()", "true"),
    ("async function* g() { yield 1; yield 2 } let out = []; for await (const x of g()) "
     "out.push(x); out", "[ 1, 2 ]"), ("[3, 1, 2].toSorted()", "[ 1, 2, 3 ]"),
    ("typeof queueMicrotask + typeof structuredClone", None), ("Array.from({length: 200})", None),
    ("new Error('shown').message", "'shown'"), ("globalThis === global", "true"),
    ("try { throw 1 } catch (e) { e }", "1"), ("switch (1) { case 1: 'one' }", "'one'"),
    ("var x = 1, x = 2; x", "2"), ("1,2", "2"), ("(a => a * 2)(21)", "42"), ("void 0 ?? 'd'", "'d'"),
    ("({a: {b: {c: {d: 1}}}})", "{ a: { b: { c: [Object] } } }"),
    ("new WeakMap()", "WeakMap { <items unknown> }"), ("Math.max()", "-Infinity"),
], ids=repr)
def test_completion_value_is_the_result(client, code, result):
    shown = client.run(code).ok().result

    assert shown == result or result is None


@pytest.mark.parametrize("code", [
    "", "  \n", "// comment", "undefined", "var a = 1", "let a = 1", "const a = 1", "class A {}",
    "function f() {}", "void 0", "await undefined", ";", "let a", "export {}", "if (false) 1",
    "(() => {})()"], ids=repr)
def test_cell_without_a_value_has_no_result(client, code):
    assert client.run(code).ok().types == ["execute_input"]


# Names.


@pytest.mark.parametrize("first, second, shown", [
    ("let x = 1", "x + 1", "2"), ("const x = 1", "x", "1"), ("var x = 1", "x", "1"),
    ("class A { m() { return 1 } }", "new A().m()", "1"), ("function f() { return 1 }", "f()", "1"),
    ("const [a, {b}] = [1, {b: 2}]", "a + b", "3"), ("const x = 1", "const x = 2; x", "2"),
    ("let x = 1", "let x = 2; x", "2"), ("let x = 1", "let x; x === undefined", "true"),
    ("class A {}", "class A { get y() { return 5 } }\nnew A().y", "5"),
    ("function f() { return 1 }", "const f = () => 2; f()", "2"),
    ("const f = 1", "function f() { return 2 }\nf()", "2"),
    ("const x = 1; const see = () => x", "const x = 5; see()", "5"),
    ("async function f() { return await 3 }", "await f()", "3"),
    ("let {a = 5, ...rest} = {b: 2}", "[a, rest]", "[ 5, { b: 2 } ]"),
    ("export let e = 4", "e", "4"), ("export default function named() { return 6 }", "named()", "6"),
    ("const z = 3", "export { z }; z", "3"),
    ("x = 1", "x", "1"), ("globalThis.y = 2", "y", "2"), ("const t = await 8", "t", "8"),
    ("let a = 1, b = a + 1", "[a, b]", "[ 1, 2 ]"), ("var n = 0; const inc = () => ++n", "inc(); n",
     "1")], ids=repr)
def test_names_stay_and_can_be_declared_again(client, first, second, shown):
    client.run(first).ok()
    client.run(first).ok()

    assert client.run(second).ok().result == shown


def test_name_of_a_cell_that_failed_can_be_declared_again(client):
    assert client.run("const x = missing()").status == "error"

    assert client.run("const x = 1; x").ok().result == "1"


def test_names_of_blocks_stay_inside(client):
    client.run("{ let inner = 1; const also = 2 }").ok()

    assert client.run("typeof inner + typeof also").ok().result == "'undefinedundefined'"


# Errors.


@pytest.mark.parametrize("code, kind, message, place", [
    ("missing", "ReferenceError", "missing is not defined", "In[1]:1:1"),
    ("let a = 1;\n\n  missing()", "ReferenceError", "missing is not defined", "In[1]:3:3"),
    ("null.x", "TypeError", "cannot read property 'x' of null", "In[1]:1:1"),
    ("const s = 1; let u; throw new Error('here')", "Error", "here", "In[1]:1:31"),
    ("class A {} throw new RangeError('r')", "RangeError", "r", "In[1]:1:22"),
    ("await 1;\nawait Promise.reject(new TypeError('late'))", "TypeError", "late", "In[1]:2:26"),
    ("JSON.parse('{')", "SyntaxError", None, "In[1]:1:5"),
    ("function f() {\n  throw new Error('inner')\n}\nf()", "Error", "inner", "at f (In[1]:2:"),
    ("let x;\nlet y; oops", "ReferenceError", "oops is not defined", "In[1]:2:8"),
    ("{ a: oops }", "ReferenceError", "oops is not defined", "In[1]:1:6"),
    ("new Array(-1)", "RangeError", None, "In[1]:1:"),
    ("class E extends Error { name = 'MyError' } throw new E('own')", "MyError", "own", "MyError"),
    ("const e = new Error('outer', {cause: new Error('why')}); throw e", "Error", "outer", "[cause]"),
    ("throw Object.assign(new Error('m'), {code: 'X'})", "Error", "m", "code: 'X'"),
    ("throw new AggregateError([new Error('one')], 'many')", "AggregateError", "many", "[errors]"),
    ("(function deep() { deep() })()", "RangeError", "Maximum call stack size exceeded", None),
], ids=repr)
def test_error_has_kind_message_and_place(client, code, kind, message, place):
    run = client.run(code)

    assert run.status == "error"
    assert run.content["ename"] == kind
    assert message is None or run.content["evalue"] == message
    assert place is None or place in "\n".join(run.content["traceback"])


@pytest.mark.parametrize("options", [{"silent": True}, {"store_history": False}], ids=repr)
def test_cell_that_is_not_recorded_has_a_name_of_its_own(client, options):
    client.run("let a; let b; function f() { missing() }").ok()

    other = client.run("const c = 1; throw new Error('x')", **options)
    run = client.run("f()")

    assert "at In[_2]:1:2" in "\n".join(other.content["traceback"])
    assert "at f (In[1]:1:30)" in "\n".join(run.content["traceback"])


def test_stack_has_no_frame_that_is_not_in_the_text(client):
    run = client.run("class A {\n  static { throw new Error('x') }\n}")

    frames = [line.strip() for line in run.content["traceback"] if line.strip().startswith("at ")]
    assert len(frames) == 2
    assert frames[0].startswith("at In[1]:2:")
    assert frames[1].startswith("at In[1]:1:")


@pytest.mark.parametrize("code, line, column", [
    ("let x = ;", 1, 9), ("1 +", 1, 4), ("let a = 1;\nfoo(", 2, 5), ("if (", 1, 5), ("}", 1, 1),
    ("let a; let a;", 1, 12), ("return 1", 1, 1), ("'open", 1, 1), ("var 1a", 1, 6),
    ("const c", 1, 8), ("{a: 1}) + ({b: 2}", 1, 7)], ids=repr)
def test_syntax_error_names_line_and_column(client, code, line, column):
    kind, text = failure(client, code)

    assert kind == "SyntaxError"
    assert text.startswith(f"In[1]:{line}:{column}\n{code.splitlines()[line - 1]}\n")


def test_syntax_error_runs_nothing_of_the_cell(client):
    failure(client, "globalThis.ran = 1; let x = ;")

    assert client.run("typeof ran").ok().result == "'undefined'"


@pytest.mark.parametrize("value, shown", [
    ("5", "5"), ("'text'", "'text'"), ("null", "null"), ("undefined", "undefined"),
    ("({a: 1})", "{ a: 1 }")])
def test_thrown_value_that_is_no_error_is_shown(client, value, shown):
    kind, text = failure(client, f"throw {value}")

    assert (kind, text) == ("Uncaught", f"Uncaught {shown}")


def test_stack_names_every_frame_in_the_users_text_only(client):
    client.run("const each = (items, f) => items.map(item => f(item))").ok()

    _, text = failure(client, "let shifted; each([1], function go() { throw new Error('deep') })")

    # A call has the column before or at its name: so the engine counts.
    frames = re.findall(r"    at (.*)", text)
    assert frames == ["go (In[2]:1:50)", "In[1]:1:48", "map (<anonymous>)", "each (In[1]:1:37)",
                      "In[2]:1:13"]


def test_error_with_a_getter_that_throws_is_still_told(client):
    run = client.run("const e = new Error('m'); Object.defineProperty(e, 'message', "
                     "{get() { throw new Error('again') }}); throw e")

    assert run.status == "error"
    assert client.run("1").ok().result == "1"


# Jobs and timers.


def test_rejection_that_nobody_handles_is_reported(client):
    run = client.run("Promise.reject(new Error('lost')); 'value'").ok()

    assert run.result == "'value'"
    assert run.stderr.startswith("Uncaught (in promise) Error: lost\n    at In[1]:1:")


def test_rejection_that_is_handled_is_not_reported(client):
    assert client.run("Promise.reject(1).catch(() => {}); 'v'").ok().stderr == ""
    assert client.run("try { await Promise.reject(1) } catch (e) { e }").ok().stderr == ""


def test_error_in_a_timer_is_reported(client):
    run = client.run("setTimeout(() => { throw new Error('timer') }, 1); "
                     "await new Promise(go => setTimeout(go, 20))").ok()

    assert run.stderr.startswith("Uncaught Error: timer")


@pytest.mark.parametrize("code", [
    "await new Promise(() => {})", "let x = await new Promise(() => {})",
    "setTimeout(() => {}, 1); await new Promise(() => {})",
    "setInterval(() => {}, 1000).unref(); await new Promise(() => {})"])
def test_await_that_can_never_settle_is_an_error(client, code):
    run = client.run(code)

    assert run.content["ename"] == "UnsettledAwaitError"
    assert client.run("2").ok().result == "2"


def test_timers_run_in_the_order_in_which_they_are_due(client):
    run = client.run("""
        const order = [];
        const note = name => () => order.push(name);
        setTimeout(note('90'), 90); setTimeout(note('50'), 50); setImmediate(note('now'));
        queueMicrotask(note('micro')); Promise.resolve().then(note('then')); order.push('sync');
        await new Promise(go => setTimeout(go, 100));
        order""").ok()

    assert run.result == "[ 'sync', 'micro', 'then', 'now', '50', '90' ]"


def test_timer_goes_on_after_its_cell(client):
    request = client.execute("setTimeout(() => console.log('later'), 50); 'now'")

    client.finish(request)

    client.wait_output(request, "later")


LATE = {
    "timer": "setTimeout(() => LATE, 30)", "interval": "const t = setInterval(() => { LATE; clearInterval(t) }, 30)",
    "timer in a timer": "setTimeout(() => setTimeout(() => LATE, 20), 10)",
    "promise": "new Promise(go => setTimeout(go, 30)).then(() => LATE)",
    "async function": "(async () => { await new Promise(go => setTimeout(go, 30)); LATE })()",
    "process": "require('child_process').exec('sleep 0.05', () => LATE)",
}


@pytest.mark.parametrize("words", ["console.log('late words')", "console.error('late words')",
                                   "display.html('late words')"], ids=["log", "error", "display"])
@pytest.mark.parametrize("what", LATE)
def test_what_a_cell_started_speaks_for_it(client, what, words):
    first = client.run(LATE[what].replace("LATE", f"(globalThis.done = true, {words})")).ok()

    second = client.run("while (!globalThis.done) await new Promise(go => setTimeout(go, 5))").ok()

    client.wait(lambda: any("late words" in str(m.content) for m in client.by_parent[first.request.msg_id]
                            if m.type in ("stream", "display_data")), "late words")
    assert not [m for m in client.by_parent[second.request.msg_id] if "late words" in str(m.content)]


def test_what_a_silent_cell_started_is_not_lost(client):
    heard = client.run("1").ok()
    client.run("setTimeout(() => console.log('late words'), 30)", silent=True)

    client.wait_output(heard.request, "late words")


# The environment of one run.


def test_env_is_set_for_one_run(start_kernel):
    client = start_kernel(language=LANGUAGE, env={"KEPT": "1", "CHANGED": "old"}).client()
    texts = {"QUOTES": "a'b\"c`d", "LINES": "a\nb", "SHELL": "$(touch x)", "UNI": "ü😀", "EMPTY": ""}
    code = "JSON.stringify([process.env.CHANGED, process.env.KEPT, " + ", ".join(
        f"process.env.{name} ?? null" for name in texts) + "])"
    before = client.run(code).ok().result

    during = client.run(f"console.log({code})", metadata={"env": {**texts, "CHANGED": "new", "KEPT": None}}).ok()
    after = client.run(code).ok().result

    assert json.loads(during.stdout) == ["new", None, *texts.values()]
    assert after == before == repr(json.dumps(["old", "1", *[None] * len(texts)], separators=(",", ":")))


def test_env_reaches_processes(client):
    code = "require('child_process').execSync('printenv ONE || echo none').toString()"

    assert client.run(code, metadata={"env": {"ONE": "x y"}}).ok().result == "'x y\\n'"
    assert client.run(code).ok().result == "'none\\n'"


@pytest.mark.parametrize("end", ["throw 1", "x = = 1", "for (;;) {}"], ids=["error", "syntax", "timeout"])
def test_env_is_restored_after_a_failure(client, end):
    client.run("process.env.MINE = 'before'").ok()

    client.run(end, metadata={"env": {"MINE": "during", "OTHER": "x"}, "timeout_ms": 300})

    assert client.run("[process.env.MINE, process.env.OTHER]").ok().result == "[ 'before', undefined ]"


def test_interval_goes_on_between_cells_until_it_is_cleared(client):
    client.run("let n = 0; const timer = setInterval(() => n++, 2)").ok()
    client.run("while (n < 3) await new Promise(go => setTimeout(go, 1))").ok()

    client.run("clearInterval(timer); const then = n; "
               "await new Promise(go => setTimeout(go, 20))").ok()

    assert client.run("n === then").ok().result == "true"


@pytest.mark.parametrize("code, result", [
    ("const t = setTimeout(() => {}, 1e6); clearTimeout(t); typeof t", "'object'"),
    ("const t = setTimeout(() => {}, 1e6); t.hasRef()", "true"),
    ("setTimeout(() => {}, 1e6).unref().hasRef()", "false"),
    ("const t = setTimeout(() => { throw 1 }, 5); clearTimeout(+t); "
     "await new Promise(go => setTimeout(go, 15)); 'kept'", "'kept'"),
    ("await new Promise(go => setTimeout(go, 1, 'argument'))", "'argument'"),
    ("let k = 0; await new Promise(go => { const t = setInterval(() => { if (++k == 3) "
     "{ clearInterval(t); go() } }, 1) }); k", "3"),
    ("clearTimeout(undefined); clearTimeout({}); clearTimeout(99); 'calm'", "'calm'"),
], ids=repr)
def test_timer_objects_are_as_in_node(client, code, result):
    assert client.run(code).ok().result == result


def test_timer_without_a_callback_is_refused(client):
    kind, text = failure(client, "setTimeout('code')")

    assert kind == "TypeError" and "callback" in text


# Answers to other requests.


@pytest.mark.parametrize("code, status", [
    ("1", "complete"), ("let x = 1", "complete"), ("{a: 1}", "complete"), ("", "complete"),
    ("function f() {", "incomplete"), ("if (x) {", "incomplete"), ("foo(", "incomplete"),
    ("`open", "incomplete"), ("/* open", "incomplete"), ("[1,", "incomplete"),
    ("try { 1 }", "incomplete"), ("1 +", "incomplete"), ("let x = ;", "invalid"),
    (")", "invalid"), ("await x", "complete"), ("const {a", "incomplete")])
def test_is_complete(client, code, status):
    reply = client.request("shell", "is_complete_request", {"code": code}).reply.content

    assert reply["status"] == status


def test_user_expressions_are_evaluated_after_the_cell(client):
    run = client.run("const a = {n: 1}", user_expressions={
        "value": "a", "literal": "{b: 2}", "wrong": "missing", "broken": "1 +"}).ok()

    answers = run.content["user_expressions"]
    assert answers["value"] == {"status": "ok", "data": {"text/plain": "{ n: 1 }"}, "metadata": {}}
    assert answers["literal"]["data"]["text/plain"] == "{ b: 2 }"
    assert answers["wrong"]["ename"] == "ReferenceError"
    assert answers["broken"]["ename"] == "SyntaxError"


def test_silent_cell_shows_nothing(client):
    run = client.run("console.log('x'); 5", silent=True)

    assert run.status == "ok" and run.types == []
    assert client.run("6").ok().count == 1
