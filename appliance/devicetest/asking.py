"""What the device test asks of the person: a sentence for the terminal, a picture for the display."""

from typing import NamedTuple

from appliance.core.keys.scan import KEYS
from appliance.core.picture.scene import BoardScene, Tile
from appliance.core.words import Words


class Request(NamedTuple):
    """Something to do. `text` is for the terminal; the display has no room for it, and other languages.

    `word` is the key of the display's words for it, `keys` are the buttons meant (bits), which it marks;
    `done` is the progress, as "7/10", and `now` what the terminal says beside it.
    """

    text: str
    word: str
    keys: int = 0
    done: str = ""
    now: str = ""


def picture(request: Request, words: Words) -> BoardScene:
    """Return what the display shows."""
    tiles = tuple(
        Tile(f"={key + 1}", last=True) if request.keys >> key & 1 else Tile() for key in range(KEYS)
    )
    return BoardScene(tiles, request.done, notes=(words[request.word],))
