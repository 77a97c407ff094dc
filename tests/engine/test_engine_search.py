"""The search: what it returns is the truth, and costs little."""

import random
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import WIN, Board, Limit, Misere, Table, Tree, Vanishing, minimax, search
from engine.alphabeta import FOREVER, INFINITE, AlphaBeta
from engine.textbook import alpha_beta

NINE = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def truth(cells, mark, other):
    """(value, distance) of a 3x3 position: by the plainest solver there is."""
    if any(all(cells[cell] == other for cell in line) for line in NINE):
        return -1, 0
    if "." not in cells:
        return 0, 0
    results = []
    for cell in range(9):
        if cells[cell] == ".":
            value, distance = truth(cells[:cell] + mark + cells[cell + 1 :], other, mark)
            results.append((-value, distance + 1))
    wins = [distance for value, distance in results if value == 1]
    if wins:
        return 1, min(wins)
    if any(value == 0 for value, _ in results):
        return 0, 0
    return -1, max(distance for _, distance in results)


def all_positions():
    found, todo = {}, [Board()]
    while todo:
        board = todo.pop()
        if board.cells not in found:
            found[board.cells] = board
            todo += [board.play(move) for move in board.moves()]
    return list(found.values())


POSITIONS = all_positions()
OPEN = [board for board in POSITIONS if not board.terminal]


def facts(board):
    value, distance = truth(board.cells, board.to_move, "xo"["ox".index(board.to_move)])
    return {1: "win", 0: "draw", -1: "loss"}[value], distance or None


@st.composite
def midgames(draw, empty=16):
    """An open position on a board up to 4x4, with at most `empty` cells free."""
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
    """A depth to which plain minimax is quickly done."""
    free, nodes, depth = board.horizon, 1, 0
    while free > 0 and nodes * free < 6000:
        nodes, free, depth = nodes * free, free - 1, depth + 1
    return max(depth, 1)


def test_every_position_of_three_in_a_row():
    assert len(OPEN) == 4520
    table = Table()
    for board in OPEN:
        found = search(board, table=table)
        value, distance = facts(board)
        assert (found.value, found.distance) == (value, distance)
        assert found.bound == "exact"
        assert found.move == found.pv[0]
        after = board.play(found.move)
        if distance == 1:
            assert after.outcome == board.to_move
        elif not after.terminal:
            # The move keeps the value, and the win stays the fastest, the loss the slowest.
            opposite = {"win": "loss", "loss": "win", "draw": "draw"}[value]
            assert facts(after) == (opposite, distance and distance - 1)


def test_every_move_of_every_position_has_its_verdict():
    table = Table()
    for board in OPEN[::5]:
        found = search(board, every=True, table=table)
        assert sorted(found.moves) == board.moves()
        for move, verdict in found.moves.items():
            after = board.play(move)
            value, distance = ("loss", 0) if after.outcome == board.to_move else ("draw", None)
            if not after.terminal:
                value, distance = facts(after)
            opposite = {"win": "loss", "loss": "win", "draw": "draw"}[value]
            assert (verdict.value, verdict.distance) == (opposite, None if value == "draw" else distance + 1)


def test_what_is_plain_is_true():
    for board in OPEN:
        value, distance = facts(board)
        sign = {"win": 1, "draw": 0, "loss": -1}[value]
        score = sign * (WIN - board.ply - (distance or 0))
        low, high = board.bounds()
        assert low <= score <= high


@settings(max_examples=60, deadline=None)
@given(midgames(empty=9))
def test_what_is_plain_is_true_on_larger_boards(board):
    low, high = board.bounds()
    score = search(board, Limit(depth=16), proofs=False).score
    assert low <= score <= high


@settings(max_examples=120, deadline=None)
@given(midgames(), st.data())
def test_without_proofs_it_is_minimax_at_every_depth(board, data):
    depth = data.draw(st.integers(1, depth_for(board)))
    ordering, symmetry, kept = data.draw(st.booleans()), data.draw(st.booleans()), data.draw(st.booleans())
    found = search(
        board,
        Limit(depth=depth),
        proofs=False,
        ordering=ordering,
        symmetry=symmetry,
        table=Table(1 << 16 if kept else 0),
        stop=data.draw(st.sampled_from([None, lambda: False])),  # with and without deepening
    )
    wanted = minimax(board, depth)
    if found.value == "draw":
        assert wanted.value == 0
    assert found.score == wanted.value
    assert -minimax(board.play(found.move), depth - 1).value == wanted.value


