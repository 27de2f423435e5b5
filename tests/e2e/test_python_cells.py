# SPDX-License-Identifier: MIT
"""What a Python cell means: its value, its names, its answers. Errors are in test_python_errors.py,
output in test_output.py, interrupts in test_interrupt.py."""
import pytest

from support.text import failure, plain

pytestmark = pytest.mark.rows


# Values.


@pytest.mark.parametrize("code, result", [
    ("1 + 1", "2"), ("'text'", "'text'"), ("x = 1\nx", "1"), ("x = 1; x + 1", "2"),
    ("(1,\n 2)", "(1, 2)"), ("1 # comment", "1"), ("1\n\n# comment\n", "1"),
    ("'''a\nb'''", "'a\\nb'"), ("[i for i in range(3)]", "[0, 1, 2]"), ("(y := 5)", "5"),
    ("'a;'", "'a;'"), ("1 # ;", "1"), ("...", "Ellipsis"), ("lambda: 0", None),
    ("def f(): return 7\nf()", "7"), ("if True:\n    3\n4", "4"), ("1\r\n2\r\n", "2"),
    ("x\u00e9 = 'é😀'; x\u00e9", "'é😀'"), ("True", "True"), ("0", "0"), ("''", "''"),
    ("s = '''\nx = 1\n'''\nlen(s)", "7"), ("x = 1 + \\\n  2\nx", "3"), ("*[1], 2", "(1, 2)"),
    ("x = 1\nf'{x} {[\"a = b\"][0]}'", "'1 a = b'"), ("'''only'''", "'only'"),
    ("from __future__ import annotations\ndef f(x: nothing): pass\nf.__annotations__",
     "{'x': 'nothing'}"), ("import asyncio\nawait asyncio.sleep(0, 9)", "9")],
    ids=repr)
def test_last_expression_is_the_result(client, code, result):
    shown = client.run(code).ok().result

    if result is None:
        assert shown.startswith("<function")
    else:
        assert shown == result


@pytest.mark.parametrize("code", [
    "", "   ", "\n\n", "# comment", "None", "x = 1", "1;", "1; ", "1;  # comment", "1;\n", "'a';",
    "if True:\n    1", "for i in range(3): i", "def f(): pass", "class A: pass", "import os",
    "gone = 1\ndel gone", "pass", "1\nx = 2", "with open('/dev/null') as f: f"], ids=repr)
def test_cell_without_a_value_has_no_result(client, code):
    assert client.run(code).ok().types == ["execute_input"]


def test_result_has_always_plain_text_and_its_count(client):
    client.run("1").ok()

    content = client.run("{'a': [1, 2]}").ok().contents("execute_result")[0]

    assert content["data"] == {"text/plain": "{'a': [1, 2]}"}
    assert content["metadata"] == {}
    assert content["execution_count"] == 2


def test_names_of_earlier_results(client):
    for code in ("'one'", "'two'", "x = 'not a result'", "'three'"):
        client.run(code).ok()

    run = client.run("print(_, __, ___, _1, _2, Out[4], sorted(Out))").ok()

    assert run.stdout == "three two one one two three [1, 2, 4]\n"


def test_names_of_earlier_inputs(client):
    client.run("a = 1").ok()
    client.run("b = 2;").ok()

    run = client.run("print(In)").ok()

    assert run.stdout == str(["", "a = 1", "b = 2;", "print(In)"]) + "\n"


def test_results_that_nobody_sees_are_not_remembered(client):
    client.run("'kept'").ok()
    client.run("'suppressed';").ok()
    client.run("'silent'", silent=True)

    assert client.run("_").ok().result == "'kept'"


def test_unstored_cell_is_not_in_the_lists(client):
    client.run("'stored'").ok()
    client.run("'unstored'", store_history=False).ok()

    assert client.run("Out").ok().result == "{1: 'stored'}"
    assert client.run("In[1:]").ok().result == '["\'stored\'", \'Out\', \'In[1:]\']'


def test_own_names_hide_ours(client):
    client.run("_ = 'mine'; In = 5; Out = 6").ok()
    client.run("1 + 1").ok()

    assert client.run("_, In, Out").ok().result == "('mine', 5, 6)"


def test_repr_that_raises_fails_the_cell_and_not_the_context(client):
    run = client.run("class Bad:\n    def __repr__(self): raise ValueError('in repr')\nBad()")

    assert (run.content["ename"], run.content["evalue"]) == ("ValueError", "in repr")
    shown = client.run("display(Bad()); 'after'").ok()
    assert shown.result == "'after'"
    assert "in repr" in shown.stderr
    assert client.run("1 + 1").ok().result == "2"


