"""games.html: its figures are the database's, its reviews the command's, whatever is in the history."""

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_reader import PageReader, check
from session_rig import games
from store_world import GAME, MEMORY, WALL, World, close_all, fill, numbered

from appliance.cli import main
from appliance.core.session.events import CountVisit
from appliance.core.session.match import Finished
from appliance.core.session.settings import LEVEL_NAMES, RULE_NAMES
from appliance.games import figures
from appliance.games import page as pages
from appliance.games.figures import gather
from appliance.games.page import contents, games_page
from appliance.games.saved import write_csv
from appliance.storage.database import NAME
from appliance.storage.days import DAY_SECONDS
from appliance.storage.history import History
from appliance.storage.rows import LATEST, Played, written
from engine import RULES

WON = GAME._replace(moves=(0, 3, 1, 4, 2))
LOST = GAME._replace(human="o", moves=(0, 4, 8, 2, 6, 3, 7), result="x")


@st.composite
def legal(draw):
    """A game by its rule, perhaps not to its end."""
    rule = draw(st.sampled_from(sorted(RULES)))
    game, moves = RULES[rule].start(), []
    for choice in draw(st.lists(st.integers(0, 8), max_size=12)):
        if game.terminal:
            break
        moves.append(game.moves()[choice % len(game.moves())])
        game = game.play(moves[-1])
    return rule, tuple(moves), game.outcome or "draw"


ANY = st.tuples(
    st.sampled_from(["chess", *RULE_NAMES]), st.lists(st.integers(0, 8), max_size=12).map(tuple),
    st.sampled_from(["x", "o", "draw"]),
)  # fmt: skip
GAMES = st.builds(
    lambda kind, level, players, human, seconds, helped: Finished(
        kind[0], level, players, human, kind[1], kind[2], seconds, helped
    ),
    st.one_of(legal(), ANY),
    st.sampled_from(["", "later-level", *LEVEL_NAMES]),
    st.integers(0, 2),
    st.sampled_from("xo"),
    st.floats(0, 1e11),
    st.booleans(),
)
DAYS = st.one_of(st.none(), st.integers(int(WALL), int(WALL) + 200 * DAY_SECONDS))
HISTORIES = st.lists(st.tuples(DAYS, GAMES), max_size=12)
HARM = ["rule = '<script>'", "level = '\"><b>'", "moves = '0'", "result = 'z'", "ended = -1", "helped = 7"]


def history(directory, games):
    fill(directory, [Played(None, ended, game) for ended, game in games])
    return History(directory)


@settings(max_examples=25)
@given(HISTORIES, st.lists(st.tuples(st.sampled_from(HARM), st.integers(1, 12)), max_size=3))
def test_every_figure_is_the_databases(games, harm):
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "MAX_REVIEWED", 7)  # reviews are what takes time
        directory = Path(folder) / "box"
        one = history(directory, games)
        gathered = gather(one.games())
        reader = check(games_page(gathered), directory / NAME)
        assert len(reader.games) == sum(game.players > 0 for _, game in games)
        assert games_page(gathered) == games_page(gather(History(directory).games()))
        for change, number in harm:
            World(directory).harm(f"UPDATE game SET {change} WHERE id = {number}", copies=2)  # noqa: S608  # ours
        found = contents(one := History(directory), "en")
        World(directory).harm(f"DELETE FROM game WHERE {' OR '.join(HARM)}", copies=2)  # noqa: S608  # ours
        if found:
            shown = found["games.html"].decode()
            check(shown, directory / NAME)
            assert ("list of games could be read" in shown) == bool(one.note)
        close_all()


@given(st.text(), st.text(), st.integers(1, 2), st.integers(0, LATEST - 1) | st.none())
def test_hostile_words_stay_words(rule, level, players, ended):
    """The store accepts no such words; the page does not rely on it."""
    game = GAME._replace(rule=rule, level=level, players=players)
    played = [Played(1, ended, game), Played(2, ended, game._replace(rule="classic"))]
    reader = PageReader(games_page(gather(played)))
    assert len(reader.games) == 2
    assert set(reader.ids) - {"better"} == {"results", "last", "grid", "x", "o"}
    assert set(reader.links) == {"#grid", "#x", "#o"}


