# SPDX-License-Identifier: MIT
"""Lines, points, areas and their error bars as elements of charts."""

import math

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection

axes = use("chart_axes")  # noqa: F821

CAP_POINTS = 8  # of a line that is one error bar with its caps, drawn without lifting the pen


def is_bare(artist):
    """Whether only the markers of a line are drawn."""
    return str(artist.get_linestyle()).lower() in ("none", "", " ")


def in_data(artist, ax):
    """Whether both coordinates are data: those of axhline(), axvline() and spans are not."""
    return is_of_data(artist.get_transform(), ax)


def is_of_data(transform, ax):
    parts = getattr(transform, "contains_branch_separately", None)
    if parts is None:
        parts = transform.contains_branch_seperately  # its name before matplotlib 3.11
    return all(parts(ax.transData))


def is_data_line(line, ax):
    return (line.get_visible() and not type(line).__name__.endswith("AxLine")
            and in_data(line, ax) and has_points(line))


def has_points(line):
    """Whether any of it can be drawn: seaborn adds error bars of NaN to groups of one value."""
    x, y = axes.floats(line.get_xdata(orig=False)), axes.floats(line.get_ydata(orig=False))
    return bool((np.isfinite(x) & np.isfinite(y)).any())


# Error bars: intervals are (where on the other axis, low end, high end).

def intervals(container):
    """Intervals of an ErrorbarContainer: {"x": [...], "y": [...]}."""
    columns = list(container.lines[2])
    found = {}
    for name, has in (("x", container.has_xerr), ("y", container.has_yerr)):
        if has and columns:
            along = 0 if name == "x" else 1
            found[name] = [interval(path.vertices, along)
                           for path in columns.pop(0).get_paths() if len(path.vertices)]
    return found


def interval(vertices, along):
    # Without numpy, which takes five times as long for two numbers.
    ends, wheres = vertices[:, along].tolist(), vertices[:, 1 - along].tolist()
    low, high = (min(ends), max(ends)) if math.isfinite(sum(ends)) else (math.nan, math.nan)
    return sum(wheres) / len(wheres), low, high


def stroke(line):
    """(name of the axis, interval) of a line that may be an error bar and nothing else."""
    x, y = axes.floats(line.get_xdata(orig=False)), axes.floats(line.get_ydata(orig=False))
    if not 2 <= len(x) <= CAP_POINTS or line.get_marker() not in ("None", "none", "", " ", None):
        return None
    points = np.column_stack([x, y])
    points = points[np.isfinite(points).all(axis=1)]  # seaborn lifts the pen before the caps
    if len(points) < 2:
        return None
    if len(x) == 2:
        if (x[0] == x[1]) == (y[0] == y[1]):
            return None
        return ("y", interval(points, 1)) if x[0] == x[1] else ("x", interval(points, 0))
    for name, along in (("y", 1), ("x", 0)):
        if len(np.unique(points[:, along])) == 2 and len(np.unique(points[:, 1 - along])) == 3:
            return name, interval(points, along)
    return None


def ends_at(places, found, axis):
    """[low, high] on `axis` for every place that an interval stands at, else None."""
    wheres, lows, highs = np.array(found, dtype=float).reshape(-1, 3).T
    ends = [[low, high] if low is not None and high is not None else None
            for low, high in zip(axis.ends(lows), axis.ends(highs))]
    if len(ends) != len(places):
        by_place = {round(where, 9): end for where, end in zip(wheres.tolist(), ends)}
        ends = [by_place.get(round(place, 9)) for place in places.tolist()]
    return ends


def give_errors(element, view, x, y, found, keep):
    """Adds the ends of error bars to an element with points."""
    for name, places in (("x", y), ("y", x)):
        if not found.get(name):
            continue
        ends = ends_at(axes.floats(places), found[name], getattr(view, name))
        if any(end is not None for end in ends):
            chosen = ends if isinstance(keep, slice) else [ends[i] for i in keep]
            element[f"{name}_errors"] = chosen


def split_strokes(lines):
    """Takes apart the lines and the error bars that were drawn as lines of their own, as seaborn
    does: each stands on a point of another line and reaches to both sides of it."""
    strokes = {id(line): found for line in lines if (found := stroke(line))}
    whole = [line for line in lines if id(line) not in strokes]
    if not strokes or not whole:
        return lines, {}
    on = {name: by_place(whole, name) for name in {name for name, _ in strokes.values()}}
    colors = [axes.color_of(line) for line in whole]
    kept, errors = [], {}
    for line in lines:
        name, found = strokes.get(id(line), (None, None))
        owners = owners_of(on[name], *found) if name else []
        if owners:
            color = axes.color_of(line)
            owner = min(owners, key=lambda i: colors[i] != color)
            errors.setdefault(id(whole[owner]), {}).setdefault(name, []).append(found)
        else:
            kept.append(line)
    return kept, errors


