# SPDX-License-Identifier: MIT
"""Questions of a cell to its client: asked of the client that runs it and of nobody else, answered
once, and never a reason for anything to wait for ever."""
import json

import pytest

from support.build import scaled
from support.contexts import create
from support.waiting import Stopwatch

STRAY = "channel=stdin.*input_reply"  # the log line of an answer that nobody waits for


def ask(client, code="input('name? ')", **options):
    """A cell that waits for an answer, and its question."""
    running = client.execute(code, allow_stdin=True, **options)
    return running, client.wait_asked(running)


# Question and answer.


def test_input_is_asked_and_answered(client):
    running, asked = ask(client, "x = input('name? ')\nx")

    assert asked.content == {"prompt": "name? ", "password": False}
    client.answer("Ada")

    assert client.finish(running).ok().result == "'Ada'"


@pytest.mark.parametrize("code, prompt", [("input()", ""), ("input(42)", "42"),
                                          ("input('ü😀\\n\\t\\0')", "ü😀\n\t\0"),
                                          ("input('x' * 100000)", "x" * 100000)],
                         ids=["none", "number", "unicode", "long"])
def test_prompt_is_what_the_code_says(client, code, prompt):
    running, asked = ask(client, code)
    client.answer("")

    assert asked.content["prompt"] == prompt
    assert client.finish(running).ok().result == "''"


@pytest.mark.parametrize("value", ["", " ", "ü😀", "a\nb\r\n", "'\"\\", "\0", "x" * 1_000_000, "\x04x"],
                         ids=["empty", "blank", "unicode", "lines", "quotes", "nul", "long", "eot"])
def test_answer_arrives_as_it_was_given(client, value):
    running, _ = ask(client, "x = input()\nimport json; print(json.dumps(x))")
    client.answer(value)

    assert json.loads(client.finish(running).ok().stdout) == value


def test_many_questions_of_a_cell_are_answered_in_order(client):
    running = client.execute("print([input(f'{i}? ') for i in range(20)])", allow_stdin=True)
    for i in range(20):
        asked = client.wait_asked(running, i + 1)
        assert asked.content["prompt"] == f"{i}? "
        client.answer(f"answer {i}")

    assert client.finish(running).ok().stdout == f"{[f'answer {i}' for i in range(20)]}\n"


def test_output_before_a_question_is_seen_before_the_answer(client):
    running, _ = ask(client, "print('before', end='')\ninput()\nprint(' after')")

    client.wait_output(running, "before")
    client.answer("")

    assert client.finish(running).ok().stdout == "before after\n"


def test_password_is_asked_for_as_one(client):
    running, asked = ask(client, "import getpass\ngetpass.getpass('secret? ')")
    assert asked.content == {"prompt": "secret? ", "password": True}
    client.answer("hunter2")
    assert client.finish(running).ok().result == "'hunter2'"

    running, asked = ask(client, "getpass.getpass()")
    assert asked.content == {"prompt": "Password: ", "password": True}
    client.answer("x")
    client.finish(running).ok()


def test_end_of_input_is_an_eof_error(client):
    running, _ = ask(client)
    client.answer("\x04")

    assert client.finish(running).content["ename"] == "EOFError"
    assert client.run("1").ok().result == "1"


def test_silent_cell_may_ask(client):
    running, asked = ask(client, "x = input('quiet? ')", silent=True)
    assert asked.content["prompt"] == "quiet? "
    client.answer("yes")

    assert client.finish(running).status == "ok"
    assert client.run("x").ok().result == "'yes'"


@pytest.mark.parametrize("code", ["input('x')", "import getpass; getpass.getpass()"])
@pytest.mark.parametrize("options", [{"allow_stdin": False}, {"allow_stdin": None}])
def test_input_that_is_not_allowed_fails_at_once(client, code, options):
    with Stopwatch() as watch:
        run = client.run(code, **options)

    assert run.content["ename"] == "StdinNotImplementedError"
    assert "does not support input requests" in run.content["evalue"]
    assert watch.seconds < scaled(2)
    assert not client.asked


# Whose answer counts.


def test_question_goes_to_the_asker_only(kernel, client):
    other = kernel.client()
    running, _ = ask(client)

    other.answer("intruder")
    kernel.take_log(STRAY)
    client.answer("Ada")

    assert client.finish(running).ok().result == "'Ada'"
    other.wait_idle(running)
    assert not other.asked


def test_two_clients_are_asked_one_after_the_other(kernel, client):
    other = kernel.client()
    mine, _ = ask(client)
    theirs = other.execute("input('theirs? ')", allow_stdin=True)
    other.answer("too early")
    kernel.take_log(STRAY)

    client.answer("mine")
    assert client.finish(mine).ok().result == "'mine'"
    other.wait_asked(theirs)
    client.answer("too late")
    kernel.take_log(STRAY)
    other.answer("theirs")

    assert other.finish(theirs).ok().result == "'theirs'"


def test_two_clients_are_asked_at_once_by_two_contexts(kernel, client):
    other = kernel.client()
    create(client, "a")
    mine, _ = ask(client)
    theirs, _ = ask(other, context="a")

    other.answer("theirs")
    assert other.finish(theirs).ok().result == "'theirs'"
    assert ("shell", mine.msg_id) not in client.replies
    client.answer("mine")

    assert client.finish(mine).ok().result == "'mine'"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("names", ["question", "cell"])
