"""A box that plays by itself, as fast as it can, over a real store: what the tests of power cuts cut.

`store_player.py DIR SEED STEPS [stop|heal|plain|memory]` prints a line, in one write, for each picture it
shows. The same seed and the same beginning give the same game, so a test knows what must have been kept.
"""

import itertools
import json
import os
import random
import sys
from pathlib import Path

from appliance.core import events as fx
from appliance.core.events import Answer, Chord, Hold, Press, Refused, Tap, Timeout, Timer
from appliance.core.match import Match
from appliance.core.resume import restore
from appliance.core.scan import CENTRE
from appliance.core.session import begin, step
from appliance.core.settings import Settings
from appliance.core.state import Page, Phase, Session
from appliance.storage import database
from appliance.storage.faults import Unusable
from appliance.storage.store import Store


def first_session():
    return Session(Match.new("classic", "x"), Settings())


def last_game(store):
    """Return the number of the last finished game, 0 where there is none or it cannot be read."""
    try:
        newest = store._database.newest(1) if store._database else []
    except Unusable:
        newest = []
    return newest[0][0] if newest else 0


def tap(at, key):
    return [Press(at, key), Tap(at, key)]


def events(session, rng, at):
    """Return what might happen next: mostly moves, now and then everything else that changes what is kept."""
    phase, moves = session.phase, list(session.match.game.moves())
    if phase is Phase.YOUR_TURN:
        key, luck = rng.choice(moves), rng.random()
        if luck < 0.08:
            return [Press(at, CENTRE), Hold(at, CENTRE)]
        if luck < 0.16:
            return [Press(at, key), Chord(at, (key, (key + 1) % 9))]
        return tap(at, 8 - key if session.settings.turned else key)
    if phase is Phase.THINKING:
        return [Answer(at, session.job, rng.choice(moves)), Timeout(at, Timer.PAUSE)]
    if phase is Phase.MENU:
        if rng.random() < 0.2:
            return [Timeout(at, Timer.MENU_IDLE)]
        # From the first page mostly to those behind it.
        return tap(at, rng.choice([0, 1, 2, 3, 3, 5, 5, 7, 7, 8] if session.page is Page.MAIN else range(9)))
    if phase is Phase.LEAVING:
        return [Refused(at, "power_failed")]
    return tap(at, CENTRE)


def plain(session, rng, at):
    """Return the next thing that happens in a game that two sensible people would call a game."""
    if session.phase is Phase.YOUR_TURN:
        return tap(at, rng.choice(list(session.match.game.moves())))
    return events(session, rng, at)


def picture(session, games):
    """Return what must outlive the power, as it is while this session is shown."""
    match = session.match
    return {
        "rule": match.rule,
        "human": match.human,
        "moves": list(match.moves),
        "counted": match.counted,
        "scores": {name: tally._asdict() for name, tally in session.scores._asdict().items()},
        "settings": session.settings._asdict(),
        "games": games,
    }


def play(session, games, rng, happen=events):
    """Yield (session, effects, number of finished games) for each thing that happens, without end."""
    at = 0.0
    session, effects = begin(session, at)
    while True:
        games += sum(isinstance(effect, fx.Archive) for effect in effects)
        yield session, effects, games
        waiting = happen(session, rng, at)
        for number, event in enumerate(waiting):
            at += 0.25
            session, effects = step(session, event)
            if number + 1 < len(waiting):
                games += sum(isinstance(effect, fx.Archive) for effect in effects)
                yield session, effects, games


def carry_out(store, effects):
    """Keep what the effects ask for, as the loop does."""
    for effect in effects:
        if isinstance(effect, fx.Save):
            store.save(effect)
        elif isinstance(effect, fx.Archive):
            store.archive(effect.game)
    store.sync()


def main(directory, seed, steps, when_it_fails="heal"):
    if when_it_fails != "plain":
        database.LOG_FRAMES = 12  # checkpoints often enough for a test
    clock = [0.0]
    wall = itertools.count(1_800_000_000)
    store = Store(Path(directory), lambda _event: None, lambda: clock[0], wall.__next__, Settings())
    kept = store.load()
    os.write(1, b"opened\n")
    beginning = first_session() if kept is None else restore(first_session(), kept)
    happen = plain if when_it_fails == "plain" else events
    for session, effects, games in play(beginning, last_game(store), random.Random(int(seed)), happen):
        if any(isinstance(effect, fx.Draw) for effect in effects):
            os.write(1, (json.dumps(picture(session, games)) + "\n").encode())
        carry_out(store, effects)
        os.write(1, b"synced\n")
        clock[0] += 0.01
        if store.due() is not None:
            os.write(1, b"fault\n")
            if when_it_fails == "stop":
                os._exit(3)
            for _ in range(1 if when_it_fails == "memory" else 1000):
                if store.due() is None:
                    break
                clock[0] += 61.0
                store.service(clock[0])
        steps -= 1
        if steps == 0:
            os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
