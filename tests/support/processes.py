# SPDX-License-Identifier: MIT
"""Who is left: the test process is a subreaper, so every process that outlives its kernel, in
whatever session it hides, becomes a child of ours and is seen here."""
import contextlib
import ctypes
import os
import signal

import psutil

from support.waiting import wait_until

PR_SET_CHILD_SUBREAPER = 36


def become_subreaper():
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def children():
    """Pids of our children, zombies too."""
    pids = set()
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(FileNotFoundError):  # a thread that has just ended
            with open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
                pids.update(int(word) for word in file.read().split())
    return pids


def describe(pid):
    try:
        process = psutil.Process(pid)
        return f"{pid} ({process.status()}, parent {process.ppid()}): {process.cmdline()}"
    except psutil.NoSuchProcess:
        return f"{pid} (gone)"


def alive(pid):
    """True while the process runs; a zombie has ended."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def descendants(pid):
    """Pids below `pid`, zombies too."""
    try:
        return {process.pid for process in psutil.Process(pid).children(recursive=True)}
    except psutil.NoSuchProcess:
        return set()


class Adopted:
    """What came to us since this object was made, apart from what we started ourselves."""

    def __init__(self):
        self.before = children()
        self.ours = set()

    def started(self, pid):
        self.ours.add(pid)

    def now(self):
        """Their pids. One that is gone when we look was started by this process, which has just
        waited for it: an adopted one stays a zombie until reap()."""
        return {pid for pid in children() - self.before - self.ours if psutil.pid_exists(pid)}

    def reap(self):
        """Takes the dead ones away; returns the pids of those that still run."""
        running = set()
        for pid in self.now():
            if os.waitpid(pid, os.WNOHANG)[0] == 0:
                running.add(pid)
        return running

    def wait_gone(self, what, seconds=10):
        """Waits until nobody is left; kills who stays and fails with their names."""
        try:
            wait_until(lambda: not self.reap(), what, seconds)
        except AssertionError as late:
            left = [describe(pid) for pid in self.now()]
            self.kill()
            raise AssertionError(f"{late}; left: {left}") from None

    def kill(self):
        for pid in self.reap():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not self.reap(), "killed strays are gone")
