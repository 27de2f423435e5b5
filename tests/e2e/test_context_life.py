# SPDX-License-Identifier: MIT
"""How a context ends: deleted, restarted, interrupted, its runs cancelled, or killed in whatever
state it is in. Each time every request ends with a cause, and the others go on.
Not here: deaths of the default context and of zygotes (test_death.py)."""
import contextlib
import os
import signal

import psutil
import pytest

from support.build import scaled
from support.contexts import arrived, create, delete, free_states, listed, refusal, restart
from support.processes import alive, descendants
from support.waiting import Stopwatch, wait_until

LANGUAGE = "mock"
LOOP = {"mock": "print go\nloop", "python": "print('go', flush=True)\nwhile True: pass"}
HANG = "print go\nhang"
SPAWN = {"mock": "spawn", "python": """
import subprocess
p = subprocess.Popen(["sh", "-c", "setsid sleep 1000 & echo $!"], stdout=subprocess.PIPE,
                     start_new_session=True, text=True)
print(p.stdout.readline())"""}
COUNT = {"mock": "count", "python": "n = globals().get('n', 0) + 1; print(n)"}


@pytest.fixture(params=["mock", "python"])
def language(request):
    return request.param


def start(client, code, **options):
    """A cell that says `go` and goes on."""
    running = client.execute(code, **options)
    client.wait_output(running, "go")
    return running


# Deleting.


def test_delete_is_answered_when_the_process_is_gone(client, language):
    for _ in range(20):
        made = create(client, "a", language=language)
        assert client.run(COUNT[language], context="a").ok().stdout == "1\n"

        delete(client, "a")

        assert not alive(made["pid"])
        assert "a" not in listed(client)


def test_delete_ends_the_running_cell_and_the_queue(client, language):
    create(client, "a", language=language)
    running = start(client, LOOP[language], context="a")
    queued = client.execute("1", context="a")
    asked = client.send("shell", "is_complete_request", {"code": "1"}, metadata={"context": "a"})
    arrived(client)

    delete(client, "a")
    run = client.finish(running)

    assert run.content["ename"] == "ContextStopped"
    assert "deleted" in run.content["evalue"]
    assert "afresh" not in run.content["evalue"], "it does not come back"
    assert run.stdout == "go\n"
    assert client.finish(queued).status == "aborted"
    refused = client.finish(asked)
    assert refused.status == "error"
    assert "'a' was deleted" in refused.content["evalue"]
    assert free_states(client).count("restarting") == 0, "the default context is not concerned"


def test_delete_kills_what_does_not_listen(client):
    create(client, "a")
    running = start(client, HANG, context="a")

    with Stopwatch() as watch:
        delete(client, "a")

    assert watch.seconds < scaled(1)
    assert client.finish(running).content["ename"] == "ContextStopped"


def test_delete_leaves_no_stray_of_the_context(client, language):
    create(client, "a", language=language)
    stray = int(client.run(SPAWN[language], context="a").ok().stdout)
    assert alive(stray)

    delete(client, "a")

    wait_until(lambda: not alive(stray), "the stray ends with its context")


def test_delete_frees_the_name(client):
    for _ in range(3):
        create(client, "a")
        assert client.run("count\ncount", context="a").ok().stdout == "1\n2\n"
        delete(client, "a")

    run = client.run("count", context="a")
    assert "'a'" in run.content["evalue"]


def test_delete_of_what_cannot_be_deleted_is_refused(client):
    assert "'nosuch'" in refusal(client, "delete_context_request", context_id="nosuch")
    assert "default context" in refusal(client, "delete_context_request", context_id="default")
    assert "context_id" in refusal(client, "delete_context_request")
    assert "context_id" in refusal(client, "delete_context_request", context_id=5)
    assert client.run("count").ok().stdout == "1\n"


def test_delete_of_a_context_that_is_being_made_answers_both(client, language):
    for i in range(10):
        made = client.send("control", "create_context_request",
                           {"context_id": "a", "language": language})
        gone = client.send("control", "delete_context_request", {"context_id": "a"})

        answer = client.finish(made)
        assert client.finish(gone).status == "ok"
        assert answer.status == "ok" or "deleted" in answer.content["evalue"]
        assert "a" not in listed(client)


def test_delete_twice_is_answered_twice(client):
    create(client, "a")
    start(client, HANG, context="a")
    first, second = (client.send("control", "delete_context_request", {"context_id": "a"})
                     for _ in range(2))

    assert client.finish(first).status == "ok"
    late = client.finish(second)
    assert late.status == "error"
    assert "'a'" in late.content["evalue"]


