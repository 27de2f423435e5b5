# SPDX-License-Identifier: MIT
"""sys.stdin, and what is built on it: lines come from the client. input() itself is in
test_stdin.py."""
import pytest

from support.waiting import Stopwatch

END = "\x04"


def converse(client, code, *answers):
    """Runs a cell that asks, giving one answer after the other."""
    running = client.execute(code, allow_stdin=True)
    for number, answer in enumerate(answers, 1):
        client.wait_asked(running, number)
        client.answer(answer)
    return client.finish(running)


@pytest.mark.parametrize("code, answers, wanted", [
    ("sys.stdin.readline()", ["line"], "'line\\n'"),
    ("sys.stdin.readline()", [END], "''"),
    ("sys.stdin.readline(2), sys.stdin.readline()", ["line"], "('li', 'ne\\n')"),
    ("sys.stdin.readline(), sys.stdin.readline()", ["a\nb"], "('a\\n', 'b\\n')"),
    ("sys.stdin.read()", ["a", "b", END], "'a\\nb\\n'"),
    ("sys.stdin.read(3), sys.stdin.read(2)", ["a", "bcd"], "('a\\nb', 'cd')"),
    ("sys.stdin.read(0)", [], "''"),
    ("list(sys.stdin)", ["a", "", "ü😀", END], "['a\\n', '\\n', 'ü😀\\n']"),
    ("sys.stdin.readlines()", ["a", "b", END], "['a\\n', 'b\\n']"),
    ("next(sys.stdin), sys.stdin.readline()", ["a", "b"], "('a\\n', 'b\\n')"),
    ("sys.stdin.buffer.readline()", ["ü"], "b'\\xc3\\xbc\\n'"),
    ("sys.stdin.buffer.read()", ["a", END], "b'a\\n'"),
    ("sys.stdin.isatty(), sys.stdin.readable(), sys.stdin.writable(), sys.stdin.fileno()", [],
     "(False, True, False, 0)")])
def test_lines_come_from_the_client(client, code, answers, wanted):
    assert converse(client, f"import sys\n{code}", *answers).ok().result == wanted


def test_file_input_reads_them(client):
    run = converse(client, "import fileinput\n[line for line in fileinput.input(files=['-'])]",
                   "a", "b", END)

    assert run.ok().result == "['a\\n', 'b\\n']"


def test_closing_it_does_not_close_it_for_the_next_cell(client):
    client.run("import sys\nsys.stdin.close()").ok()

    assert converse(client, "sys.stdin.readline()", "x").ok().result == "'x\\n'"


@pytest.mark.parametrize("code", ["sys.stdin.readline()", "sys.stdin.read()", "list(sys.stdin)",
                                  "sys.stdin.buffer.read(1)"])
def test_client_that_does_not_answer_is_not_asked(client, code):
    run = client.run(f"import sys\n{code}")

    assert run.content["ename"] == "StdinNotImplementedError"
    assert "does not support input requests" in run.content["evalue"]


def test_reading_can_be_interrupted(client):
    running = client.execute("import sys\nsys.stdin.read()", allow_stdin=True)
    client.wait_asked(running)

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running)

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < 5


def test_subprocess_can_have_it_and_finds_it_empty(client):
    run = client.run("import subprocess, sys\n"
                     "subprocess.run(['cat'], stdin=sys.stdin, capture_output=True).stdout")

    assert run.ok().result == "b''"


# The debugger.


def test_breakpoint_stops_and_goes_on(client):
    run = converse(client, "def f():\n    value = 41\n    breakpoint()\n    return value\nf()",
                   "p value", "value = 42", "c").ok()

    assert run.result == "42"
    assert "41\n" in run.stdout


def test_debugger_steps_and_lists_the_cell(client):
    run = converse(client, "def f():\n    a = 1\n    breakpoint()\n    b = 2\n    return a + b\nf()",
                   "l", "n", "p b", "c").ok()

    assert "b = 2" in run.stdout and "return a + b" in run.stdout
    assert run.result == "3"


def test_debugger_can_be_left(client):
    run = converse(client, "breakpoint()\nprint('behind')", "q")

    assert run.content["ename"] == "BdbQuit"
    assert client.run("1").ok().result == "1"


def test_post_mortem_looks_at_the_last_error(client):
    client.run("def broken():\n    culprit = 5\n    1 / 0")
    assert client.run("broken()").status == "error"

    run = converse(client, "import pdb; pdb.pm()", "p culprit", "q").ok()

    assert "5\n" in run.stdout


def test_breakpoint_without_input_is_an_error(client):
    assert client.run("breakpoint()\n1").status == "error"
    assert client.run("1").ok().result == "1"
