# SPDX-License-Identifier: MIT
"""Charts of matplotlib figures: what the prelude reads from a figure, in this process."""
import json
import pathlib
import time
import types
import warnings
from datetime import timedelta

import matplotlib
import numpy as np
import pandas as pd
import pytest

matplotlib.use("agg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.collections import PatchCollection, PathCollection, PolyCollection  # noqa: E402
from matplotlib.path import Path  # noqa: E402

from support.build import scaled  # noqa: E402

pytestmark = pytest.mark.rows

PRELUDE = pathlib.Path(__file__).parents[2] / "contexts/python/prelude"
MONTHS = ["Jan", "Feb", "Mar"]
DAYS = pd.date_range("2024-01-01", periods=3)
FRAME = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}, index=MONTHS)
loaded = {}


def use(name):
    """Loads a file of the prelude as the context does."""
    if name not in loaded:
        space = {"use": use, "__name__": name}
        exec(compile((PRELUDE / f"{name}.py").read_text("utf-8"), name, "exec"), space)
        loaded[name] = types.SimpleNamespace(**space)
    return loaded[name]


def chart_of(figure):
    """The chart, as it comes out of JSON that every reader accepts."""
    return json.loads(json.dumps(use("charts").chart_of(figure), allow_nan=False))


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def points(*ys, start=0):
    return [[start + i, y] for i, y in enumerate(ys)]


def bar(label, value, group="Group 0", **more):
    return {"label": label, "group": group, "value": value, **more}


def plain_line(ax):
    ax.plot([1, 3, 2])


def labelled_lines(ax):
    ax.plot([1, 2], label="up")
    ax.plot([2, 1], label="down")
    ax.axhline(1.5)
    ax.axvline(0.5)
    ax.axline((0, 0), slope=1)
    ax.grid()


def legend_without_labels(ax):
    ax.plot([1, 2])
    ax.plot([2, 1])
    ax.legend(["up", "down"])


def dates(ax):
    ax.plot(DAYS, [1, 2, 3])


def category_line(ax):
    ax.plot(MONTHS, [1, 2, 3])


def holes(ax):
    ax.plot([0, 1, 2], np.ma.masked_equal([1, -1, np.inf], -1))


def error_line(ax):
    ax.errorbar([0, 1], [2, 4], yerr=[0.5, 1], capsize=3, label="m")


def error_markers(ax):
    ax.errorbar([0, 1], [2, 4], xerr=0.5, yerr=[0.5, 1], fmt="o")


def few_errors(ax):
    ax.errorbar([0, 1, 2], [2, 4, 6], yerr=1, errorevery=2)


def some_errors(ax):
    ax.errorbar([0, 1, 2], [2, 4, 6], yerr=[1, np.nan, 1])


def band(ax):
    ax.plot([1, 2, 3])
    ax.fill_between([0, 1, 2], [0, 1, 2], [2, 3, 4], alpha=0.2)


def band_along_y(ax):
    ax.plot([3, 1, 2], [0, 1, 2])
    ax.fill_betweenx([0, 1, 2], [2, 0, 1], [5, 2, 3])


def area_along_y(ax):
    ax.plot([3, 1, 2], [0, 1, 2])
    ax.fill_betweenx([0, 1, 2], [3, 1, 2])


def block_along_y(ax):
    ax.barh(MONTHS, [3, 1, 2])
    ax.fill_betweenx([0, 1], 1, 2)


def stem(ax):
    ax.stem([0, 1], [3, 4])


def stacked_area(ax):
    FRAME.plot.area(ax=ax)


def stackplot(ax):
    ax.stackplot([0, 1], [1, 2], [3, 4], labels=["a", "b"])


def scatter(ax):
    ax.scatter([1, 2], [3, 4], s=[10, 20], c=[0.1, 0.9], label="s")


def classes(ax):
    marks = ax.scatter([1, 2, 3], [4, 5, 6], c=[0, 1, 0])
    ax.legend(*marks.legend_elements())


def values_in_a_legend(ax):
    marks = ax.scatter([1, 2, 3], [4, 5, 6], c=[0, 0.31, 1])
    ax.legend(*marks.legend_elements(num=[0, 1]))


def colours_in_a_legend(ax):
    ax.scatter([1, 2, 3], [4, 5, 6], c=["red", "blue", "green"])
    ax.plot([], [], "o", c="red", label="a")
    ax.plot([], [], "o", c="blue", label="b")
    ax.legend()


def paths(ax):
    ax.set_xlabel("x")
    # As contour() drew them before matplotlib 3.8.
    ax.add_collection(PathCollection([Path([[0, 0], [1, 1]])]))


def swarm(ax):
    ax.plot(["x", "y"], [5, 6], label="all")
    ax.plot([-0.5, 1.5], [4, 4], label="across")
    ax.plot([0.1, 1.1], [1, 2], "o")
    ax.scatter([-0.3, 0.2, 1.00001, 1.5, 7], [1, 2, 3, 4, 5])


def dodged(ax):
    ax.plot(["x", "y"], [5, 6], alpha=0)
    ax.lines[0].set_data([-0.025, 0.975], [1, 2])


def marker_line(ax):
    ax.plot([1, 2, 3], "o")


def fitted(ax):
    ax.scatter([0, 1, 2], [1, 2, 3])
    ax.plot([0, 2], [1, 3], label="fit")


def marked_line(ax):
    ax.plot([1, 3, 2])
    ax.scatter([1], [3])


def bars(ax):
    ax.bar(MONTHS, [3, 1, 2])


