# SPDX-License-Identifier: MIT
"""The same values where IPython is not installed: they have the MIME types that they have with it,
and nothing that a library shows is lost."""
import pathlib
import subprocess
import sys

import pytest

from conformance.results_values import DISPLAYS, LIBRARIES, METHODS, OWN
from support.build import SOON, scaled

HIDDEN = ("IPython", "ipython", "ipykernel", "matplotlib_inline", "traitlets", "jupyter", "nbformat",
          "nbclient", "comm", "debugpy", "jedi", "parso", "pytest", "_pytest")
CELLS = {**METHODS, **DISPLAYS, **LIBRARIES,
         "figure": "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show()",
         "rich pretty": "rich.pretty.install()", "dict by rich": "{'a': [1]}"}

FILES = r"""
from pathlib import Path
from IPython.display import *
Path("a.png").write_bytes(PNG)
Path("a.svg").write_text('<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="x"><g/></svg><!-- -->')
Path("a.py").write_text("x = 1\n")
Path("a.md").write_text("*x*")
Path("a.json").write_text('{"a": 1}')
JPEG = b"\xff\xd8\xff\xe0\0\4\0\0\xff\xc0\0\x11\x08\0\4\0\6" + bytes(12)
"""
# Cells that show the very same, not only the same types.
SAME = {
    "files": FILES, "svg of a file": "SVG('a.svg')", "svg by name": "SVG(filename='a.svg')",
    "svg of a path": "SVG(Path('a.svg'))", "svg displayed": "display_svg(SVG('a.svg'))",
    "svg of bytes": "SVG(b'<svg><p/></svg>')", "svg without": "SVG('<p/>')",
    "code of a file": "Code('a.py').data", "code's text": "print(Code('a.py', language='python'))",
    "markdown of a file": "Markdown('a.md')", "markdown of a path": "Markdown(Path('a.md'))",
    "json of a file": "JSON('a.json')", "map of a file": "GeoJSON(filename='a.json')",
    "picture of a path": "Image(Path('a.png'))", "picture of a file": "Image('a.png', width=3)",
    "picture as a link": "Image('a.png', embed=False)",
    "link by name": "Image(filename='a.png', embed=False, height=3, alt='\"a\"')",
    "picture's forms": "i = Image('a.png'); i._repr_png_(), i._repr_jpeg_(), i._repr_html_()",
    "picture's bundle": "Image(PNG, alt='a', metadata={'m': 1})._repr_mimebundle_()",
    "sound is no picture": "Image(b'RIFF1234WAVE').format", "webp": "Image(b'RIFF1234WEBP').format",
    "retina png": "i = Image(PNG, retina=True); i.width, i.height",
    "retina gif": "i = Image(b'GIF89a' + bytes([4, 0, 6, 0]), retina=True); i.width, i.height",
    "retina jpeg": "i = Image(JPEG, retina=True); i.width, i.height",
    "retina webp": "i = Image(b'RIFF1234WEBPVP8X' + bytes(8) + bytes([7, 0, 0, 9, 0, 0]), retina=True)\n"
                   "i.width, i.height",
    "size by metadata": "i = Image(PNG, metadata={'width': 3}); i.width, i.height",
    "bar": "b = ProgressBar(7); b._progress = 3; b",
    "autoplay": "y = YouTubeVideo('a', allow_autoplay=True, start=3); y.id, y.params, y.extras",
    "formula": "from IPython.lib.latextools import latex_to_png\n"
               "[latex_to_png('x^2', wrap=True, scale=s)[16:24] for s in (1., 2.)]",
    "formula encoded": "latex_to_png('$$x$$', encode=True)[:8]",
    "no formula": "print(latex_to_png('$\\\\nonsense{$'), latex_to_png('x', backend='dvi'))",
}

