"""`tictactoe stats`, `export` and `reset`: what they print and delete."""

import io
import json
import random

import pytest
from store_world import GAME, World, after, fill, numbered

from appliance.cli import main
from appliance.commands import stats
from appliance.core.session.settings import Scores
from appliance.games import figures
from appliance.storage.database import NAME
from appliance.storage.history import summarise
from appliance.storage.rows import Played
from engine import KINDS, Belief

HISTORY = "transcript --from history"


def test_stats_for_a_person(box, tictactoe):
    status, shown, _ = tictactoe("stats")
    assert status == 0
    assert shown.splitlines() == [
        f"7 games in {box}, 4 min of play",
        "",
        "Against the box               won     lost    drawn",
        "  classic    medium             2        1        1",
        "  misere     perfect            1        0        0",
        "  total                         3        1        1",
        "",
        "Matches of two people    player 1 player 2    drawn",
        "  15 January 2027               1        0        1",
        "",
        "Won in a row                  now     best",
        "  medium                        0        2",
        "  perfect                       1        1",
    ]


def test_the_newest_games_of_a_full_history(tictactoe, monkeypatch):
    monkeypatch.setattr(figures, "MAX_GAMES", 8)
    assert tictactoe("stats")[1].startswith("The newest 7 games in")


def test_stats_for_a_program(tictactoe):
    status, shown, _ = tictactoe("stats", "--json")
    assert status == 0
    assert json.loads(shown) == {
        "games": 7,
        "helped": 0,
        "seconds": 210.0,
        "box": [
            {"rule": "classic", "level": "medium", "won": 2, "lost": 1, "drawn": 1},
            {"rule": "misere", "level": "perfect", "won": 1, "lost": 0, "drawn": 0},
        ],
        "matches": [{"day": "2027-01-15", "first": 1, "second": 0, "drawn": 1}],
        "won_in_a_row": {"medium": {"now": 0, "best": 2}, "perfect": {"now": 1, "best": 1}},
        "visits": 0,
        "days": [{"day": "2027-01-15", "games": 7, "visits": 0}],
        "hours": {"8": 7},
        "plays_like": {},
    }


def test_it_says_who_the_adaptive_level_thinks_plays_at_each_rule(tmp_path, tictactoe):
    store = World(tmp_path / "some").open()
    names = list(KINDS)
    beliefs = {
        "vanishing": Belief(0, (1, 2, 3, 9, 4, 1, 1, 1)),
        "classic": Belief(1, (0, 0, 0, 0, 0, 0, 0, 1)),
    }
    store.keep([after(4, scores=Scores(beliefs=beliefs))])
    for _ in "played on", "closed":
        shown = tictactoe("stats", state=tmp_path / "some")[1].splitlines()
        assert shown[-3:] == [
            "At the adaptive level",
            f"  classic    plays like: {names[7]}",
            "  vanishing  plays like: child who blocks now and then",
        ]
        said = json.loads(tictactoe("stats", "--json", state=tmp_path / "some")[1])
        assert said["plays_like"] == {"classic": names[7], "vanishing": names[3]}
        store.close()
    for file in (tmp_path / "some").iterdir():
        file.write_bytes(b"rubbish")
    assert "plays like" not in tictactoe("stats", state=tmp_path / "some")[1]


def test_without_a_database_the_commands_say_so_and_create_none(box, tmp_path, tictactoe, monkeypatch):
    monkeypatch.setattr(stats, "SYSTEM", box)  # not read if a directory is given
    none = tmp_path / "none"
    none.mkdir()
    assert tictactoe("stats", state=none)[:2] == (0, f"Nobody has finished a game yet in {none}.\n")
    assert json.loads(tictactoe("stats", "--json", state=none)[1])["games"] == 0
    assert tictactoe("reset", "--yes", state=none)[:2] == (0, f"Nothing is saved in {none}.\n")
    assert list(none.iterdir()) == []


@pytest.mark.parametrize(
    "command", ["stats", "stats --json", "stats --html", "export", "review", "reset --yes", HISTORY]
)
def test_a_directory_that_is_not_there_is_a_mistake(tictactoe, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    error = "tictactoe: typo: there is no such directory; name the one that has tictactoe.db\n"
    assert tictactoe(*command.split(), state="typo") == (2, "", error)
    assert not (tmp_path / "games.html").exists()


def test_the_default_directory_is_the_configured_one_or_the_services(box, capsys, monkeypatch, tmp_path):
    config, elsewhere = tmp_path / "tictactoe/config.yaml", tmp_path / "elsewhere"
    config.parent.mkdir()
    config.write_text(f"state: {box}\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(stats, "SYSTEM", tmp_path / "none")
    monkeypatch.setenv("STATE_DIRECTORY", str(elsewhere))

    def shown():
        assert main(["stats"]) == 0
        return capsys.readouterr().out

    assert shown().startswith("7 games")
    config.write_text("")
    assert f"Nobody has finished a game yet in {elsewhere}" in shown()
    monkeypatch.setattr(stats, "SYSTEM", box)
    assert shown().startswith("7 games")
    fill(elsewhere, numbered([GAME]))
    assert shown().startswith("1 game in")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (29.4, "29 s"), (60.0, "1 min"), (7000.0, "117 min"), (7260.0, "2 h 1 min")],
)
def test_a_duration_is_shown_in_minutes_or_hours(tmp_path, tictactoe, seconds, text):
    fill(tmp_path / "one", [Played(1, None, GAME._replace(players=2, seconds=seconds))])
    shown = tictactoe("stats", state=tmp_path / "one")[1].splitlines()
    assert shown[0] == f"1 game in {tmp_path / 'one'}, {text} of play"
    assert shown[-1].startswith("  unknown")  # no streaks without games against the box
    assert (
        tictactoe("export", state=tmp_path / "one")[1].splitlines()[1].startswith("1,,")
    )  # no time is known