def bars_with_labels(ax):
    ax.bar(MONTHS, [3, 1, 2], label=["cold", "wet", "_cold"], color=["b", "g", "b"])


def bars_in_a_legend(ax):
    ax.bar(MONTHS, [3, 1, 2], color=["b", "g", "r"])
    ax.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=color, label=name)
                       for name, color in (("cold", "b"), ("wet", "g"))])


def hollow_bars_in_a_legend(ax):
    ax.bar(MONTHS, [3, 1, 2], fill=False, edgecolor=["b", "g", "b"])
    ax.legend(handles=[plt.Rectangle((0, 0), 1, 1, fill=False, edgecolor=color, label=name)
                       for name, color in (("cold", "b"), ("wet", "g"))])


def equal_bars(ax):
    ax.bar(MONTHS, [2, 2, 2])


def lying_bars(ax):
    ax.barh(MONTHS, [2, 2, 2])


def bar_errors(ax):
    ax.bar(MONTHS, [3, 1, 2], yerr=[1, 0.5, 0.5], capsize=4)


def some_bar_errors(ax):
    ax.bar(MONTHS, [3, 1, 2], yerr=[1, np.nan, 1])


def stacked_both_ways(ax):
    pd.DataFrame({"a": [1, -2], "b": [-3, 4]}, index=["x", "y"]).plot.bar(stacked=True, ax=ax)


def bars_over_bars(ax):
    ax.bar(["x", "y"], [2, -3], label="a")
    ax.bar(["x", "y"], [1, 2], label="b")


def errors_over_bars(ax):
    ax.bar([0, 1], [3, 1])
    ax.errorbar([0, 1], [3, 1], yerr=0.5, fmt="none")


def stacked_bars(ax):
    ax.bar(MONTHS, [1, 2, 3], label="a")
    ax.bar(MONTHS, [4, 5, 6], bottom=[1, 2, 3], label="b")


def grouped_bars(ax):
    x = np.arange(3)
    for i, label in enumerate("abcd"):
        ax.bar(x + i * 0.2, [i, i + 1, i + 2], 0.2, label=label)
    ax.set_xticks(x, MONTHS)


def frame_bars(ax):
    FRAME.plot.bar(ax=ax)


def frame_stacked_barh(ax):
    FRAME.plot.barh(ax=ax, stacked=True)


def sparse_ticks(ax):
    ax.bar(range(6), [1, 2, 3, 4, 5, 6])
    ax.set_xticks([0, 5], ["first", "last"])


def bar_and_line(ax):
    ax.bar(MONTHS, [1, 2, 3], label="b")
    ax.plot(MONTHS, [3, 2, 1], label="l")


def bars_beside_ticks(ax):
    ax.bar([2019, 2020], [1, 2], 0.4, label="a")
    ax.bar([2019.4, 2020.4], [3, 4], 0.4, label="b")
    ax.set_xticks([2019, 2020])


def bars_side_by_side(ax):
    for i, label in enumerate("ab"):
        ax.barh([0.3 + i * 0.4, 1.3 + i * 0.4], [1, 2], 0.35, label=label)


def bars_by_turns(ax):
    for i in range(3):
        ax.bar([i, i + 3], [1, 2])


def lone_bars(ax):
    ax.bar(0, 1)
    ax.bar(1, 2)


def date_bars_side_by_side(ax):
    ax.bar(DAYS[:2] - timedelta(hours=6), [1, 2], 0.5)
    ax.bar(DAYS[:2] + timedelta(hours=6), [1, 2], 0.5)


def narrow_histograms(ax):
    ax.hist([[0.1, 0.9], [0.2, 0.3]], bins=[0, 0.5, 1], rwidth=0.9)


def whole_histograms(ax):
    ax.hist([[1, 2], [2, 2]], bins=[0.5, 1.5, 2.5])


def dodged_histograms(ax):
    import seaborn
    seaborn.histplot(x=[1, 3, 1, 1], hue=list("aabb"), bins=[0, 1.5, 3], multiple="dodge", ax=ax)


def whole_dodged_histograms(ax):
    import seaborn
    seaborn.histplot(x=[1, 2, 1, 2, 1, 2], hue=list("aabbcc"), discrete=True, multiple="dodge",
                     ax=ax)


def date_bars(ax):
    ax.bar(DAYS, [1, 2, 3])


def spans_of_time(ax):
    ax.barh(["x", "y"], [timedelta(days=2), timedelta(days=1)], left=DAYS[:2],
            xerr=timedelta(hours=12))


def date_errors(ax):
    ax.errorbar(DAYS[:1], [1], xerr=timedelta(hours=12), yerr=0.5)


def negative_bars(ax):
    ax.bar(["x", "y"], [-1, 2])


def histogram(ax):
    ax.hist([0, 1, 1, 2], bins=2, label="h")


def fine_histogram(ax):
    ax.hist(np.linspace(0, 1, 40), bins=20)


def two_histograms(ax):
    ax.hist([[0.1, 0.9], [0.2, 0.3]], bins=[0, 0.5, 1], label=["a", "b"])


def lying_histogram(ax):
    ax.hist([0, 1, 1, 2], bins=2, orientation="horizontal")


def step_histogram(ax):
    ax.hist([0, 1, 1, 2], bins=2, histtype="step")


def one_step(ax):
    ax.hist([0, 1, 1, 2], bins=1, histtype="step")


def filled_steps(ax):
    ax.hist([0, 1, 1, 2], bins=2, histtype="stepfilled")


