# SPDX-License-Identifier: MIT
"""`pandia exec`: code from an option, a file or standard input; output where it belongs; an exit
code that tells; and no process left."""
import os
import signal
import subprocess

import pytest

from support.build import PANDIA, environment, sanitizer_reports, scaled
from support.processes import Adopted, descendants, describe
from support.waiting import Stopwatch, wait_until

pytestmark = pytest.mark.rows


class Program:
    """Runs `pandia exec` and looks after it."""

    def __init__(self, folder):
        self.folder = folder
        self.adopted = Adopted()

    def start(self, *args, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                   "stderr": subprocess.PIPE, "env": environment(self.folder), **options}
        process = subprocess.Popen([PANDIA, "exec", *map(str, args)], text=True, cwd=self.folder,
                                   **options)
        self.adopted.started(process.pid)
        return process

    def wait(self, process, text=None):
        out, err = process.communicate(text, timeout=scaled(30))
        reports = sanitizer_reports(self.folder)
        assert not reports, "\n".join(reports)
        left = self.adopted.now()
        assert not left, [describe(pid) for pid in left]
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def __call__(self, *args, text=None, **options):
        if text is not None:
            options["stdin"] = subprocess.PIPE
        return self.wait(self.start(*args, **options), text)


@pytest.fixture
def run(tmp_path):
    return Program(tmp_path)


def outcome(done):
    return done.returncode, done.stdout, done.stderr


def test_code_option_is_run(run):
    assert outcome(run("-c", "print('hello')")) == (0, "hello\n", "")


def test_value_of_the_last_expression_is_shown(run):
    assert outcome(run("-c", "x = 6\nx * 7")) == (0, "42\n", "")


def test_none_and_semicolon_show_nothing(run):
    assert outcome(run("-c", "None")) == (0, "", "")
    assert outcome(run("-c", "1;")) == (0, "", "")


def test_file_is_run(run, tmp_path):
    (tmp_path / "cell.py").write_text("print('from a file')\n'é😀'", "utf-8")

    assert outcome(run("cell.py")) == (0, "from a file\n'é😀'\n", "")


@pytest.mark.parametrize("words", [[], ["-"]])
def test_standard_input_is_run(run, words):
    assert outcome(run(*words, text="print('from stdin')\n")) == (0, "from stdin\n", "")


def test_empty_code_is_a_success(run):
    assert outcome(run("-c", "")) == (0, "", "")
    assert outcome(run(text="")) == (0, "", "")


def test_output_goes_to_its_own_stream_in_order(run, tmp_path):
    code = ("import sys, subprocess\nprint('1')\nprint('2', file=sys.stderr)\n"
            "_ = subprocess.run('echo 3; echo 4 >&2', shell=True)\nprint('5')")
    assert outcome(run("-c", code)) == (0, "1\n3\n5\n", "2\n4\n")

    with open(tmp_path / "both", "w+b") as both:
        assert run("-c", code, stdout=both, stderr=both).returncode == 0
        both.seek(0)
        assert both.read() == b"1\n2\n3\n4\n5\n"


def test_output_comes_while_the_code_runs(run):
    process = run.start("-c", "import time; print('early'); time.sleep(100)")

    assert process.stdout.readline() == "early\n"
    process.send_signal(signal.SIGINT)
    run.wait(process)


def test_large_output_is_complete(run):
    done = run("-c", "for i in range(300000): print(i)")

    assert done.returncode == 0
    assert done.stdout.splitlines() == [str(i) for i in range(300000)]


def test_error_is_shown_on_stderr_and_fails(run):
    done = run("-c", "print('before')\n1 / 0\nprint('after')")

    assert (done.returncode, done.stdout) == (1, "before\n")
    assert "ZeroDivisionError" in done.stderr
    assert "1 / 0" in done.stderr


def test_error_without_a_terminal_has_no_colours(run):
    assert "\x1b" not in run("-c", "1 / 0").stderr


@pytest.mark.parametrize("code, status, said", [
    ("import sys; sys.exit()", 0, ""), ("import sys; sys.exit(0)", 0, ""),
    ("import sys; sys.exit(3)", 3, ""), ("exit()", 0, ""), ("exit(4)", 4, ""),
    ("raise SystemExit('words')", 1, "words\n"), ("import sys; sys.exit(-1)", 255, "")])
def test_code_that_exits_gives_its_exit_code(run, code, status, said):
    assert outcome(run("-c", f"print('before')\n{code}\nprint('after')")) == (
        status, "before\n", said)


@pytest.mark.parametrize("code, status", [
    ("process.exit()", 0), ("process.exit(3)", 3), ("process.exit(-1)", 255),
    ("process.exitCode = 4; process.exit()", 4)])
@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_process_exit_gives_its_exit_code(run, language, code, status):
    done = run("--language", language, "-c", f"console.log('before')\n{code}\nconsole.log('after')")

    assert outcome(done) == (status, "before\n", "")


@pytest.mark.parametrize("code, status, out, err", [
    ("setTimeout(() => console.log('later'), 30); 1", 0, "1\nlater\n", ""),
    ("let n = 0; const t = setInterval(() => { console.log(n); if (++n > 1) clearInterval(t) }, 5); null",
     0, "null\n0\n1\n", ""),
    ("(async () => { await new Promise((r) => setTimeout(r, 5)); console.log('done') })(); null",
     0, "null\ndone\n", ""),
    ("require('child_process').exec('echo hi', (e, text) => console.log(text.trim())); null",
     0, "null\nhi\n", ""),
    ("setTimeout(() => console.log('never'), 30); throw new Error('x')", 1, "", "Error: x"),
    ("setTimeout(() => console.log('never'), 30); process.exit(3)", 3, "", ""),
    ("setInterval(() => {}, 1000); setTimeout(() => process.exit(4), 5); null", 4, "null\n", ""),
    ("setTimeout(() => { throw new Error('x') }, 5); null", 1, "null\n", "Uncaught Error: x"),
    ("setTimeout(() => Promise.reject(new Error('x')), 5); null", 1, "null\n", "Error: x"),
    ("setTimeout(() => { process.exitCode = 7 }, 5); null", 7, "null\n", ""),
    ("process.on('exit', (code) => console.log('bye', code)); setTimeout(() => console.log('late'), 5); null",
     0, "null\nlate\nbye 0\n", ""),
    ("await new Promise(() => {})", 1, "", "UnsettledAwaitError")])
