# SPDX-License-Identifier: MIT
"""Many contexts behind one door: selected by metadata or by the first line, made, listed, and kept
apart from each other. Run against the mock, and Python as the second language.
Not here: how they end (test_context_life.py), limits of one run (test_limits.py)."""
import json
import shutil

import psutil
import pytest

from support.build import PANDIA, SANITIZED, WORKERS
from support.contexts import create, delete, listed, refusal
from support.processes import alive, descendants
from support.waiting import wait_until

LANGUAGE = "mock"


# Selecting.


def test_metadata_selects_a_context(client):
    create(client, "a")
    client.run("count").ok()

    runs = [client.run("count", context="a").ok() for _ in range(2)]

    assert [run.stdout for run in runs] == ["1\n", "2\n"]
    assert client.run("count").ok().stdout == "2\n"
    assert client.run("count", metadata={"context": "default"}).ok().stdout == "3\n"
    assert client.run("count", metadata={"context": None}).ok().stdout == "4\n"


@pytest.mark.parametrize("line", ["%%context a", "%%context   a", "%%context a  ", "%%context a\r"],
                         ids=repr)
def test_first_line_selects_a_context(client, line):
    create(client, "a")
    client.run("count", context="a").ok()

    run = client.run(f"{line}\ncount").ok()

    assert run.stdout == "2\n"
    assert run.reply.metadata["context_id"] == "a"


def test_first_line_is_shown_as_it_was_sent(client):
    create(client, "a")
    code = '%%context a\nprint "ü\\t\U0001f600"\n\n'

    run = client.run(code).ok()

    assert run.contents("execute_input") == [{"code": code, "execution_count": 1}]
    assert run.stdout == '"ü\\t\U0001f600"\n'


def test_first_line_alone_runs_nothing(client):
    create(client, "a")

    assert client.run("%%context a").ok().types == ["execute_input"]
    assert client.run("%%python").ok().types == ["execute_input"]


def test_first_line_wins_over_metadata(client):
    create(client, "a")
    create(client, "b")

    run = client.run("%%context b\ncount", context="a").ok()

    assert run.reply.metadata["context_id"] == "b"


@pytest.mark.parametrize("code", ["\n%%context a", " %%context a", "%%contextual a", "%%context\ta",
                                  "%%pythonic", "%%javascript", "%%python -c", "# %%python"],
                         ids=repr)
def test_other_lines_belong_to_the_language(client, code):
    create(client, "a")

    run = client.run(code)

    assert run.content["ename"] == "SyntaxError", "the mock knows no such command"
    assert "context_id" not in run.reply.metadata


def test_language_line_makes_its_context_when_first_wanted(client):
    client.run("count").ok()
    assert set(listed(client)) == {"default"}

    first = client.run("%%python\nx = 41\nprint('hello')").ok()
    second = client.run("%%python\nx + 1").ok()
    by_name = client.run("x", context="python").ok()

    assert first.stdout == "hello\n"
    assert (second.result, by_name.result) == ("42", "41")
    assert [run.count for run in (first, second, by_name)] == [1, 2, 3]
    assert second.reply.metadata["context_id"] == "python"
    assert listed(client)["python"]["language"] == "python"
    assert client.run("count").ok().stdout == "2\n", "the other language lives on"


def test_language_line_of_the_default_language_selects_the_default_context(start_kernel):
    client = start_kernel(language="python").client()
    client.run("x = 1").ok()

    run = client.run("%%python\nx").ok()

    assert run.result == "1"
    assert "context_id" not in run.reply.metadata
    assert set(listed(client)) == {"default"}


@pytest.mark.parametrize("line, language", [("%%js", "javascript"), ("%%ts", "typescript"),
                                            ("%%python", "python")])
def test_language_that_is_not_built_is_refused_with_what_there_is(start_kernel, tmp_path, line,
                                                                  language):
    build = tmp_path / "build"
    for file in (PANDIA, WORKERS / "pandia-mock"):
        copy = build / file.relative_to(PANDIA.parents[1])
        copy.parent.mkdir(parents=True)
        shutil.copy(file, copy)
    client = start_kernel(language="mock", program=build / "bin/pandia").client()

    run = client.run(f"{line}\n1")

    assert run.status == "error"
    assert f"'{language}'" in run.content["evalue"]
    assert "mock" in run.content["evalue"], "it says what this build has"
    assert set(listed(client)) == {"default"}


