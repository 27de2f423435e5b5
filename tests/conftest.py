# SPDX-License-Identifier: MIT
"""Fixtures of all Python tests against the real binary (PANDIA_BUILD, build/release by default).
With PANDIA_MUST_WORK=1 a test that is skipped has failed."""
import collections
import os

import pytest

from support import build, home
from support.kernel import Kernel
from support.processes import become_subreaper

TEST_SECONDS = 60
CLOCKS = {"Stopwatch", "monotonic", "latencies"}
EVERY = 10
HAS_FAILED = pytest.StashKey[bool]()


def pytest_configure(config):
    if not build.PANDIA.is_file():
        raise pytest.UsageError(f"no {build.PANDIA}: run script/build, or set PANDIA_BUILD")
    config.add_cleanup(home.move_in())
    become_subreaper()


def looks_at_a_clock(item):
    """Whether the test itself measures: other work on the machine would change its outcome."""
    code = getattr(getattr(item, "function", None), "__code__", None)
    return code is not None and not CLOCKS.isdisjoint(code.co_names)


def drop_rows(config, items):
    """Takes most rows of the tables away: of each test of a module that is marked `rows` the first case
    and every tenth after it are kept."""
    seen = collections.Counter()
    kept, dropped = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        more = item.get_closest_marker("rows") is not None and seen[test] % EVERY != 0
        (dropped if more else kept).append(item)
        seen[test] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=dropped)


# Before -m chooses among the tests.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if build.SANITIZED:
        drop_rows(config, items)
    for item in items:
        if looks_at_a_clock(item):
            item.add_marker("alone")
        if item.get_closest_marker("timeout") is None:
            seconds = TEST_SECONDS * (5 if item.get_closest_marker("slow") else 1)
            item.add_marker(pytest.mark.timeout(build.scaled(seconds)))


def must_work(report):
    """Turns a skip into a failure where everything has to be there."""
    if report.skipped and os.environ.get("PANDIA_MUST_WORK") == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped, and PANDIA_MUST_WORK is set: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = must_work((yield))
    if report.failed:
        item.stash[HAS_FAILED] = True
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report():
    return must_work((yield))


@pytest.fixture
def start_kernel(tmp_path, request):
    """Starts kernels; at the end of the test each must go without a trace."""
    kernels = []

    def start(**options):
        kernel = Kernel(tmp_path / f"k{len(kernels)}", **options)
        kernels.append(kernel)
        return kernel

    yield start
    problems = []
    for kernel in reversed(kernels):
        try:
            kernel.finish()
        except Exception as problem:  # the others must be ended too
            problems.append(problem)
    # A test that has failed did not come to what it expects of the log: one complaint is enough.
    if problems and HAS_FAILED not in request.node.stash:
        raise problems[0]


@pytest.fixture
def kernel(start_kernel, request):
    """A kernel of the language of the module (`LANGUAGE`), Python by default."""
    return start_kernel(language=getattr(request.module, "LANGUAGE", "python"))


@pytest.fixture
def client(kernel):
    """A client of `kernel`."""
    return kernel.client()
