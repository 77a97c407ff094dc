"""The search: its results are correct, and cheap."""

import tracemalloc
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from solved_games import reachable, solve_board

from engine import WIN, Board, Limit, Misere, Table, Tree, minimax, search
from engine.alphabeta import FOREVER, INFINITE, AlphaBeta

OPEN = [board for board in reachable(Board()) if not board.terminal]
WORDS = {1: "win", 0: "draw", -1: "loss"}


def facts(verdict):
    return verdict.score, verdict.value, verdict.distance


@st.composite
def midgames(draw, empty=16):
    """Draw an unfinished position on a board of up to 4x4, with at most `empty` empty cells."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    board = Board(rows, columns, draw(st.integers(min(2, max(rows, columns)), max(rows, columns))))
    for _ in range(draw(st.integers(max(0, rows * columns - empty), rows * columns))):
        safe = [move for move in board.moves() if not board.play(move).terminal]
        if not safe:
            break
        board = board.play(draw(st.sampled_from(safe)))
    assume(not board.terminal)
    return board


def depth_for(board):
    """Return a depth at which plain minimax is still fast."""
    free, nodes, depth = board.horizon, 1, 0
    while free > 0 and nodes * free < 6000:
        nodes, free, depth = nodes * free, free - 1, depth + 1
    return max(depth, 1)


def test_every_position_of_three_in_a_row():
    """Compare value, distance, move and bounds with the plain solver; for every fifth position, all moves."""
    assert len(OPEN) == 4520
    table, every = Table(), Table()
    for number, board in enumerate(OPEN):
        truth = {
            move: solve_board(after.cells, after.to_move)
            for move, after in ((move, board.play(move)) for move in board.moves())
        }
        value, distance = solve_board(board.cells, board.to_move)
        found = search(board, table=table)
        assert (found.value, found.distance or 0) == (WORDS[value], distance)
        assert truth[found.move] == (-value, distance - bool(value))
        assert found.move == found.pv[0]
        low, high = board.bounds()
        assert low <= value * (WIN - board.ply - distance) <= high
        if number % 5 == 0:
            verdicts = search(board, every=True, table=every).moves
            assert {move: (verdict.value, verdict.distance or 0) for move, verdict in verdicts.items()} == {
                move: (WORDS[-value], distance + bool(value)) for move, (value, distance) in truth.items()
            }


@settings(max_examples=80)
@given(midgames(), st.data())
def test_without_proofs_it_is_minimax_at_every_depth(board, data):
    depth = data.draw(st.integers(1, depth_for(board)))
    table = Table(data.draw(st.sampled_from([0, 1 << 16])))
    with patch("engine.deepening.QUICK", data.draw(st.sampled_from([0, 18]))):  # with and without deepening
        found = search(board, Limit(depth=depth), proofs=False, stop=lambda: False, table=table)
    wanted = minimax(board, depth)
    if found.value == "draw":
        assert wanted.value == 0
    assert found.score == wanted.value
    assert -minimax(board.play(found.move), depth - 1).value == wanted.value


@settings(max_examples=120)
@given(midgames(empty=10), st.data())
def test_every_way_to_ask_gets_the_same_answer(board, data):
    exact, depth = search(board, every=True, proofs=False), data.draw(st.integers(1, 18))
    low, high = board.bounds()
    assert low <= exact.score <= high
    options = {name: data.draw(st.booleans(), name) for name in ("every", "proofs")}
    options["table"] = Table(data.draw(st.sampled_from([0, 20, 1 << 16])))
    with patch("engine.deepening.QUICK", data.draw(st.sampled_from([0, 18]))):  # with and without deepening
        found = search(board, Limit(depth, data.draw(st.sampled_from([None, 1 << 30]))), **options)
    if found.value != "unknown":
        assert found.value == exact.value
        assert found.distance in (None, exact.distance)
    if depth >= board.horizon:
        assert facts(found) == facts(exact)
        assert exact.moves[found.move].score == exact.score


@settings(max_examples=100)
@given(midgames(), st.data())
def test_the_contract_of_the_bound(board, data):
    depth = data.draw(st.integers(1, depth_for(board)))
    wanted = minimax(board, depth).value
    near = st.integers(wanted - 3, wanted + 3)
    alpha = data.draw(near | st.just(-INFINITE))
    beta = data.draw(st.integers(alpha + 1, max(alpha + 1, wanted + 3)) | st.just(INFINITE))
    engine = AlphaBeta(Table(), proofs=False, max_nodes=FOREVER, deadline=FOREVER, clock=lambda: 0, stop=None)
    result = engine.value(board, depth, alpha, beta)
    if alpha < result < beta:
        assert result == wanted
    elif result <= alpha:
        assert wanted <= result
    else:
        assert wanted >= result


@settings(max_examples=100)
@given(midgames(), st.data())
def test_the_principal_variation_is_played_by_both(board, data):
    """A proven line goes to the end of the game; an estimate's line ends at the depth searched."""
    depth = data.draw(st.integers(1, depth_for(board)) | st.just(board.horizon))
    proofs = data.draw(st.booleans())
    assume(depth < board.horizon or board.horizon <= 10)
    found, position = search(board, Limit(depth=depth), proofs=proofs), board
    for move in found.pv:
        assert move in position.moves()
        position = position.play(move)
    if found.value == "unknown":
        assert len(found.pv) <= found.depth
        if len(found.pv) == found.depth and not proofs:
            assert abs(found.score) == abs(position.evaluate())
    elif found.distance is not None:
        assert len(found.pv) == found.distance
        assert position.outcome == (board.to_move if found.value == "win" else board.play(found.move).to_move)


