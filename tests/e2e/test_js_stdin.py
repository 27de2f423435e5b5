# SPDX-License-Identifier: MIT
"""prompt(), confirm(), alert() and process.stdin: the client is asked, or it is said that it cannot be."""
import pytest

from support.build import scaled
from support.waiting import Stopwatch

LANGUAGE = "javascript"


def asked(client, code, number=1):
    """Runs `code` until it asks for the given time; its request and the question."""
    request = client.execute(code, allow_stdin=True)
    client.wait(lambda: len(client.asked) >= number, "input_request")
    return request, client.asked[number - 1]


@pytest.mark.parametrize("code, question, answer, result", [
    ("prompt('Name?')", "Name? ", "Ada", "'Ada'"), ("prompt('Name?')", "Name? ", "", "''"),
    ("prompt()", "Prompt ", "x", "'x'"), ("prompt('Age', 7)", "Age [7] ", "", "'7'"),
    ("prompt('Age', 7)", "Age [7] ", "8", "'8'"), ("prompt('é😀')", "é😀 ", "ü😀", "'ü😀'"),
    ("prompt('End')", "End ", "\x04", "null"), ("confirm('Sure?')", "Sure? [y/N] ", "y", "true"),
    ("confirm('Sure?')", "Sure? [y/N] ", " YES ", "true"), ("confirm('Sure?')", "Sure? [y/N] ", "no", "false"),
    ("confirm('Sure?')", "Sure? [y/N] ", "", "false"), ("alert('Look'); 1", "Look [Enter] ", "", "1"),
], ids=repr)
def test_client_is_asked(client, code, question, answer, result):
    request, message = asked(client, code)
    client.answer(answer, asked=message)

    assert message.content == {"prompt": question, "password": False}
    assert client.finish(request).ok().result == result


def test_several_questions_in_one_cell(client):
    request, first = asked(client, "const a = prompt('a'); const b = prompt('b'); a + b")
    client.answer("1", asked=first)
    client.wait(lambda: len(client.asked) == 2, "second question")
    client.answer("2", asked=client.asked[1])

    assert client.finish(request).ok().result == "'12'"


def answered(client, code, *answers):
    """Runs `code`, answering each question; what it gave, and the questions."""
    request = client.execute(code, allow_stdin=True)
    for number, answer in enumerate(answers):
        client.wait(lambda number=number: len(client.asked) > number, "question")
        client.answer(answer, asked=client.asked[number])
    run = client.finish(request).ok()
    questions = [message.content["prompt"] for message in client.asked]
    assert len(questions) == len(answers)
    return run, questions


READLINE = "const rl = require('readline').createInterface({input: process.stdin, output: process.stdout}); "
END = "\x04"


@pytest.mark.parametrize("code, answers, printed", [
    ("for await (const c of process.stdin) console.log(String(c).trim())", ["one", "twö", END], "one\ntwö\n"),
    ("process.stdin.setEncoding('utf8'); let all = ''; process.stdin.on('data', d => all += d); "
     "process.stdin.on('end', () => console.log(JSON.stringify(all)))", ["a", "b", END], '"a\\nb\\n"\n'),
    ("process.stdin.once('data', d => { console.log(`got ${d}`); process.stdin.pause() })", ["x"], "got x\n\n"),
    ("console.log(await require('stream/consumers').text(process.stdin))", ["x", END], "x\n\n"),
    ("process.stdin.pipe(process.stdout); await new Promise(go => process.stdin.on('end', go))", ["x", END], "x\n"),
    (f"{READLINE} for await (const line of rl) {{ console.log(line); if (line === 'stop') break }}", ["go", "stop"], "go\nstop\n"),
    (f"{READLINE} rl.on('line', l => {{ console.log(l); rl.close() }})", ["line"], "line\n"),
    ("const rl = require('readline/promises').createInterface({input: process.stdin, output: process.stdout});"
     "console.log(await rl.question('a?') + await rl.question('b?'))", ["1", "2"], "12\n"),
], ids=range(8))
def test_standard_input_is_asked_for_line_by_line(client, code, answers, printed):
    run, _ = answered(client, code, *answers)

    assert run.stdout == printed


def test_questions_of_readline_are_those_of_the_client(client):
    """The callbacks come after the last statement; the cell waits for them, as a program would."""
    run, questions = answered(client, READLINE + "rl.question('Name? ', name => rl.question('Age? ', age => "
                              "{ console.log(name, age); rl.close() })); 'last'", "Ada", "36")

    assert questions == ["Name? ", "Age? "]
    assert run.stdout == "Ada 36\n"
    assert run.result == "'last'"


def test_standard_input_that_ended_begins_anew_in_the_next_cell(client):
    answered(client, "for await (const c of process.stdin) {}", END)
    client.asked.clear()

    run, _ = answered(client, "for await (const c of process.stdin) { console.log(String(c)); break }", "again")

    assert run.stdout == "again\n\n"


@pytest.mark.parametrize("code", [
    "for await (const c of process.stdin) {}", "await require('stream/consumers').text(process.stdin)"])
def test_standard_input_without_stdin_is_one_clear_error(client, code):
    run = client.run(code)

    assert run.content["ename"] == "Error"
    assert run.content["evalue"].startswith("process.stdin needs a client that answers")
    assert client.run("1 + 1").ok().result == "2"


def test_interrupt_ends_a_read_of_standard_input(client):
    request, _ = asked(client, "for await (const c of process.stdin) {}")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(request)
    client.asked.clear()

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(1)
    assert answered(client, "for await (const c of process.stdin) { console.log('on'); break }", "x")[0].stdout == "on\n"


def test_interface_that_nobody_listens_to_asks_nothing(client):
    run = client.run(READLINE + "1").ok()

    assert run.result == "1"
    assert client.asked == []


@pytest.mark.parametrize("code", ["prompt('x')", "confirm('x')", "alert('x')"])
def test_without_stdin_it_is_refused_at_once(client, code):
    run = client.run(f"try {{ {code} }} catch (e) {{ e.message }}").ok()

    assert "allow_stdin is false" in run.result
    assert client.asked == []


def test_interrupt_ends_the_wait(client):
    request, _ = asked(client, "try { prompt('x') } catch { 'caught' } finally { 'finally' }")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(request)

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(1)
    assert client.run("1 + 1").ok().result == "2"


def test_background_code_cannot_ask(client):
    client.run("globalThis.said = ''; setTimeout(() => { try { prompt('x') } catch (e) "
               "{ said = e.message } }, 1); 0").ok()

    run = client.run("await new Promise(go => setTimeout(go, 30)); said").ok()

    assert "needs a client" in run.result
