"""`tictactoe diagram`: the box's transition table, as a diagram or as text."""

import argparse
from collections import defaultdict
from collections.abc import Iterator

from appliance.core.session import TABLE
from appliance.core.state import Phase

HELP = "print the box's transition table as a diagram (Mermaid), or as text"

# What may happen in nearly every phase: CONTRIBUTING.md says in words where these lead.
EVERYWHERE = {"Blocked", "Stuck", "Condition", "Stop", "drift", "off"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--text", action="store_true", help="every transition as plain text")


def run(args: argparse.Namespace) -> int:
    """Print the diagram."""
    print("\n".join(_text() if args.text else mermaid()))
    return 0


def rows() -> Iterator[tuple[Phase, str, list[Phase]]]:
    """Yield every row of TABLE: from which phase, what happens, to which phases by name."""
    for phase, row_of in TABLE.items():
        for trigger, row in row_of.items():
            name = trigger if isinstance(trigger, str) else trigger.__name__
            yield phase, name, sorted(row.to or {phase}, key=lambda target: target.value)


def mermaid() -> Iterator[str]:
    """Yield the diagram in Mermaid's language for state diagrams, a line a pair of phases.

    Transitions from a phase to itself, and those that every lit phase has, are left out.
    """
    arrows: dict[tuple[Phase, Phase], list[str]] = defaultdict(list)
    for source, name, targets in rows():
        for target in targets:
            if source is not target and name not in EVERYWHERE:
                arrows[source, target].append(name)
    yield "stateDiagram-v2"
    yield f"    [*] --> {Phase.YOUR_TURN.value}"
    for (source, target), names in arrows.items():
        yield f"    {source.value} --> {target.value}: {', '.join(names)}"
    yield f"    {Phase.ENDED.value} --> [*]"


def _text() -> Iterator[str]:
    width = max(len(name) for _, name, _ in rows())
    for phase in Phase:
        yield phase.value
        for source, name, targets in rows():
            if source is phase:
                yield f"    {name:{width}} -> {', '.join(target.value for target in targets)}"
