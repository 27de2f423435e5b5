# SPDX-License-Identifier: MIT
"""Registers the build's kernels in a folder of their own, where everything Jupyter in these tests
finds them, and nothing else does."""
import os
import subprocess

import pytest

from support import home
from support.build import PANDIA, environment, sanitizer_reports
from support.processes import Adopted


@pytest.fixture(scope="session")
def registered(tmp_path_factory):
    """The environment of a program that uses the registered kernels."""
    folder = tmp_path_factory.mktemp("jupyter")
    variables = environment(folder)
    subprocess.run([PANDIA, "install", "--prefix", folder], check=True, env=variables,
                   stdout=subprocess.DEVNULL)
    variables |= home.variables(folder / "home") | {"JUPYTER_PATH": str(folder / "share/jupyter")}
    yield variables
    reports = sanitizer_reports(folder)
    assert not reports, "\n".join(reports)


@pytest.fixture(scope="module", autouse=True)
def jupyter(registered):
    """Puts the process itself into that environment; what it starts must be gone at the end."""
    before = dict(os.environ)
    os.environ.update({name: value for name, value in registered.items() if name != "PATH"})
    adopted = Adopted()
    yield registered
    os.environ.clear()
    os.environ.update(before)
    # A console does not wait for the kernel that it has told to end.
    adopted.wait_gone("kernels of programs that have ended", seconds=5)
