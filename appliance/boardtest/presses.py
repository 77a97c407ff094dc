"""Checks 9, 11 and 12: the game's own keypad at rest, in a hurry, and woken, by the kernel's time stamps."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from appliance.boardtest.contacts import Contacts, edges_of
from appliance.boardtest.gpio_lines import HANDS_OFF, PAUSE, closed_keys, pull_up
from appliance.boardtest.plan import CannotRunError, Figure, Figures, milliseconds, percentile, rounded
from appliance.boardtest.prompts import Prompt, heed
from appliance.boardtest.rig import Rig
from appliance.core.keys.key_events import KeyEvent, Press
from appliance.core.keys.scan import KEYS
from appliance.core.picture.scene import BoardScene, Tile
from appliance.devices.keypad import PARKED, Keypad

READS, SCANS = 1000, 200
REST = 5.0  # seconds for which a box at rest is watched, polling and parked
PRESSES = 100
DOUBLE = 0.08  # seconds between two presses of a button: no finger is as fast
NO_PRESS_SECONDS = 10.0  # seconds without a press that end the check
TAPS = 20
PARKED_LOOK_SECONDS = 0.02  # seconds between looks at the columns of a parked keypad
LOST_LOOKS = 3  # such looks at a low column without an edge: it is lost
MISSED = 3  # taps without an edge, after which no more are asked for
ANSWER = 0.3  # seconds from an edge in which its press must come

TAP_FAST = Prompt(f"Tap {PRESSES} times, as fast as you can:", "tap_fast")
WHEN_ASKED = "Tap any button, each time this line or the display says so:"
WAIT, TAP = Prompt(WHEN_ASKED, "looking", now="wait"), Prompt(WHEN_ASKED, "press_any", now="TAP!")


# Check 9


def cost(rig: Rig) -> Figures:
    """Return what a read and a scan take, and what a keypad at rest takes while it polls, and parked."""
    rig.ask(HANDS_OFF)
    rig.wait(PAUSE)
    figures: dict[str, Figure] = {}
    with rig.pins() as claimed:
        pull_up(claimed)
        began = rig.now()
        for _ in range(READS):
            claimed.columns[0].state  # noqa: B018 - reading it is the point
        figures["read_us"] = rounded((rig.now() - began) / READS * 1e6)
        began = rig.now()
        for _ in range(SCANS):
            closed_keys(claimed)
        figures["scan_us"] = rounded((rig.now() - began) / SCANS * 1e6)
    for name, parks in (("polled", False), ("parked", True)):
        with rig.keypad(parks=parks) as (keypad, _):
            _rest(rig, keypad, parks=parks)
            before = rig.usage()
            if parks:
                rig.block(keypad, REST)
            else:
                _let(rig, keypad, REST)
            after = rig.usage()
        figures[f"{name}_wakeups"] = rounded((after.sleeps - before.sleeps) / REST)
        figures[f"{name}_cpu_ms"] = milliseconds((after.seconds - before.seconds) / REST)
    return figures


def _let(rig: Rig, keypad: Keypad, seconds: float) -> None:
    """Run the keypad for so long."""
    end = rig.now() + seconds
    while rig.now() < end:
        _next(rig, keypad, end)


def _rest(rig: Rig, keypad: Keypad, *, parks: bool = True) -> None:
    """Run the keypad until it has been at rest for a while. Raise `CannotRunError` if it does not park."""
    end = rig.now() + NO_PRESS_SECONDS
    _let(rig, keypad, PAUSE)
    while parks and not keypad.parked:
        if rig.now() >= end:
            raise CannotRunError("the keypad does not park: is a button down?")
        _let(rig, keypad, PARKED_LOOK_SECONDS)


def _next(rig: Rig, keypad: Keypad, end: float) -> tuple[KeyEvent, ...]:
    """Poll the keypad, and wait until the next poll is due, or until `end` if it is parked."""
    events, delay = keypad.poll(rig.now())
    if delay == PARKED:
        rig.block(keypad, max(0.0, end - rig.now()))
    else:
        rig.wait(delay)
    return heed(events)


# Check 11


class Pressed(NamedTuple):
    """A press: its key, its time, and the seconds from contact to event and to the display's last byte."""

    key: int
    at: float
    event: float | None = None
    shown: float | None = None


