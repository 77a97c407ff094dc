"""What the test asks of the person: a sentence for the terminal, a picture for the display."""

from typing import NamedTuple

from appliance.core.keys.key_events import Hold, KeyEvent
from appliance.core.keys.scan import CENTRE, KEYS
from appliance.core.picture.scene import BoardScene, PageScene, Tile
from appliance.core.words import Words

YES, AGAIN, NO = 0, 1, 2  # buttons: the top row, where the display has an icon for each
ICONS = {YES: "yes", AGAIN: "restart", NO: "no"}


class Prompt(NamedTuple):
    """Something to do, or a question. `text` is for the terminal; the display has no room for it.

    `word` is the key of the display's words for it, which may name a `wire`; `keys` are the buttons meant
    (bits), which it marks; `done` is the progress, as "7/10", and `now` what the terminal says beside it.
    A question marks the buttons that answer it.
    """

    text: str
    word: str
    keys: int = 0
    done: str = ""
    now: str = ""
    wire: str = ""
    question: bool = False


def question_picture(prompt: Prompt, words: Words) -> BoardScene | PageScene:
    """Return what the display shows."""
    words_for_it = words[prompt.word].format(wire=prompt.wire)
    if prompt.question:
        return BoardScene(
            tuple(Tile(ICONS.get(key, "")) for key in range(KEYS)), prompt.done, notes=(words_for_it,)
        )
    if prompt.word.startswith("do_"):  # these need the whole display
        return PageScene(words["self_test"], words_for_it)
    tiles = tuple(Tile(f"={key + 1}", last=True) if prompt.keys >> key & 1 else Tile() for key in range(KEYS))
    return BoardScene(tiles, prompt.done, notes=(words_for_it,))


def heed(events: tuple[KeyEvent, ...]) -> tuple[KeyEvent, ...]:
    """Return the events; raise `KeyboardInterrupt` if the centre is held."""
    if any(isinstance(event, Hold) and event.key == CENTRE for event in events):
        raise KeyboardInterrupt
    return events
