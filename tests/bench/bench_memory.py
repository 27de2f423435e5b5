# SPDX-License-Identifier: MIT
"""Private memory of an idle context beside that of an ipykernel with the same imports, in one run.

Private is what smaps_rollup calls Private_Clean and Private_Dirty: what one more of them costs. Of
either kind several run at once, so that files mapped by all of them count for none. The ratio
leaves the zygotes and the broker out, which are there once; they are printed beside."""

import statistics
import sys

from raw_client import Kernel
from report import Row, arguments, show
from warm import IMPORTS, PID, WarmKernel, ask

AT_LEAST = 25  # contexts in the memory of one ipykernel


def private_kb(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file
                   if line.startswith(("Private_Clean", "Private_Dirty")))


def context_pids(kernel, count):
    """Makes contexts that have imported the modules."""
    return [int(ask(kernel, f"%%context {kernel.new_name()}\n{IMPORTS}", PID))
            for _ in range(count)]


def pandia_kb(pandia, count):
    """Medians of a context, and of what is there once."""
    with WarmKernel(pandia) as kernel:
        pids = context_pids(kernel, count)
        zygote = int(ask(kernel, f"%%context c{kernel.made}", "__import__('os').getppid()"))
        once = private_kb(zygote) + private_kb(kernel.process.pid)
        return statistics.median(map(private_kb, pids)), once


def ipykernel_kb(count):
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernels = [Kernel(argv) for _ in range(count)]
    try:
        for kernel in kernels:
            kernel.kernel_info()
            kernel.settle()
        pids = [int(ask(kernel, IMPORTS, PID)) for kernel in kernels]
        return statistics.median(map(private_kb, pids))
    finally:
        for kernel in kernels:
            kernel.close()


def main():
    args = arguments(__doc__.splitlines()[0])
    ours, once = pandia_kb(args.pandia, max(5, round(50 * args.scale)))
    theirs = ipykernel_kb(max(2, round(3 * args.scale)))
    print(f"{IMPORTS}; warm zygote and broker are there once: {once / 1000:.1f} MB")
    row = Row("an idle context", ours / 1000, theirs / 1000, theirs / ours, at_least=AT_LEAST)
    sys.exit(show("private memory (MB)", ("pandia", "ipykernel"), [row], args.json))


if __name__ == "__main__":
    main()
