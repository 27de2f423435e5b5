# SPDX-License-Identifier: MIT
"""prompt(), confirm() and alert(): the client is asked, or it is said that it cannot be."""
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
