# SPDX-License-Identifier: MIT
"""Bare and warm: contexts come from an interpreter that has the modules of `--preload`, as soon as
it is ready; until then, and whatever a module does to it, the bare one serves."""
import os
import re
import signal
import sys

import psutil
import pytest

from support.build import SANITIZED, scaled
from support.contexts import create
from support.processes import alive
from support.waiting import Stopwatch, wait_until

PARENT = "import os; print(os.getppid())"
STUCK = """
import os, time
while not os.path.exists(os.environ["HOME"] + "/go"):
    time.sleep(.01)
"""


class Preloading:
    """A kernel with a preload list, told by its log."""

    def __init__(self, start_kernel, folder, preload, modules=None, args=()):
        (folder / "modules").mkdir()
        for name, source in (modules or {}).items():
            (folder / "modules" / f"{name}.py").write_text(source, "utf-8")
        self.kernel = start_kernel(
            args=["--log-level", "info", "--python", sys.executable, "--preload", preload, *args],
            env={"PYTHONPATH": folder / "modules"})
        self.client = self.kernel.client()
        self.pids = set()  # contexts of the warm zygote that a test knows of

    def zygotes(self, kind):
        """Pids of those that got ready, in order."""
        return [int(pid) for pid in re.findall(rf'msg="zygote ready" kind={kind} .*?pid=(\d+)',
                                               self.kernel.stderr())]

    def zygote(self, kind, count=1):
        """Pid of the `count`-th one, once it is ready."""
        wait_until(lambda: len(self.zygotes(kind)) >= count,
                   f"{kind} zygote, have {self.kernel.stderr()!r}", seconds=50)
        return self.zygotes(kind)[count - 1]

    def run(self, code, context=None):
        """Output of the code in a context of that name, or the default one."""
        return self.client.run(code, context=context).ok().stdout

    def fresh(self, name, code=PARENT, **options):
        """Output of the first line of a new context."""
        create(self.client, name, **options)
        return self.run(code, context=name)

    def warnings(self):
        return [line for line in self.kernel.stderr().splitlines() if "lvl=info" not in line]

    def end(self, *patterns):
        """Ends the kernel; these and no other warnings must have been there."""
        self.kernel.shutdown()
        left = self.warnings()
        for pattern in patterns:
            line = next((text for text in left if re.search(pattern, text)), None)
            assert line is not None, f"no line with {pattern!r} among {left}"
            left.remove(line)
        assert not left, f"lines that nobody expected: {left}"
        self.kernel.log_taken = len(self.kernel.stderr().splitlines())


@pytest.fixture
def preload(start_kernel, tmp_path):
    """preload("numpy,pandas", modules={"name": "source"})"""
    return lambda *args, **options: Preloading(start_kernel, tmp_path, *args, **options)


def test_fresh_context_finds_the_modules_loaded(preload):
    p = preload("colorsys,wave", modules={})
    p.zygote("warm")

    seen = p.fresh("a", "import sys; print({'colorsys', 'wave'} <= set(sys.modules), dir())")

    assert seen.startswith("True ")
    assert "wave" not in seen, "loaded, but not in the way of the user's names"
    p.end()


def test_without_a_list_there_is_one_zygote(kernel, client):
    client.run("1").ok()

    assert kernel.zygote()


def test_context_made_while_warming_comes_from_the_bare_one_at_once(preload):
    p = preload("stuck", modules={"stuck": STUCK})
    bare = p.zygote("bare")
    wait_until(lambda: len(p.kernel.children()) == 2, "the warm one loads")

    with Stopwatch() as watch:
        assert int(p.fresh("early")) == bare
    assert watch.seconds < scaled(2)

    (p.kernel.folder / "go").touch()
    warm = p.zygote("warm")
    assert int(p.fresh("late")) == warm
    assert p.run("'stuck' in __import__('sys').modules and print('yes')", "late") == "yes\n"
    p.end()


def test_modules_are_not_taken_from_the_current_directory(preload):
    p = preload("colorsys,mine")
    (p.kernel.folder / "mine.py").write_text("", "utf-8")

    p.zygote("warm")

    assert p.fresh("a", "import sys; print('mine' in sys.modules, sys.path[0] == '')") == (
        "False True\n")
    p.end("preload failed.*module=mine why=\"ModuleNotFoundError")


