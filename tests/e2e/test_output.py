# SPDX-License-Identifier: MIT
"""What a cell says arrives whole, in order, and under the right request, whoever writes it: Python,
C code, subprocesses, threads, forks. Clients that do not read are in test_backpressure.py."""
import itertools
import re

import pytest

from support.build import many, scaled
from support.client import Run
from support.waiting import Stopwatch

MIB = 1 << 20

# Each line is written by somebody else, and none of them is told to flush.
MIXED = """
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None)
print("1 print")
subprocess.run(["echo", "2 subprocess"])
print("3 print")
os.system("echo 4 system")
print("5 print")
os.write(1, b"6 write\\n")
sys.stdout.write("7 sys.stdout\\n")
subprocess.run("echo 8 shell", shell=True)
print("9 print", flush=True)
sys.__stdout__.write("10 sys.__stdout__\\n")
os.system("echo 11 system")
libc.puts(b"12 puts")
"""


def test_output_of_all_writers_is_in_order(client):
    expected = ["1 print", "2 subprocess", "3 print", "4 system", "5 print", "6 write",
                "7 sys.stdout", "8 shell", "9 print", "10 sys.__stdout__", "11 system", "12 puts"]
    for attempt in range(many(500)):
        run = client.run(MIXED).ok()
        assert run.stdout.splitlines() == expected, f"attempt {attempt}"
        assert run.stderr == ""


def test_output_of_c_code_is_in_order(client):
    for attempt in range(50):
        run = client.run("""
import ctypes
libc = ctypes.CDLL(None)
for i in range(3):
    print("print", i)
    libc.puts(b"puts %d" % i)""").ok()
        assert run.stdout.splitlines() == [f"{who} {i}" for i in range(3)
                                           for who in ("print", "puts")], f"attempt {attempt}"


def test_output_of_both_streams_is_in_order(client):
    code = """
import os, sys, subprocess
for i in range(5):
    print("out", i)
    print("err", i, file=sys.stderr)
    subprocess.run(["sh", "-c", f"echo sub {i}"])
    subprocess.run(["sh", "-c", f"echo suberr {i} >&2"])
"""
    expected = [line for i in range(5) for line in (
        ("stdout", f"out {i}"), ("stderr", f"err {i}"), ("stdout", f"sub {i}"),
        ("stderr", f"suberr {i}"))]
    for attempt in range(50):
        run = client.run(code).ok()
        pieces = itertools.groupby(run.contents("stream"), lambda content: content["name"])
        lines = [(name, line) for name, contents in pieces
                 for line in "".join(content["text"] for content in contents).splitlines()]
        assert lines == expected, f"attempt {attempt}"


def test_output_is_in_order_with_the_result_and_the_error(client):
    for _ in range(50):
        run = client.run("import os; print('a'); os.system('echo b'); 'c'").ok()
        assert run.types[-1] == "execute_result"
        assert run.stdout == "a\nb\n"
        run = client.run("print('a'); os.system('echo b'); 1/0")
        assert run.types[-1] == "error"
        assert run.stdout == "a\nb\n"


def test_short_cell_is_one_message(client):
    client.run("pass").ok()
    for _ in range(20):
        run = client.run("print('a', 'b')\nprint('c')").ok()
        assert run.types == ["execute_input", "stream"]


def test_large_print_is_complete(client):
    run = client.run("print('x' * (10 * 1024 * 1024))", seconds=60).ok()

    assert len(run.stdout) == 10 * MIB + 1
    assert set(run.stdout[:-1]) == {"x"}
    assert max(len(c["text"]) for c in run.contents("stream")) <= 256 << 10


def test_many_lines_are_complete_and_coalesced(client):
    run = client.run("for i in range(200000): print(i, 'some text to make it longer')",
                     seconds=60).ok()

    lines = run.stdout.splitlines()
    assert len(lines) == 200000
    assert lines[:2] + lines[-1:] == ["0 some text to make it longer",
                                      "1 some text to make it longer",
                                      "199999 some text to make it longer"]
    assert len(run.contents("stream")) < 1000