def test_line_numbers_are_those_of_the_cell(client):
    failed = client.run("%%python\n\ndef f():\n    1/0\nf()")
    wrong = client.run("%%python\n\n\nx = = 1")

    traceback = "\n".join(failed.content["traceback"])
    assert failed.content["ename"] == "ZeroDivisionError"
    assert "line 4" in traceback or "4     1/0" in traceback.replace("->", "").replace(">", "")
    assert wrong.content["ename"] == "SyntaxError"
    assert "line 4" in "\n".join([*wrong.content["traceback"], wrong.content["evalue"]])


def test_cursor_positions_are_those_of_the_cell(client):
    create(client, "a")
    code = "%%context a\nädd 😀 more"

    for start, cursor in ((12, 12), (13, 15), (len(code) - 4, len(code))):
        run = client.request("shell", "complete_request", {"code": code, "cursor_pos": cursor})
        assert (run.content["cursor_start"], run.content["cursor_end"]) == (start, cursor)
        assert run.reply.metadata["context_id"] == "a"


@pytest.mark.parametrize("kind, content", [
    ("complete_request", {"cursor_pos": 0}), ("inspect_request", {"cursor_pos": 0}),
    ("is_complete_request", {}), ("execute_request", {})])
def test_every_request_with_code_can_select(client, kind, content):
    create(client, "a")

    by_line = client.request("shell", kind, {"code": "%%context a\nprint x", **content})
    by_metadata = client.request("shell", kind, {"code": "print x", **content},
                                 metadata={"context": "a"})
    neither = client.request("shell", kind, {"code": "print x", **content})

    for run in (by_line, by_metadata):
        assert run.status in ("ok", "complete")
        assert {m.metadata.get("context_id") for m in [run.reply, *run.messages]} == {"a"}
    assert {m.metadata.get("context_id") for m in [neither.reply, *neither.messages]} == {None}


@pytest.mark.parametrize("code, status", [
    ("%%context a", "incomplete"), ("%%context a  ", "incomplete"), ("%%context a\n", "complete"),
    ("%%context a\nprint x", "complete"), ("print x", "complete")])
def test_line_that_only_selects_waits_for_its_code(client, code, status):
    create(client, "a")

    run = client.request("shell", "is_complete_request", {"code": code})

    assert run.status == status
    assert run.content.get("indent", "") == ""


BAD_IDS = [5, [], {}, True, "", "a b", "a/b", "../a", "ä", "a\0b", "a\n", "x" * 129, "%", "a'\"b"]


@pytest.mark.parametrize("kind", ["execute_request", "is_complete_request", "complete_request"])
@pytest.mark.parametrize("bad", BAD_IDS, ids=ascii)
def test_metadata_that_is_no_id_is_refused_with_its_field(client, kind, bad):
    run = client.request("shell", kind, {"code": "count"}, metadata={"context": bad})

    assert run.status == "error"
    assert run.content["ename"] == "InvalidRequest"
    assert "metadata.context" in run.content["evalue"]
    assert client.run("count").ok().stdout == "1\n", "nothing has run"


@pytest.mark.parametrize("line, word", [("%%context", "%%context"), ("%%context ", "%%context"),
                                        ("%%context a b", "a b"), ("%%context ../a", "../a"),
                                        ("%%context " + "x" * 129, "x" * 40)],
                         ids=lambda text: text[:20])
def test_first_line_that_names_no_id_is_refused(client, line, word):
    run = client.run(f"{line}\ncount")

    assert run.content["ename"] == "InvalidRequest"
    assert word in run.content["evalue"]


@pytest.mark.parametrize("kind", ["execute_request", "is_complete_request", "inspect_request"])
def test_unknown_context_is_refused_with_its_name_and_the_remedy(client, kind):
    run = client.request("shell", kind, {"code": "count"}, metadata={"context": "nosuch"})

    assert run.status == "error"
    assert "'nosuch'" in run.content["evalue"]
    assert "create_context_request" in run.content["evalue"]
    assert "%%context nosuch" in run.content["evalue"]
    assert set(listed(client)) == {"default"}


