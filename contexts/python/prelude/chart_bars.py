# SPDX-License-Identifier: MIT
"""Bars and histograms as elements of charts. Which way bars lie is known by their container, and
whose label is whose by where they stand."""

import numpy as np
from matplotlib.container import BarContainer
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator

axes = use("chart_axes")  # noqa: F821
points = use("chart_points")  # noqa: F821

GROUP_SHARES = (0.8, 1.0)  # of a bin that hist() and histplot() give to the bars of several series


class Series:
    """The bars of one container. `low` and `high` are where they stand, `base` and `value` what
    they reach from and how far."""

    def __init__(self, container, ax):
        self.upright = container.orientation != "horizontal"
        self.container = container
        self.patches = [patch for patch in container.patches if patch.axes is ax]
        boxes = np.array([(p.get_x(), p.get_y(), p.get_width(), p.get_height())
                          for p in self.patches], dtype=float).reshape(-1, 4)
        across, along = (0, 1) if self.upright else (1, 0)
        ends = np.sort(np.column_stack([boxes[:, across], boxes[:, across] + boxes[:, across + 2]]))
        self.low, self.high = ends[:, 0], ends[:, 1]
        self.base, self.value = boxes[:, along], boxes[:, along + 2]

    def centers(self):
        return (self.low + self.high) / 2


def series_of(ax):
    """All bars of an Axes, by container."""
    found = [Series(container, ax) for container in ax.containers
             if isinstance(container, BarContainer)]
    return [series for series in found if series.patches]


def edges_of(series):
    """The edges of bins when bars touch each other all along, else None."""
    order = np.argsort(series.low)
    low, high = series.low[order], series.high[order]
    if len(low) < 2 or np.abs(high[:-1] - low[1:]).max() > (high - low).min() * 1e-6:
        return None
    return np.append(low, high[-1])


def sides_of_groups(all_series):
    """(low, high) of groups of bars that stand side by side, one of each series; else None."""
    count = len(all_series[0].low)
    if len(all_series) < 2 or count < 2 or any(len(s.low) != count for s in all_series):
        return None
    low, high = np.array([(s.low, s.high) for s in all_series]).transpose(1, 2, 0)
    order = np.argsort(low[0], kind="stable")
    low, high = low[:, order], high[:, order]
    groups = np.argsort(low[:, 0])
    between = low[groups[1:], 0] - high[groups[:-1], -1]
    within = (low[:, 1:] - high[:, :-1]).max()
    if not np.isfinite(between).all() or (between < -1e-6 * np.ptp(low)).any():
        return None
    # Bars that are as far from the next group as from each other are no groups.
    apart = within < between.min() * (1 - 1e-6)
    return (low[:, 0], high[:, -1]) if apart or fills(within, between, all_series) else None


def is_whole(places):
    return bool(np.allclose(places, np.round(places)))


def fills(within, between, all_series):
    """Whether bars of several series fill an axis, as histplot() draws them."""
    slack = 1e-6 * np.ptp(all_series[0].low)
    return max(abs(within), np.abs(between).max()) <= slack and not all(
        is_whole(series.centers()) for series in all_series)


def shared_edges(all_series):
    """The edges of bins whose bars stand side by side, as hist() draws several sets of data."""
    sides = sides_of_groups(all_series)
    if sides is None:
        return None
    low, high = np.sort(sides, axis=1)
    pitch, width = np.diff(low), high - low
    if np.ptp(pitch) > 1e-6 * pitch[0] or not any(
            np.allclose(width, share * pitch[0]) for share in GROUP_SHARES):
        return None
    middle = (low + high) / 2
    if is_whole(middle) or any(is_whole(series.centers()) for series in all_series):
        return None  # bars at or around whole numbers were put there by hand
    return np.append(middle - pitch[0] / 2, middle[-1] + pitch[0] / 2)


def places_of(view, all_series):
    """Where to look for the names of the bars of each series: what stands side by side has one,
    that of a tick somebody has put under it, else its middle."""
    sides = sides_of_groups(all_series)
    axis = view.across(all_series[0].upright)
    if sides is None or axis.is_named():
        return [series.centers() for series in all_series]
    places = (sides[0] + sides[1]) / 2
    if isinstance(axis.axis.get_major_locator(), FixedLocator):
        ticks = np.sort(axes.floats(axis.axis.get_majorticklocs()))
        first, after = np.searchsorted(ticks, sides[0]), np.searchsorted(ticks, sides[1], "right")
        if (after - first == 1).all():
            places = ticks[first]
    return [places] * len(all_series)


def histogram_edges(view, all_series):
    """Edges for each series when all of them are histograms, else None."""
    if not all_series or view.across(all_series[0].upright).is_named():
        return None
    found = [edges_of(series) for series in all_series]
    if all(edges is not None for edges in found):
        return found
    edges = shared_edges(all_series)
    return None if edges is None else [edges] * len(all_series)


def group_names(view, series, index):
    """The label of the series of each bar: that of all of them, else its own, as bar(label=[...])
    gives it, else what the legend or another one's label says about its colour."""
    label = str(series.container.get_label() or "")
    if label and not label.startswith("_"):
        return [label[:axes.TEXT_CHARS]] * len(series.patches)
    names = [view.name(patch, None) for patch in series.patches]
    if None not in names:
        return names
    colors = [axes.color_of(patch) for patch in series.patches]
    meant = {color: name for color, name in zip(colors, names) if name is not None}
    return [meant.get(color, f"Group {index}") for color in colors]


