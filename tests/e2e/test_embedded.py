# SPDX-License-Identifier: MIT
"""Which Python runs the cells, and where it takes its packages from: the interpreter of the build,
embedded, for itself and for its virtual environments. Others are refused in one clear line."""
import os
import shutil
import subprocess
import sys
import sysconfig

import pytest

from support.build import BUILD, PANDIA, WORKERS, environment, scaled

WHERE = "import sys; print(sys.prefix, sys.version.split()[0])"
LOOK = """
import os, sys, site
print(sys.executable)
print(sys.prefix)
print(sys.base_prefix)
print(os.readlink("/proc/self/exe"))
print(sys.version.split()[0])
print(sys.flags.utf8_mode, sys.flags.isolated)
"""


def build_python():
    """The interpreter that CMake found beside the library it embeds."""
    for line in (BUILD / "CMakeCache.txt").read_text("utf-8").splitlines():
        if line.startswith("PANDIA_PYTHON_EXECUTABLE"):
            return line.split("=", 1)[1]
    done = subprocess.run(["pkg-config", "--variable=exec_prefix", "python3-embed"], text=True,
                          stdout=subprocess.PIPE, check=True)
    version = subprocess.run(["pkg-config", "--modversion", "python3-embed"], text=True,
                             stdout=subprocess.PIPE, check=True).stdout.strip()
    return f"{done.stdout.strip()}/bin/python{version}"


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    """A virtual environment of the build's interpreter, with a module of its own."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([build_python(), "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "only_here.py").write_text("ANSWER = 42\n", "utf-8")
    return folder


def look(client):
    names = ("executable", "prefix", "base_prefix", "exe", "version", "flags")
    return dict(zip(names, client.run(LOOK).ok().stdout.splitlines()))


def test_default_worker_runs_embedded(kernel, client):
    seen = look(client)

    assert os.path.realpath(seen["exe"]) == os.path.realpath(WORKERS / "pandia-python")
    assert os.path.realpath(seen["executable"]) == os.path.realpath(build_python())
    assert seen["prefix"] == seen["base_prefix"]
    real = subprocess.run([build_python(), "-c", WHERE],
                          text=True, stdout=subprocess.PIPE, check=True).stdout.split()
    assert (seen["prefix"], seen["version"]) == tuple(real[:2])


@pytest.mark.parametrize("how", ["folder", "python", "variable"])
def test_environment_of_the_same_build_runs_embedded(start_kernel, venv, how):
    options = {
        "folder": {"args": ["--python", str(venv)]},
        "python": {"args": ["--python", str(venv / "bin/python")]},
        "variable": {"env": {"VIRTUAL_ENV": str(venv)}},
    }[how]
    client = start_kernel(**options).client()

    seen = look(client)

    assert os.path.realpath(seen["exe"]) == os.path.realpath(WORKERS / "pandia-python")
    assert os.path.dirname(seen["executable"]) == str(venv / "bin")
    assert seen["prefix"] == str(venv)
    assert seen["base_prefix"] != str(venv)
    assert client.run("import only_here; only_here.ANSWER").ok().result == "42"


def test_module_of_an_environment_is_not_in_the_default(client):
    assert client.run("import only_here").content["ename"] == "ModuleNotFoundError"


def test_subprocess_of_an_environment_is_in_it_too(start_kernel, venv):
    client = start_kernel(args=["--python", str(venv)]).client()

    run = client.run("""
import subprocess, sys
subprocess.run([sys.executable, "-c", "import only_here, sys; print(sys.prefix)"])
subprocess.run(["python", "-c", "import only_here, sys; print(sys.prefix)"])""").ok()

    assert run.stdout == f"{venv}\n{venv}\n"


def test_moved_environment_keeps_its_own_modules(start_kernel, venv, tmp_path):
    moved = tmp_path / "moved"
    shutil.copytree(venv, moved, symlinks=True)
    client = start_kernel(args=["--python", str(moved)]).client()

    assert look(client)["prefix"] == str(moved)
    assert client.run("import only_here; only_here.__file__").ok().result.startswith(f"'{moved}")


def refused(python, **env):
    done = subprocess.run([PANDIA, "exec", "-c", "1", "--python", python], text=True,
                          capture_output=True, timeout=scaled(20), env=environment("/tmp", **env))
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def foreign_venv(folder, version):
    """What `venv` of another Python would leave."""
    home = folder.parent / "opt/bin"
    for path in (home, folder / "bin"):
        path.mkdir(parents=True)
    (home / "python3").write_text("#!/bin/sh\nexit 0\n", "utf-8")
    (home / "python3").chmod(0o755)
    for name in ("python", "python3"):
        (folder / "bin" / name).symlink_to(home / "python3")
    (folder / "pyvenv.cfg").write_text(f"home = {home}\nversion = {version}\n"
                                       f"executable = {home}/python3\n", "utf-8")
    return folder


@pytest.mark.parametrize("version", ["3.9.1", "3.99.0", sysconfig.get_python_version() + ".99"])
def test_foreign_environment_is_refused_in_one_clear_line(tmp_path, version):
    folder = foreign_venv(tmp_path / "foreign", version)

    line = refused(folder)

    assert str(folder) in line
    assert version in line, "the reader must see what is different"
    assert build_python() in line, "and what would be right"


def test_foreign_interpreter_is_refused_in_one_clear_line(tmp_path):
    program = tmp_path / "bin/python3"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n", "utf-8")
    program.chmod(0o755)

    assert str(program) in refused(program)


@pytest.mark.parametrize("path", ["/nowhere/bin/python", "/proc", "/dev/null", "/etc/passwd"])
def test_what_is_no_interpreter_is_refused_in_one_clear_line(path):
    assert path in refused(path)


def test_foreign_environment_around_the_kernel_gives_way_with_a_warning(start_kernel, tmp_path):
    folder = foreign_venv(tmp_path / "foreign", "3.99.0")
    kernel = start_kernel(env={"VIRTUAL_ENV": str(folder)})
    client = kernel.client()

    assert os.path.realpath(look(client)["executable"]) == os.path.realpath(build_python())
    kernel.take_log(str(folder))


def test_environment_of_the_tests_is_no_foreign_one(start_kernel):
    """The suite itself runs in an environment of the build's interpreter, and cells can use it."""
    client = start_kernel(args=["--python", sys.prefix]).client()

    assert client.run("import zmq; zmq.__file__").ok().result.startswith(f"'{sys.prefix}")


@pytest.mark.parametrize("name, value", [
    ("PYTHONPATH", "/nowhere"), ("PYTHONSTARTUP", "/nowhere"), ("PYTHONINSPECT", "1"),
    ("PYTHONWARNINGS", "error"), ("PYTHONUTF8", "0"), ("PYTHONUNBUFFERED", "1"),
    ("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONHASHSEED", "0"), ("LANG", "C"), ("LC_ALL", "POSIX"),
    ("TERM", "nonsense"), ("HOME", "/nowhere")])
def test_variables_around_the_kernel_do_not_break_it(start_kernel, name, value):
    client = start_kernel(env={name: value}).client()

    assert client.run("print('é😀'); 1 + 1").ok().result == "2"
    assert client.run(f"import os; os.environ[{name!r}]").ok().result == repr(value)
