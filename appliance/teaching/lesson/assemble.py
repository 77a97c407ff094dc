"""The page of a lesson: scripts, style and words in one file that loads nothing.

The page computes what it shows; its address says what that is. A browser lets a file from disk import no
modules, so the scripts are joined into one, each after those whose names it uses.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import Any

from appliance import __version__

HERE = Path(__file__).parent
STYLESHEETS = ("figure.css", "running.css", "fillin.css", "page.css", "paper.css")


def lesson_page(*, beside_box: bool = False) -> str:
    """Return the whole page. Its policy allows only its own style and script.

    `beside_box` is whether it has a link to the box in a page, which lies in the same folder.
    """
    style, code = joined(STYLESHEETS), script(needed("page.js"))
    words = words_of(sorted(path.stem for path in HERE.glob("words/*.json")))
    parts = {
        "POLICY": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(code)}; "
        "base-uri 'none'; form-action 'none'",
        "VERSION": __version__,
        "BOX": '<p><a href="./" data-text="page.box"></a></p>' if beside_box else "",
        "STYLE": style,
        "NOSCRIPT": "".join(
            f'<p lang="{lang}">{text}</p>'
            for lang, text in zip(words["languages"], words["texts"]["page"]["noscript"], strict=True)
        ),
        # "<" could end the script element or start a comment.
        "WORDS": json.dumps(words, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "SCRIPT": code,
    }
    text = joined(["page.html"])
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def words_of(languages: list[str]) -> dict[str, Any]:
    """Return what a page says: `languages`, and `texts` by group and key, one of each language in this order.

    So the page has each key once.
    """
    said = [json.loads((HERE / f"words/{lang}.json").read_text(encoding="utf-8")) for lang in languages]
    texts = {
        group: {key: [one[group][key] for one in said] for key in keys} for group, keys in said[0].items()
    }
    return {"languages": languages, "texts": texts}


def needed(*roots: str) -> list[str]:
    """Return these scripts and all that they use, each after those that it uses. A circle is an error."""
    uses = _uses()
    found, left = set[str](), [*roots]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += uses[name]
    return [name for name in TopologicalSorter(uses).static_order() if name in found]


def _uses() -> dict[str, list[str]]:
    """Return for each script those with the names that it uses.

    All share one scope: a name at a line's start is every script's. A word is a use, unless it is a property,
    a key, or in a comment or a string.
    """
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.js"))}
    silent = r'/\*.*?\*/|//[^\n]*|"[^"\n]*"'
    codes = {name: re.sub(silent, "", text, flags=re.DOTALL) for name, text in texts.items()}
    declared = r"^(?:async )?(?:class|function\*?|const|let) (\w+|\[.*?\])"
    homes = {
        name: home
        for home, code in codes.items()
        for found in re.findall(declared, code, flags=re.MULTILINE)
        for name in re.findall(r"\w+", found)
    }
    used = r"(?<!(?<!\.\.)\.)\b\w+\b(?!:)"  # after three dots it is no property
    return {
        script: sorted({homes[name] for name in re.findall(used, code) if name in homes} - {script})
        for script, code in codes.items()
    }


def script(names: Iterable[str]) -> str:
    """Return these scripts as one."""
    return '"use strict";\n' + joined(names)


def joined(names: Iterable[str]) -> str:
    """Return the text of these files of the page, one after the other.

    Comments, indentation, empty lines, and the ends of lines that surely go on stay here: they are a third of
    the scripts, and the file is handed out.
    """
    text = "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)
    comments = r"^ */\*.*?\*/\n|/\*\* @type .*?\*/ "
    code = re.sub(comments + r"|^ +| *// [^\n]*$|^\n", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<=[{(\[,;])\n", "", code)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
