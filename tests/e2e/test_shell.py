# SPDX-License-Identifier: MIT
"""get_ipython() without IPython, cells that are not quite Python, and the debugger."""
import pytest

from support.build import scaled
from support.waiting import Stopwatch


def test_get_ipython_tells_libraries_of_a_notebook(client):
    run = client.run("ip = get_ipython()\n"
                     "type(ip).__name__, 'IPKernelApp' in ip.config, ip is get_ipython(), "
                     "ip.user_ns is globals(), ip.execution_count").ok()

    assert run.result == "('ZMQInteractiveShell', True, True, True, 1)"


def test_get_ipython_can_be_inspected_with_its_source(client):
    run = client.run("import inspect; print(inspect.getsource(get_ipython().set_next_input))").ok()

    assert run.stdout.startswith("    def set_next_input(self, s, replace=False):")


def test_set_next_input_counts_once_per_cell(client):
    run = client.run("for i in range(3): get_ipython().set_next_input(f'x = {i}')").ok()
    after = client.run("1").ok()

    assert run.content["payload"] == [{"source": "set_next_input", "text": "x = 2",
                                       "replace": False}]
    assert after.content["payload"] == []


def test_showtraceback_shows_and_goes_on(client):
    run = client.run("try:\n    1 / 0\nexcept Exception:\n    get_ipython().showtraceback()\n"
                     "print('after')").ok()

    assert "ZeroDivisionError" in run.stderr
    assert run.stdout == "after\n"


def test_get_parent_is_the_request(client):
    run = client.run("p = get_ipython().kernel.get_parent()\n"
                     "print(p['header']['msg_id'], p['header']['session'])").ok()

    assert run.stdout.split() == [run.request.msg_id, run.reply.parent["session"]]


def test_thread_speaks_for_the_cell_it_names(client):
    first = client.run("""
import threading
ip, go, done = get_ipython(), threading.Event(), threading.Event()
def work(parent):
    token = ip.set_thread_parent(parent)
    go.wait()
    print('for the first')
    ip.reset_thread_parent(token)
    print('for the latest')
    done.set()
threading.Thread(target=work, args=(ip.get_parent(),)).start()""").ok()

    second = client.run("go.set(); done.wait(); None").ok()

    client.wait_output(first.request, "for the first\n")
    client.wait_output(second.request, "for the latest\n")


# What is not quite Python.


def test_code_copied_with_its_indentation_runs(client):
    run = client.run("\n    def f(x):\n        return x + 1\n\n    f(41)").ok()

    assert run.result == "42"


def test_wrong_indentation_is_still_an_error(client):
    run = client.run("x = 1\n    y = 2")

    assert run.content["ename"] == "IndentationError"


def test_hist_writes_what_was_run(client, tmp_path):
    file = tmp_path / "hist.out"
    client.run("b = 'abc\u00fe'").ok()

    run = client.run(f"before = 1\n%hist -f {file}\nbefore + 1").ok()

    assert run.result == "2"
    assert "b = 'abc\u00fe'\n" in file.read_text("utf-8")


def test_autoawait_asyncio_says_what_is_the_case(client):
    client.run("%autoawait asyncio").ok()

    assert "asyncio" in client.run("%autoawait trio").content["evalue"]


@pytest.mark.parametrize("code", ["%nosuchmagic", "x = 5\n%", "(1\n%hist"])
def test_other_percent_signs_stay_syntax_errors(client, code):
    assert client.run(code).content["ename"] == "SyntaxError"


def test_percent_sign_in_a_text_is_no_magic(client):
    run = client.run("text = '''\n%hist\n'''\n%autoawait asyncio\ntext").ok()

    assert run.result == "'\\n%hist\\n'"


def test_cell_magic_is_complete_with_an_empty_line(client):
    for code, status in (("%%timeit\na", "incomplete"), ("%%timeit\na\n\n", "complete")):
        assert client.request("shell", "is_complete_request", {"code": code}).status == status


# Programs that look closer.


def test_streams_know_the_process_they_belong_to(client):
    run = client.run("""
import os, sys
read, write = os.pipe()
if os.fork() == 0:
    os.write(write, repr(sys.stdout._is_master_process()).encode())
    os._exit(0)
os.wait()
sys.stderr._is_master_process(), os.read(read, 10)""").ok()

    assert run.result == "(True, b'False')"


def test_interrupt_at_the_prompt_leaves_the_debugger(client):
    running = client.execute("import pdb\npdb.set_trace()\nx = 5", allow_stdin=True)
    client.wait_asked(running)

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running)

    run.ok()
    assert watch.seconds < scaled(2)
    assert client.run("x").ok().result == "5"
