# SPDX-License-Identifier: MIT
"""What a Python cell says when it fails: the right name, the right lines, bearable lengths, and a
context that goes on."""
import re

import pytest

from support.text import failure, plain

pytestmark = pytest.mark.rows


def test_error_shows_the_line_of_the_cell(client):
    ename, text = failure(client, "x = 1\ny = 0\nx / y  # here\nz = 3")

    assert ename == "ZeroDivisionError"
    assert "x / y  # here" in text
    assert re.search(r"line 3\b", text)
    assert text.rstrip().endswith("ZeroDivisionError: division by zero")


def test_error_in_the_last_expression_shows_its_line(client):
    _, text = failure(client, "x = 1\n\n# nothing\n(x +\n 1) / 0")

    assert re.search(r"line [45]\b", text)
    assert "1) / 0" in text or "(x +" in text


@pytest.mark.parametrize("code, line", [
    ("if True:\n1", 2), ("def f():\nf()", 2), ("x = 1\nprint x", 2), ("x = 1\ny = (\nx", 2),
    ("x = 1\n  x", 2), ("try:\n    1\nx", 3), ("return 1", 1), ("x = 1\nyield x", 2)], ids=repr)
def test_syntax_error_is_that_of_the_whole_cell(client, code, line):
    """The last expression is compiled apart; what is told must not show it."""
    with pytest.raises(SyntaxError) as expected:
        compile(code, "cell", "exec")

    ename, text = failure(client, code)

    assert ename == type(expected.value).__name__
    assert expected.value.msg in text
    assert expected.value.lineno == line and re.search(r"line %d\b" % line, text)


def test_warning_of_the_compiler_is_shown_once(client):
    run = client.run("x = 1\nx is 1").ok()

    assert run.stderr.count("SyntaxWarning") == 1


def test_error_in_a_function_of_another_cell_shows_its_source(client):
    client.run("def broken(value):\n    # a comment\n    return value.nothing").ok()

    ename, text = failure(client, "\nbroken(1)")

    assert ename == "AttributeError"
    assert "return value.nothing" in text
    assert "broken(1)" in text
    assert "broken" in text
    for ours in ("pandia", "prelude", "py_", "<frozen"):
        assert ours not in text, "the frames of the kernel itself are of no interest"


def test_error_in_a_library_shows_its_file(client):
    _, text = failure(client, "import json; json.loads('{')")

    assert "json" in text
    assert "JSONDecodeError" in text


def test_error_value_is_its_text(client):
    content = client.run("raise ValueError('some', 'words')").content

    assert (content["ename"], content["evalue"]) == ("ValueError", "('some', 'words')")


def test_errors_that_caused_each_other_are_all_shown(client):
    _, text = failure(client, "try:\n    1/0\nexcept Exception as e:\n"
                      "    raise ValueError('outer') from e")

    assert "ZeroDivisionError" in text
    assert "direct cause" in text
    assert text.index("ZeroDivisionError") < text.index("ValueError: outer")


def test_error_while_handling_another_is_shown_with_it(client):
    _, text = failure(client, "try:\n    1/0\nexcept Exception:\n    undefined")

    assert "During handling" in text
    assert "NameError" in text


def test_error_with_notes_and_groups_is_shown(client):
    ename, text = failure(client, "e = ExceptionGroup('many', [ValueError('a'), TypeError('b')])\n"
                          "e.add_note('a note')\nraise e")

    assert ename == "ExceptionGroup"
    assert "a note" in text
    assert "ValueError: a" in text
    assert "TypeError: b" in text


@pytest.mark.parametrize("code, kind", [
    ("for", "SyntaxError"), ("x = = 1", "SyntaxError"), ("  x", "IndentationError"),
    ("if True:\nx", "IndentationError"), ("'open", "SyntaxError"), ("(1", "SyntaxError"),
    ("return 1", "SyntaxError"), ("break", "SyntaxError"), ("x = yield", "SyntaxError"),
    ("1 = x", "SyntaxError"), ("if True:\n\tx\n        y", "TabError"),
    ("\u201cx\u201d", "SyntaxError"),
    ("def f(): await g()", "SyntaxError")], ids=repr)
def test_syntax_error_is_told_before_anything_runs(client, code, kind):
    ename, text = failure(client, "print('has run')\n" + code)

    assert ename == kind
    assert kind in text
    assert client.run("1").ok().result == "1"


