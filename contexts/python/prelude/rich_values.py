# SPDX-License-Identifier: MIT
"""What rich contexts add to the bundles of values: JSON of plain values, the columns of frames,
pictures of arrays, charts of figures. Nothing here imports a library of the user's."""

import math
import sys
from itertools import islice
from json.encoder import encode_basestring_ascii as quoted

import _pandia

ROWS = 1000  # of a frame
COLUMNS = 200
VALUES = 50000  # of all its columns together, and of what is nested in them
BLOCK = 100  # rows that are read at once
TEXT_CHARS = 10000  # of one value
NAME_CHARS = 1000  # of a column
CELL_DEPTH = 16  # of what is nested in a cell
VALUE_BYTES = 24  # of a number, roughly
ESCAPE_BYTES = 12  # of one character, at most
INT_BITS = 14000  # of integers that Python writes out
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

class Budget:
    """What the values of one frame may still take. `is_spent`: something had to be left out for
    that; `is_cut`: or because it was too long by itself."""

    def __init__(self):
        self.values, self.bytes = VALUES, JSON_BYTES
        self.is_spent = self.is_cut = False

    def grant(self, wanted):
        """How many of the members of a container are told."""
        most = min(wanted, ROWS)
        granted = min(most, self.values, max(0, self.bytes) // VALUE_BYTES)
        self.is_spent = self.is_spent or granted < most
        self.is_cut = self.is_cut or granted < wanted
        self.values -= granted
        self.bytes -= granted * VALUE_BYTES
        return granted

    def text(self, text, most=TEXT_CHARS):
        """As much of a text as is told."""
        kept = text[:most]
        if not kept.isascii() and not is_unicode(kept):
            kept = kept.encode("utf-8", "replace").decode()
        if len(kept) > self.bytes // ESCAPE_BYTES and len(quoted(kept)) > self.bytes:
            self.is_spent = True
            kept = kept[:max(0, self.bytes) // ESCAPE_BYTES]
        self.is_cut = self.is_cut or len(kept) < len(text)
        self.bytes -= len(quoted(kept))
        return kept


def data_of(look):
    """Gives what tells ({column: [values]}, metadata) of the frames of a library, or None of one
    that cannot be read: subclasses do anything, and the cell did not ask for this."""
    def data(frame):
        try:
            return table(*look(frame))
        except Exception:
            return None
    return data


# Frames as (names, columns, (rows, columns there are), function that reads some rows of a column).

def pandas_frame(frame):
    """By place: names may be there twice."""
    count = min(COLUMNS, frame.shape[1])
    return list(frame.columns[:count]), [frame.iloc[:, i] for i in range(count)], frame.shape, \
        read_pandas


def pandas_series(series):
    return ["0" if series.name is None else series.name], [series], (len(series), 1), read_pandas


def read_pandas(column, start, stop):
    return column.iloc[start:stop].tolist()


def polars_frame(frame):
    names = frame.columns[:COLUMNS]
    return names, [frame.get_column(name) for name in names], frame.shape, read_polars


def polars_series(series):
    return [series.name or "0"], [series], (len(series), 1), read_polars


def read_polars(column, start, stop):
    return column.slice(start, stop - start).to_list()


def table(names, columns, shape, read):
    """({column: [values]}, metadata). Rows are told while they fit; of the first one, what does."""
    budget, data = Budget(), {}
    for name in names:
        data[free_name(budget.text(name_text(name), NAME_CHARS), data)] = []
    told = list(data.values())
    for row in rows_of(columns, min(shape[0], ROWS, VALUES // max(1, len(columns))), read):
        budget.grant(len(row))
        values = [cell(value, budget) for value in row]
        if budget.is_spent and told[0]:
            break
        for column, value in zip(told, values):
            column.append(value)
        if budget.is_spent:
            break
    if not budget.is_cut and len(told) == shape[1] and all(len(each) == shape[0] for each in told):
        return data, {}
    return data, {"truncated": True, "rows": shape[0], "columns": shape[1]}


def rows_of(columns, count, read):
    """Some rows at a time: nested ones are costly to read, and few of them may fit."""
    for start in range(0, count, BLOCK):
        stop = min(count, start + BLOCK)
        yield from zip(*(read(column, start, stop) for column in columns))


def name_text(name):
    """A column's name as text: levels joined, dates in ISO form."""
    if type(name) is tuple:
        return "_".join(part for part in map(name_text, name) if part)
    text = iso_text(name)
    return text_of(name) if text is None else text


def free_name(name, taken):
    """Keeps apart columns of one name: a, a_2, a_3."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def cell(value, budget, depth=0):
    """One value of a column for JSON."""
    if value is None or type(value) is bool:
        return value
    if type(value) in (list, tuple, dict):
        return members(value, budget, depth + 1)
    if type(value) not in (str, int, float):
        value = plain_value(value)
    if type(value) is str:
        return budget.text(value)
    if type(value) is int and value.bit_length() > INT_BITS:
        return budget.text(hex(value))
    if type(value) is float and not math.isfinite(value):
        return None
    return value


def members(container, budget, depth):
    """What a container in a cell holds; one may contain itself."""
    if depth > CELL_DEPTH:
        budget.is_cut = True
        return None
    count = budget.grant(len(container))
    if type(container) is dict:
        return {budget.text(text_of(key)): cell(value, budget, depth)
                for key, value in islice(container.items(), count)}
    return [cell(value, budget, depth) for value in container[:count]]


def plain_value(value):
    """What an object in a cell stands for: None, a truth value, a number or a text."""
    try:
        if is_missing(value):
            return None
        if isinstance(value, float):
            return float.__float__(value)
        text = iso_text(value)
        if text is not None:
            return text
        if is_of("numpy", "generic", value) or is_of("numpy", "ndarray", value) and not value.ndim:
            return scalar(value)
        if is_of("decimal", "Decimal", value):
            return float(value)
        if is_of("pandas", "Period", value):
            return value.start_time.isoformat()
        return text_of(value)
    except Exception:
        return text_of(value)


def is_of(module, name, value):
    """Whether a value is of a class, of a module that nobody may have imported."""
    module = sys.modules.get(module)
    return module is not None and isinstance(value, getattr(module, name, ()))


def is_missing(value):
    """NaT and pandas.NA."""
    pandas = sys.modules.get("pandas")
    return value is getattr(pandas, "NaT", None) or value is getattr(pandas, "NA", None)


def scalar(value):
    """A value of numpy's."""
    kind = value.dtype.kind
    if kind in "mM":  # as items they are numbers of some unit
        return None if sys.modules["numpy"].isnat(value) else str(value)
    return float(value) if kind == "f" else value.item() if kind in "biu" else text_of(value)


def iso_text(value):
    """The ISO text of dates, times and spans; None when it is none of them. What objects only make
    up when they are asked (__getattr__) does not count."""
    try:
        found = value.isoformat() if hasattr(type(value), "isoformat") else None
    except Exception:
        return None
    return found if type(found) is str else None


def text_of(value):
    """The text of any object, also of one whose __str__ fails."""
    if type(value) in (bytes, bytearray):
        value = value[:TEXT_CHARS]  # of a file, say
    try:
        return str.__str__(value if issubclass(type(value), str) else str(value))
    except Exception:
        return f"<{type(value).__name__}>"


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
    try:
        return _pandia.encode_png(numpy.ascontiguousarray(array))
    except ValueError:
        return None  # it is none after all, and nobody asked for one


def is_picture(array):
    shape, kind = array.shape, array.dtype.str[1:]
    if array.ndim == 3 and shape[2] in (3, 4):
        fits = kind == "u1" or array.dtype.kind == "f"
        least = 2
    else:
        fits = array.ndim == 2 and kind in ("u1", "b1")
        least = MASK_SIDE
    return fits and min(shape[:2]) >= least and max(shape[:2]) <= _pandia.IMAGE_SIDE_MAX and \
        shape[0] * shape[1] <= PICTURE_PIXELS


# Registration.

def chart_of(figure):
    return use("charts").chart_of(figure)  # noqa: F821


CLASSES = (
    ("pandas.core.frame", "DataFrame", DATA, data_of(pandas_frame)),
    ("pandas.core.series", "Series", DATA, data_of(pandas_series)),
    ("polars.dataframe.frame", "DataFrame", DATA, data_of(polars_frame)),
    ("polars.series.series", "Series", DATA, data_of(polars_series)),
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
