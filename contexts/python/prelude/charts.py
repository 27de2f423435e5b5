# SPDX-License-Identifier: MIT
"""The data of matplotlib figures for programs: one chart for each Axes that shows something, in
the forms that docs/RESULTS.md tells. Reads what was drawn; draws and changes nothing."""

import warnings

from matplotlib.container import BarContainer, ErrorbarContainer, StemContainer

axes = use("chart_axes")  # noqa: F821
points = use("chart_points")  # noqa: F821
bars = use("chart_bars")  # noqa: F821
shapes = use("chart_shapes")  # noqa: F821

CHARTS = 64  # of one figure
ELEMENTS = 500  # lines, collections and containers of one Axes; an Axes with more is unknown
PROJECTIONS = {"rectilinear", "polar"}
WITH_TICKS = {"line", "scatter", "histogram"}
LYING = {True: "vertical", False: "horizontal"}

# Which chart an Axes is when it shows several kinds of things: the first; the others are laid over.
ORDER = ("pie", "box_and_whisker", "heatmap", "histogram", "bar", "scatter", "line")


def chart_of(figure):
    """The chart of a figure; None when it shows nothing. Never raises or warns: figures hold
    anything, and the cell did not ask for it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return figure_chart(figure)
    except Exception:
        return {"type": "unknown", "title": None, "elements": []}


def figure_chart(figure):
    shown = [ax for ax in figure.axes if is_chart(ax)][:CHARTS]
    limit = fair_share([size for ax in shown for size in sizes_of(ax)])
    charts = [chart for ax in shown if (chart := axes_chart(ax, limit)) is not None]
    title = suptitle(figure)
    if len(charts) == 1:
        charts[0]["title"] = charts[0]["title"] or title
        return charts[0]
    return {"type": "superchart", "title": title, "elements": charts} if charts else None


def sizes_of(ax):
    """How many points, bars or bins each artist with data has."""
    try:
        _, lone, parts = sort_containers(ax)
        return [*(len(line.get_xdata(orig=False)) for line in ax.lines
                  if id(line) not in parts and points.is_data_line(line, ax)),
                *(points.size_of(collection) for collection in ax.collections),
                *(len(container) for container in ax.containers
                  if isinstance(container, BarContainer)),
                *(bars.size_of(patch) for patch in ax.patches),
                *(len(rods.get_paths()) for container in lone for rods in container.lines[2][:1])]
    except Exception:
        return []  # then its chart is unknown


def fair_share(sizes):
    """The largest limit for each that keeps all of them within the bound of a figure: what small
    ones leave goes to the large ones."""
    left = axes.FIGURE_POINTS
    sizes = sorted(sizes)
    for i, size in enumerate(sizes):
        share = left // (len(sizes) - i)
        if size > share:
            return max(2, min(axes.ELEMENT_POINTS, share))
        left -= min(size, axes.ELEMENT_POINTS)
    return axes.ELEMENT_POINTS


def suptitle(figure):
    title = getattr(figure, "_suptitle", None)
    return axes.text_of(title.get_text()) if title is not None else None


def is_chart(ax):
    """Whether an Axes shows data: a colorbar explains another one."""
    return ax.get_visible() and not hasattr(ax, "_colorbar") and ax.get_label() != "<colorbar>"


def axes_chart(ax, limit):
    try:
        return known_chart(ax, limit)
    except Exception:
        return {"type": "unknown", "title": None, "elements": []}


def known_chart(ax, limit):
    title = axes.text_of(ax.get_title()) or axes.text_of(ax.get_title("left")) or \
        axes.text_of(ax.get_title("right"))
    artists = len(ax.lines) + len(ax.collections) + len(ax.images)
    if artists + len(ax.patches) == 0:
        return None
    view = axes.View(ax, limit)
    layers = {}
    if artists + len(ax.containers) <= ELEMENTS and ax.name in PROJECTIONS:
        layers = layers_of(view)
    order = sorted(layers, key=lambda kind: rank(kind, layers))
    if not order:
        if not has_data(ax):
            return None
        return {"type": "unknown", "title": title, **view.x.fields(False), **view.y.fields(False),
                "elements": []}
    chart = {"type": order[0], "title": title}
    if order[0] != "pie":
        ticks = order[0] in WITH_TICKS
        chart.update({**view.x.fields(ticks), **view.y.fields(ticks)})
    if ax.name != "rectilinear":
        chart["projection"] = ax.name
    chart.update(layers[order[0]])
    if order[1:]:
        chart["overlays"] = [{"type": kind, **layers[kind]} for kind in order[1:]]
    return chart


def has_data(ax):
    """Whether anything is there that data may be in: lines across the Axes are none."""
    return any(points.is_data_line(line, ax) for line in ax.lines) or any(
        points.in_data(patch, ax) for patch in ax.patches) or bool(ax.images) or any(
        len(item.get_paths()) for item in ax.collections)


def rank(kind, layers):
    """Some marks on a line leave it a line chart; a line through many points is a scatter plot."""
    if kind == "scatter" and "line" in layers:
        loose = sum(len(element["points"]) for element in layers["scatter"]["elements"])
        joined = sum(len(element["points"]) for element in layers["line"]["elements"]
                     if not points.is_straight(element["points"]))
        if joined and (loose < 3 or loose * 10 < joined):
            return len(ORDER)
    return ORDER.index(kind)


def sort_containers(ax):
    """(error bars by id of their line, error bars without one, ids of lines that are no data)."""
    errors, lone, parts = {}, [], set()
    owned = {id(container.errorbar) for container in ax.containers
             if getattr(container, "errorbar", None) is not None}
    for container in ax.containers:
        if isinstance(container, StemContainer):
            parts.add(id(container.baseline))
        elif isinstance(container, ErrorbarContainer):
            line, caps, _ = container.lines
            parts |= {id(cap) for cap in caps}
            if line is not None:
                errors[id(line)] = container
            elif id(container) not in owned:
                lone.append(container)
    return errors, lone, parts


def layers_of(view):
    """{type: fields} of all that an Axes shows."""
    ax = view.ax
    errors, lone, parts = sort_containers(ax)
    errors = {line: points.intervals(container) for line, container in errors.items()}
    label_errors(ax, view)
    lines = [line for line in ax.lines if id(line) not in parts and points.is_data_line(line, ax)]
    layers = {"pie": {"elements": shapes.pie_elements(view)},
              "heatmap": {"elements": shapes.heatmap_elements(view)}}
    boxes, lines = shapes.boxes_of(ax, lines)
    if boxes:
        elements, lines = shapes.box_elements(view, boxes, lines)
        layers["box_and_whisker"] = {"orientation": LYING[boxes[0].upright], "elements": elements}
    lines, lone = add_bars(view, layers, lone, lines)
    if shapes.has_violin(view) or shapes.is_boxen(ax):
        return {}
    add_points(view, layers, lines, errors, lone)
    return {kind: layer for kind, layer in layers.items() if layer["elements"]}


def label_errors(ax, view):
    """The name of an errorbar() is its container's; its line has none."""
    for container in ax.containers:
        label = str(container.get_label() or "")
        line = container.lines[0] if isinstance(container, ErrorbarContainer) else None
        if isinstance(container, StemContainer):
            line = container.markerline
        if line is not None and not label.startswith("_"):
            view.labels[id(line)] = label[:axes.TEXT_CHARS]


