# SPDX-License-Identifier: MIT
"""What rich contexts add to the bundles of values: made by the prelude, in this process."""
import datetime
import decimal
import json
import pathlib
import sys
import types
from unittest import mock

import numpy as np
import pandas as pd
import polars as pl
import pytest

from support.build import SOON, scaled
from support.contexts import create

pytestmark = pytest.mark.rows

PRELUDE = pathlib.Path(__file__).parents[2] / "contexts/python/prelude"


@pytest.fixture(scope="module")
def rich():
    """The file of the prelude, with an encoder that gives the array back."""
    text = (PRELUDE / "rich_values.py").read_text("utf-8")
    text = text.replace("import _pandia\n", "", 1)
    space = {"use": None, "_pandia": types.SimpleNamespace(
        encode_png=lambda array: array, IMAGE_SIDE_MAX=65536)}
    exec(compile(text, "rich_values", "exec"), space)
    return types.SimpleNamespace(**space)


def told(rich, frame):
    """(data, metadata) by what is registered for the first class of a frame that has something."""
    functions = {getattr(sys.modules[module], name): function
                 for module, name, _, function in rich.CLASSES if module in sys.modules}
    return next(functions[cls] for cls in type(frame).__mro__ if cls in functions)(frame)


def looped():
    value = []
    value.append({"again": value})
    return value


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


class Words(str):
    pass


PLAIN = [{}, [], [1, 2.5, "x", None, True], {"a": {"b": [1]}}, [2 ** 70], nested(64), ["\u00e9"]]
NOT_PLAIN = [1, "x", None, (1,), [(1,)], {1: 2}, [float("nan")], [float("inf")], [{1}], looped(),
             nested(65), [Words("x")], ["x" * (5 << 20)], ["\ud800"], {"a": b"x"}, [object()],
             [[0] * 9] * 1_000_000]


@pytest.mark.parametrize("value", PLAIN, ids=range(len(PLAIN)))
def test_plain_values_are_json(rich, value):
    assert rich.json_of(value) is value
    json.dumps(value, allow_nan=False).encode()


@pytest.mark.parametrize("value", NOT_PLAIN, ids=range(len(NOT_PLAIN)))
def test_other_values_have_no_json(rich, value):
    assert rich.json_of(value) is None


COLUMNS = [
    ("numbers", [1, 2], [1, 2]),
    ("holes", [1.5, np.nan], [1.5, None]),
    ("infinite", [np.inf, 1.0], [None, 1.0]),
    ("words", ["x", None], ["x", None]),
    ("dates", pd.to_datetime(["2024-01-01", None]), ["2024-01-01T00:00:00", None]),
    ("zones", pd.to_datetime(["2024-01-01"]).tz_localize("UTC"), ["2024-01-01T00:00:00+00:00"]),
    ("days", [datetime.date(2024, 1, 1)], ["2024-01-01"]),
    ("decimals", [decimal.Decimal("1.5"), decimal.Decimal("nan")], [1.5, None]),
    ("flags", [True, False], [True, False]),
    ("missing", pd.array([1, None], dtype="Int64"), [1, None]),
    ("categories", pd.Categorical(["a", "b"]), ["a", "b"]),
    ("periods", pd.period_range("2024-01", periods=1, freq="M"), ["2024-01-01T00:00:00"]),
    ("lists", [[1, np.nan], []], [[1, None], []]),
    ("spans", pd.to_timedelta(["1 days"]), ["P1DT0H0M0S"]),
    ("others", [{1}, 1j], ["{1}", "1j"]),
]


@pytest.mark.parametrize("name, values, wanted", COLUMNS, ids=[row[0] for row in COLUMNS])
def test_columns_of_frames_are_values_for_json(rich, name, values, wanted):
    data, metadata = told(rich, pd.DataFrame({name: values}))

    found = data[name]
    assert found == wanted and metadata == {}
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_names_of_columns_are_texts_and_kept_apart(rich):
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=["a", "a", 7, pd.Timestamp("2024-01-01")])
    levels = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "")]))

    assert list(told(rich, frame)[0]) == ["a", "a_2", "7", "2024-01-01T00:00:00"]
    assert told(rich, levels)[0] == {"a_x": [1], "a": [2]}


def test_series_is_one_column(rich):
    assert told(rich, pd.Series([1, 2], name="s")) == ({"s": [1, 2]}, {})
    assert told(rich, pd.Series([1, 2])) == ({"0": [1, 2]}, {})
    assert told(rich, pd.Series([1, 2], index=["columns", "b"])) == ({"0": [1, 2]}, {})
    assert told(rich, pl.Series("s", [1, None])) == ({"s": [1, None]}, {})


def test_large_frames_are_cut_and_say_so(rich):
    data, metadata = told(rich, pd.DataFrame(np.zeros((5000, 300))))

    assert len(data) == 200 and {len(values) for values in data.values()} == {250}
    assert metadata == {"truncated": True, "rows": 5000, "columns": 300}


