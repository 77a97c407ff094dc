"""Power cuts at random moments on an emulated Pi 3B and first Zero: it restarts, and keeps what it has shown.

A cut may lose the one mark that was being saved (README). $IMAGE_CUTS is the number of cuts in all.
"""

import os
import random

import pytest
from boxes import boards, fill_other, kept, put_on_trial, put_store, starts, update_box, without_game
from pi import report
from test_image_start import play, plays

from appliance.slots import pair

CUTS = int(os.environ.get("IMAGE_CUTS", "25"))
STARTED = 200_000  # bytes of the trace: a start with the box's answer writes about 226,000
SPLASH = 60_000  # bytes of the trace: a start until shortly before its game is ready
AWAKE = b"rest: {dim: 0, off: 0, drift: 0, attract: no}\r\n"
UPDATED = 6_000_000  # bytes of the trace of an update


def lies_after(board, before):
    """Whether a board has exactly one mark more than another."""
    pairs = [pair for pair in zip(before, board, strict=True) if pair[0] != pair[1]]
    return len(pairs) == 1 and pairs[0][0] == "."


def is_acknowledged(board, found, shown):
    """Whether a kept board is the last one shown, the one before it, or the last one's successor.

    `boards` skips a board whose winning line is struck through.
    """
    return any(board == one or lies_after(board, one) for one in (shown or [found])[-2:])


@pytest.fixture
def with_games(pi):
    """A Pi with a fresh card with games, which has not started yet."""
    put_store(pi)
    return pi


@pytest.fixture
def on_trial(with_games):
    """The same, with an update installed in slot b that has not started yet."""
    put_on_trial(with_games, update_box(with_games, "9.0"))
    return with_games


@pytest.mark.parametrize("pi", ["raspi3b", "raspi0"], indirect=True)
@pytest.mark.parametrize(("seed", "share", "fixture"), [(1, 0.28, "with_games"), (2, 0.16, "on_trial")])
def test_power_cuts(request, pi, seed, share, fixture):
    pi, rng = request.getfixturevalue(fixture), random.Random(seed)
    pi.write("tictactoe.yaml", AWAKE)
    found, before = kept(pi.data())
    for _ in range(round(CUTS * share)):
        pi.flag = fixture == "on_trial"  # each cut clears it
        pi.run_until_traced(rng.randrange(STARTED))
        shown = boards(pi.pictures())
        assert shown[:1] in ([], [found]), "it goes on from what was kept"
        board, rest = kept(pi.data())
        report(f"cut after {pi.traced} bytes; boards shown: {shown}, kept: {board}")
        assert is_acknowledged(board, found, shown), (board, found, shown[-3:])
        assert rest == before
        found = board
    pi.start()
    pi.wait(lambda pi: plays(pi) or not pi.running)
    assert boards(pi.pictures())[0] == found
    pi.cut()
    assert kept(pi.data())[1] == before
    assert "Games and scores are saved." in pi.status
    assert not pair.faults(pi.boot(), pi.slot)


@pytest.mark.parametrize("pi", ["raspi0"], indirect=True)
def test_power_cuts_during_starts_use_up_no_version(pi):
    """The slot that was started without a game, again and again, is checked, found whole, and kept."""
    fill_other(pi, update_box(pi, "9.0"))
    rng = random.Random(3)
    counts = []
    for _ in range(round(CUTS * 0.8)):
        pi.run_until_traced(rng.randrange(SPLASH))
        counts.append(starts(pi))
        assert pi.slot == "a"
    report(f"counts after the cuts: {' '.join(counts)}; {pi.status.splitlines()[0]}")
    assert "w" in counts
    play(pi)
    pi.cut()
    assert (starts(pi), pi.slot) == ("0", "a")
    assert not pair.faults(pi.boot(), "a")


def test_power_cuts_in_an_update_that_does_not_start_and_is_undone(pi):
    """The old version starts whenever the power fails. The new one gets two starts."""
    pi.write("update.box", without_game(pi))
    rng = random.Random(1)
    for _ in range(round(CUTS * 0.12)):
        pi.run_until_traced(rng.randrange(UPDATED))
        report(f"cut after {pi.traced} bytes")
        assert pi.chosen().prefix == "a/"
        assert not pair.faults(pi.boot(), "a")
    trials = 0
    while True:
        pi.start()
        pi.wait(lambda pi: plays(pi) or not pi.running)
        if pi.running:
            break
        pi.ended()
        if pi.flag:
            trials += 1
            assert pi.chosen().prefix == "b/"
            pi.start()
            pi.ended()  # the game does not start, so the box reboots
            assert pi.chosen().prefix == "a/"
    report(pi.status)
    assert trials <= 2
    assert "in slot a" in pi.status
    assert "version 9.0 did not start in 2 tries" in pi.status