def test_syntax_error_shows_the_place(client):
    run = client.run("x = 1\ny = x +* 2\n")

    text = plain(run.content["traceback"])
    assert "y = x +* 2" in text
    assert "^" in text
    assert re.search(r"line 2\b", text)


def test_syntax_error_runs_nothing(client):
    assert client.run("print('has run')\nfor").stdout == ""


@pytest.mark.parametrize("code", ["a\0b", "x = '\0'", "\0"])
def test_null_byte_in_the_code_is_an_error_of_the_cell(client, code):
    assert client.run(code).content["ename"] in ("SyntaxError", "ValueError")
    assert client.run("1").ok().result == "1"


def test_lone_surrogate_in_the_code_does_not_break_the_context(client):
    client.run("x = '\ud800'")
    assert client.run("1").ok().result == "1"


@pytest.mark.parametrize("code", ["import sys; sys.exit()", "import sys; sys.exit(3)",
                                  "raise SystemExit('words')", "exit(3)", "quit('words')"])
def test_exit_ends_the_cell_and_not_the_context(client, code):
    client.run("x = 42").ok()

    run = client.run(code)

    assert run.content["ename"] == "SystemExit"
    assert "To exit: use 'exit', 'quit', or Ctrl-D." in plain(run.content["traceback"])
    assert run.content["payload"] == []
    assert client.run("x").ok().result == "42"


@pytest.mark.parametrize("code, keep", [
    ("exit()", False), ("quit()", False), ("exit", False), ("quit", False), ("exit(0)", False),
    ("x = 1\nexit", False), ("exit(keep_kernel=True)", True), ("quit(True)", True),
    ("import asyncio\nawait asyncio.sleep(0)\nexit()", False),
    ("def f(): quit()\nf()", False)])
def test_leaving_is_asked_of_the_client(client, code, keep):
    client.run("x = 42").ok()

    run = client.run(code + "\nprint('not reached')" if code.endswith(")") else code).ok()

    assert run.content["payload"] == [{"source": "ask_exit", "keepkernel": keep}]
    assert run.types == ["execute_input"]
    assert client.run("x").ok().content["payload"] == []


def test_leaving_can_be_caught_as_in_a_program(client):
    run = client.run("try:\n    exit()\nexcept SystemExit as error:\n    print(error.code)").ok()

    assert (run.stdout, run.content["payload"]) == ("None\n", [])


def test_raised_keyboard_interrupt_is_an_error_like_others(client):
    assert failure(client, "raise KeyboardInterrupt")[0] == "KeyboardInterrupt"
    assert client.run("1").ok().result == "1"


def test_endless_recursion_is_an_error_of_bearable_length(client):
    run = client.run("def f(): f()\nf()")

    assert run.content["ename"] == "RecursionError"
    assert len("".join(run.content["traceback"])) < 50000


def test_error_whose_text_raises_is_still_told(client):
    ename, _ = failure(client, "class Bad(Exception):\n"
                       "    def __str__(self): raise ValueError('in str')\nraise Bad()")

    assert ename == "Bad"
    assert client.run("1").ok().result == "1"


@pytest.mark.parametrize("body", [
    "raise KeyboardInterrupt", "raise SystemExit", "return str(self)", "return 5",
    "return repr(self.args[0]) + str(self)"])
def test_error_whose_text_misbehaves_has_its_name_and_place(client, body):
    ename, text = failure(client, f"class Bad(Exception):\n    def __str__(self): {body}\n"
                          "    __repr__ = __str__\nraise Bad(1)  # here")

    assert ename == "Bad"
    assert "raise Bad(1)  # here" in text
    assert "Bad: <unprintable Bad object>" in text
    assert client.run("1").ok().result == "1"


def test_error_is_coloured_and_its_name_is_not(client):
    content = client.run("def f(x):\n    return 1 / x\nf(0) + 1").content

    text = "\n".join(content["traceback"])
    assert (content["ename"], content["evalue"]) == ("ZeroDivisionError", "division by zero")
    assert "\x1b[31mZeroDivisionError\x1b[39m: division by zero" in text
    assert "\x1b[36mCell \x1b[39m\x1b[32mIn[1], line 3\x1b[39m" in text
    assert "\x1b[32m----> 2\x1b[39m     return 1 / x" in text
    assert text.count("\x1b[") % 2 == 0, "every colour ends"


