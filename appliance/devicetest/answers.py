"""Answers of the person: by the box's own buttons, or on the terminal. Without either, none comes."""

import contextlib
from collections.abc import Callable, Iterator

from appliance.core.errors import UserError
from appliance.core.keys.events import Hold, KeyEvent, Press
from appliance.core.keys.scan import CENTRE, KEYS
from appliance.core.picture.scene import BoardScene, PageScene, Tile
from appliance.core.words import Words, words
from appliance.devices.keypad import Keypad
from appliance.devicetest.judge import CannotRunError
from appliance.devicetest.rig import BoardRig

YES, AGAIN, NO = 0, 1, 2  # buttons: the top row, where the display has an icon for each
TYPED = {"y": YES, "a": AGAIN, "n": NO}
PATIENCE = 60.0  # seconds for an answer
POLL = 0.02  # seconds between looks at the terminal, without buttons

NOBODY = f"nobody answered for {PATIENCE:.0f} s"

_ICONS = {YES: "yes", AGAIN: "restart", NO: "no"}


def question(rig: BoardRig, text: str, word: str, done: str) -> int | None:
    """Ask a question on display and terminal; return YES, AGAIN or NO, None if nobody answers.

    `done` is the progress, as "2/6".
    """
    rig.say(f"\n    {text} y (button 1), n (button 3), a: show it again (button 2) ")
    rig.show(choices(words(rig.config.settings.language), word, done))
    return pressed(rig, PATIENCE, tuple(_ICONS))


def instruct(rig: BoardRig, text: str, word: str, **names: str) -> None:
    """Say what to do, on display and terminal."""
    rig.say(f"\n    {text} ")
    rig.show(page(words(rig.config.settings.language), word, **names))


def choices(spoken: Words, word: str, done: str) -> BoardScene:
    """Return the picture of a question: the words for it, and an icon for each button that answers."""
    tiles = tuple(Tile(_ICONS.get(key, "")) for key in range(KEYS))
    return BoardScene(tiles, done, notes=(spoken[word],))


def page(spoken: Words, word: str, **names: str) -> PageScene:
    """Return the picture of an instruction."""
    return PageScene(spoken["device_test"], spoken[word].format(**names))


def pressed(
    rig: BoardRig,
    seconds: float = PATIENCE,
    keys: tuple[int, ...] = tuple(range(KEYS)),
    meanwhile: Callable[[], object] = lambda: None,
) -> int | None:
    """Wait until one of these buttons is pressed, or something is typed; return the button, None for nobody.

    Enter stands for the first of the buttons. `meanwhile` is called every few milliseconds. Whoever holds the
    centre ends the whole test: raise `KeyboardInterrupt`.
    """
    with _keypad(rig) as keypad:
        end = rig.now() + seconds
        while rig.now() < end:
            if (typed := rig.typed()) is not None:
                key = TYPED.get(typed[:1].lower(), keys[0] if len(keys) == KEYS else -1)
                if key in keys:
                    return key
            delay = POLL
            if keypad is not None:
                events, delay = keypad.poll(rig.now())
                for event in heed(events):
                    if isinstance(event, Press) and event.key in keys and event.key != CENTRE:
                        return event.key
            meanwhile()
            rig.wait(delay)
    return None


def heed(events: tuple[KeyEvent, ...]) -> tuple[KeyEvent, ...]:
    """Return the events; raise `KeyboardInterrupt` if the centre is held."""
    if any(isinstance(event, Hold) and event.key == CENTRE for event in events):
        raise KeyboardInterrupt
    return events


@contextlib.contextmanager
def _keypad(rig: BoardRig) -> Iterator[Keypad | None]:
    """Claim the keypad; without usable pins there are still answers on the terminal."""
    with contextlib.ExitStack() as stack:
        try:
            keypad, _ = stack.enter_context(rig.keypad(parks=False))
        except (OSError, UserError, CannotRunError):
            yield None
        else:
            yield keypad
