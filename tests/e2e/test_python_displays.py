# SPDX-License-Identifier: MIT
"""display() with its options, handles, clear_output(): ours, and IPython's when it is there."""
import sys

import pytest

pytestmark = pytest.mark.rows

IMPORTS = {
    "ours": "from pandia_display import *\n"
            "from pandia_display import display, clear_output, update_display, DisplayHandle, "
            "publish_display_data\n",
    "ipythons": "from IPython.display import display, clear_output, update_display, DisplayHandle, "
                "publish_display_data\n",
}


@pytest.fixture(params=list(IMPORTS))
def ready(start_kernel, request):
    """A client whose cells have the functions from either module."""
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()
    client.run(IMPORTS[request.param]).ok()
    return client


def shown(run):
    """(kind, text, display id) of everything that was displayed."""
    return [(m.type, m.content["data"].get("text/plain"), m.content["transient"].get("display_id"))
            for m in run.messages if m.type.endswith("display_data")]


def test_handle_updates_what_it_shows(ready):
    run = ready.run("handle = display('one', display_id=True)\nhandle.update('two')\n"
                    "handle.display('three')\nprint(isinstance(handle, DisplayHandle))").ok()

    first, second, third = shown(run)
    assert [first[:2], second[:2], third[:2]] == [
        ("display_data", "'one'"), ("update_display_data", "'two'"), ("display_data", "'three'")]
    assert first[2] and first[2] == second[2] == third[2]
    assert run.stdout == "True\n"


def test_handle_with_a_name(ready):
    run = ready.run("h = display(1, display_id='named')\nupdate_display(2, display_id='named')\n"
                    "print(h.display_id)").ok()

    assert shown(run) == [("display_data", "1", "named"), ("update_display_data", "2", "named")]
    assert run.stdout == "named\n"


def test_display_without_an_id_gives_nothing(ready):
    run = ready.run("print(display(1, 2))").ok()

    assert run.stdout == "None\n"
    assert [each[1] for each in shown(run)] == ["1", "2"]


def test_handle_may_come_before_anything_is_shown(ready):
    run = ready.run("h = display(display_id=True)\nh.update(5)").ok()

    place, update = shown(run)
    assert (place[:2], update[:2]) == (("display_data", None), ("update_display_data", "5"))
    assert place[2] and place[2] == update[2]


@pytest.mark.parametrize("arguments, wait", [("", False), ("wait=True", True), ("True", True)])
def test_clear_output(ready, arguments, wait):
    run = ready.run(f"print('before')\nclear_output({arguments})\nprint('after')").ok()

    assert run.types == ["execute_input", "stream", "clear_output", "stream"]
    assert run.contents("clear_output") == [{"wait": wait}]


def test_finished_data_is_sent_as_it_is(ready):
    run = ready.run("publish_display_data({'text/plain': 'p', 'image/png': b'png', "
                    "'application/json': {'a': 1}}, {'image/png': {'width': 5}})\n"
                    "display({'text/html': '<b>'}, raw=True)").ok()

    first, second = run.contents("display_data")
    assert first == {"data": {"text/plain": "p", "image/png": "cG5n",
                              "application/json": {"a": 1}},
                     "metadata": {"image/png": {"width": 5}}, "transient": {}}
    assert second["data"] == {"text/html": "<b>"}


def test_include_exclude_metadata_and_clear(ready):
    run = ready.run("""
class Rich:
    def __repr__(self): return 'plain'
    def _repr_html_(self): return '<b>rich</b>'
display(Rich(), include=['text/html'])
display(Rich(), exclude=['text/html'], metadata={'text/plain': {'a': 1}})
display(Rich(), clear=True, transient={'display_id': 'd'})
""").ok()

    html, text, both = run.contents("display_data")
    assert html["data"] == {"text/html": "<b>rich</b>"}
    assert (text["data"], text["metadata"]) == ({"text/plain": "plain"}, {"text/plain": {"a": 1}})
    assert set(both["data"]) == {"text/html", "text/plain"} and both["transient"] == {"display_id": "d"}
    assert run.contents("clear_output") == [{"wait": True}]


@pytest.mark.parametrize("code", ["display(1, display_id=5)", "display(1, update=True)",
                                  "publish_display_data('text')",
                                  "publish_display_data({}, metadata=5)"])
