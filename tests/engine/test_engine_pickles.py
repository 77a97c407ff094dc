"""Positions as pickles, for other processes, and as copies, for programs that clone their states."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Board, Misere, Tree, Vanishing, search
from engine.ultimate import Ultimate

BOARDS = [Board(*sizes) for sizes in ((3, 3, 3), (1, 5, 3), (4, 4, 3), (8, 8, 5), (15, 15, 5))]
STARTS = [*BOARDS, Misere(), Vanishing(), Ultimate()]


@st.composite
def positions(draw):
    position = draw(st.sampled_from(STARTS))
    for _ in range(draw(st.integers(0, 40))):
        if not position.terminal:
            position = position.play(draw(st.sampled_from(position.moves())))
    return position


def fields(position):
    """Return a position's fields but for those it shares, and for threats, which differ in taken cells."""
    slots = [slot for kind in type(position).__mro__ for slot in getattr(kind, "__slots__", ())]
    return {
        slot: getattr(position, slot)
        for slot in slots
        if "threats" not in slot and slot not in ("_shape", "_big")
    }


@given(positions(), st.integers(2, pickle.HIGHEST_PROTOCOL))
def test_a_pickle_is_small_and_loads_the_same_position(position, protocol):
    """Without the lines, the mirror images and the values that many positions share."""
    pickled = pickle.dumps(position, protocol)
    assert len(pickled) < 600
    again = pickle.loads(pickled)  # noqa: S301 - our own
    assert (type(again), again, hash(again)) == (type(position), position, hash(position))
    assert repr(again) == repr(position)
    assert fields(again) == fields(position)
    assert (again.moves(), again.candidates()) == (position.moves(), position.candidates())


@given(positions())
def test_a_position_is_its_own_deep_copy(position):
    assert copy.deepcopy([position])[0] is position
    assert copy.copy(position) == position


@pytest.mark.parametrize("again", [copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))])  # noqa: S301
def test_a_copy_of_a_tree_has_a_list_of_its_own(again):
    tree = Tree(((2, 7), (1, 8)))
    other, below = again((tree, tree.play(1)))
    search(other)
    assert (other, below) == (tree, tree.play(1))
    assert {other, below} == {tree, tree.play(1)}
    assert other.evaluated is below.evaluated
    assert other.evaluated
    assert tree.evaluated == []


def test_trees_are_equal_by_their_numbers_and_the_moves_that_led_there():
    tree = Tree((1, 1))
    assert tree.play(0) not in (tree, tree.play(1), Tree(1), Tree((2, 1)).play(0), 1)


def test_what_a_search_returns_can_be_pickled():
    found = search(Board(), every=True)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own
