# SPDX-License-Identifier: MIT
"""What inspect_request and `name?` tell about Python objects."""
import pytest

from support.build import scaled
from support.text import plain
from support.waiting import Stopwatch

pytestmark = pytest.mark.rows

SETUP = """
import os, functools
ran = []
def function(first, second='two', *rest, third=None, **more) -> int:
    '''Does things.

    More about it.'''
    return 1
class Thing:
    '''A thing.'''
    size = 5
    def __init__(self, size: int):
        '''Makes one.'''
    @property
    def costly(self):
        '''Costs a lot.'''
        ran.append('costly')
    def method(self, a, b=1):
        '''A method.'''
    def __getattr__(self, name): ran.append(name); raise AttributeError(name)
@functools.wraps(function)
def wrapped(*args): pass
thing = Thing(1)
number = 5
table = {'key': thing}
"""


def inspect(client, code, cursor=None, detail=0):
    """The text without its colours; None when nothing was found."""
    content = client.request("shell", "inspect_request", {
        "code": code, "cursor_pos": len(code) if cursor is None else cursor,
        "detail_level": detail}).content
    assert content["status"] == "ok"
    if not content["found"]:
        assert content["data"] == {}
        return None
    return plain([content["data"]["text/plain"]])


def labels(text):
    return [line.split(":")[0] for line in text.split("\n")
            if line.split(":")[0] in LABELS and ":" in line]


LABELS = ("Signature", "Init signature", "Call signature", "Type", "String form", "Length", "File",
          "Docstring", "Init docstring", "Source", "Subclasses")


@pytest.fixture
def ready(client):
    client.run(SETUP).ok()
    yield client
    assert client.run("ran").ok().result == "[]", "inspection ran code"


def test_function_has_signature_docstring_and_place(ready):
    text = inspect(ready, "function")

    assert labels(text) == ["Signature", "Docstring", "File", "Type"]
    assert "function(first, second='two', *rest, third=None, **more) -> int" in text
    assert "Does things.\n\nMore about it." in text
    assert "File:         Cell In[1]" in text
    assert "Type:         function" in text


def test_labels_are_red(ready):
    content = ready.request("shell", "inspect_request", {"code": "number", "cursor_pos": 6}).content

    assert "\x1b[31mType:\x1b[39m" in content["data"]["text/plain"]


def test_value_has_type_text_and_docstring_of_its_class(ready):
    text = inspect(ready, "number")

    assert labels(text) == ["Type", "String form", "Docstring"]
    assert "Type:         int\nString form:  5\nDocstring:" in text


def test_class(ready):
    text = inspect(ready, "Thing")

    assert labels(text) == ["Init signature", "Docstring", "Init docstring", "File", "Type"]
    assert "Init signature: Thing(size: int)" in text
    assert "A thing." in text and "Makes one." in text and "Cell In[1]" in text


def test_length_of_a_container(ready):
    assert "Length:       1" in inspect(ready, "table")


def test_source_comes_with_the_second_level(ready):
    text = inspect(ready, "function", detail=1)

    assert labels(text) == ["Signature", "Docstring", "Source", "File", "Type"]
    assert "Source:\ndef function(first, second='two'" in text and "    return 1\n" in text
    assert "class Thing" not in text
    assert "Source" not in labels(inspect(ready, "function"))


@pytest.mark.parametrize("code, wanted", [
    ("Thing", "class Thing:\n    '''A thing.'''"), ("thing.method", "    def method(self, a, b=1):"),
    ("os.path.join", "def join(a, *p):"), ("wrapped", "def function(first"),
    ("functools.partial", "class partial")], ids=repr)
def test_source_of_what_is_written_in_python(ready, code, wanted):
    assert f"Source:\n{wanted}" in inspect(ready, code, detail=1)


@pytest.mark.parametrize("code", ["len", "number", "int", "'text'.upper"])
def test_what_has_no_source_is_found_without(ready, code):
    text = inspect(ready, code, detail=1)

    assert "Source" not in labels(text) and "Docstring" in labels(text)


def test_redefined_class_shows_its_newest_source(client):
    client.run("class A:\n    old = 1").ok()
    client.run("class A:\n    new = 1\n    class B:\n        inner = 2").ok()

    assert "Source:\nclass A:\n    new = 1" in inspect(client, "A", detail=1)
    assert "Source:\n    class B:\n        inner = 2" in inspect(client, "A.B", detail=1)


@pytest.mark.parametrize("code, cursor, wanted", [
    ("function(number)", 3, "Does things"), ("function(number)", 8, "Does things"),
    ("function(number)", 9, "Type:         int"), ("function(number)", 15, "Does things"),
    ("function(number, ", 17, "Does things"), ("function(second=1)", 12, "Does things"),
    ("function(int(1), 2)", 17, "Does things"), ("thing.method(1)", 9, "A method"),
    ("thing.method(1)", 3, "A thing"), ("table['key'].method", 19, "A method"),
    ("x = number", 10, "Type:         int"), ("number ", 7, "Type:         int"),
    ("# 😀\nnumber", 10, "Type:         int"), ("if function", 11, "Does things"),
    ("function(\n    first=1,\n", 22, "Does things"), ("f'{number", 9, "Type:         int"),
    ("Thing(1)", 3, "Init signature")], ids=repr)
