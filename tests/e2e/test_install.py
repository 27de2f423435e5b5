# SPDX-License-Identifier: MIT
"""`pandia install`, `uninstall`, `status`, `doctor` and the help texts, on the real program."""
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import threading

import pytest

from support import build

KERNELS = ["pandia-javascript", "pandia-python", "pandia-typescript"]
MOONS = ["moon-javascript", "moon-python", "moon-typescript"]
COMMANDS = ["kernel", "exec", "install", "uninstall", "status", "doctor", "version", "help"]


class Installation:
    """A program in a home of its own, with an environment that has nothing else in it."""

    def __init__(self, binary, home):
        self.binary = pathlib.Path(binary)
        self.home = home
        self.kernels = home / ".local/share/jupyter/kernels"
        self.env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}

    def run(self, *words, **env):
        return subprocess.run([str(self.binary), *map(str, words)], env={**self.env, **env},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=build.scaled(30), check=False)

    def ok(self, *words, **env):
        done = self.run(*words, **env)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    def fails(self, code, *words, **env):
        """The program says one line, has this exit code, and writes no result."""
        done = self.run(*words, **env)
        assert done.returncode == code, done.stderr
        assert done.stdout == ""
        assert done.stderr.startswith("pandia") and done.stderr.count("\n") == 1
        return done.stderr

    def spec(self, name="pandia-python"):
        return json.loads((self.kernels / name / "kernel.json").read_text("utf-8"))

    def names(self):
        return sorted(path.name for path in self.kernels.iterdir())

    def findings(self, *words, **env):
        report = json.loads(self.run("doctor", "--json", *words, **env).stdout)
        return {finding["what"]: finding for finding in report["findings"]}

    def python(self):
        """The interpreter that is embedded."""
        return self.findings()["embedded Python"]["detail"].rsplit(" at ", 1)[1]


@pytest.fixture
def here(tmp_path):
    return Installation(build.PANDIA, tmp_path / "home")


@pytest.fixture
def venv(here, tmp_path):
    folder = tmp_path / "venv"
    subprocess.run([here.python(), "-m", "venv", "--without-pip", folder], check=True, timeout=60)
    return folder


def test_install_is_seen_by_jupyter(here):
    told = here.ok("install")

    listed = subprocess.run([sys.executable, "-m", "jupyter_client.kernelspecapp", "list",
                             "--json"], env=here.env, capture_output=True, text=True, timeout=60,
                            check=True)
    found = json.loads(listed.stdout)["kernelspecs"]["pandia-python"]
    assert found["resource_dir"] == str(here.kernels / "pandia-python")
    assert found["spec"]["argv"][:2] == [str(here.binary.resolve()), "kernel"]
    assert "{connection_file}" in found["spec"]["argv"]
    assert found["spec"]["interrupt_mode"] == "message"
    assert "Registered pandia-python" in told
    assert "jupyter console --kernel pandia-python" in told


@pytest.mark.parametrize("name", KERNELS)
def test_install_keeps_the_logos(here, name):
    here.ok("install")

    logos = sorted(path.name for path in (here.kernels / name).iterdir())

    assert logos == ["kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"]


@pytest.mark.parametrize("variables, words, place", [
    ({"JUPYTER_DATA_DIR": "data"}, ["--user"], "data/kernels"),
    ({"XDG_DATA_HOME": "xdg"}, [], "xdg/jupyter/kernels"),
    ({}, ["--prefix", "p"], "p/share/jupyter/kernels"),
])
def test_install_goes_where_it_is_told(here, tmp_path, variables, words, place):
    env = {name: str(tmp_path / value) for name, value in variables.items()}
    words = [tmp_path / word if word == "p" else word for word in words]

    here.ok("install", *words, **env)

    assert (tmp_path / place / "pandia-python/kernel.json").is_file()
    assert not here.home.exists()


def test_install_in_a_venv_records_its_interpreter(here, venv):
    told = here.ok("install", "--sys-prefix", VIRTUAL_ENV=str(venv))

    file = venv / "share/jupyter/kernels/pandia-python/kernel.json"
    spec = json.loads(file.read_text("utf-8"))
    assert spec["argv"][-2:] == ["--python", str(venv / "bin/python3")]
    assert spec["metadata"]["pandia"]["python"] == str(venv / "bin/python3")
    assert f"{venv}/bin/python3 (Python 3" in told


@pytest.mark.parametrize("kind", ["--symlinks", "--copies"])
def test_install_takes_the_folder_of_a_venv(here, tmp_path, kind):
    folder = tmp_path / "env"
    subprocess.run([here.python(), "-m", "venv", "--without-pip", kind, folder], check=True,
                   timeout=60)

    here.ok("install", "--python", folder)

    assert here.spec()["argv"][-1] == str(folder / "bin/python3")
    assert "embedded host" in here.findings("--python", folder)["interpreter"]["detail"]


def test_install_refuses_a_foreign_environment(here, tmp_path):
    conda = tmp_path / "conda"
    (conda / "bin").mkdir(parents=True)
    shutil.copy("/bin/true", conda / "bin/python3.12")
    (conda / "bin/python3").symlink_to("python3.12")

    said = here.fails(1, "install", CONDA_PREFIX=str(conda))

    assert f"{conda}/bin/python3 (from $CONDA_PREFIX) is another build of Python, 3.12" in said
    assert f"'{here.python()} -m venv DIR'" in said
    assert not here.home.exists()
    here.ok("install", "--python", here.python(), CONDA_PREFIX=str(conda))