def test_an_estimate_of_zero_is_not_a_draw():
    found = search(Misere.parse("xo./.x./oxo"), Limit(depth=2), proofs=False)
    assert (found.value, found.depth, found.pv) == ("unknown", 2, (2, 3))


def test_a_limited_depth_says_unknown():
    found = search(Board(), Limit(depth=3), every=True)
    assert (found.value, found.distance, found.depth) == ("unknown", None, 3)
    assert {verdict.value for verdict in found.moves.values()} == {"unknown"}


def test_what_the_empty_boards_cost():
    found = search(Board())
    assert (found.value, found.move) == ("draw", 4)
    assert found.nodes <= 80
    assert search(Board().play(4)).move == 0  # among equal moves, the first one searched
    assert search(Board(4, 4, 4)).nodes == 17
    assert search(Board(4, 4, 4), Limit(depth=16), proofs=False).nodes < 100_000
    assert min(search(Board(), proofs=False).nodes, search(Board(), table=Table(0)).nodes) > found.nodes


@pytest.mark.parametrize(("shape", "value", "distance"), [
    ((3, 4, 3), "win", 7), ((4, 4, 3), "win", 5), ((4, 5, 4), "draw", None), ((5, 5, 5), "draw", None),
])  # fmt: skip
def test_known_values(shape, value, distance):
    found = search(Board(*shape))
    assert (found.value, found.distance) == (value, distance)


def test_deepening_finds_the_nearest_win_and_stops():
    found = search(Board(8, 8, 3), stop=lambda: False)
    assert (found.value, found.distance) == ("win", 5)
    assert found.depth <= 5


def test_a_table_may_serve_several_searches():
    table = Table()
    first = search(Board(3, 5, 3), table=table, proofs=False)
    again = search(Board(3, 5, 3), table=table, proofs=False)
    assert again.score == first.score
    assert again.nodes < first.nodes / 10
    assert search(Board(5, 3, 4), table=table, proofs=False).value == "draw"  # other games share no keys


def test_what_nothing_can_interrupt_is_not_deepened_ply_by_ply():
    near = Board.parse("...../.xo../.ox../...../.....", k=4)
    for board, most in (near, 300), (Board(4, 5, 4), 7_000):
        found = search(board)
        deepened = search(board, stop=lambda: False)
        assert (found.value, found.distance) == (deepened.value, deepened.distance)
        assert found.nodes < most
    assert deepened.nodes > 15_000


def test_a_result_can_be_put_in_a_set():
    found = search(Board(), every=True)
    assert hash(found) == hash(found)


def test_other_games_are_searched_by_the_same_search():
    tree = Tree(((2, 7), (1, 8)))
    found = search(tree)
    assert (found.score, found.move, found.pv, found.value) == (2, 0, (0, 0), "exact")
    assert 8 not in tree.evaluated


def test_a_bound_does_not_outlive_the_guess_that_it_was_compared_with():
    """At depth 2 the right is at most -3, and the left estimated as 0; at depth 3 the left is -5."""
    with patch("engine.deepening.QUICK", 0):
        found = search(Tree((((-5,),), (-3, -9))))
    assert (found.score, found.move, found.depth) == (-5, 0, 3)


def test_refuses_a_game_that_is_over():
    with pytest.raises(ValueError, match="over"):
        search(Board.parse("xxx/oo./..."))


@given(st.integers(0, 30), st.lists(st.tuples(st.integers(0, 40), st.booleans())).filter(bool))
def test_a_table_never_lies_and_keeps_within_its_size(entries, script):
    table, written = Table(entries), {}
    for step, (key, write) in enumerate(script):
        if write:
            written[key] = (step, 1, "exact")
            table.put(key, written[key])
        else:
            assert table.get(key) in (None, written.get(key))
        assert len(table) <= entries


def test_a_table_keeps_what_is_in_use():
    table = Table(100)
    table.put("used", (1, 1, "exact"))
    for key in range(1000):
        table.put(key, (key, 1, "exact"))
        assert table.get("used") == (1, 1, "exact")
    assert table.get(0) is None
    assert table.get(999) == (999, 1, "exact")


def test_an_entry_takes_at_most_240_bytes():
    tracemalloc.start()
    try:
        table = Table(9000)
        for key in range(14_000):
            table.put(key << 64, (key << 20, key << 10, "exact"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= 240 * 9000
