# SPDX-License-Identifier: MIT
"""Pies, boxes with whiskers and heatmaps as elements of charts."""

import numpy as np
from matplotlib.collections import PatchCollection, QuadMesh
from matplotlib.patches import PathPatch, Wedge

axes = use("chart_axes")  # noqa: F821
points = use("chart_points")  # noqa: F821


def pie_elements(view):
    wedges = [patch for patch in view.ax.patches
              if isinstance(patch, Wedge) and patch.get_visible()][:view.limit]
    return [{"label": view.name(wedge, f"Slice {i}"),
             "angle": axes.number(round(float(wedge.theta2) - float(wedge.theta1), 9)),
             "radius": axes.number(wedge.r)} for i, wedge in enumerate(wedges)]


# Boxes: their parts are lines that only lie as they lie, so they are known by where they are.

class Box:
    def __init__(self, artist, corners):
        self.artist = artist
        self.upright = bool(corners[0, 1] == corners[1, 1])
        across, along = (0, 1) if self.upright else (1, 0)
        half = 5 if len(corners) >= 11 else 2  # a notched one has more corners
        self.quartiles = sorted((float(corners[0, along]), float(corners[half, along])))
        self.left, self.right = float(corners[:, across].min()), float(corners[:, across].max())
        self.place = (self.left + self.right) / 2

    def has(self, across):
        slack = (self.right - self.left) * 1e-6
        return len(across) and across.min() >= self.left - slack and \
            across.max() <= self.right + slack


def box_corners(artist):
    """Corners of an artist that may be a box: closed, right-angled, with a flat first side."""
    if isinstance(artist, PathPatch):
        corners = artist.get_path().vertices
    elif points.is_bare(artist):
        return None
    else:
        corners = np.column_stack([axes.floats(artist.get_xdata(orig=False)),
                                   axes.floats(artist.get_ydata(orig=False))])
    if len(corners) not in (5, 6, 11, 12) or not np.array_equal(corners[0], corners[-1]):
        return None
    flat = corners[0] == corners[1]
    wide = [len(np.unique(corners[:, i])) for i in (0, 1)]
    if flat.sum() != 1 or len(corners) < 11 and max(wide) > 2:
        return None
    return corners


def boxes_of(ax, lines):
    """(boxes, the other lines). Lone rectangles without any other line are no boxes."""
    candidates = [*(patch for patch in ax.patches if isinstance(patch, PathPatch)), *lines]
    boxes = [Box(artist, corners) for artist in candidates if artist.get_visible()
             and (corners := box_corners(artist)) is not None]
    if not boxes or len(lines) < 3 * len(boxes):
        return [], lines
    taken = {id(box.artist) for box in boxes}
    return boxes, [line for line in lines if id(line) not in taken]


def box_elements(view, boxes, lines):
    """(elements, lines that are no part of a box)."""
    names = view.across(boxes[0].upright).names([box.place for box in boxes])
    if len({box.place for box in boxes}) == len(boxes) and any(
            view.legend.get(axes.color_of(box.artist)) for box in boxes):
        # Boxes that colours tell apart stand side by side, so the nearest name is theirs.
        axis = view.across(boxes[0].upright)
        places = np.array([box.place for box in boxes])
        names = axes.nearest_names(places, axis.all_names(), np.inf)
    elements, taken = [], set()
    for box, name in list(zip(boxes, names))[:view.limit]:
        element, parts = box_element(view, box, lines)
        taken |= parts
        group = view.legend.get(axes.color_of(box.artist))
        elements.append({"label": str(name), **({"group": group} if group else {}), **element})
    return elements, [line for line in lines if id(line) not in taken]


def box_element(view, box, lines):
    low, high = box.quartiles
    ends, medians, loose, parts = [low, high], [], [], set()
    for line in lines:
        x, y = axes.floats(line.get_xdata(orig=False)), axes.floats(line.get_ydata(orig=False))
        across, along = (x, y) if box.upright else (y, x)
        if not box.has(across):
            continue
        parts.add(id(line))
        if points.is_bare(line):
            loose = along.tolist()  # the last ones: the mark of a mean comes before them
        elif len(along) == 2 and across[0] == across[1]:
            ends.extend(along.tolist())
        elif len(along) == 2 and low <= along[0] <= high and line.get_linestyle() == "-":
            medians.append((round(float(np.ptp(across)), 9), len(medians), float(along[0])))
    outliers = [value for value in loose if value < min(ends) or value > max(ends)]
    element = {"min": min(ends), "first_quartile": low,
               "median": max(medians)[2] if medians else None, "third_quartile": high,
               "max": max(ends), "outliers": outliers[:view.limit]}
    if len(outliers) > view.limit:
        element["total_points"] = len(outliers)
    return {name: axes.number(value) if isinstance(value, float) else value
            for name, value in element.items()}, parts


