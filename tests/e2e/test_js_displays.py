# SPDX-License-Identifier: MIT
"""Images and tables of JavaScript: pixels as PNG in results, display() and display.image, the global
ImageData, display.table."""
import base64
import html.parser

import pytest

from support import png
from support.contexts import create

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"
RICH = "rich"
PNG = "image/png"
# 3 x 2 RGBA, no two bytes equal.
PIXELS = bytes(range(7, 250, 10))[:24]
DATA = f"[{', '.join(map(str, PIXELS))}]"
CLAMPED = f"new Uint8ClampedArray({DATA})"


@pytest.fixture
def rich(client):
    create(client, RICH, language="javascript", rich=True)
    return lambda code: client.run(code, context=RICH).ok().contents("execute_result")[0]["data"]


def result(client, code):
    return client.run(code).ok().contents("execute_result")[0]["data"]


def shown(client, code):
    run = client.run(code).ok()
    assert run.result is None
    content, = run.contents("display_data")
    return content["data"]


def decoded(data):
    return png.decode(base64.b64decode(data[PNG], validate=True))


# Images in results


@pytest.mark.parametrize("code", [
    f"({{data: {CLAMPED}, width: 3, height: 2}})", f"({{data: {CLAMPED}, width: 3, height: 2, channels: 4}})",
    f"({{data: {CLAMPED}, width: 3, height: 2, colorSpace: 'srgb', more: 1}})",
    f"new ImageData({CLAMPED}, 3)", f"new ImageData({CLAMPED}, 3, 2)",
    f"const image = new ImageData(3, 2); image.data.set({DATA}); image",
    f"new (class Frame extends ImageData {{}})({CLAMPED}, 3)",
    f"class Shot {{ constructor(d) {{ this.data = d; this.width = 3; this.height = 2 }} }}; new Shot({CLAMPED})",
    f"Object.setPrototypeOf({{data: Object.setPrototypeOf({CLAMPED}, null), width: 3, height: 2}}, null)",
    f"const wide = new Uint8ClampedArray([1, 2, ...{DATA}, 3]); ({{data: wide.subarray(2, 26), width: 3, height: 2}})",
], ids=repr)
def test_rgba_in_a_clamped_array_is_an_image_everywhere(client, code):
    data = result(client, code)

    assert decoded(data) == (3, 2, 4, PIXELS)
    assert set(data) == {PNG, "text/plain"}


def test_the_text_stays_what_it_was(client):
    data = result(client, "({data: new Uint8ClampedArray(4), width: 1, height: 1})")

    assert data["text/plain"] == "{ data: Uint8ClampedArray(4) [ 0, 0, 0, 0 ], width: 1, height: 1 }"
    assert decoded(data) == (1, 1, 4, bytes(4))


@pytest.mark.parametrize("code, form", [
    (f"({{data: new Uint8Array({DATA}), width: 3, height: 2}})", (3, 2, 4)),
    (f"({{data: Buffer.from({DATA}), width: 3, height: 2}})", (3, 2, 4)),
    (f"({{data: {CLAMPED}, width: 4, height: 2}})", (4, 2, 3)),
    (f"({{data: {CLAMPED}, width: 4, height: 2, channels: 3}})", (4, 2, 3)),
    (f"({{data: {CLAMPED}, width: 12, height: 1}})", (12, 1, 2)),
    (f"({{data: new Uint8Array({DATA}), width: 6, height: 4}})", (6, 4, 1)),
    (f"({{data: {CLAMPED}.buffer, width: 24, height: 1, channels: 1}})", (24, 1, 1)),
], ids=repr)
def test_other_pixels_are_images_in_rich_contexts_only(client, rich, code, form):
    assert decoded(rich(code)) == (*form, PIXELS)
    assert list(result(client, code)) == ["text/plain"]