@pytest.mark.untraced
@settings(max_examples=120, deadline=None)
@given(midgames(empty=8), st.data())
def test_the_switches_change_no_value(board, data):
    depth = data.draw(st.integers(1, 8))
    results = [
        search(
            board, Limit(depth=depth), ordering=ordering, symmetry=symmetry, table=Table(size), proofs=proofs
        )
        for ordering in (True, False)
        for symmetry in (True, False)
        for size in (0, 64, 1 << 16)
        for proofs in (True, False)
    ]
    exact = search(board)
    for found in results:
        if found.value != "unknown":
            assert found.value == exact.value
            assert found.distance in (None, exact.distance)
        if depth >= board.horizon:
            assert (found.score, found.value, found.distance) == (exact.score, exact.value, exact.distance)


@settings(max_examples=60, deadline=None)
@given(midgames(empty=11))
def test_every_way_to_ask_gets_the_same_answer(board):
    straight = search(board)
    every = search(board, every=True)
    others = [
        every,
        search(board, stop=lambda: False),  # step by step
        search(board, table=Table(20)),
        search(board, rng=random.Random(1)),
        search(board, Limit(nodes=1 << 30), deepen=False),
        search(board, Limit(depth=board.horizon), proofs=False),
    ]
    for found in others:
        assert (found.score, found.value, found.distance) == (
            straight.score,
            straight.value,
            straight.distance,
        )
        assert every.moves[found.move].score == straight.score


@settings(max_examples=120, deadline=None)
@given(midgames(), st.data())
def test_the_contract_of_the_bound(board, data):
    depth = data.draw(st.integers(1, depth_for(board)))
    wanted = minimax(board, depth).value
    near = st.integers(wanted - 3, wanted + 3)
    alpha = data.draw(near | st.just(-INFINITE))
    beta = data.draw(st.integers(alpha + 1, max(alpha + 1, wanted + 3)) | st.just(INFINITE))
    engine = AlphaBeta(
        Table(),
        ordering=data.draw(st.booleans()),
        symmetry=True,
        proofs=False,
        max_nodes=FOREVER,
        deadline=FOREVER,
        clock=lambda: 0,
        stop=None,
    )
    result = engine.value(board, depth, alpha, beta)
    if alpha < result < beta:
        assert result == wanted
    elif result <= alpha:
        assert wanted <= result
    else:
        assert wanted >= result


@settings(max_examples=80, deadline=None)
@given(midgames(empty=9), st.data())
def test_a_window_gives_bounds(board, data):
    exact = search(board).score
    alpha = data.draw(st.integers(exact - 2, exact + 2) | st.just(-INFINITE))
    beta = data.draw(st.integers(alpha + 1, max(alpha + 1, exact + 2)))
    found = search(board, window=(alpha, beta))
    if found.bound == "exact":
        assert found.score == exact
    elif found.bound == "upper":
        assert exact <= found.score <= alpha
    else:
        assert exact >= found.score >= beta


def test_distances_where_the_bound_is_no_value():
    win = Board.parse("xx./oo./...")
    assert (search(win).value, search(win).distance) == ("win", 1)
    low = search(win, window=(-INFINITE, 0))
    assert (low.bound, low.value, low.distance) == ("lower", "win", None)
    lost = Board.parse("x.x/.o./x.o")
    assert (search(lost).value, search(lost).distance) == ("loss", 2)
    high = search(lost, window=(0, INFINITE))
    assert (high.bound, high.value, high.distance) == ("upper", "loss", None)
    drawn = search(Board(), window=(0, INFINITE))
    assert (drawn.bound, drawn.value, drawn.distance) == ("upper", "unknown", None)


