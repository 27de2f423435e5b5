# SPDX-License-Identifier: MIT
"""JavaScript contexts beside bare QuickJS, a bare fork, node processes, and the kernels of deno and
tslab, in one run.

Cells: CPU time of the context's process, kernel included, beside a JS_Eval of the same text in a loop
of C. First result: a request for a new context of the zygote and its first `1+1`, beside fork() of a
process that has loaded the same, until the child's first byte. Memory: private memory of 100 idle
contexts beside that of node processes that wait (20 of them are run; 100 are counted with the median
of these). What is there once is left out on both sides; ours, broker and zygote, is printed.
Peers: from build/deps/js-peers, as script/get-js-peers leaves them; with PANDIA_MUST_WORK=1 both must be
there. deno is its own program, tslab runs in node."""

import os
import pathlib
import statistics
import subprocess
import sys
import time

import report
import wire
from raw_client import Kernel
from support.node_path import node_path

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = ROOT / "build/deps/js-peers"
CELL_AT_MOST = 5  # bare JS_Evals
CONTEXTS = 100
NODES = 20
CELLS_PER_ROUND = 400
EIGHT_LINES = """\
const squares = [];
for (let n = 0; n < 10; n++) squares.push(n * n);
let total = 0;
for (const square of squares) {
  if (square % 2) total += square;
}
const mean = total / squares.length;
Math.round(Math.sqrt(mean) * 1000) / 1000"""


class Bare:
    """The yardsticks in C."""

    def __init__(self, build):
        self.process = subprocess.Popen([os.path.join(build, "tests/bench/js_bare")], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def cell_us(context, clock, source, together=20):
    """CPU time of the context per cell; requests lie there already, as in "run all"."""
    requests = [context.request(source) for _ in range(CELLS_PER_ROUND)]
    start = time.clock_gettime_ns(clock)
    for at in range(0, CELLS_PER_ROUND, together):
        context.wire.sendall(b"".join(requests[at:at + together]))
        context.wait_for("done", together)
    return (time.clock_gettime_ns(clock) - start) / CELLS_PER_ROUND / 1000


def cell_rows(context, bare, rounds):
    clock = wire.cpu_clock(context.pid)
    for what, source, limit in (("1+1, back to back", "1+1", CELL_AT_MOST), ("8 lines, back to back", EIGHT_LINES, None)):
        pairs = [(cell_us(context, clock, source), bare.ask("eval 2000")) for _ in range(rounds + 1)][1:]
        ours, yard = (statistics.median(side) for side in zip(*pairs))
        yield report.Row(what, ours, yard, statistics.median(o / b for o, b in pairs), at_most=limit)


def first_result_us(zygote, made):
    """The context is kept: the zygote would tell of its end in the middle of the next fork."""
    start = time.perf_counter()
    context = zygote.fork()
    context.start()
    context.wire.sendall(context.request("1+1"))
    context.wait_for("done")
    elapsed = time.perf_counter() - start
    made.append(context)
    return elapsed * 1e6


def fork_row(zygote, bare, rounds):
    made = []
    pairs = [(first_result_us(zygote, made), bare.ask("fork")) for _ in range(rounds + 3)][3:]
    ours, yard = (statistics.median(side) for side in zip(*pairs))
    for context in made:
        context.close()
    return report.Row("fork to first result", ours, yard, ours / yard, at_most=4)


def go_without(remedy):
    """A yardstick is missing: an end in CI, a word elsewhere."""
    if os.environ.get("PANDIA_MUST_WORK") == "1":
        sys.exit(remedy)
    print(remedy)


def smaps_kb(pid, *names):
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(names))


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def family(pid):
    found = [pid]
    for child in children(pid):
        found += family(child)
    return found


def private_kb(pid):
    return smaps_kb(pid, "Private_Clean:", "Private_Dirty:")


def contexts_kb(pandia):
    """Private memory of 100 contexts, fresh and when each has run a cell; PSS of what is there once."""
    kernel = Kernel([pandia, "kernel", "-f", "{connection_file}", "--language", "javascript"])
    try:
        kernel.kernel_info()
        kernel.settle()
        pids = []
        for n in range(CONTEXTS):
            ask = kernel.send(kernel.control, "create_context_request",
                              {"context_id": f"c{n}", "language": "javascript"})
            _, content = kernel.wait_reply(kernel.control, ask)
            assert content["status"] == "ok", content
            pids.append(content["context"]["pid"])
        fresh = sum(map(private_kb, pids))
        once = sum(smaps_kb(pid, "Pss:") for pid in family(kernel.process.pid) if pid not in pids)
        for n in range(CONTEXTS):
            assert kernel.execute(f"%%context c{n}\n1+1")["status"] == "ok"
        return fresh, sum(map(private_kb, pids)), once
    finally:
        kernel.close()