def members(value):
    """How many values JSON holds, containers among them."""
    inside = value.values() if type(value) is dict else value if type(value) is list else ()
    return 1 + sum(members(each) for each in inside)


GRID = [[0.5] * 64] * 64
LARGE = [
    ("lists of lists", pd.DataFrame({"a": [GRID] * 1000, "b": 1}), 12),
    ("lists of polars", pl.DataFrame({"a": [GRID] * 1000, "b": 1}), 12),
    ("one value that is too large", pd.DataFrame({"a": [GRID * 20] * 2, "b": 1}), 1),
    ("long texts", pd.DataFrame({i: ["x" * 10000] * 300 for i in range(20)}), 20),
    ("long texts in one row", pd.DataFrame({i: ["\u00e9" * 10000] * 9 for i in range(200)}), 1),
    ("texts in lists", pd.DataFrame({"a": [["x" * 9000] * 100] * 9}), 4),
    ("what contains itself", pd.DataFrame({"a": [looped(), 1]}), 2),
    ("too long a text", pd.DataFrame({"a": ["x" * 10001]}), 1),
    ("too long a list", pd.DataFrame({"a": [list(range(1001))]}), 1),
]


@pytest.mark.parametrize("frame, rows", [row[1:] for row in LARGE], ids=[row[0] for row in LARGE])
def test_what_cells_hold_is_bounded_with_the_frame(rich, frame, rows):
    data, metadata = told(rich, frame)

    assert {len(values) for values in data.values()} == {rows}
    assert metadata == {"truncated": True, "rows": len(frame), "columns": frame.shape[1]}
    assert sum(members(values) - 1 for values in data.values()) <= 50000
    assert len(json.dumps(data, allow_nan=False)) <= (4 << 20) + 16 * 1024  # and some commas


class Unspeakable:
    def __str__(self):
        raise ValueError("no text")

    def __getattr__(self, name):
        raise RuntimeError(name)


class Undated(datetime.date):
    def isoformat(self):
        return 5


ODD = [(mock.Mock(__str__=lambda self: "mock"), "mock"), (Unspeakable(), "<Unspeakable>"),
       (Undated(2024, 1, 1), "<Undated>"), ("\ud800", "?"), (np.longdouble("nan"), None), (np.array(5), 5),
       (np.datetime64("2024-01"), "2024-01"), (np.datetime64("nat"), None), (b"x", "b'x'"),
       (decimal.Decimal("sNaN"), "sNaN"), ({Unspeakable(): {1}}, {"<Unspeakable>": "{1}"}),
       ([mock.Mock(spec=str, __str__=lambda self: "spec")], ["spec"]), (10 ** 5000, hex(10 ** 5000))]


def test_odd_objects_in_cells_have_some_text(rich):
    column = pd.Series([value for value, _ in ODD], dtype=object)

    data, metadata = told(rich, column)

    assert data["0"] == [wanted for _, wanted in ODD] and metadata == {}
    json.dumps(data, allow_nan=False).encode()


@pytest.mark.parametrize("base", [pl.DataFrame, pd.DataFrame])
def test_subclass_of_a_frame_is_read_as_its_base(rich, base):
    class Mine(base):
        pass

    assert told(rich, Mine({"a": [1, 2]})) == ({"a": [1, 2]}, {})


def test_frame_that_cannot_be_read_is_silently_left_out(rich):
    class Broken(pd.DataFrame):
        shape = property(lambda self: 1 / 0)

    assert told(rich, Broken({"a": [1]})) is None


PICTURES = [
    ("colours", np.zeros((2, 2, 3), np.uint8), True),
    ("colours with alpha", np.zeros((9, 3, 4), np.uint8), True),
    ("gray", np.zeros((16, 16), np.uint8), True),
    ("mask", np.zeros((16, 20), bool), True),
    ("floats of colours", np.full((4, 4, 3), 0.5), True),
    ("small table", np.zeros((15, 16), np.uint8), False),
    ("floats beyond one", np.full((4, 4, 3), 2.0), False),
    ("floats with holes", np.full((4, 4, 3), np.nan), False),
    ("floats of one channel", np.zeros((20, 20)), False),
    ("integers", np.zeros((20, 20, 3), np.int64), False),
    ("two channels", np.zeros((20, 20, 2), np.uint8), False),
    ("one row", np.zeros((1, 20, 3), np.uint8), False),
    ("nothing", np.zeros((0, 0, 3), np.uint8), False),
    ("too large", np.zeros((1, 1, 3), np.uint8).repeat(5000, 0).repeat(5000, 1), False),
    ("too long", np.zeros((65537, 20), bool), False),
    ("as long as may be", np.zeros((65536, 16), np.uint8), True),
]


@pytest.mark.parametrize("array, is_picture", [row[1:] for row in PICTURES],
                         ids=[row[0] for row in PICTURES])