def by_place(lines, name):
    """(place, height, number of the line) of all points of lines, ordered by their places, for
    error bars along the axis of that name."""
    pairs = [(axes.floats(line.get_xdata(orig=False)), axes.floats(line.get_ydata(orig=False)))
             for line in lines]
    x, y = (np.concatenate(column) for column in zip(*pairs))
    places, heights = (x, y) if name == "y" else (y, x)
    numbers = np.repeat(np.arange(len(lines)), [len(pair[0]) for pair in pairs])
    order = np.argsort(places, kind="stable")
    return places[order], heights[order], numbers[order]


def owners_of(marks, where, low, high):
    """The numbers of the lines with a point on an interval."""
    places, heights, numbers = marks
    near = slice(*np.searchsorted(places, (where - 1e-9, where + 1e-9)))
    inside = (heights[near] >= low) & (heights[near] <= high)
    return np.unique(numbers[near][inside]).tolist()


def size_of(collection):
    """How many points of a collection may be told: marks, hexagons, or those along an area."""
    if isinstance(collection, PathCollection):
        return len(collection.get_offsets())
    if not is_fill(collection):
        return 0
    paths = collection.get_paths()
    along = len(paths[0].vertices) // 2 if len(paths) == 1 else len(paths)
    return max(along, len(collection.get_offsets()))


# Areas between two lines.

def sides_of(corners):
    """Both sides of an area between two lines, by its outline; None for other polygons."""
    count = (len(corners) - 3) // 2
    if count < 2 or len(corners) != 2 * count + 3:
        return None
    return corners[1:count + 1], corners[count + 2:2 * count + 2][::-1]


def decode_fill(fill):
    """(x, base, top) of what fill_between() has drawn, None for other polygons."""
    paths = fill.get_paths()
    if len(paths) != 1:
        return None
    sides = sides_of(paths[0].vertices)
    if sides is None or not np.array_equal(sides[0][:, 0], sides[1][:, 0]):
        return None
    first, second = sides
    base, top = first[:, 1], second[:, 1]
    if not top.any():
        base, top = top, base
    return first[:, 0], base, top


def is_fill(collection):
    return collection.get_visible() and type(collection).__name__ in (
        "PolyCollection", "FillBetweenPolyCollection")


def fills_of(ax):
    """[(artist, x, base, top, whether it stands on another)] of the areas."""
    found, tops = [], set()
    for fill in filter(is_fill, ax.collections):
        area = decode_fill(fill)
        if area is not None:
            x, base, top = area
            found.append((fill, x, base, top, bool(base.any()) and rough(base) in tops))
            tops.add(rough(top))
    return found


def same(one, other):
    return one.shape == other.shape and np.allclose(one, other, equal_nan=True)


def rough(places):
    """Places as a key, of single precision: sums may differ in their last digits."""
    return (np.asarray(places, dtype=np.float32) + 0).tobytes()


def area_elements(view, fills):
    """Areas without lines, as elements of a line chart."""
    elements = []
    for fill, x, base, top, on_other in fills:
        if on_other or not base.any():
            y = top - base
            elements.append(point_element(view, view.name(fill, f"Line {len(elements)}"), x, y)[0])
    return elements


