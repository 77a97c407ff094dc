"""A person who does what a message about a configuration says, to the letter and nothing else."""

import re

_LINES = {  # what is to be done: what that replaces in each line, and by what
    "remove this line|move this line into config.txt|.* put # before it": (".+", ""),
    "begin a comment with #": ("^", "# "),
    "write a plain space instead of the no-break space": ("\xa0", " "),
    "indent with spaces, not with a tab": ("\t", "  "),
    "remove what is before the key": (r"^\W+", ""),
    "put brackets around the list": (r"(\d+(, *\d+)+)", r"[\1]"),
    "write a decimal point": (r"(\d), *(\d)", r"\1.\2"),
    "put a space after the colon": (r"(?<=\w):(?=\S)", ": "),
    "write : instead of =": (" *= *", ": "),
    "put a colon after the key": (r"^( *[\w.]+)(?: *(?:->|=>|-|;))? *", r"\1: "),
    "put braces { } around what follows the first colon": ("(?<=: )(.*)", r"{\1}"),
    "end it with a comma": ("$", ","),
    "close the quote": ("""(["'])([^"']*)$""", r"\1\2\1"),
    "close the brace": ("$", "}"),
    "close the bracket": ("$", "]"),
}
_SAYS = r"[(:] ?((?:write|did you mean|remove|move|begin|indent|put|end|close) .*?)\)?$"


def follow(text: str, message: str) -> str | None:
    """Return the text of a file after doing what a message says; None if it does not say what to do.

    The message begins with the number of its line, as in the output of `config check` after the file's name.
    """
    says, lines = re.search(_SAYS, message.rpartition(", found ")[2]), text.split("\n")
    if not says:
        return None
    advice, _, also = says[1].partition("; also ")
    first = int(message.partition(":")[0]) - 1
    places = [first, *(int(one) - 1 for one in re.findall(r"\d+", also))]
    for known, (old, new) in _LINES.items():
        if re.fullmatch(known, advice):
            for place in places:
                lines[place] = re.sub(old, new, lines[place])
            return "\n".join(lines)
    if advice.startswith("indent it like line "):
        model = re.match(" *", lines[int(advice.split()[-1]) - 1])[0]
        for place in places:
            lines[place] = model + lines[place].strip()
    elif advice.startswith('write "display:" instead of [display]'):
        below = False
        for place, line in enumerate(lines):
            below = below or place in places
            name = (
                rf"{line.strip('[] ')}:" if place in places else re.sub(r"^\s*(\w+) *[=:] *", r"  \1: ", line)
            )
            lines[place] = name if below else line
    elif advice == "write the keys without dashes or brackets":
        lines = [line.replace("- ", "  " if "- " not in text[:2] else "") for line in lines]
    elif moved := re.fullmatch(r'write "(\w+:)( .*)?" (?:at the margin|indented under "(\w+:)")', advice):
        value, section = moved[2] or lines[first].partition(":")[2], moved[3]
        if section in lines:
            del lines[first]
            lines.insert(lines.index(section) + 1, f"  {moved[1]}{value}")
        else:
            lines[first] = f"{section}\n  {moved[1]}{value}" if section else f"{moved[1]}{value}"
    elif line := re.fullmatch(r'write "(\w+: .*)" (instead|if the .*)', advice):
        lines[first] = f"  {line[1]}"
    else:
        wrong = re.search(r'found (?:"(.*?)"|\[?(.*?)\]?)(?: in quotes)? \(', message) or re.search(
            r"([^.: ]+)()(?=: (?:unknown key|write ))", message
        )
        right = re.fullmatch(r'(?:write|did you mean) "?(.*?):?"?\??(?:: header .*)?', advice)
        shown = "[ ,]+".join(map(re.escape, re.split("[ ,]+", wrong[1] or wrong[2])))
        lines[first] = re.sub(rf"""(["'\[]?)(?<!\w){shown}(?!\w)["'\]]?""", right[1], lines[first])
    return "\n".join(lines)