@pytest.mark.parametrize("code", [
    f"({{data: {CLAMPED}, width: 3, height: 3}})", f"({{data: {CLAMPED}, width: 3}})",
    f"({{data: {CLAMPED}, width: 3, height: 2, channels: 3}})", f"({{data: {CLAMPED}, width: '3', height: 2}})",
    f"({{data: {CLAMPED}, width: 1.5, height: 4}})", f"({{data: {CLAMPED}, width: -3, height: -2}})",
    "({data: new Uint8ClampedArray(0), width: 0, height: 0})", "({data: null, width: 1, height: 1})",
    f"({{data: {DATA}, width: 3, height: 2}})",
    f"({{data: new Float32Array({DATA}), width: 3, height: 2}})", f"({{data: new Int8Array(24), width: 3, height: 2}})",
    "({data: new DataView(new ArrayBuffer(24)), width: 3, height: 2})",
    f"({{data: Object.setPrototypeOf(new Int16Array({DATA}), Uint8ClampedArray.prototype), width: 3, height: 2}})",
    f"({{data: new Uint16Array({DATA}), width: 12, height: 4}})",
    f"({{data: {{__proto__: {CLAMPED}, length: 24}}, width: 3, height: 2}})",
    f"({{get data() {{ throw new Error('ran') }}, width: 3, height: 2}})",
    f"({{data: {CLAMPED}, get width() {{ throw new Error('ran') }}, height: 2}})",
    f"Object.create({{data: {CLAMPED}, width: 3, height: 2}})", CLAMPED,
    f"new Proxy({{data: {CLAMPED}, width: 3, height: 2}}, {{getOwnPropertyDescriptor() {{ throw new Error('ran') }}}})",
    f"({{data: new Proxy({CLAMPED}, {{get() {{ throw new Error('ran') }}}}), width: 3, height: 2}})",
    f"const i = new ImageData({CLAMPED}, 3); i.data.buffer.transfer(); i", "Object.create(ImageData.prototype)",
    "ImageData.prototype", "ImageData",
], ids=repr)
def test_what_only_looks_like_an_image_has_no_png(rich, code):
    data = rich(code)

    assert PNG not in data
    assert data["text/plain"]


WIDE = "new Uint16Array([0, 1, 256, 4660, 65535, 51966])"
WIDE_PIXELS = bytes.fromhex("0000 0001 0100 1234 ffff cafe")


@pytest.mark.parametrize("size, form", [("width: 6, height: 1", (6, 1, 1)), ("width: 3, height: 1", (3, 1, 2)),
                                        ("width: 1, height: 2", (1, 2, 3)), ("width: 3, height: 2", (3, 2, 1))])
def test_sixteen_bits_a_sample_are_kept(client, rich, size, form):
    assert decoded(shown(client, f"display.image({WIDE}, {{{size}}})")) == (*form, WIDE_PIXELS)
    assert decoded(rich(f"({{data: {WIDE}, {size}}})")) == (*form, WIDE_PIXELS)
    assert list(result(client, f"({{data: {WIDE}, {size}}})")) == ["text/plain"]


def test_a_part_of_sixteen_bit_samples_is_an_image_too(client):
    assert decoded(shown(client, f"display.image({WIDE}.subarray(2, 5), {{width: 1, height: 1}})")) == (
        1, 1, 3, WIDE_PIXELS[4:10])


def test_a_display_method_comes_before_pixels(client):
    data = result(client, f"({{data: {CLAMPED}, width: 3, height: 2, "
                  "[Symbol.for('Jupyter.display')]() { return {'text/html': '<i>'} }})")

    assert data["text/html"] == "<i>" and PNG not in data


def test_display_shows_images_and_updates_them(client):
    run = client.run(f"const i = new ImageData({CLAMPED}, 3); const d = display(i, {{id: 'i', "
                     "metadata: {width: 30}}); i.data[0] = 255; d.update(i)").ok()

    first, = run.contents("display_data")
    second, = run.contents("update_display_data")
    assert decoded(first["data"]) == (3, 2, 4, PIXELS)
    assert first["metadata"] == {PNG: {"width": 30}}
    assert decoded(second["data"]) == (3, 2, 4, b"\xff" + PIXELS[1:])


