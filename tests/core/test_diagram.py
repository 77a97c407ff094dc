"""The diagram in CONTRIBUTING.md is that of the transition table."""

from collections import defaultdict
from pathlib import Path

from appliance.core.session import TABLE
from appliance.core.state import Phase

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
# What may happen in nearly every phase: CONTRIBUTING.md says in words where these lead.
EVERYWHERE = {"Blocked", "Condition", "Stop", "drift", "off"}


def mermaid():
    """Yield the diagram in the language of Mermaid, a line for each pair of phases."""
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
