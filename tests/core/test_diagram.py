"""The transition table as a diagram, and the copy of it in CONTRIBUTING.md."""

from pathlib import Path

from appliance.cli import main
from appliance.commands.diagram import mermaid
from appliance.core.session import TABLE
from appliance.core.state import Phase

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()


def test_the_diagram_in_contributing_is_current():
    assert "\n".join(["```mermaid", *mermaid(), "```"]) in CONTRIBUTING, "`tictactoe diagram` prints it"


def test_every_phase_and_every_row_is_there(capsys):
    assert main(["diagram", "--text"]) == 0
    text = capsys.readouterr().out
    for phase in Phase:
        assert f"{phase.value}\n" in text
    assert text.count(" -> ") == sum(map(len, TABLE.values()))


def test_the_command_prints_the_diagram(capsys):
    assert main(["diagram"]) == 0
    assert capsys.readouterr().out.startswith("stateDiagram-v2\n")
