# SPDX-License-Identifier: MIT
"""Completion, inspection, help and is_complete in JavaScript and TypeScript contexts."""
import pytest

from support.text import stable

pytestmark = pytest.mark.rows

LANGUAGE = "javascript"

SETUP = """
/** Adds numbers.
 * @param a the first */
function add(a, b = 2, ...rest) { return a + b }
let shop = {apple: {price: 1, get danger() { throw new Error('ran') }}, 'two words': 2, list: [1]};
class Point {
    /** How far it is. */
    distance(other) { return 0 }
    static origin() {}
    #hidden = 1;
}
const point = new Point(), word = 'text', trap = new Proxy({seen: 1}, {
    get() { throw new Error('ran') }, ownKeys() { throw new Error('ran') },
    getPrototypeOf() { throw new Error('ran') }, getOwnPropertyDescriptor() { throw 'ran' }});
"""


@pytest.fixture
def shop(client):
    client.run(SETUP).ok()
    return client


def complete(client, code, cursor=None):
    cursor = len(code) if cursor is None else cursor
    return client.request("shell", "complete_request", {"code": code, "cursor_pos": cursor}).content


def inspect(client, code, detail=0, cursor=None):
    cursor = len(code) if cursor is None else cursor
    content = client.request("shell", "inspect_request", {
        "code": code, "cursor_pos": cursor, "detail_level": detail}).content
    return content["data"]["text/plain"] if content["found"] else None


@pytest.mark.parametrize("code, expected", [
    ("shop.", {"apple", "list", "hasOwnProperty"}), ("shop.ap", {"apple"}),
    ("shop.apple.", {"price", "danger"}), ("shop?.ap", {"apple"}), ("shop['", {"two words"}),
    ('shop["tw', {"two words"}), ("shop . apple . pr", {"price"}), ("shop['apple'].pr", {"price"}),
    ("'abc'.padS", {"padStart"}), ("`a${1}b`.padS", {"padStart"}), ("[1, 2].fla", {"flat", "flatMap"}),
    ("/a[/]b/.tes", {"test"}), ("5..toFi", {"toFixed"}), ("word.padS", {"padStart"}),
    ("(word).padS", {"padStart"}), ("shop.list[0].toFi", {"toFixed"}), ("point.dist", {"distance"}),
    ("Point.ori", {"origin"}), ("Point.prototype.dist", {"distance"}),
    ("new Map().getO", {"getOrInsert", "getOrInsertComputed"}), ("new Point(1, [2]).dist", {"distance"}),
    ("ad", {"add"}), ("conso", {"console"}), ("console.tab", {"table"}), ("awai", {"await"}),
    ("func", {"function"}), ("x = shop.ap", {"apple"}), ("add(shop.ap", {"apple"}),
    ("`${shop.ap", {"apple"}), ("let zebra = 1; zeb", {"zebra"}), ("function later() {}\nlat", {"later"}),
    ("this.sho", {"shop"}), ("globalThis.sho", {"shop"}), ("trap.se", {"seen"}), ("Math.ma", {"max"}),
    ("if (word.padS", {"padStart"}), ("return_ = 1 / word.padS", {"padStart"}),
    ("𝕏é = shop.ap", {"apple"}), ("require('fs/", {"fs/promises"}), ("import * as p from 'pat", {"path"}),
    ("await import('node:o", {"node:os"}), ("import 'ev", {"events"}), ("// it's\nshop.ap", {"apple"}),
], ids=stable)
def test_completion_offers(shop, code, expected):
    reply = complete(shop, code)

    assert expected <= set(reply["matches"])
    typed = code[reply["cursor_start"]:reply["cursor_end"]]
    assert reply["cursor_end"] == len(code)
    assert all(match.startswith(typed) for match in reply["matches"])


@pytest.mark.parametrize("code", [
    "shop.apple.danger.", "add(1).", "unknown.", "shop.nothing.", "1.", "// shop.", "/* shop.",
    "`shop.ap", "shop.apple.price.nothing", ")).", "}.", "].", "trap.x.y.", "'unfinished.",
], ids=repr)
def test_completion_offers_nothing_where_nothing_is_known(shop, code):
    assert complete(shop, code)["matches"] == []


