# SPDX-License-Identifier: MIT
"""Results and displays of JavaScript: JSON beside the text in rich contexts, display() and its kin,
Symbol.for("Jupyter.display")."""
import pytest

from support.contexts import create, refusal

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"
RICH = "rich"


@pytest.fixture
def rich(client):
    create(client, RICH, language="javascript", rich=True)
    return lambda code: client.run(code, context=RICH).ok().contents("execute_result")[0]["data"]


@pytest.mark.parametrize("code, value", [
    ("({a: 1, b: [true, null, 'x']})", {"a": 1, "b": [True, None, "x"]}), ("[1, [2, [3]]]", [1, [2, [3]]]),
    ("'text'", "text"), ("42", 42), ("1.5e300", 1.5e300), ("true", True), ("null", None), ("[]", []),
    ("({})", {}), ("Object.assign(Object.create(null), {a: 1})", {"a": 1}),
    ("({'': 1, 'é\"\\n': '\\u2028'})", {"": 1, "é\"\n": "\u2028"}),
    ("const shared = {s: 1}; [shared, shared]", [{"s": 1}, {"s": 1}]), ("({__proto__: null})", {}),
    ("JSON.parse('{\"__proto__\": 1}')", {"__proto__": 1}), ("({toJSON: 1})", {"toJSON": 1}),
], ids=repr)
def test_plain_data_has_json_in_rich_contexts(rich, code, value):
    data = rich(code)

    assert data["application/json"] == value
    assert type(data["application/json"]) is type(value)
    assert "text/plain" in data


@pytest.mark.parametrize("code", [
    "const o = {}; o.o = o; o", "const l = []; l.push(l); l", "10n", "({a: 10n})", "new Map([[1, 2]])",
    "new Set([1])", "new Date(0)", "new Uint8Array([1])", "new ArrayBuffer(2)", "class A {}; new A()",
    "() => 1", "({f() {}})", "[undefined]", "({a: undefined})", "NaN", "[NaN]", "Infinity", "[-0]",
    "[, 1]", "Symbol('s')", "({[Symbol('s')]: 1})", "({get a() { throw 1 }})", "/x/", "new Error('x')",
    "new Proxy({}, {})", "new Proxy([], {})", "Promise.resolve(1)", "new String('x')", "new Number(1)",
    "Object.create({a: 1})", "Object.defineProperty({}, 'hidden', {value: 1})", "new (class extends Array {})",
    "Object.assign([1], {extra: 1})", "({toJSON() { return 'lie' }})", "new WeakMap()",
    "let deep = []; for (let i = 0; i < 1000; i++) deep = [deep]; deep", "'x'.repeat(5e6)",
    "(function () { return arguments })(1)", "globalThis", "new Boolean(false)", "[new Date(0)]",
], ids=repr)
def test_what_json_would_change_has_only_text(rich, code):
    data = rich(code)

    assert "application/json" not in data
    assert data["text/plain"]


@pytest.mark.parametrize("code", ["({a: 1})", "[1]", "'x'", "1"])
def test_plain_contexts_have_only_text(client, code):
    assert list(client.run(code).ok().contents("execute_result")[0]["data"]) == ["text/plain"]


def test_json_runs_no_code_of_the_user(client, rich):
    client.run("Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = "
               "JSON.stringify = () => { throw 'ran' }", context=RICH).ok()

    assert rich("({a: [1, 'x']})")["application/json"] == {"a": [1, "x"]}


@pytest.mark.parametrize("options, named", [
    ({"rich": 1}, "rich"), ({"codegen": "maybe"}, "codegen"), ({"memory_bytes": 10}, "memory_bytes"),
    ({"memory_bytes": "1G"}, "memory_bytes"), ({"codegen": "deny", "language": "python"}, "python"),
    ({"network": "no"}, "network"), ({"processes": 0}, "processes"), ({"network": False, "language": "python"}, "network"),
])
def test_bad_options_of_a_context_are_named(client, options, named):
    text = refusal(client, "create_context_request",
                   **{"context_id": "c", "language": "javascript", **options})

    assert named in text
    assert "c" not in [c["id"] for c in client.control("list_context_request").content["contexts"]]


# display()