def test_a_game_is_told_as_the_command_tells_it(tmp_path, capsys):
    """Each sentence, move and outcome of `tictactoe review` is on the page, in its order."""
    directory = tmp_path / "box"
    vanishing = GAME._replace(rule="vanishing", moves=(0, 1, 4, 8, 3, 5, 6), players=2)
    history(directory, [(None, WON), (int(WALL), LOST), (None, vanishing)])
    games = PageReader(games_page(gather(History(directory).games()))).games
    assert len(games) == 3
    for number, shown in zip("321", games, strict=True):
        assert main(["review", number, "--state", str(directory)]) == 0
        head, *lines = capsys.readouterr().out.splitlines()
        title, _, end = head.partition(". ")
        assert shown.startswith(title)
        assert end in shown
        words = " ".join(" ".join(line[20:] for line in lines if not line[:4].strip().isdigit()).split())
        told = "".join(shown.split())
        for line in lines[2:]:
            if line[:3].strip().isdigit():
                assert "".join(line.split()) in told
        for sentence in words.split(". "):
            assert "".join(sentence.split()) in told or "best play" in sentence
    assert "15 January 2027 08:00; 30 s; moves 1 5 9 3 7 4 8" in games[1]
    assert "30 s; moves 1 4 2 5 3" in games[2]
    close_all()


def test_the_board_has_the_number_of_each_move_that_is_still_there():
    shown = games_page(gather(numbered([GAME._replace(rule="vanishing", moves=(0, 1, 4, 8, 3, 5, 6))])))
    assert 'aria-label="x on 4, 5 and 7; o on 2, 6 and 9"' in shown
    numbers = [part.partition("<")[0] for part in shown.split('class="number"')[1:]]
    assert [number.partition(">")[2] for number in numbers] == ["2", "5", "3", "6", "7", "4"]


def test_a_move_that_completes_two_lines_is_shown_with_one_of_them():
    both = GAME._replace(moves=(0, 3, 1, 5, 4, 7, 6, 8, 2))
    assert games_page(gather(numbered([both]))).count('class="line" d="M16 16L76 16"') == 1


def test_the_last_games_are_bounded_in_number_and_in_moves(monkeypatch):
    games = numbered([WON] * 50)
    reader = PageReader(games_page(gather(games)))
    assert [game.partition(":")[0] for game in reader.games] == [f"Game {n}" for n in range(50, 30, -1)]
    monkeypatch.setattr(pages, "MAX_REVIEWED", 12)
    reader = PageReader(games_page(gather(games)))
    assert ["too many for this page" in game for game in reader.games] == [False] * 2 + [True] * 18
    long = GAME._replace(rule="vanishing", moves=(0, 1, 2, 3, 4, 5) * 20_000)
    assert "Its 120000 moves are too many for this page." in games_page(gather(numbered([long])))


def test_a_long_history_is_kept_in_part_and_counted_whole():
    gathered = gather(numbered([WON] * 50), kept=7)
    assert (gathered.statistics.games, sum(gathered.days.values()), len(gathered.newest)) == (50, 50, 7)


def test_a_game_of_a_later_version_is_named_and_the_others_are_shown():
    games = [WON, GAME._replace(rule="chess"), GAME._replace(moves=(0, 0))]
    reader = PageReader(games_page(gather(numbered(games))))
    assert "Game 3 of 'classic' cannot be shown by this version" in reader.games[0]
    assert "Game 2 of 'chess' cannot be shown" in reader.games[1]
    assert "You won." in reader.games[2]


def test_a_game_on_nine_boards_is_told_without_a_review():
    moves = games("ultimate")[-1]
    played = numbered([WON, GAME._replace(rule="ultimate", moves=moves, result="x")])
    newest, other = PageReader(games_page(gather(played))).games
    assert newest.startswith("Game 2: ultimate")
    assert "You won." in newest
    assert f"30 s; moves {' '.join(map(str, written(played[1].game)))}" in newest
    assert "best play" not in newest
    assert "best play" in other
    table = io.StringIO()
    write_csv(played, table)
    assert f",{moves[0] // 9 + 1}{moves[0] % 9 + 1} " in table.getvalue().splitlines()[2]


def test_without_a_game_or_a_visit_there_are_no_files(tmp_path):
    assert contents(History(tmp_path / "none"), "en") == {}
    fill(tmp_path / "empty", [])
    assert contents(History(tmp_path / "empty"), "en") == {}
    World(tmp_path / "empty").open().keep([CountVisit()] * 3)
    assert "3 visits" in contents(History(tmp_path / "empty"), "en")["games.html"].decode()
    assert "Nobody has finished a game yet." in games_page(gather([]))
    close_all()


