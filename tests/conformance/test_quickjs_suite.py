# SPDX-License-Identifier: MIT
"""quickjs-ng's own tests as cells: each file that needs no qjs program is one cell, and of the large
files each test function is one. They come by script/get-js-tests; what cannot run as a cell is in
quickjs_deselected.txt with its reason."""
import pathlib
import re

import pytest

from support.build import ROOT
from support.kernel import Kernel

LANGUAGE = "javascript"
FOLDER = ROOT / "build/deps/quickjs-tests"
LIST = pathlib.Path(__file__).with_name("quickjs_deselected.txt")
# Whole programs whose functions are tests of their own.
LARGE = ("test_builtin.js", "test_language.js", "test_bigint.js", "test_loop.js", "test_closure.js",
         "test_base64.js", "test_domexception.js")
# Names of modules that only the qjs program has.
QJS = re.compile(r"qjs:|\b(?:std|os|bjson)\.|\bscriptArgs\b")
IMPORT_OF_ASSERT = re.compile(r"^import \{[^}]*\} from \"\./assert\.js\";?$", re.M)
IMPORT = re.compile(r"^import .*$", re.M)
CALL = re.compile(r"^(?:await )?(test\w*)\(\);?$", re.M)
MODULE = re.compile(r"^(?:import|export)\b", re.M)
# Functions that the qjs program has.
SETUP = "globalThis.print = console.log; globalThis.gc = () => {};"


def deselected():
    if not LIST.is_file():
        return {}
    rows = [line.split(maxsplit=1) for line in LIST.read_text("utf-8").splitlines()
            if line.strip() and not line.startswith("#")]
    return {name: reason for name, reason in rows}


def cases():
    """(file, function or None) of everything that is run."""
    if not FOLDER.is_dir():
        return []
    found = []
    left_out = deselected()
    for path in sorted(FOLDER.rglob("*.js")):
        name = str(path.relative_to(FOLDER))
        text = path.read_text("utf-8")
        if name in LARGE:
            found += [(name, function) for function in dict.fromkeys(CALL.findall(text))]
        elif not QJS.search(text) and not path.name.startswith("fixture_"):
            found.append((name, None))
    return [(name, function) for name, function in found
            if name not in left_out and f"{name}:{function}" not in left_out]


def source(name):
    """A file as a cell: assert.js has been run before it, and nothing else is imported."""
    original = (FOLDER / name).read_text("utf-8")
    text = IMPORT.sub("", IMPORT_OF_ASSERT.sub("", original))
    strict = '"use strict"; ' if MODULE.search(original) else ""  # modules are, cells are not
    return strict + (CALL.sub("", text) if name in LARGE else text)


def expected_error(name):
    """The name of the error that a test is about; None when it must pass."""
    found = re.search(r"negative:\s*(?:phase: \w+\s*)?type: (\w+)", (FOLDER / name).read_text("utf-8"))
    return found[1] if found else None


CASES = cases()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    if not FOLDER.is_dir():
        pytest.skip("no tests of quickjs-ng: run script/get-js-tests")
    kernel = Kernel(tmp_path_factory.mktemp("quickjs"), language=LANGUAGE)
    yield kernel
    kernel.finish()


@pytest.fixture
def client(kernel):
    """Files tamper with globals: each has a context of its own."""
    client = kernel.client()
    yield client
    client.control("delete_context_request", context_id="case")
    kernel.forget(client)


@pytest.mark.parametrize("name, function", CASES, ids=[f"{n}:{f}" if f else n for n, f in CASES])
def test_cell_of_the_engines_own_tests(client, name, function):
    assert client.control("create_context_request", context_id="case",
                          language=LANGUAGE).status == "ok"
    client.run(SETUP + (FOLDER / "assert.js").read_text("utf-8"), context="case").ok()

    run = client.run(source(name), context="case")
    if function is not None:
        run.ok()
        run = client.run(f"await {function}()", context="case")

    error = expected_error(name)
    assert (run.content.get("ename") if error else run.status) == (error or "ok"), run.content


def test_the_sample_is_large_enough(kernel):
    assert len(CASES) >= 100
    assert len(deselected()) <= 30
