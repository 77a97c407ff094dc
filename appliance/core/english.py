"""English grammar for messages: lists, plurals, capitals, numbers as words, durations."""

from collections.abc import Iterable

NUMBER_WORDS = (
    "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
ORDINALS = (
    "no", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
    "seventeenth", "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return words as a list in a sentence: "1", "1 and 2", "1, 2 and 3"; `last` precedes the last."""
    *before, end = map(str, words)
    return f"{', '.join(before)} {last} {end}" if before else end


def plural(count: int, one: str, several: str = "") -> str:
    """Return `one` for a count of 1, else `several`, which is `one` with an s by default."""
    return one if count == 1 else several or f"{one}s"


def counted(count: int, one: str, several: str = "") -> str:
    """Return a count in figures with its noun: "1 ply", "2 plies"; the arguments are those of `plural`."""
    return f"{count} {plural(count, one, several)}"


def capital(text: str) -> str:
    """Return `text` for the start of a sentence: with a capital, except for the marks x and o."""
    return text if text[:2].rstrip(" '") in {"x", "o"} else text[:1].upper() + text[1:]


def number_word(value: int) -> str:
    """Return a number, as a word up to twenty."""
    return NUMBER_WORDS[value] if value < len(NUMBER_WORDS) else str(value)


def ordinal(value: int) -> str:
    """Return an ordinal, as a word up to the twentieth, then as "21st"."""
    if value < len(ORDINALS):
        return ORDINALS[value]
    ending = "th" if value // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def duration(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