def test_delete_closes_the_context_to_newcomers(client):
    create(client, "a")
    start(client, HANG, context="a")
    gone = client.send("control", "delete_context_request", {"context_id": "a"})
    late = [client.execute("count", context="a") for _ in range(3)]

    assert client.finish(gone).status == "ok"
    assert {client.finish(request).status for request in late} <= {"error", "aborted"}


# Restarting.


def test_restart_gives_a_fresh_process(kernel, client, language):
    made = create(client, "a", language=language)
    for _ in range(2):
        client.run(COUNT[language], context="a").ok()

    again = restart(client, "a")
    run = client.run(COUNT[language], context="a").ok()

    assert (again["id"], again["language"], again["state"]) == ("a", language, "idle")
    assert again["pid"] != made["pid"]
    assert not alive(made["pid"])
    assert again["execution_count"] == 0
    assert (run.stdout, run.count) == ("1\n", 1)


def test_restart_keeps_environment_and_place(client, tmp_path):
    create(client, "a", language="python", cwd=str(tmp_path), env={"MINE": "x"})
    client.run("import os; os.chdir('/'); os.environ['MINE'] = 'y'", context="a").ok()

    restart(client, "a")

    run = client.run("import os; print(os.getcwd(), os.environ['MINE'])", context="a").ok()
    assert run.stdout == f"{tmp_path} x\n"


def test_restart_ends_the_running_cell_and_aborts_the_queue(client, language):
    create(client, "a", language=language)
    running = start(client, LOOP[language], context="a")
    queued = [client.execute(COUNT[language], context="a") for _ in range(3)]
    asked = client.send("shell", "is_complete_request", {"code": "1"}, metadata={"context": "a"})
    arrived(client)

    restart(client, "a")

    run = client.finish(running)
    assert run.content["ename"] == "ContextStopped"
    assert "variables are lost" in run.content["evalue"]
    assert [client.finish(request).status for request in queued] == ["aborted"] * 3
    assert client.finish(asked).status == "complete", "what is no execute is served by the new one"
    assert client.run(COUNT[language], context="a").ok().stdout == "1\n"


def test_restart_of_the_default_context_is_told_to_everybody(client):
    client.run("count").ok()

    restart(client, "default")

    client.wait(lambda: free_states(client)[-2:] == ["restarting", "starting"], "restart is told")
    run = client.run("count").ok()
    assert (run.stdout, run.count) == ("1\n", 1)


def test_restart_of_a_context_that_never_ran_starts_it(client):
    assert listed(client)["default"]["pid"] == 0

    assert alive(restart(client, "default")["pid"])
    assert client.run("count").ok().count == 1


def test_restart_while_it_starts_is_answered(client, language):
    for i in range(10):
        made = client.send("control", "create_context_request",
                           {"context_id": f"a{i}", "language": language})
        again = [client.send("control", "restart_context_request", {"context_id": f"a{i}"})
                 for _ in range(2)]

        assert client.finish(made).status == "ok"
        assert [client.finish(request).status for request in again] == ["ok", "ok"]
        assert client.run(COUNT[language], context=f"a{i}").ok().stdout == "1\n"


def test_restart_of_what_is_not_there_is_refused(client):
    assert "'nosuch'" in refusal(client, "restart_context_request", context_id="nosuch")
    assert "context_id" in refusal(client, "restart_context_request")


def test_restart_while_it_is_being_deleted_is_refused(client):
    create(client, "a")
    start(client, HANG, context="a")
    gone = client.send("control", "delete_context_request", {"context_id": "a"})

    text = refusal(client, "restart_context_request", context_id="a")

    assert "'a'" in text
    assert client.finish(gone).status == "ok"


# Interrupting and cancelling.


def test_interrupt_stops_the_named_context_only(client, language):
    for name in ("a", "b"):
        create(client, name, language=language)
    running = {name: start(client, LOOP[language], context=name) for name in ("a", "b")}
    default = start(client, LOOP["mock"])

    assert client.control("interrupt_request", context_id="a").status == "ok"
    assert client.finish(running["a"]).content["ename"] == "KeyboardInterrupt"
    assert listed(client)["b"]["state"] == listed(client)["default"]["state"] == "busy"
    client.control("interrupt_request")
    assert client.finish(default).content["ename"] == "KeyboardInterrupt"
    assert listed(client)["b"]["state"] == "busy"
    client.control("interrupt_request", context_id="b")
    assert client.finish(running["b"]).content["ename"] == "KeyboardInterrupt"


