"""The legend of `tictactoe analyse`: it explains the signs that an output has, and no others."""

import re
import textwrap
from collections.abc import Sequence

Sign = tuple[str, str, str]
"""A pattern to find; the sign's name ("": the text found); its meaning, with fields for groups and facts."""

LEGEND_WIDTH = 79

ENDS = (
    r"\b(?:win|loss) in (?P<n>\d+)",
    "",
    "the game ends with ply {n} if the winner hurries and the loser delays",
)
GUESS = (
    "a guess, good for {mover} above 0: the game was not over {depth} deep, so the search judged the "
    "marks by the lines that they may still complete. A deeper search may disagree."
)
PAGE_SIGNS: tuple[Sign, ...] = (
    (r"\?", "?", "not proven: the search stopped before the end of the game and could only guess"),
    (r"(?m)^value  \?", "best", "the most promising move, since the value is not proven"),
    ENDS,
    (r"(?m)^line", "line", "the moves if both sides play their best"),
    (r"\bpl(?:y|ies)\b", "ply", "one move by one side"),
    (r"visited", "visited", "a position counts each time the search reaches it"),
)
TREE: tuple[Sign, ...] = (
    (r"alpha", "alpha", "the least that {mover} is sure of, from the moves tried so far"),
    (r"beta", "beta", "the most that {other} allows {mover}, from the moves tried so far"),
    (r"-inf", "", "{mover} is sure of nothing yet"),
    (r"\+inf", "", "{other} cannot limit {mover} yet"),
    (r"(?<![<>])=", "=", "exactly this"),
    (r"<=", "<=", "at most this: {mover} has as much elsewhere, so the exact value does not matter"),
    (r">=", ">=", "at least this: {other} allows no more elsewhere, so the exact value does not matter"),
    ENDS,
    (r"(?<!\S)[+-]\d+", "", GUESS),
    (r"(?<!\S)0(?!\S)", "0", "a draw{even}"),
    (r"\bcut \d+", "", "moves not tried: whatever they are worth, the value at the root stays the same"),
    (r"[\d,]+ below", "", "positions visited below this one but not shown"),
)


def legend(*parts: tuple[str, Sequence[Sign]], **facts: str) -> list[tuple[str, str]]:
    """Return (sign, meaning) for the signs found; each part is a text and the signs to look for in it."""
    found: dict[str, tuple[str, str]] = {}
    for text, signs in parts:
        for pattern, sign, meaning in signs:
            match = re.search(pattern, text)
            if match and pattern not in found:
                found[pattern] = sign or match[0], meaning.format(**facts, **match.groupdict())
    return list(found.values())


def legend_lines(entries: Sequence[tuple[str, str]], width: int = LEGEND_WIDTH) -> list[str]:
    """Return a legend as text, a sign and its meaning in two columns."""
    wide = max((len(sign) for sign, _ in entries), default=0)
    lines = []
    for sign, meaning in entries:
        first, rest = f"  {sign:<{wide}}  ", " " * (wide + 4)
        lines += textwrap.wrap(meaning, width, initial_indent=first, subsequent_indent=rest)
    return lines
