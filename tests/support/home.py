# SPDX-License-Identifier: MIT
"""A home of their own for tests and benches. What keeps something for its user (the history of the
kernel, the folders of Jupyter and IPython, caches) finds this one instead of the home of whoever
runs the tests, which is neither read nor written.
Not here: the environment of a single kernel (build.py), which has nothing of the caller's at all."""
import os
import pathlib
import shutil
import tempfile

# Every variable that names a place for data of the user, and where it points to in a home.
PLACES = {
    "HOME": "",
    "XDG_DATA_HOME": "data",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_STATE_HOME": "state",
    "XDG_RUNTIME_DIR": "run",
    "IPYTHONDIR": "ipython",
    "JUPYTER_DATA_DIR": "jupyter/data",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "JUPYTER_RUNTIME_DIR": "jupyter/run",
    "MPLCONFIGDIR": "matplotlib",
}


def variables(folder):
    """The variables of a process that lives in `folder`, which is made ready."""
    places = {name: pathlib.Path(folder) / place for name, place in PLACES.items()}
    for place in places.values():
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {name: str(place) for name, place in places.items()} | {"JUPYTER_PLATFORM_DIRS": "1"}


def move_in():
    """Moves this process, and with it everything that it starts, into a new home. Gives a function
    that takes the home away again."""
    folder = tempfile.mkdtemp(prefix="pandia-home-")
    os.environ.update(variables(folder))
    os.environ.pop("JUPYTER_PATH", None)
    return lambda: shutil.rmtree(folder, ignore_errors=True)
