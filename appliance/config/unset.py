"""Whether a configuration file sets nothing. Imports nothing: the splash asks before anything is loaded."""


def empty_sections(text: str) -> dict[str, int] | None:
    """Return the sections of a file that sets nothing, each with its line; None for any other file.

    Such a file has only blank lines, comments, and at the margin sections without a key: `game: # mine`. Any
    other text, even `{}`, counts as setting something. `image/splash` has the same rule in shell.
    """
    sections = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.partition(" #")[0].rstrip(" ")
        name = content.removesuffix(":")
        if name != content and name.isascii() and name.isalpha():
            sections[name] = number
        elif content and content[0] != "#":
            return None
    return sections
