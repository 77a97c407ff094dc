"""`tictactoe bench`: the exact strength of the levels."""

import json
from functools import cache

from appliance.cli import main
from appliance.commands import bench


def test_the_levels(capsys, monkeypatch):
    monkeypatch.setattr(bench, "level_table", cache(bench.level_table))  # printed three times, computed once
    assert main(["bench", "--levels"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| level | against random, first |")
    assert [line.split(" ")[1] for line in lines[2:]] == ["easy", "medium", "hard", "perfect"]
    assert lines[-1].endswith("92.7 / 7.3 / 0.0 | 26.0 / 74.0 / 0.0 |")
    assert main(["bench"]) == 0
    assert capsys.readouterr().out.splitlines() == lines
    assert main(["bench", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["perfect"]["casual, first"][2] == 0
