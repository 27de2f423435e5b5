# SPDX-License-Identifier: MIT
"""What was run can be asked for: the last of it, a range, what matches a pattern, with results, and
after a restart too. Kept per language in one file below XDG_DATA_HOME."""
import json
import signal
import stat

import pytest

from support.contexts import create, delete, restart

LANGUAGE = "mock"


@pytest.fixture
def data(tmp_path):
    """The folder for data of the user, shared by the kernels of a test."""
    return tmp_path / "data"


@pytest.fixture
def start(start_kernel, data):
    def start(language="mock", **options):
        env = {"XDG_DATA_HOME": str(data), **options.pop("env", {})}
        return start_kernel(language=language, env=env, **options)
    return start


@pytest.fixture
def kernel(start):
    return start()


def ask(client, access="tail", metadata=None, **content):
    content = {"output": False, "raw": True, "hist_access_type": access, **content}
    run = client.request("shell", "history_request", content, metadata=metadata)
    assert run.status == "ok", run.content
    return run.content["history"]


def inputs(rows):
    return [source for _, _, source in rows]


def run_all(client, *codes, **options):
    return [client.run(code, **options) for code in codes]


# What is kept.


def test_tail_gives_the_last_inputs_oldest_first(client):
    run_all(client, "print 1", "print 2", "print 3", "print 4")

    rows = ask(client, n=3)

    assert inputs(rows) == ["print 2", "print 3", "print 4"]
    assert [line for _, line, _ in rows] == [2, 3, 4]
    assert len({session for session, _, _ in rows}) == 1
    assert inputs(ask(client, n=1000)) == [f"print {i}" for i in range(1, 5)]


def test_tail_without_a_number_gives_ten(client):
    run_all(client, *(f"print {i}" for i in range(15)))

    assert inputs(ask(client)) == [f"print {i}" for i in range(5, 15)]


def test_sources_are_kept_as_they_were_sent(client):
    create(client, "a")
    codes = ["%%context a\nprint x", "print 'ü😀\u2028\"\\'", "print a\nprint b\n\nprint c",
             "error E v", "print \ttab", "print " + "x" * 100000]
    run_all(client, *codes, stop_on_error=False)

    assert inputs(ask(client)) == codes
    assert sorted(inputs(ask(client, metadata={"context": "a"}))) == sorted(codes), "they share it"


def test_silent_unstored_and_empty_runs_are_not_kept(client):
    client.run("print kept")
    run_all(client, "print silent", silent=True)
    run_all(client, "print unstored", store_history=False)
    run_all(client, "", "\n", "   ")

    assert inputs(ask(client)) == ["print kept"]


def test_aborted_and_refused_runs_are_not_kept(client):
    create(client, "a")
    failing = client.execute("sleep 300\nerror E v")
    client.execute("print aborted")
    client.run("print barrier", context="a").ok()
    client.finish(failing)
    client.run("print refused", context="nosuch")

    assert "print aborted" not in inputs(ask(client))
    assert "print refused" not in inputs(ask(client))


def test_output_is_the_text_of_the_result(client):
    run_all(client, "result 41", "print nothing", "display shown\nresult ü😀", "error E v")

    rows = ask(client, output=True)

    assert inputs(rows) == [["result 41", "41"], ["print nothing", None],
                            ["display shown\nresult ü😀", "ü😀"], ["error E v", None]]


def test_output_of_python_is_its_repr(start):
    client = start("python").client()
    run_all(client, "x = 'a\\n\"b\"'", "x", "None", "[1, 2]")

    assert inputs(ask(client, output=True)) == [["x = 'a\\n\"b\"'", None], ["x", "'a\\n\"b\"'"],
                                                ["None", None], ["[1, 2]", "[1, 2]"]]


# Ranges.


@pytest.mark.parametrize("start_at, stop, lines", [
    (1, 3, [1, 2]), (2, 5, [2, 3, 4]), (1, None, [1, 2, 3, 4]), (3, 100, [3, 4]), (4, 4, []),
    (100, 200, []), (3, 2, [])])