def test_what_the_box_has_played_against_itself_is_nobodys(tmp_path, monkeypatch):
    """It is in games.csv, and takes the place of other games in the history, but no place on the page."""
    watched = GAME._replace(players=0)
    fill(tmp_path / "box", numbered([WON, *[watched] * 30]))
    found = contents(History(tmp_path / "box"), "en")
    assert found["games.csv"].count(b"\n") == 32
    reader = check(found["games.html"].decode(), tmp_path / "box" / NAME)
    assert [game.partition(":")[0] for game in reader.games] == ["Game 1"]
    assert "1 game, 30 s of play." in reader.text
    alone = PageReader(games_page(gather(numbered([watched]))))
    assert "Nobody has finished a game yet." in alone.text
    assert (alone.tables, alone.games) == ([], [])
    monkeypatch.setattr(figures, "MAX_GAMES", 31)
    assert "The newest 1 game, " in games_page(gather(History(tmp_path / "box").games()))
    close_all()


def test_games_csv_is_what_export_prints(tmp_path, capsys):
    fill(tmp_path / "box", numbered([WON, LOST, GAME._replace(players=2), WON._replace(helped=True)]))
    assert main(["export", "--state", str(tmp_path / "box")]) == 0
    found = contents(History(tmp_path / "box"), "en")
    assert found["games.csv"].decode() == capsys.readouterr().out
    assert main(["stats", "--html", str(tmp_path / "page"), "--state", str(tmp_path / "box")]) == 0
    assert found["games.html"] == (tmp_path / "page").read_bytes()
    close_all()


@pytest.fixture
def stats(tmp_path, capsys, monkeypatch):
    fill(tmp_path / "box", numbered([WON, LOST, WON._replace(helped=True)]))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(["stats", *arguments, "--state", "box"])
        return status, *capsys.readouterr()

    yield run
    close_all()


def test_stats_writes_the_page(stats, tmp_path):
    said = "2 games, 1 min of play; 1 with help, not counted; open it in a browser\n"
    for arguments, name in (((), "games.html"), (("other.html",), "other.html")):
        assert stats("--html", *arguments) == (0, f"{name}: {said}", "")
        check((tmp_path / name).read_text(), tmp_path / "box" / NAME)


def test_stats_says_what_the_page_says(stats, tmp_path):
    """Of an exhibit, which has every table but the wins in a row."""
    fill(tmp_path / "box", numbered([WON._replace(players=2), LOST._replace(players=2), WON, LOST]))
    World(tmp_path / "box").open().keep([CountVisit()] * 3)
    said = " ".join(stats()[1].split())
    stats("--html")
    reader = PageReader((tmp_path / "games.html").read_text())
    tables = [table for table in reader.tables if table[0] == "counts"]
    assert {title for _, title, _ in tables} == {"Against the box", "Matches of two people", "By month"}
    for _, title, (_, *rows) in tables:
        assert title in said
        assert all(" ".join(filter(None, row)) in said for row in rows)
    for sentence in "3 visits on 1 day.", "2 games a visit.", "Busiest day: 15 January 2027, 3 visits.":
        assert sentence in said
        assert sentence in reader.text


@pytest.mark.parametrize(("arguments", "sentence"), [
    (["--html", "no/page"], "'no/page': No such file or directory; choose another file with --html FILE"),
    (["--html", "a\0b"], "'a\\x00b': embedded null byte; choose another file with --html FILE"),
    (["--html", "--json"], "argument --json: not allowed with argument --html"),
])  # fmt: skip
def test_stats_refuses_a_file_that_it_cannot_write(stats, arguments, sentence):
    status, _, errors = stats(*arguments)
    assert (status, errors.startswith(f"tictactoe: {sentence}"), errors.count("\n")) == (2, True, 1)


def test_stats_says_on_the_page_and_beside_it_that_games_are_missing(stats, tmp_path):
    World(tmp_path / "box").harm("UPDATE game SET result = 'z' WHERE id = 2", copies=2)
    status, _, errors = stats("--html")
    assert (status, "is damaged (the sum of a row is wrong)" in errors) == (1, True)
    text = PageReader((tmp_path / "games.html").read_text()).text
    assert "Not everything in the box's list of games could be read" in text
