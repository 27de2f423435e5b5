# SPDX-License-Identifier: MIT
"""is_complete in Python, measured against IPython's own answer to the same source. Where we differ we
mean to, and the difference is written down."""
import pytest
from IPython.core.inputtransformer2 import TransformerManager

SAME = [
    "", "\n\n", "1", "x = 1", "a\nb\nc", "# comment", "x = 1 # (", "await x", "for i in x: pass\n",
    "x = (1 +", "x = [1,\n  2,", "{'a': 1,", "print('a'", "print('''a", "x = 5; y = (",
    "d = {\n    'a': [\n        1,", "'''abc", '"""a\nb', "f'''{x", "x = \\", "x = 1 \\\n",
    "def f():", "def f():\n    x = 1", "def f():\n  x = 1\n", "def f():\n    return 1\n",
    "def f():\n    return\n\n", "def f(x):\n    # comment", "class A:\n    def m(self):",
    "if x:\n    pass\nelse:", "if True:\n    if y:\n        z", "if True:\n    x\n\n",
    "try:\n    1", "try:\n    1\nexcept E:\n    2", "with a as b:\n    c",
    "async def f():\n    await x", "match x:\n    case 1:", "@dec",
    "@dec\ndef f():\n    pass\n", "a = 'abc", "a = = 1", "for", "import", "raise", "raise = 2",
    "(]", "x = )", "1 +", "x =", "not", "a.b.", "return 3",
]

OURS = [  # IPython's answer, and ours
    # After the end of a branch an editor dedents, and so does a console with us.
    ("def f():\n    return 1", ("incomplete", "    "), ("incomplete", "")),
    ("class A:\n    pass", ("incomplete", "    "), ("incomplete", "")),
    ("while True:\n    break", ("incomplete", "    "), ("incomplete", "")),
    # What was indented by a tab goes on with a tab.
    ("if 1:\n\tx", ("incomplete", "    "), ("incomplete", "\t")),
    # No further line can mend these.
    ("def f(:", ("incomplete", ""), ("invalid", None)),
    ("lambda:", ("incomplete", "    "), ("invalid", None)),
]


def ipythons(code):
    status, indent = TransformerManager().check_complete(code)
    return status, " " * (indent or 0) if status == "incomplete" else None


def ours(client, code):
    content = client.request("shell", "is_complete_request", {"code": code}).content
    return content["status"], content.get("indent")


def test_answer_is_ipythons(client):
    assert {code: ours(client, code) for code in SAME} == {code: ipythons(code) for code in SAME}


@pytest.mark.parametrize("code, theirs, wanted", OURS, ids=repr)
def test_answer_differs_on_purpose(client, code, theirs, wanted):
    assert ipythons(code) == theirs
    assert ours(client, code) == wanted


def test_only_unfinished_source_has_an_indent(client):
    content = client.request("shell", "is_complete_request", {"code": "x = 1"}).content

    assert content == {"status": "complete"}
