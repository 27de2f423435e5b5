# SPDX-License-Identifier: MIT
"""What completion offers in Python, and what it must never do for it: run properties, calls or
__getattr__, import anything, or keep anybody waiting."""
import pytest

from support.build import scaled
from support.text import stable
from support.waiting import Stopwatch, wait_until

pytestmark = pytest.mark.rows

SETUP = """
import os, collections, enum, functools
ran = []
class Point:
    '''A point.'''
    kind = 'point'
    __slots__ = ('x', '__dict__')
    def __init__(self): self.x = 1; self.label = 'a'; self._private = 1
    @property
    def area(self): ran.append('area'); raise ValueError
    @property
    def twin(self) -> 'Point': ran.append('twin')
    @functools.cached_property
    def cached(self): ran.append('cached')
    def move(self, dx, dy=0, *, quick=False) -> 'Point': ran.append('move')
    @classmethod
    def origin(cls): ran.append('origin')
    def __getattr__(self, name): ran.append(name); raise AttributeError(name)
class Color(enum.Enum):
    RED = 1
point = Point()
points = [point, {'deep': (1, point)}]
table = {'alpha': point, "it's": 2, 'beta "b"': 3, b'bytes': 4, 5: 6, 'ünï': 7}
counts = collections.defaultdict(list, word=[1])
variable_long = variable_short = 1
naïve = 1
def function(first, second=2, *rest, third, **more): ran.append('function')
"""


def complete(client, code, cursor=None):
    cursor = len(code) if cursor is None else cursor
    content = client.request("shell", "complete_request",
                             {"code": code, "cursor_pos": cursor}).content
    assert content["status"] == "ok" and content["cursor_end"] == cursor
    described = content["metadata"].get("_jupyter_types_experimental", [])
    assert [each["text"] for each in described] == content["matches"]
    return content


def matches(client, code, cursor=None):
    """What the completed word would be."""
    content = complete(client, code, cursor)
    return content["matches"]


@pytest.fixture
def ready(client):
    client.run(SETUP).ok()
    yield client
    assert client.run("ran").ok().result == "[]", "completion ran code"


PUBLIC = {"kind", "x", "label", "area", "twin", "cached", "move", "origin"}


@pytest.mark.parametrize("code, wanted", [
    ("point.", PUBLIC), ("point.l", {"label"}), ("point._p", {"_private"}), ("Point.or", {"origin"}),
    ("points[0].la", {"label"}), ("points[1]['deep'][-1].la", {"label"}),
    ("table['alpha'].la", {"label"}), ("point.move(1)[0].", set()), ("Point().", PUBLIC - {"label"}),
    ("point.twin.mov", {"move"}), ("point.move(1, (2, 3)).mov", {"move"}), ("point.area.", set()),
    ("point.nothing.", set()), ("Color.RED.val", {"value"}), ("'text'.upp", {"upper"}),
    ("'a b'.split().app", {"append"}), ("[1, 2].app", {"append"}), ("{}.upd", {"update"}),
    ("f'{1}'.upp", {"upper"}), ("os.path.joi", {"join"}), ("(point).la", {"label"}),
    ("counts['word'].app", {"append"}), ("counts['absent'].", set()), ("1.", set()), ("1.5.", set()),
    ("point.la", {"label"}), ("x = point.la", {"label"}), ("-point.la", {"label"}),
    ("print(point.la", {"label"}), ("[point.la", {"label"}), ("point\\\n.la", {"label"}),
    ("(point\n   .la", {"label"}), ("x = (\npoint.la", {"label"}), ("f'{point.la", {"label"}),
    ("f'{point.x!r:>{point.la", {"label"}), ("f'''{\npoint.la", {"label"}),
], ids=stable)
def test_attributes_are_found_without_running_any(ready, code, wanted):
    assert set(matches(ready, code)) == wanted


