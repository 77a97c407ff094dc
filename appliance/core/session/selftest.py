"""The self-test on the display, for a box without a keyboard: its stages, and what they show.

It needs no working key: each stage has a time limit, and the last one leads back to the saved game. The walk
counts keys, rows and columns as wired; on a box that stands upside down only the picture is turned.
"""

from collections.abc import Iterable, Iterator

from appliance.core.keys import walk as walking
from appliance.core.keys.diagnosis import FAILED, STUCK, Check, single
from appliance.core.keys.key_events import Blocked, Press, Stuck
from appliance.core.keys.scan import COLUMNS, KEYS, keys_of
from appliance.core.picture.scene import BoardScene, PageScene, PatternScene, Scene, Tile
from appliance.core.session.events import Arm, Log, Read, Reading, Timeout, Timer
from appliance.core.session.play import home
from appliance.core.session.state import Phase, SelfTest, Session, Stage, Step, beep, light, renew
from appliance.core.words import Words

# Seconds.
LASTS = {Stage.LET_GO: 10.0, Stage.LIT: 1.5, Stage.EDGES: 1.5, Stage.HANDS_OFF: 1.5}
FOLLOWS = {Stage.LIT: Stage.EDGES, Stage.EDGES: Stage.HANDS_OFF, Stage.HANDS_OFF: Stage.WALK}
KEY_SECONDS = 6.0  # for each key
SCAN_SECONDS = 0.02  # between scans of the walk
PAGE_SECONDS = 4.0  # for each page of the result
RESULT_PAGES = 30  # pages of the result, in a cycle, before the game continues by itself

LISTED = 3  # keys named in a title; if there are more, it gives their number
PIN_LINES = 2  # per page: a display with 32 rows has room for no more


def start(session: Session, at: float) -> Step:
    """Start with the patterns that test the display."""
    return _enter(session, SelfTest(Stage.LIT), at)


def stuck(session: Session, event: Stuck) -> Step:
    """Show which keys are stuck; the others keep working."""
    return session._replace(stuck=event.keys), ()


def stuck_at_start(session: Session, event: Stuck) -> Step:
    """Ask for the release of a key that was down at power-on: the release starts the self-test.

    So a jammed button does not start it, and the box plays without that button.
    """
    session, _ = stuck(session, event)
    if not event.at_start:
        return session, ()
    return _enter(session, SelfTest(Stage.LET_GO, held=event.keys), event.at)


def stuck_in_test(session: Session, event: Stuck) -> Step:
    """Note which keys are stuck; start the test if one that was held at power-on is released."""
    session, _ = stuck(session, event)
    if session.test.stage is not Stage.LET_GO or set(session.test.held) <= set(event.keys):
        return session, ()
    return start(session, event.at)


def time_up(session: Session, event: Timeout) -> Step:
    """Continue with the next stage, scan or page."""
    test = session.test
    if test.page >= RESULT_PAGES - 1:
        return _abandon(session, event.at)
    if test.stage is Stage.LET_GO:
        return end(session, event.at)
    if test.stage is Stage.WALK:
        return session, (Read(),)
    if test.stage is Stage.RESULT:
        return _turn_page(session)
    return _enter(session, SelfTest(FOLLOWS[test.stage]), event.at)


def scan(session: Session, event: Reading) -> Step:
    """Advance the walk by a scan."""
    test = session.test
    if test.stage is not Stage.WALK:
        return session, ()
    walk = walking.advance(test.walk, event.keys, event.at)
    session = session._replace(test=test._replace(walk=walk))
    if walk.over:
        return _report(session)
    tried = walk.found[len(test.walk.found) :]
    heard = beep(session, "press" if tried[0].good else "refuse") if tried else ()
    return session, (*heard, Arm(Timer.TEST, SCAN_SECONDS))


def _report(session: Session) -> Step:
    """Show the result, and write it to the journal."""
    rows = tuple(walking.rows(session.test.walk, session.box.matrix))
    faults = _failed(rows)
    test = session.test._replace(stage=Stage.RESULT, faults=faults)
    lines = (
        Log(f"self-test: {'; '.join(filter(None, (row.what, row.remedy)))}", row in faults) for row in rows
    )
    signal = beep(session, "loss" if faults else "win")
    return session._replace(test=test), (*lines, *signal, Arm(Timer.TEST, PAGE_SECONDS))


def _failed(rows: Iterable[Check]) -> tuple[Check, ...]:
    return tuple(row for row in rows if row.verdict == FAILED)


def _turn_page(session: Session) -> Step:
    session = session._replace(test=session.test._replace(page=session.test.page + 1))
    return session, (Arm(Timer.TEST, PAGE_SECONDS),)