def presses(rig: Rig) -> Figures:
    """Return what becomes of a hundred fast presses."""
    frames = [[rig.render(_marked(key, mark)) for key in range(KEYS)] for mark in "xo"]
    found: list[Pressed] = []
    contacts = Contacts()
    rig.ask(TAP_FAST)
    with rig.keypad() as (keypad, columns):
        for column in columns:
            column.trace()
        last = rig.now()
        while len(found) < PRESSES and rig.now() - last < NO_PRESS_SECONDS:
            events, delay = keypad.poll(rig.now())
            contacts.polled(keypad, edges_of(columns))
            for press in (event for event in heed(events) if isinstance(event, Press)):
                last = rig.now()
                shown = rig.flash(frames[len(found) % 2][press.key])
                found.append(_timed(press, contacts.pressed(), rig.now() if shown else None))
                if len(found) % 10 == 0:
                    rig.say(f" {len(found)}")
            if delay == PARKED:
                rig.block(keypad, NO_PRESS_SECONDS)
            else:
                rig.wait(delay)
    if not found:
        raise CannotRunError("nobody pressed a button")
    if not contacts.edges:
        raise CannotRunError("no edge arrives: see check 12")
    return _summary(found, contacts.lost)


def _marked(key: int, mark: str) -> BoardScene:
    return BoardScene(tuple(Tile(mark if cell == key else "") for cell in range(KEYS)))


def _timed(press: Press, contact: float | None, shown: float | None) -> Pressed:
    if contact is None:
        return Pressed(press.key, press.at)
    return Pressed(press.key, press.at, press.at - contact, None if shown is None else shown - contact)


def _summary(found: Sequence[Pressed], lost: int) -> Figures:
    by_key: dict[int, float] = {}
    doubles = 0
    for press in found:
        doubles += press.at - by_key.get(press.key, -DOUBLE) < DOUBLE
        by_key[press.key] = press.at
    figures: dict[str, Figure] = {"presses": len(found), "doubles": doubles, "lost": lost}
    for name, times in (
        ("event", [press.event for press in found if press.event is not None]),
        ("shown", [press.shown for press in found if press.shown is not None]),
    ):
        if times:
            for percent in (50, 99):
                figures[f"{name}_p{percent}_ms"] = milliseconds(percentile(times, percent))
    return figures


# Check 12


def waking(rig: Rig) -> Figures:
    """Return how many taps wake the parked keypad, and how long each takes from its edge to its press."""
    times: list[float] = []
    missed = 0
    with rig.keypad() as (keypad, columns):
        for column in columns:
            column.trace()
        while len(times) + missed < TAPS and missed < MISSED:
            done = f"{len(times) + missed}/{TAPS}"
            rig.ask(WAIT._replace(done=done))
            _rest(rig, keypad)
            edges_of(columns)
            rig.ask(TAP._replace(done=done))
            if not _edge(rig, keypad, columns):
                missed += 1
            elif (seconds := _press(rig, keypad, columns)) is not None:
                times.append(seconds)
    figures: dict[str, Figure] = {"woken": len(times), "missed": missed}
    if times:
        figures["median_ms"] = milliseconds(percentile(times, 50))
        figures["slowest_ms"] = milliseconds(max(times))
    return figures


def _edge(rig: Rig, keypad: Keypad, columns: Sequence[Any]) -> bool:
    """Wait for a tap; return whether an edge came with it. Raise `CannotRunError` if nobody taps."""
    began, low = rig.now(), 0
    while rig.now() - began < NO_PRESS_SECONDS:
        if rig.block(keypad, PARKED_LOOK_SECONDS):
            return True
        low = 0 if all(column.state for column in columns) else low + 1
        if low == LOST_LOOKS:
            return False
    raise CannotRunError("nobody tapped a button")


def _press(rig: Rig, keypad: Keypad, columns: Sequence[Any]) -> float | None:
    """Return the seconds from the edge to the press; None if it was only a brush."""
    end = rig.now() + ANSWER
    contact = None
    while rig.now() < end:
        events = _next(rig, keypad, end)
        contact = contact or next((edge.at for edge in edges_of(columns) if not edge.rising), None)
        for event in events:
            if isinstance(event, Press) and contact is not None:
                return event.at - contact
    return None