@pytest.mark.parametrize("code, wanted", [
    ("variable_", ["variable_long", "variable_short"]), ("na", ["naïve"]), ("naï", ["naïve"]),
    ("impor", ["import"]), ("isinst", ["isinstance"]), ("Po", ["Point"]), ("__impo", ["__import__"]),
    ("nonsens", []), ("x = variable_l", ["variable_long"]), ("def variable", []),
    ("if variable_l", ["variable_long"]), ("later_name = 1\nprint(later_", ["later_name"]),
    ("def g(parameter):\n    return param", ["parameter"]), ("import os as ", []),
    ("x = = 1 )\nvariable_l", ["variable_long"]), ("'unclosed\nvariable_l", ["variable_long"]),
    ("f'{variable_l", ["variable_long"]), ("print(\nimport sy", None)], ids=repr)
def test_names(ready, code, wanted):
    found = matches(ready, code)

    assert found == wanted if wanted is not None else "sys" in found


@pytest.mark.parametrize("code", ["# point.la", "x = 1 # varia", "'''doc point.la", "f'{{point.la",
                                  "f'{point.x:>varia", "b'a\\", "123", "0x1f"], ids=repr)
def test_nothing_is_offered_where_no_code_is(ready, code):
    assert matches(ready, code) == []


@pytest.mark.parametrize("code, wanted", [
    ("table['a", ["alpha"]), ('table["a', ["alpha"]), ('table["it', ["it's"]),
    ("table['it", ["it\\'s"]), ("table['''it", ["it\\'s"]), ("table['be", ['beta "b"']),
    ('table["be', ['beta \\"b\\"']), ("table[b'", ["bytes"]), ("table['ü", ["ünï"]),
    ("table[ 'a", ["alpha"]), ("points[1]['d", ["deep"]), ("counts['", ["word"]),
    ("print(table['a", ["alpha"]), ("f'{table[\"a", ["alpha"]), ("os.environ['HOM", ["HOME"]),
    ("table['alpha", ["alpha"])], ids=repr)
def test_keys(ready, code, wanted):
    assert matches(ready, code) == wanted


def test_keys_are_written_out_before_there_is_a_quote(ready):
    found = matches(ready, "table[")

    assert {"'alpha'", '"it\'s"', "b'bytes'", "5"} <= set(found)
    assert "point" in found


@pytest.mark.parametrize("code, wanted", [
    ("function(", ["first=", "second=", "third="]), ("function(th", ["third="]),
    ("function(1, se", ["second="]), ("function(second=1, ", ["first=", "third="]),
    ("function(first=", []), ("point.move(", ["dx=", "dy=", "quick="]),
    ("point.move(dx=(1, 2), q", ["quick="]), ("Point().move(q", ["quick="]), ("f(function(th", ["third="]),
    ("def function(th", []), ("[function(th", ["third="]), ("function(\n    1,\n    th", ["third="])],
    ids=repr)
def test_keyword_arguments_of_a_call(ready, code, wanted):
    assert [text for text in matches(ready, code) if text.endswith("=")] == wanted


@pytest.mark.parametrize("code, wanted", [
    ("import os.pa", "path"), ("import jso", "json"), ("import os, jso", "json"),
    ("from os import pat", "path"), ("from os import sep, pat", "path"),
    ("from os import (sep,\n    pat", "path"), ("from xml.do", "dom"),
    ("import xml.dom.minid", "minidom"), ("from xml.dom import minid", "minidom"),
    ("from wave import open", "open"), ("from wave im", "import"), ("if x: import jso", "json"),
    ("x = 1; import jso", "json"), ("x = 1\nfrom wave import Wave_r", "Wave_read")], ids=repr)
def test_imports(ready, code, wanted):
    assert wanted in matches(ready, code)


@pytest.mark.parametrize("code", ["from . import x", "import json as x", "from nowhere.at.all import ",
                                  "import nowhere.", "yield from jso"], ids=repr)
def test_imports_of_what_is_not_there(ready, code):
    assert "json" not in matches(ready, code)


def test_completing_an_import_imports_nothing(client, tmp_path):
    package = tmp_path / "sideeffect"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('imported')\n\ndef offered(): pass\n")
    (package / "inner.py").write_text("raise SystemExit('imported')\n")
    client.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); before = set(sys.modules)").ok()

    assert matches(client, "import sideef") == ["sideeffect"]
    assert matches(client, "import sideeffect.") == ["inner"]
    assert matches(client, "from sideeffect import ") == ["inner", "offered"]

    assert client.run("'sideeffect' in sys.modules").ok().result == "False"