@pytest.mark.parametrize(
    ("results", "streak"), [("x", (1, 1)), ("ood", (0, 0)), ("xxdxooox", (1, 2)), ("xxo", (0, 2))]
)
def test_the_longest_runs_are_found(results, streak):
    for human, as_human in (("x", "xo"), ("o", "ox")):
        names = dict(zip("xod", (*as_human, "draw"), strict=True))
        games = [GAME._replace(human=human, result=names[result]) for result in results]
        others = [GAME._replace(players=2), GAME._replace(players=0)]
        assert summarise(numbered([*games, *others])).levels == {GAME.level: streak}


def test_many_levels_take_time_in_proportion():
    """A crafted history has as many levels as games."""

    compared = []

    class Name(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other):
            compared.append(self)
            return str.__eq__(self, other)

    games = [GAME._replace(level=Name(f"level-{number}")) for number in range(500)]
    assert len(summarise(numbered(games)).levels) == len(games)
    assert len(compared) < 50 * len(games)


def test_rules_and_levels_are_in_the_order_of_the_menu():
    kinds = [("vanishing", "easy"), ("chess", "easy"), ("classic", "perfect"), ("classic", "easy")]
    found = summarise(numbered([GAME._replace(rule=rule, level=level) for rule, level in kinds]))
    assert [line[:2] for line in found.box] == [kinds[place] for place in (3, 2, 0, 1)]


def test_a_helped_game_is_in_the_history_but_in_no_statistics(tictactoe, tmp_path):
    games = [GAME, GAME._replace(players=2)]
    helped = [game._replace(helped=True, result=result) for game in games for result in "xo"]
    assert summarise(numbered([*games, *helped])) == summarise(numbered(games))._replace(helped=4)
    fill(tmp_path / "some", numbered([GAME, *helped]))
    fill(tmp_path / "none", numbered(helped[:1]))
    first = tictactoe("stats", state=tmp_path / "some")[1].splitlines()[0]
    assert first == f"1 game in {tmp_path / 'some'}, 30 s of play; 4 with help, not counted"
    said = f"Nobody has finished a game yet in {tmp_path / 'none'}; 1 with help, not counted.\n"
    assert tictactoe("stats", state=tmp_path / "none")[:2] == (0, said)


def test_export(tictactoe):
    status, shown, _ = tictactoe("export")
    lines = shown.splitlines()
    assert (status, len(lines)) == (0, 9)
    assert lines[0] == "game,ended,seconds,rule,level,players,human,result,moves,helped"
    assert lines[1] == "1,2027-01-15T08:00:01Z,30.0,classic,medium,1,x,x,5 1 9,0"
    assert lines[6] == "6,2027-01-15T08:00:06Z,30.0,classic,,2,o,o,5 1 9,0"
    status, shown, _ = tictactoe("export", "--format", "jsonl")
    objects = [json.loads(line) for line in shown.splitlines()]
    assert (status, [one["game"] for one in objects]) == (0, list(range(1, 9)))
    assert objects[0]["moves"] == [5, 1, 9]
    assert (objects[5]["level"], objects[5]["human"]) == (None, "o")
    assert (objects[7]["level"], objects[7]["human"]) == ("medium", None)


def test_reset_deletes_everything(box, tictactoe):
    (box / f"{NAME}.tictactoe-new").write_text("old games")
    (box / "letter").write_text("not ours")
    assert tictactoe("reset", "--yes") == (0, "Everything was deleted.\n", "")
    assert [file.name for file in box.iterdir()] == ["letter"]
    assert World(box).open().load() is None


@pytest.mark.parametrize(("answer", "agreed"), [("n", 0), ("", 0), (None, 0), ("yes", 1), ("Y ", 1)])
def test_reset_asks_first(box, tictactoe, monkeypatch, answer, agreed):
    def ask(_prompt):
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda _self: True})())
    monkeypatch.setattr("builtins.input", ask)
    status, shown, _ = tictactoe("reset")
    deleted = (
        "8 finished games, the score, the game in progress, the settings changed from the menu, the visits"
    )
    assert deleted in shown
    assert f"{'Everything' if agreed else 'Nothing'} was deleted." in shown
    assert (status, len(World(box).played())) == ((0, 0) if agreed else (1, 8))


def test_reset_without_a_terminal(box, tictactoe, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    status, _, errors = tictactoe("reset")
    assert (status, "--yes" in errors, len(World(box).played())) == (2, True, 8)


def test_reset_is_rejected_while_the_box_is_running(tmp_path, tictactoe):
    world = World(tmp_path / "box")
    steps = world.drive(random.Random(3), 50)
    status, _, errors = tictactoe("reset", "--yes", state=world.path)
    assert status == 2
    assert "in use by a box that is running" in errors
    assert world.look()[0] == steps[-1]
