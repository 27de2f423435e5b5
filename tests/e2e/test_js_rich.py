# SPDX-License-Identifier: MIT
"""Rich displays of JavaScript and TypeScript: every type of the one table, charts by their specs, methods
of values, bundles, metadata and transient, displays from timers and promises."""
import pathlib
import re

import pytest

from support.client import Run
from support.contexts import create

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"
RICH = "rich"
VEGA_LITE = "application/vnd.vegalite.v5+json"
VEGA = "application/vnd.vega.v5+json"
PLOTLY = "application/vnd.plotly.v1+json"
TABLE = pathlib.Path(__file__).parents[2] / "mime" / "type.h"
ROW = re.compile(r'X\(\w+, "([^"]+)", (\w+), (?:"(\w+)"|NULL), (?:"\w+"|NULL)\)')
# Whole pictures of one pixel, and the smallest thing that passes for a PDF.
PICTURES = {
    "png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
    "gif": "R0lGODdhAQABAIEAAAAAAAAAAAAAAAAAACwAAAAAAQABAAAIBAABBAQAOw==",
    "jpeg": "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP" + "/" * 86 + "wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA/"
            "/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z",
    "webp": "UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw==",
    "pdf": "JVBERi0xLjQKJSVFT0YK",
}
MIME = {label: f"image/{label}" for label in PICTURES} | {"pdf": "application/pdf"}
METHOD = "[Symbol.for('Jupyter.display')]"


def result(client, code, context=None):
    return client.run(code, context=context).ok().contents("execute_result")[0]["data"]


def shown(client, code):
    run = client.run(code).ok()
    assert run.result is None
    content, = run.contents("display_data")
    return content["data"]


def failure(client, code):
    run = client.run(code)
    assert run.contents("display_data") == []
    return f"{run.content['ename']}: {run.content['evalue']}"


# The table


def test_every_type_with_a_label_has_its_function(client):
    rows = ROW.findall(TABLE.read_text())
    labels = [label for _, _, label in rows if label]

    assert len(rows) > 15 and {"webp", "gif", "vega", "vegaLite", "plotly", "geojson"} <= set(labels)
    known = client.run("Object.keys(display).join(' ')").ok().result.strip("'").split(" ")
    assert known == [*labels, "image", "table", "publish", "update", "clear"]


@pytest.mark.parametrize("name, form, label", [row for row in ROW.findall(TABLE.read_text())
                                               if row[2] and row[1] != "BINARY"])
def test_a_display_has_the_type_of_its_label(client, name, form, label):
    data = shown(client, f"display.{label}({'({data: []})' if form == 'JSON' else repr('x')})")

    value = {"data": [], "layout": {}} if label == "plotly" else {"data": []}
    assert data[name] == (value if form == "JSON" else "x")
    assert set(data) == {name, "text/plain"}


def test_bytes_of_a_text_type_are_its_utf8(client):
    data = shown(client, "display.svg(Buffer.from('<svg>\\u00e9</svg>'))")

    assert data["image/svg+xml"] == "<svg>\u00e9</svg>"


# Pictures


@pytest.mark.parametrize("label", PICTURES)
@pytest.mark.parametrize("form", ["'{}'", "' {} \\n'", "Buffer.from('{}', 'base64')",
                                  "new Uint8Array(Buffer.from('{}', 'base64')).buffer",
                                  "new DataView(new Uint8Array(Buffer.from('{}', 'base64')).buffer)"])
def test_whole_pictures_are_shown(client, label, form):
    data = shown(client, f"display.{label}({form.format(PICTURES[label])})")

    assert data == {MIME[label]: PICTURES[label], "text/plain": f"<{MIME[label]}>"}


def test_base64_may_be_broken_into_lines(client):
    lines = "\\n".join(re.findall(".{1,20}", PICTURES["jpeg"]))

    assert shown(client, f"display.jpeg('{lines}')")["image/jpeg"] == PICTURES["jpeg"]


