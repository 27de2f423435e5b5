# SPDX-License-Identifier: MIT
"""What a cell leaves running goes on between cells and is heard at once: tasks and timers under the
cell that started them, threads under the latest cell. Nobody has to send a request for it."""
import pytest

from support.build import scaled
from support.client import Run
from support.waiting import Stopwatch

# Each leaves something behind that waits for `gate` and then says "late words".
TASKS = {
    "task": "async def late():\n    await gate.wait()\n    print('late words')\n"
            "task = asyncio.create_task(late())",
    "stderr": "async def late():\n    await gate.wait()\n    print('late words', file=sys.stderr)\n"
              "task = asyncio.create_task(late())",
    "logging": "async def late():\n    await gate.wait()\n    logging.warning('late words')\n"
               "task = asyncio.create_task(late())",
    "nested": "async def late():\n    await gate.wait()\n    print('late words')\n"
              "async def outer():\n    await asyncio.create_task(late())\n"
              "task = asyncio.create_task(outer())",
    "thread": "async def late():\n    await gate.wait()\n"
              "    await asyncio.to_thread(print, 'late words')\n"
              "task = asyncio.create_task(late())",
    "from a function": "task = start()",
    "raises": "async def late():\n    await gate.wait()\n    raise ValueError('late words')\n"
              "asyncio.create_task(late());",
    "callback raises": "def late(): raise ValueError('late words')\n"
                       "async def wait():\n    await gate.wait()\n"
                       "    asyncio.get_running_loop().call_soon(late)\n"
                       "task = asyncio.create_task(wait())",
    "display": "class Shown:\n    def _repr_html_(self): return '<b>late words</b>'\n"
               "async def late():\n    await gate.wait()\n    display(Shown())\n"
               "task = asyncio.create_task(late())",
}

SET_UP = """
import asyncio, logging, sys
logging.basicConfig()
gate = asyncio.Event()
async def said():
    await gate.wait()
    print("late words")
def start():
    return asyncio.get_event_loop().create_task(said())
"""


def said(client, request):
    """All that was published about a request, as one text."""
    return "".join(str(m.content) for m in client.by_parent[request.msg_id]
                   if m.type in ("stream", "display_data"))


@pytest.mark.parametrize("what", TASKS)
def test_task_speaks_for_the_cell_that_started_it(client, what):
    client.run(SET_UP).ok()
    first = client.run(TASKS[what]).ok()
    between = client.run("1").ok()

    second = client.run("gate.set()").ok()

    client.wait(lambda: "late words" in said(client, first.request), "words of the task")
    client.run("await asyncio.sleep(.1)").ok()  # a second report would come by now
    assert said(client, first.request).count("late words\\n") <= 2
    assert "late words" not in said(client, between.request) + said(client, second.request)


def test_task_and_cell_that_print_in_turns_are_told_apart(client):
    first = client.run("""
import asyncio
async def tick():
    for i in range(20):
        print("task", i)
        await asyncio.sleep(0)
task = asyncio.create_task(tick())""").ok()
    second = client.run("for i in range(20):\n    print('cell', i)\n    await asyncio.sleep(0)").ok()
    client.run("await task").ok()

    text = Run(None, None, client.by_parent[first.request.msg_id]).stdout
    assert text.splitlines() == [f"task {i}" for i in range(20)]
    assert second.stdout.splitlines() == [f"cell {i}" for i in range(20)]


def test_task_is_heard_while_a_silent_cell_runs(client):
    first = client.run("""
import asyncio
async def tick():
    while True:
        print("tick")
        await asyncio.sleep(.01)
task = asyncio.create_task(tick())""").ok()
    before = said(client, first.request).count("tick")

    client.run("await asyncio.sleep(.2); print('never heard'); task.cancel()", silent=True)

    assert said(client, first.request).count("tick") > before + 2


def test_task_of_a_silent_cell_is_not_lost_and_not_a_violation(client):
    heard = client.run("import asyncio\ngate = asyncio.Event()").ok()
    client.run("async def late():\n    await gate.wait()\n    print('late words')\n"
               "task = asyncio.create_task(late())", silent=True)

    last = client.run("gate.set()").ok()

    client.wait(lambda: "late words" in said(client, last.request) + said(client, heard.request),
                "words of the task")