def test_large_result_arrives(client):
    assert len(client.run("'x' * 5000000", seconds=60).ok().result) == 5000002


# Names and the module they live in.


def test_names_stay_between_cells(client):
    client.run("import math\nx = 1\ndef f(): return x").ok()
    client.run("x = math.factorial(5)").ok()

    assert client.run("f()").ok().result == "120"


def test_cells_are_the_main_module(client):
    run = client.run("import sys, __main__\n"
                     "(__name__, sys.modules['__main__'].__dict__ is globals(), __main__ is "
                     "sys.modules['__main__'], sys.argv, '__file__' in globals())").ok()

    assert run.result.startswith("('__main__', True, True, [''")
    assert run.result.endswith("False)")


def test_class_of_a_cell_can_be_pickled(client):
    client.run("class Point:\n    def __init__(self, x): self.x = x\ndef f(p): return p.x").ok()

    run = client.run("import pickle, copy\n"
                     "pickle.loads(pickle.dumps(Point(5))).x, "
                     "pickle.loads(pickle.dumps(f))(Point(6)), copy.deepcopy(Point(7)).x").ok()

    assert run.result == "(5, 6, 7)"


def test_source_of_a_cell_can_be_had(client):
    client.run("def first():\n    return 1  # of the first cell").ok()
    client.run("class Second:\n    def method(self):\n        return 2").ok()

    run = client.run("import inspect\n"
                     "print(inspect.getsource(first), end='')\n"
                     "print(inspect.getsource(Second.method), end='')").ok()

    assert run.stdout == ("def first():\n    return 1  # of the first cell\n"
                          "    def method(self):\n        return 2\n")


def test_module_of_the_folder_can_be_imported(kernel, client):
    (kernel.folder / "beside.py").write_text("VALUE = 42\n", "utf-8")

    run = client.run("import beside, os; print(beside.VALUE, os.getcwd())").ok()

    assert run.stdout == f"42 {kernel.folder}\n"


def test_dataclass_and_typing_of_a_cell_work(client):
    assert client.run("""
import dataclasses, typing, enum
@dataclasses.dataclass
class A:
    x: "int" = 1
class B(enum.Enum):
    ONE = 1
typing.get_type_hints(A), A(), B.ONE""").ok().result == (
        "({'x': int}, A(x=1), <B.ONE: 1>)")


def test_definitions_of_different_cells_are_pickled_together(client):
    client.run("import dataclasses, enum, pickle, typing\n"
               "class Kind(enum.Enum): A = 1").ok()
    client.run("@dataclasses.dataclass\nclass Item:\n    kind: Kind\n"
               "    more: typing.List['Item'] = dataclasses.field(default_factory=list)").ok()
    client.run("class Pair(typing.NamedTuple):\n    left: Item\n    right: int").ok()

    run = client.run("value = Pair(Item(Kind.A, [Item(Kind.A)]), 2)\n"
                     "pickle.loads(pickle.dumps(value)) == value").ok()

    assert run.result == "True"


def test_examples_in_docstrings_are_found_and_run(client):
    client.run("def twice(x):\n    \"\"\"Twice.\n\n    >>> twice(2)\n    4\n"
               "    >>> twice('a')\n    'wrong'\n    \"\"\"\n    return x * 2").ok()

    run = client.run("import doctest\ndoctest.testmod()").ok()
    assert run.result == "TestResults(failed=1, attempted=2)"
    assert "Expected:\n    'wrong'\nGot:\n    'aa'\n" in run.stdout

    run = client.run("doctest.run_docstring_examples(twice, globals())\ntwice(3)").ok()
    assert run.stdout.count("Failed example") == 1
    assert run.result == "6"


def test_future_statement_holds_for_later_cells(client):
    assert failure(client, "def before(x: not_defined_anywhere): pass")[0] == "NameError"
    client.run("from __future__ import annotations").ok()

    run = client.run("def after(x: not_defined_anywhere): pass\nafter.__annotations__").ok()

    assert run.result == "{'x': 'not_defined_anywhere'}"

def test_cell_may_be_a_script(client):
    run = client.run("def main():\n    print('main has run')\n\n"
                     "if __name__ == '__main__':\n    main()").ok()

    assert run.stdout == "main has run\n"


