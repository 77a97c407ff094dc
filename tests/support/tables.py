"""Write the tables that follow from the code: `python tests/support/tables.py [RULE...]`.

They are the keys of the configuration and, for each rule that is named, what people can expect by it.
"""

import re
import sys
from functools import partial
from pathlib import Path

import ratings
from chances import Model, level_rows, table
from courses import course_line, visit_line
from visitors import PEOPLE

from appliance.config.schema import KEYS, Config
from engine import SOLVED
from engine.people import POINTS

ROOT = Path(__file__).parents[2]


def key_rows():
    """Return the rows of docs/configuration.md: each key, its default, what it means, and its values."""
    return [
        f"| `{key.path}` | `{key.kind.write(key.value(Config()))}` | {key.meaning} | {key.kind.expected} |"
        for key in KEYS.values()
    ]


def put(page, head, start, rows):
    """Set the rows that begin with `start` in the table with this head; new ones go to its end."""
    blocks = (ROOT / page).read_text().split("\n\n")
    number = next(number for number, block in enumerate(blocks) if head in block)
    lines = blocks[number].rstrip("\n").split("\n")
    at = next((at for at, line in enumerate(lines) if line.startswith(start)), len(lines))
    lines = [line for line in lines if not line.startswith(start)]
    lines[at:at] = rows
    blocks[number] = "\n".join(lines) + "\n" * blocks[number].endswith("\n")
    (ROOT / page).write_text("\n\n".join(blocks))


def put_points(rule):
    """Set the points of a rule in `engine.people`."""
    POINTS[rule] = table(rule) if rule in SOLVED else ratings.table(rule)
    file, end = ROOT / "engine/people.py", "}\n# fmt: on\n"
    rows = "".join(f"        ({', '.join(map(str, row))}),\n" for row in POINTS[rule])
    new, text = f'    "{rule}": (\n{rows}    ),\n', file.read_text()
    old = re.search(rf'    "{rule}": \((\n {{8}}.*)*\n    \),\n', text)
    file.write_text(text.replace(old[0], new) if old else text.replace(end, new + end))


if __name__ == "__main__":
    put("docs/configuration.md", "| key |", "| `", key_rows())
    for name in sys.argv[1:]:
        put_points(name)
        odds = Model(name).odds if name in SOLVED else partial(ratings.odds, name)
        put("docs/engine.md", "| rule, level |", f"| {name}, ", level_rows(name, odds))
        put(
            "tests/engine/strength.md",
            "| rule | person |",
            f"| {name} |",
            [course_line(name, who) for who in PEOPLE],
        )
        put("tests/engine/strength.md", "| rule | child ", f"| {name} |", [visit_line(name)])
