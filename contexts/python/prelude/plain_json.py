# SPDX-License-Identifier: MIT
"""Objects as JSON that every reader accepts: no NaN, keys that are texts, nothing unknown."""

from binascii import b2a_base64
from collections.abc import Iterator, MappingView, MutableSequence
from datetime import datetime
from itertools import islice
from json import dumps
from math import isfinite
from numbers import Rational

MEMBERS = 1_000_000  # of what may never end


def to_json(value):
    """Returns the JSON text of a value: dates in ISO form, arrays and what can be gone through as
    lists, unknown objects as their repr."""
    try:
        return dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return dumps(plain(value, 0), allow_nan=False)


def plain(value, depth):
    """A copy that JSON can hold."""
    if depth > 100:
        raise ValueError("nested too deeply for JSON")
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(member, depth + 1) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(member, depth + 1) for member in value]
    if isinstance(value, (bytes, bytearray)):
        return b2a_base64(value, newline=False).decode("ascii")
    return other(value, depth)


def other(value, depth):
    """What has a plain form of its own: dates, values of numpy and pandas, fractions, ranges."""
    try:
        if isinstance(value, datetime):
            if value.tzinfo is None:  # local time; pandas' own needs to be told the zone
                value = datetime.combine(value.date(), value.time()).astimezone()
            return value.isoformat().replace("+00:00", "Z")  # as Jupyter writes dates
        for name in ("isoformat", "tolist"):
            method = getattr(type(value), name, None)
            if callable(method):
                return plain(method(value), depth + 1)
        if isinstance(value, Rational):
            return plain(float(value), depth + 1)
        if isinstance(value, (Iterator, MappingView, MutableSequence, range)):
            return [plain(member, depth + 1) for member in islice(value, MEMBERS)]
    except Exception:  # of user code
        pass
    return repr(value)