def test_long_running_cell_is_heard_while_it_runs(client):
    running = client.execute("import time\nfor i in range(1000):\n    print(i)\n"
                             "    time.sleep(.02)")

    with Stopwatch() as watch:
        client.wait_output(running, "\n5\n")
    client.interrupt()
    client.finish(running)

    assert watch.seconds < scaled(2)


def test_subprocess_is_heard_while_it_runs(client):
    running = client.execute("import subprocess\n"
                             "subprocess.run(['sh', '-c', 'echo early; exec sleep 100'])")

    client.wait_output(running, "early", seconds=5)
    client.interrupt()

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"


@pytest.mark.parametrize("size", [65536, 65537, 1 << 20])
def test_subprocess_with_more_output_than_a_pipe_holds_does_not_block(client, size):
    run = client.run(f"""
import subprocess, sys
print("before")
done = subprocess.run([sys.executable, "-c", "print('y' * {size})"])
print("after", done.returncode)""", seconds=30).ok()

    assert run.stdout == "before\n" + "y" * size + "\nafter 0\n"


def test_c_code_with_more_output_than_a_pipe_holds_does_not_block(client):
    run = client.run("""
import os
data = b"z" * 100000 + b"\\n"
written = 0
while written < len(data):
    written += os.write(1, data[written:])
print("after")""").ok()

    assert run.stdout == "z" * 100000 + "\nafter\n"


def test_thread_that_prints_after_the_end_belongs_to_the_last_execute(client):
    first = client.run("""
import threading
gate, done = threading.Event(), threading.Event()
def late():
    gate.wait()
    print("late words")
    done.set()
threading.Thread(target=late).start()""").ok()

    last = client.run("gate.set(); done.wait(); None")
    client.wait(lambda: "late words" in last.stdout or "late words" in
                Run(None, None, client.by_parent[last.request.msg_id]).stdout, "late words")

    assert first.stdout == ""


def test_thread_that_prints_while_idle_is_heard(client):
    run = client.run("""
import threading, time
def late():
    time.sleep(.2)
    print("late words")
threading.Thread(target=late).start()""").ok()

    client.wait_output(run.request, "late words")


def test_process_that_writes_while_idle_is_heard(client):
    run = client.run("import subprocess\n"
                     "p = subprocess.Popen('sleep .2; echo late words', shell=True)").ok()

    client.wait_output(run.request, "late words")


def test_silent_cell_keeps_its_words_to_itself(client):
    client.run("import os, subprocess, threading").ok()
    # finish() fails when a silent execution publishes anything.
    client.run("print('x'); os.system('echo y'); subprocess.run(['echo', 'z']); 1", silent=True)

    assert client.run("print('a')").ok().stdout == "a\n"


def test_fork_in_a_cell_writes_once_and_answers_never(client):
    run = client.run("""
import os
print("before ", end="")
pid = os.fork()
if pid == 0:
    print("child")
    os._exit(0)
os.waitpid(pid, 0)
print("parent")""").ok()

    assert run.stdout == "before child\nparent\n"


def test_fork_that_runs_on_to_the_end_of_the_cell_does_not_answer(client):
    for _ in range(10):
        # A second answer to one request would be seen by the client.
        run = client.run("""
import os
pid = os.fork()
if pid: os.waitpid(pid, 0)
print("child" if pid == 0 else "parent")
"result" """).ok()
        assert sorted(run.stdout.split()) == ["child", "parent"]
        assert run.types.count("execute_result") == 1
    assert client.run("1").ok().result == "1"


def test_fork_that_raises_does_not_answer(client):
    run = client.run("""
import os
pid = os.fork()
if pid == 0: raise ValueError("in the child")
os.waitpid(pid, 0)[1]""").ok()

    assert run.result != "0"
    assert client.run("1").ok().result == "1"