@pytest.mark.parametrize("label", PICTURES)
def test_broken_pictures_are_refused(client, label):
    whole = f"Buffer.from('{PICTURES[label]}', 'base64')"
    run = client.run(f"const told = []; for (const d of ['zzz', '', 'z!zz', new Uint8Array(0), {whole}.subarray(1),"
                     f"Buffer.from('<html>'), {{}}]) try {{ display.{label}(d) }} catch (e) {{"
                     "told.push(e.constructor === TypeError ? e.message : e) }; console.log(told.join('\\n'))").ok()

    lines = run.stdout.splitlines()
    assert len(lines) == 7 and all(line.startswith(f"{MIME[label]}: ") for line in lines)
    assert run.contents("display_data") == []


@pytest.mark.parametrize("code, text", [
    ("display.png('zzz')", "TypeError: image/png: the text is not base64: padding is missing at offset 3"),
    ("display.png('zz z-')", "TypeError: image/png: the text is not base64: '-' at offset 4"),
    ("display.png('AAAA')", "TypeError: image/png: not a PNG (starts with"),
    (f"display.png('{PICTURES['gif']}')", "TypeError: image/png: the data are a GIF"),
    (f"display.png(Buffer.from('{PICTURES['png']}', 'base64').subarray(0, 50))",
     "TypeError: image/png: the PNG ends too early"),
    ("display.pdf(Buffer.from('PDF'))", "TypeError: application/pdf: the data do not begin with %PDF-"),
    ("display.publish({'image/webp': 'AAAA'})", "TypeError: image/webp: not a WebP"),
    ("display.publish({'audio/wav': 'not base64'})", "TypeError: audio/wav: the text is not base64"),
], ids=repr)
def test_the_error_says_what_is_wrong_with_a_picture(client, code, text):
    assert failure(client, code).startswith(text)


def test_a_method_with_a_broken_picture_is_told(client):
    run = client.run(f"({{{METHOD}() {{ return {{'image/png': 'zzz'}} }}}})").ok()

    assert list(run.contents("execute_result")[0]["data"]) == ["text/plain"]
    assert "image/png: the text is not base64" in run.stderr


# Charts


@pytest.mark.parametrize("schema, name", [
    ("https://vega.github.io/schema/vega-lite/v5.json", VEGA_LITE),
    ("https://vega.github.io/schema/vega-lite/v6.1.json", VEGA_LITE),
    ("http://vega.github.io/schema/vega-lite/v4.json", VEGA_LITE),
    ("https://vega.github.io/schema/vega/v5.json", VEGA),
])
def test_specs_are_known_by_their_schema(client, schema, name):
    spec = {"$schema": schema, "data": {"values": [{"a": 1}]}, "mark": "bar"}

    run = client.run(f"const spec = {spec}; display(spec); spec").ok()

    for content in run.contents("display_data") + run.contents("execute_result"):
        assert content["data"][name] == spec
        assert "$schema" in content["data"]["text/plain"]
        assert set(content["data"]) == {name, "text/plain"}


@pytest.mark.parametrize("code", [
    "({data: [{type: 'bar', x: ['a'], y: [2]}], layout: {title: {text: 'T'}}})",
    "({data: [{type: 'pie', values: [1]}, {x: [1], y: [2]}], layout: {}, config: {}, frames: []})",
    "({data: [{y: new Float32Array([1, 2])}], layout: {}})",
])
def test_plotly_figures_are_known_by_their_parts(client, code):
    run = client.run(f"const figure = {code}; display(figure); figure").ok()

    for content in run.contents("display_data") + run.contents("execute_result"):
        assert set(content["data"]) == {PLOTLY, "text/plain"}
        assert content["data"][PLOTLY]["data"] and "data:" in content["data"]["text/plain"]


