"""How long a display stays wrong after it was reset, or lost memory or registers, without an error."""

import pytest
from healing import BOUNDS, DISPLAYS, READABLE, STATES, UNREADABLE, losses_of, measure

TIMES = 2  # for each loss in each state, at random moments


def table(figures):
    losses = dict.fromkeys(loss for loss, _ in figures)
    cells = {key: f"{half:.1f}/{most:.1f}" for key, (half, most) in figures.items()}
    lines = [["", *STATES], *([loss, *(cells[loss, state] for state in STATES)] for loss in losses)]
    return "\n".join(f"{first:18}" + "".join(f"{cell:>11}" for cell in rest) for first, *rest in lines)


@pytest.mark.parametrize("status", [READABLE, UNREADABLE])
@pytest.mark.parametrize(("driver", "height"), DISPLAYS)
def test_what_was_lost_is_back_within_5_s_in_play_and_10_s_at_rest(driver, height, status):
    """`pytest -s` prints the table."""
    figures = measure(driver, height, status, TIMES)
    title = f"{driver} 128x{height}, status {status}: seconds until right, median/longest"
    print(f"\n{title}\n{table(figures)}")  # noqa: T201
    assert {loss for loss, _ in figures} == set(losses_of(driver))
    assert not {key: most for key, (_, most) in figures.items() if most > BOUNDS[key[1]]}
