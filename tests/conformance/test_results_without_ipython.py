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
    """name -> kinds and MIME types of what a cell shows, with and without IPython."""
    from support.kernel import Kernel
    found = {}
    for environment in (sys.prefix, bare):
        kernel = Kernel(tmp_path_factory.mktemp("kernel"), env={"VIRTUAL_ENV": environment})
        client = kernel.client()
        for name, code in CELLS.items():
            run = client.run(code, seconds=scaled(3 * SOON))
            found.setdefault(name, []).append([kinds(m) for m in run.messages if kinds(m)])
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


@pytest.mark.parametrize("name", list(CELLS))
def test_cell_shows_the_same_types_without_ipython(outputs, name):
    with_ipython, without = outputs[name]

    assert without == with_ipython


def test_ipython_is_not_there(bare, start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": bare}).client()

    run = client.run("import IPython.core.interactiveshell")

    assert run.content["ename"] == "ModuleNotFoundError"