def test_multiprocessing_works_and_prints(client):
    run = client.run("""
import multiprocessing
def square(x):
    print("square", x)
    return x * x
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(sum(pool.map(square, range(10))))""", seconds=30).ok()

    assert "285" in run.stdout.split("\n")
    assert sorted(re.findall(r"square (\d)", run.stdout)) == [str(i) for i in range(10)]


@pytest.mark.parametrize("data, text", [
    (b"\\xff\\xfe", "\ufffd\ufffd"), (b"a\\xc3", "a\ufffd"), (b"\\xed\\xa0\\x80", None),
    (b"\\xf0\\x9f\\x98\\x80", "😀"), (b"\\x00\\x1b[0m", "\0\x1b[0m")], ids=repr)
def test_bytes_on_descriptor_1_become_utf8(client, data, text):
    run = client.run(f"import os; _ = os.write(1, b'{data.decode()}|')").ok()

    assert run.stdout.endswith("|")
    if text is None:
        assert set(run.stdout[:-1]) == {"\ufffd"}
    else:
        assert run.stdout[:-1] == text


def test_code_point_cut_in_two_writes_is_whole(client):
    run = client.run("""
import os, time
for byte in "é😀".encode():
    os.write(1, bytes([byte]))
    time.sleep(.06)""").ok()

    assert run.stdout == "é😀"


def test_lone_surrogate_in_a_print_does_not_fail_the_cell(client):
    run = client.run(r"print('a\ud800b')")

    # As on a terminal in UTF-8: either shown as unknown, or an error of the encoder.
    assert run.stdout.startswith("a") or run.content["ename"] == "UnicodeEncodeError"
    assert client.run("print('x')").ok().stdout == "x\n"


def test_attributes_of_the_streams(client):
    run = client.run("""
import io, sys
for stream in (sys.stdout, sys.stderr):
    print(stream.isatty(), stream.encoding.lower(), stream.writable(), stream.readable(),
          stream.closed, isinstance(stream.name, str), stream.fileno(), stream.errors is not None)
print(sys.stdout.write("abc"), sys.stdout.flush(), hasattr(sys.stdout, "buffer"))
sys.stdout.writelines(["x", "y\\n"])
""").ok()

    lines = run.stdout.splitlines()
    assert lines[0] == "False utf-8 True False False True 1 True"
    assert lines[1] == "False utf-8 True False False True 2 True"
    assert lines[2].startswith("abc3 None")
    assert lines[-1] == "xy"


@pytest.mark.parametrize("bad", ["1", "None", "b'x'"])
def test_write_of_what_is_no_text_is_a_type_error(client, bad):
    assert client.run(f"import sys; sys.stdout.write({bad})").content["ename"] == "TypeError"


def test_redirection_of_stdout_works(client):
    run = client.run("""
import contextlib, io
caught = io.StringIO()
with contextlib.redirect_stdout(caught):
    print("caught")
print("free", caught.getvalue(), end="")""").ok()

    assert run.stdout == "free caught\n"


def test_replaced_stdout_can_be_put_back(client):
    client.run("import io, sys; sys.stdout = mine = io.StringIO()").ok()
    assert client.run("print('mine')").ok().stdout in ("", "mine\n")

    assert client.run("sys.stdout = sys.__stdout__; print('back')").ok().stdout == "back\n"


def test_closed_descriptor_1_does_not_break_the_context(client):
    client.run("import os; os.close(1)").ok()

    assert client.run("print('still')").ok().stdout == "still\n"
    assert client.run("1 + 1").ok().result == "2"


