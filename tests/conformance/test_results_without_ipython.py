# SPDX-License-Identifier: MIT
"""The same values where IPython is not installed: they have the MIME types that they have with it,
and nothing that a library shows is lost."""
import pathlib
import subprocess
import sys

import pytest

from conformance.results_values import DISPLAYS, LIBRARIES, METHODS
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
    "retina gif": "i = Image(b'GIF89a\x04\0\x06\0', retina=True); i.width, i.height",
    "retina jpeg": "i = Image(JPEG, retina=True); i.width, i.height",
    "retina webp": "i = Image(b'RIFF1234WEBPVP8X' + bytes(8) + b'\x07\0\0\x09\0\0', retina=True)\n"
                   "i.width, i.height",
    "size by metadata": "i = Image(PNG, metadata={'width': 3}); i.width, i.height",
    "bar": "b = ProgressBar(7); b._progress = 3; b",
    "autoplay": "y = YouTubeVideo('a', allow_autoplay=True, start=3); y.id, y.params, y.extras",
    "formula": "from IPython.lib.latextools import latex_to_png\n"
               "[latex_to_png('x^2', wrap=True, scale=s)[16:24] for s in (1., 2.)]",
    "formula encoded": "latex_to_png('$$x$$', encode=True)[:8]",
    "no formula": "print(latex_to_png('$\\\\nonsense{$'), latex_to_png('x', backend='dvi'))",
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


@pytest.fixture(scope="module")
def outputs(bare, tmp_path_factory):
    """name -> messages of what a cell shows, with and without IPython."""
    from support.kernel import Kernel
    found = {}
    for environment in (sys.prefix, bare):
        kernel = Kernel(tmp_path_factory.mktemp("kernel"), env={"VIRTUAL_ENV": environment})
        client = kernel.client()
        client.run(f"import os; os.chdir({str(tmp_path_factory.mktemp('cells'))!r})").ok()
        for name, code in {**METHODS, **SAME, **CELLS}.items():
            run = client.run(code, seconds=scaled(3 * SOON))
            found.setdefault(name, []).append([m for m in run.messages if kinds(m)])
        kernel.finish()
    return found


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


@pytest.mark.parametrize("name", list(SAME))
def test_cell_shows_the_same_without_ipython(outputs, name):
    with_ipython, without = outputs[name]

    assert [shown(m) for m in without] == [shown(m) for m in with_ipython]


def test_ipython_is_not_there(bare, start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": bare}).client()

    run = client.run("import IPython.core.interactiveshell")

    assert run.content["ename"] == "ModuleNotFoundError"
