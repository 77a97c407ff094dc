"""What a box loses on a worn card: measured from the outside, by any store.

Only `Store`, `History` and the files `tictactoe*.db*` are used, so that it runs unchanged on another store.
`worn_table.py` has the harms, and prints the table.

A box with 2,040 games, a score, a setting and a game in progress is stopped. Its files are harmed, and it is
started again for twenty minutes of virtual time; at once, and after ten minutes, the score changes and a game
is added. Then the plug is pulled; the next start, and `History` beside it, show what is left.
"""

import itertools
import json
import logging
import os
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from worn_card import FOR_EVER, STAYS, card

from appliance.core.errors import UserError
from appliance.core.session.events import Archive, Saved
from appliance.core.session.match import Finished, Match
from appliance.core.session.resume import restore
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.core.session.state import Session
from appliance.storage.history import History
from appliance.storage.store import Store
from engine import RULES

GAMES = 2040
TIME, STEP, PATIENCE = 1200, 5, 120  # seconds of a life, and between two calls of the store's thread
NAMES = ("tictactoe.db", "tictactoe-2.db")
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  # faster than a disk
WON = Match.replay("classic", "x", (0, 3, 1, 4, 2))._replace(counted=True)
UNDER_WAY, SET = Match.replay("classic", "x", (4, 0)), Settings(language="de")


class Case(NamedTuple):
    """A stopped box's files, what is overwritten in them, and what cannot be read: (name, first, last)."""

    files: dict
    wrong: tuple = ()  # (name, place, bytes)
    dead: tuple = ()
    seconds: float = FOR_EVER
    kind: tuple = STAYS


def games(count, seed):
    """Return finished games whose moves were drawn, no two alike: they took other times."""
    rng = Random(seed)
    for number in range(count):
        game, moves = RULES["classic"].start(), []
        while game.outcome is None:
            moves.append(rng.choice(list(game.moves())))
            game = game.play(moves[-1])
        yield Finished("classic", "medium", 1, "x", tuple(moves), game.outcome, seed * GAMES + number + 0.5)


def forked(function, *arguments):
    """Return what a function returns in a process of its own that ends there, as if its plug were pulled."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            with os.fdopen(writing, "w") as pipe:
                json.dump(function(*arguments), pipe)
        except Exception:  # noqa: BLE001  # the parent then reads nothing
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text)


def opened(home, start=0):
    """Return a store on the card's clock."""
    wall = itertools.count(1_800_000_000 + start)
    return Store(home, lambda _event: None, lambda: card().now, lambda: float(next(wall)), Settings())


def read(home):
    """Return the games that can be read, each with how often, and what is said about those that cannot."""
    history, numbers = History(home), Counter()
    try:
        numbers.update(repr((one.ended, one.game)) for one in history.games())
    except UserError as error:
        return numbers, str(error)
    return numbers, history.note


def view(kept):
    """Return game, score and setting as a box that starts so has them."""
    session = Session(Match.new("classic", "x"), Settings())
    session = session if kept is None else restore(session, kept)
    return session, {
        "game": session.match._replace(started=None) == UNDER_WAY, "score": session.scores.box.first,
        "setting": session.settings == SET,
    }  # fmt: skip


def saves(store, said):
    """Return whether a store saves; note its problem, if it has one."""
    if store.problem:
        said.add(f"{store.problem}")
    return not store.problem or store.problem.state != "unusable"


def listening():
    """Return a set that gets what the box logs as a warning or worse."""
    said, logger = set(), logging.getLogger("tictactoe")
    logger.handlers, logger.propagate = [logging.Handler(logging.WARNING)], False
    logger.handlers[0].emit = lambda record: said.add(record.getMessage())
    return said