def point_element(view, label, x, y, share=1, spread=False):
    keep = axes.thinned(len(x), max(2, view.limit // share))
    element = {"label": label, "points": view.points(x, y, keep, spread)}
    if not isinstance(keep, slice):
        element["total_points"] = len(x)
    return element, keep


def line_elements(view, lines, errors, fills):
    """(elements of lines, elements of points, whether areas are stacked) of Line2D artists."""
    joined, loose, stacked = [], [], False
    # The values of a line that is the top of a stacked area are those of the area.
    own = {rough(top): top - base for _, _, base, top, on_other in reversed(fills) if on_other}
    for line in lines:
        x, y = line.get_xdata(orig=False), line.get_ydata(orig=False)
        bare = is_bare(line)
        if bare and line.get_marker() in ("None", "none", "", " ", None):
            continue
        values = own.get(rough(axes.floats(y))) if own else None
        stacked = stacked or values is not None
        into, word = (loose, "Scatter") if bare else (joined, "Line")
        element, keep = point_element(view, view.name(line, f"{word} {len(into)}"), x,
                                      y if values is None else values, spread=bare)
        give_errors(element, view, x, y, errors.get(id(line), {}), keep)
        into.append(element)
    return joined, loose, stacked


def lone_error_element(view, found):
    """Error bars without marks: the middles are the points."""
    name = "y" if found.get("y") else "x"
    ends = np.array([item for item in found.get(name, ())], dtype=float).reshape(-1, 3)
    where, middle = ends[:, 0], (ends[:, 1] + ends[:, 2]) / 2
    x, y = (where, middle) if name == "y" else (middle, where)
    element, keep = point_element(view, "Errors", x, y, spread=True)
    give_errors(element, view, x, y, {name: found.get(name, [])}, keep)
    return element


# Scatter plots and hexagons.

def scatter_elements(view):
    elements = []
    for collection in view.ax.collections:
        places = mark_places(view, collection)
        if places is None or len(places) == 0 or np.ma.getmaskarray(places).all():
            continue
        groups = split_by_color(view, collection, len(places))
        for label, chosen in groups:
            name = label or view.name(collection, f"Scatter {len(elements)}")
            elements.append(scatter_element(view, collection, places, name, chosen, len(groups)))
    return elements


def mark_places(view, collection):
    """Where the marks or hexagons of a collection stand, None when it is something else."""
    if not collection.get_visible():
        return None
    if type(collection) is PolyCollection:
        return hexagon_places(view, collection)
    # Contours were collections of paths before matplotlib 3.8, but none that stand at data.
    if isinstance(collection, PathCollection) and is_of_data(
            collection.get_offset_transform(), view.ax):
        return collection.get_offsets()
    return None


def hexagon_places(view, collection):
    """The middles of hexagons. On logarithmic axes each is a path of its own, or, since matplotlib
    3.11, they are powers of ten."""
    paths, places, values = collection.get_paths(), collection.get_offsets(), collection.get_array()
    if type(collection.get_offset_transform()).__name__ == "AffineDeltaTransform":
        powers = paths[0].vertices.min(axis=0) > 0  # where it is no power, one lies around 0
        return np.where(powers, 10.0 ** np.where(powers, places, 0), places)
    if values is None or len(paths) != len(values) or {len(path.vertices) for path in paths} != {7}:
        return None
    low = np.array([path.vertices.min(axis=0) for path in paths])
    high = np.array([path.vertices.max(axis=0) for path in paths])
    logs = np.array([axis.scale() == "log" for axis in (view.x, view.y)]) & (low > 0).all(axis=0)
    return np.where(logs, np.sqrt(np.abs(low * high)), (low + high) / 2)


def split_by_color(view, collection, count):
    """Points of one collection that the legend names by their colours, as seaborn's hue."""
    whole = [(None, np.arange(count))]
    if count < 2 or not view.legend:
        return whole
    found, values = collection.get_facecolors(), collection.get_array()
    if values is not None and len(values) == count and collection.norm.scaled():
        found = collection.cmap(collection.norm(values))  # those of faces may not be up to date
    if len(found) != count:
        return whole
    groups = {}
    for i, color in enumerate(np.round(found[:, :3], 3).tolist()):
        groups.setdefault(tuple(color), []).append(i)
    if len(groups) < 2 or not all(color in view.legend for color in groups):
        return whole
    return [(view.legend[color], np.array(groups[color]))
            for color in view.legend if color in groups]


def scatter_element(view, collection, places, label, chosen, share):
    element, keep = point_element(view, label, places[chosen, 0], places[chosen, 1], share, True)
    values, sizes = collection.get_array(), collection.get_sizes()
    if values is not None and len(values) == len(places):
        element["values"] = axes.plain(values[chosen][keep])
        element.update(axes.value_label(collection))
    if len(sizes) == len(places) and len(np.unique(sizes)) > 1:
        element["sizes"] = axes.plain(sizes[chosen][keep])
    return element


def is_straight(pairs):
    """Whether points lie on one line, as those of a trend do; not where they are dates or names."""
    try:
        x, y = np.asarray(pairs, dtype=float).T
    except (TypeError, ValueError):
        return False
    away = (x - x[0]) * (y[-1] - y[0]) - (y - y[0]) * (x[-1] - x[0])
    return bool(np.abs(away).max() <= 1e-6 * max(np.ptp(x) * np.ptp(y), 1e-300))