FAILURES = {
    "raises": ("1/0", 'why="ZeroDivisionError: division by zero"'),
    "exits": ("import sys; sys.exit(4)", 'why="SystemExit: 4"'),
    "ends": ("import os; os._exit(3)", 'why="the python worker ended with exit status 3"'),
    "crashes": ("import ctypes; ctypes.string_at(0)", 'why="the python worker was killed by SIGSEGV"'),
    "hangs": ("import threading; threading.Event().wait()", 'why="it was not loaded within 2.0 s"'),
    "threads": ("import threading\nthreading.Thread(target=threading.Event().wait, name='ticker', "
                "daemon=True).start()", r'why="it leaves threads running \(1\).*: ticker"'),
}


@pytest.mark.parametrize("name", FAILURES)
def test_module_that_fails_is_reported_and_the_rest_is_served(preload, name):
    source, why = FAILURES[name]
    p = preload(f"colorsys,{name},wave", modules={name: source}, args=["--preload-timeout", "2"])
    assert int(p.run(PARENT)) > 0

    warm = p.zygote("warm")

    assert int(p.fresh("a")) == warm
    assert p.run("import sys; print({'colorsys', 'wave'} <= set(sys.modules))", "a") == "True\n"
    assert p.run(f"print('{name}' in sys.modules)", "a") == "False\n"
    p.end(f"preload failed.*language=python module={name} {why}")


def test_module_that_is_missing_is_reported(preload):
    p = preload("no.such_module,colorsys")
    warm = p.zygote("warm")

    assert int(p.fresh("a")) == warm
    p.end('preload failed.*module=no.such_module why="ModuleNotFoundError: No module named .no.')


def test_module_that_prints_is_named_and_stays(preload):
    p = preload("prints", modules={"prints": """
import os, sys
print("from python")
os.write(2, b"from below")
kept = sys.stdout"""})
    p.zygote("warm")

    assert p.fresh("a", "import prints; prints.kept.write('still works')") == "still works"
    p.end(r'preload printed.*module=prints why="from python\?from below"')


def test_thread_that_is_about_to_end_is_waited_for(preload):
    p = preload("brief", modules={"brief": """
import threading
threading.Timer(.1, lambda: None).start()"""})

    assert int(p.fresh("a")) > 0
    p.zygote("warm")
    p.end()


def test_too_many_bad_modules_leave_the_bare_one(preload):
    names = [f"bad{i}" for i in range(5)]
    p = preload(",".join(names), modules=dict.fromkeys(names, "import os; os._exit(3)"))
    bare = p.zygote("bare")
    wait_until(lambda: "given up" in p.kernel.stderr(), "it gives up")

    assert int(p.fresh("a")) == bare
    p.end(*(f"preload failed.*module=bad{i}" for i in range(4)), "preloading given up")


def test_kill_of_the_bare_zygote_is_healed(preload):
    p = preload("stuck", modules={"stuck": STUCK})
    early = int(p.run("import os; x = 1; print(os.getpid())"))
    (p.kernel.folder / "go").touch()
    bare, warm = p.zygote("bare"), p.zygote("warm")

    os.kill(bare, signal.SIGKILL)
    wait_until(lambda: early in p.kernel.children(), "the broker adopts the context")

    assert p.run("print(x)") == "1\n"
    assert int(p.fresh("a")) == warm
    p.end()


def test_kill_of_the_warm_zygote_is_healed(preload):
    p = preload("colorsys")
    bare, warm = p.zygote("bare"), p.zygote("warm")
    context = int(p.fresh("a", "import os; x = 1; print(os.getpid())"))

    os.kill(warm, signal.SIGKILL)
    wait_until(lambda: context in p.kernel.children(), "the broker adopts the context")
    assert int(p.fresh("b")) in (bare, *p.zygotes("warm")), "served at once"
    again = p.zygote("warm", 2)

    assert p.run("print(x)", "a") == "1\n"
    assert int(p.fresh("c")) == again
    p.end()


