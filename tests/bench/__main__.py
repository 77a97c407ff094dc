"""`make bench`: measure everything on this machine in one run; write BENCHMARKS.md and the raw figures.

It takes some minutes, needs gcc, valgrind and no root, and never fails for being slow: it reports the goals
that are missed.

`python tests/bench PART ...` prints the figures of these parts, and writes nothing. `python tests/bench page`
writes the page again from the raw figures.
"""

import json
import shutil
import sys
import time

import box
import page
import searches
import wire
from measure import BUILD, HERE, ROOT, machine, progress

FIGURES = HERE / "results" / "figures.json"
PARTS = {
    "engine": searches.ways,
    "boards": searches.boards,
    "variations": searches.variations,
    "bus": wire.measure,
    "start": box.start,
    "idle": box.idle,
    "press": box.press,
}


def measure(names):
    """Return name -> figures of these parts."""
    BUILD.mkdir(parents=True, exist_ok=True)
    figures = {}
    for name in names:
        progress(name)
        figures[name] = PARTS[name]()
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
        for tool in ("gcc", "valgrind"):
            if not shutil.which(tool):
                sys.exit(f"make bench: {tool} is missing. Remedy: sudo apt install {tool}")
        began, figures = time.time(), {"machine": machine()}
        figures |= measure(PARTS)
        figures |= {"seconds": time.time() - began, "date": time.strftime("%Y-%m-%d", time.gmtime(began))}
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    (ROOT / "BENCHMARKS.md").write_text(page.write(figures), encoding="utf-8")
    print(page.goal_table(figures))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
