"""The search of positions that foresee the evaluation after each move: as right as any, and cheaper."""

import random
from itertools import count

import pytest
from counted_lines import Counted
from effort import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from solved_games import winning

from engine import PROVEN, Limit, Table, minimax, search
from engine.alphabeta import CHECK, FOREVER, INFINITE
from engine.foresight import MARGINS, Foresight
from engine.ultimate import Ultimate


@st.composite
def positions(draw, free=81):
    """Draw an unfinished position in which at most `free` cells may still be played."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    position = draw(st.sampled_from([Ultimate, Counted]))()
    plies = draw(st.integers(0, 40))
    while position.ply < plies or position.horizon > free:
        after = position.play(rng.choice(position.moves()))
        if after.terminal:
            return draw(positions(free))
        position = after
    return position


def depth_for(position):
    return 2 if position.active is None or position.ply < 2 else 3


@settings(max_examples=40)
@given(positions(), st.sampled_from([0, 1 << 16]))
def test_without_proofs_it_is_minimax_at_every_depth(position, entries):
    depth = depth_for(position)
    found = search(position, Limit(depth), proofs=False, stop=lambda: False, table=Table(entries))
    assert found.score == minimax(position, depth).value
    assert -minimax(position.play(found.move), depth - 1).value == found.score


@settings(max_examples=40)
@given(positions(), st.data())
def test_the_contract_of_the_bound(position, data):
    depth = depth_for(position)
    wanted = minimax(position, depth).value
    alpha = data.draw(st.integers(wanted - 40, wanted + 40) | st.just(-INFINITE))
    beta = data.draw(st.integers(alpha + 1, max(alpha + 1, wanted + 40)) | st.just(INFINITE))
    engine = Foresight(Table(), proofs=False, max_nodes=FOREVER, deadline=FOREVER, clock=lambda: 0, stop=None)
    engine.value(position, min(depth, 2), -INFINITE, INFINITE)  # what it remembers changes no result
    result = engine.value(position, depth, alpha, beta)
    if alpha < result < beta:
        assert result == wanted
    else:
        assert wanted <= result <= alpha or wanted >= result >= beta


@settings(max_examples=60)
@given(positions(free=9), st.booleans())
def test_near_the_end_it_proves_what_minimax_finds(position, every):
    found, wanted = search(position, every=every), minimax(position, position.horizon)
    assert found.score == wanted.value
    assert found.value == ("draw" if not wanted.value else "win" if wanted.value > 0 else "loss")
    for move, verdict in found.moves.items():
        assert verdict.score == -minimax(position.play(move), position.horizon).value


@settings(max_examples=60)
@given(positions(free=14), st.integers(1, 2000))
def test_what_a_limited_search_claims_is_true(position, nodes):
    found = search(position, Limit(nodes=nodes))
    if found.value != "unknown":
        assert found.value == search(position, proofs=False).value


@pytest.mark.more
@pytest.mark.parametrize("seed", range(amount(8, 40)))
def test_what_searches_that_give_up_replies_claim_late_in_games_is_true(seed):
    """A search to the end that gives up none is the judge. The others may miss a faster win, no more."""
    rng, position = random.Random(seed), Ultimate()
    while position.horizon > 20:
        after = position.play(rng.choice(position.moves()))
        position = Ultimate() if after.terminal else after
    wanted = search(position, proofs=False)
    for nodes in (200, 1000, 5000):
        found = search(position, Limit(nodes=nodes))
        assert found.value in ("unknown", wanted.value)
        assert found.distance is None or found.distance >= wanted.distance


def visits(position, depth, *, proofs, alpha):
    """Ask whether `position` is worth more than `alpha`; return the result, moves searched and guesses."""
    after = {position.play(move): move for move in position.moves()}
    searched = set()

    class Watched(Foresight):
        def score(self, child, *args):
            if child.ply == position.ply + 1:
                searched.add(after[child])
            return super().score(child, *args)

    engine = Watched(Table(), proofs=proofs, max_nodes=FOREVER, deadline=FOREVER, clock=lambda: 0, stop=None)
    return engine.value(position, depth, alpha, alpha + 1), searched, engine.guesses


def middle(seed, plies=20):
    rng, position = random.Random(seed), Ultimate()
    while position.ply < plies:
        after = position.play(rng.choice(position.moves()))
        position = Ultimate() if after.terminal else after
    return position


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_hopeless_replies_are_given_up_with_proofs_and_only_then(depth):
    given_up = 0
    for seed in range(20):
        position = middle(seed)
        replies = position.replies()
        alpha = sorted(replies.values())[len(replies) // 2] + MARGINS[depth]
        hopeless = {move for move, score in replies.items() if score + MARGINS[depth] <= alpha}
        result, searched, guesses = visits(position, depth, proofs=True, alpha=alpha)
        if result > alpha or alpha >= PROVEN:
            continue
        # The first is searched in any case: a position must not seem lost for want of a look.
        assert len(searched & hopeless) <= (len(hopeless) == len(replies))
        assert guesses
        given_up += len(hopeless - searched)
        result, searched, _ = visits(position, depth, proofs=False, alpha=alpha)
        assert result > alpha or searched == set(replies)
    assert given_up > 20


def test_where_the_search_reaches_the_end_of_the_game_no_reply_is_given_up():
    for seed in range(20):
        position = middle(seed, 52)
        if position.horizon < len(MARGINS):
            alpha = max(position.replies().values()) + max(MARGINS)
            result, searched, _ = visits(position, position.horizon, proofs=True, alpha=alpha)
            assert result > alpha or searched == set(position.moves())


def test_a_position_never_seems_lost_because_replies_were_given_up():
    """The lowest score that giving up can return is above that of a loss."""
    for seed in range(60):
        position = middle(seed, 44)
        found = search(position, Limit(nodes=800))
        if found.value == "loss":
            assert search(position, proofs=False).value == "loss"


@settings(max_examples=40)
@given(positions(free=14), st.integers(1, 600), st.integers(0, 10**6))
def test_a_table_kept_over_a_game_claims_nothing_false(position, nodes, seed):
    rng, table = random.Random(seed), Table(200)
    while not position.terminal:
        found = search(position, Limit(nodes=nodes), table=table)
        if found.value != "unknown":
            assert found.value == search(position, proofs=False).value
        position = position.play(rng.choice([found.move, *position.moves()]))


@settings(max_examples=60)
@given(positions(), st.integers(1, 400))
def test_a_limit_of_nodes_is_kept(position, nodes):
    found = search(position, Limit(nodes=nodes))
    assert found.nodes <= nodes
    assert found.move in (winning(position) or position.moves())
    again = search(position, Limit(nodes=nodes))
    assert (found.move, found.pv, found.nodes) == (again.move, again.pv, again.nodes)


@settings(max_examples=30)
@given(positions(), st.integers(1, 12))
def test_a_limit_of_time_is_kept(position, readings):
    """Each reading of the clock advances it by a second; a position has up to 81 replies."""
    found = search(position, Limit(seconds=readings), clock=count().__next__)
    assert found.nodes <= 2 + (CHECK + 81) * readings
    assert found.move in (winning(position) or position.moves())


def test_a_search_with_no_time_left_plays_the_best_reply():
    position = Ultimate().play(40)
    replies = position.replies()
    assert replies[search(position, Limit(nodes=1)).move] == max(replies.values())


def test_what_it_costs():
    """Few of the positions visited are made; and no more are visited than are allowed."""
    made = 0

    class Counting(Ultimate):
        __slots__ = ()

        def play(self, move):
            nonlocal made
            made += 1
            return super().play(move)

    position = Counting().play(40).play(36)
    found = search(position, Limit(nodes=20_000))
    assert found.nodes > 19_900
    assert found.depth >= 7
    assert made < 8_000
    assert abs(found.score) < PROVEN
