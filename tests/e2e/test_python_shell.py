# SPDX-License-Identifier: MIT
"""IPython's shell on the namespace of the cells, and its stand-in where IPython is not installed."""
import sys

import pytest


@pytest.fixture
def ipython(start_kernel):
    """A client whose cells can import IPython."""
    return start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()


def data(run):
    return run.contents("execute_result")[0]["data"]


# What libraries do to find out where they run.
LIBRARY = """
import sys, types
library = types.ModuleType("library")
exec("def look():\\n    return get_ipython()", vars(library))
"""


def test_library_that_looks_where_it_is_imports_no_ipython(ipython):
    run = ipython.run(LIBRARY + "ip = library.look()\n"
                      "type(ip).__name__, 'IPKernelApp' in ip.config, 'IPython' in sys.modules").ok()

    assert run.result == "('ZMQInteractiveShell', True, False)"


def test_frame_of_pandas_imports_no_ipython(ipython):
    run = ipython.run("import sys, pandas\npandas.DataFrame({'a': [1]})").ok()

    assert sorted(data(run)) == ["text/html", "text/plain"]
    assert ipython.run("'IPython' in sys.modules").ok().result == "False"


@pytest.mark.parametrize("ask", [
    "ip.events", "import IPython; IPython.get_ipython()", "from IPython import get_ipython as g; g()",
    "from IPython.core.interactiveshell import InteractiveShell as S; S.instance()",
    "from IPython.core.interactiveshell import InteractiveShell as S; S.initialized()"])
def test_every_way_to_the_shell_gives_the_same_one(ipython, ask):
    ipython.run(LIBRARY + "ip = library.look()").ok()

    run = ipython.run(f"{ask}\nimport IPython\n"
                      "from IPython.core.interactiveshell import InteractiveShell\n"
                      "[ip is each for each in (get_ipython(), IPython.get_ipython(), "
                      "InteractiveShell.instance())], isinstance(ip, InteractiveShell)").ok()

    assert run.result == "([True, True, True], True)"


def test_shell_shares_names_inputs_and_outputs(ipython):
    ipython.run("6 * 7").ok()

    run = ipython.run("ip = get_ipython()\nip.push({'pushed': 5})\n"
                      "pushed, ip.user_ns is globals(), ip.history_manager.output_hist, "
                      "ip.history_manager.input_hist_parsed[1], ip.execution_count").ok()

    assert run.result == "(5, True, {1: 42}, '6 * 7', 2)"


def test_attaching_changes_no_name_of_the_user(ipython):
    ipython.run("exit, quit, open, display, get = 1, 2, 3, 4, get_ipython").ok()

    run = ipython.run("get_ipython().events\nexit, quit, open, display").ok()

    assert run.result == "(1, 2, 3, 4)"


def test_attaching_keeps_the_last_values(ipython):
    ipython.run("6").ok()

    assert ipython.run("get_ipython().events; 7").ok().result == "7"
    assert ipython.run("_, __").ok().result == "(7, 6)"


def test_form_of_a_wrong_type_is_left_out_with_a_warning(client):
    run = client.run("class V:\n    def _repr_html_(self): return 5\n"
                     "    def __repr__(self): return 'v'\nV()").ok()

    assert data(run) == {"text/plain": "v"}
    assert "text/html is left out: _repr_html_() returned an object of type int" in run.stderr


def test_attaching_leaves_the_interpreter_as_it_was(ipython):
    run = ipython.run("get_ipython().events\nimport sys\n"
                      "sys.excepthook is sys.__excepthook__, sys.modules['__main__'].__dict__ is globals()").ok()

    assert run.result == "(True, True)"


REGISTRATIONS = {
    "class": ("class T:\n    def __repr__(self): return 'T'\n"
              "html.for_type(T, lambda t: '<b>T</b>')\n", "T()"),
    "name": ("html.for_type_by_name('fractions', 'Fraction', lambda f: '<b>T</b>')\n",
             "from fractions import Fraction\nFraction(1, 2)"),
    "text name": ("html.for_type('fractions.Fraction', lambda f: '<b>T</b>')\n",
                  "from fractions import Fraction\nFraction(1, 2)"),
    "base class": ("class B: pass\nclass T(B): pass\nhtml.for_type(B, lambda t: '<b>T</b>')\n", "T()"),
    "builtin": ("html.for_type(int, lambda n: '<b>T</b>')\n", "5"),
    "metadata": ("html.for_type(int, lambda n: ('<b>T</b>', {'isolated': True}))\n", "5"),
}