def spare_of(p):
    """Pid of the child that the rested warm zygote has made ahead."""
    warm = psutil.Process(p.zygote("warm"))
    return wait_until(lambda: {child.pid for child in warm.children()} - p.pids, "a spare").pop()


def test_next_context_is_the_spare(preload):
    p = preload("colorsys")
    spares = []
    for name in ("a", "b", "c"):
        spares.append(spare_of(p))
        assert p.fresh(name, "import os; print(os.getpid(), os.getpgrp())").split() == (
            [str(spares[-1])] * 2), "it leads its own group like every context"
        p.pids.add(spares[-1])

    assert len(set(spares)) == 3
    p.end()


def test_burst_of_contexts_does_not_wait_for_spares(preload):
    p = preload("colorsys")
    warm = p.zygote("warm")
    names = [f"c{i}" for i in range(10)]
    for name in names:
        create(p.client, name)

    asked = [p.client.execute("import os, random; print(os.getppid(), random.random())",
                              context=name) for name in names]
    seen = [p.client.finish(request).ok().stdout.split() for request in asked]

    assert {int(parent) for parent, _ in seen} == {warm}
    assert len({number for _, number in seen}) == len(names), "random numbers differ"
    p.end()


def test_kill_of_the_spare_is_healed(preload):
    p = preload("colorsys")
    first = spare_of(p)

    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not psutil.pid_exists(first), "it is reaped")

    parent, pid = map(int, p.fresh("a", "import os; print(os.getppid(), os.getpid())").split())
    assert parent == p.zygote("warm")
    p.pids.add(pid)
    assert spare_of(p) not in (first, pid)
    p.end()


def test_kill_of_the_warm_zygote_ends_its_spare(preload):
    p = preload("colorsys")
    spare = spare_of(p)

    os.kill(p.zygote("warm"), signal.SIGKILL)

    wait_until(lambda: not psutil.pid_exists(spare), "the spare is gone, and reaped")
    p.zygote("warm", 2)
    p.end()


def test_death_of_a_context_of_the_warm_zygote_is_reported(preload):
    p = preload("colorsys")
    p.zygote("warm")
    create(p.client, "a")

    run = p.client.run("import os; os._exit(7)", context="a")

    assert run.content["ename"] == "ContextExited"
    assert "status 7" in run.content["evalue"]
    p.end("context ended.*status 7")


@pytest.mark.parametrize("when", ["loading", "ready"])
def test_kill_of_the_broker_ends_both(preload, when):
    p = preload("stuck", modules={"stuck": STUCK})
    wait_until(lambda: len(p.kernel.children()) == 2, "the warm one loads")
    if when == "ready":
        (p.kernel.folder / "go").touch()
        p.zygote("warm")
        p.client.wait_output(p.client.execute("print('go', flush=True)\nwhile True: pass"), "go")
    family = [child.pid for child in psutil.Process(p.kernel.pid).children(recursive=True)]

    p.kernel.send_signal(signal.SIGKILL)
    p.kernel.exit_code = -signal.SIGKILL
    p.kernel.wait_exit()

    wait_until(lambda: not any(map(alive, family)), "all of them are gone", seconds=5)
    p.kernel.log_taken = len(p.kernel.stderr().splitlines())


def test_shutdown_does_not_wait_for_a_module(preload):
    p = preload("stuck", modules={"stuck": STUCK})
    p.run("1")
    wait_until(lambda: len(p.kernel.children()) == 2, "the warm one loads")

    with Stopwatch() as watch:
        p.end()

    assert watch.seconds < scaled(2)


def test_collector_leaves_the_modules_alone_and_is_on(preload):
    p = preload("colorsys")
    p.zygote("warm")

    seen = p.fresh("a", "import gc; print(gc.isenabled(), gc.get_freeze_count() > 1000)")

    assert seen == "True True\n"
    p.end()


RANDOM = """
import os, random, secrets, tempfile, uuid
import numpy as np
print([random.random(), np.random.rand(), float(np.random.default_rng().random()), uuid.uuid4().hex,
       uuid.uuid1().hex, secrets.token_hex(8), os.urandom(8), next(tempfile._get_candidate_names())])
"""