def add_bars(view, layers, lone, lines):
    """Adds bars or a histogram; gives the lines and error bars that are not theirs."""
    all_series = bars.series_of(view.ax)
    edges = bars.histogram_edges(view, all_series)
    if edges is not None:
        layers["histogram"] = {
            "orientation": LYING[all_series[0].upright],
            "elements": bars.histogram_elements(view, all_series, edges)}
    elif all_series:
        elements, stacked, lines, lone = bars.bar_elements(view, all_series, lone, lines)
        layers["bar"] = {"orientation": LYING[all_series[0].upright], "stacked": stacked,
                         "elements": elements}
        total = sum(len(series.patches) for series in all_series)
        if total > len(elements):
            layers["bar"]["total_points"] = total
    elif "box_and_whisker" not in layers:
        elements, upright = bars.step_elements(view)
        layers["histogram"] = {"orientation": LYING[upright], "elements": elements}
    return lines, lone


def add_points(view, layers, lines, errors, lone):
    """Adds lines, areas and points."""
    fills = points.fills_of(view.ax)
    lines, strokes = points.split_strokes(lines)
    joined, loose, stacked = points.line_elements(view, lines, {**strokes, **errors}, fills)
    loose = points.scatter_elements(view) + loose
    if not joined and not loose and not any(layer["elements"] for layer in layers.values()):
        joined = points.area_elements(view, fills)
        stacked = any(fill[4] for fill in fills)
    for container in lone:
        loose.append(points.lone_error_element(view, points.intervals(container)))
    layers["scatter"] = {"elements": loose}
    layers["line"] = {**({"stacked": True} if stacked else {}), "elements": joined}