def histogram_elements(view, all_series, all_edges):
    elements = []
    for index, (series, edges) in enumerate(zip(all_series, all_edges)):
        order = np.argsort(series.low)
        elements.append(bins_element(view.across(series.upright), view.limit,
                                     group_names(view, series, index)[0], edges,
                                     series.value[order]))
    return elements


def bins_element(axis, limit, label, edges, values):
    """Bins beyond the limit are left off at the end: merged ones would be other bins."""
    element = {"label": label, "edges": axis.values(edges[:limit + 1]),
               "values": axes.plain(values[:limit])}
    if len(values) > limit:
        element["total_points"] = len(values)
    return element


def step_elements(view):
    """(elements, orientation) of histograms that are drawn as one outline: stairs(), step."""
    elements, upright = [], True
    for patch in view.ax.patches:
        found = None
        if hasattr(patch, "get_data") and hasattr(patch, "orientation"):
            values, edges, _ = patch.get_data()
            found = patch.orientation != "horizontal", np.asarray(edges), np.asarray(values)
        elif type(patch) is Polygon and points.in_data(patch, view.ax):
            found = outline_bins(patch)
        if found is not None and patch.get_visible():
            upright, edges, values = found
            label = view.name(patch, f"Group {len(elements)}")
            elements.append(bins_element(view.across(upright), view.limit, label, edges, values))
    return elements, upright


def size_of(patch):
    """How many bins a patch may have, if it is such a histogram."""
    if hasattr(patch, "get_data"):
        return len(patch.get_data()[0])
    return len(patch.get_xy()) // 2 if type(patch) is Polygon else 0


def outline_bins(polygon):
    """(whether upright, edges, values) of the outline of a histogram, None for other polygons."""
    corners = polygon.get_xy()
    if len(corners) < 6 and polygon.get_closed():
        return None  # a rectangle: of fill() more often than of one bin
    for upright in (True, False):
        across, along = corners.T if upright else corners.T[::-1]
        rising = int(np.argmax(across)) if len(across) else 0
        count = (rising + 1) // 2
        if count < 1 or len(across) < 2 * count + 2:
            continue
        edges = across[0:2 * count + 2:2]
        if np.array_equal(edges, across[1:2 * count + 2:2]) and (np.diff(edges) > 0).all():
            values = along[1:2 * count + 1:2]
            if np.array_equal(values, along[2:2 * count + 2:2]):
                return upright, edges, values
    return None


# Bars.

def bar_elements(view, all_series, lone_errors, lines):
    """(elements, whether bars are stacked, lines and error bars that are not theirs)."""
    lone, elements = list(lone_errors), []
    strokes = {id(line): found for line in lines if (found := points.stroke(line))}
    taken = set()
    places = places_of(view, all_series)
    for index, series in enumerate(all_series):
        keep = range(len(series.patches))[:view.limit]
        names = view.across(series.upright).names(places[index])
        groups = group_names(view, series, index)
        along = view.y if series.upright else view.x
        bases = along.ends(series.base)
        errors = series_errors(series, lone, along)
        for i in keep:
            error = errors[i] or stroke_error(series, i, strokes, taken, along)
            base = bases[i] if series.base[i] or along.kind == "datetime" else None
            elements.append(bar_element(names[i], groups[i], base, series.value[i], error))
    left = [line for line in lines if id(line) not in taken]
    return elements, are_stacked(all_series), left, lone


def are_stacked(all_series):
    """Whether some bar begins where another one ends, or series go off from 0 both ways without
    ever lying over each other, as pandas stacks mixed signs."""
    tops, ways, over = {}, {}, False
    for index, series in enumerate(all_series):
        middles = np.round(series.centers(), 9).tolist()
        ends = np.round(np.column_stack([series.base, series.base + series.value]), 9).tolist()
        for place, (base, top) in zip(middles, ends):
            if base and base in tops.get(place, ()):
                return True
            tops.setdefault(place, set()).add(top)
            if not base and top:
                way = ways.setdefault(place, {})
                over = over or way.setdefault(top > 0, index) != index
    return not over and any(len(set(way.values())) > 1 for way in ways.values())


def bar_element(label, group, base, value, error):
    element = {"label": str(label), "group": group, "value": axes.number(value)}
    if base is not None:
        element["base"] = base
    if error is not None:
        element["error"] = error
    return element


def series_errors(series, lone, along):
    """[low, high] or None for each bar, from its own error bars or ones drawn at its place."""
    name = "y" if series.upright else "x"
    own = getattr(series.container, "errorbar", None)
    if own is not None:
        return points.ends_at(series.centers(), points.intervals(own).get(name, []), along)
    for container in lone:
        ends = points.ends_at(series.centers(), [
            item for item in points.intervals(container).get(name, [])
            if np.isclose(series.centers(), item[0]).any()], along)
        if any(ends):
            lone.remove(container)
            return ends
    return [None] * len(series.patches)


def stroke_error(series, i, strokes, taken, along):
    """The ends of a line that stands on one bar and reaches to both sides of its end."""
    top = series.base[i] + series.value[i]
    for key, (name, (where, low, high)) in strokes.items():
        if key not in taken and name == ("y" if series.upright else "x") and \
                series.low[i] < where < series.high[i] and low <= top <= high:
            taken.add(key)
            return along.ends([low, high])
    return None