def test_completion_runs_no_code_of_the_user(shop):
    """Neither getters nor traps; `danger` and the proxy throw when they are touched."""
    shop.run("""let touched = 0;
        const spy = new Proxy({}, {get(_, name) { touched++; throw name }});
        const watched = new Proxy({a: 1}, spy);
        Object.defineProperty(globalThis, 'lazy', {get() { touched++; return {} }});
        class Base { get x() { touched++; return 1 } static get y() { touched++; return 2 } }
        const derived = new Base(), nested = {a: [{b: Object.create(watched)}]};
        const tagged = {inner: {get [Symbol.toStringTag]() { touched++; return 'x' }}};
        const named = new (class { static get name() { touched++; return 'y' } });
        Object.setPrototypeOf(shop.apple, watched); 0""").ok()

    for code in ["watched.", "watched.a.", "lazy.", "laz", "derived.x.", "Base.y.", "shop.apple.",
                 "nested.", "tagged.", "named.", "tagged.inner."]:
        complete(shop, code)
        inspect(shop, code[:-1])

    assert shop.run("touched").ok().result == "0"


def test_completion_in_the_middle_of_a_text(shop):
    reply = complete(shop, "f(shop.ap, 1)", cursor=9)

    assert (reply["matches"], reply["cursor_start"], reply["cursor_end"]) == (["apple"], 7, 9)


def test_completion_tells_types(shop):
    kinds = {row["text"]: row["type"] for code in ("a", "P", "sho", "wor", "awai", "require('f")
             for row in complete(shop, code)["metadata"]["_jupyter_types_experimental"]}

    assert kinds["add"] == "function" and kinds["Point"] == "class" and kinds["fs"] == "module"
    assert kinds["shop"] == "instance" and kinds["await"] == "keyword"


def test_completion_of_packages_and_paths(client, tmp_path):
    for name in ("leftpad", "@scope/inner"):
        (tmp_path / "node_modules" / name).mkdir(parents=True)
    (tmp_path / "data files").mkdir()
    (tmp_path / "data.csv").write_text("")
    assert client.control("create_context_request", context_id="there", language="javascript",
                          cwd=str(tmp_path)).status == "ok"

    def there(code):
        return client.request("shell", "complete_request", {"code": code},
                              metadata={"context": "there"}).content["matches"]

    assert there("require('left") == ["leftpad"]
    assert there("require('@sc") == ["@scope/inner"]
    assert there("open('da") == ["data files/", "data.csv"]
    assert there("x = './da") == ["./data files/", "./data.csv"]
    assert there(f"'{tmp_path}/dat") == [f"{tmp_path}/data files/", f"{tmp_path}/data.csv"]


def test_completion_of_a_million_elements_is_quick(client):
    client.run("const big = Array.from({length: 1e6}, (_, i) => i); big.extra = 1;"
               "const many = Object.fromEntries(big.slice(0, 1e5).map(i => ['k' + i, i]))").ok()

    assert "extra" in complete(client, "big.")["matches"]
    assert complete(client, "many.k9999")["matches"][:2] == ["k9999", "k99990"]


def test_completion_survives_meddling(shop):
    shop.run("Array.prototype[Symbol.iterator] = Array.prototype.map = Array.prototype.push = "
             "String.prototype.startsWith = JSON.parse = JSON.stringify = Reflect.ownKeys = "
             "Object.getOwnPropertyDescriptor = Object.getPrototypeOf = () => { throw 'meddled' };"
             "Object.prototype.toJSON = () => 'meddled'").ok()

    assert complete(shop, "shop.ap")["matches"] == ["apple"]
    assert inspect(shop, "add").startswith("Signature: add(")


def test_inspection_of_a_function(shop):
    assert inspect(shop, "add") == ("Signature: add(a, b = 2, ...rest)\nType: function\n"
                                    "Documentation:\nAdds numbers.\n@param a the first")


def test_inspection_shows_the_source_at_level_one(shop):
    assert inspect(shop, "add", detail=1).endswith(
        "Source: function add(a, b = 2, ...rest) { return a + b }")


