"""What a terminal sends, read: bytes -> keys and clicks. The bytes may come in pieces of any length.

Sequences after ECMA-48: CSI (ESC [), SS3 (ESC O), and the strings (DCS, SOS, OSC, PM, APC). The mouse after
xterm's modes 1000 and 1006, pastes after its mode 2004, true key releases after kitty's keyboard protocol.
What is none of these is dropped, never taken for keys.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """A key was typed: one printable ASCII character, or a name: "escape", "enter", "ctrl-c".

    `down` is True or False where the terminal tells presses and releases apart, None where it cannot.
    """

    name: str
    down: bool | None = None


@dataclass(frozen=True, slots=True)
class Click:
    """The left mouse button went down or up over a character, counted from 0 at the top left."""

    column: int
    row: int
    down: bool


@dataclass(frozen=True, slots=True)
class TellsReleases:
    """The terminal's answer to ASK_RELEASES: it can tell when a key is let go."""


Token = Key | Click | TellsReleases

ASK_RELEASES = "\x1b[?u"
# To disambiguate (1), to tell presses from releases (2) for all keys (8), with the text that they mean (16).
TELL_RELEASES = "\x1b[>27u"
END_RELEASES = "\x1b[<u"

LONE_ESCAPE = 0.05  # seconds of silence after which an ESC was the key itself
LOST = 1.0  # seconds of silence after which the rest of a sequence or a paste has got lost
LONGEST = 4096  # bytes of one sequence; a longer one is rubbish

_CSI = re.compile(rb"\x1b\[([0-?]*)[ -/]*([@-~])?", re.DOTALL)
_STRING = re.compile(rb"\x1b[PX^_\]].*?(?:\x1b\\|\x07|[\x18\x1a])", re.DOTALL)
_NAMES = {13: "enter", 9: "tab", 27: "escape", 127: "backspace", 8: "backspace", 10: "enter"}
_PASTE_ENDS = b"\x1b[201~"


class Keyboard:
    """Reads the stream of bytes that comes from one terminal."""

    def __init__(self) -> None:
        self._bytes = b""  # the beginning of something that is not complete yet
        self._pasting = False
        self._due: float | None = None
        self._codes: dict[int, str] = {}  # kitty's codes of the keys that are down -> what they mean

    def due(self) -> float | None:
        """Return when `flush` wants to be called if nothing more comes, None for never."""
        return self._due

    def feed(self, data: bytes, now: float) -> list[Token]:
        """Return what is complete after these bytes."""
        self._bytes += data
        tokens: list[Token] = []
        while self._bytes:
            taken = self._paste() if self._pasting else self._one(tokens)
            if not taken:
                break
            self._bytes = self._bytes[taken:]
        if len(self._bytes) > LONGEST:
            self._bytes = b""
        self._due = None
        if self._pasting or self._bytes:
            self._due = now + (LONE_ESCAPE if self._bytes == b"\x1b" and not self._pasting else LOST)
        return tokens

    def flush(self, now: float) -> list[Token]:
        """Return what the pending bytes mean now that nothing more has come; nothing before it is due."""
        if self._due is None or now < self._due:
            return []
        lone = self._bytes == b"\x1b" and not self._pasting
        self._bytes, self._pasting, self._due = b"", False, None
        return [Key("escape")] if lone else []

    def _paste(self) -> int:
        """Return how many bytes of a paste can be dropped."""
        end = self._bytes.find(_PASTE_ENDS)
        if end >= 0:
            self._pasting = False
            return end + len(_PASTE_ENDS)
        return max(0, len(self._bytes) - len(_PASTE_ENDS) + 1)

    def _one(self, tokens: list[Token]) -> int:
        """Read one thing from the front; return the bytes that it takes, 0 when it is not complete."""
        data = self._bytes
        first = data[0]
        if first != 0x1B:
            if 0x20 <= first < 0x7F:
                tokens.append(Key(chr(first)))
            elif first < 0x80:
                tokens.append(Key(_NAMES.get(first) or f"ctrl-{chr(first | 0x60)}"))
            return 1  # a byte of a longer character is no key here
        if len(data) == 1:
            return 0
        if csi := _CSI.match(data):
            return self._csi(csi, tokens)
        match data[1:2]:
            case b"O":
                return 3 if len(data) >= 3 else 0
            case b"P" | b"X" | b"^" | b"_" | b"]":
                string = _STRING.match(data)
                return string.end() if string else 0
            case b"\x1b":
                tokens.append(Key("escape"))
                return 1
        return 2  # with Alt: no key here

    def _csi(self, match: re.Match[bytes], tokens: list[Token]) -> int:
        end = match.end()
        if match[2] is None:
            # Either more is to come, or something stands here that no sequence has: drop it up to there.
            return 0 if end == len(self._bytes) else end
        parameters, final = match[1].decode("ascii"), match[2]
        if final == b"M" and not parameters:  # a click in the old form, three more bytes
            return end + 3 if len(self._bytes) >= end + 3 else 0
        if final in b"Mm" and parameters.startswith("<"):
            tokens.extend(_click(parameters[1:], down=final == b"M"))
        elif final == b"u":
            tokens.extend(self._kitty(parameters))
        elif final == b"~" and parameters == "200":
            self._pasting = True
        return end

    def _kitty(self, parameters: str) -> list[Token]:
        """Read `code:shifted:base ; modifiers:event ; text`, each part but the first optional."""
        if parameters.startswith("?"):
            return [TellsReleases()]
        fields = [
            [int(part) if part.isdecimal() else 0 for part in field.split(":")]
            for field in parameters.split(";")
        ]
        code = fields[0][0]
        modifiers = max(0, fields[1][0] - 1) if len(fields) > 1 else 0
        event = fields[1][1] if len(fields) > 1 and len(fields[1]) > 1 else 1
        if event == 2:  # repeated, because it is still down
            return []
        if event == 3:
            name = self._codes.pop(code, "")
            return [Key(name, down=False)] if name else []
        text = fields[2][0] if len(fields) > 2 else code
        if 57399 <= code <= 57408:  # the number pad
            text = code - 57399 + ord("0")
        name = _NAMES.get(code, "") or (chr(text) if 0x20 <= text < 0x7F else "")
        if modifiers & 4:
            name = f"ctrl-{name}"
        elif modifiers & ~0b11000001:  # more than shift and the locks
            return []
        if not name:
            return []
        self._codes[code] = name
        return [Key(name, down=True)]


def _click(parameters: str, *, down: bool) -> list[Token]:
    numbers = [int(part) for part in parameters.split(";") if part.isdecimal()]
    # The lowest two bits are the button (0 the left one); bits 32 and up are motion, the wheel, more buttons.
    if len(numbers) != 3 or numbers[0] & ~0b11100:
        return []
    return [Click(numbers[1] - 1, numbers[2] - 1, down)]