def test_first_line_makes_its_context(client):
    assert client.run("%%context new\ncount").ok().stdout == "1\n"
    assert client.run("count").ok().stdout == "1\n", "the default context has its own variables"
    assert client.run("count", context="new").ok().stdout == "2\n"
    assert {name: c["language"] for name, c in listed(client).items()} == {"default": "mock", "new": "mock"}


# Making.


def test_create_describes_the_new_context(kernel, client):
    made = create(client, "a.B_c-1")

    assert (made["id"], made["language"], made["state"]) == ("a.B_c-1", "mock", "idle")
    assert made["execution_count"] == 0
    assert made["cwd"] == str(kernel.folder)
    assert made["pid"] in descendants(kernel.pid)
    assert made["created"] <= made["last_used"]
    assert client.run("pid", context="a.B_c-1").ok().stdout == f"{made['pid']}\n"


def test_create_draws_an_id_when_none_is_given(client):
    made = [create(client) for _ in range(5)] + [create(client, context_id=None)]

    ids = [context["id"] for context in made]
    assert len(set(ids)) == len(ids)
    for name in ids:
        assert client.run("count", context=name).ok().stdout == "1\n"


def test_create_takes_a_working_directory(client, tmp_path):
    folder = tmp_path / "with 'quotes\" and ünïcode\n$(touch x)"
    folder.mkdir()

    made = create(client, "a", language="python", cwd=str(folder))
    run = client.run("import os; print(os.getcwd(), end='')", context="a").ok()

    assert made["cwd"] == str(folder)
    assert run.stdout == str(folder)
    assert not list(tmp_path.glob("**/x"))


TEXTS = {"QUOTES": "a'b\"c`d", "LINES": "a\nb\r\n\tc\n", "SHELL": "$(touch x); ${HOME} `id` \\ & |",
         "UNICODE": "ünïcödé 😀 \u2028", "EMPTY": "", "SPACES": "  a  ", "JSON": '{"a": [1, "\\n"]}',
         "a name with spaces": "1", "LONG": "x" * 100000, "PERCENT": "%s %n %d"}


def test_create_takes_an_environment(start_kernel):
    client = start_kernel(language="python", env={"OURS": "kept", "GONE": "x"}).client()

    create(client, "a", env={**TEXTS, "GONE": None, "NEVER": None, "HOME": "/elsewhere"})
    run = client.run("import json, os, subprocess, sys\nprint(json.dumps(dict(os.environ)))",
                     context="a").ok()
    child = client.run("""
code = "import json, os; print(json.dumps(dict(os.environ)))"
print(subprocess.run(["/usr/bin/env", "python3", "-c", code], capture_output=True, text=True).stdout)""",
                       context="a").ok()
    default = client.run("import os; print(os.environ['GONE'], 'QUOTES' in os.environ)").ok()

    for text in (run.stdout, child.stdout):
        seen = json.loads(text)
        assert {name: seen.get(name) for name in TEXTS} == TEXTS
        assert (seen["OURS"], seen["HOME"]) == ("kept", "/elsewhere")
        assert "GONE" not in seen
        assert "NEVER" not in seen
    assert default.stdout == "x False\n", "the default context has its own"


def test_create_takes_a_language(client):
    create(client, "p", language="python")
    create(client, "m", language="mock")
    create(client, "n", language=None)

    assert client.run("1 + 1", context="p").ok().result == "2"
    assert client.run("result 2", context="m").ok().result == "2"
    assert {name: c["language"] for name, c in listed(client).items()} == {
        "default": "mock", "p": "python", "m": "mock", "n": "mock"}


