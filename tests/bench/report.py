# SPDX-License-Identifier: MIT
"""What the benchmarks have in common: their arguments, their table, and how they fail."""

import argparse
import atexit
import json
import os
import pathlib
import sys
from dataclasses import asdict, dataclass
from typing import Optional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import home  # noqa: E402


def arguments(description):
    """--build, --scale and --json; `pandia` and `worker` are the programs of that build. From here on
    the benchmark, and what it starts, has a home of its own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", required=True, help="the directory of the build to measure")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--scale", type=float, default=float(os.environ.get("PANDIA_SCALE", "1")),
                        help="of the number of rounds; 1 for the record, 0.1 for a smoke test")
    args = parser.parse_args()
    atexit.register(home.move_in())
    args.pandia = os.path.join(args.build, "bin", "pandia")
    args.worker = os.path.join(args.build, "libexec", "pandia", "pandia-python")
    return args


@dataclass
class Row:
    """One figure beside its yardstick, and the bounds of their ratio if there are any."""

    what: str
    ours: float
    yardstick: float
    ratio: float
    at_most: Optional[float] = None
    at_least: Optional[float] = None

    def target(self):
        if self.at_most is not None:
            return "<= %g" % self.at_most
        return ">= %g" % self.at_least if self.at_least is not None else ""

    def is_met(self):
        return ((self.at_most is None or self.ratio <= self.at_most) and
                (self.at_least is None or self.ratio >= self.at_least))


def show(title, columns, rows, json_path=None):
    """Prints the table. Returns what to exit with: None, or which targets were missed."""
    print("%-30s %10s %10s %8s  %s" % (title, *columns, "ratio", "target"))
    for row in rows:
        print("%-30s %10.2f %10.2f %8.2f  %-6s %s" % (
            row.what, row.ours, row.yardstick, row.ratio, row.target(),
            "" if row.is_met() else "MISSED"), flush=True)
    if json_path:
        with open(json_path, "w") as f:
            json.dump([asdict(row) for row in rows], f, indent=2)
    missed = [row for row in rows if not row.is_met()]
    return "; ".join("%s: %.2f, wanted %s" % (row.what, row.ratio, row.target())
                     for row in missed) or None
