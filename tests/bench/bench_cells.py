# SPDX-License-Identifier: MIT
"""What a cell costs in the worker, beside a bare compile + exec by the same interpreter.

Both sides are CPU time of the one context process, kernel included, so that other work on the
machine counts for little: cells by its CPU clock while this program sends requests and reads the
replies; the bare figure by a cell that compiles and executes the same text in a loop.
Back to back: the next requests lie there already, as in "run all"; this is the cost of a cell.
One at a time: each is sent when the one before is answered, so that the process falls asleep and
is woken in between, with colder caches: what the system adds."""

import statistics
import sys
import time

import report
import wire

EIGHT_LINES = """\
import math
squares = [n * n for n in range(10)]
total = 0
for square in squares:
    if square % 2:
        total += square
mean = total / len(squares)
round(math.sqrt(mean), 3)"""

# what, source, requests sent together, how many times a bare compile + exec it may cost
CELLS = (
    ("1+1, back to back", "1+1", 20, 4.0),
    ("1+1, one at a time", "1+1", 1, None),
    ("8 lines, back to back", EIGHT_LINES, 20, 3.0),
    ("8 lines, one at a time", EIGHT_LINES, 1, None),
)
CELLS_PER_ROUND = 400

BARE = """\
def _bare(source, count):
    import time
    space = {"__name__": "__main__"}
    start = time.process_time_ns()
    for _ in range(count):
        exec(compile(source, "<bare>", "exec"), space)
    return (time.process_time_ns() - start) / count / 1000
"""


def cells_us(context, clock, source, together):
    """CPU time of the context per cell."""
    requests = [context.request(source) for _ in range(CELLS_PER_ROUND)]
    batches = [b"".join(requests[at:at + together])
               for at in range(0, CELLS_PER_ROUND, together)]
    start = time.clock_gettime_ns(clock)
    for batch in batches:
        context.wire.sendall(batch)
        context.wait_for("done", together)
    return (time.clock_gettime_ns(clock) - start) / CELLS_PER_ROUND / 1000


def bare_us(context, source):
    return float(context.execute("print(_bare(%r, %d))" % (source, CELLS_PER_ROUND)))


def measure(context, source, together, rounds):
    """Rounds alternate, so that a change of the clock rate hits both; the first warms up."""
    clock = wire.cpu_clock(context.pid)
    pairs = [(cells_us(context, clock, source, together), bare_us(context, source))
             for _ in range(rounds + 1)][1:]
    ours, bare = (statistics.median(side) for side in zip(*pairs))
    return ours, bare, statistics.median(o / b for o, b in pairs)


def main():
    args = report.arguments(__doc__)
    rounds = max(5, round(15 * args.scale))
    rows = []
    with wire.Zygote(args.worker) as zygote:
        context = zygote.fork()
        context.start()
        context.execute(BARE)
        for what, source, together, limit in CELLS:
            figures = measure(context, source, together, rounds)
            rows.append(report.Row(what, *figures, at_most=limit))
        context.close()
    sys.exit(report.show("cells, CPU us", ("worker", "bare"), rows, args.json))


if __name__ == "__main__":
    main()