@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_javascript_runs_until_nothing_is_left_to_happen(run, language, code, status, out, err):
    done = run("--language", language, "-c", code)

    assert (done.returncode, done.stdout) == (status, out)
    assert err in done.stderr if err else done.stderr == ""


def test_error_on_a_terminal_has_colours(run):
    terminal, other_end = os.openpty()
    try:
        done = run("-c", "1 / 0", stderr=other_end)
        shown = os.read(terminal, 65536).decode()
    finally:
        os.close(terminal)
        os.close(other_end)

    assert done.returncode == 1
    assert "\x1b[31mZeroDivisionError\x1b[39m: division by zero" in shown


def test_syntax_error_fails(run):
    done = run("-c", "for")

    assert done.returncode == 1
    assert "SyntaxError" in done.stderr


def test_death_is_named(run):
    done = run("-c", "import os; os.kill(os.getpid(), 9)")

    assert done.returncode == 1
    assert "SIGKILL" in done.stderr


def test_missing_file_is_wrong_usage(run):
    done = run("nowhere.py")

    assert (done.returncode, done.stdout) == (2, "")
    assert "nowhere.py" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["-c", "1", "file.py"], ["a.py", "b.py"], ["--no-such"], ["-c"],
                                   ["-c", "1", "--language", "cobol"],
                                   ["-c", "1", "--language", "../sh"],
                                   ["-c", "1", "--log-level", "loud"]], ids=" ".join)
def test_wrong_usage_is_refused_in_one_line(run, words):
    done = run(*words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr


def test_ctrl_c_interrupts_the_code(run):
    # As a terminal does it: the signal goes to the group of the program.
    process = run.start("-c", "import time; print('go', flush=True); time.sleep(100)",
                        start_new_session=True)
    assert process.stdout.readline() == "go\n"

    with Stopwatch() as watch:
        os.killpg(process.pid, signal.SIGINT)
        done = run.wait(process)

    assert done.returncode != 0
    assert "KeyboardInterrupt" in done.stderr
    assert watch.seconds < scaled(2)


def test_sigterm_ends_the_code(run):
    process = run.start("-c", "print('go', flush=True)\nwhile True: pass")
    assert process.stdout.readline() == "go\n"

    with Stopwatch() as watch:
        process.send_signal(signal.SIGTERM)
        done = run.wait(process)

    assert done.returncode != 0
    assert watch.seconds < scaled(2)


def test_kill_leaves_nobody(run):
    process = run.start("-c", "import subprocess\n"
                        "subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
                        "print('go', flush=True)\nwhile True: pass")
    assert process.stdout.readline() == "go\n"
    assert len(descendants(process.pid)) >= 3

    process.kill()
    process.wait()

    run.adopted.wait_gone("all of it ends", seconds=5)


def test_strays_of_finished_code_are_ended(run):
    code = ("import subprocess\nfor _ in range(3):\n"
            "    subprocess.Popen(['sleep', '1000'], start_new_session=True)")
    assert outcome(run("-c", code)) == (0, "", "")  # fails when somebody is left


def test_closed_standard_output_ends_it(run):
    process = run.start("-c", "for i in range(10**7): print(i)")
    process.stdout.readline()
    process.stdout.close()

    assert process.wait(scaled(10)) != 0
    process.stderr.close()
    run.adopted.wait_gone("all of it ends", seconds=5)


def test_standard_input_is_not_the_codes(run):
    done = run("-c", "import sys; print(repr(sys.stdin.read()))", text="secret")

    assert "secret" not in done.stdout


def test_environment_and_folder_are_the_callers(run, tmp_path):
    env = {**environment(tmp_path), "MY_OWN": "value"}

    done = run("-c", "import os; print(os.environ['MY_OWN'], os.getcwd())", env=env)

    assert outcome(done) == (0, f"value {tmp_path}\n", "")


@pytest.mark.parametrize("name, options, code, out", [
    ("a.py", [], "print(1)", "1\n"), ("a", [], "print(1)", "1\n"), ("a.js/b", [], "print(1)", "1\n"),
    ("a.js", [], "console.log(1)", "1\n"), ("a.b.mjs", [], "export default 2", "2\n"),
    ("a.cjs", [], "require('path').sep", "'/'\n"), ("a.ts", [], "const x: number = 3; x", "3\n"),
    ("a.mts", [], "enum E { A }; E.A", "0\n"), ("a.js", ["--language", "python"], "print(1)", "1\n")])
def test_name_of_a_file_tells_its_language(run, tmp_path, name, options, code, out):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(code)

    assert outcome(run(*options, str(file))) == (0, out, "")


def test_language_is_chosen(run):
    assert outcome(run("--language", "mock", "-c", "print x\nresult y")) == (0, "x\ny\n", "")


def test_exit_is_quick(run):
    with Stopwatch() as watch:
        run("-c", "pass")

    assert watch.seconds < scaled(2)
    wait_until(lambda: not run.adopted.now(), "nobody is left")