def test_an_image_that_is_too_large_keeps_its_text(client):
    run = client.run("({data: new Uint8ClampedArray(4 * 70000), width: 70000, height: 1})").ok()

    assert list(run.contents("execute_result")[0]["data"]) == ["text/plain"]
    assert run.stderr == "There is no PNG of this value: an image of 70000 x 1 is over the limit of 65536 a side\n"


def test_larger_images_keep_every_pixel(client):
    data = result(client, "const big = new ImageData(257, 130); for (let i = 0; i < big.data.length; i++)"
                  "big.data[i] = i * 37 + (i >> 8); big")

    assert decoded(data) == (257, 130, 4, bytes((i * 37 + (i >> 8)) if (i * 37 + (i >> 8)) < 255 else 255
                                                for i in range(257 * 130 * 4)))


# display.image


@pytest.mark.parametrize("code, form", [
    (f"display.image({CLAMPED}, {{width: 3, height: 2}})", (3, 2, 4)),
    (f"display.image(new Uint8Array({DATA}), {{width: 4, height: 2}})", (4, 2, 3)),
    (f"display.image(Buffer.from({DATA}), {{width: 4, height: 2, channels: 3}})", (4, 2, 3)),
    (f"display.image({CLAMPED}.buffer, {{width: 6, height: 4, channels: 1}})", (6, 4, 1)),
    (f"display.image({CLAMPED}, {{width: 6, height: 2}})", (6, 2, 2)),
    (f"display.image({{data: Buffer.from({DATA}), width: 3, height: 2, gamma: 0}})", (3, 2, 4)),
    (f"display.image({{data: {CLAMPED}, width: 3, height: 2}}, {{width: 2, height: 3}})", (2, 3, 4)),
    (f"display.image(new ImageData({CLAMPED}, 3))", (3, 2, 4)),
], ids=repr)
def test_display_image_sends(client, code, form):
    data = shown(client, code)

    assert decoded(data) == (*form, PIXELS)
    assert data["text/plain"] == f"<image/png {form[0]} x {form[1]}>"


def test_display_image_takes_the_options_of_display(client):
    run = client.run(f"const d = display.image({CLAMPED}, {{width: 3, height: 2, id: 'pic', metadata: {{width: 9}}}});"
                     f"display.image({CLAMPED}, {{width: 6, height: 1, id: d.id, update: true}})").ok()

    first, = run.contents("display_data")
    second, = run.contents("update_display_data")
    assert first["transient"] == second["transient"] == {"display_id": "pic"}
    assert first["metadata"] == {PNG: {"width": 9}}
    assert decoded(second["data"]) == (6, 1, 4, PIXELS)