def test_new_module_is_offered(client, tmp_path):
    client.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})").ok()
    assert matches(client, "import brandnew") == []

    (tmp_path / "brandnew_module.py").write_text("")

    assert matches(client, "import brandnew") == ["brandnew_module"]


def test_paths_inside_strings(client, tmp_path):
    folder = tmp_path / "files"
    (folder / "sub folder").mkdir(parents=True)
    for name in ("data.csv", "data.txt", ".hidden", "ünï.txt"):
        (folder / name).write_text("")

    def names(text):
        return matches(client, f"open('{folder}/{text}")

    assert names("") == ["data.csv", "data.txt", "sub folder/", "ünï.txt"]
    assert names("data") == ["data.csv", "data.txt"]
    assert names(".") == [".hidden"]
    assert names("absent/") == []
    content = complete(client, f"open('{folder}/da")
    assert content["cursor_start"] == content["cursor_end"] - 2


def test_path_of_the_context_and_of_home(client, kernel):
    (kernel.folder / "here.txt").write_text("")

    assert matches(client, "open('her") == ["here.txt"]
    assert matches(client, "open('~/her") == ["here.txt"]


# Where, and how.


@pytest.mark.parametrize("before", ["", "x = '😀é'; ", "# 😀\n", "'''\n😀'''\n"], ids=repr)
def test_cursor_counts_code_points(client, before):
    code = before + "isinst" + "  # behind"

    content = complete(client, code, len(before) + 6)

    assert content["matches"] == ["isinstance"]
    assert (content["cursor_start"], content["cursor_end"]) == (len(before), len(before) + 6)


def test_only_what_is_before_the_cursor_counts(ready):
    assert matches(ready, "variable_long + 1", 12) == ["variable_long", "variable_short"][:1]
    assert matches(ready, "point.la)", 8) == ["label"]


def test_types_and_signatures(ready):
    def described(code):
        return {each["text"]: each
                for each in complete(ready, code)["metadata"]["_jupyter_types_experimental"]}

    found = described("point.")
    assert {name: found[name]["type"] for name in ("move", "area", "kind", "x")} == {
        "move": "function", "area": "property", "kind": "instance", "x": "property"}
    assert found["move"]["signature"] == "(dx, dy=0, *, quick=False) -> Point"
    assert found["move"] == {"start": 6, "end": 6, "text": "move", "type": "function",
                             "signature": "(dx, dy=0, *, quick=False) -> Point"}
    assert described("functio")["function"]["signature"] == "(first, second=2, *rest, third, **more)"
    assert described("Poin")["Point"]["type"] == "class"
    assert described("impor")["import"]["type"] == "keyword"
    assert described("import os.pat")["path"]["type"] == "module"
    assert described("function(th")["third="]["type"] == "param"


# Objects that do their worst.


@pytest.mark.parametrize("body", [
    "def __dir__(self): return ['good', 1, None, b'x', 'not a name', '_hidden', Text('also')]",
    "def __dir__(self): yield from ('good', 'also')",
    "def __dir__(self): return Endless()",
    "def __dir__(self): return {'good': 1, 'also': 2}"], ids=["junk", "generator", "endless", "dict"])
def test_own_dir_is_used_for_what_it_is_worth(client, body):
    client.run(f"""
class Text(str):
    def startswith(self, *_): raise SystemExit
class Endless:
    def __iter__(self): return self
    n = 0
    def __next__(self):
        self.n += 1
        return 'good' if self.n % 2 else 'also'
class Odd:
    {body}
odd = Odd()
""").ok()

    assert matches(client, "odd.") == ["also", "good"]


@pytest.mark.parametrize("body", [
    "def __dir__(self): raise ValueError", "def __dir__(self): raise SystemExit",
    "def __dir__(self): return 5", "def __dir__(self): import time; time.sleep(30)",
    "def __dir__(self):\n        while True: pass",
    "def __getattribute__(self, name): raise KeyboardInterrupt",
    "@property\n    def __dict__(self): raise SystemExit",
    "@property\n    def __class__(self): raise SystemExit",
    "def __eq__(self, other): raise SystemExit\n    __hash__ = None",
    "def __bool__(self): raise SystemExit"],
    ids=["raises", "exits", "number", "sleeps", "spins", "getattribute", "dict", "class", "eq", "bool"])