def test_range_has_a_start_and_an_end(client, start_at, stop, lines):
    run_all(client, *(f"print {i}" for i in range(1, 5)))

    rows = ask(client, "range", session=0, start=start_at, stop=stop)

    assert [line for _, line, _ in rows] == lines
    assert inputs(rows) == [f"print {line}" for line in lines]


def test_range_of_earlier_sessions_counts_back(start):
    for name in ("first", "second", "third"):
        kernel = start()
        client = kernel.client()
        run_all(client, f"print {name} 1", f"print {name} 2")
        if name != "third":
            kernel.shutdown()

    assert inputs(ask(client, "range", session=0, start=1)) == ["print third 1", "print third 2"]
    assert inputs(ask(client, "range", session=-1, start=1)) == ["print second 1", "print second 2"]
    assert inputs(ask(client, "range", session=-2, start=2)) == ["print first 2"]
    assert ask(client, "range", session=-9, start=1) == []
    number = ask(client, "range", session=-1, start=1)[0][0]
    assert inputs(ask(client, "range", session=number, start=1, stop=2)) == ["print second 1"]


# Searching.


@pytest.mark.parametrize("pattern, found", [
    ("print a*", ["print abc", "print a", "print abd"]), ("*c", ["print abc"]),
    ("print ab?", ["print abc", "print abd"]), ("*", ["print abc", "result b", "print a", "print abd"]),
    ("print a", ["print a"]), ("PRINT*", []), ("print", []), ("", []), ("*b*", ["print abc", "result b",
                                                                              "print abd"])],
    ids=repr)
def test_search_is_by_glob(client, pattern, found):
    run_all(client, "print abc", "result b", "print a", "print abd")

    assert inputs(ask(client, "search", pattern=pattern)) == found


def test_search_is_limited_to_the_newest(client):
    run_all(client, *(f"print {i}" for i in range(6)))

    assert inputs(ask(client, "search", pattern="print*", n=2)) == ["print 4", "print 5"]


def test_unique_keeps_the_newest_of_equal_sources(client):
    run_all(client, "print a", "print b", "print a", "print c", "print b")

    rows = ask(client, "search", pattern="print *", unique=True)

    assert [(line, source) for _, line, source in rows] == [(3, "print a"), (4, "print c"),
                                                            (5, "print b")]
    assert inputs(ask(client, "search", pattern="print *", unique=True, n=2)) == ["print c", "print b"]


def test_search_with_output(client):
    run_all(client, "result 1", "print x", "result 2")

    assert inputs(ask(client, "search", pattern="result*", output=True)) == [["result 1", "1"],
                                                                             ["result 2", "2"]]


# Restarts, files, neighbours.


def test_history_is_there_after_a_restart(start):
    first = start()
    run_all(first.client(), "print old 1", "result old 2")
    first.shutdown()

    client = start().client()
    before = ask(client, n=10, output=True)
    run_all(client, "print new")
    rows = ask(client, n=10)

    assert inputs(before) == [["print old 1", None], ["result old 2", "old 2"]]
    assert inputs(rows) == ["print old 1", "result old 2", "print new"]
    assert rows[0][0] == rows[1][0] < rows[2][0], "another session"
    assert rows[2][1] == 1


def test_history_that_was_answered_survives_a_kill(start):
    first = start()
    client = first.client()
    run_all(client, "print kept")
    ask(client)
    first.send_signal(signal.SIGKILL)
    first.exit_code = -signal.SIGKILL
    first.wait_exit()

    assert inputs(ask(start().client())) == ["print kept"]


def test_kernels_share_one_file(start):
    clients = [start().client() for _ in range(3)]
    for round_ in range(5):
        for number, client in enumerate(clients):
            client.run(f"print {number} {round_}").ok()
    for client in clients:
        ask(client)  # by now each has written what it has run

    everything = sorted(f"print {n} {r}" for n in range(3) for r in range(5))
    for number, client in enumerate(clients):
        assert sorted(inputs(ask(client, n=100))) == everything
        assert inputs(ask(client, "range", session=0, start=1)) == [f"print {number} {r}"
                                                                    for r in range(5)]


def test_languages_do_not_mix(client):
    client.run("print mock").ok()
    client.run("%%python\nprint('python')").ok()

    assert inputs(ask(client)) == ["print mock"]
    assert inputs(ask(client, metadata={"context": "python"})) == ["%%python\nprint('python')"]