@pytest.mark.parametrize("code", [
    "({$schema: 'https://json-schema.org/draft/2020-12/schema'})", "({$schema: 5})",
    "({$schema: 'see https://vega.github.io/schema/vega-lite/v5.json'})",
    "({$schema: 'https://vega.github.io.example/schema/vega-lite/v5.json'})",
    "Object.create({$schema: 'https://vega.github.io/schema/vega-lite/v5.json'})",
    "({get $schema() { throw new Error('ran') }})",
    "new Proxy({$schema: 'https://vega.github.io/schema/vega/v5.json'}, {get() { throw new Error('ran') }})",
    "({data: [{type: 'bar', x: [1], y: [2]}]})", "({data: [], layout: {}})", "({data: {}, layout: {}})",
    "({data: [{type: 'article', id: 1}], layout: {}})", "({data: [{id: 1}], layout: {}})",
    "({data: [{type: 'bar'}], layout: 'grid'})", "({data: [{type: 'bar'}], layout: {}, status: 200})",
    "({data: [{type: 'bar'}, , ], layout: {}})", "({data: [{get type() { throw new Error('ran') }}], layout: {}})",
    *(f"const trap = {{get() {{ throw new Error('ran') }}, getOwnPropertyDescriptor() {{ throw new Error('ran') }}}};\n"
      f"({{data: {data}, layout: {layout}}})" for data, layout in [
          ("new Proxy([{type: 'bar'}], trap)", "{}"), ("[new Proxy({type: 'bar'}, trap)]", "{}"),
          ("[{type: 'bar'}]", "new Proxy({}, trap)")]),
], ids=repr)
def test_what_only_looks_like_a_spec_is_text(client, code):
    run = client.run(code).ok()

    assert list(run.contents("execute_result")[0]["data"]) == ["text/plain"]
    assert run.stderr == ""


def test_a_polluted_schema_changes_no_value(client):
    client.run("Object.prototype.$schema = 'https://vega.github.io/schema/vega/v5.json'; Object.prototype.value = 1").ok()

    assert list(result(client, "({get $schema() { return 1 }})")) == ["text/plain"]


def test_a_spec_that_is_no_json_keeps_its_text_and_says_so(client):
    run = client.run("({$schema: 'https://vega.github.io/schema/vega/v5.json', data: new Map()})").ok()

    assert list(run.contents("execute_result")[0]["data"]) == ["text/plain"]
    assert run.stderr == f"There is no chart of this value: the value for {VEGA} is not plain JSON data\n"


def test_a_spec_in_a_rich_context_has_json_as_well(client):
    create(client, RICH, language="javascript", rich=True)

    data = result(client, "({$schema: 'https://vega.github.io/schema/vega-lite/v5.json', mark: 'bar'})", RICH)

    assert data[VEGA_LITE] == data["application/json"]


def test_charts_take_typed_arrays_dates_and_gaps(client):
    data = shown(client, "class Trace { constructor() { this.x = new Float64Array([1, NaN, -0]); this.skip = undefined;"
                 "this.run = () => 1; this.t = [new Date(0), , undefined, Infinity] } };"
                 "display.plotly([new Trace()])")

    assert data[PLOTLY] == {"data": [{"x": [1, None, 0], "t": ["1970-01-01T00:00:00.000Z", None, None, None]}],
                            "layout": {}}


@pytest.mark.parametrize("code, text", [
    ("display.plotly({layout: {}})", "TypeError: display.plotly() needs a figure {data, layout}"),
    ("display.plotly('x')", "TypeError: display.plotly() needs an object, not 'x'"),
    ("display.vegaLite()", "TypeError: display.vegaLite() needs an object, not undefined"),
    ("display.geojson(null)", "TypeError: display.geojson() needs an object, not null"),
    ("display.vega({a: 1n})", f"TypeError: the value for {VEGA} is not plain JSON data"),
    ("display.json({get a() { throw new Error('ran') }})", "TypeError: the value for application/json is not plain"),
    ("const o = {}; o.o = o; display.json(o)", "TypeError: the value for application/json is not plain"),
    ("display.json(Array(70).fill('x'.repeat(1e6)))",
     "RangeError: the value for application/json has over 67108864 characters of JSON"),
], ids=repr)
def test_charts_that_cannot_be_sent_are_refused(client, code, text):
    assert failure(client, code).startswith(text)


# Symbol.for("Jupyter.display")


@pytest.mark.parametrize("code", [
    f"({{{METHOD}() {{ return {{'text/html': 'H'}} }}}})",
    f"class A {{ {METHOD}() {{ return {{'text/html': 'H'}} }} }}; class B extends A {{}}; new B()",
    f"class G {{ get {METHOD}() {{ return () => ({{'text/html': 'H'}}) }} }}; new G()",
    f"class S {{ static {METHOD}() {{ return {{'text/html': 'H'}} }} }}; S",
    f"Object.assign(() => 1, {{{METHOD}: () => ({{'text/html': 'H'}})}})",
    f"Object.assign(Object.create(null), {{{METHOD}: () => ({{'text/html': 'H'}})}})",
], ids=repr)
def test_a_value_or_its_class_tells_how_it_is_shown(client, code):
    assert result(client, code)["text/html"] == "H"


