"""CONTRIBUTING.md has the diagram of the transition table."""

from collections import defaultdict
from pathlib import Path

from appliance.core.session.state import Phase
from appliance.core.session.transitions import TABLE

CONTRIBUTING = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text()
# Triggers of nearly every phase: CONTRIBUTING.md describes them in words.
EVERYWHERE = {"Blocked", "Condition", "StopSignal", "drift", "off", "visit"}


def mermaid():
    """Yield the lines of the Mermaid diagram, one for each pair of phases."""
    arrows = defaultdict(list)
    for source, rows in TABLE.items():
        for trigger, row in rows.items():
            name = trigger if isinstance(trigger, str) else trigger.__name__
            for target in sorted(row.to - {source}, key=lambda phase: phase.value):
                if name not in EVERYWHERE:
                    arrows[source, target].append(name)
    yield "stateDiagram-v2"
    yield f"    [*] --> {Phase.YOUR_TURN.value}"
    for (source, target), names in arrows.items():
        yield f"    {source.value} --> {target.value}: {', '.join(names)}"
    yield f"    {Phase.ENDED.value} --> [*]"


def test_contributing_has_the_diagram_of_the_transition_table():
    diagram = "\n".join(mermaid())
    assert f"```mermaid\n{diagram}\n```" in CONTRIBUTING, f"it is now:\n{diagram}"