def _unseen(test: SelfTest) -> bool:
    """Return whether pages of the result are left that have not been shown: each has `PIN_LINES` lines."""
    return test.page < sum(-(-len(fault.lines) // PIN_LINES) for fault in test.faults)


def press(session: Session, event: Press | Blocked) -> Step:
    """Turn to the next unseen page of the result, or return to the game. It is not a move.

    It also ends the wait for a jammed button. If it is a key that had no press in the walk, the walk was left
    before its end: return to the game at once.
    """
    test = session.test
    if test.stage not in {Stage.LET_GO, Stage.RESULT}:
        return session, ()
    if isinstance(event, Press):
        key = KEYS - 1 - event.key if session.settings.turned else event.key
        if any(found.key == key and found.unpressed for found in test.walk.found):
            return _abandon(session, event.at)
    return _turn_page(session) if _unseen(test) else end(session, event.at)


def end(session: Session, at: float) -> Step:
    """Return to the game."""
    session, lit = light(session)
    session, effects = home(session, at)
    return session, (*lit, *effects)


def _abandon(session: Session, at: float) -> Step:
    """Return to the game: perhaps whoever started the test left before its end.

    A key without contact may then be one that nobody pressed, and each cause depends on all keys. So unless
    all were pressed, only what was found before the first counts.
    """
    test = session.test
    if not any(found.unpressed for found in test.walk.found):
        return end(session, at)
    faults = _failed(walking.rows(test.walk._replace(found=()), session.box.matrix))
    session, effects = end(session._replace(test=test._replace(faults=faults)), at)
    return session, (Log("self-test: abandoned; the keys count as not tried", warning=False), *effects)


def _enter(session: Session, test: SelfTest, at: float) -> Step:
    if test.stage is Stage.WALK:
        test = test._replace(walk=walking.start(KEY_SECONDS, at))
    # A pending answer is dropped, and requested again at the end.
    session = renew(session._replace(phase=Phase.SELF_TEST, test=test, dimmed=False))
    seconds = LASTS.get(test.stage, SCAN_SECONDS)
    return session, (Arm(Timer.TEST, seconds),)


# What it shows


def scene(session: Session, text: Words) -> Scene:
    """Return the stage's picture."""
    test = session.test
    match test.stage:
        case Stage.LET_GO:
            return PageScene(text["self_test"], text["let_go"])
        case Stage.LIT | Stage.EDGES:
            return PatternScene(edges=test.stage is Stage.EDGES)
        case Stage.RESULT:
            pages = tuple(_result(session, text))
            return pages[test.page % len(pages)]
        case _ if test.walk.key < 0:
            return PageScene(text["self_test"], text["hands_off"])
        case _:
            again = test.walk.readings and not test.walk.pressed
            return _board(session, text["once_more" if again else "press_this"])


def _board(session: Session, *notes: str) -> BoardScene:
    """Return the nine cells: ticked, crossed, stuck or asked for; those of pressed keys are inverted."""
    walk, turned = session.test.walk, session.settings.turned
    cells = [Tile("stuck" if walk.rest >> key & 1 else "") for key in range(KEYS)]
    for found in walk.found:
        cells[found.key] = Tile("yes" if found.good else "no")
    if 0 <= walk.key < KEYS:
        cells[walk.key] = Tile(f"={KEYS - walk.key if turned else walk.key + 1}", last=True)
    lit = tuple(cell._replace(inverse=bool(walk.down >> key & 1)) for key, cell in enumerate(cells))
    count = f"{sum(found.good for found in walk.found)}/{KEYS}"
    return BoardScene(lit[::-1] if turned else lit, count, notes=notes)


def _result(session: Session, text: Words) -> Iterator[Scene]:
    """Yield the pages of the result: the board; each fault's kind, keys and pins, "+" where these go on."""
    faults = session.test.faults
    summary = text["faults"].format(count=len(faults)) if faults else text["all_work"]
    yield _board(session, summary, text["tap_next" if _unseen(session.test) else "tap_play"])
    for fault in faults:
        pins = list(_pins(session, fault, text))
        for first in range(0, len(pins), PIN_LINES):
            before, after = "+ " if first else "", " +" if pins[first + PIN_LINES :] else ""
            shown = "\n".join(pins[first : first + PIN_LINES])
            yield PageScene(_title(session, fault, text), f"{before}{shown}{after}")


def _title(session: Session, fault: Check, text: Words) -> str:
    turned = session.settings.turned
    keys = sorted(KEYS - key if turned else key + 1 for key in keys_of(fault.keys))
    names = ", ".join(map(str, keys)) if len(keys) <= LISTED else text["of_keys"].format(count=len(keys))
    kind = "stuck_key" if fault.fault == STUCK and single(fault.keys) else fault.fault
    return text[kind].format(keys=names)


def _pins(session: Session, fault: Check, text: Words) -> Iterator[str]:
    """Yield a fault's lines, each with its BCM number and its header pin."""
    for kind, index in fault.lines:
        bcm, pin = session.box.matrix.pin((kind, index))
        number = COLUMNS - index if session.settings.turned else index + 1
        yield text["row_pin" if kind == "row" else "column_pin"].format(line=number, bcm=bcm, pin=pin)