def test_error_without_colours_where_they_are_not_wanted(client):
    client.run("import os; os.environ['NO_COLOR'] = '1'").ok()
    assert "\x1b" not in "".join(client.run("1 / 0").content["traceback"])
    assert "\x1b" not in "".join(client.run("for").content["traceback"])

    client.run("os.environ['NO_COLOR'] = ''").ok()
    assert "\x1b" in "".join(client.run("1 / 0").content["traceback"])


@pytest.mark.parametrize("line, carets", [
    ("value = good(1) + bad['é'][0] + good(2)", "                  ^^^^^^^^"),
    ("\tgood( {}[1] )", "\t      ^^^^^"), ("bad['x']", None)])
def test_carets_are_below_the_part_that_failed(client, line, carets):
    client.run("def good(x): return x\nbad = {}").ok()

    _, text = failure(client, f"if True:\n {line}")

    shown = text.split("----> 2 ")[1].split("\n")
    assert shown[0] == " " + line
    if carets is None:
        assert "^" not in text
    else:
        assert shown[1] == " " * 8 + " " + carets


def test_error_of_many_frames_is_quick_and_says_what_is_left_out(client):
    run = client.run("import sys; sys.setrecursionlimit(20000)\n"
                     "def f(n): return f(n - 1) if n else 1 / 0\nf(10000)")

    text = plain(run.content["traceback"])
    assert re.search(r"\[\.\.\. 99\d\d frames left out \.\.\.\]", text)
    assert len(text) < 20000


def test_group_in_a_group_shows_every_member_with_its_lines(client):
    _, text = failure(client, "def fail(kind): raise kind('deep')\n"
                      "def caught(kind):\n    try:\n        fail(kind)\n"
                      "    except Exception as e:\n        return e\n"
                      "raise ExceptionGroup('outer', [caught(KeyError), "
                      "ExceptionGroup('inner', [caught(OSError)])])")

    assert "KeyError: 'deep'" in text
    assert "OSError: deep" in text
    assert text.count("fail(kind)") >= 2
    assert "1 of 2" in text and "1 of 1" in text


def test_error_that_is_huge_is_still_told(client):
    run = client.run("raise ValueError('x' * 10000000)", seconds=60)

    assert run.content["ename"] == "ValueError"
    assert client.run("1").ok().result == "1"


def test_error_in_a_thread_is_told_on_stderr(client):
    run = client.run("import threading\n"
                     "t = threading.Thread(target=lambda: 1/0)\nt.start()\nt.join()").ok()

    assert "ZeroDivisionError" in run.stderr


def test_warning_is_told_on_stderr_once(client):
    run = client.run("import warnings\nfor i in range(3): warnings.warn('take care')").ok()

    assert run.stderr.count("UserWarning: take care") == 1


def test_warning_names_the_cell_and_shows_its_line(client):
    run = client.run("import warnings\nwarnings.warn('take care')  # the line").ok()

    assert run.stderr == ("<cell 1>:2: UserWarning: take care\n"
                          "  warnings.warn('take care')  # the line\n")


def test_warning_is_told_again_in_the_next_cell(client):
    client.run("import warnings\ndef careful(): warnings.warn('take care', stacklevel=2)").ok()

    for count in (2, 3):
        assert f"<cell {count}>:1: UserWarning: take care" in client.run("careful()").ok().stderr


def test_deprecation_is_told_where_the_cell_itself_is_to_blame(client, kernel):
    (kernel.folder / "old.py").write_text(
        "import warnings\n"
        "def direct(): warnings.warn('for the caller', DeprecationWarning, stacklevel=2)\n"
        "def hidden(): warnings.warn('for the author', DeprecationWarning)\n", "utf-8")

    run = client.run("import old\nold.direct()\nold.hidden()").ok()

    assert "<cell 1>:2: DeprecationWarning: for the caller" in run.stderr
    assert "for the author" not in run.stderr


def test_warning_of_the_compiler_is_told_with_its_line(client):
    client.run("import warnings").ok()

    run = client.run("x = 1\nx is 1").ok()

    assert run.stderr.startswith('<cell 2>:2: SyntaxWarning: "is" with')
    assert run.stderr.count("SyntaxWarning") == 1


def test_warning_can_be_an_error(client):
    ename, text = failure(client, "import warnings\nwarnings.simplefilter('error')\n"
                          "warnings.warn('too much')")

    assert ename == "UserWarning"
    assert "Cell In[1], line 3" in text


def test_excepthook_and_last_error_are_kept_for_debuggers(client):
    client.run("1 / 0")

    assert client.run("import sys; sys.last_type.__name__").ok().result == "'ZeroDivisionError'"
