# SPDX-License-Identifier: MIT
"""What rich contexts add to the bundles of values: JSON of plain values, the columns of frames,
pictures of arrays, charts of figures. Nothing here imports a library of the user's."""

import math
import sys

import _pandia

ROWS = 1000  # of a frame
COLUMNS = 200
VALUES = 50000  # of all its columns together
TEXT_CHARS = 10000  # of one value
JSON_DEPTH = 64
JSON_BYTES = 4 << 20
PICTURE_PIXELS = 16 << 20
MASK_SIDE = 16  # smaller arrays of one channel are tables of numbers rather than pictures

CHART = "application/vnd.pandia.chart+json"
DATA = "application/vnd.pandia.data+json"


# JSON of plain values.

def json_of(value):
    """The value itself when JSON holds it as it is, else None. Runs no code of its members: only
    exact types count."""
    if type(value) not in (dict, list):
        return None
    return value if fits_json(value) else None


def fits_json(value):
    """Goes through all members, one level after the other; what contains itself is too deep."""
    level, size = [value], 0
    for _ in range(JSON_DEPTH):
        deeper = []
        for container in level:
            keys = container if type(container) is dict else ()
            members = container.values() if type(container) is dict else container
            size += 2 + sum(json_size(key) if type(key) is str else JSON_BYTES for key in keys)
            for member in members:
                if type(member) in (dict, list):
                    deeper.append(member)
                else:
                    size += json_size(member)
            if size + 2 * len(deeper) > JSON_BYTES:
                return False
        if not deeper:
            return True
        level = deeper
    return False


def json_size(member):
    """Roughly the bytes of a member; more than there may be when JSON has no form for it."""
    if type(member) is str:
        # Halves of surrogate pairs have no UTF-8.
        return len(member) + 3 if member.isascii() or is_unicode(member) else JSON_BYTES
    if type(member) is int:
        return member.bit_length() // 3 + 2
    if type(member) is float:
        return 20 if math.isfinite(member) else JSON_BYTES + 1
    return 6 if member is None or type(member) is bool else JSON_BYTES + 1


def is_unicode(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# Columns of frames.

def data_of(frame):
    """({column: [values]}, metadata) of a DataFrame or Series of pandas or polars."""
    is_polars = type(frame).__module__.partition(".")[0] == "polars"
    columns = polars_columns(frame) if is_polars else pandas_columns(frame)
    width, height = len(columns), len(frame)
    columns = columns[:COLUMNS]
    rows = min(height, ROWS, VALUES // max(1, len(columns)))
    data = {}
    for name, column in columns:
        data[free_name(name, data)] = column_values(column, rows, is_polars)
    if rows == height and len(columns) == width:
        return data, {}
    return data, {"truncated": True, "rows": height, "columns": width}


def polars_columns(frame):
    if not hasattr(frame, "columns"):
        return [(frame.name or "0", frame)]
    return [(name, frame.get_column(name)) for name in frame.columns]


def pandas_columns(frame):
    """(name, column) pairs, by place: names may be there twice."""
    if not hasattr(frame, "columns"):
        return [("0" if frame.name is None else name_text(frame.name), frame)]
    names = [name_text(name) for name in frame.columns[:COLUMNS]]
    columns = [(name, frame.iloc[:, i]) for i, name in enumerate(names)]
    return columns + [("", None)] * (frame.shape[1] - len(columns))


def name_text(name):
    """A column's name as text: levels joined, dates in ISO form."""
    if type(name) is tuple:
        return "_".join(name_text(part) for part in name if str(part) != "")
    if hasattr(name, "isoformat"):
        return name.isoformat()
    return str(name)[:TEXT_CHARS]


def free_name(name, taken):
    """Keeps apart columns of one name: a, a_2, a_3."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def column_values(column, rows, is_polars):
    if is_polars:
        return [cell(value) for value in column.head(rows).to_list()]
    return [cell(value) for value in column.iloc[:rows].tolist()]


def cell(value, depth=0):
    """One value of a column for JSON."""
    if value is None or type(value) is bool or type(value) is int:
        return value
    if isinstance(value, str):
        return str(value)[:TEXT_CHARS]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if is_missing(value):
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__name__ == "Decimal":
        return float(value) if math.isfinite(value) else None
    if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:
        return cell(value.item(), depth + 1) if depth < 4 else str(value)[:TEXT_CHARS]
    if hasattr(value, "start_time"):
        return value.start_time.isoformat()  # a Period
    if depth < 4 and type(value) in (list, tuple):
        return [cell(member, depth + 1) for member in value[:ROWS]]
    if depth < 4 and type(value) is dict:
        return {str(key): cell(member, depth + 1) for key, member in list(value.items())[:ROWS]}
    return str(value)[:TEXT_CHARS]


def is_missing(value):
    """NaT, pandas.NA and what else is not itself."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NaT or value is pandas.NA)


# Pictures of arrays.

def png_of_array(array):
    """The PNG of an array that has the shape and type of a picture, else None."""
    numpy = sys.modules["numpy"]
    if type(array) is not numpy.ndarray or not is_picture(array):
        return None
    if array.dtype.kind == "b":
        array = array.astype("uint8") * 255
    elif array.dtype.kind == "f":
        if not (array.min() >= 0 and array.max() <= 1):  # false for NaN too
            return None
        array = (array * 255 + 0.5).astype("uint8")
    return _pandia.encode_png(numpy.ascontiguousarray(array))


def is_picture(array):
    shape, kind = array.shape, array.dtype.str[1:]
    if array.ndim == 3 and shape[2] in (3, 4):
        fits = kind == "u1" or array.dtype.kind == "f"
        least = 2
    else:
        fits = array.ndim == 2 and kind in ("u1", "b1")
        least = MASK_SIDE
    return fits and min(shape[:2]) >= least and shape[0] * shape[1] <= PICTURE_PIXELS


# Registration.

def chart_of(figure):
    return use("charts").chart_of(figure)  # noqa: F821


CLASSES = (
    ("pandas.core.frame", "DataFrame", DATA, data_of),
    ("pandas.core.series", "Series", DATA, data_of),
    ("polars.dataframe.frame", "DataFrame", DATA, data_of),
    ("polars.series.series", "Series", DATA, data_of),
    ("numpy", "ndarray", "image/png", png_of_array),
    ("matplotlib.figure", "Figure", CHART, chart_of),
)


def install(formatters, when_imported):
    """Registers all of this: for builtin types now, for others when their module is there."""
    for cls in (dict, list):
        formatters.register_extra(cls, "application/json", json_of)
    for module, name, mime, function in CLASSES:
        when_imported(module, lambda found, name=name, mime=mime, function=function:
                      formatters.register_extra(getattr(found, name), mime, function))