def rectangle(ax):
    ax.plot([1, 3, 2])
    ax.fill([1, 1, 2, 2], [0, 3, 3, 0])


def span(ax):
    ax.plot([1, 3, 2])
    # What axvspan() draws before matplotlib 3.9.
    ax.add_patch(plt.Polygon([[0, 0], [0, 1], [1, 1], [1, 0]],
                             transform=ax.get_xaxis_transform()))


def stairs(ax):
    ax.stairs([1, 3], [0, 1, 2])


def frame_hist(ax):
    pd.DataFrame({"a": [0, 1, 1, 2]}).plot.hist(ax=ax, bins=2)


def pie(ax):
    ax.pie([1, 3], labels=["a", "b"], autopct="%d%%")


def frame_pie(ax):
    pd.Series([1, 3], index=["a", "b"]).plot.pie(ax=ax)


def box(ax):
    ax.boxplot([[1, 2, 3, 4, 20], [2, 3, 4, 5, 6]])
    ax.set_xticks([1, 2], ["a", "b"])


def lying_box(ax):
    pd.DataFrame({"a": [1, 2, 3, 4, 20]}).plot.box(ax=ax, vert=False)


def filled_box(ax):
    ax.boxplot([[1, 2, 3, 4, 20]], patch_artist=True, showmeans=True)


def hollow_boxes(ax):
    import seaborn
    seaborn.boxplot(x=list("xxxyyy"), y=[1, 2, 3, 4, 5, 6], hue=list("aaabbb"), fill=False, ax=ax)


def heatmap(ax):
    ax.figure.colorbar(ax.imshow([[1, 2], [3, np.nan]]), label="depth")