def test_cursor_says_what_is_meant(ready, code, cursor, wanted):
    assert wanted in inspect(ready, code, cursor)


@pytest.mark.parametrize("code", ["", "   ", "nothing_here", "if", "1 +", "thing.absent", "# number",
                                  "thing.costly.x", "()", "\ud800", "x = = ="], ids=repr)
def test_what_is_not_there_is_not_found(ready, code):
    assert inspect(ready, code) is None


def test_property_is_not_run(ready):
    assert inspect(ready, "thing.costly") is None
    assert "Costs a lot." in inspect(ready, "Thing.costly")


@pytest.mark.parametrize("body", [
    "def __repr__(self): raise ValueError", "def __repr__(self): return 5",
    "def __repr__(self): raise SystemExit", "def __len__(self): raise ValueError",
    "def __repr__(self):\n        import time; time.sleep(30)",
    "def __len__(self):\n        while True: pass",
    "@property\n    def __doc__(self): raise ValueError", "__doc__ = 5",
    "def __getattribute__(self, name): raise ValueError",
    "@property\n    def __class__(self): raise ValueError"],
    ids=["repr", "repr-number", "repr-exits", "len", "repr-sleeps", "len-spins", "doc", "doc-number",
         "getattribute", "class"])
def test_broken_object_is_found_with_what_is_known(client, body):
    client.run(f"class Odd:\n    {body}\nodd = Odd()").ok()

    with Stopwatch() as watch:
        text = inspect(client, "odd", detail=1)

    assert "Type:         Odd" in text and "Docstring:" in text
    assert watch.seconds < scaled(4)
    assert client.run("1").ok().result == "1"


def test_large_values_are_shown_in_part(client):
    client.run("big = {i: i for i in range(1_000_000)}\ntext = 'x' * 10_000_000\n"
               "deep = []\nfor _ in range(100_000): deep = [deep]").ok()

    with Stopwatch() as watch:
        assert "Length:       1000000" in inspect(client, "big")
        assert len(inspect(client, "text")) < 5000
        assert "Type:         list" in inspect(client, "deep")
    assert watch.seconds < scaled(5)


# Help in cells.


def pages(run):
    assert all(page["source"] == "page" and page["start"] == 0 for page in run.content["payload"])
    return [plain([page["data"]["text/plain"]]) for page in run.content["payload"]]


@pytest.mark.parametrize("code", ["function?", "?function", "function ?", "  function?", "function?;",
                                  "x = 1\nfunction?", "if True:\n    function?", "function?\r\n"],
                         ids=repr)
def test_question_mark_shows_a_page(ready, code):
    run = ready.run(code).ok()

    (page,) = pages(run)
    assert "Does things." in page and "Source" not in labels(page)
    assert run.types == ["execute_input"]


@pytest.mark.parametrize("code", ["function??", "??function"])
def test_two_question_marks_show_the_source(ready, code):
    (page,) = pages(ready.run(code).ok())

    assert "Source:\ndef function" in page


def test_cell_with_help_runs_as_a_whole(ready):
    run = ready.run("a = 1\nfunction?\nprint(a)\nnumber?\na + 1").ok()

    assert (run.stdout, run.result) == ("1\n", "2")
    assert len(pages(run)) == 2


def test_help_uses_what_the_cell_has_just_made(client):
    (page,) = pages(client.run("fresh = 12345\nfresh?").ok())

    assert "String form:  12345" in page


def test_help_on_nothing_says_so(client):
    run = client.run("nothing_here?").ok()

    assert run.stdout == "Object `nothing_here` not found.\n"
    assert run.content["payload"] == []


def test_names_can_be_searched(ready):
    (page,) = pages(ready.run("os.path.is*?").ok())

    assert "os.path.isdir" in page.split("\n")


@pytest.mark.parametrize("code", ["x = = 1?", "function? function?", "a ? b : c", "function?\nx = = 1",
                                  "'a?", "f(x)?"], ids=repr)
def test_what_is_no_help_is_still_a_syntax_error(ready, code):
    run = ready.run(code)

    assert (run.status, run.content["ename"]) == ("error", "SyntaxError")
    assert "_pandia" not in plain(run.content["traceback"])
    assert run.content["payload"] == []


def test_question_marks_in_python_stay_python(client):
    assert client.run("x = '''\nprint?\n'''\nx").ok().result == repr("\nprint?\n")


def test_help_prints_without_a_pager(client):
    run = client.run("help(len)").ok()

    assert "Help on built-in function len" in run.stdout
    assert run.content["payload"] == []


def test_interactive_help_asks_the_client(client):
    running = client.execute("help()", allow_stdin=True)
    asked = client.wait_asked(running)
    client.answer("q")

    assert asked.content["prompt"] == "help> "
    assert "Welcome to Python" in client.finish(running).ok().stdout