def test_install_never_shows_a_half_written_spec(here):
    here.ok("install")
    done = threading.Event()

    def watch():
        seen = set()
        while not done.is_set():
            seen.add(json.dumps(here.spec()))
        return seen

    with concurrent.futures.ThreadPoolExecutor() as pool:
        watcher = pool.submit(watch)
        for _ in range(40):
            here.ok("install")
        done.set()

    assert len(watcher.result()) == 1
    assert here.names() == KERNELS


def test_install_by_many_at_once_leaves_one_whole_spec(here):
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: here.run("install"), range(24)))

    assert all(run.returncode == 0 for run in runs), [run.stderr for run in runs]
    assert here.names() == KERNELS
    assert here.spec()["argv"][0] == str(here.binary)


def test_install_refuses_what_is_not_its_own(here):
    other = here.kernels / "pandia-python"
    other.mkdir(parents=True)
    (other / "kernel.json").write_text('{"argv": ["other"]}', "utf-8")

    said = here.fails(1, "install")

    assert str(other) in said and "--name" in said
    assert (other / "kernel.json").read_text("utf-8") == '{"argv": ["other"]}'
    here.fails(1, "uninstall")
    assert other.is_dir()
    here.ok("install", "--name", "moon")
    assert here.spec("moon-python")["display_name"] == "Pandia Python"


@pytest.mark.parametrize("words", [
    ["--name", "a/b"], ["--name", ".."], ["--name", ""], ["--display-name", ""],
    ["--user", "--sys-prefix"], ["--sys-prefix"], ["--prefix", ""], ["--prefix"],
    ["--python", "/no/such/python3"], ["--nmae", "x"], ["stray"], ["--user=1"],
])
def test_install_bad_input_is_one_line_and_leaves_nothing(here, words):
    here.fails(2, "install", *words)

    assert not here.home.exists()


def test_install_that_cannot_write_leaves_nothing(here, tmp_path):
    (tmp_path / "file").touch()

    here.fails(1, "install", "--prefix", tmp_path / "file")
    here.fails(1, "install", "--prefix", "/proc/nowhere")

    assert (tmp_path / "file").is_file()


def test_program_finds_its_own_place_through_a_link(here, tmp_path):
    moved = tmp_path / "opt"
    shutil.copytree(here.binary.parents[1] / "share/pandia", moved / "share/pandia")
    (moved / "bin").mkdir()
    shutil.copy(here.binary, moved / "bin/pandia")
    (moved / "libexec/pandia").mkdir(parents=True)
    shutil.copy("/bin/true", moved / "libexec/pandia/pandia-python")
    (tmp_path / "pandia").symlink_to(moved / "bin/pandia")
    there = Installation(tmp_path / "pandia", here.home)

    there.ok("install")

    assert there.spec()["argv"][0] == str(moved / "bin/pandia")
    assert str(moved / "libexec/pandia/pandia-python") in there.findings()["python"]["detail"]


def test_uninstall_removes_what_was_installed(here):
    here.ok("install")
    here.ok("install", "--name", "moon")

    told = here.ok("uninstall")

    assert str(here.kernels / "pandia-python") in told
    assert here.names() == MOONS
    assert "no kernel" in here.fails(1, "uninstall")
    for name in MOONS:
        here.ok("uninstall", "--name", name)


def test_status_lists_what_is_registered_and_what_is_gone(here, tmp_path, venv):
    assert "pandia install" in here.ok("status")
    here.ok("install", "--python", venv)
    here.ok("install", "--prefix", tmp_path / "p", "--name", "moon")
    path = {"JUPYTER_PATH": str(tmp_path / "p/share/jupyter")}

    found = {kernel["name"]: kernel for kernel in json.loads(here.ok("status", "--json", **path))}

    assert sorted(found) == sorted(KERNELS + MOONS)
    moon, python = found["moon-python"], found["pandia-python"]
    assert (moon["python"], moon["program_ok"]) == (None, True)
    assert found["pandia-typescript"]["python"] is None
    assert (python["python"], python["python_ok"]) == (str(venv / "bin/python3"), True)
    shutil.rmtree(venv)
    found = {kernel["name"]: kernel for kernel in json.loads(here.ok("status", "--json"))}
    assert found["pandia-python"]["python_ok"] is False
    assert "no Python at" in here.ok("status")


def test_doctor_is_well_in_this_build(here):
    done = here.run("doctor")

    assert done.returncode == 0, done.stdout
    lines = [line for line in done.stdout.splitlines() if not line.startswith("      remedy: ")]
    assert all(line.split(maxsplit=1)[0] in ("ok", "warn") for line in lines)
    found = here.findings()
    assert all(found[what]["level"] == "ok" for what in
               ("python", "embedded Python", "pidfd", "close_range", "subreaper", "lifeline"))


def test_doctor_fails_for_an_unfit_interpreter(here):
    done = here.run("doctor", "--python", "/bin/true")

    assert done.returncode == 1
    assert "fail  interpreter: /bin/true" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_fits_the_terminal(here, command):
    text = here.ok("help", command)

    assert text == here.ok(command, "--help")
    assert text.startswith(f"Usage: pandia {command} [options]")
    assert all(len(line) <= 80 for line in text.splitlines())


def test_help_and_version_of_the_program(here):
    overview = here.ok("--help")

    assert overview == here.ok() == here.ok("help")
    assert all(f"\n  {command} " in overview for command in COMMANDS)
    assert here.ok("--version") == here.ok("version")
    assert "did you mean 'install'?" in here.fails(2, "isntall")
    assert "did you mean '--json'?" in here.fails(2, "status", "--jsno")


def test_full_disk_is_a_failure(here):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([str(here.binary), "status"], env=here.env, stdout=full,
                              stderr=subprocess.PIPE, timeout=build.scaled(30), check=False)

    assert done.returncode == 1
    assert b"standard output" in done.stderr
