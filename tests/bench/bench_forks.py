# SPDX-License-Identifier: MIT
"""From asking for a new context of the warm zygote to its first result, beside a bare fork of a
process of the same size, in one run.

The yardstick: an interpreter with the same modules imported, collected and frozen as the zygote is,
calls fork() of libc; the child writes one byte into a pipe and exits; taken until the byte is read.

What is compared with it: a client sends `1+1` for a context that does not exist yet, until it has
both reply and `idle`. That holds the birth of the context, its first cell, and the whole way through
ZeroMQ, signatures and a client in Python, none of which the yardstick has. It is taken twice in each
round: when the zygote has rested, and has a spare child that only has to be told who it is; and
right after that, when it has to fork first. Both must meet the target at the median."""

import os
import statistics
import subprocess
import sys
import time

from report import Row, arguments, show
from warm import IMPORTS, WarmKernel, ask

WARM_UP = 5
AT_MOST = 4  # bare forks
PARENT = "__import__('os').getppid()"

YARDSTICK = f"""
import asyncio, ctypes, gc, json, os, sys, time, traceback
gc.disable()
{IMPORTS}
gc.collect()
gc.freeze()
bare_fork = ctypes.PyDLL(None).fork  # libc's own: os.fork() would run the hooks of the interpreter
def fork():
    ours, theirs = os.pipe()
    start = time.perf_counter()
    pid = bare_fork()
    if pid == 0:
        os.write(theirs, b"x")
        os._exit(0)
    os.read(ours, 1)
    elapsed = time.perf_counter() - start
    os.waitpid(pid, 0)
    os.close(ours)
    os.close(theirs)
    return elapsed
print("ready", flush=True)
for line in sys.stdin:
    print(fork(), flush=True)
"""


class Yardstick:
    """The process that is forked bare."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", YARDSTICK], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == "ready\n"

    def measure(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline()) * 1000

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(call, *args):
    start = time.perf_counter()
    reply = call(*args)
    assert reply["status"] == "ok", reply
    return (time.perf_counter() - start) * 1000


def first_result_ms(kernel):
    return measure(kernel.execute, f"%%context {kernel.new_name()}\n1+1")


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return len(file.read().split())


def wait_for(condition, what):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(.002)


def resident_mb(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def rows(times):
    bare = times.pop("bare fork")
    for what, values in times.items():
        for name, of in (("median", statistics.median), ("5 %", fifth)):
            ours, yardstick = of(values), of(bare)
            limit = AT_MOST if name == "median" and "first" in what else None
            yield Row(f"{what}, {name}", ours, yardstick, ours / yardstick, at_most=limit)


def fifth(values):
    return statistics.quantiles(values, n=20)[0]


def main():
    args = arguments(__doc__.splitlines()[0])
    rounds = max(20, round(100 * args.scale))

    yardstick = Yardstick()
    times = {"bare fork": [], "first result, rested": [], "first result, at once": [],
             "round trip, no birth": []}
    with WarmKernel(args.pandia) as kernel:
        zygote = int(ask(kernel, f"%%context {kernel.new_name()}", PARENT))
        kernel.forget_all()
        with_spare = 1 + (int(ask(kernel, "", PARENT)) == zygote)  # the default context stays
        for _ in range(rounds + WARM_UP):
            wait_for(lambda: children(zygote) == with_spare, "no spare")
            yardstick.measure()  # both have rested; what follows shows neither a cold cache
            times["bare fork"].append(yardstick.measure())
            times["first result, rested"].append(first_result_ms(kernel))
            times["first result, at once"].append(first_result_ms(kernel))
            times["round trip, no birth"].append(measure(kernel.execute, "1+1"))
            kernel.forget_all()
            wait_for(lambda: children(zygote) <= with_spare, "the contexts are still there")
        sizes = resident_mb(zygote), resident_mb(yardstick.process.pid)
    yardstick.close()
    print(f"resident: zygote {sizes[0]:.0f} MB, yardstick {sizes[1]:.0f} MB")
    times = {what: values[WARM_UP:] for what, values in times.items()}
    sys.exit(show("forks (ms)", ("pandia", "bare fork"), list(rows(times)), args.json))


if __name__ == "__main__":
    main()
