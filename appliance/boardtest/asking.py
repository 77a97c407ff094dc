"""What the test asks of the person: a sentence for the terminal, a picture for the display; and the answers.

Answers come by the box's own buttons, or from the terminal. Without either, none comes.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from appliance.core.keys.events import Hold, KeyEvent, Press
from appliance.core.keys.scan import CENTRE, KEYS
from appliance.core.picture.scene import BoardScene, PageScene, Tile
from appliance.core.words import Words
from appliance.devices.keypad import Keypad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from appliance.boardtest.rig import Rig

YES, AGAIN, NO = 0, 1, 2  # buttons: the top row, where the display has an icon for each
TYPED = {"y": YES, "a": AGAIN, "n": NO}
PATIENCE = 60.0  # seconds for an answer
POLL = 0.02  # seconds between looks at the terminal, without buttons

NOBODY = f"nobody answered for {PATIENCE:.0f} s"

_ICONS = {YES: "yes", AGAIN: "restart", NO: "no"}


class Prompt(NamedTuple):
    """Something to do, or a question. `text` is for the terminal; the display has no room for it.

    `word` is the key of the display's words for it, which `names` fill in; `keys` are the buttons meant
    (bits), which it marks; `done` is the progress, as "7/10", and `now` what the terminal says beside it.
    A question marks the buttons that answer it.
    """

    text: str
    word: str
    keys: int = 0
    done: str = ""
    now: str = ""
    names: tuple[tuple[str, str], ...] = ()
    question: bool = False


def picture(prompt: Prompt, words: Words) -> BoardScene | PageScene:
    """Return what the display shows."""
    words_for_it = words[prompt.word].format(**dict(prompt.names))
    if prompt.question:
        return BoardScene(
            tuple(Tile(_ICONS.get(key, "")) for key in range(KEYS)), prompt.done, notes=(words_for_it,)
        )
    if prompt.word.startswith("do_"):  # these need the whole display
        return PageScene(words["self_test"], words_for_it)
    tiles = tuple(Tile(f"={key + 1}", last=True) if prompt.keys >> key & 1 else Tile() for key in range(KEYS))
    return BoardScene(tiles, prompt.done, notes=(words_for_it,))


def answer(rig: "Rig", text: str, word: str, done: str) -> int | None:
    """Ask a question; return YES, AGAIN or NO, None if nobody answers. `done` is the progress, as "2/6"."""
    text = f"{text} y (button 1), n (button 3), a: show it again (button 2)"
    rig.ask(Prompt(text, word, done=done, question=True))
    return pressed(rig, PATIENCE, tuple(_ICONS))


def pressed(
    rig: "Rig",
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
def _keypad(rig: "Rig") -> Iterator[Keypad | None]:
    """Claim the keypad; without usable pins there are still answers on the terminal."""
    with contextlib.ExitStack() as stack:
        try:
            keypad = stack.enter_context(rig.game_keypad())
        except Exception:  # noqa: BLE001 - each backend has its own errors
            yield None
        else:
            yield keypad