def test_functions_of_cells_run_in_child_processes(client):
    client.run("def square(x): return x * x").ok()

    run = client.run("import multiprocessing\n"
                     "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
                     "    squares = pool.map(square, range(4))\nsquares", seconds=60).ok()

    assert run.result == "[0, 1, 4, 9]"


def test_source_of_a_redefined_function_is_the_newest(client):
    client.run("def f():\n    return 'old'").ok()
    client.run("def f():\n    # newer\n    return 'new'").ok()

    run = client.run("import inspect; print(inspect.getsource(f), end='')").ok()

    assert run.stdout == "def f():\n    # newer\n    return 'new'\n"


# What Out holds.


def test_large_results_push_older_ones_out(client):
    client.run("class Large:\n    def __init__(self, size): self.nbytes = size\n"
               "    nbytes = 0\n    def __repr__(self): return 'large'").ok()
    client.run("'small'").ok()
    for _ in range(4):
        client.run("Large(30_000_000)").ok()

    held = client.run("sorted(Out)").ok().result

    assert held == "[2, 5, 6]", "the small one stays, of the large ones the last two"
    assert client.run("'_3' in globals(), _6").ok().result == "(False, large)"


def test_names_of_earlier_results_let_go_of_what_out_has_dropped(client):
    client.run("import weakref\nclass Large:\n    nbytes = 40_000_000\n"
               "    def __repr__(self): return 'large'\n"
               "def new():\n    global seen\n    value = Large()\n"
               "    seen = weakref.ref(value)\n    return value").ok()
    client.run("new()").ok()
    client.run("first = seen").ok()
    client.run("new()").ok()

    assert client.run("print(first(), [__], _)").ok().stdout == "None [''] large\n"


def test_long_text_in_out_is_counted(client):
    for _ in range(3):
        client.run("'x' * 40_000_000", seconds=60).ok()

    assert client.run("sorted(Out)").ok().result == "[3]"


def test_result_over_the_limit_is_still_the_last_one(client):
    client.run("class Array:\n    nbytes = 10 ** 12\n    def __repr__(self): return 'large'").ok()
    client.run("Array()").ok()
    client.run("Array()").ok()

    assert client.run("sorted(Out), _").ok().result == "([3], large)"


def test_nested_scopes_see_the_names_of_the_cell(client):
    assert client.run("""
n = 3
class A:
    values = [n * i for i in range(n)]
def outer():
    def inner():
        global n
        n += 1
        return n
    return inner()
outer(), A.values, [n for _ in range(1)]""").ok().result == "(4, [0, 3, 6], [4])"


# await.


def test_await_at_the_top_has_a_value(client):
    assert client.run("import asyncio\nawait asyncio.sleep(0, 'value')").ok().result == "'value'"


def test_async_statements_work_at_the_top(client):
    assert client.run("""
import contextlib
@contextlib.asynccontextmanager
async def manager():
    yield "inside"
async def numbers():
    for i in range(3):
        yield i
seen = []
async with manager() as value:
    seen.append(value)
async for i in numbers():
    seen.append(i)
seen += [i async for i in numbers()]
seen""").ok().result == "['inside', 0, 1, 2, 0, 1, 2]"


def test_error_in_awaited_code_shows_its_line(client):
    client.run("async def broken():\n    return 1 / 0  # async").ok()

    ename, text = failure(client, "await broken()")

    assert ename == "ZeroDivisionError"
    assert "return 1 / 0  # async" in text
    assert "await broken()" in text


def test_tasks_live_on_between_cells(client):
    client.run("import asyncio\n"
               "async def work():\n    await asyncio.sleep(.05)\n    return 'done'\n"
               "async def start(): return asyncio.ensure_future(work())\n"
               "task = await start()").ok()

    assert client.run("await task").ok().result == "'done'"


def test_asyncio_run_works_in_a_plain_cell(client):
    run = client.run("import asyncio\nasync def f(): return 5\nasyncio.run(f())").ok()

    assert run.result == "5"
    assert client.run("await f()").ok().result == "5"


# Requests beside the code.


def test_user_expressions_are_evaluated_after_success(client):
    expressions = {"good": "x + 1", "bad": "1 / 0", "odd": "for"}

    answers = client.run("x = 20", user_expressions=expressions).ok().content["user_expressions"]

    assert answers["good"]["data"] == {"text/plain": "21"}
    assert answers["bad"]["status"] == "error"
    assert answers["bad"]["ename"] == "ZeroDivisionError"
    assert answers["odd"]["ename"] == "SyntaxError"


