# SPDX-License-Identifier: MIT
"""The tests that ipykernel has for itself, unchanged, from its source distribution. They start the
kernel that Jupyter knows as "python3": a folder in JUPYTER_PATH makes that ours.

What cannot hold is deselected by id, with its reason, in ipykernel_deselected.txt; what ipykernel
skips on such a machine, whatever the kernel, is named here. Nothing else may be missing."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

import pytest

from support import home
from support.build import PANDIA, ROOT, environment, scaled

SUITE = ROOT / "build/deps/suites/ipykernel"
FILES = ("tests/test_message_spec.py", "tests/test_kernel.py", "tests/test_async.py")
DESELECTED = pathlib.Path(__file__).with_name("ipykernel_deselected.txt")
DESELECTED_MAX = 8
SKIPPED = {
    "tests.test_kernel::test_capture_fd": "always: it clashes with the capturing of pytest",
    "tests.test_kernel::test_subprocess_peek_at_stream_fileno": "always, likewise",
    "tests.test_kernel::test_complete": "for Windows",
    "tests.test_kernel::test_unc_paths": "for Windows",
    "tests.test_kernel::test_shutdown_subprocesses": "never on Linux",
    "tests.test_async::test_async_interrupt[trio]": "trio is not in requirements.txt",
}
SECONDS = 240


def deselected():
    """The ids in the file; each has a reason."""
    rows = [line.split("\t") for line in DESELECTED.read_text("utf-8").splitlines()]
    assert all(len(row) == 2 and row[1].strip() for row in rows), "a line is: id, tab, reason"
    return [row[0] for row in rows]


@pytest.fixture
def jupyter_with_our_python3(tmp_path):
    """The environment of a Jupyter whose kernel "python3" is the build's."""
    variables = environment(tmp_path)
    subprocess.run([PANDIA, "install", "--prefix", tmp_path, "--python", sys.executable],
                   check=True, env=variables, stdout=subprocess.DEVNULL)
    kernels = tmp_path / "share/jupyter/kernels"
    shutil.copytree(kernels / "pandia-python", kernels / "python3")
    variables |= home.variables(tmp_path / "home") | {"JUPYTER_PATH": str(kernels.parent)}
    pathlib.Path(variables["IPYTHONDIR"], "profile_default").mkdir()
    return variables


def run_suite(variables, report):
    """Runs it and returns what it printed. Its own settings hold, beside what pytest-asyncio wants
    to be told; what it would write into its folder and on a terminal is turned off."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "log_cli=false",
               "-o", "asyncio_default_fixture_loop_scope=function", "--color=no",
               "--junitxml", report, *FILES]
    for test in deselected():
        command += ["--deselect", test]
    done = subprocess.run(command, cwd=SUITE, env={**variables, "PYTHONDONTWRITEBYTECODE": "1"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=scaled(SECONDS))
    return done.stdout


def outcomes(report):
    """The ids of a report by what became of them: passed, skipped, failure or error."""
    found = {}
    for case in tree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case} & {"skipped", "failure", "error"}
        kind = kinds.pop() if kinds else "passed"
        found.setdefault(kind, set()).add(f"{case.get('classname')}::{case.get('name')}")
    return found


def test_at_most_eight_tests_are_deselected():
    ids = deselected()

    assert len(set(ids)) == len(ids)
    assert len(ids) <= DESELECTED_MAX


def test_the_kernel_under_test_is_ours(jupyter_with_our_python3):
    done = subprocess.run([sys.executable, "-m", "jupyter", "kernelspec", "list", "--json"],
                          check=True, env=jupyter_with_our_python3, text=True,
                          stdout=subprocess.PIPE, timeout=scaled(60))

    assert json.loads(done.stdout)["kernelspecs"]["python3"]["spec"]["argv"][0] == str(PANDIA)


@pytest.mark.alone  # its test_print_to_correct_cell_from_thread races a thread with the next cell
@pytest.mark.timeout(scaled(SECONDS + 30))
def test_suite_of_ipykernel_passes(jupyter_with_our_python3, tmp_path):
    assert SUITE.is_dir(), f"no {SUITE}: run script/get-suites"

    printed = run_suite(jupyter_with_our_python3, tmp_path / "report.xml")

    assert (tmp_path / "report.xml").is_file(), printed
    found = outcomes(tmp_path / "report.xml")
    assert not found.get("failure") and not found.get("error"), printed[-20000:]
    assert found["skipped"] == set(SKIPPED)
    left_out = re.search(r"(\d+) deselected", printed)
    assert int(left_out[1] if left_out else 0) == len(deselected()), "an id fits none, or several"
    assert len(found["passed"]) + len(found["skipped"]) + len(deselected()) == 62