@pytest.mark.parametrize("code, cursor, text", [
    ("add(1, ", None, "Signature: add(a, b"), ("add(1, [2, word.len", 7, "Signature: add(a, b"),
    ("Point", None, "Type: class"), ("point.distance", None, "Documentation: How far it is."),
    ("Math.max", None, "Signature: Math.max(arg1, arg2)"), ("word", None, "Value: 'text'"),
    ("shop", None, "danger: [Getter]"), ("shop.apple.danger", None, "Type: accessor"),
    ("trap", None, "Proxy"), ("new Uint8Array([1])", 8, "Type: class"), ("shop.apple.price", 6, "Type: Object"), ("word", 0, "Value: 'text'"),
], ids=repr)
def test_inspection_tells(shop, code, cursor, text):
    assert text in inspect(shop, code, cursor=cursor)


@pytest.mark.parametrize("code", ["unknown", "", "shop.nothing", "1 + 1", "unknown(", "((("], ids=repr)
def test_inspection_of_nothing_is_not_found(shop, code):
    assert inspect(shop, code) is None


@pytest.mark.parametrize("code", ["add?", "?add", "  add ?\n"])
def test_help_is_a_page(shop, code):
    run = shop.run(code).ok()

    assert [payload["source"] for payload in run.content["payload"]] == ["page"]
    assert "Adds numbers." in run.content["payload"][0]["data"]["text/plain"]
    assert "Source" not in run.content["payload"][0]["data"]["text/plain"]


def test_help_with_two_marks_has_the_source(shop):
    assert "return a + b" in shop.run("add??").ok().content["payload"][0]["data"]["text/plain"]


def test_a_question_mark_in_a_cell_is_no_help(shop):
    assert shop.run("true ? 1 : 2").ok().result == "1"
    assert shop.run("shop?.list").ok().result == "[ 1 ]"
    assert shop.run("'?'").ok().result == "'?'"


# (code, status, indent)
COMPLETENESS = [
    ("1", "complete", None), ("", "complete", None), ("let x = 1", "complete", None),
    ("function f() {", "incomplete", "  "), ("if (a) {\n  b(", "incomplete", "    "),
    ("[1,", "incomplete", ""), ("`abc", "incomplete", ""), ("/* abc", "incomplete", ""),
    ("f(1", "incomplete", ""), ("x = {", "incomplete", "  "), ("try { 1 }", "incomplete", ""),
    ("a +", "incomplete", ""), ("x.", "incomplete", ""), ("await f()", "complete", None),
    ("{a: 1}", "complete", None), ("import x from 'y'", "complete", None),
    ("let = = 1", "invalid", None), ("function 5() {}", "invalid", None), ("x ==== y", "invalid", None),
    ("}", "invalid", None), ("for (;;", "incomplete", ""), ("'abc", "invalid", None),
    ("class A { m() {", "incomplete", "  "), ("() =>", "incomplete", ""), ("if (a)", "incomplete", ""),
    ("else", "invalid", None), ("do { x } while", "incomplete", ""), ("x => {\n  1\n}", "complete", None),
]


@pytest.mark.parametrize("code, status, indent", COMPLETENESS, ids=repr)
def test_is_complete(client, code, status, indent):
    content = client.request("shell", "is_complete_request", {"code": code}).content

    assert (content["status"], content.get("indent")) == (status, indent)


@pytest.mark.parametrize("code, status", [
    ("let x: number = 1", "complete"), ("interface A {", "incomplete"), ("enum E { A", "incomplete"),
    ("let x: = 1", "invalid"), ("function f(a: string", "incomplete"), ("type T = {a: 1}", "complete"),
    ("const f = <T>(x: T): T => x", "complete"), ("let x: Map<string, ", "incomplete"),
], ids=repr)
def test_is_complete_knows_typescript(start_kernel, code, status):
    client = start_kernel(language="typescript").client()

    assert client.request("shell", "is_complete_request", {"code": code}).content["status"] == status


def test_typescript_completes_and_inspects(start_kernel):
    client = start_kernel(language="typescript").client()
    client.run("/** Greets. */\nfunction greet(name: string, times: number = 1): string "
               "{ return name }\nenum Colour { Red, Green }\nconst box: {lid: number} = {lid: 1}").ok()

    assert complete(client, "box.li")["matches"] == ["lid"]
    assert {"Red", "Green"} <= set(complete(client, "Colour.")["matches"])
    assert "interface" in complete(client, "interf")["matches"]
    assert "Documentation: Greets." in inspect(client, "greet(")
