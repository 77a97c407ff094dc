"""The transition table as a diagram, drawn from the table itself."""

from collections import defaultdict

from appliance.core.session import transitions
from appliance.core.state import Phase

# What may happen anywhere would be an arrow from everywhere: it is told in words instead.
EVERYWHERE = {"Blocked", "Stuck", "Condition", "Stop", "drift", "off"}


def mermaid() -> str:
    """Return the diagram in Mermaid's language for state diagrams, a line a pair of phases.

    Transitions from a phase to itself, and those that every lit phase has, are left out.
    """
    arrows: dict[tuple[Phase, Phase], list[str]] = defaultdict(list)
    for source, name, target in transitions():
        if source is not target and name not in EVERYWHERE:
            arrows[source, target].append(name)
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.YOUR_TURN.value}"]
    lines += [
        f"    {source.value} --> {target.value}: {', '.join(names)}"
        for (source, target), names in arrows.items()
    ]
    lines.append(f"    {Phase.ENDED.value} --> [*]")
    return "\n".join(lines)


def table() -> str:
    """Return every transition as text, a line for each phase and what happens in it."""
    rows: dict[tuple[Phase, str], list[str]] = defaultdict(list)
    for source, name, target in transitions():
        rows[source, name].append(target.value)
    width = max(len(name) for _, name in rows)
    lines = []
    for phase in Phase:
        lines.append(phase.value)
        lines += [
            f"    {name:{width}} -> {', '.join(targets)}"
            for (source, name), targets in rows.items()
            if source is phase
        ]
    return "\n".join(lines)
