"""`make bench`: measure everything on this machine in one run; write BENCHMARKS.md and the raw figures.

It takes some minutes, needs no root, and never fails for being slow: it reports the goals that are missed.
Without gcc or valgrind, what needs them is marked as not measured.

`python tests/bench PART ...` prints the figures of these parts, and writes nothing. `python tests/bench page`
writes the page again from the raw figures.
"""

import json
import sys
import time

import box
import page
import searches
import wire
from measure import BUILD, HERE, ROOT, machine, progress, stand_ins

FIGURES = HERE / "results" / "figures.json"
PARTS = {
    "engine": searches.ways,
    "boards": searches.boards,
    "variations": searches.variations,
    "bus": wire.measure,
}
BOX = {"start": box.start, "idle": box.idle, "press": box.press}  # these run over the compiled stand-ins


def measure(names):
    """Return name -> figures of these parts, those that can be measured here."""
    BUILD.mkdir(parents=True, exist_ok=True)
    library = stand_ins() if set(names) & set(BOX) else ""
    figures = {}
    for name in names:
        progress(name)
        if name in PARTS:
            figures[name] = PARTS[name]()
        elif library:
            figures[name] = BOX[name](library)
    return figures


def main(names):
    """Measure, write, and print the goals."""
    if names == ["page"]:
        figures = json.loads(FIGURES.read_text("utf-8"))
    elif names:
        for name, figures in measure(names).items():
            print(name, json.dumps(figures))  # noqa: T201
        return
    else:
        began, figures = time.time(), {"machine": machine()}
        figures |= measure([*PARTS, *BOX])
        figures |= {"seconds": time.time() - began, "date": time.strftime("%Y-%m-%d", time.gmtime(began))}
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    (ROOT / "BENCHMARKS.md").write_text(page.write(figures), encoding="utf-8")
    print(page.goal_table(figures))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
