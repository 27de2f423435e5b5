# SPDX-License-Identifier: MIT
"""Objects as JSON that every reader accepts: no NaN, keys that are texts, nothing unknown."""

import json
import math


def to_json(value):
    """Returns the JSON text of a value, with unknown objects as their repr."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return json.dumps(plain(value, 0), allow_nan=False)


def plain(value, depth):
    """A copy that JSON can hold."""
    if depth > 100:
        raise ValueError("nested too deeply for JSON")
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(member, depth + 1) for key, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(member, depth + 1) for member in value]
    item = getattr(value, "item", None)  # numpy's scalars
    if callable(item) and getattr(value, "ndim", None) == 0:
        return plain(item(), depth + 1)
    return repr(value)