def test_user_expressions_are_not_evaluated_after_an_error(client):
    run = client.run("1 / 0", user_expressions={"x": "print('evaluated')"})

    assert run.content["user_expressions"] == {}
    assert run.stdout == ""


def test_user_expressions_of_a_silent_cell_are_answered(client):
    run = client.run("", silent=True, user_expressions={"x": "6 * 7"})

    assert run.content["user_expressions"]["x"]["data"]["text/plain"] == "42"


@pytest.mark.parametrize("code, status", [
    ("1 + 1", "complete"), ("", "complete"), ("print('x')", "complete"), ("def f():", "incomplete"),
    ("def f():\n    return 1", "incomplete"), ("def f():\n    return 1\n", "complete"),
    ("for i in range(3):", "incomplete"), ("(1,", "incomplete"), ("'''open", "incomplete"),
    ("x = \\", "incomplete"), ("x = = 1", "invalid"), ("1 +", "invalid"), (")", "invalid"),
    ("await f()", "complete"), ("x = 1", "complete"), ("import antigravity_x", "complete"),
    ("if True:\n    pass\nelse:", "incomplete"), ("@decorator", "incomplete"),
    ("raise = 2", "invalid"), ("a = [1,\n2]", "complete")], ids=repr)
def test_is_complete(client, code, status):
    content = client.request("shell", "is_complete_request", {"code": code}).content

    assert content["status"] == status
    if status == "incomplete" and code.endswith(":"):
        assert content["indent"] == "    "


def test_is_complete_runs_nothing(client):
    client.request("shell", "is_complete_request", {"code": "leaked = 1"})

    assert failure(client, "leaked")[0] == "NameError"


def test_input_without_permission_raises_at_once(client):
    assert failure(client, "input()")[0] == "StdinNotImplementedError"


def test_input_is_answered_by_the_client(client):
    running = client.execute("name = input('Who? ')\nname.upper()", allow_stdin=True)
    asked = client.wait(lambda: client.replies.get(("stdin", running.msg_id)), "input_request")

    client.send("stdin", "input_reply", {"value": "ada"})

    assert asked.content == {"prompt": "Who? ", "password": False}
    assert client.finish(running).ok().result == "'ADA'"


def test_reading_standard_input_ends_at_once(client):
    run = client.run("import sys; sys.stdin.isatty(), sys.stdin.read()")

    assert run.status == "error" or run.result == "(False, '')"


# Cells that try hard.


def test_long_cells_run(client):
    lines = 20000
    code = "x = 0\n" + "x += 1\n" * lines + "x"

    assert client.run(code, seconds=60).ok().result == str(lines)


def test_cell_of_megabytes_runs(client):
    text = "é" * 2_000_000

    assert client.run(f"len('{text}')", seconds=60).ok().result == "2000000"


def test_signal_handler_of_a_cell_is_kept(client):
    client.run("import signal\nhits = []\n"
               "signal.signal(signal.SIGINT, lambda *_: hits.append(1))").ok()
    running = client.execute("import time\nprint('go', flush=True)\nfor _ in range(1000):\n"
                             "    time.sleep(.01)\n    if hits: break")
    client.wait_output(running, "go")

    client.interrupt()

    client.finish(running).ok()
    assert client.run("bool(hits)").ok().result == "True"


@pytest.mark.parametrize("code", [
    "import sys; del sys.stdout", "import sys; sys.stdout = None", "import sys; sys.stderr = 5",
    "import builtins; del builtins.print", "del __builtins__", "__builtins__ = {}",
    "import sys; sys.modules.clear()", "globals().clear()", "import sys; sys.excepthook = None",
    "import sys; sys.displayhook = None", "import linecache; linecache.cache = None",
    "import traceback; del traceback.format_exception", "import sys; sys.path = None",
    "import gc; gc.disable(); gc.collect()", "import ast; del ast.parse",
    "import sys; sys.setrecursionlimit(50)", "import sys; sys.settrace(lambda *_: None)",
    "import os; os.chdir('/'); os.environ.clear()", "import os; os.closerange(3, 100)",
    "__import__ = None", "__name__ = 5", "import signal; signal.alarm(0)",
    "import threading; threading.main_thread = None"], ids=repr)
def test_cell_that_breaks_its_interpreter_leaves_a_context_that_answers(client, code):
    client.run(code)

    # It may have harmed itself, but it answers, and a restart is always there.
    client.run("1 / 0")
    assert client.run("1 + 1").status in ("ok", "error")
