# SPDX-License-Identifier: MIT
"""Waiting with a deadline for what no descriptor tells of."""
import select
import time

from support.build import SOON, scaled

PAUSE = 0.005  # between two looks


def wait_until(condition, what, seconds=SOON):
    """Returns the first true value of `condition()`; fails with `what` after the deadline."""
    deadline = time.monotonic() + scaled(seconds)
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {scaled(seconds):g} s")
        select.select([], [], [], PAUSE)


class Stopwatch:
    """with Stopwatch() as watch: ...; watch.seconds"""

    def __enter__(self):
        self.start = time.monotonic()
        return self

    def __exit__(self, *_):
        self.seconds = time.monotonic() - self.start
