# SPDX-License-Identifier: MIT
"""Tests and benches leave the home of the user who runs them as it is."""
import os
import pathlib
import subprocess
import sys

import pytest

from support import home
from support.build import BUILD, PANDIA, ROOT, scaled

# A kernel as the benchmarks start it, after what each of them does first.
CELL = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests/bench")!r})
sys.argv = ["bench", "--build", {str(BUILD)!r}]
import raw_client, report
%s
with raw_client.Kernel([{str(PANDIA)!r}, "kernel", "-f", "{{connection_file}}"]) as kernel:
    kernel.settle()
    assert kernel.execute("'a cell of a test'")["status"] == "ok"
"""
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
RUNS = {
    "programs of others": (*PYTEST, "-k", "execute_interactive",
                           "tests/conformance/test_jupyter_client.py"),
    "our own client": (*PYTEST, "tests/e2e/test_displays.py"),
    "a benchmark": ("-c", CELL % "report.arguments('')"),
}


class User:
    """Somebody who has used the kernel, with every variable that can name a place of theirs."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("PYTEST_", "JUPYTER_"))} | home.variables(folder)
        self.env["PYTHONDONTWRITEBYTECODE"] = "1"
        for data in (self.env["XDG_DATA_HOME"], folder / ".local/share"):
            history = pathlib.Path(data, "pandia/history.sqlite")
            history.parent.mkdir(parents=True)
            history.write_bytes(b"")

    def files(self):
        """All there is, with content and time of change."""
        return {path: (path.stat().st_mtime_ns, path.is_file() and path.read_bytes())
                for path in self.folder.rglob("*")}

    def run(self, *words):
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=self.env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=scaled(60), check=False)
        assert done.returncode == 0, done.stdout


@pytest.fixture
def user(tmp_path):
    return User(tmp_path / "user")


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_run_leaves_the_home_of_its_user_alone(user, words):
    before = user.files()

    user.run(*words)

    assert user.files() == before


def test_kernel_in_that_home_would_be_noticed(user):
    before = user.files()

    user.run("-c", CELL % "")

    assert user.files() != before
