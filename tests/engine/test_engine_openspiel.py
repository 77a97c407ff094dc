"""The adapter of docs/library.md: OpenSpiel's tests and search accept each game as one of their own."""

import doctest
import random
import re
import sys
from pathlib import Path

import pytest

import engine
from engine import Board, Misere, Ultimate, Vanishing, search

PAGE = (Path(engine.__file__).parents[1] / "docs/library.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_code_of_the_page_is_python():
    (code,) = [block for block in BLOCKS if ">>>" not in block]
    compile(code, "docs/library.md", "exec")


@pytest.fixture
def page(monkeypatch):
    """Return the names that the page's code defines."""
    pytest.importorskip(
        "pyspiel", reason="open_spiel is missing; with numpy and scipy it is too large to require"
    )
    monkeypatch.setitem(sys.modules, "mnk_engine", engine)
    names = {}
    exec("".join(block for block in BLOCKS if ">>>" not in block), names)  # noqa: S102 - our own
    return names


def test_the_examples_of_the_page_are_true(page):
    examples = "".join(block for block in BLOCKS if ">>>" in block)
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(examples, page, "library", None, 0))
    assert (runner.failures, runner.tries) == (0, 6)


@pytest.mark.parametrize(("start", "actions", "plies"), [
    (Board(), 9, 9),
    (Board(3, 5, 3), 15, 15),
    (Board.parse("xx../..../..../....", k=4, to_move="o"), 16, 14),
    (Misere(), 9, 9),
    (Vanishing(), 9, 2000),
    (Ultimate(), 81, 81),
])  # fmt: skip
def test_openspiels_own_test_plays_each_game(page, start, actions, plies):
    spiel, name = page["pyspiel"], f"mnk_{type(start).__name__.lower()}_{plies}"
    page["register"](name, start, actions, plies)
    game = spiel.load_game(name)
    spiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    state = game.new_initial_state()
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert (state.history(), state.position, str(state)) == ([], start, repr(start))
    assert clone.current_player() == 1


def test_openspiels_search_agrees_with_ours(page):
    from open_spiel.python.algorithms.minimax import alpha_beta_search  # noqa: PLC0415 - may be missing

    rng, values = random.Random(1), set()
    for number in range(60):
        position = rng.choice([Board(), Board(3, 4, 3), Misere(), Misere(2, 4, 3)])
        while position.horizon > 6:
            position = position.play(rng.choice(position.moves()))
        if position.terminal:
            continue
        page["register"](f"mnk_random_{number}", position, 12, 12)
        value, _ = alpha_beta_search(page["pyspiel"].load_game(f"mnk_random_{number}"))
        assert {1: "win", 0: "draw", -1: "loss"}[value] == search(position).value
        values.add(value)
    assert values == {-1, 0, 1}