def test_a_display_method_of_all_objects_changes_nothing(client):
    client.run("Object.prototype[Symbol.for('Jupyter.display')] = () => ({'text/html': 'stolen'});"
               "class A {}; const plain = {a: 1}").ok()

    for code in ("plain", "new A()", "[1]", "new Map()", "() => 1", "Object.prototype"):
        assert list(result(client, code)) == ["text/plain"]
    assert shown(client, "display(plain)") == {"text/plain": "{ a: 1 }"}


@pytest.mark.parametrize("code, text", [
    ("return 5", "TypeError: a bundle is an object {type: data}, not 5"),
    ("return 'text/html'", "TypeError: a bundle is an object {type: data}, not 'text/html'"),
    ("return Promise.resolve({'text/html': 'H'})", "TypeError: it gives a promise"),
    ("return {html: 'H'}", "TypeError: 'html' is no MIME type"),
    ("return {'application/json': 1n}", "TypeError: the value for application/json is not plain JSON data"),
    ("throw new RangeError('no picture')", "RangeError: no picture"),
], ids=repr)
def test_a_failing_display_method_is_told_and_leaves_the_text(client, code, text):
    run = client.run(f"({{a: 1, {METHOD}() {{ {code} }}}})").ok()

    assert list(run.contents("execute_result")[0]["data"]) == ["text/plain"]
    assert run.stderr.startswith("Jupyter.display of this value failed: ") and text in run.stderr


@pytest.mark.parametrize("code", [f"({{{METHOD}() {{ return null }}, a: 1}})", f"({{{METHOD}() {{}}, a: 1}})",
                                  f"({{{METHOD}: 5, a: 1}})"], ids=repr)
def test_a_method_that_tells_nothing_leaves_the_text(client, code):
    run = client.run(code).ok()

    assert list(run.contents("execute_result")[0]["data"]) == ["text/plain"]
    assert run.stderr == ""


# Metadata, transient, bundles


@pytest.mark.parametrize("code, metadata", [
    ("display.html('x', {metadata: {isolated: true}})", {"text/html": {"isolated": True}}),
    ("display.html('x', {metadata: {'text/html': {isolated: true}}})", {"text/html": {"isolated": True}}),
    ("display.html('x', {metadata: {'text/html': {a: 1}, 'text/plain': {b: 2}}})",
     {"text/html": {"a": 1}, "text/plain": {"b": 2}}),
    ("display.html('x', {metadata: {}})", {}), ("display.html('x')", {}), ("display.html('x', {metadata: null})", {}),
    ("display.html('x', {metadata: {width: undefined, when: new Date(0)}})",
     {"text/html": {"when": "1970-01-01T00:00:00.000Z"}}),
    ("display.html('x', {metadata: {long: 'm'.repeat(5e6)}})", {"text/html": {"long": "m" * 5_000_000}}),
    ("display.publish({'text/html': 'x'}, {metadata: {isolated: true, 'text/html': {a: 1}}})",
     {"isolated": True, "text/html": {"a": 1}}),
    ("display({'text/html': 'x'}, {raw: true, metadata: {tags: ['a']}})", {"tags": ["a"]}),
], ids=repr)
def test_metadata_stand_under_their_type_or_as_they_are(client, code, metadata):
    content, = client.run(code).ok().contents("display_data")

    assert content["metadata"] == metadata
    assert content["data"]["text/html"] == "x"


@pytest.mark.parametrize("code, transient", [
    ("display('x')", {}), ("display('x', {transient: null})", {}), ("display('x', {id: 'a'})", {"display_id": "a"}), ("display('x', {id: 7})", {"display_id": "7"}),
    ("display('x', {transient: {kept: false}})", {"kept": False}),
    ("display('x', {id: 'a', transient: {kept: [1]}})", {"display_id": "a", "kept": [1]}),
    ("display.publish({'text/html': 'x'}, {transient: {display_id: 'b'}})", {"display_id": "b"}),
], ids=repr)
def test_transient_has_the_id_and_what_is_given(client, code, transient):
    content, = client.run(f"{code}; null").ok().contents("display_data")

    assert content["transient"] == transient


