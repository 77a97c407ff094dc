"""`dataclass`, made quickly: what frozen, slotted dataclasses are, at a third of the cost of defining one.

The standard library compiles six functions for every frozen dataclass. The box defines some sixty of them
while it starts, which took a quarter of all that it did until the first board. Here one function is compiled
for each, `__init__`; the others are shared. The result is a dataclass: `fields`, `replace` and matching work,
equality, hashing, `repr`, copying and the refusal to be changed are as usual.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - offered to others
else:

    def dataclass(*, frozen: bool, slots: bool, kw_only: bool = False) -> Callable[[type], type]:
        """Return the decorator. Raise `TypeError` for what is not a plain frozen, slotted dataclass."""
        if not (frozen and slots):
            raise TypeError("appliance.records is for frozen, slotted dataclasses: use the standard one")
        return partial(_make, kw_only)


def _make(kw_only: bool, cls: type) -> Any:
    if cls.__bases__ != (object,):
        raise TypeError(f"{cls.__qualname__}: appliance.records is for classes without a base")
    own = _SHARED.keys() & cls.__dict__.keys()
    if own:
        raise TypeError(
            f"{cls.__qualname__}: {', '.join(sorted(own))} would be replaced: use the standard one"
        )
    fields_of: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    namespace: dict[str, Any] = {"MISSING": MISSING, "put": object.__setattr__}
    parameters, lines = ["self", "*"] if kw_only else ["self"], []
    for field in dataclasses.fields(fields_of):
        name = value = field.name
        if not field.init or field.kw_only or field.hash is not None:
            raise TypeError(f"{cls.__qualname__}.{name}: appliance.records has only plain fields")
        if field.default is not MISSING:
            namespace[f"default_{name}"] = field.default
            parameters.append(f"{name}=default_{name}")
        elif field.default_factory is not MISSING:
            namespace[f"make_{name}"] = field.default_factory
            parameters.append(f"{name}=MISSING")
            value = f"make_{name}() if {name} is MISSING else {name}"
        else:
            parameters.append(name)
        lines.append(f"  put(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("  self.__post_init__()")
    source = "\n".join([f"def __init__({', '.join(parameters)}):", *(lines or ["  pass"])])
    exec(source, namespace)  # noqa: S102 - as the standard library makes it
    for name, method in ({"__init__": namespace["__init__"]} | _SHARED).items():
        setattr(fields_of, name, method)
    return fields_of


def _compared(self: Any) -> tuple[Any, ...]:
    # Most have no field that is left out of comparisons; a class is asked only once.
    names = _COMPARED.get(self.__class__)
    if names is None:
        fields = dataclasses.fields(self)
        names = _COMPARED[self.__class__] = tuple(field.name for field in fields if field.compare)
    return tuple([getattr(self, name) for name in names])


_COMPARED: dict[type, tuple[str, ...]] = {}


def _eq(self: Any, other: object) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self is other or _compared(self) == _compared(other)


def _hash(self: Any) -> int:
    return hash(_compared(self))


def _repr(self: Any) -> str:
    shown = (
        f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr
    )
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _set(_self: Any, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_SHARED = {
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _set,
    "__delattr__": _delete,
    "__getstate__": _get_state,
    "__setstate__": _set_state,
}