def live(home):
    """Start a box, and let it be used for twenty minutes."""
    said, saved = listening(), None
    store = opened(home, GAMES)
    session, seen = view(store.load())
    more, scores = list(games(2, seed=2)), session.scores
    at = 0
    while at <= TIME:
        card().now, effects = float(at), ()
        if at in (0, TIME // 2):
            scores = scores._replace(box=scores.box._replace(first=scores.box.first + 1))
            effects = (Saved(session.match, scores, session.settings), Archive(more.pop(0)))
        store.keep(effects)
        saved = (at if saved is None else saved) if saves(store, said) else None
        at += STEP if saved is not None or at < PATIENCE else 12 * STEP  # a failing start takes long
    return {"seen": seen, "saved": saved, "said": sorted(said)}


def look(home):
    """Start the box once more, and ask as `tictactoe stats` does."""
    said = listening()
    store = opened(home, 2 * GAMES)
    _, seen = view(store.load())
    store.keep(())
    saves(store, said)
    numbers, note = read(home)
    return {"seen": seen, "games": numbers, "note": note, "said": sorted(said)}


def stopped(home, how, singly, before):
    """Let a box that has played `before` games play others one by one, and stop it.

    Return for each but the first whether SQLite has copied the log into the database.
    """
    card().renew()
    played, sizes = list(games(before + singly, seed=1)), []
    if before and not home.exists():
        store = opened(home)
        for at in range(0, before, 100):
            store.keep([Archive(game) for game in played[at : min(at + 100, before)]])
        store.close()
    store = opened(home, before)
    for won, game in enumerate(played[before:], before + 1):
        store.keep([Saved(WON, Scores(Tally(won)), SET), Archive(game)])
        sizes.append((home / NAMES[0]).read_bytes())
    store.keep([Saved(UNDER_WAY, Scores(Tally(before + singly)), SET)])
    if how == "closed":
        store.close()
    return [before != after for before, after in itertools.pairwise(sizes)]


def boxes():
    """Return the files of the box in each way to stop it: its log is gone, full, short, or begun again."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        probe = forked(stopped, Path(folder) / "probe", "killed", 120, GAMES - 120)
        full = max(2, [*probe, True].index(True))  # so many games fit into the log
        ways = {"closed": 8, "full log": full - 1, "short log": 3, "log begun again": full + 4}
        for how, singly in ways.items():
            forked(stopped, home := Path(folder) / how, how, singly, GAMES - singly)
            yield how, {file.name: file.read_bytes() for file in home.iterdir()}


def outcome(case):
    """Return what a box loses in a case."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        home, wear = Path(folder) / "box", card()
        home.mkdir()
        for name, content in case.files.items():
            data = bytearray(content)
            for where, at, new in case.wrong:
                if where == name:
                    data[at : at + len(new)] = new
            (home / name).write_bytes(data)
        if (box := id(case.files)) not in SOUND:
            SOUND[box] = forked(sound, case.files, Path(folder) / "sound")
        before = SOUND[box]
        wear.renew(case.kind)
        for name, first, last in case.dead:
            wear.harm(home / name, first, last, case.seconds)
        life = forked(live, home)
        wear.forget_cache()
        rest = forked(look, home)
    wanted, left = Counter(before["games"]), Counter(rest["games"])
    lost, strange = (wanted - left).total(), (left - wanted).total()
    right = {name: rest["seen"][name] == value for name, value in before["seen"].items()}
    said = [*life["said"], *rest["said"], *filter(None, [rest["note"]])]
    return {
        "start": life["seen"] == {**before["seen"], "score": before["seen"]["score"] - 2},
        "whole": not lost and not strange and all(right.values()), "told": bool(said), "saved": life["saved"],
        "lost": lost, "strange": strange, "refused": not left, **right, "said": said,
        "harm": str((case.dead or case.wrong)[:1]),
    }  # fmt: skip


SOUND = {}  # a box's files, by their identity -> what it has after the same life on a sound card


def sound(files, home):
    card().renew()
    home.mkdir()
    for name, content in files.items():
        (home / name).write_bytes(content)
    forked(live, home)
    return forked(look, home)


if __name__ == "__main__":  # for a machine that has only this file and worn_card.py
    print(json.dumps({"live": live, "look": look}[sys.argv[1]](Path(sys.argv[2]))))  # noqa: T201
