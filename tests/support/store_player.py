"""A box that plays by itself, as fast as it can, on a real store, for the tests of power cuts.

`store_player.py DIR SEED STEPS` prints a line, in one write, for each picture it shows. The same seed and the
same start give the same game, so a test knows what must have been kept.
"""

import itertools
import json
import os
import random
import sys
from pathlib import Path

from appliance.core.keys.key_events import Chord, Hold, Press, Release, Tap
from appliance.core.keys.scan import CENTRE
from appliance.core.session import events as fx
from appliance.core.session.events import Answer, Refused, Timeout, Timer
from appliance.core.session.match import Match
from appliance.core.session.menu import page_items
from appliance.core.session.resume import restore
from appliance.core.session.settings import Settings
from appliance.core.session.state import Page, Phase, Session, keepsakes
from appliance.core.session.transitions import begin, step
from appliance.storage import database
from appliance.storage.faults import Unusable
from appliance.storage.store import REST, Store


def last_game(store):
    """Return the number of the last finished game, 0 if there is none or it cannot be read."""
    try:
        newest = store._disk.good[0].newest(1) if store.retry_at is None else []
    except Unusable:
        newest = []
    return newest[0][0] if newest else 0


def tap(at, key):
    return [Press(at, key), Tap(at, key), Release(at, key, soon=True)]


def events(session, rng, at):
    """Return the next event: mostly moves, sometimes anything else that changes what is kept."""
    phase, moves = session.phase, list(session.match.game.moves())
    if phase is Phase.YOUR_TURN:
        game, picked = session.match.game, session.picked
        picks = {key: session.form.pick(game, picked, key) for key in range(9)}
        key, luck = rng.choice([key for key, pick in picks.items() if pick != (None, None)]), rng.random()
        if luck < 0.08:
            return [Press(at, CENTRE), Hold(at, CENTRE)]
        if luck < 0.16:
            return [Press(at, key), Chord(at, (key, (key + 1) % 9))]
        return tap(at, 8 - key if session.settings.turned else key)
    if phase is Phase.THINKING:
        return [Answer(at, session.request.job, rng.choice(moves)), Timeout(at, Timer.PAUSE)]
    if phase is Phase.MENU:
        if rng.random() < 0.2:
            return [Timeout(at, Timer.MENU_IDLE)]
        # From the first page mostly on to the others.
        key = rng.choice([0, 1, 2, 3, 3, 5, 5, 7, 7, 8] if session.page is Page.MAIN else range(9))
        item = page_items(session)[8 - key if session.settings.turned else key]
        # The self-test takes minutes, and changes nothing that is kept.
        return tap(at, CENTRE if item and item.icon == "wrench" else key)
    if phase is Phase.LEAVING:
        return [Refused(at, "did_not_work")]
    return tap(at, CENTRE)


def resumed(kept):
    """Return the session of a box that starts from `kept`, None for nothing."""
    session = Session(Match.new("classic", "x"), Settings())
    return session if kept is None else restore(session, kept)


def picture(session, games):
    """Return what must survive a power cut while this session is shown."""
    match, scores = session.match, session.scores
    return {
        **{name: getattr(match, name) for name in ("rule", "human", "counted", "helped")},
        "moves": list(match.moves),
        "scores": {"box": [*scores.box], "pair": [*scores.pair], "series": [*scores.series]},
        "beliefs": {rule: [losses, [*weights]] for rule, (losses, weights) in scores.beliefs.items()},
        "records": {level: [*record] for level, record in scores.records.items()},
        "settings": session.settings._asdict(),
        "games": games,
    }


def play(kept, games, rng):
    """Yield (picture, what the card must keep) for each step of a box that starts so, forever."""
    at, waiting, before = 0.0, [], resumed(kept)
    session, effects = begin(before, at)
    while True:
        games += sum(isinstance(effect, fx.Archive) for effect in effects)
        yield picture(session, games), keepsakes(before, session, effects)
        waiting = waiting or events(session, rng, at)
        at, before = at + 0.25, session
        session, effects = step(session, waiting.pop(0))


def main(directory, seed, steps):
    database.LOG_FRAMES = 12  # checkpoints often enough for a test
    time, wall = 0.0, itertools.count(1_800_000_000)
    store = Store(Path(directory), lambda _event: None, lambda: time, wall.__next__, Settings())
    steps = itertools.islice(play(store.load(), last_game(store), random.Random(int(seed))), int(steps))
    os.write(1, b"opened\n")
    time = REST  # the first check
    store.keep(())
    for shown, kept in steps:
        os.write(1, (json.dumps(shown) + "\n").encode())
        store.keep(kept)
        os.write(1, b"synced\n")
        if store.retry_at is not None:
            os.write(1, b"fault\n")
            time = store.retry_at
            store.keep(())
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
