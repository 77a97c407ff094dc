"""Whether what was read from a file has the types of the fields it fills: mypy knows no file."""

from collections.abc import Mapping, Sequence
from math import isfinite
from types import UnionType
from typing import get_args, get_origin, get_type_hints


def fits(value, kind):
    """Return whether a value is of a type; here 1.0 and true are no `int`, and infinity is no `float`."""
    origin, inside = get_origin(kind), get_args(kind)
    if hasattr(kind, "_fields"):
        return type(value) is kind and all(map(fits, value, get_type_hints(kind).values()))
    if origin is UnionType:
        return any(fits(value, one) for one in inside)
    if origin is Mapping:
        return type(value) is dict and all(
            fits(key, inside[0]) and fits(value[key], inside[1]) for key in value
        )
    if origin in {Sequence, tuple}:
        return type(value) in {list, tuple} and all(fits(item, inside[0]) for item in value)
    if kind is float:
        return type(value) in {int, float} and isfinite(value)
    return type(value) is kind