SHELL = r"""
import sys
from fractions import Fraction
shown = get_ipython().display_formatter
plain, html = shown.formatters["text/plain"], shown.formatters["text/html"]
class Own:
    def __repr__(self): return "own"
    def _repr_html_(self): return "<b>"
class Bundle(Own):
    def _repr_mimebundle_(self, **k): return {"text/html": "bundle", "x/y": "z"}
class Thing:
    a, b = 1, [2]
def failure(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error).__name__
def settings(**values):
    for name, value in values.items():
        setattr(plain, name, value)
"""
# The same, of what user code sets and registers; each cell puts back what it has changed.
SAME_SHELL = {
    "shell": SHELL, "modules": "from IPython.core.display_functions import display, update_display\n"
    "from IPython.core.display import HTML, Image\nfrom IPython.lib.display import Audio, IFrame, Code\n"
    "from IPython.core.displaypub import CapturingDisplayPublisher, publish_display_data\n"
    "from IPython.core.formatters import *\nfrom IPython.utils.capture import capture_output\n"
    "from IPython.core.formatters import format_display_data, HTMLFormatter, PNGFormatter",
    "caught": "with capture_output() as c:\n    print('x'); display(5); print('e', file=sys.stderr)\n"
              "    display(Own(), display_id='a')\n"
              "c.stdout, c.stderr, [(o.data, o.transient, o.update) for o in c.outputs]",
    "caught again": "c.outputs[1]", "form of it": "c.outputs[1]._repr_html_(), c.outputs[1]._repr_png_()",
    "let go": "c.show()", "let go by call": "c()", "caught text": "str(c)",
    "nothing caught": "with capture_output(False, False, False) as c: print(1); display(2)",
    "caught and failed": "try:\n    with capture_output() as c: display(1); 1 / 0\n"
                         "except ZeroDivisionError: print(len(c.outputs))",
    "free again": "display(1)",
    "caught raw": "with capture_output() as c:\n    publish_display_data({'a/b': 'c'}); display({'a/b': 1}, raw=True)\n"
                  "[o.data for o in c.outputs]",
    "caught twice": "with capture_output() as one:\n    display(1)\n    with capture_output() as two: display(2)\n"
                    "len(one.outputs), len(two.outputs)",
    "caught figure": "import matplotlib.pyplot as plt\nwith capture_output() as c: plt.plot([1]); plt.show()\n"
                     "[sorted(o.data) for o in c.outputs]",
    "caught publisher": "p = CapturingDisplayPublisher(); p.publish({'a': 1}, {}); p.outputs",
    "data": "format_display_data(Own()), format_display_data(5)",
    "data included": "format_display_data(Own(), include=['text/html']), shown.format(5, include={'text/html'})",
    "data excluded": "shown.format(Own(), exclude=['text/html'])",
    "data both": "shown.format(Own(), include=['text/html'], exclude=['text/html'])",
    "classes": "type(html), isinstance(html, HTMLFormatter), isinstance(shown, DisplayFormatter)",
    "one formatter": "html(Own()), html(5), html(Own), plain([1]), PNGFormatter()(Own())",
    "contained": "html.for_type(int, str); int in html, bool in html, str in html, int in plain",
    "popped": "html.pop(int)(1), int in html, html.pop(int, None), failure(html.pop, int)",
    "popped name": "html.for_type('fractions.Fraction', str); html.pop('fractions.Fraction')(1)",
    "popped by class": "html.for_type('fractions.Fraction', str); html.pop(Fraction)(1), Fraction(1, 2)",
    "none": "html.singleton_printers[id(None)] = lambda n: 'n'; display(None)",
    "none again": "html.singleton_printers.clear(); display(None)",
    "none as text": "plain.singleton_printers[id(None)] = lambda n, p, c: p.text('n'); display(None, [None])",
    "none as text again": "del plain.singleton_printers[id(None)]; display(None)",
    "precision": "plain.float_precision = 3\n[0.123456, {'a': 1.5}]",
    "precision told": "plain.float_format, plain.float_precision",
    "precision of arrays": "import numpy as np; plain.float_precision = 2; np.array([0.123456])",
    "precision as format": "plain.float_precision = '%.1e'\n0.123456",
    "wrong precision": "[failure(setattr, plain, 'float_precision', p) for p in ('x', -1, '%q')]",
    "float format": "plain.float_precision = ''; plain.float_format = '%.1f'\n0.55, np.array([0.123456])",
    "no format": "plain.float_format = '%r'\n0.55", "no pprint": "plain.pprint = False\nlist(range(40))",
    "length": "settings(pprint=True, max_seq_length=3)\nlist(range(9))",
    "width": "settings(max_seq_length=1000, max_width=20)\nlist(range(20))",
    "line ends": "settings(max_width=79, newline='|')\nlist(range(40))",
    "verbose": "settings(newline='\\n', verbose=True)\nimport re; re.sub('0x.*? ', '', plain([Thing()]))",
    "not verbose": "settings(verbose=False)\nre.sub('0x[^>]*', '', plain([Thing()]))",
    "put back": "old = plain.for_type(dict, lambda d, p, c: p.text('D')); a = plain({})\n"
                "plain.for_type(dict, old); a, {1: 2}",
    "bundle printer": "shown.mimebundle_formatter.for_type(Own, lambda o: {'text/html': 'h', 'a/b': 'c'}); Own()",
    "bundle printer gone": "shown.mimebundle_formatter.pop(Own) and Own()",
    "bundle and printer": "html.for_type(Bundle, lambda b: 'printer'); Bundle()",
    "bundle alone": "html.pop(Bundle) and Bundle()",
    "self": "shown.ipython_display_formatter.for_type(Own, lambda o: print('itself')); Own()",
    "self in display": "display(Own(), 1); print(shown.format(Own()))",
    "not self": "shown.ipython_display_formatter.pop(Own) and Own()",
    "another type": "class New(BaseFormatter):\n    format_type = 'x/new'; print_method = '_repr_new_'\n"
                    "class A(Own):\n    def _repr_new_(self): return 'new'\n"
                    "shown.register_formatter(New(parent=shown)); A()",
    "no other type": "del shown.formatters['x/new']; A()",
}


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An environment with all packages of the tests but IPython and its kin."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    packages, = folder.glob("lib/python*/site-packages")
    for entry in pathlib.Path(pytest.__file__).parents[1].iterdir():
        if not entry.name.startswith(HIDDEN):
            (packages / entry.name).symlink_to(entry)
    return folder