@pytest.mark.parametrize("kind", list(REGISTRATIONS))
@pytest.mark.parametrize("installed", [True, False])
def test_registered_printers_show_values(start_kernel, kind, installed):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()
    register, value = REGISTRATIONS[kind]
    client.run("html = get_ipython().display_formatter.formatters['text/html']\n" + register).ok()

    content = client.run(value).ok().contents("execute_result")[0]

    assert content["data"]["text/html"] == "<b>T</b>"
    assert content["data"]["text/plain"]
    assert content["metadata"] == ({"text/html": {"isolated": True}} if kind == "metadata" else {})


@pytest.mark.parametrize("installed", [True, False])
def test_registered_texts_show_values(start_kernel, installed):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()
    client.run("plain = get_ipython().display_formatter.formatters['text/plain']\n"
               "plain.for_type(float, lambda x, p, cycle: p.text(f'about {x:.0f}'))").ok()

    assert client.run("2.25").ok().result == "about 2"
    assert client.run("[2.25]").ok().result == "[about 2]"
    assert client.run("2").ok().result == "2"


@pytest.mark.parametrize("installed", [True, False])
def test_failing_printer_is_told_and_left_out(start_kernel, installed):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()
    client.run("get_ipython().display_formatter.formatters['text/html'].for_type(int, lambda n: 1 / 0)"
               ).ok()

    run = client.run("5").ok()

    assert data(run) == {"text/plain": "5"}
    assert "ZeroDivisionError" in run.stderr


@pytest.mark.parametrize("code, mime", [
    ("int, lambda n: 5", "text/html"), ("int, lambda n: b'<b>'", "text/html"),
    ("int, lambda n: 5", "image/png"), ("int, lambda n: 5", "application/json")])
@pytest.mark.parametrize("installed", [True, False])
def test_printer_of_a_wrong_type_is_left_out_with_a_warning(start_kernel, installed, code, mime):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()
    client.run(f"get_ipython().display_formatter.formatters['{mime}'].for_type({code})").ok()

    run = client.run("5").ok()

    assert data(run) == {"text/plain": "5"}
    assert f"FormatterWarning: {mime}" in run.stderr


def test_popped_printer_is_forgotten(client):
    client.run("html = get_ipython().display_formatter.formatters['text/html']\n"
               "html.for_type(int, lambda n: 'x'); html.pop(int)").ok()

    assert data(client.run("5").ok()) == {"text/plain": "5"}


def test_captured_displays_do_not_reach_the_client(ipython):
    run = ipython.run("from IPython.utils.capture import capture_output\n"
                      "get_ipython()\n"
                      "with capture_output() as caught:\n    print('x'); display(5)\n"
                      "caught.stdout, caught.outputs[0].data").ok()

    assert run.contents("display_data") == []
    assert run.result == "('x\\n', {'text/plain': '5'})"


def test_include_and_exclude_reach_the_bundle(client):
    run = client.run("class V:\n    def _repr_mimebundle_(self, include=None, exclude=None):\n"
                     "        print(include, exclude)\n"
                     "        return {'text/plain': 'v', 'text/html': '<b>v</b>'}\n"
                     "display(V(), include=['text/html'])\ndisplay(V(), exclude=['text/html'])").ok()

    assert run.stdout == "['text/html'] None\nNone ['text/html']\n"
    assert [each["data"] for each in run.contents("display_data")] == [
        {"text/html": "<b>v</b>"}, {"text/plain": "v"}]


def test_wishes_of_displays_in_threads_are_their_own(client):
    run = client.run("""
import threading
seen, inside, out = [], threading.Event(), threading.Event()
class Slow:
    def _repr_mimebundle_(self, include=None, exclude=None):
        inside.set(); out.wait(5)
        return {"text/html": "slow"}
class Quick:
    def _repr_mimebundle_(self, include=None, exclude=None):
        seen.append(include)
        return {"text/html": "quick"}
thread = threading.Thread(target=lambda: display(Slow(), include=["text/html"]))
thread.start(); inside.wait(5)
display(Quick()); display(Quick(), include=["x/y"])
out.set(); thread.join()
display(Quick())
seen""").ok()

    assert run.result == "[None, ['x/y'], None]"


def test_shell_that_could_not_be_made_is_made_by_the_next_who_asks(ipython):
    ipython.run("from IPython.core.interactiveshell import InteractiveShell as S\n"
                "right, S.init_magics = S.init_magics, lambda self: 1 / 0").ok()

    assert ipython.run("get_ipython()").content["ename"] == "ZeroDivisionError"
    ipython.run("S.init_magics = right").ok()

    run = ipython.run("ip = get_ipython(); ip is S.instance(), ip.kernel is not None").ok()
    assert run.result == "(True, True)"


