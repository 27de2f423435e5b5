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


DISABLED = {
    "formatter": ("html.enabled = False", "html.enabled = True"),
    "types": ("f.active_types = ['text/plain', 'text/latex']", "f.active_types = f.format_types"),
}


@pytest.mark.parametrize("how", list(DISABLED))
@pytest.mark.parametrize("value", ["Own()", "5"])
@pytest.mark.parametrize("installed", [True, False])
def test_disabled_form_is_not_shown(start_kernel, installed, value, how):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()
    off, on = DISABLED[how]
    client.run("class Own:\n    def _repr_html_(self): return 'own'\n"
               "    def _repr_latex_(self): return 'latex'\n"
               "f = get_ipython().display_formatter; html = f.formatters['text/html']\n"
               f"html.for_type(int, str)\n{off}").ok()

    forms = {"text/plain", "text/latex"} if value == "Own()" else {"text/plain"}
    assert data(client.run(value).ok()).keys() == forms
    assert client.run("'text/html' in f.active_types, html.enabled, html(5)").ok().result in (
        "(False, False, None)", "(True, False, None)" if installed else None)
    client.run(on).ok()
    assert "text/html" in data(client.run(value).ok())


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


INTERRUPT = """
import sys
def interrupt(frame, event, arg):
    where = frame.f_code.co_filename.strip("<>").split()[-1], frame.f_code.co_name
    if where == {place}: raise KeyboardInterrupt
sys.settrace(interrupt)
try: get_ipython()
except KeyboardInterrupt: print("interrupted")
finally: sys.settrace(None)
"""


@pytest.mark.parametrize("place", [
    ("ipython.py", "attach"), ("ipython.py", "unfinished"), ("ipython.py", "initialize"),
    ("ipython.py", "register"), ("formatters.py", "attach"), ("shell_forms.py", "settings_of"),
    ("ipython.py", "settle")])
def test_interrupted_making_of_the_shell_leaves_nothing_half_made(ipython, place):
    assert ipython.run(INTERRUPT.format(place=place)).ok().stdout == "interrupted\n"

    run = ipython.run("from IPython.core.interactiveshell import InteractiveShell as S\n"
                      "ip = get_ipython()\n"
                      "html = ip.display_formatter.formatters['text/html']\n"
                      "html.for_type(complex, lambda c: 'c') and None\n"
                      "S.initialized(), S.instance() is ip, ip.user_ns is globals(), "
                      "type(ip.display_pub).__name__").ok()

    assert run.result == "(True, True, True, 'ZMQDisplayPublisher')"
    assert data(ipython.run("1j").ok())["text/html"] == "c"


@pytest.mark.parametrize("place", [("formatters.py", "<module>"), ("formatters.py", "__init__"),
                                   ("shell.py", "__init__")])
def test_interrupted_making_of_the_bare_shell_leaves_nothing_half_made(client, place):
    assert client.run(INTERRUPT.format(place=place)).ok().stdout == "interrupted\n"

    client.run("get_ipython().display_formatter.formatters['text/html'].for_type(int, str)").ok()

    assert data(client.run("5").ok())["text/html"] == "5"


TOGETHER = """
import sys, threading
sys.setswitchinterval(1e-5)
start, failed = threading.Barrier(8), []
kinds = [type(f"Kind{i}", (), {}) for i in range(8)]
def ask(kind):
    start.wait()
    try: get_ipython().display_formatter.formatters["text/html"].for_type(kind, lambda o: "html")
    except BaseException as error: failed.append(repr(error))
threads = [threading.Thread(target=ask, args=(kind,)) for kind in kinds]
for each in threads: each.start()
for each in threads: each.join()
known = get_ipython().display_formatter.formatters["text/html"].type_printers
failed, len(set(kinds) & known.keys())
"""


@pytest.mark.parametrize("installed", [True, False])
def test_threads_that_ask_first_get_one_shell(start_kernel, installed):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()
    if installed:
        client.run("from IPython.core.interactiveshell import InteractiveShell as S\n"
                   "made, right = [], S.init_magics\n"
                   "S.init_magics = lambda self: made.append(self) or right(self)").ok()

    assert client.run(TOGETHER).ok().result == "([], 8)"
    assert not installed or client.run("len(made)").ok().result == "1"


def test_thread_that_has_the_early_shell_waits_while_it_is_made(ipython):
    ipython.run(LIBRARY + "early = library.look()\n"
                "import threading\n"
                "from IPython.core.interactiveshell import InteractiveShell as S\n"
                "seen, right, looking = [], S.init_magics, threading.Event()\n"
                "def look():\n"
                "    looking.set()\n"
                "    seen.append((early.magics_manager is not None, S.initialized(), S.instance()))\n"
                "thread = threading.Thread(target=look)\n"
                "def init_magics(self):\n"
                "    thread.start(); looking.wait(); thread.join(.1)\n"
                "    seen.append(S.initialized())\n"
                "    right(self)\n"
                "S.init_magics = init_magics").ok()

    run = ipython.run("ip = get_ipython()\nthread.join()\n"
                      "seen == [False, (True, True, ip)], early is ip").ok()

    assert run.result == "(True, True)"


def test_fork_while_another_thread_makes_the_shell_makes_its_own(ipython):
    run = ipython.run(LIBRARY + """
import os, threading
from IPython.core.interactiveshell import InteractiveShell as S
making, forked, right = threading.Event(), threading.Event(), S.init_magics
def init_magics(self):
    making.set(); forked.wait()
    right(self)
S.init_magics = init_magics
thread = threading.Thread(target=lambda: get_ipython())
thread.start(); making.wait()
child = os.fork()
if not child:
    try:
        forked.set()
        os._exit(7 if get_ipython().magics_manager is not None else 1)
    finally:
        os._exit(2)
status = os.waitpid(child, 0)[1]
forked.set(); thread.join()
os.waitstatus_to_exitcode(status), get_ipython().magics_manager is not None
""").ok()

    assert run.result == "(7, True)"