def test_wrong_use_is_an_error(ready, code):
    assert ready.run(code).content["ename"] == "TypeError"


@pytest.mark.parametrize("patch", ["import json; json.dumps = None", "import json; json.loads = None",
                                   "import uuid; uuid.uuid4 = None", "import math; math.isfinite = None"])
def test_cell_that_replaces_what_displays_need_harms_no_display(ready, patch):
    ready.run("display(1, display_id=True)\n" + patch).ok()

    run = ready.run("handle = display({}, display_id=True)\nhandle.update(2)\n"
                    "display({'application/json': {'a': float('nan')}}, raw=True)").ok()

    assert [content["data"] for content in run.contents("display_data")] == [
        {"text/plain": "{}"}, {"application/json": {"a": None}}]


def test_silent_cell_shows_nothing(ready):
    ready.run("h = display(1, display_id=True); clear_output()", silent=True)


def test_builtin_display_gives_a_handle_too(client):
    run = client.run("h = display('one', display_id=True)\nh.update('two')").ok()

    assert [each[:2] for each in shown(run)] == [("display_data", "'one'"),
                                                 ("update_display_data", "'two'")]


def test_rich_objects_of_ipython_are_shown(start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()

    run = client.run("import IPython\nfrom IPython.display import HTML, Image, display\n"
                     "display(HTML('<b>x</b>'))\nHTML('<i>y</i>')").ok()

    assert run.contents("display_data")[0]["data"]["text/html"] == "<b>x</b>"
    assert run.contents("execute_result")[0]["data"]["text/html"] == "<i>y</i>"
    assert run.stdout == ""


def test_without_ipython_only_its_displays_are_there(client):
    run = client.run("from IPython.display import HTML, Markdown, display\n"
                     "display(Markdown('*x*'))\nHTML('<i>y</i>')").ok()
    missing = client.run("import IPython.core.interactiveshell")

    assert run.contents("display_data")[0]["data"]["text/markdown"] == "*x*"
    assert run.contents("execute_result")[0]["data"] == {
        "text/html": "<i>y</i>", "text/plain": "<IPython.core.display.HTML object>"}
    assert missing.content["ename"] == "ModuleNotFoundError"


def test_display_of_a_fork_is_printed(client):
    run = client.run("""
import os
pid = os.fork()
if pid == 0:
    display([1, "two"])
    display("three", display_id=True)
    os._exit(0)
os.waitpid(pid, 0)
display("parent")""").ok()

    assert run.stdout == "[1, 'two']\n'three'\n"
    assert [each[1] for each in shown(run)] == ["'parent'"]


@pytest.mark.slow
def test_finished_bundle_that_is_too_large_is_cut_and_says_so(ready):
    large = ready.run("publish_display_data({'text/html': 'h' * 140_000_000, 'text/latex': '$x$', "
                      "'text/plain': 'short'})").ok()
    text = ready.run("display({'text/plain': '\\U0001f600' * 15_000_000}, raw=True)").ok()

    data = large.contents("display_data")[0]["data"]
    assert set(data) == {"text/latex", "text/plain"}
    assert data["text/plain"].startswith("short\n... (text/html of 140000002 bytes left out")
    cut = text.contents("display_data")[0]["data"]["text/plain"]
    told = int(cut.rpartition("... (")[2].split()[0])
    assert cut.endswith(" more characters)") and cut.count("\U0001f600") + told == 15_000_000


@pytest.mark.slow
def test_form_that_is_left_out_is_made_and_noted_once(client):
    run = client.run("""
made = []
class Large:
    def _repr_mimebundle_(self, **wishes): return {"image/png": bytes(110_000_000)}
    def _repr_png_(self): made.append(1); return bytes(110_000_000)
    def __repr__(self): return "large"
Large()""").ok()

    text = run.contents("execute_result")[0]["data"]["text/plain"]
    assert text.startswith("large\n... (image/png of") and text.count("left out") == 1
    assert client.run("made").ok().result == "[]"


def test_json_of_what_never_ends_has_an_end(client):
    run = client.run("import itertools\ndisplay({'application/json': [itertools.repeat(1)]}, raw=True)").ok()

    assert len(run.contents("display_data")[0]["data"]["application/json"][0]) == 1_000_000