@pytest.mark.parametrize("code, name, text", [
    (f"display.image({CLAMPED}, {{width: 3, height: 3, channels: 4}})", "RangeError",
     "an image of 3 x 3 with 4 channels has 36 bytes, but the data have 24"),
    (f"display.image({CLAMPED}, {{width: 5, height: 1}})", "RangeError",
     "an image of 5 x 1 has 5, 10, 15 or 20 bytes, but the data have 24"),
    ("display.image(new Uint16Array(24), {width: 5, height: 1})", "RangeError",
     "an image of 5 x 1 has 5, 10, 15 or 20 numbers, but the data have 24"),
    ("display.image(new Uint8Array(0), {width: 1, height: 1, channels: 1})", "RangeError", "has 1 bytes, but the data have 0"),
    (f"display.image(new ImageData({CLAMPED}, 3), {{height: 3}})", "RangeError", "36 bytes, but the data have 24"),
    (f"display.image({CLAMPED}, {{width: 0, height: 2}})", "RangeError", "not 0 and 2"),
    (f"display.image({CLAMPED}, {{width: '3', height: 2}})", "RangeError", "not '3' and 2"),
    (f"display.image({CLAMPED}, {{width: 3, height: 2, channels: 5}})", "RangeError", "not 5"),
    ("display.image(new Uint8Array(65537), {width: 65537, height: 1})", "RangeError", "65536 a side"),
    ("display.image(new Uint8Array(6400 * 6251), {width: 6400, height: 6251})", "RangeError", "40000000 pixels"),
    (f"display.image({CLAMPED})", "TypeError", "needs the width and the height"),
    (f"display.image({CLAMPED}, {{width: 3}})", "TypeError", "needs the width and the height"),
    (f"display.image({DATA}, {{width: 3, height: 2}})", "TypeError", "needs a Uint8ClampedArray"),
    ("display.image()", "TypeError", "needs a Uint8ClampedArray"),
    ("display.image('x')", "TypeError", "needs a Uint8ClampedArray"),
    ("display.image(new Float32Array(24), {width: 3, height: 2})", "TypeError", "needs a Uint8ClampedArray"),
    (f"display.image(new Proxy({{data: {CLAMPED}, width: 3, height: 2}}, {{}}))", "TypeError", "needs a Uint8ClampedArray"),
    (f"display.image({CLAMPED}, {{width: 3, height: 2, metadata: 5}})", "TypeError", "metadata"),
], ids=repr)
def test_display_image_refuses(client, code, name, text):
    run = client.run(code)

    assert run.content["ename"] == name
    assert text in run.content["evalue"]
    assert run.contents("display_data") == []


# ImageData, by the HTML standard


@pytest.mark.parametrize("code, text", [
    ("const i = new ImageData(2, 3); [i.width, i.height, i.data.length, i.colorSpace, i.data.constructor.name]",
     "[ 2, 3, 24, 'srgb', 'Uint8ClampedArray' ]"),
    ("const d = new Uint8ClampedArray(24); const i = new ImageData(d, 3); [i.height, i.data === d]", "[ 2, true ]"),
    ("new ImageData(1, 1)", "ImageData {\n  data: Uint8ClampedArray(4) [ 0, 0, 0, 0 ],\n  width: 1,\n  height: 1,\n"
     "  colorSpace: 'srgb'\n}"),
    ("new ImageData('2', 1.9, {colorSpace: 'srgb'}).data.length", "8"), ("ImageData.length", "2"),
    ("const i = new ImageData(1, 1); i.width = 5; i.width", "1"), ("String(new ImageData(1, 1))", "'[object ImageData]'"),
    ("Object.getOwnPropertyDescriptor(globalThis, 'ImageData').enumerable", "false"),
    ("class Mine extends ImageData {}; new Mine(1, 2) instanceof ImageData", "true"),
    ("Object.keys(ImageData.prototype)", "[ 'data', 'width', 'height', 'colorSpace' ]"),
], ids=repr)
def test_image_data_is_as_in_browsers(client, code, text):
    assert client.run(code).ok().result == text


@pytest.mark.parametrize("code, name", [
    ("new ImageData(0, 1)", "IndexSizeError"), ("new ImageData(1, 0)", "IndexSizeError"),
    ("new ImageData(1)", "TypeError"), ("new ImageData()", "TypeError"), ("ImageData(1, 1)", "TypeError"),
    ("new ImageData(new Uint8ClampedArray(5), 1)", "InvalidStateError"),
    ("new ImageData(new Uint8ClampedArray(0), 1)", "InvalidStateError"),
    ("new ImageData(new Uint8ClampedArray(8), 3)", "IndexSizeError"),
    ("new ImageData(new Uint8ClampedArray(8), 0)", "IndexSizeError"),
    ("new ImageData(new Uint8ClampedArray(8), 1, 1)", "IndexSizeError"),
    ("new ImageData(new Uint8Array(4), 1)", "TypeError"), ("new ImageData([0, 0, 0, 0], 1)", "TypeError"),
    ("new ImageData(1, 1, {colorSpace: 'lab'})", "TypeError"), ("new ImageData(2 ** 31, 2 ** 31)", "RangeError"),
    ("ImageData.prototype.width", "TypeError"),
], ids=repr)
def test_image_data_refuses(client, code, name):
    assert client.run(f"let n; try {{ {code} }} catch (e) {{ n = e.name }} n").ok().result == f"'{name}'"


