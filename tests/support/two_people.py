"""Two modelled people at the box: how often the first and the second of them win, in per cent.

`python tests/support/two_people.py [GAMES]` prints it for each solved rule. Both play alike.
"""

import sys
from random import Random

from session_rig import fresh, tap

from appliance.core.session.form import form_of
from engine import KINDS, SOLVED
from engine.people import good_moves, shares

CHILD = KINDS["child who completes lines"]


def move(chance, game):
    """Return a move of such a child."""
    weighted = [(share, moves) for share, moves in shares(CHILD, game.moves(), *good_moves(game)) if share]
    return chance.choice(
        chance.choices([moves for _, moves in weighted], [share for share, _ in weighted])[0]
    )


def season(rule, games, seed=0):
    """Return the tally of so many games, tapped on the box's keys one after the other."""
    chance, session = Random(f"{rule} {seed}"), fresh(players=2, rule=rule)
    for _ in range(games):
        while not session.match.over:
            game = session.match.game
            session, _ = tap(session, form_of(game).number(move(chance, game)))
        session, _ = tap(session._replace(frames=0, pressed_at=0.0), 5 if session.match.moves[-1] != 4 else 1)
    return session.scores.pair


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for name in SOLVED:
        first, second, _ = (100 * games / count for games in season(name, count))
        sys.stdout.write(f"{name:10} {first:3.0f} : {second:.0f}\n")