@settings(max_examples=60, deadline=None)
@given(midgames(empty=10))
def test_the_principal_variation_is_played_by_both(board):
    found = search(board)
    position, value, distance = board, found.value, found.distance
    for move in found.pv:
        assert move in position.moves()
        position = position.play(move)
    if value in ("win", "loss"):
        assert len(found.pv) == distance
        assert position.terminal
        assert position.outcome == (board.to_move if value == "win" else {"x": "o", "o": "x"}[board.to_move])


@settings(max_examples=80, deadline=None)
@given(midgames(), st.data())
def test_a_guess_is_followed_no_further_than_it_was_looked_into(board, data):
    depth = data.draw(st.integers(1, depth_for(board)))
    proofs = data.draw(st.booleans())
    found = search(board, Limit(depth=depth), proofs=proofs)
    position = board
    for move in found.pv:
        position = position.play(move)
    if found.value == "unknown":
        assert len(found.pv) <= found.depth
        if len(found.pv) == found.depth and not proofs:
            assert abs(found.score) == abs(position.evaluate())


def test_a_guess_that_happens_to_be_a_draw_ends_where_it_was_made():
    found = search(Misere.parse("xo./.x./oxo"), Limit(depth=2), proofs=False)
    assert (found.value, found.depth, found.pv) == ("unknown", 2, (2, 3))


def test_a_limited_depth_says_unknown():
    found = search(Board(), Limit(depth=3))
    assert (found.value, found.distance, found.depth, found.bound) == ("unknown", None, 3, "exact")
    assert {verdict.value for verdict in search(Board(), Limit(depth=2), every=True).moves.values()} == {
        "unknown"
    }


@pytest.mark.untraced
def test_what_the_empty_boards_cost():
    found = search(Board())
    assert (found.value, found.move) == ("draw", 4)
    assert found.nodes <= 80
    assert alpha_beta(Board(), 9).nodes > 200 * found.nodes
    found = search(Board(4, 4, 4))
    assert (found.value, found.nodes) == ("draw", 17)
    assert search(Board(4, 4, 4), Limit(depth=16), proofs=False).nodes < 100_000


@pytest.mark.parametrize(
    ("shape", "value", "distance"),
    [((3, 4, 3), "win", 7), ((4, 4, 3), "win", 5), ((4, 5, 4), "draw", None), ((5, 5, 5), "draw", None)],
)
def test_known_values(shape, value, distance):
    found = search(Board(*shape))
    assert (found.value, found.distance) == (value, distance)


def test_the_switches_earn_their_place():
    cost = search(Board()).nodes
    for switched in ({"ordering": False}, {"symmetry": False}, {"proofs": False}, {"table": Table(0)}):
        assert search(Board(), **switched).nodes > cost, switched


def test_equal_moves_are_drawn_or_the_first_is_taken():
    corner = Board().play(4)
    assert search(corner).move == 0
    drawn = {search(corner, rng=random.Random(seed)).move for seed in range(60)}
    assert drawn == {0, 2, 6, 8}
    everywhere = {search(Board(), rng=random.Random(seed)).move for seed in range(150)}
    assert everywhere == set(range(9))
    assert {search(Board.parse("xx./oo./..."), rng=random.Random(seed)).move for seed in range(9)} == {2}


def test_deepening_finds_the_nearest_win_and_stops():
    found = search(Board(8, 8, 3), stop=lambda: False)
    assert (found.value, found.distance) == ("win", 5)
    assert found.depth <= 5


@pytest.mark.untraced
def test_a_table_may_serve_several_searches():
    table = Table()
    first = search(Board(4, 5, 4), table=table)
    again = search(Board(4, 5, 4), table=table)
    assert again.score == first.score
    assert again.nodes < first.nodes / 10
    assert search(Board(5, 4, 4), table=table).value == "draw"


def test_other_games_are_searched_by_the_same_search():
    tree = Tree(((2, 7), (1, 8)))
    found = search(tree)
    assert (found.score, found.move, found.pv, found.value) == (2, 0, (0, 0), "win")
    assert 8 not in tree.seen
    assert search(Misere()).value == "draw"
    assert search(Vanishing()).distance == 13


def test_refuses_what_cannot_be_searched():
    with pytest.raises(ValueError, match="over"):
        search(Board.parse("xxx/oo./..."))
    with pytest.raises(ValueError, match="window"):
        search(Board(), window=(3, 3))