def test_interrupt_without_a_name_stops_what_first_lines_run(client):
    running = [start(client, f"%%context {name}\n{LOOP['mock']}") for name in ("one", "two")]
    create(client, "a")
    other = start(client, LOOP["mock"], context="a")

    client.interrupt()

    assert [client.finish(run).content["ename"] for run in running] == ["KeyboardInterrupt"] * 2
    assert listed(client)["a"]["state"] == "busy", "it belongs to the program that made it"
    client.control("interrupt_request", context_id="a")
    client.finish(other)


def test_interrupt_of_what_is_not_there_is_refused(client):
    assert "'nosuch'" in refusal(client, "interrupt_request", context_id="nosuch")
    assert "context_id" in refusal(client, "interrupt_request", context_id=5)


@pytest.mark.parametrize("name", [None, "a"])
def test_cancel_takes_a_run_out_of_the_queue(client, name):
    create(client, "a")
    running = start(client, LOOP["mock"], context=name)
    queued = [client.execute("count", context=name, stop_on_error=False) for _ in range(3)]
    arrived(client, idle=None if name else "a")

    answer = client.control("cancel_request", msg_id=queued[1].msg_id)
    cancelled = client.finish(queued[1])

    assert answer.content == {"status": "ok", "cancelled": True}
    assert (cancelled.status, cancelled.types) == ("aborted", [])
    assert ("shell", running.msg_id) not in client.replies
    again = client.control("cancel_request", msg_id=queued[1].msg_id)
    assert again.content["cancelled"] is False
    client.control("delete_context_request", context_id="a") if name else client.interrupt()
    client.finish(running)


def test_cancel_lets_the_others_of_the_queue_run(client):
    create(client, "a")
    first = client.execute("sleep 300")
    queued = [client.execute("count") for _ in range(3)]
    arrived(client, idle="a")

    client.control("cancel_request", msg_id=queued[1].msg_id)

    runs = [client.finish(request) for request in queued]
    assert [run.status for run in runs] == ["ok", "aborted", "ok"]
    assert [runs[i].stdout for i in (0, 2)] == ["1\n", "2\n"]
    assert [runs[i].count for i in (0, 2)] == [2, 3]


def test_cancel_is_for_runs_only(client):
    create(client, "a")
    running = start(client, LOOP["mock"])
    kinds = [("is_complete_request", {"code": "x"}), ("kernel_info_request", {})]
    queued = [client.send("shell", *kind) for kind in kinds]
    arrived(client, idle="a")

    for request in queued:
        assert client.control("cancel_request", msg_id=request.msg_id).content["cancelled"] is False
    client.interrupt()
    client.finish(running)

    assert [client.finish(request).status for request in queued] == ["complete", "ok"]


def test_cancel_of_what_does_not_wait_says_so(client):
    done = client.execute("count")
    client.finish(done).ok()
    running = start(client, LOOP["mock"])

    for msg_id in (running.msg_id, done.msg_id, "nosuch", "", "\0"):
        assert client.control("cancel_request", msg_id=msg_id).content["cancelled"] is False
    assert "msg_id" in refusal(client, "cancel_request")
    assert "msg_id" in refusal(client, "cancel_request", msg_id=[])
    client.interrupt()
    assert client.finish(running).content["ename"] == "KeyboardInterrupt"


# Dying, state by state.


def kill(pid):
    """Kills the process of a context, as the system does when memory is short."""
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not alive(pid), "it is dead")


def strike(pidfd):
    """Kills a process that may be gone by now."""
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    os.close(pidfd)


def comes_back(client, language, name="a"):
    """Whether the context serves again, with nothing of its old life."""
    run = client.run(COUNT[language], context=name).ok()
    assert (run.stdout, run.count) == ("1\n", 1)


def test_death_while_idle_is_healed_by_the_next_request(kernel, client, language):
    made = create(client, "a", language=language)
    client.run(COUNT[language], context="a").ok()

    kill(made["pid"])
    wait_until(lambda: listed(client)["a"]["state"] == "stopped", "the death is noticed")

    comes_back(client, language)
    assert "restarting" not in free_states(client), "that word is for the default context"
    kernel.take_log("context ended.*ctx=a.*SIGKILL")


def test_death_while_busy_ends_the_run_with_its_cause(kernel, client, language):
    made = create(client, "a", language=language)
    running = start(client, LOOP[language], context="a")
    queued = client.execute(COUNT[language], context="a")
    other = client.execute("count")
    arrived(client)

    kill(made["pid"])

    run = client.finish(running)
    assert run.content["ename"] == "ContextCrashed"
    assert "SIGKILL" in run.content["evalue"]
    assert client.finish(queued).status == "aborted"
    assert client.finish(other).ok().stdout == "1\n", "the default context goes on"
    assert {m.metadata.get("context_id") for m in [run.reply, *run.messages]} == {"a"}
    comes_back(client, language)
    kernel.take_log("context ended.*ctx=a.*SIGKILL")


