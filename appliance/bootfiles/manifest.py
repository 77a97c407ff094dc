"""What was put on a card, so that it can be told from what a person has put or changed there since."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.bootfiles.partition import Card
from appliance.errors import UserError
from appliance.yamlfile import printable

FILE = "tictactoe/prepared.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`files` maps the files that were written to their SHA-256, `words` were added to cmdline.txt.

    A file has two of them while it is being replaced, and only then.
    """

    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    def wrote(self, name: str, content: bytes | None) -> bool:
        """Return whether a file with this content is as it was written."""
        return content is not None and digest(content) in self.files.get(name, ())

    def until(self, later: "Manifest") -> "Manifest":
        """Return what is true all the way from this one to a later one, wherever the power is cut."""
        names = {**self.files, **later.files}
        files = {
            name: tuple(dict.fromkeys((*self.files.get(name, ()), *later.files.get(name, ()))))
            for name in names
        }
        return Manifest(files, tuple(dict.fromkeys((*self.words, *later.words))))

    def encoded(self) -> bytes:
        """Return the file's content."""
        note = "written by `tictactoe boot prepare`, and needed by it; not to be edited"
        files = {name: list(digests) for name, digests in sorted(self.files.items())}
        data = {"note": note, "files": files, "words": list(self.words)}
        return (json.dumps(data, indent=1) + "\n").encode()


def read_manifest(card: Card) -> Manifest:
    """Return what was put on a card: nothing, on a fresh one. Raise `UserError` when the file is damaged."""
    content = card.read(FILE)
    if content is None:
        return Manifest()
    try:
        data = json.loads(content)
        files = {name: tuple(digests) for name, digests in data["files"].items()}
        words = tuple(data["words"])
        strings = [*words, *(each for digests in files.values() for each in digests)]
    except (ValueError, KeyError, TypeError, AttributeError):
        strings = [None]
    if not all(isinstance(text, str) for text in strings):
        told = "was edited by hand, so what is whose cannot be told; write the card anew"
        raise UserError(f"{printable(str(card.path(FILE)))}: {told}")
    return Manifest(files, words)


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