def test_broken_objects_are_completed_from_their_class(client, body):
    client.run(f"class Odd:\n    {body}\n    def known(self): pass\nodd = Odd()").ok()

    with Stopwatch() as watch:
        assert "known" in matches(client, "odd.kn")

    assert watch.seconds < scaled(3)
    assert client.run("1").ok().result == "1"


@pytest.mark.parametrize("code", [
    "f.__signature__ = 5", "f.__wrapped__ = f", "f.__defaults__ = (object(),) * 9",
    "f.__annotations__ = {'a': Odd(), 'return': Odd()}",
    "f.__defaults__ = (Odd(),)"], ids=repr)
def test_functions_that_lie_about_themselves_are_offered(client, code):
    client.run(f"""
class Odd:
    def __repr__(self): raise SystemExit
    def __getattribute__(self, name): raise SystemExit
def f(a, b=1): pass
{code}
class Owner: pass
owner = Owner()
owner.func = f
""").ok()

    assert matches(client, "owner.fun") == ["func"]
    complete(client, "owner.func(")
    assert client.request("shell", "inspect_request", {"code": "f", "cursor_pos": 1}).content["found"]


def test_dictionary_of_an_instance_may_be_of_any_kind(client):
    client.run("""
class Sly(dict):
    def keys(self): raise SystemExit
    __iter__ = items = get = __getitem__ = keys
class Owner: pass
owner = Owner()
owner.__dict__ = Sly(known=1)
""").ok()

    assert matches(client, "owner.kno") == ["known"]


def test_empty_slots_are_offered(client):
    client.run("class Slotted:\n    __slots__ = ('filled', 'empty')\n"
               "slotted = Slotted()\nslotted.filled = 'x'").ok()

    assert matches(client, "slotted.") == ["empty", "filled"]
    assert matches(client, "slotted.filled.upp") == ["upper"]
    assert matches(client, "slotted.empty.") == []


def test_metaclass_that_answers_everything_is_not_asked(client):
    client.run("""
asked = []
class Meta(type):
    def __getattribute__(cls, name): asked.append(name); return type.__getattribute__(cls, name)
    def __dir__(cls): asked.append('dir'); return []
class Odd(metaclass=Meta):
    known = 1
odd = Odd()
asked.clear()
""").ok()

    assert matches(client, "Odd.kno") == matches(client, "odd.kno") == ["known"]
    assert client.run("asked").ok().result == "[]"


def test_module_that_loads_lazily_is_not_made_to(client):
    client.run("""
import types
lazy = types.ModuleType('lazy')
lazy.known = 1
lazy.asked = []
lazy.__getattr__ = lambda name: lazy.asked.append(name)
""").ok()

    assert matches(client, "lazy.kno") == ["known"]
    assert matches(client, "lazy.absent.") == []
    assert client.run("lazy.asked").ok().result == "[]"


def test_keys_that_a_class_offers(client):
    client.run("""
class Store:
    def _ipython_key_completions_(self): return ['one', 'two', 3]
class Slow:
    def _ipython_key_completions_(self):
        import time
        time.sleep(30)
store, slow = Store(), Slow()
""").ok()

    assert matches(client, "store['") == ["one", "two"]
    with Stopwatch() as watch:
        complete(client, "slow['")
    assert watch.seconds < scaled(3)


def test_missing_key_is_not_made(client):
    client.run("import collections; counts = collections.defaultdict(list)").ok()

    matches(client, "counts['new'].")

    assert client.run("dict(counts)").ok().result == "{}"


@pytest.mark.parametrize("setup, code", [
    ("big = {f'key{i}': i for i in range(1_000_000)}", "big['key1"),
    ("class Big: pass\nbig = Big()\nbig.__dict__.update({f'a{i}': i for i in range(100_000)})", "big."),
    ("globals().update({f'name{i}': i for i in range(100_000)})", "name")],
    ids=["keys", "attributes", "names"])
