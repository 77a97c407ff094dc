"""Our dataclasses are dataclasses: whatever the standard library's do, they do."""

import copy
import dataclasses
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.records import dataclass

OPTIONS = {"frozen": True, "slots": True}


def classes(decorate):
    @decorate(**OPTIONS)
    class Point:
        """A point."""

        x: int
        y: int = 2
        name: list = dataclasses.field(default_factory=list, compare=False, repr=False)

        def __post_init__(self):
            if self.x < 0:
                raise ValueError("x")

        @property
        def both(self):
            return self.x + self.y

    @decorate(**OPTIONS)
    class Nothing:
        pass

    @decorate(**OPTIONS, kw_only=True)
    class Named:
        a: int
        b: int = 0

    return Point, Nothing, Named


OURS, THEIRS = classes(dataclass), classes(dataclasses.dataclass)


def outcome(action):
    """Return what an action gave or raised, such that it can be compared."""
    try:
        return action()
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


def described(cls, x, y):
    point, nothing, named = cls
    one = outcome(lambda: point(x, y))
    if one is ValueError:
        return "refused"
    return (
        one.both,
        repr(one).rpartition(".")[2],
        hash(one),
        one == point(x, y),
        one == point(x, y + 1),
        one == (x, y),
        one != nothing(),
        nothing() == nothing(),
        hash(nothing()),
        point(x).y,
        point(x).name is point(x).name,
        point(x, y, [1]) == one,
        dataclasses.astuple(one),
        dataclasses.asdict(dataclasses.replace(one, y=7)),
        [field.name for field in dataclasses.fields(one)],
        point.__match_args__,
        point.__doc__,
        point.__slots__,
        dataclasses.asdict(named(a=x)),
        outcome(lambda: named(x)),
        outcome(point),
        outcome(lambda: setattr(one, "x", 1)),
        outcome(lambda: delattr(one, "x")),
        copy.copy(one) == one,
        copy.deepcopy(one) == one,
        point.__getstate__(one) == [x, y, []],
    )


@given(st.integers(-2, 5), st.integers())
def test_they_do_as_the_standard_librarys(x, y):
    assert described(OURS, x, y) == described(THEIRS, x, y)


def test_nothing_can_be_added():
    with pytest.raises(dataclasses.FrozenInstanceError, match="'other'"):
        OURS[0](1).other = 1


def test_they_match_and_are_pickled():
    from appliance.core.events import Hold, Press  # noqa: PLC0415 - a class that pickle finds by its name

    match pickle.loads(pickle.dumps(Press(1.5, 3))):  # noqa: S301 - our own
        case Hold():
            raise AssertionError
        case Press(at, key):
            assert (at, key) == (1.5, 3)
    assert Press(1.0, 2) != Hold(1.0, 2)
    assert len({Press(1.0, 2), Press(1.0, 2), Hold(1.0, 2)}) == 2


def test_what_is_not_plain_is_refused():
    with pytest.raises(TypeError, match="use the standard one"):
        dataclass(frozen=False, slots=True)
    plain = dataclass(**OPTIONS)
    with pytest.raises(TypeError, match="without a base"):
        plain(type("Derived", (OURS[0],), {}))
    with pytest.raises(TypeError, match="__repr__ would be replaced"):
        plain(type("Own", (), {"__repr__": lambda _self: "own"}))
    for field in (
        dataclasses.field(init=False),
        dataclasses.field(kw_only=True),
        dataclasses.field(hash=False),
    ):
        with pytest.raises(TypeError, match="only plain fields"):
            plain(type("Odd", (), {"__annotations__": {"a": int}, "a": field}))