def test_contexts_differ_in_every_random_source(preload):
    p = preload("numpy,random,uuid,tempfile,secrets")
    p.zygote("warm")

    drawn = [eval(p.fresh(name, RANDOM)) for name in ("a", "b", "c")]  # a list of plain values

    for values in zip(*drawn):
        assert len(set(values)) == len(values), values
    p.end()


def test_zygote_with_a_native_thread_pool_is_single_threaded(preload):
    """numpy's OpenBLAS starts threads when it is loaded, and knows of forks."""
    p = preload("numpy")
    warm = p.zygote("warm")

    assert psutil.Process(warm).num_threads() == 1
    assert p.fresh("a", "import numpy as np; a = np.ones((400, 400)); print((a @ a).sum())") == (
        "64000000.0\n")
    assert psutil.Process(warm).num_threads() == 1
    p.end()


def pages(pid):
    """Resident kilobytes of a process: shared with another one, and private."""
    sums = dict.fromkeys(("Shared", "Private"), 0)
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            kind = line.split("_")[0]
            if kind in sums and not line.startswith("Private_Hugetlb"):
                sums[kind] += int(line.split()[1])
    return sums["Shared"], sums["Private"]


def test_fresh_context_shares_its_pages_with_the_zygote(preload):
    p = preload("numpy")
    p.zygote("warm")
    # A page that the zygote writes after a fork is the context's own too: of three, one came quietly.
    contexts = [int(p.fresh(name, "import os; print(os.getpid())")) for name in "abc"]

    counts = [pages(context) for context in contexts]

    share = max(shared / (shared + private) for shared, private in counts)
    # The sanitizer's own memory is written to all over.
    assert share >= (.5 if SANITIZED else .9), f"kB shared and private: {counts}"
    p.end()


def test_matplotlib_is_ready_to_draw(preload):
    p = preload("matplotlib.pyplot")
    p.zygote("warm")
    assert list(p.kernel.folder.rglob("fontlist*.json")), "its font cache is made by the zygote"

    seen = p.fresh("a", "import matplotlib.pyplot as plt; print(plt.get_fignums(), plt.get_backend())")
    assert seen == "[] module://matplotlib_inline.backend_inline\n"
    chosen = p.fresh("b", "import matplotlib; print(matplotlib.get_backend())",
                     env={"MPLBACKEND": "svg"})
    assert chosen == "svg\n"
    p.end()


def test_libraries_that_were_imported_ahead_show_things(preload):
    p = preload("matplotlib.pyplot,PIL.Image")
    p.zygote("warm")
    create(p.client, "a")

    run = p.client.run("import matplotlib.pyplot as plt, PIL.Image\nplt.plot([1]); plt.show()\n"
                       "PIL.Image.new('RGB', (2, 2))", context="a").ok()

    forms = run.contents("display_data") + run.contents("execute_result")
    assert ["image/png" in each["data"] for each in forms] == [True, True]
    p.end()


def test_backend_that_was_imported_ahead_is_ours_too(preload):
    p = preload("matplotlib_inline.backend_inline,matplotlib.pyplot")
    p.zygote("warm")

    seen = p.fresh("a", "import matplotlib.pyplot as plt, matplotlib_inline.backend_inline as b\n"
                        "plt.plot([1]); b.flush_figures(); print(plt.get_fignums())")
    assert seen == "[]\n"
    p.end()


def test_library_that_was_imported_ahead_is_changed_when_it_is_reloaded(preload):
    p = preload("matplotlib")
    p.zygote("warm")

    seen = p.fresh("a", "import importlib, matplotlib\nimportlib.reload(matplotlib)\n"
                        "print(matplotlib.rcParams['backend'])")
    assert seen == "module://matplotlib_inline.backend_inline\n"
    p.end()


@pytest.mark.parametrize("names", ["", "a,,b", "1a", "a b", "os;x", "a.", ".a", "-x", "a" * 256])
def test_what_is_no_module_name_is_refused(start_kernel, names):
    kernel = start_kernel(args=[f"--preload={names}"])
    kernel.exit_code = 2

    assert kernel.wait_exit() == 2
    kernel.take_log("--preload: .* is no module name: write --preload numpy,pandas")
