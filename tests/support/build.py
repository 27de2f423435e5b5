# SPDX-License-Identifier: MIT
"""The build under test: where it is, how patient to be with it, and the environment it gets.
Not here: starting it (kernel.py)."""
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PANDIA_BUILD") or ROOT / "build/release").resolve()
PANDIA = BUILD / "bin/pandia"
WORKERS = BUILD / "libexec/pandia"
SANITIZED = "asan" in BUILD.name

# What a deadline is multiplied with. Sanitizers make processes several times slower.
SLOW = float(os.environ.get("PANDIA_SLOW") or (5 if SANITIZED else 1))

# What a number without a natural size is multiplied with: 1 for the record, less in a hurry.
SCALE = float(os.environ.get("PANDIA_SCALE") or 0.1)

# How long to wait for what should happen at once: only a broken product takes this long, so it
# is generous. Tests that measure speed name their own limits.
SOON = 20.0


def scaled(seconds):
    """A limit that is meant for a quick build, as this build may need it."""
    return seconds * SLOW


def many(number):
    """As many as the record asks for, or as there is time for."""
    return max(1, round(number * SCALE))


def environment(folder, **extra):
    """The whole environment of a kernel. Nothing of the caller's own comes in, so that an active
    virtual environment or a locale cannot change a result. Sanitizers write into `folder`; they
    leave SIGSEGV and SIGABRT alone, because some tests want to see a context die of them."""
    report = f"log_path={folder}/sanitizer:exitcode=99:print_stacktrace=1"
    variables = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "ASAN_OPTIONS": f"{report}:detect_leaks=1:handle_segv=0:handle_abort=0",
        "UBSAN_OPTIONS": f"{report}:halt_on_error=1",
    }
    if SANITIZED:
        # The interpreter's own allocator hides from the leak checker what it still holds.
        variables["PYTHONMALLOC"] = "malloc"
    for name, value in extra.items():
        if value is None:
            variables.pop(name, None)
        else:
            variables[name] = str(value)
    return variables


def sanitizer_reports(folder):
    """What sanitizers wrote, one text per process."""
    return [file.read_text("utf-8", "replace") for file in sorted(folder.glob("sanitizer.*"))]