def test_print_of_threads_is_whole_lines(client):
    run = client.run("""
import threading
def chatter(name):
    for i in range(500):
        print(f"{name} {i}\\n", end="")
threads = [threading.Thread(target=chatter, args=(n,)) for n in "abcd"]
for t in threads: t.start()
for t in threads: t.join()""", seconds=30).ok()

    lines = run.stdout.splitlines()
    assert len(lines) == 2000
    assert all(re.fullmatch(r"[abcd] \d+", line) for line in lines)


def said(run):
    """What a cell showed, in order: pieces of (stream or kind, text), neighbours joined."""
    pieces = []
    for message in run.messages:
        if message.type == "stream":
            name, text = message.content["name"], message.content["text"]
        elif message.type in ("display_data", "execute_result"):
            name, text = message.type, message.content["data"]["text/plain"]
        else:
            continue
        if pieces and pieces[-1][0] == name and name.startswith("std"):
            pieces[-1] = (name, pieces[-1][1] + text)
        else:
            pieces.append((name, text))
    return pieces


def test_displays_are_in_order_with_every_writer_and_stream(client):
    code = """
import ctypes, os, subprocess, sys
libc = ctypes.CDLL(None)
print("a")
display("one")
libc.printf(b"b\\n")
print("c", file=sys.stderr)
display("two")
subprocess.run(["echo", "d"])
sys.stderr.buffer.write(b"e\\n")
os.system("echo f >&2")
sys.stdout.buffer.write(b"g\\n")
libc.puts(b"h")
display("three")
"four" """
    expected = [("stdout", "a\n"), ("display_data", "'one'"), ("stdout", "b\n"), ("stderr", "c\n"),
                ("display_data", "'two'"), ("stdout", "d\n"), ("stderr", "e\nf\n"),
                ("stdout", "g\nh\n"), ("display_data", "'three'"), ("execute_result", "'four'")]
    for attempt in range(many(2000)):  # 200 in a hurry
        assert said(client.run(code).ok()) == expected, f"attempt {attempt}"


def test_carriage_returns_pass_unchanged(client):
    run = client.run("""
import sys
for i in range(100):
    sys.stderr.write(f"\\r{i}%|{'█' * (i // 10)}")
    sys.stderr.flush()""").ok()

    assert run.stderr == "".join(f"\r{i}%|{'█' * (i // 10)}" for i in range(100))


def test_progress_bar_of_a_program_that_looks_at_the_encoding_is_drawn_with_blocks(client):
    run = client.run("""
import sys
blocks = "█▏"
try:
    blocks.encode(sys.stderr.encoding)
except (UnicodeEncodeError, TypeError, AttributeError):
    blocks = "##"
print(blocks, file=sys.stderr)""").ok()

    assert run.stderr == "█▏\n"


@pytest.mark.slow
def test_flood_does_not_grow_the_broker(kernel, client):
    """1 GB for the record: what is not read yet waits in the context, not in the broker."""
    size = many(1_000_000_000)
    client.run("pass").ok()
    before = kernel.resident_bytes()
    running = client.execute(f"line = 'x' * 999\nfor _ in range({size // 1000}): print(line)")
    seen = 0
    most = before
    while ("shell", running.msg_id) not in client.replies:
        client.pump(1)
        most = max(most, kernel.resident_bytes())
        seen += sum(len(m.content["text"]) for m in client.iopub if m.type == "stream")
        client.iopub.clear()
        client.by_parent.clear()
    client.wait(lambda: seen + sum(len(m.content["text"]) for m in client.iopub
                                   if m.type == "stream") >= size, "the end of the flood")

    assert most - before < 64 * MIB, f"{before} became {most}"


def test_logging_handler_that_kept_the_stream_is_heard_in_later_cells(client):
    client.run("import logging; logging.basicConfig(level=logging.INFO, format='%(message)s')").ok()
    for number in range(3):
        run = client.run(f"logging.info('line {number}')").ok()
        assert run.stderr == f"line {number}\n"