def test_each_context_has_sessions_of_its_own(client):
    create(client, "a")
    client.run("print default").ok()
    client.run("print a 1", context="a").ok()
    restart(client, "a")
    client.run("print a 2", context="a").ok()

    current = ask(client, "range", session=0, start=1, metadata={"context": "a"})
    assert [row[1:] for row in current] == [[1, "print a 2"]], "it counts from 1 again"
    assert inputs(ask(client, "range", session=0, start=1)) == ["print default"]
    assert len({session for session, _, _ in ask(client)}) == 3


def test_history_of_a_deleted_context_remains(client):
    create(client, "a")
    client.run("print a", context="a").ok()
    delete(client, "a")

    assert inputs(ask(client)) == ["print a"]


def test_history_needs_no_context(kernel, client):
    assert ask(client) == []
    assert not kernel.contexts(), "nobody has been started for it"


def test_history_is_for_its_owner_only(client, data):
    client.run("print secret").ok()
    ask(client)

    files = [path for path in data.rglob("*") if path.is_file()]
    assert [path for path in files if path.name == "history.sqlite"]
    assert not [path for path in files if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_named_file_is_used(start, tmp_path, data):
    file = tmp_path / "mine.sqlite"
    for expected in ([], ["print x"]):
        kernel = start(args=["--history-file", str(file)])
        client = kernel.client()
        assert inputs(ask(client)) == expected
        client.run("print x").ok()
        kernel.shutdown()

    assert file.exists()
    assert not data.exists()


def test_history_in_memory_leaves_no_file(start, data):
    kernel = start(args=["--history-file", ":memory:"])
    client = kernel.client()
    run_all(client, "print 1", "print 2")

    assert inputs(ask(client)) == ["print 1", "print 2"]
    kernel.shutdown()
    assert not data.exists()


@pytest.mark.parametrize("obstacle", ["file", "folder", "garbage"])
def test_unusable_file_costs_one_warning(start, data, obstacle):
    if obstacle == "file":
        data.write_text("not a folder")
    else:
        place = data / "pandia/history.sqlite"
        place.parent.mkdir(parents=True)
        place.mkdir() if obstacle == "folder" else place.write_bytes(b"no database" * 1000)
    kernel = start()
    client = kernel.client()
    run_all(client, "print 1", "print 2")

    assert inputs(ask(client)) == ["print 1", "print 2"]
    assert inputs(ask(client, "search", pattern="*2")) == ["print 2"]
    kernel.take_log("history is kept in memory only.*history.sqlite")


# Wrong questions.


@pytest.mark.parametrize("content, field", [
    ({}, "hist_access_type"), ({"hist_access_type": "all"}, "hist_access_type"),
    ({"hist_access_type": 5}, "hist_access_type"), ({"hist_access_type": "tail", "n": "x"}, "n"),
    ({"hist_access_type": "search", "pattern": 5}, "pattern"),
    ({"hist_access_type": "range", "start": []}, "start"),
    ({"hist_access_type": "tail", "unique": "yes"}, "unique"),
    ({"hist_access_type": "search", "pattern": "x" * 5000}, "pattern")],
    ids=lambda value: str(value)[:40])
def test_wrong_question_is_refused_with_its_field(client, content, field):
    run = client.request("shell", "history_request", content)

    assert run.status == "error"
    assert field in run.content["evalue"]


def test_odd_numbers_are_harmless(client):
    run_all(client, "print 1", "print 2")

    assert ask(client, n=0) == []
    assert inputs(ask(client, n=2**62)) == ["print 1", "print 2"]
    for start_at in (-2**62, -1, 0, 2**62):
        for stop in (-2**62, -1, 0, 2**62):
            for session in (-2**62, 0, 2**62):
                assert len(ask(client, "range", session=session, start=start_at, stop=stop)) <= 2


def test_every_answer_is_json_whatever_was_run(client):
    code = json.dumps("\0\x01\ud800 \U0001f600")[1:-1]
    client.finish(client.send("shell", "execute_request",
                              ('{"code": "print ' + code + '"}').encode())).ok()

    (row,) = ask(client)
    assert row[2].startswith("print ")
