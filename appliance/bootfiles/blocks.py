"""Our lines in somebody else's file: one marked block that can be found, replaced and taken out again.

Pure over text. Both markers are `#` comments, which config.txt and YAML share. The first carries a checksum
of the lines between them, so that a block edited by hand is noticed and never overwritten.

    # >>> tictactoe boot prepare writes the lines down to <<< (5d41402a)
    dtparam=i2c_arm=on
    # <<< tictactoe boot prepare
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

_BEGIN = "# >>> tictactoe boot prepare writes the lines down to <<<"
_END = "# <<< tictactoe boot prepare"
_JOINED = ", and ended the line above"
_BEGIN_LINE = re.compile(rf"( *){re.escape(_BEGIN)} \(([0-9a-f]{{8}})({re.escape(_JOINED)})?\)\s*")
_LOOKS_OURS = re.compile(r"\s*#\s*(>>>|<<<)\s*tictactoe")


class BlockEditedError(Exception):
    """A block is not as it was written. `line` counts from 1, `what` says what is wrong with it."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class Block:
    """Where a block stands in a text: `text[start:end]`, both markers and their line ends included.

    `lines` are those between the markers, without indentation and line ends. `joined` tells that the text
    ended without a line end when the block was put there.
    """

    start: int
    end: int
    lines: tuple[str, ...]
    joined: bool


def lines_of(text: str) -> list[str]:
    """Return the lines with their ends. Only a line feed ends a line: the firmware knows no other."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def newline_of(text: str) -> str:
    r"""Return the line end that the text's first line has: "\r\n" or "\n"."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def find(text: str) -> list[Block]:
    """Return the blocks in the order in which they stand. Raise `BlockEditedError` when one is damaged."""
    blocks: list[Block] = []
    begin: tuple[int, int, re.Match[str]] | None = None  # where the open block starts, on which line
    body: list[str] = []
    offset = 0
    for number, line in enumerate(lines_of(text), 1):
        opened = _BEGIN_LINE.fullmatch(line)
        if opened:
            if begin:
                raise BlockEditedError(begin[1], "the block begins a second time before its end")
            begin, body = (offset, number, opened), []
        elif line.strip() == _END:
            if not begin:
                raise BlockEditedError(number, "the end of the block stands here without its beginning")
            start, first, match = begin
            if _checksum(body, match[1]) != match[2]:
                raise BlockEditedError(first, "the lines of the block were edited by hand")
            lines = tuple(line.rstrip("\r\n").removeprefix(match[1]) for line in body)
            blocks.append(Block(start, offset + len(line), lines, joined=bool(match[3])))
            begin = None
        elif _LOOKS_OURS.match(line):
            raise BlockEditedError(number, "a marker of the block was edited by hand")
        elif begin:
            body.append(line)
        offset += len(line)
    if begin:
        raise BlockEditedError(begin[1], "the block has lost its end")
    return blocks


def strip(text: str) -> str:
    """Return the text without its blocks: what `insert` was given, when nothing else has changed since."""
    for block in reversed(find(text)):
        before, after = text[: block.start], text[block.end :]
        # The line end that `insert` added goes too, unless a line was written below since then.
        text = before.removesuffix(newline_of(text)) if block.joined and not after else before + after
    return text


def same(one: str, other: str) -> bool:
    """Return whether two texts differ in nothing but where their blocks stand and how their lines end."""
    lines = [[block.lines for block in find(text)] for text in (one, other)]
    return lines[0] == lines[1] and strip(one) == strip(other)


def insert(text: str, at: int, body: Sequence[str], indent: str = "") -> str:
    """Return the text with a block of these lines at the offset `at`: the start of a line, or the text's end.

    The lines carry no line end; they are indented by `indent` and end as the text's own lines do.
    """
    newline = newline_of(text)
    joined = at == len(text) and bool(text) and not text.endswith("\n")
    lines = [indent + line if line else "" for line in body]
    begin = f"{indent}{_BEGIN} ({_checksum(lines, indent)}{_JOINED if joined else ''})"
    block = "".join(line + newline for line in [begin, *lines, indent + _END])
    return text[:at] + (newline if joined else "") + block + text[at:]


def _checksum(lines: Sequence[str], indent: str) -> str:
    """Return a checksum that line ends do not change: an editor on another computer may turn them all."""
    content = "\n".join([indent, *(line.rstrip("\r\n") for line in lines)])
    return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:8]
