"""`make bench`: measure everything on this machine in one run; write BENCHMARKS.md, plots and raw figures.

It takes some minutes, needs no root, and never fails for being slow: it reports the goals that are missed.
Without gcc, valgrind or the network, the rows that need them are marked as not measured.
"""

import json
import sys
import time

import engines
import page
import plots
import rows
import tables
from measure import HERE, ROOT, machine, progress, stand_ins

RESULTS = HERE / "results"


def main():
    """Measure, write, and print the goals."""
    began = time.time()
    figures = {"machine": machine()}
    library = stand_ins()
    figures["engine"], figures["peers"] = engines.measure()
    figures["tables"] = tables.measure()
    figures["bus"] = rows.bus()
    if library:
        figures["start"] = rows.start(library)
        figures["idle"] = rows.idle(library)
        figures["press"] = rows.press(library)
    figures["seconds"] = time.time() - began
    figures["date"] = time.strftime("%Y-%m-%d", time.gmtime(began))
    figures["goals"] = page.goals(figures)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for name, svg in plots.draw(figures).items():
        (RESULTS / name).write_text(svg, encoding="utf-8")
    (ROOT / "BENCHMARKS.md").write_text(page.write(figures), encoding="utf-8")
    progress("BENCHMARKS.md and tests/bench/results are written")
    print("\n\n" + page.goal_table(figures["goals"]))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