def nodes_kb(node):
    """Private memory of 100 waiting node processes, from 20."""
    program = "console.log(1); setInterval(() => {}, 1e6)"
    nodes = [subprocess.Popen([node, "-e", program], stdout=subprocess.PIPE) for _ in range(NODES)]
    try:
        for process in nodes:
            process.stdout.readline()
        return statistics.median(private_kb(process.pid) for process in nodes) * CONTEXTS
    finally:
        for process in nodes:
            process.kill()
            process.wait()
            process.stdout.close()


def memory_rows(args):
    node = node_path()
    if node is None:
        go_without("memory: no node here to compare with; run script/get-npm-tests")
        return
    theirs = nodes_kb(node) / 1000
    fresh, used, once = (kb / 1000 for kb in contexts_kb(args.pandia))
    print(f"broker and zygote are there once: {once:.1f} MB")
    yield report.Row("100 idle contexts", fresh, theirs, theirs / fresh, at_least=50)
    yield report.Row("100 after a cell each", used, theirs, theirs / used)


def kernels(args):
    """Ours, and the peers that are there."""
    found = {"pandia": [args.pandia, "kernel", "-f", "{connection_file}", "--language", "javascript"]}
    node = node_path()
    deno = PEERS / "bin/deno"
    tslab = PEERS / "node_modules/tslab/bin/tslab"
    if deno.exists():
        found["deno"] = [str(deno), "jupyter", "--kernel", "--conn", "{connection_file}"]
    if tslab.exists() and node is not None:
        found["tslab"] = [node, str(tslab), "kernel", "--config-path", "{connection_file}", "--js"]
    missing = [name for name in ("deno", "tslab") if name not in found]
    if missing:
        go_without(f"{' and '.join(missing)}: not there; run script/get-js-peers")
    return found


def spawn_ms(argv):
    kernel = Kernel(argv)
    try:
        kernel.kernel_info()
        return (time.perf_counter() - kernel.started) * 1000
    finally:
        kernel.close()


def round_trip_ms(argv, count):
    kernel = Kernel(argv)
    try:
        kernel.kernel_info()
        kernel.settle()
        times = []
        for _ in range(count + 10):
            start = time.perf_counter()
            assert kernel.execute("1+1")["status"] == "ok"
            times.append((time.perf_counter() - start) * 1000)
        return statistics.median(times[10:])
    finally:
        kernel.close()


def peer_rows(args, rounds):
    found = kernels(args)
    for what, measure in (("spawn to kernel_info_reply", spawn_ms),
                          ("1+1 round trip, p50", lambda argv: round_trip_ms(argv, 100))):
        times = {name: [] for name in found}
        for _ in range(rounds):
            for name, argv in found.items():
                times[name].append(measure(argv))
        medians = {name: statistics.median(values) for name, values in times.items()}
        for name in list(medians)[1:]:
            yield report.Row(f"{what}: {name}", medians["pandia"], medians[name],
                             medians[name] / medians["pandia"], at_least=1)


def main():
    args = report.arguments(__doc__.splitlines()[0])
    rounds = max(5, round(15 * args.scale))
    worker = os.path.join(args.build, "libexec", "pandia", "pandia-javascript")
    bare = Bare(args.build)
    with wire.Zygote(worker) as zygote:
        cells = zygote.fork()
        cells.start()
        rows = [*cell_rows(cells, bare, rounds), fork_row(zygote, bare, rounds * 5)]
        cells.close()
    bare.close()
    failures = [report.show("javascript, us", ("pandia", "bare"), rows)]
    memory = list(memory_rows(args))
    if memory:
        failures.append(report.show("memory, MB", ("pandia", "node"), memory))
    peers = list(peer_rows(args, max(3, round(5 * args.scale))))
    if peers:
        failures.append(report.show("kernels, ms", ("pandia", "peer"), peers, args.json))
    sys.exit("; ".join(filter(None, failures)) or None)


if __name__ == "__main__":
    main()
