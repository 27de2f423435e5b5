# SPDX-License-Identifier: MIT
"""Times Pandia and ipykernel in one run, by one client, and prints the ratios.

Absolute figures depend on the machine; the ratios are what counts."""

import sys
import time

import report
from raw_client import Kernel


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def spawn_ms(argv):
    """From just before the process is started to a verified kernel_info_reply."""
    with Kernel(argv) as kernel:
        kind, content = kernel.kernel_info()
        elapsed = time.perf_counter() - kernel.started
        assert kind == "kernel_info_reply" and content["status"] == "ok", content
        return elapsed * 1000


def round_trips_ms(argv, count):
    with Kernel(argv) as kernel:
        kernel.settle()
        for _ in range(10):
            assert kernel.execute("1+1")["status"] == "ok"
        times = []
        for _ in range(count):
            start = time.perf_counter()
            reply = kernel.execute("1+1")
            times.append((time.perf_counter() - start) * 1000)
            assert reply["status"] == "ok", reply
        return times


def first_cell_ms(argv):
    """From just before the process is started to the end of its first cell."""
    with Kernel(argv) as kernel:
        kernel.kernel_info()
        msg_id = kernel.send(kernel.shell, "execute_request", {"code": "1+1", "silent": False})
        _, content = kernel.wait_reply(kernel.shell, msg_id)
        assert content["status"] == "ok", content
        return (time.perf_counter() - kernel.started) * 1000


def alternate(kernels, measure, rounds):
    """Interleaves the kernels, so that a noisy moment of the machine hits all of them."""
    results = {name: [] for name in kernels}
    for _ in range(rounds):
        for name, argv in kernels.items():
            value = measure(argv)
            results[name].extend(value if isinstance(value, list) else [value])
    return results


def main():
    args = report.arguments(__doc__)
    kernels = {
        "pandia": [args.pandia, "kernel", "-f", "{connection_file}"],
        "ipykernel": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
    }
    rounds = max(3, round(10 * args.scale))
    trips = max(50, round(300 * args.scale))
    spawn = alternate(kernels, spawn_ms, rounds)
    first = alternate(kernels, first_cell_ms, rounds)
    trip = alternate(kernels, lambda argv: round_trips_ms(argv, trips), 2)
    rows = []
    for what, values, share, at_least in (
            ("spawn to kernel_info_reply", spawn, 0.5, 20),
            ("spawn to end of first cell", first, 0.5, None),
            ("1+1 round trip, p50", trip, 0.5, None),
            ("1+1 round trip, p99", trip, 0.99, None)):
        ours, theirs = (percentile(values[name], share) for name in ("pandia", "ipykernel"))
        rows.append(report.Row(what, ours, theirs, theirs / ours, at_least=at_least))
    sys.exit(report.show("kernels, ms", ("pandia", "ipykernel"), rows, args.json))


if __name__ == "__main__":
    main()