def test_very_many_matches_are_cut(client, setup, code):
    client.run(setup).ok()

    with Stopwatch() as watch:
        found = matches(client, code)

    assert 1000 < len(found) <= 5000
    assert watch.seconds < scaled(3)


def test_long_names_are_cut_in_all(client):
    client.run("globals().update({f'n{i}_' + 'x' * 100_000: i for i in range(100)})").ok()

    assert 1 <= len(matches(client, "n1")) < 100


def test_long_source_is_read_from_its_end(client):
    with Stopwatch() as watch:
        assert matches(client, "x = [1, 2, 'a']\n" * 500_000 + "isinst") == ["isinstance"]

    assert watch.seconds < scaled(5)


@pytest.mark.parametrize("code", ["(" * 10_000, "a" + ".a" * 10_000 + ".", "a[" * 5000, "f'{" * 2000,
                                  "'" * 9999, "\\" * 999, "\0.a", "\ud800.", "x = [" + "1," * 100_000],
                         ids=["parentheses", "chain", "brackets", "fields", "quotes", "backslashes",
                              "nul", "surrogate", "list"])
def test_odd_source_is_survived(client, code):
    with Stopwatch() as watch:
        complete(client, code)

    assert watch.seconds < scaled(5)
    assert client.run("1").ok().result == "1"


def test_interrupt_ends_a_completion_and_nothing_else(client):
    client.run("class Slow:\n    def __dir__(self):\n        import time; time.sleep(30)\n"
               "slow = Slow()").ok()
    asked = client.send("shell", "complete_request", {"code": "slow.", "cursor_pos": 5})
    client.interrupt()

    client.finish(asked)

    assert client.run("1").ok().result == "1"


def test_broken_builtins_do_not_matter(client):
    matches(client, "'a'.upp")
    client.run("import builtins, re, os, json\nkept = builtins.sorted\n"
               "builtins.sorted = builtins.zip = builtins.vars = None\n"
               "re.compile = os.scandir = json.dumps = None").ok()

    assert matches(client, "'a'.upp") == ["upper"]


# Tables and arrays, as analysts have them.


@pytest.fixture
def pandas(start_kernel):
    import sys
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()
    client.run("import numpy as np, pandas as pd\n"
               "df = pd.DataFrame({'alpha': [1], 'beta': ['x'], 'with space': [2]})\n"
               "records = np.zeros(2, dtype=[('field', int), ('other', float)])\n").ok()
    return client


@pytest.mark.parametrize("code, wanted", [
    ("df.alp", ["alpha"]), ("df['", ["alpha", "beta", "with space"]), ('df[["alpha", "b', ["beta"]),
    ("df.loc[:, 'a", ["alpha"]), ("df['alpha'].value_c", ["value_counts"]),
    ("df.head().descri", ["describe"]), ("df['beta'].str.upp", ["upper"]),
    ("records['f", ["field"]), ("np.linalg.nor", ["norm"]), ("pd.read_csv(sep", ["sep="])], ids=repr)
def test_tables_and_arrays(pandas, code, wanted):
    assert matches(pandas, code) == wanted


def test_table_is_completed_at_once(pandas):
    with Stopwatch() as watch:
        assert {"alpha", "groupby"} <= set(matches(pandas, "df."))

    assert watch.seconds < scaled(0.5)


def test_jedi_adds_where_it_is_wanted(start_kernel):
    import sys
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix, "PANDIA_JEDI": "5000"}).client()
    code = "def f():\n    local = 'x'.upper()\n    return local.isnum"
    client.run(f"import jedi\nfor _ in range(3): jedi.Interpreter({code!r}, [{{}}]).complete()",
               seconds=40).ok()  # reads its descriptions of the builtins

    wait_until(lambda: matches(client, code) == ["isnumeric"], "an answer of jedi")

    assert client.run("import sys; 'jedi' in sys.modules").ok().result == "True"
    assert matches(client, "isinst") == ["isinstance"]


def test_jedi_is_not_loaded_by_default(start_kernel):
    import sys
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()

    matches(client, "isinst")

    assert client.run("import sys; 'jedi' in sys.modules").ok().result == "False"