def half_named_heatmap(ax):
    ax.imshow([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    ax.set_xticks([0, 2], ["p", "q"])
    ax.set_yticks([0, 1, 2], MONTHS)


def mesh(ax):
    ax.pcolormesh([0, 1, 2], [0, 10, 20], [[1, 2], [3, 4]])


def coloured_mesh(ax):
    ax.set(title="T", xlabel="x")
    ax.pcolormesh(np.zeros((2, 3, 3)))


def photograph(ax):
    ax.imshow(np.zeros((4, 4, 3)))


def violins(ax):
    ax.violinplot([[1, 2, 3], [2, 3, 4]])


def violins_with_points(ax):
    import seaborn
    seaborn.violinplot(x=list("aabb"), y=[1, 2, 3, 5], ax=ax)
    seaborn.swarmplot(x=list("aabb"), y=[1, 2, 3, 5], ax=ax)


def half_violins(ax):
    import seaborn
    seaborn.violinplot(x=list("aaaa"), y=[1, 2, 3, 5], hue=list("xxyy"), split=True,
                       inner="quart", ax=ax)


def letter_values(ax):
    import seaborn
    seaborn.boxenplot(x=["a"] * 30, y=np.arange(30) ** 2, ax=ax)


def lying_letter_values(ax):
    import seaborn
    seaborn.boxenplot(x=[1, 2, 3, 9, 9], y=list("aaabb"), hue=list("xyxyy"), ax=ax)


def rectangles_over_line(ax):
    ax.plot([1, 3, 2])
    ax.add_collection(PatchCollection([plt.Rectangle((0, 0), 1, 1)]))


def polar(ax):
    figure = ax.figure
    ax.remove()
    figure.add_subplot(projection="polar").plot([0, 1], [1, 2])


def regular_dates(ax):
    ends = pd.date_range("2024-01-31", periods=3, freq=pd.offsets.MonthEnd())
    pd.Series([1, 2, 3], index=ends).plot(ax=ax)


BOX = {"label": "a", "min": 1, "first_quartile": 2, "median": 3, "third_quartile": 4, "max": 4,
       "outliers": [20]}
STACK = [{"label": "a", "points": points(1, 2, 3)}, {"label": "b", "points": points(4, 5, 6)}]
GROUPED = [bar(month, i + j, group) for i, group in enumerate("abcd")
           for j, month in enumerate(MONTHS)]
FRAME_BARS = [bar(month, value, column) for column in "ab"
              for month, value in zip(MONTHS, FRAME[column])]
UP_DOWN = [{"label": "up", "points": points(1, 2)}, {"label": "down", "points": points(2, 1)}]
HISTOGRAM = {"edges": [0, 1, 2], "values": [1, 3]}

FIGURES = [
    (plain_line, "line", {}, [{"label": "Line 0", "points": points(1, 3, 2)}]),
    (labelled_lines, "line", {}, UP_DOWN),
    (legend_without_labels, "line", {}, UP_DOWN),
    (dates, "line", {"x_scale": "datetime"}, [{"label": "Line 0", "points": [
        [f"2024-01-0{i}T00:00:00", i] for i in (1, 2, 3)]}]),
    (regular_dates, "line", {"x_scale": "datetime"}, [{"label": "Line 0", "points": [
        [f"2024-0{i}-01T00:00:00", i] for i in (1, 2, 3)]}]),
    (category_line, "line", {"x_scale": "categorical", "x_ticks": MONTHS},
     [{"label": "Line 0", "points": [["Jan", 1], ["Feb", 2], ["Mar", 3]]}]),
    (holes, "line", {}, [{"label": "Line 0", "points": points(1, None, None)}]),
    (error_line, "line", {}, [{"label": "m", "points": points(2, 4),
                               "y_errors": [[1.5, 2.5], [3, 5]]}]),
    (error_markers, "scatter", {}, [{"label": "Scatter 0", "points": points(2, 4),
                                     "x_errors": [[-0.5, 0.5], [0.5, 1.5]],
                                     "y_errors": [[1.5, 2.5], [3, 5]]}]),
    (few_errors, "line", {}, [{"label": "Line 0", "points": points(2, 4, 6),
                               "y_errors": [[1, 3], None, [5, 7]]}]),
    (some_errors, "line", {}, [{"label": "Line 0", "points": points(2, 4, 6),
                                "y_errors": [[1, 3], None, [5, 7]]}]),
    (band, "line", {}, [{"label": "Line 0", "points": points(1, 2, 3)}]),
    (band_along_y, "line", {}, [{"label": "Line 0", "points": [[3, 0], [1, 1], [2, 2]]}]),
    (area_along_y, "line", {}, [{"label": "Line 0", "points": [[3, 0], [1, 1], [2, 2]]}]),
    (block_along_y, "bar", {}, [bar("Jan", 3), bar("Feb", 1), bar("Mar", 2)]),
    (stem, "scatter", {}, [{"label": "Scatter 0", "points": points(3, 4)}]),
    (stacked_area, "line", {"stacked": True}, STACK),
    (stackplot, "line", {"stacked": True}, [{"label": "a", "points": points(1, 2)},
                                            {"label": "b", "points": points(3, 4)}]),
    (scatter, "scatter", {}, [{"label": "s", "points": [[1, 3], [2, 4]], "values": [0.1, 0.9],
                               "sizes": [10, 20]}]),
    (classes, "scatter", {}, [{"label": "0", "points": [[1, 4], [3, 6]], "values": [0, 0]},
                              {"label": "1", "points": [[2, 5]], "values": [1]}]),
    (values_in_a_legend, "scatter", {},
     [{"label": "Scatter 0", "points": [[1, 4], [2, 5], [3, 6]], "values": [0, 0.31, 1]}]),
    (colours_in_a_legend, "scatter", {},
     [{"label": "Scatter 0", "points": [[1, 4], [2, 5], [3, 6]]}]),
    (paths, "unknown", {"x_label": "x"}, []),
    (swarm, "scatter", {"overlays": [{"type": "line", "elements": [
        {"label": "all", "points": [["x", 5], ["y", 6]]},
        {"label": "across", "points": [[-0.5, 4], [1.5, 4]]}]}]},
     [{"label": "Scatter 0", "points": [["x", 1], ["x", 2], ["y", 3], [1.5, 4], [7, 5]]},
      {"label": "Scatter 0", "points": [["x", 1], ["y", 2]]}]),
    (dodged, "line", {}, [{"label": "Line 0", "points": [["x", 1], ["y", 2]]}]),
    (marker_line, "scatter", {}, [{"label": "Scatter 0", "points": points(1, 2, 3)}]),
    (fitted, "scatter", {"overlays": [{"type": "line", "elements": [
        {"label": "fit", "points": [[0, 1], [2, 3]]}]}]},
     [{"label": "Scatter 0", "points": points(1, 2, 3)}]),
    (marked_line, "line", {"overlays": [{"type": "scatter", "elements": [
        {"label": "Scatter 0", "points": [[1, 3]]}]}]},
     [{"label": "Line 0", "points": points(1, 3, 2)}]),
    (bars, "bar", {"orientation": "vertical", "stacked": False},
     [bar("Jan", 3), bar("Feb", 1), bar("Mar", 2)]),
    (bars_with_labels, "bar", {},
     [bar("Jan", 3, "cold"), bar("Feb", 1, "wet"), bar("Mar", 2, "cold")]),
    (bars_in_a_legend, "bar", {},
     [bar("Jan", 3, "cold"), bar("Feb", 1, "wet"), bar("Mar", 2, "Group 0")]),
    (hollow_bars_in_a_legend, "bar", {},
     [bar("Jan", 3, "cold"), bar("Feb", 1, "wet"), bar("Mar", 2, "cold")]),
    (equal_bars, "bar", {"orientation": "vertical"}, [bar(month, 2) for month in MONTHS]),
    (lying_bars, "bar", {"orientation": "horizontal"}, [bar(month, 2) for month in MONTHS]),
    (bar_errors, "bar", {}, [bar("Jan", 3, error=[2, 4]), bar("Feb", 1, error=[0.5, 1.5]),
                             bar("Mar", 2, error=[1.5, 2.5])]),
    (some_bar_errors, "bar", {}, [bar("Jan", 3, error=[2, 4]), bar("Feb", 1),
                                  bar("Mar", 2, error=[1, 3])]),
    (stacked_both_ways, "bar", {"stacked": True}, [bar("x", 1, "a"), bar("y", -2, "a"),
                                                   bar("x", -3, "b"), bar("y", 4, "b")]),
    (bars_over_bars, "bar", {"stacked": False}, [bar("x", 2, "a"), bar("y", -3, "a"),
                                                 bar("x", 1, "b"), bar("y", 2, "b")]),
    (errors_over_bars, "bar", {}, [bar("0", 3, error=[2.5, 3.5]), bar("1", 1, error=[0.5, 1.5])]),
    (stacked_bars, "bar", {"stacked": True},
     [bar(m, i + 1, "a") for i, m in enumerate(MONTHS)]
     + [bar(m, i + 4, "b", base=i + 1) for i, m in enumerate(MONTHS)]),
    (grouped_bars, "bar", {"stacked": False}, GROUPED),
    (frame_bars, "bar", {"orientation": "vertical", "stacked": False}, FRAME_BARS),
    (frame_stacked_barh, "bar", {"orientation": "horizontal", "stacked": True},
     [bar(m, i + 1, "a") for i, m in enumerate(MONTHS)]
     + [bar(m, i + 4, "b", base=i + 1) for i, m in enumerate(MONTHS)]),
    (sparse_ticks, "bar", {}, [bar(label, i + 1) for i, label in enumerate(
        ["first", "1", "2", "3", "4", "last"])]),
    (bar_and_line, "bar", {"overlays": [{"type": "line", "elements": [
        {"label": "l", "points": [["Jan", 3], ["Feb", 2], ["Mar", 1]]}]}]},
     [bar("Jan", 1, "b"), bar("Feb", 2, "b"), bar("Mar", 3, "b")]),
    (bars_beside_ticks, "bar", {}, [bar("2019", 1, "a"), bar("2020", 2, "a"),
                                    bar("2019", 3, "b"), bar("2020", 4, "b")]),
    (bars_side_by_side, "bar", {}, [bar("0.5", 1, "a"), bar("1.5", 2, "a"),
                                    bar("0.5", 1, "b"), bar("1.5", 2, "b")]),
    (bars_by_turns, "bar", {}, [bar(str(i + j), 1 + j // 3, f"Group {i}")
                                for i in range(3) for j in (0, 3)]),
    (lone_bars, "bar", {}, [bar("0", 1), bar("1", 2, "Group 1")]),
    (date_bars_side_by_side, "bar", {}, [bar(f"2024-01-0{i}T00:00:00", i, f"Group {group}")
                                         for group in (0, 1) for i in (1, 2)]),
    (narrow_histograms, "bar", {}, [bar("0.25", 1), bar("0.75", 1),
                                    bar("0.25", 2, "Group 1"), bar("0.75", 0, "Group 1")]),
    (whole_histograms, "bar", {}, [bar("1", 1), bar("2", 1),
                                   bar("1", 0, "Group 1"), bar("2", 2, "Group 1")]),
    (dodged_histograms, "histogram", {}, [{"label": "b", "edges": [0, 1.5, 3], "values": [2, 0]},
                                          {"label": "a", "edges": [0, 1.5, 3], "values": [1, 1]}]),
    (whole_dodged_histograms, "bar", {},
     [bar(place, 1, group) for group in "cba" for place in "12"]),
    (date_bars, "bar", {}, [bar(f"2024-01-0{i}T00:00:00", i) for i in (1, 2, 3)]),
    (spans_of_time, "bar", {"orientation": "horizontal", "x_scale": "datetime"},
     [bar("x", 2, base="2024-01-01T00:00:00",
          error=["2024-01-02T12:00:00", "2024-01-03T12:00:00"]),
      bar("y", 1, base="2024-01-02T00:00:00",
          error=["2024-01-02T12:00:00", "2024-01-03T12:00:00"])]),
    (date_errors, "line", {}, [{"label": "Line 0", "points": [["2024-01-01T00:00:00", 1]],
                                "x_errors": [["2023-12-31T12:00:00", "2024-01-01T12:00:00"]],
                                "y_errors": [[0.5, 1.5]]}]),
    (negative_bars, "bar", {}, [bar("x", -1), bar("y", 2)]),
    (histogram, "histogram", {"orientation": "vertical"}, [{"label": "h", **HISTOGRAM}]),
    (fine_histogram, "histogram", {}, None),
    (two_histograms, "histogram", {}, [{"label": "a", "edges": [0, 0.5, 1], "values": [1, 1]},
                                       {"label": "b", "edges": [0, 0.5, 1], "values": [2, 0]}]),
    (lying_histogram, "histogram", {"orientation": "horizontal"},
     [{"label": "Group 0", **HISTOGRAM}]),
    (step_histogram, "histogram", {}, [{"label": "Group 0", **HISTOGRAM}]),
    (one_step, "histogram", {}, [{"label": "Group 0", "edges": [0, 2], "values": [4]}]),
    (filled_steps, "histogram", {}, [{"label": "Group 0", **HISTOGRAM}]),
    (rectangle, "line", {}, [{"label": "Line 0", "points": points(1, 3, 2)}]),
    (span, "line", {}, [{"label": "Line 0", "points": points(1, 3, 2)}]),
    (stairs, "histogram", {}, [{"label": "Group 0", "edges": [0, 1, 2], "values": [1, 3]}]),
    (frame_hist, "histogram", {}, [{"label": "a", **HISTOGRAM}]),
    (pie, "pie", {}, [{"label": "a", "angle": 90, "radius": 1},
                      {"label": "b", "angle": 270, "radius": 1}]),
    (frame_pie, "pie", {}, [{"label": "a", "angle": 90, "radius": 1},
                            {"label": "b", "angle": 270, "radius": 1}]),
    (box, "box_and_whisker", {"orientation": "vertical"},
     [BOX, {"label": "b", "min": 2, "first_quartile": 3, "median": 4, "third_quartile": 5,
            "max": 6, "outliers": []}]),
    (lying_box, "box_and_whisker", {"orientation": "horizontal"}, [BOX]),
    (filled_box, "box_and_whisker", {}, [{**BOX, "label": "1"}]),
    (hollow_boxes, "box_and_whisker", {}, [
        {"label": name, "group": group, "min": low, "first_quartile": low + 0.5,
         "median": low + 1, "third_quartile": low + 1.5, "max": low + 2, "outliers": []}
        for name, group, low in (("x", "a", 1), ("y", "b", 4))]),
    (heatmap, "heatmap", {}, [{"label": "Heatmap 0", "x": [0, 1], "y": [0, 1],
                               "values": [[1, 2], [3, None]], "value_label": "depth"}]),
    (half_named_heatmap, "heatmap", {}, [{"label": "Heatmap 0", "x": [0, 1, 2], "y": MONTHS,
                                          "values": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}]),
    (mesh, "heatmap", {}, [{"label": "Heatmap 0", "x": [0.5, 1.5], "y": [5, 15],
                            "values": [[1, 2], [3, 4]]}]),
    (coloured_mesh, "unknown", {"title": "T", "x_label": "x"}, []),
    (photograph, "unknown", {}, []),
    (violins, "unknown", {}, []),
    (violins_with_points, "unknown", {}, []),
    (half_violins, "unknown", {}, []),
    (letter_values, "unknown", {}, []),
    (lying_letter_values, "unknown", {}, []),
    (rectangles_over_line, "line", {}, [{"label": "Line 0", "points": points(1, 3, 2)}]),
    (polar, "line", {"projection": "polar"}, [{"label": "Line 0", "points": [[0, 1], [1, 2]]}]),
]


def nearly(found, wanted):
    """Equal, with a little room for floats."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and found.keys() == wanted.keys() and all(
            nearly(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(
            map(nearly, found, wanted))
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return isinstance(found, (int, float)) and found == pytest.approx(wanted)
    return found == wanted


@pytest.mark.parametrize("draw, kind, fields, elements", FIGURES,
                         ids=[row[0].__name__ for row in FIGURES])
def test_figure_gives_its_chart(draw, kind, fields, elements):
    figure, ax = plt.subplots()
    draw(ax)

    chart = chart_of(figure)

    assert chart["type"] == kind
    for name, value in fields.items():
        assert chart[name] == value
    if elements is not None:
        assert nearly(chart["elements"], elements), chart["elements"]
    assert "overlays" not in chart or "overlays" in fields


def test_texts_and_scales_are_told():
    figure, ax = plt.subplots()
    ax.plot([1, 10], [1, 100])
    ax.set(title="T", xlabel="Time (s)", ylabel="Mass [kg]", yscale="log", ylim=(1, 100))

    chart = chart_of(figure)

    assert (chart["title"], chart["x_label"], chart["x_unit"]) == ("T", "Time (s)", "s")
    assert (chart["y_label"], chart["y_unit"], chart["y_scale"]) == ("Mass [kg]", "kg", "log")
    assert chart["y_ticks"] == [1, 10, 100] and chart["y_tick_labels"] == ["10^0", "10^1", "10^2"]


def test_labels_of_ticks_are_those_that_were_drawn():
    asked = []
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    ax.set_xticks([0, 1])
    ax.xaxis.set_major_formatter(lambda place, _: asked.append(place) or f"<{place}>")
    figure.canvas.draw()
    figure.get_tightbbox()
    drawn = list(asked)

    assert chart_of(figure)["x_tick_labels"] == ["<0>", "<1>"]
    assert drawn and asked == drawn, "the formatter was asked again"


@pytest.mark.parametrize("change, labels", [
    (lambda ax: ax.xaxis.set_major_formatter("{x:.1f}"), ["0.0", "1.0"]),
    (lambda ax: ax.set_xticks([0, 0.5], ["a", "b"]), ["a", "b"]),
    (lambda ax: ax.set_xlim(0.75, 1), ["1"])])
def test_labels_of_ticks_that_changed_since_the_drawing_are_new(change, labels):
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    ax.set_xticks([0, 1])
    figure.canvas.draw()
    change(ax)

    assert chart_of(figure)["x_tick_labels"] == labels


def test_bins_of_a_histogram_are_not_named_by_ticks():
    figure, ax = plt.subplots()
    counts, edges, _ = ax.hist(np.random.default_rng(1).normal(size=300), bins=20)

    element, = chart_of(figure)["elements"]

    assert element["values"] == counts.tolist()
    assert element["edges"] == pytest.approx(edges.tolist())


def test_several_axes_are_a_superchart_and_colorbars_and_empty_axes_no_charts():
    figure, (one, two, _) = plt.subplots(1, 3)
    one.bar(MONTHS, [1, 2, 3])
    figure.colorbar(two.scatter([1, 2], [1, 2], c=[1, 2]))
    figure.suptitle("All")

    chart = chart_of(figure)

    assert (chart["type"], chart["title"]) == ("superchart", "All")
    assert [element["type"] for element in chart["elements"]] == ["bar", "scatter"]


@pytest.mark.parametrize("drawn, more", [
    (lambda ax: ax.scatter([1, 2], [1, 2], c=[3, 4]), {}),
    (lambda ax: ax.hexbin([1, 2], [1, 2]), {"orientation": "horizontal"})])
def test_label_of_a_colorbar_says_what_the_values_of_points_are(drawn, more):
    figure, ax = plt.subplots()
    bar = figure.colorbar(drawn(ax), label="depth", **more)

    assert chart_of(figure)["elements"][0]["value_label"] == "depth"

    bar.remove()
    assert "value_label" not in chart_of(figure)["elements"][0]


def test_twin_axes_share_the_label_of_their_axis():
    figure, ax = plt.subplots()
    ax.plot([1, 2])
    ax.set(xlabel="t", ylabel="a")
    ax.twinx().plot([10, 20])

    one, two = chart_of(figure)["elements"]

    assert (one["x_label"], two["x_label"]) == ("t", "t")
    assert (one["y_label"], two["y_label"]) == ("a", None)


def test_figure_without_data_has_no_chart():
    assert chart_of(plt.figure()) is None
    assert chart_of(plt.subplots(2, 2)[0]) is None


def test_long_lines_are_thinned_and_say_how_long_they_were():
    figure, ax = plt.subplots()
    for _ in range(10):
        ax.plot(np.arange(100_000))

    elements = chart_of(figure)["elements"]

    assert {len(element["points"]) for element in elements} == {2000}
    assert {element["total_points"] for element in elements} == {100_000}
    assert elements[0]["points"][0] == [0, 0] and elements[0]["points"][-1] == [99999, 99999]


def test_what_is_no_data_takes_nothing_from_the_bound():
    figure, (one, two) = plt.subplots(2)
    one.plot(np.arange(1000))
    for i in range(300):
        one.axvline(i)
    two.bar(np.arange(240), 1, yerr=0.5, capsize=2)
    for i in range(240):
        two.plot([i, i], [0.5, 1.5])

    line, bars = chart_of(figure)["elements"]

    assert len(line["elements"][0]["points"]) == 1000
    assert len(bars["elements"]) == 240 and "total_points" not in bars


def test_what_small_elements_leave_goes_to_large_ones():
    figure, ax = plt.subplots()
    for count in [10] * 100 + [100_000] * 5:
        ax.plot(np.arange(count))

    counts = [len(element["points"]) for element in chart_of(figure)["elements"]]

    assert counts == [10] * 100 + [3800] * 5


def test_elements_of_every_kind_share_the_bound():
    figure, every = plt.subplots(2, 3)
    many = np.arange(10_000)
    every[0][0].plot(many)
    every[0][1].scatter(many, many)
    every[0][2].fill_between(many, many)
    every[1][0].stairs(many, np.arange(10_001))
    every[1][1].hist(many, bins=many, histtype="step")
    every[1][2].errorbar(many, many, yerr=1, fmt="none")

    told = [element.get("points") or element["values"] for chart in chart_of(figure)["elements"]
            for element in chart["elements"]]

    assert [len(each) for each in told] == [20_000 // 6] * 6


def test_points_that_colours_tell_apart_share_the_bound():
    figure, ax = plt.subplots()
    x = np.arange(20_000)
    ax.scatter(x, x, c=np.where(x % 2, "red", "blue"))
    ax.legend(handles=[ax.plot([], [], "o", color=color, label=name)[0]
                       for color, name in (("red", "odd"), ("blue", "even"))])

    elements = chart_of(figure)["elements"]

    assert {element["label"] for element in elements} == {"odd", "even"}
    assert sum(len(element["points"]) for element in elements) <= 5000
    assert {element["total_points"] for element in elements} == {10_000}


def test_numbers_name_the_rows_and_columns_of_a_heatmap():
    import seaborn

    element, = chart_of(seaborn.heatmap(np.eye(3)).figure)["elements"]

    assert element["x"] == element["y"] == ["0", "1", "2"]


@pytest.mark.parametrize("draw, limit_s", [
    (lambda ax: ax.stackplot(range(50), np.ones((490, 50))), 1),  # it was 4 s
    (lambda ax: [ax.plot([i, i], [0, i]) for i in range(490)], 0.3),  # it was 0.6 s
    (lambda ax: ax.imshow(np.zeros((4000, 4000))), 0.2),  # it was 0.3 s
])
def test_large_figures_are_read_in_no_time(draw, limit_s):
    figure, ax = plt.subplots()
    draw(ax)
    began = time.process_time()

    chart_of(figure)

    assert time.process_time() - began < scaled(limit_s)


def test_hexagons_on_logarithmic_axes_stand_at_data():
    figure, ax = plt.subplots()
    ax.hexbin([1, 100, 100], [1, 3, 3], gridsize=2, xscale="log", mincnt=1)

    element, = chart_of(figure)["elements"]

    one, other = element["points"]
    assert one == pytest.approx([1, 1], rel=1e-6) and other == pytest.approx([100, 3], rel=1e-6)
    assert element["values"] == [1, 2]


def test_hexagons_that_are_paths_of_their_own_have_places():
    figure, ax = plt.subplots()
    ax.set_xscale("log")
    # As hexbin() drew them on a logarithmic axis before matplotlib 3.11.
    hexagon = np.array([[0.5, -0.5], [0.5, 0.5], [0, 1], [-0.5, 0.5], [-0.5, -0.5], [0, -1]])
    ax.add_collection(PolyCollection([hexagon * [9, 1] + [10, i] for i in (1, 2)],
                                     array=[3, 4]))

    element, = chart_of(figure)["elements"]

    middle = (5.5 * 14.5) ** 0.5
    assert element["points"] == [pytest.approx([middle, i]) for i in (1, 2)]
    assert element["values"] == [3, 4]


def test_large_heatmaps_are_thinned():
    figure, ax = plt.subplots()
    ax.imshow(np.zeros((1000, 500)))

    element, = chart_of(figure)["elements"]

    assert len(element["values"]) * len(element["values"][0]) <= 10_000
    assert (len(element["y"]), len(element["x"])) == (100, 100)
    assert element["total_points"] == 500_000


def test_broken_artist_never_raises():
    figure, ax = plt.subplots()
    line, = ax.plot([1, 2])
    line.get_xdata = lambda orig=True: 1 / 0

    assert chart_of(figure)["type"] == "unknown"


def test_analysis_is_a_superchart_of_bars_and_a_line():
    frame = pd.DataFrame({"Month": ["Jan", "Feb", "Mar", "Apr", "May"],
                          "Sales": [100, 120, 140, 110, 160], "Profit": [20, 25, 30, 22, 40]})
    figure = plt.figure(figsize=(10, 6))
    plt.subplot(1, 2, 1)
    plt.bar(frame["Month"], frame["Sales"])
    plt.title("Monthly Sales")
    plt.subplot(1, 2, 2)
    plt.plot(frame["Month"], frame["Profit"], marker="o")
    plt.tight_layout()

    one, two = chart_of(figure)["elements"]

    assert (one["type"], one["title"], two["type"]) == ("bar", "Monthly Sales", "line")
    assert [(e["label"], e["value"]) for e in one["elements"]] == list(
        zip(frame["Month"], frame["Sales"]))
    assert two["elements"][0]["points"][4] == ["May", 40]


def test_many_named_bars_are_read_in_no_time():
    names = [f"n{i}" for i in range(3000)]
    figure, ax = plt.subplots()
    ax.bar(names, 1)
    ax.bar(names[1:], 2)
    began = time.process_time()

    elements = chart_of(figure)["elements"]

    assert time.process_time() - began < scaled(2)  # it was 11 s
    assert [each["label"] for each in elements] == names + names[1:]


def test_places_have_the_nearest_name_within_half_a_pitch():
    named = use("chart_axes").nearest_names
    ticks = [(0, "a"), (1, "b"), (1, "again"), (3, "c")]

    assert named(np.array([-9, 0.5, 0.6, 1, 2.5, 3.6]), ticks, 1) == \
        ["-9", "a", "b", "b", "c", "3.6"]
    assert named(np.array([-9, 9]), ticks, np.inf) == ["a", "c"]
    assert named(np.array([np.nan, 1e20]), ticks, 1) == ["nan", "1e+20"]
    assert named(np.array([2.0]), [], 1) == ["2"]


def test_names_of_a_shared_axis_are_those_of_all_who_share_it():
    import seaborn
    frame = pd.DataFrame({"v": [1, 2, 3, 4], "k": list("abab"), "h": list("xxyy")})
    grid = seaborn.catplot(frame, x="v", y="k", kind="bar", errorbar=None, col="h")

    chart = chart_of(grid.figure)

    for panel in chart["elements"]:
        assert panel["y_scale"] == "categorical"
        assert sorted(bar["label"] for bar in panel["elements"]) == ["a", "b"]


@pytest.mark.parametrize("move", ["Dodge", "Stack"])
def test_bars_of_one_container_have_the_groups_of_their_colours(move):
    from seaborn import objects as so
    frame = pd.DataFrame({"k": list("aabb"), "h": list("xyxy"), "v": [1, 2, 3, 4]})

    plot = so.Plot(frame, x="k", y="v", color="h").add(so.Bar(), so.Agg(), getattr(so, move)())
    elements = chart_of(plot.plot()._figure)["elements"]

    assert {(each["label"], each["group"], each["value"]) for each in elements} == {
        ("a", "x", 1), ("a", "y", 2), ("b", "x", 3), ("b", "y", 4)}


def test_bars_of_periods_have_dates():
    axes = pd.Series([1, 2, 3], index=pd.period_range("2024Q1", periods=3, freq="Q")).plot.bar()

    chart = chart_of(axes.figure)

    assert chart["x_scale"] == "datetime"
    assert chart["elements"][1]["label"] == "2024-04-01T00:00:00"


def test_bars_of_several_columns_have_the_date_of_their_group():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "c": [5, 6]},
                         index=pd.date_range("1969-12-31", periods=2))

    chart = chart_of(frame.plot.bar().figure)

    assert [each["label"][:10] for each in chart["elements"]] == ["1969-12-31", "1970-01-01"] * 3


def test_trend_through_few_points_leaves_them_a_scatter_plot():
    figure, axes = plt.subplots()
    axes.scatter([1, 2, 3, 4], [1, 2, 2, 4])
    axes.plot(np.linspace(1, 4, 100), np.linspace(0.9, 3.6, 100))

    chart = chart_of(figure)

    assert (chart["type"], [each["type"] for each in chart["overlays"]]) == ("scatter", ["line"])


def test_few_marks_on_a_curve_leave_it_a_line_chart():
    figure, axes = plt.subplots()
    axes.plot(np.arange(100), np.sin(np.arange(100)))
    axes.scatter([1, 2, 3, 4], [1, 2, 2, 4])

    assert chart_of(figure)["type"] == "line"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind, wanted", [
    ("barplot", [bar("a", 1.5, error=[1, 2]), bar("b", 3)]),
    ("pointplot", [{"label": "Line 0", "points": [["a", 1.5], ["b", 3]], "y_errors": [[1, 2], None]}]),
])
def test_groups_of_one_value_have_no_error_bar(kind, wanted):
    import seaborn
    ax = getattr(seaborn, kind)(x=["a", "a", "b"], y=[1, 2, 3], errorbar=("pi", 100))
    assert any(np.isnan(line.get_ydata()).all() for line in ax.lines), "what this test is about"

    assert chart_of(ax.figure)["elements"] == wanted


def test_line_without_a_point_has_no_chart():
    figure, ax = plt.subplots()
    ax.plot([np.nan, np.nan])

    assert chart_of(figure) is None


def test_reading_a_chart_warns_of_nothing():
    figure, ax = plt.subplots()
    ax.plot([1, 2])
    ax.get_title = lambda *where: warnings.warn("asked for the title") or ""

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        chart = chart_of(figure)

    assert chart["type"] == "line" and not heard