def test_publish_sends_a_finished_bundle(client):
    data = shown(client, "display.publish({'text/html': '<i>', 'application/vnd.x+json': [1], 'text/plain': 'i', "
                 "'text/latex': null})")

    assert data == {"text/html": "<i>", "application/vnd.x+json": [1], "text/plain": "i"}


def test_a_published_bundle_can_be_updated(client):
    run = client.run("const d = display.publish({'text/html': 1}, {id: 'p'}); d.update({'text/html': 2}, {raw: true});"
                     "display.publish({'text/html': 3}, {id: 'p', update: true}); d").ok()

    updates = run.contents("update_display_data")
    assert [update["data"]["text/html"] for update in updates] == ["2", "3"]
    assert {update["transient"]["display_id"] for update in updates} == {"p"}
    assert run.result == "DisplayHandle { id: 'p' }"


@pytest.mark.parametrize("code, text", [
    ("display.publish('text')", "TypeError: a bundle is an object"), ("display.publish()", "TypeError: a bundle is"),
    ("display.publish({'not a type': 1})", "TypeError: 'not a type' is no MIME type"),
    ("display(1, {id: ''})", "TypeError: the id of a display is a text that is not empty"),
    ("display(1, {transient: 'x'})", "TypeError: transient of display() must be a plain JSON object"),
    ("display(1, {transient: {a: 1n}})", "TypeError: transient of display() must be a plain JSON object"),
    ("display(1, {metadata: [1]})", "TypeError: metadata of display() must be a plain JSON object"),
    ("display(1, {metadata: {a: 'm'.repeat(7e7)}})", "RangeError: the metadata of display() has over 67108864 characters"),
    ("display(1, {id: 'x'.repeat(20000)})", "RangeError: id and transient of display() have over 16384 bytes"),
    ("display.update(undefined, 1)", "TypeError: display() with update needs the id"),
], ids=repr)
def test_displays_refuse_what_is_no_message(client, code, text):
    assert failure(client, code).startswith(text)


# Loops, timers, promises


def test_displays_in_a_loop_come_one_by_one(client):
    run = client.run("const bar = display.html('0', {id: 'bar'});"
                     "for (let i = 1; i <= 50; i++) { display.html(String(i), {id: bar.id, update: true}) }").ok()

    assert [u["data"]["text/html"] for u in run.contents("update_display_data")] == [str(i) for i in range(1, 51)]


def test_clear_with_wait_and_a_display_make_a_film(client):
    run = client.run("for (let i = 0; i < 3; i++) { display.clear({wait: true}); display.html(String(i)) }").ok()

    assert run.contents("clear_output") == [{"wait": True}] * 3
    assert [t for t in run.types if t in ("clear_output", "display_data")] == ["clear_output", "display_data"] * 3


@pytest.mark.parametrize("code", [
    "setTimeout(() => { late.update('done'); display.html('late') }, 30)",
    "(async () => { await new Promise((go) => setTimeout(go, 30)); late.update('done'); display.html('late') })()",
    "Promise.resolve().then(() => new Promise((go) => setTimeout(go, 30))).then(() => {"
    "late.update('done'); display.html('late') })",
    "let n = 0; const beat = setInterval(() => { if (++n == 3) { clearInterval(beat); late.update('done');"
    "display.html('late') } }, 10)",
], ids=repr)
def test_a_late_display_belongs_to_the_cell_that_started_it(client, code):
    first = client.run(f"const late = display('soon', {{id: 'late'}}); {code}; null").ok()
    second = client.run("await new Promise((go) => setTimeout(go, 150)); display.html('mine'); display.clear()").ok()

    started = Run(None, None, client.by_parent[first.request.msg_id])
    assert [c["data"].get("text/html") for c in started.contents("display_data")] == [None, "late"]
    assert [c["data"]["text/plain"] for c in started.contents("update_display_data")] == ["'done'"]
    assert [c["data"]["text/html"] for c in second.contents("display_data")] == ["mine"]


# Much


