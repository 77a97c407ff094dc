"""Parse a tree of numbers, written as in books: ((2,7),(1,8))."""

import re

from appliance.core.errors import UserError
from engine.tree import Numbers

DEEPEST = 12  # plies; nobody can read a deeper tree
LARGEST = 99_999  # absolute value; far below the score of a win

TOKEN = re.compile(r"\s*([(),]|[+\-\u2212]?[0-9]+|\S|$)", re.ASCII)  # U+2212 is the typographer's minus


def parse(text: str) -> Numbers:
    """Return the tree in `text`: a number is a leaf, parentheses hold the branches of a position.

    Raise `UserError` with the mistake and its character for anything else.
    """
    node, token = _node(text, TOKEN.match(text), 0)
    if token[1]:
        raise _wrong(token, "the tree is complete before", "remove the rest")
    if isinstance(node, int):
        raise UserError(
            f"{text.strip()} is one number: a tree has branches in parentheses, like ((2,7),(1,8))"
        )
    return node


def _node(text: str, token: re.Match[str] | None, depth: int) -> tuple[Numbers, re.Match[str]]:
    """Return the node that begins at `token`, and the token after it."""
    assert token  # noqa: S101 - the pattern matches everywhere
    if token[1] != "(":
        return _number(token), _next(text, token)
    if depth == DEEPEST:
        raise _wrong(token, f"more than {DEEPEST} parentheses are open at", "make the tree flatter")
    children: list[Numbers] = []
    while token[1] != ")":
        child, token = _node(text, _next(text, token), depth + 1)
        children.append(child)
        if token[1] not in {",", ")"}:
            raise _wrong(token, "',' or ')' is missing before", "separate the branches by commas")
    return tuple(children), _next(text, token)


def _number(token: re.Match[str]) -> int:
    word = token[1]
    if not word[-1:].isdigit():
        raise _wrong(token, "a number or '(' is missing before", "write the tree like ((2,7),(1,8))")
    if len(word) > 20 or abs(value := int(word.replace("\u2212", "-"))) > LARGEST:
        raise UserError(
            f"the number at character {token.start(1) + 1} is too large: the limit is {LARGEST:,} in size"
        )
    return value


def _next(text: str, token: re.Match[str]) -> re.Match[str]:
    found = TOKEN.match(text, token.end())
    assert found  # noqa: S101 - the pattern matches everywhere
    return found


def _wrong(token: re.Match[str], what: str, remedy: str) -> UserError:
    place = f"{token[1]!r}, character {token.start(1) + 1}" if token[1] else "the end"
    return UserError(f"{what} {place}: {remedy}")
