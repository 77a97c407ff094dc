"""The transition table as a diagram, and the copy of it in CONTRIBUTING.md."""

from pathlib import Path

from appliance.cli import main
from appliance.core.session import TABLE
from appliance.core.state import Phase

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()


def test_every_phase_and_row_is_in_the_diagram_and_contributing_has_it(capsys):
    assert main(["diagram"]) == 0
    assert f"```mermaid\n{capsys.readouterr().out}```" in CONTRIBUTING, "`tictactoe diagram` prints it"
    assert main(["diagram", "--text"]) == 0
    text = capsys.readouterr().out
    assert all(f"{phase.value}\n" in text for phase in Phase)
    assert "    drift        -> your_turn\n" in text, "a row that stays in its phase"
    assert text.count(" -> ") == sum(map(len, TABLE.values()))
