# SPDX-License-Identifier: MIT
"""What a figure costs, and what it costs the cells without one.

A line plot of 640 x 480, from display() to the frame on its way to the broker, beside
savefig(bbox_inches="tight"), which is what notebooks send; both in the same context, in turns. Then
what the end of a cell does about figures when there is none, beside a whole cell. Two contexts of
the same history differ by 10 %, so the difference of two would say nothing. All is CPU time."""

import json
import site
import statistics
import sys

import report
import wire
from bench_cells import cells_us

SETUP = """\
import io, json, time
import numpy as np
import matplotlib.pyplot as plt

def line_plot():
    x = np.linspace(0, 10, 200)
    for n in range(3):
        plt.plot(x, np.sin(x + n), label=f"curve {n}")
    plt.title("Three curves"); plt.xlabel("time"); plt.ylabel("value"); plt.legend()
    return plt.gcf()

def save(figure):
    figure.savefig(io.BytesIO(), bbox_inches="tight")

def figure_ms(show):
    figure = line_plot()
    start = time.process_time()
    show(figure)
    elapsed = time.process_time() - start
    plt.close("all")
    return elapsed * 1000

def pairs(times, *ways):
    return json.dumps([[figure_ms(way) for way in ways] for _ in range(times + 1)][1:])
"""

END = """\
import timeit
from matplotlib_inline.backend_inline import flush_figures
print(min(timeit.repeat(flush_figures, number=10000, repeat=5, timer=time.process_time)) * 100)"""


def figure_row(context, times):
    """The first round of each warms up; a pair is measured at one time."""
    pairs = json.loads(context.execute(f"print(pairs({times}, display, save))"))
    ours, saved = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(a / b for a, b in pairs)
    return report.Row("figure of 640 x 480 (ms)", ours, saved, ratio, at_most=0.7)


def cell_row(context, rounds):
    clock = wire.cpu_clock(context.pid)
    cell = statistics.median(cells_us(context, clock, "1+1", 20) for _ in range(rounds))
    end = float(context.execute(END))
    return report.Row("end of a cell, no figure (us)", end, cell, end / cell, at_most=0.01)


def main():
    args = report.arguments(__doc__.splitlines()[0])
    with wire.Zygote(args.worker) as zygote:
        context = zygote.fork()
        context.start()
        context.execute(f"import sys; sys.path[:0] = {site.getsitepackages()!r}")
        context.execute(SETUP)
        rows = [figure_row(context, max(5, round(30 * args.scale))),
                cell_row(context, max(5, round(15 * args.scale)))]
    sys.exit(report.show("figures", ("ours", "yardstick"), rows, args.json))


if __name__ == "__main__":
    main()