# Shapes that have no form.

def has_violin(view):
    """Whether one of the areas along y is a violin or half of one. Others are bands, as those
    along x are."""
    return any(is_violin(fill, view.ax) for fill in filter(points.is_fill, view.ax.collections))


def is_violin(fill, ax):
    """Whether an area swells to both sides of a line, or to one where no line has its edge."""
    paths = fill.get_paths()
    corners = paths[0].vertices if paths else ()
    sides = points.sides_of(corners)
    if sides is None or not np.array_equal(sides[0][:, 1], sides[1][:, 1]):
        return False
    left, right = sides
    slack = 1e-9 * np.abs(corners[:, 0]).max()
    bent = [side for side in (left[:, 0], right[:, 0]) if np.ptp(side) > slack]
    if len(bent) == 1:
        return not any(points.same(axes.floats(line.get_xdata(orig=False)), bent[0])
                       for line in ax.lines)
    return len(bent) == 2 and np.ptp(left[:, 0] + right[:, 0]) <= slack


def is_boxen(ax):
    """Whether seaborn's letter values are there: rectangles with a line as wide as the widest."""
    flat = [(tuple(sorted(ends)), i) for line in ax.lines
            for i, ends in enumerate((line.get_xdata(orig=False), line.get_ydata(orig=False)))
            if len(ends) == 2 and ends[0] != ends[1]]
    return any(as_wide(item.get_paths(), flat) for item in ax.collections
               if type(item) is PatchCollection and item.get_visible())


def as_wide(paths, flat):
    corners = [path.vertices for path in paths]
    if not corners or any(len(box) != 5 or len(np.unique(box)) > 4 for box in corners):
        return False
    low, high = np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))
    return any(np.allclose(ends, (low[i], high[i])) for ends, i in flat)


# Heatmaps.

def heatmap_elements(view):
    elements = []
    for image in view.ax.images:
        values = image.get_array()
        if image.get_visible() and values is not None and values.ndim == 2:
            elements.append(grid_element(view, image, values, *image_centers(image, values.shape)))
    for mesh in view.ax.collections:
        if isinstance(mesh, QuadMesh) or type(mesh).__name__ == "PolyQuadMesh":
            grid = mesh_grid(mesh)
            if grid is not None and mesh.get_visible():
                elements.append(grid_element(view, mesh, *grid))
    return elements


def image_centers(image, shape):
    left, right, bottom, top = image.get_extent()
    if image.origin == "upper":
        bottom, top = top, bottom
    return middles(np.linspace(left, right, shape[1] + 1)), \
        middles(np.linspace(bottom, top, shape[0] + 1))


def middles(edges):
    return (edges[:-1] + edges[1:]) / 2


def mesh_grid(mesh):
    """(values, centers of columns, centers of rows); None when rows or columns are bent, or when
    the cells have colours and no values."""
    places = mesh.get_coordinates() if hasattr(mesh, "get_coordinates") else mesh._coordinates
    values = mesh.get_array()
    if values is None or values.ndim > 2:
        return None
    x, y = places[0, :, 0], places[:, 0, 1]
    if not (np.allclose(places[:, :, 0], x) and np.allclose(places[:, :, 1].T, y)):
        return None
    if values.size == (len(x) - 1) * (len(y) - 1):
        x, y = middles(x), middles(y)
    return np.ma.asarray(values).reshape(len(y), len(x)), x, y


def grid_element(view, artist, values, x, y):
    total = values.size
    rows, columns = range(len(y)), range(len(x))
    if total > axes.CELLS:
        # The longer side is thinned first, so that the shape stays as far as it can.
        side = int(axes.CELLS ** 0.5)
        height = min(len(y), max(side, axes.CELLS // len(x)))
        rows = axes.thinned(len(y), height)
        columns = axes.thinned(len(x), axes.CELLS // height)
    kept = axes.floats(values[rows][:, columns])
    element = {"label": view.name(artist, "Heatmap 0"), "x": side_names(view.x, x[columns]),
               "y": side_names(view.y, y[rows]), "values": [axes.plain(row) for row in kept]}
    if total > axes.CELLS:
        element["total_points"] = total
    return {**element, **axes.value_label(artist)}


def side_names(axis, places):
    """Names of rows or columns when all of them have one, else where their middles are."""
    return axis.names(places) if axis.names_all(places) else axes.plain(places)