def test_task_older_than_the_broker_remembers_speaks_for_the_last_cell(client):
    client.run("import asyncio\ngate = asyncio.Event()\nasync def late():\n    await gate.wait()\n"
               "    print('late words')\ntask = asyncio.create_task(late())").ok()
    for number in range(40):
        last = client.run(str(number)).ok()
    last = client.run("gate.set(); None").ok()

    client.wait_output(last.request, "late words")


@pytest.mark.parametrize("code", [
    "import asyncio\nasyncio.get_event_loop().call_later(.1, print, 'late words'); None",
    "import asyncio\nasyncio.get_running_loop().call_later(.1, print, 'late words'); None",
    "import threading, asyncio\nloop = asyncio.get_event_loop()\n"
    "threading.Timer(.1, loop.call_soon_threadsafe, (print, 'late words')).start()",
    "import threading\nthreading.Timer(.1, print, ('late words',)).start()",
], ids=["call_later", "running", "call_soon_threadsafe", "thread"])
def test_timer_is_heard_without_another_request(client, code):
    run = client.run(code).ok()

    with Stopwatch() as watch:
        client.wait_output(run.request, "late words")

    assert watch.seconds < scaled(0.5), "0.1 s of waiting, and little to be sent"


def test_task_goes_on_between_cells(client):
    client.run("""
import asyncio
ticks = 0
async def count():
    global ticks
    while True:
        await asyncio.sleep(.005)
        ticks += 1
        if ticks == 10: print("ten")
task = asyncio.create_task(count())""").ok()
    last = client.run("None")

    client.wait(lambda: any("ten" in said(client, m) for m in (last.request,)) or any(
        "ten" in m.content.get("text", "") for m in client.iopub if m.type == "stream"), "ten")
    assert int(client.run("task.cancel(); ticks").ok().result) >= 10


def test_task_that_nobody_awaited_is_reported_once(client):
    first = client.run("import asyncio\nasync def fail():\n    raise ValueError('unheard')\n"
                       "asyncio.create_task(fail());").ok()

    client.wait(lambda: "unheard" in said(client, first.request), "report of the task")
    client.run("import gc; gc.collect(); await asyncio.sleep(.05)").ok()

    text = Run(None, None, client.by_parent[first.request.msg_id]).stderr
    assert text.count("Task exception was never retrieved") == 1
    assert text.count("ValueError: unheard") == 1


@pytest.mark.parametrize("error", ["SystemExit(3)", "KeyboardInterrupt"])
def test_task_that_ends_with_what_no_loop_catches_is_told_and_ends_nothing(client, error):
    first = client.run(f"import asyncio\nasync def late():\n    await asyncio.sleep(.05)\n"
                       f"    raise {error}\ntask = asyncio.create_task(late())").ok()

    client.wait(lambda: error[:10] in said(client, first.request), "report of the task")

    assert client.run("await asyncio.sleep(0, 5)").ok().result == "5"


@pytest.mark.parametrize("code, result", [
    ("[x async for x in numbers()]", "[0, 1, 2]"),
    ("total = 0\nasync for x in numbers(): total += x\ntotal", "3"),
    ("async with opened() as x: pass\nx", "5"),
    ("(await value(3)) + (await value(4))", "7"),
    ("f'{await value(5)}'", "'5'"),
    ("{await value(i): i for i in range(2)}", "{0: 0, 1: 1}"),
    ("asyncio.run(value(6))", "6"),
    ("with asyncio.Runner() as runner: x = runner.run(value(7))\nx", "7"),
    ("asyncio.get_event_loop().run_until_complete(value(8))", "8"),
    ("async with asyncio.TaskGroup() as group: task = group.create_task(value(9))\n"
     "task.result()", "9"),
    ("asyncio.get_event_loop().close()\nasyncio.run(value(10))", "10"),
], ids=lambda value: value[:30])
def test_awaits_of_every_form(client, code, result):
    client.run("""
import asyncio, contextlib, sys
async def numbers():
    for i in range(3): yield i
@contextlib.asynccontextmanager
async def opened():
    yield 5
async def value(x):
    await asyncio.sleep(0)
    return x""").ok()
    if "Runner" in code or "TaskGroup" in code:
        if client.run("sys.version_info >= (3, 11)").result != "True":
            return

    assert client.run(code).ok().result == result
    assert client.run("await value(1)").ok().result == "1", "the loop is whole"