REFUSED = [({"context_id": bad}, "context_id") for bad in BAD_IDS if bad != ""]
REFUSED += [
    ({"context_id": "default"}, "'default' exists already"),
    ({"context_id": "taken"}, "'taken' exists already"),
    ({"language": "cobol"}, "'cobol'"), ({"language": "cobol"}, "python"),
    ({"language": 5}, "language"), ({"language": "../../bin/sh"}, "../../bin/sh"),
    ({"cwd": "/no/such/folder"}, "/no/such/folder"), ({"cwd": "/etc/passwd"}, "/etc/passwd"),
    ({"cwd": "/bin/sh"}, "/bin/sh"), ({"cwd": 5}, "cwd"), ({"cwd": "/a\0b"}, "cwd"),
    ({"cwd": "/" + "x" * 5000}, "cwd"),
    ({"env": []}, "env"), ({"env": "A=1"}, "env"), ({"env": {"A": 5}}, "'A'"),
    ({"env": {"A": ["x"]}}, "'A'"), ({"env": {"A": "x\0y"}}, "'A'"), ({"env": {"": "x"}}, "env"),
    ({"env": {"A=B": "x"}}, "'A=B'"), ({"env": {"A": "x" * (3 << 20)}}, "env"),
    ({"langauge": "python"}, "'langauge' is not an option"), ({"timeout_ms": 5}, "'timeout_ms'"),
    ({"limits": {"memory_bytes": "lots"}, "language": "javascript"}, "limits.memory_bytes must be"),
    ({"limits": {"memory": 1 << 30}, "language": "javascript"}, "'limits.memory'"),
    ({"limits": {"memory_bytes": 1 << 30}}, "limits.memory_bytes is an option of javascript"),
    ({"limits": []}, "limits must be an object"), ({"rich": "yes"}, "rich must be true or false"),
]


@pytest.mark.parametrize("content, words", REFUSED,
                         ids=[f"{i}-{str(c)[:30]!a}" for i, (c, _) in enumerate(REFUSED)])
def test_create_of_something_impossible_is_refused_with_the_thing(client, content, words):
    create(client, "taken")

    text = refusal(client, "create_context_request", **content)

    assert words in text
    assert set(listed(client)) == {"default", "taken"}, "nothing is left of it"
    assert client.run("count", context="taken").ok().stdout == "1\n"


@pytest.mark.parametrize("kind", ["delete", "restart", "list"])
def test_unknown_field_of_a_context_request_is_refused_with_its_name(client, kind):
    create(client, "a")

    fields = {} if kind == "list" else {"context_id": "a"}
    text = refusal(client, f"{kind}_context_request", **fields, contextid="b")

    assert '"contextid"' in text
    assert set(listed(client)) == {"default", "a"}


def test_metadata_of_a_cell_may_hold_anything_else(client):
    metadata = {"tags": ["x"], "limits": 5, "rich": "yes", "deletedCells": [], "trusted": True}

    assert client.run("count", metadata=metadata).ok().stdout == "1\n"


def test_list_tells_the_state_of_each(client):
    assert listed(client)["default"]["state"] == "stopped", "not wanted yet"
    assert listed(client)["default"]["pid"] == 0
    create(client, "a")
    create(client, "b")
    running = client.execute("print go\nloop", context="b")
    client.wait_output(running, "go")

    contexts = listed(client)

    assert {name: c["state"] for name, c in contexts.items()} == {
        "default": "stopped", "a": "idle", "b": "busy"}
    assert contexts["b"]["execution_count"] == 1
    assert contexts["b"]["last_used"] > contexts["b"]["created"]
    client.control("interrupt_request", context_id="b")
    client.finish(running)


def test_contexts_are_managed_while_the_default_one_computes(client):
    running = client.execute("print go\nloop")
    client.wait_output(running, "go")

    create(client, "a")
    assert client.run("count", context="a").ok().stdout == "1\n"
    delete(client, "a")

    assert ("shell", running.msg_id) not in client.replies
    client.interrupt()
    client.finish(running)


# Kept apart.


def test_counts_and_variables_are_of_one_context(start_kernel):
    client = start_kernel(language="python").client()
    create(client, "a")
    client.run("x = 'default'; y = 1").ok()

    first = client.run("x = 'a'", context="a").ok()
    other = client.run("x, 'y' in globals(), Out, len(In)", context="a").ok()
    mine = client.run("x").ok()

    assert (first.count, other.count, mine.count) == (1, 2, 2)
    assert other.result == "('a', False, {}, 3)"
    assert mine.result == "'default'"