def run_both(bare, tmp_path_factory, cells):
    """name -> messages of what a cell shows, with and without IPython."""
    from support.kernel import Kernel
    found = {}
    for environment in (sys.prefix, bare):
        kernel = Kernel(tmp_path_factory.mktemp("kernel"), env={"VIRTUAL_ENV": environment})
        client = kernel.client()
        client.run(f"import os; os.chdir({str(tmp_path_factory.mktemp('cells'))!r})").ok()
        for name, code in cells.items():
            run = client.run(code, seconds=scaled(3 * SOON))
            found.setdefault(name, []).append([m for m in run.messages if kinds(m)])
        kernel.finish()
    return found


@pytest.fixture(scope="module")
def outputs(bare, tmp_path_factory):
    return run_both(bare, tmp_path_factory, CELLS)


@pytest.fixture(scope="module")
def exact(bare, tmp_path_factory):
    return run_both(bare, tmp_path_factory, {"own": OWN, **SAME, **SAME_SHELL})


def kinds(message):
    if message.type == "error":
        return message.type, message.content["ename"], message.content["evalue"]
    if message.type == "stream":
        return message.type, message.content["text"]
    if "data" in message.content:
        return message.type, sorted(message.content["data"])
    return None


def shown(message):
    """All of it but what differs with each run."""
    if "data" in message.content:
        return message.type, message.content["data"], message.content["metadata"]
    return kinds(message)


@pytest.mark.parametrize("name", list(CELLS))
def test_cell_shows_the_same_types_without_ipython(outputs, name):
    with_ipython, without = outputs[name]

    assert [kinds(m) for m in without] == [kinds(m) for m in with_ipython]


@pytest.mark.parametrize("name", [*SAME, *SAME_SHELL])
def test_cell_shows_the_same_without_ipython(exact, name):
    with_ipython, without = exact[name]

    assert [shown(m) for m in without] == [shown(m) for m in with_ipython]
    assert "error" not in [m.type for m in without]


def test_ipython_is_not_there(bare, start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": bare}).client()

    run = client.run("import IPython.core.interactiveshell")

    assert run.content["ename"] == "ModuleNotFoundError"
