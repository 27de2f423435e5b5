# SPDX-License-Identifier: MIT
"""What a figure costs, and what it costs the cells without one.

A line plot of 640 x 480, from display() to the frame on its way to the broker, beside
savefig(bbox_inches="tight"), which is what notebooks send; both in the same context, in turns. Then
cells without a figure, in a context that has shown some, beside one that saved as many to files by
another backend. All is CPU time of the context."""

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


def figure_row(context, other, times):
    """The first round of each warms up; a pair is measured at one time."""
    other.execute(f"plt.switch_backend('agg'); pairs({times}, save, save)")
    pairs = json.loads(context.execute(f"print(pairs({times}, display, save))"))
    ours, saved = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(a / b for a, b in pairs)
    return report.Row("figure of 640 x 480 (ms)", ours, saved, ratio, at_most=0.7)


def cell_row(with_figures, without, rounds):
    sides = [(each, wire.cpu_clock(each.pid)) for each in (with_figures, without)]
    pairs = [[cells_us(context, clock, "1+1", 20) for context, clock in sides]
             for _ in range(rounds + 1)][1:]
    ours, bare = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(a / b for a, b in pairs)
    return report.Row("cell without a figure (us)", ours, bare, ratio, at_most=1.1)


def main():
    args = report.arguments(__doc__.splitlines()[0])
    with wire.Zygote(args.worker) as zygote:
        showing, saving = zygote.fork(), zygote.fork()
        for context in (showing, saving):
            context.start()
            context.execute(f"import sys; sys.path[:0] = {site.getsitepackages()!r}")
            context.execute(SETUP)
        rows = [figure_row(showing, saving, max(5, round(30 * args.scale))),
                cell_row(showing, saving, max(5, round(15 * args.scale)))]
    sys.exit(report.show("figures", ("ours", "yardstick"), rows, args.json))


if __name__ == "__main__":
    main()