def test_error_in_one_context_aborts_only_its_own_queue(client):
    create(client, "a")
    create(client, "b")
    failing = client.execute("sleep 300\nerror E v", context="a")
    mine = [client.execute("count", context="a") for _ in range(3)]
    others = [client.execute("count", context=name) for name in ("b", None, "b", None)]

    assert client.finish(failing).status == "error"

    assert [client.finish(request).status for request in mine] == ["aborted"] * 3
    assert [client.finish(request).ok().stdout for request in others] == ["1\n", "1\n", "2\n", "2\n"]


def test_contexts_compute_side_by_side(client):
    names = [None, "a", "b", "c"]
    for name in names[1:]:
        create(client, name)
    running = [client.execute("print go\nloop", context=name) for name in names]
    for request in running:
        client.wait_output(request, "go")

    for name, request in zip(names, running):
        client.control("interrupt_request", **({"context_id": name} if name else {}))
        assert client.finish(request).content["ename"] == "KeyboardInterrupt"


def test_queue_of_a_context_is_answered_in_its_order(client):
    create(client, "a")
    create(client, "b")
    requests = [(name, client.execute(f"print {i}", context=name))
                for i in range(100) for name in ("a", "b")]

    for _, request in requests:
        client.finish(request).ok()

    for wanted in ("a", "b"):
        mine = [request.msg_id for name, request in requests if name == wanted]
        assert [m.parent_id for m in client.iopub
                if m.state == "idle" and m.metadata.get("context_id") == wanted
                and m.parent_id in mine] == mine


CHATTY = "print x\neprint x\ndisplay x\nresult x\ninput x\nerror E v"


def test_everything_a_context_sends_carries_its_id(client):
    create(client, "a")
    sent = {}
    for name in (None, "a"):
        running = client.execute(CHATTY, context=name, allow_stdin=True)
        asked = client.wait_asked(running)
        client.answer("x")
        run = client.finish(running)
        assert run.types == ["execute_input", "stream", "stream", "display_data", "execute_result",
                             "stream", "error"]
        sent[name] = [*run.messages, run.reply, asked]

    assert {message.metadata.get("context_id") for message in sent["a"]} == {"a"}
    for message in sent[None]:
        assert set(message.metadata) <= {"started"}
        assert message.channel == "shell" or message.metadata == {}


# Many.


@pytest.mark.parametrize("language", ["mock", "python"])
def test_many_contexts_work_at_once_and_leave_nothing(start_kernel, language):
    number = 20 if SANITIZED else 100
    kernel = start_kernel(language="mock", args=["--history-file", ":memory:"])
    client = kernel.client()
    create(client, "first", language=language)
    delete(client, "first")
    asking = client.execute("input x", allow_stdin=True)
    client.wait_asked(asking)
    client.answer("y")
    client.finish(asking).ok()  # by now all sockets are connected
    process = psutil.Process(kernel.pid)
    before = process.num_fds()
    code = {"mock": "count", "python": "n = globals().get('n', 0) + 1; print(n)"}[language]

    asked = [client.send("control", "create_context_request",
                         {"context_id": f"c{i}", "language": language}) for i in range(number)]
    made = [client.finish(request, 60).content["context"] for request in asked]
    runs = [client.execute(code, context=f"c{i % number}") for i in range(3 * number)]
    outputs = [client.finish(run, 60).ok().stdout for run in runs]

    pids = {context["pid"] for context in made}
    assert len(pids) == number
    assert outputs == ["1\n"] * number + ["2\n"] * number + ["3\n"] * number
    assert len(listed(client)) == number + 1
    gone = [client.send("control", "delete_context_request", {"context_id": f"c{i}"})
            for i in range(number)]
    for request in gone:
        assert client.finish(request, 60).status == "ok"
    assert not any(map(alive, pids))
    assert set(listed(client)) == {"default"}
    wait_until(lambda: process.num_fds() <= before, "no descriptor is left")


def test_many_contexts_end_with_the_kernel(kernel, client):
    for i in range(20 if SANITIZED else 50):
        client.send("control", "create_context_request", {"context_id": f"c{i}"})
        client.execute("loop", context=f"c{i}")
    client.control("list_context_request")

    kernel.shutdown()
    # That nothing is left is checked at the end of every test.
