"""A program that uses the engine: the tests check its types by `mypy --strict`, and run it."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import assert_type

import mnk_engine
from mnk_engine import (
    LEVELS,
    RULES,
    SOLVED,
    UNSOLVED,
    Board,
    Found,
    Game,
    GameRecord,
    Level,
    Limit,
    Misere,
    Position,
    SearchResult,
    Tree,
    Ultimate,
    Vanishing,
    minimax,
    review,
    search,
    trace,
)
from mnk_engine.montecarlo import montecarlo


def main() -> None:
    """Touch what the package offers by name; search in another process."""
    assert_type(mnk_engine.__version__, str)
    game = GameRecord(Board(15, 15, 5))
    game.push(112)
    assert_type(game.position, Board)
    assert_type(game.copy(), GameRecord[Board])
    assert game.copy() == game
    assert_type(max(game), int)
    assert_type((game.pop(), game.moves, game.result()), tuple[int, tuple[int, ...], str])
    nine = Ultimate.parse(str(Ultimate()))
    assert_type(nine, Ultimate)
    assert_type(nine.active, int | None)
    assert_type((nine.ply, nine.terminal, nine.to_move), tuple[int, bool, str])
    assert_type(minimax(Tree((1, (2, 3))), 1), Found)
    assert_type(trace(Board(), 1).nodes, int)
    assert_type(LEVELS["easy"], Level)
    assert_type(UNSOLVED["hard"].choose(nine, Random(1)), int)
    assert_type(montecarlo(Misere(), 10, Random(1)).move, int | None)
    starts: list[Game] = [RULES["classic"].start(), *(start() for start in SOLVED.values()), nine]
    positions: list[Position] = [*starts, Vanishing(), Tree((1, 2))]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        found = list(pool.map(search, positions, [Limit(nodes=200)] * len(positions)))
    assert_type(found, list[SearchResult])
    assert [each.move for each in found] == [search(each, Limit(nodes=200)).move for each in positions]
    assert len(review(starts[0], [each.move for each in found[:1]])) == 1


if __name__ == "__main__":
    main()