def test_what_is_too_large_is_left_out_with_a_note(client):
    data = shown(client, "display.html('x'.repeat(134300000))")

    assert data == {"text/plain": "<text/html>\n... (text/html of 134300000 bytes left out: over the limit of 134197248)"}


def test_long_texts_say_how_much_is_missing(client):
    assert "... 15000 more characters" in result(client, "'x'.repeat(25000)")["text/plain"]
    assert "... 900 more items" in result(client, "Array(1000).fill(0)")["text/plain"]


# Tables


@pytest.mark.parametrize("arguments", ["{columns: ['b']}", "['b'], {}", "{columns: ['b'], id: 't'}"])
def test_columns_of_a_table_may_stand_in_the_options(client, arguments):
    content, = client.run(f"display.table([{{a: 1, b: 2}}], {arguments}); null").ok().contents("display_data")

    assert re.findall(r"<th>(\w+|\(index\))</th>", content["data"]["text/html"]) == ["(index)", "b", "0"]
    assert content["transient"] == ({"display_id": "t"} if "id" in arguments else {})


def test_typescript_has_the_same_displays(start_kernel):
    client = start_kernel(language="typescript").client()

    run = client.run("interface Row { a: number }\nconst rows: Row[] = [{a: 1}];\ndisplay.table(rows);"
                     "class T { [Symbol.for('Jupyter.display')](): Record<string, unknown> { return {'text/html': 'T'} } }\n"
                     "display(new T());\n({$schema: 'https://vega.github.io/schema/vega-lite/v5.json'} as object)").ok()

    assert ["text/html" in c["data"] for c in run.contents("display_data")] == [True, True]
    assert VEGA_LITE in run.contents("execute_result")[0]["data"]


def test_ids_of_two_contexts_differ(start_kernel):
    client = start_kernel(language="javascript").client()

    ids = [client.run(code).ok().contents("display_data")[0]["transient"]["display_id"]
           for code in ["display(1, {id: true})", "display(1, {id: true})", "%%context other\ndisplay(1, {id: true})",
                        "%%ts\ndisplay(1, {id: true})"]]

    assert len(set(ids)) == 4


LONG = "'e'.repeat(2_000_000)"


@pytest.mark.parametrize("code, name, front", [
    (f"throw new TypeError({LONG})", "TypeError", "e"), (f"throw {LONG}", "Uncaught", "'e"),
    (f"const e = new Error('x'); e.name = {LONG}; throw e", "e" * 20, "x")], ids=["message", "text", "name"])
def test_long_errors_are_cut_and_say_so(client, code, name, front):
    error = client.run(code).content

    assert error["ename"].startswith(name) and error["evalue"].startswith(front)
    assert "more characters" in "\n".join(error["traceback"])
    assert len(error["evalue"]) < 110_000


def test_long_error_keeps_its_stack(client):
    error = client.run(f"function inner() {{ throw new Error({LONG}) }}\ninner()").content

    assert "inner (In[" in "\n".join(error["traceback"])


def test_late_long_error_is_told(client):
    run = client.run(f"Promise.reject(new RangeError({LONG})); await new Promise(r => setTimeout(r, 10))")

    assert "RangeError: ee" in run.stderr and "more characters)" in run.stderr


@pytest.mark.parametrize("code, found", [
    (r"display.json({a: 'x\ud83d', b: '\ud83d\ude00'})", {"a": "x\ufffd", "b": "\U0001f600"}),
    (r"display.publish({'application/json': {}}, {metadata: {'application/json': {a: '\udead'}}})", "\ufffd"),
    (r"display.publish({'application/json': {}}, {transient: {a: '\udead'}})", "\ufffd"),
], ids=["data", "metadata", "transient"])
def test_halves_of_pairs_do_not_reach_the_client(client, code, found):
    content, = client.run(code).ok().contents("display_data")

    assert found in (content["data"]["application/json"], content["metadata"].get("application/json", {}).get("a"),
                     content["transient"].get("a"))


def test_one_broken_form_costs_no_other(client):
    run = client.run(f"({{{METHOD}() {{ return {{'text/html': 'h', 'image/png': 'zz', 'text/plain': 't'}} }}}})").ok()

    assert run.contents("execute_result")[0]["data"] == {"text/html": "h", "text/plain": "t"}
    assert "image/png" in run.stderr
