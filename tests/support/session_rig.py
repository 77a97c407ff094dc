"""Feed events to a session, and collect the effects."""

import random

from appliance.core.keys.key_events import Hold, HoldProgress, Press, Release, Tap
from appliance.core.session.match import Match
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import BoxFacts, Session, keepsakes
from appliance.core.session.transitions import begin, step
from engine import RULES


def games(rule):
    """Return the moves of a game that has not begun, of one in the middle, and of one that x has won.

    In ultimate the last move was in any board.
    """
    if rule != "ultimate":
        return (), (0, 3, 1, 4), (0, 3, 1, 4, 2)
    for seed in range(100):
        game, moves, chance = RULES[rule].start(), [], random.Random(seed)
        while not game.terminal:
            moves.append(chance.choice(game.moves()))
            free, game = game.active is None, game.play(moves[-1])
        if free and game.outcome == "x":
            return (), tuple(moves[:4]), tuple(moves)
    raise AssertionError


def last_open():
    """Return a game with a single open board, to which the last move has not sent."""
    for seed in range(1000):
        chance, game, moves = random.Random(seed), RULES["ultimate"].start(), []
        while not game.terminal:
            if game.boards.count(".") == 1 and game.active is None:
                return tuple(moves), game
            moves.append(chance.choice(game.moves()))
            game = game.play(moves[-1])
    raise AssertionError


def fresh(moves=(), human=None, *, options=Options(), **settings):  # noqa: B008 - a named tuple
    """Return the session of a box that has started and greeted, with these moves on the board."""
    chosen = Settings(**settings)
    human = human or ("o" if chosen.first == "box" and chosen.players == 1 else "x")
    match = Match.replay(chosen.rule, human, moves)
    session, _ = begin(Session(match, chosen, options, box=BoxFacts(buzzer=True)), 0.0)
    return session._replace(frames=0, greets=False, sleeps=False)


def feed(session, *events):
    """Return the session after these events, all their effects, and what was to be saved."""
    done = []
    for event in events:
        before = session
        session, effects = step(session, event)
        done += [*effects, *keepsakes(before, session, ())]
    return session, done


def of(kind, effects):
    return [effect for effect in effects if isinstance(effect, kind)]


def tapped(at, key):
    """Return the events of a tap on a key, counted from 0."""
    return Press(at, key), Tap(at + 0.06, key), Release(at + 0.08, key, soon=True)


def tap(session, *keys):
    """Tap keys, counted from 1, one after the other, and none of them impatiently."""
    done = []
    for key in keys:
        session, effects = feed(session, *tapped(session.pressed_at + 1.0, key - 1))
        done += effects
    return session, done


def opened(session):
    """Return the session with the menu open."""
    at = session.pressed_at + 1.0
    return feed(session, Press(at, 4), HoldProgress(at + 0.5, 4, 0.5), Hold(at + 1.0, 4))[0]