@pytest.mark.parametrize("code, data", [
    ("display.html('<b>x</b>')", {"text/html": "<b>x</b>", "text/plain": "<text/html>"}),
    ("display.svg('<svg/>')", {"image/svg+xml": "<svg/>", "text/plain": "<image/svg+xml>"}),
    ("display.markdown('**x**')", {"text/markdown": "**x**", "text/plain": "**x**"}),
    ("display.latex('$x$')", {"text/latex": "$x$", "text/plain": "$x$"}),
    ("display.json({a: [1]})", {"application/json": {"a": [1]}, "text/plain": "{ a: [ 1 ] }"}),
    ("display.text('plain')", {"text/plain": "plain"}), ("display({a: 1})", {"text/plain": "{ a: 1 }"}),
    ("display('x')", {"text/plain": "'x'"}), ("display(undefined)", {"text/plain": "undefined"}),
    ("display.pdf(new Uint8Array([0, 37, 80, 68, 70, 45]).subarray(1))",
     {"application/pdf": "JVBERi0=", "text/plain": "<application/pdf>"}),
    ("display.pdf('JVBERi0=')", {"application/pdf": "JVBERi0=", "text/plain": "<application/pdf>"}),
    ("display({'text/html': '<i>', 'text/plain': 'i'}, {raw: true})",
     {"text/html": "<i>", "text/plain": "i"}),
    ("display({'application/vnd.x+json': {v: 1}}, {raw: true})",
     {"application/vnd.x+json": {"v": 1}, "text/plain": "{ 'application/vnd.x+json': { v: 1 } }"}),
], ids=repr)
def test_display_sends(client, code, data):
    run = client.run(code).ok()

    assert [content["data"] for content in run.contents("display_data")] == [data]
    assert run.result is None


def test_displays_keep_their_order_with_text(client):
    run = client.run("console.log('a'); display.html('b'); console.log('c'); console.error('d');"
                     "display.html('e'); 'end'").ok()

    assert [t for t in run.types if t != "execute_input"] == [
        "stream", "display_data", "stream", "stream", "display_data", "execute_result"]


def test_display_with_an_id_can_be_updated(client):
    run = client.run("const d = display.html('one', {id: 'here'}); d.update('two');"
                     "display.update('here', 'three'); display.html('4', {id: 'here', update: true}); d.id").ok()

    first, = run.contents("display_data")
    updates = run.contents("update_display_data")
    assert first["transient"] == {"display_id": "here"}
    assert [update["transient"] for update in updates] == [{"display_id": "here"}] * 3
    assert [update["data"].get("text/html") for update in updates] == [None, None, "4"]
    assert run.result == "'here'"


def test_display_makes_an_id_of_its_own(client):
    run = client.run("const a = display('x', {id: true}), b = display('y', {id: true}); a.id !== b.id").ok()

    assert run.result == "true"
    ids = [content["transient"]["display_id"] for content in run.contents("display_data")]
    assert len(set(ids)) == 2


def test_display_passes_metadata_on(client):
    run = client.run("display.pdf('JVBERi0=', {metadata: {width: 10}})").ok()

    assert run.contents("display_data")[0]["metadata"] == {"application/pdf": {"width": 10}}


@pytest.mark.parametrize("code, text", [
    ("display.json(new Map())", "not plain JSON data"), ("display('x', {update: true})", "needs the id"),
    ("display('x', {metadata: 5})", "metadata"), ("display.json()", "not plain JSON data"),
])
def test_display_refuses_what_it_cannot_send(client, code, text):
    run = client.run(code)

    assert run.content["ename"] == "TypeError"
    assert text in run.content["evalue"]


@pytest.mark.parametrize("code, wait", [("console.clear()", False), ("display.clear()", False),
                                        ("display.clear({wait: true})", True)])
def test_output_can_be_cleared(client, code, wait):
    assert client.run(code).ok().contents("clear_output") == [{"wait": wait}]


def test_objects_that_know_their_display(client):
    run = client.run("({[Symbol.for('Jupyter.display')]() { return {'text/html': '<i>', "
                     "'application/json': {a: [1]}, 'image/png': null} }})").ok()

    data = run.contents("execute_result")[0]["data"]
    assert data["text/html"] == "<i>" and data["application/json"] == {"a": [1]}
    assert "image/png" not in data and "Jupyter.display" in data["text/plain"]


def test_a_class_can_know_its_display(client):
    client.run("class Tag { constructor(t) { this.t = t }\n"
               "[Symbol.for('Jupyter.display')]() { return {'text/html': `<${this.t}>`, "
               "'text/plain': this.t} } }").ok()

    run = client.run("display(new Tag('b')); new Tag('i')").ok()

    assert run.contents("display_data")[0]["data"] == {"text/html": "<b>", "text/plain": "b"}
    assert run.contents("execute_result")[0]["data"] == {"text/html": "<i>", "text/plain": "i"}


def test_a_failing_display_method_leaves_the_text(client):
    run = client.run("({a: 1, [Symbol.for('Jupyter.display')]() { throw new Error('no picture') }})").ok()

    assert "a: 1" in run.result
    assert "no picture" in run.stderr


def test_silent_cells_display_nothing(client):
    assert client.run("display.html('x'); 5", silent=True).types == []


def test_typescript_displays_too(start_kernel):
    client = start_kernel(language="typescript").client()

    assert client.run("display.html(`<b>${1 as number}</b>`)").ok().contents(
        "display_data")[0]["data"]["text/html"] == "<b>1</b>"