def test_death_while_waiting_for_input_ends_the_run(kernel, client, language):
    made = create(client, "a", language=language)
    code = {"mock": "input x", "python": "input('x')"}[language]
    running = client.execute(code, context="a", allow_stdin=True)
    asked = client.wait_asked(running)

    kill(made["pid"])

    assert client.finish(running).content["ename"] == "ContextCrashed"
    client.answer("too late", asked=asked)
    kernel.take_log("context ended.*ctx=a.*SIGKILL", "channel=stdin.*input_reply")
    comes_back(client, language)


def test_death_while_starting_is_told_or_healed(kernel, client, language):
    """Whoever asks for a context that is killed before it is ready gets it or a cause."""
    create(client, "warm", language=language)
    zygote = psutil.Process(listed(client)["warm"]["pid"]).ppid()
    outcomes = []
    for i in range(10):
        before = descendants(zygote)
        made = client.send("control", "create_context_request",
                           {"context_id": f"a{i}", "language": language})
        (pid,) = wait_until(lambda: descendants(zygote) - before, "the process is forked")
        os.kill(pid, signal.SIGKILL)
        outcomes.append(client.finish(made))

    for i, run in enumerate(outcomes):
        if run.status == "error":
            assert run.content["ename"] == "ContextNotStarted"
            assert "SIGKILL" in run.content["evalue"]
            create(client, f"a{i}", language=language)
        else:
            wait_until(lambda: listed(client)[f"a{i}"]["state"] == "stopped", "noticed")
        comes_back(client, language, f"a{i}")
    kernel.take_log(*["context ended.*SIGKILL"] * 10)


def test_death_of_the_zygote_while_a_context_is_forked_is_healed(kernel, client):
    create(client, "warm")
    zygote = kernel.zygote()
    os.kill(zygote, signal.SIGSTOP)
    made = client.send("control", "create_context_request", {"context_id": "a"})
    client.request("control", "kernel_info_request")

    os.kill(zygote, signal.SIGKILL)

    assert client.finish(made).status == "ok"
    comes_back(client, "mock")
    assert client.run("count", context="warm").ok().stdout == "1\n", "it lives on"


def test_death_while_being_deleted_is_a_deletion(kernel, client, language):
    for _ in range(5):
        made = create(client, "a", language=language)
        running = start(client, LOOP[language], context="a")
        process = os.pidfd_open(made["pid"])

        gone = client.send("control", "delete_context_request", {"context_id": "a"})
        strike(process)

        assert client.finish(gone).status == "ok"
        assert client.finish(running).status == "error"
        assert "a" not in listed(client)
    # Who came first, the request or the signal, is a race; only the latter makes a warning.
    kernel.take_log(*["context ended.*SIGKILL"] * kernel.stderr().count("context ended"))


def test_death_while_being_restarted_is_a_restart(kernel, client, language):
    made = create(client, "a", language=language)
    for _ in range(5):
        running = start(client, LOOP[language], context="a")
        process = os.pidfd_open(made["pid"])

        again = client.send("control", "restart_context_request", {"context_id": "a"})
        strike(process)

        made = client.finish(again).content["context"]
        assert client.finish(running).status == "error"
        comes_back(client, language)
    kernel.take_log(*["context ended.*SIGKILL"] * kernel.stderr().count("context ended"))


# --exit-on-context-death.


@pytest.mark.parametrize("name", [None, "a"])
def test_exit_on_context_death_ends_the_kernel_with_code_1(start_kernel, name):
    kernel = start_kernel(language="mock", args=["--exit-on-context-death"])
    client = kernel.client()
    create(client, "a")
    bystander = start(client, LOOP["mock"], context=None if name else "a")

    run = client.finish(client.execute("print x\nkill9", context=name))

    assert run.content["ename"] == "ContextCrashed"
    assert client.finish(bystander).status == "error", "no request stays without an end"
    kernel.exit_code = 1
    assert kernel.wait_exit() == 1
    kernel.take_log("context ended.*SIGKILL", "--exit-on-context-death")


def test_exit_on_context_death_is_not_about_ends_that_were_asked_for(start_kernel):
    kernel = start_kernel(language="mock", args=["--exit-on-context-death"])
    client = kernel.client()
    create(client, "a")
    client.run("count").ok()

    restart(client, "a")
    restart(client, "default")
    delete(client, "a")

    assert client.run("error E v").status == "error"
    assert client.run("count").ok().stdout == "1\n"