def test_arrays_of_the_shape_of_pictures_are_pictures(rich, array, is_picture):
    found = rich.png_of_array(array)

    assert (found is not None) == is_picture
    if is_picture:
        assert found.dtype == np.uint8 and found.shape == array.shape


def test_array_that_the_encoder_refuses_is_no_picture(rich, monkeypatch):
    def refuse(array):
        raise ValueError("encode_png: too large")

    monkeypatch.setattr(rich._pandia, "encode_png", refuse)

    assert rich.png_of_array(np.zeros((16, 16), np.uint8)) is None


def test_masks_and_floats_use_the_whole_range(rich):
    assert set(rich.png_of_array(np.eye(16, dtype=bool)).flat) == {0, 255}
    assert set(rich.png_of_array(np.ones((2, 2, 3))).flat) == {255}


def test_nothing_is_registered_for_what_is_not_imported(rich):
    found, waits = [], []
    formatters = types.SimpleNamespace(register_extra=lambda *row: found.append(row))

    rich.install(formatters, lambda name, function: waits.append((name, function)))

    assert [row[:2] for row in found] == [(dict, "application/json"), (list, "application/json")]
    dict(waits)["pandas.core.frame"](pd)
    assert found[-1][:2] == (pd.DataFrame, "application/vnd.pandia.data+json")


# In a rich context

PNG, CHART, DATA = "image/png", "application/vnd.pandia.chart+json", "application/vnd.pandia.data+json"


@pytest.fixture
def rich_context(start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()
    create(client, "rich", language="python", rich=True)
    return lambda code: client.run(code, context="rich", seconds=scaled(3 * SOON)).ok()


def test_plot_and_frame_of_a_rich_context(rich_context):
    plot = rich_context("import numpy as np, matplotlib.pyplot as plt\nx = np.linspace(0, 6, 50)\n"
                        "plt.plot(x, np.sin(x)); plt.show()")
    frame = rich_context("import pandas as pd\n"
                         "pd.DataFrame({'name': ['A', 'B', 'C'], 'score': [1, 2, 3]})")

    shown, = plot.contents("display_data")
    assert sorted(shown["data"]) == [CHART, PNG, "text/plain"]
    assert shown["data"][CHART]["type"] == "line"
    result, = frame.contents("execute_result")
    assert sorted(result["data"]) == [DATA, "text/html", "text/plain"]
    assert result["data"][DATA] == {"name": ["A", "B", "C"], "score": [1, 2, 3]}
    assert result["metadata"] == {}


def test_analysis_in_a_rich_context(rich_context):
    run = rich_context("""
import pandas as pd, matplotlib.pyplot as plt
df = pd.DataFrame({'Month': ['Jan', 'Feb', 'Mar', 'Apr', 'May'], 'Sales': [3, 3, 3, 3, 3],
                   'Profit': [1, 2, 1, 3, 2]})
print("Sales Summary:")
print(df.describe())
plt.figure(figsize=(10, 6))
plt.subplot(1, 2, 1)
plt.bar(df['Month'], df['Sales'])
plt.subplot(1, 2, 2)
plt.plot(df['Month'], df['Profit'], marker='o')
plt.tight_layout()
plt.show()
df.to_dict('records')""")

    shown, = run.contents("display_data")
    result, = run.contents("execute_result")
    assert run.stdout.startswith("Sales Summary:\n") and "std" in run.stdout
    assert sorted(shown["data"]) == [CHART, PNG, "text/plain"]
    chart = shown["data"][CHART]
    assert (chart["type"], [each["type"] for each in chart["elements"]]) == ("superchart", ["bar", "line"])
    assert [each["value"] for each in chart["elements"][0]["elements"]] == [3] * 5
    assert sorted(result["data"]) == ["application/json", "text/plain"]
    assert len(result["data"]["application/json"]) == 5


@pytest.mark.parametrize("code, expected", [
    ("{'a': [1, None, 'x']}", ["application/json", "text/plain"]), ("[]", ["application/json", "text/plain"]),
    ("5", ["text/plain"]), ("{1: 2}", ["text/plain"]), ("[float('nan')]", ["text/plain"]),
    ("(1, 2)", ["text/plain"]), ("import numpy as np; np.zeros((20, 20, 3), 'uint8')", [PNG, "text/plain"]),
    ("import numpy as np; np.arange(5)", ["text/plain"]),
    ("import numpy as np; np.zeros((70000, 20), bool)", ["text/plain"]),
    ("get_ipython().events; [1]", ["application/json", "text/plain"])])
def test_values_of_a_rich_context(rich_context, code, expected):
    run = rich_context(code)

    result, = run.contents("execute_result")
    assert sorted(result["data"]) == expected and run.stderr == ""


def test_plain_context_beside_a_rich_one_stays_plain(start_kernel):
    client = start_kernel(env={"VIRTUAL_ENV": sys.prefix}).client()
    create(client, "rich", language="python", rich=True)

    result, = client.run("{'a': 1}").ok().contents("execute_result")

    assert sorted(result["data"]) == ["text/plain"]