def test_ipython_that_is_imported_anew_has_the_same_shell(ipython):
    ipython.run("import sys; ip = get_ipython()\n"
                "for name in [name for name in sys.modules if name.startswith('IPython')]:\n"
                "    del sys.modules[name]").ok()

    run = ipython.run("import IPython\nIPython.get_ipython() is ip, get_ipython() is ip").ok()

    assert run.result == "(True, True)"


@pytest.mark.parametrize("installed", [True, False])
def test_name_that_tells_of_ipython_is_there_where_it_is_installed(start_kernel, installed):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix} if installed else {}).client()

    run = client.run("import builtins, sys\n"
                     "getattr(builtins, '__IPYTHON__', False), 'IPython' in sys.modules").ok()

    assert run.result == f"({installed}, False)"


# What notebooks ask for figures

HIDE_IPYTHON = """
import importlib.machinery
find = importlib.machinery.PathFinder.find_spec
importlib.machinery.PathFinder.find_spec = lambda name, *args: (
    None if name.partition(".")[0] == "IPython" else find(name, *args))
"""


@pytest.fixture(params=[True, False])
def figures(ipython, request):
    """A client that has matplotlib, with and without IPython."""
    ipython.run("import matplotlib" if request.param else HIDE_IPYTHON + "import matplotlib").ok()
    return ipython


@pytest.mark.parametrize("ask", [
    "run_line_magic('matplotlib', 'inline')", "enable_matplotlib('inline')", "enable_gui()",
    "enable_gui('inline')", "run_line_magic('matplotlib', '')"])
def test_figures_are_shown_after_a_notebook_has_asked_for_them(figures, ask):
    run = figures.run(f"get_ipython().{ask}\nimport matplotlib.pyplot as plt\nplt.plot([1]);").ok()

    assert [set(each["data"]) for each in run.contents("display_data")] == [{"text/plain", "image/png"}]


def test_figures_are_shown_again_after_another_backend(figures):
    run = figures.run("matplotlib.use('agg')\nget_ipython().run_line_magic('matplotlib', 'inline')\n"
                      "import matplotlib.pyplot as plt\nplt.plot([1]);").ok()

    assert len(run.contents("display_data")) == 1


@pytest.mark.parametrize("ask", ["run_line_magic('matplotlib', 'qt')", "enable_matplotlib('qt')",
                                 "enable_gui('qt')"])
def test_loop_of_a_toolkit_is_refused_by_its_name(figures, ask):
    error = figures.run(f"get_ipython().{ask}").error

    assert (error["ename"], "'qt'" in error["evalue"]) == ("ValueError", True)
    run = figures.run("import matplotlib.pyplot as plt\nplt.plot([1]);").ok()
    assert len(run.contents("display_data")) == 1


def test_other_magics_are_missing_without_ipython(client):
    error = client.run("get_ipython().run_line_magic('timeit', '1')").error

    assert error["evalue"] == "Line magic function `%timeit` not found."


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


def test_links_to_the_files_of_a_folder(client, tmp_path):
    for name in ("b.txt", "a&b.txt", "c.py"):
        (tmp_path / name).touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "d.txt").touch()

    bundle = data(client.run("from IPython.display import FileLinks\n"
                             f"FileLinks({str(tmp_path)!r}, included_suffixes=['.txt'])").ok())

    assert bundle["text/plain"] == (f"{tmp_path}/\n  a&b.txt\n  b.txt\n{tmp_path}/sub/\n  d.txt")
    html = bundle["text/html"].split("\n")
    assert (len(html), html[0]) == (5, f"{tmp_path}/<br>")
    assert html[1] == (f"&nbsp;&nbsp;<a href='{tmp_path}/a&amp;b.txt' target='_blank'>a&amp;b.txt</a><br>")


def test_what_else_is_imported_from_the_stand_in(client):
    run = client.run("from io import StringIO\nfrom IPython.display import HTML, display_pretty\n"
                     "from IPython.lib.pretty import PrettyPrinter, RepresentationPrinter\n"
                     "plain, values = PrettyPrinter(StringIO(), 10), RepresentationPrinter(StringIO(), max_width=10)\n"
                     "with plain.group(2, '(', ')'): plain.text('aaaa'); plain.breakable(); plain.text('bbbb')\n"
                     "values.pretty([1, {'a': 'bbbbb'}])\n"
                     "for each in (plain, values): each.flush(); print(each.output.getvalue())\n"
                     "display_pretty(HTML('x'))\nHTML('<b>').__html__()").ok()

    assert run.stdout == "(aaaa\n  bbbb)\n[1,\n {'a': 'bbbbb'}]\n"
    assert run.result == "'<b>'"
    assert [content["data"].keys() for content in run.contents("display_data")] == [{"text/plain"}]


def test_other_parts_of_ipython_stay_missing(client):
    for name in ("IPython.core.interactiveshell", "IPython.core.magic", "IPython.utils.io"):
        assert client.run(f"import {name}").content["ename"] == "ModuleNotFoundError"


def test_name_that_older_matplotlib_imports_is_there(ipython):
    run = ipython.run("from IPython.core.pylabtools import backend2gui\nbackend2gui.get('module://x')").ok()

    assert run.result is None