@pytest.mark.parametrize("code, text", [
    ("sys.stdout.reconfigure(errors='replace'); print('a\\ud800b', sys.stdout.errors)",
     "a?b replace\n"),
    ("sys.stdout.reconfigure(encoding='utf-8', line_buffering=True, write_through=True, "
     "newline=None); print('é', sys.stdout.encoding)", "é utf-8\n"),
    ("import codecs; print('é', file=codecs.getwriter('utf-8')(sys.stdout.detach()))", "é\n"),
    ("import io; w = io.TextIOWrapper(sys.stdout.buffer, 'utf-8', line_buffering=True)\n"
     "print('é', file=w); w.flush(); w.detach(); print('after')", "é\nafter\n"),
    ("print('a'); sys.stdout.buffer.write(b'b\\n'); sys.stdout.buffer.raw.write(b'c\\n');\n"
     "sys.stdout.buffer.write(memoryview(b'd\\n')); print('e')", "a\nb\nc\nd\ne\n"),
    ("open(sys.stdout.fileno(), 'wb', 0, closefd=False).write(b'raw\\n'); print('then')",
     "raw\nthen\n"),
    ("sys.stdout.close(); print('still', sys.stdout.closed)", "still False\n"),
    ("print(sys.stdout.mode, sys.stdout.name, sys.stdout.line_buffering, sys.stdout.newlines,"
     " sys.stdout.buffer.mode)", "w <stdout> True None wb\n"),
    ("print('x', file=sys.__stdout__); sys.stdout = None; print('lost'); sys.stdout = "
     "sys.__stdout__; print('y')", "x\ny\n"),
], ids=lambda value: value[:40])
def test_streams_do_what_programs_expect(client, code, text):
    assert client.run("import sys\n" + code + ";").ok().stdout == text
    assert client.run("print('next')").ok().stdout == "next\n"


@pytest.mark.parametrize("code, ename", [
    ("sys.stdout.reconfigure(colour=1)", "TypeError"),
    ("sys.stdout.reconfigure(errors=1)", "TypeError"),
    ("sys.stdout.reconfigure(errors='strict'); print('\\ud800')", "UnicodeEncodeError"),
    ("sys.stdout.read()", "UnsupportedOperation"), ("sys.stdout.seek(0)", "UnsupportedOperation"),
    ("sys.stdout.buffer.write('text')", "TypeError"), ("sys.stdout.encoding = 'x'", "AttributeError"),
], ids=lambda value: value[:40])
def test_streams_refuse_what_they_cannot_do(client, code, ename):
    assert client.run("import sys\n" + code).content["ename"] == ename
    assert client.run("print('next')").ok().stdout == "next\n"


def test_fork_sees_no_thread_of_ours(client):
    run = client.run("""
import os, threading, warnings
warnings.simplefilter("error")
threads = []
os.register_at_fork(after_in_parent=lambda: threads.append(len(os.listdir("/proc/self/task"))))
for _ in range(20):
    print("something", flush=True)
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
threads""").ok()

    assert run.result == str([1] * 20)
    assert run.stdout == "something\n" * 20


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools_of_processes_work(client, method):
    run = client.run(f"""
import concurrent.futures, math, multiprocessing
context = multiprocessing.get_context("{method}")
print("before ", end="")
with context.Pool(2) as pool:
    print(pool.map(math.sqrt, [1, 4]))
with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
    print(list(pool.map(math.sqrt, [9, 16])))""", seconds=30).ok()

    assert run.stdout == "before [1.0, 2.0]\n[3.0, 4.0]\n"


def test_process_of_a_cell_function_prints_once(client):
    run = client.run("""
import multiprocessing, sys
def work():
    print("in the child")
    sys.stderr.write("error of the child\\n")
print("before ", end="")
process = multiprocessing.get_context("fork").Process(target=work)
process.start()
process.join()
print("after", process.exitcode)""").ok()

    assert run.stdout == "before in the child\nafter 0\n"
    assert run.stderr == "error of the child\n"