# display.table


class Table(html.parser.HTMLParser):
    """The cells of the one table in `text`, head and body apart; anything unexpected is a failure."""

    TAGS = {"table", "thead", "tbody", "tr", "th", "td", "p"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.rows = {"thead": [], "tbody": []}
        self.open = []
        self.note = None
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in self.TAGS
        self.open.append(tag)
        if tag == "tr":
            self.rows[self.open[1]].append([])
        elif tag in ("th", "td"):
            self.rows[self.open[1]][-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] in (["th"], ["td"]):
            self.rows[self.open[1]][-1][-1] += data
        elif self.open == ["p"]:
            self.note = data
        else:
            assert data.strip() == ""

    @property
    def head(self):
        assert len(self.rows["thead"]) == 1
        return self.rows["thead"][0]

    @property
    def body(self):
        return self.rows["tbody"]


@pytest.mark.parametrize("rows, columns, head, body", [
    ("[{a: 1, b: 'x'}, {a: 2, c: null}]", "", ["(index)", "a", "b", "c"],
     [["0", "1", "x", ""], ["1", "2", "", "null"]]),
    ("[[1, 2], [3]]", "", ["(index)", "0", "1"], [["0", "1", "2"], ["1", "3", ""]]),
    ("({first: {n: 1}, second: {n: 2n}})", "", ["(index)", "n"], [["first", "1"], ["second", "2n"]]),
    ("new Map([['k', {x: 1}], [2, 'v']])", "", ["(iteration index)", "Key", "Values"],
     [["0", "k", "{ x: 1 }"], ["1", "2", "v"]]),
    ("new Set([{a: 1}, 5])", "", ["(iteration index)", "a", "Values"], [["0", "1", ""], ["1", "", "5"]]),
    ("[1, 'two', undefined]", "", ["(index)", "Values"], [["0", "1"], ["1", "two"], ["2", "undefined"]]),
    ("[{a: 1, b: 2}]", ", ['b', 'none']", ["(index)", "b", "none"], [["0", "2", ""]]),
    ("[]", "", ["(index)"], []), ("[{}]", "", ["(index)"], [["0"]]),
    ("[{'<b>': '<script>alert(\"&\\'1\\')</script>'}]", "", ["(index)", "<b>"],
     [["0", "<script>alert(\"&'1')</script>"]]),
    ("({'</th><script>': {x: {y: '</td>'}}})", "", ["(index)", "x"], [["</th><script>", "{ y: '</td>' }"]]),
], ids=repr)
def test_display_table_has_html_and_the_text_of_console_table(client, rows, columns, head, body):
    run = client.run(f"display.table({rows}{columns}); console.table({rows}{columns})").ok()

    data = run.contents("display_data")[0]["data"]
    table = Table(data["text/html"])
    assert (table.head, table.body, table.note) == (head, body, None)
    assert data["text/plain"] + "\n" == run.stdout
    assert set(data) == {"text/html", "text/plain"}


def test_display_table_escapes_all_that_html_knows(client):
    data = shown(client, "display.table([{'a&\"b': `<script>alert('x')</script>`}])")

    assert "<th>a&amp;&quot;b</th>" in data["text/html"]
    assert "<td>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</td>" in data["text/html"]
    assert data["text/html"].startswith('<table border="1" class="dataframe">\n  <thead>\n')


@pytest.mark.parametrize("rows, count, columns, note", [
    ("Array.from({length: 1000}, (_, i) => ({i}))", 200, 2, "... 800 more rows"),
    ("Array.from({length: 201}, (_, i) => [i])", 200, 2, "... 1 more row"),
    ("[Object.fromEntries(Array.from({length: 53}, (_, i) => ['c' + i, i]))]", 1, 51, "... 3 more columns"),
    ("Array.from({length: 300}, () => Array(51).fill(0))", 200, 51, "... 100 more rows, 1 more column"),
    ("new Map(Array.from({length: 250}, (_, i) => [i, i]))", 200, 3, "... 50 more rows"),
    ("new Set(Array.from({length: 250}, (_, i) => i))", 200, 2, "... 50 more rows"),
    ("Array.from({length: 200}, () => Array(50).fill(0))", 200, 51, None),
])
def test_display_table_says_what_it_leaves_out(client, rows, count, columns, note):
    data = shown(client, f"display.table({rows})")

    table = Table(data["text/html"])
    lines = data["text/plain"].split("\n")
    assert (len(table.body), len(table.head), table.note) == (count, columns, note)
    assert len(lines) == 4 + count + (note is not None)
    assert note is None or lines[-1] == note


def test_display_table_cuts_long_cells(client):
    data = shown(client, "display.table(['x'.repeat(5000)])")

    assert Table(data["text/html"]).body == [["0", "x" * 1000 + "..."]]
    assert max(map(len, data["text/plain"].split("\n"))) < 1100


def test_display_table_can_be_updated(client):
    run = client.run("const t = display.table([{a: 1}], undefined, {id: 't'});"
                     "display.table([{a: 2}], ['a'], {id: t.id, update: true})").ok()

    assert run.contents("display_data")[0]["transient"] == {"display_id": "t"}
    assert Table(run.contents("update_display_data")[0]["data"]["text/html"]).body == [["0", "2"]]


@pytest.mark.parametrize("code, text", [
    ("display.table(5)", "needs rows"), ("display.table()", "needs rows"), ("display.table(null)", "needs rows"),
    ("display.table('text')", "needs rows"), ("display.table([], 'a')", "array of names"),
])
def test_display_table_refuses(client, code, text):
    run = client.run(code)

    assert run.content["ename"] == "TypeError"
    assert text in run.content["evalue"]


# Help


@pytest.mark.parametrize("code, match", [("display.ima", "image"), ("display.tab", "table"), ("ImageD", "ImageData"),
                                         ("new ImageData(1, 1).colorS", "colorSpace")])
def test_completion_knows_them(client, code, match):
    reply = client.request("shell", "complete_request", {"code": code, "cursor_pos": len(code)})

    assert reply.content["matches"] == [match]


@pytest.mark.parametrize("code, text", [
    ("display.image", "Signature: display.image("), ("display.table", "Signature: display.table("),
    ("ImageData", "class")])
def test_inspection_knows_them(client, code, text):
    reply = client.request("shell", "inspect_request", {"code": code, "cursor_pos": len(code), "detail_level": 0})

    assert reply.content["found"] and text in reply.content["data"]["text/plain"]


@pytest.mark.parametrize("option", ["id", "display_id"])
def test_display_has_an_id_by_either_name(client, option):
    run = client.run(f"const h{option} = display(1, {{{option}: 'named'}}); h{option}.update(2)").ok()

    assert [m.content["transient"] for m in run.messages if m.type.endswith("display_data")] == [
        {"display_id": "named"}] * 2


@pytest.mark.parametrize("value", ["undefined", "5", "({width: 2})"])
def test_picture_of_neither_bytes_nor_text_is_refused(client, value):
    error = client.run(f"display.png({value})").content

    assert error["ename"] == "TypeError"
    assert "image/png: bytes or a text of base64 are needed, not " in error["evalue"]