def test_answer_reaches_the_context_whose_question_it_names(client, order, names):
    asking = []
    for name in (None, "a", "b"):
        if name:
            create(client, name)
        asking.append(ask(client, context=name))

    for i in order:
        running, asked = asking[i]
        parent = asked.header if names == "question" else asked.parent
        client.send("stdin", "input_reply", {"value": f"answer {i}"}, parent=parent)

    for i, (running, _) in enumerate(asking):
        assert client.finish(running).ok().result == f"'answer {i}'"


def test_answer_that_names_nothing_goes_to_who_has_waited_longest(client):
    create(client, "a")
    first, _ = ask(client, context="a")
    second, _ = ask(client)

    client.answer("one")
    assert client.finish(first).ok().result == "'one'"
    client.answer("two")

    assert client.finish(second).ok().result == "'two'"


def test_answer_to_an_old_question_is_dropped(kernel, client):
    old, old_question = ask(client, "input('old? ')")
    client.interrupt()
    client.finish(old)
    running, _ = ask(client, "input('new? ')")

    client.answer("stale", asked=old_question)
    kernel.take_log(STRAY)
    client.answer("fresh")

    assert client.finish(running).ok().result == "'fresh'"


def test_second_answer_is_dropped(kernel, client):
    running, asked = ask(client, "a = input()\nb = input()\na, b")

    client.answer("one", asked=asked)
    client.wait_asked(running, 2)
    client.answer("one again", asked=asked)
    kernel.take_log(STRAY)
    client.answer("two")

    assert client.finish(running).ok().result == "('one', 'two')"


def test_answer_nobody_waits_for_does_not_reach_the_next_question(kernel, client):
    client.run("1").ok()
    client.answer("too early")
    kernel.take_log(STRAY)
    running, _ = ask(client)

    client.answer("right")

    assert client.finish(running).ok().result == "'right'"


@pytest.mark.parametrize("content", [{}, {"value": 5}, {"value": None}, {"value": ["x"]},
                                     {"text": "x"}], ids=str)
def test_answer_without_a_text_is_dropped_with_a_line(kernel, client, content):
    running, _ = ask(client)

    client.send("stdin", "input_reply", content)
    kernel.take_log("channel=stdin.*value")
    client.answer("right")

    assert client.finish(running).ok().result == "'right'"


# While it waits.


def test_waiting_cell_can_be_interrupted(client):
    running, _ = ask(client)
    queued = client.execute("1")

    with Stopwatch() as watch:
        client.interrupt()
        assert client.finish(running).content["ename"] == "KeyboardInterrupt"

    assert watch.seconds < scaled(1)
    assert client.finish(queued).status in ("aborted", "ok"), "control may overtake shell"
    assert client.run("1 + 1").ok().result == "2"


def test_waiting_cell_of_another_context_can_be_interrupted(client):
    create(client, "a")
    mine, _ = ask(client)
    other, _ = ask(client, context="a")

    client.control("interrupt_request", context_id="a")

    assert client.finish(other).content["ename"] == "KeyboardInterrupt"
    client.answer("still here")
    assert client.finish(mine).ok().result == "'still here'"


def test_heartbeat_and_control_answer_while_a_cell_waits(client):
    running, _ = ask(client)

    with Stopwatch() as watch:
        for _ in range(20):
            assert client.beat(b"\0 alive?") == b"\0 alive?"
            assert client.request("control", "kernel_info_request").status == "ok"

    assert watch.seconds < scaled(2)
    client.answer("yes")
    assert client.finish(running).ok().result == "'yes'"


@pytest.mark.parametrize("restart", [True, False])
def test_shutdown_ends_a_waiting_cell(kernel, client, restart):
    running, _ = ask(client)

    with Stopwatch() as watch:
        request = client.send("control", "shutdown_request", {"restart": restart})
        client.finish(request)
        kernel.wait_exit()

    assert watch.seconds < scaled(2)
    assert client.finish(running).status == "error"


def test_client_that_went_away_leaves_an_interruptible_cell(kernel, client):
    other = kernel.client()
    running, _ = ask(other)
    other.close()

    client.interrupt()

    client.wait_idle(running)
    assert client.run("1").ok().result == "1"


def test_client_that_connects_its_stdin_late_is_asked(kernel):
    client = kernel.client(stdin=False)
    running = client.execute("print('go', flush=True); input('name? ')", allow_stdin=True)
    client.wait_output(running, "go")

    client.connect_stdin()
    asked = client.wait_asked(running)
    client.answer("late", asked=asked)

    assert asked.content["prompt"] == "name? "
    assert client.finish(running).ok().result == "'late'"


def test_question_that_waits_for_a_stdin_can_be_interrupted(kernel):
    client = kernel.client(stdin=False)
    running = client.execute("print('go', flush=True); input()", allow_stdin=True)
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running)

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(1)


@pytest.mark.slow
def test_client_that_never_connects_its_stdin_gets_an_error_that_says_so(kernel):
    client = kernel.client(stdin=False)

    with Stopwatch() as watch:
        run = client.run("input()", allow_stdin=True)

    assert run.content["ename"] == "StdinNotImplementedError"
    assert "stdin channel within 5 s" in run.content["evalue"]
    assert watch.seconds < scaled(10)
    assert client.run("1 + 1").ok().result == "2"
    kernel.take_log("message not sent.*input_request")