def test_bundle_whose_metadata_are_none(ipython):
    ipython.run("get_ipython()\nclass M:\n"
                "    def _repr_mimebundle_(self, **k): return {'text/html': 'm'}, None").ok()

    assert data(ipython.run("M()").ok())["text/html"] == "m"


@pytest.mark.parametrize("installed", [True, False])
def test_display_html_shows_one_form(start_kernel, installed):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()

    run = client.run("from IPython.display import HTML, display_html\n"
                     "display_html(HTML('x', metadata={'isolated': True}))\ndisplay_html(3)").ok()

    shown, = run.contents("display_data")
    assert (shown["data"], shown["metadata"]) == ({"text/html": "x"}, {"text/html": {"isolated": True}})


# Without IPython


CLASSES = [
    ("HTML('<b>x</b>')", {"text/html": "<b>x</b>"}), ("Markdown('*x*')", {"text/markdown": "*x*"}),
    ("Latex('$x$')", {"text/latex": "$x$"}), ("Math('x')", {"text/latex": r"$\displaystyle x$"}),
    ("SVG('<svg/>')", {"image/svg+xml": "<svg/>"}), ("JSON({'a': 1})", {"application/json": {"a": 1}}),
    ("Javascript('1')", {"application/javascript": "1"}), ("Pretty('p')", {"text/plain": "p"}),
    ("Image(b'\\x89PNG\\r\\n\\x1a\\n')", {"image/png": "iVBORw0KGgo="}),
    ("Image(b'GIF89a')", {"image/gif": "R0lGODlh"}),
    ("Image(url='http://a/b.png', width=5)", {"text/html": '<img src="http://a/b.png" width="5"/>'}),
    ("GeoJSON({'type': 'Point'})", {"application/geo+json": {"type": "Point"}}),
    ("FileLink('/none')", {"text/html": "Path (<tt>/none</tt>) doesn't exist.",
                           "text/plain": "/none"}),
    ("ProgressBar(4)", {"text/plain": "[" + 60 * " " + "] 0/4"}),
]


@pytest.mark.parametrize("code, expected", CLASSES)
def test_display_classes_without_ipython(client, code, expected):
    run = client.run(f"from IPython.display import *\n{code}").ok()

    content, = run.contents("execute_result") + run.contents("display_data")
    assert expected.items() <= content["data"].items()
    assert "text/plain" in content["data"]


WRONG = {"Image(5)": "FileNotFoundError: no such picture: 5",
         "Image('none.png')": "FileNotFoundError: no such picture: 'none.png'"}


@pytest.mark.parametrize("code", list(WRONG))
def test_picture_that_is_none_is_told_and_left_out(client, code):
    run = client.run(f"from IPython.display import *\n{code}").ok()

    assert data(run) == {"text/plain": "<IPython.core.display.Image object>"}
    assert WRONG[code] in run.stderr


REFUSED = {"HTML(5)": "HTML takes text, not 5", "JSON(5)": "JSON takes a dict or a list, not 5",
           "Image(b'', format='svg')": "Image embeds png, jpeg, gif, webp, not svg",
           "Audio('none.wav')": "no such sound: 'none.wav'",
           "Video(b'x')": "a Video of data, not of a file or a url, needs embed=True"}


@pytest.mark.parametrize("code", list(REFUSED))
def test_display_class_refuses_what_it_cannot_show(client, code):
    run = client.run(f"from IPython.display import *\n{code}")

    assert run.content["evalue"] == REFUSED[code]


def test_sound_of_samples_is_a_file(client):
    run = client.run("from IPython.display import Audio\nAudio([0, 0.5, -1], rate=8000)").ok()

    assert 'src="data:audio/wav;base64,UklGR' in data(run)["text/html"]
    assert client.run("Audio([0])").content["evalue"] == "Audio needs the rate of its samples"


def test_progress_bar_is_one_display_that_changes(client):
    run = client.run("from IPython.display import ProgressBar\nfor i in ProgressBar(3): print(i)").ok()

    shown = [m for m in run.messages if m.type.endswith("display_data")]
    assert [m.type for m in shown] == ["display_data"] + 4 * ["update_display_data"]
    assert len({m.content["transient"]["display_id"] for m in shown}) == 1
    assert run.stdout == "0\n1\n2\n"


def test_other_parts_of_ipython_stay_missing(client):
    for name in ("IPython.core.interactiveshell", "IPython.core.magic", "IPython.utils.io"):
        assert client.run(f"import {name}").content["ename"] == "ModuleNotFoundError"
