"""The page in each language: complete, with the same placeholders, and no word of English left."""

import json
import re
import string
from pathlib import Path

import pytest
from page_reader import PageReader
from session_rig import games
from store_world import GAME, World, after, close_all, numbered

from appliance.core.words import LANGUAGES, words
from appliance.games import speech as module
from appliance.games.chart import bars, line
from appliance.games.figures import gather, is_exhibit, strengths
from appliance.games.page import games_page
from appliance.games.speech import speech
from appliance.storage.days import UNKNOWN
from appliance.storage.history import History
from engine import STRONGEST

FOLDER = Path(module.__file__).parent / "words"
TEXTS = {code: json.loads((FOLDER / f"{code}.json").read_text()) for code in LANGUAGES}
SAME = {"x", "o", "did", "total", "at", "first", "nth", "month_of"}  # may be alike in two languages


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_text_with_the_same_placeholders(language):
    assert list(TEXTS[language]) == list(TEXTS["en"])
    for key, text in TEXTS[language].items():
        english = TEXTS["en"][key]
        assert isinstance(text, type(english)), key
        if isinstance(text, list):
            assert all(fields(form) == fields(english[-1]) for form in text), key
            assert len(text) == (
                len(english) if len(english) > 2 else 3 if language in {"pl", "cs"} else 2
            ), key
        elif isinstance(text, dict):
            assert all(fields(form) == fields(english[""]) for form in text.values()), key
            assert "" in text, key
            assert text.keys() <= {"", "of", "whom", "to"}, key
        elif key not in {"first", "nth", "date"}:
            assert fields(text) == fields(english), key
        assert language == "en" or key in SAME or " " not in str(english) or text != english, key


@pytest.mark.parametrize(("language", "number", "said"), [
    ("en", 1, "1 game"), ("en", 0, "0 games"), ("en", 2, "2 games"), ("de", 3, "3 Spiele"),
    ("fr", 0, "0 partie"), ("fr", 2, "2 parties"), ("es", 1, "1 partida"),
    ("pl", 1, "1 gra"), ("pl", 3, "3 gry"), ("pl", 5, "5 gier"), ("pl", 12, "12 gier"), ("pl", 22, "22 gry"),
    ("pl", 112, "112 gier"), ("cs", 1, "1 hra"), ("cs", 4, "4 hry"), ("cs", 5, "5 her"), ("cs", 22, "22 her"),
])  # fmt: skip
def test_a_number_has_its_noun_in_the_right_form(language, number, said):
    assert speech(language).count("games", number) == said


@pytest.mark.parametrize(("language", "title", "ended", "sentence"), [
    ("en", "player 1 (o) against player 2 (x)", "Player 1 won.",
     "Player 1's third move kept the win, but 9 forced player 2 to complete a line."),
    ("de", "Spieler 1 (o) gegen Spieler 2 (x)", "Spieler 1 hat gewonnen.",
     "Der 3. Zug von Spieler 1 behielt den Sieg, aber 9 hätte Spieler 2 gezwungen, eine Reihe zu schließen."),
    ("fr", "le joueur 1 (o) contre le joueur 2 (x)", "Le joueur 1 a gagné.",
     "Le 3e coup du joueur 1 gardait le gain, mais 9 obligeait le joueur 2 à faire un alignement."),
    ("es", "el jugador 1 (o) contra el jugador 2 (x)", "Ganó el jugador 1.",
     "La 3.ª jugada del jugador 1 mantenía la victoria, pero 9 obligaba al jugador 2 a hacer una línea."),
    ("pl", "gracz 1 (o) kontra gracz 2 (x)", "Wygrana gracza 1.",
     "3. ruch gracza 1 zachował wygraną, ale 9 zmuszało gracza 2 do ułożenia trójki."),
    ("cs", "hráč 1 (o) proti hráči 2 (x)", "Výhra hráče 1.",
     "3. tah hráče 1 udržel výhru, ale 9 nutilo hráče 2 dokončit řadu."),
])  # fmt: skip
def test_between_two_people_a_game_names_the_person(language, title, ended, sentence):
    """As the display does, in the forms of the language, with the marks in the title alone."""
    game = GAME._replace(rule="misere", players=2, human="o", moves=(2, 7, 6, 5, 0, 1, 3), result="o")
    (told,) = PageReader(games_page(gather(numbered([game])), spoken=speech(language))).games
    heading, _, rest = told.partition("\n")
    assert heading.endswith(f", {title}")
    assert rest.startswith(ended)
    assert sentence in rest
    assert words(language)["person"].format(number=1) in title


DRAWN = GAME._replace(moves=(0, 4, 8, 1, 7, 6, 2, 5, 3), result="draw")
ENDED = {"en": "Drawn", "de": "Remis", "fr": "Partie nulle", "es": "Empate", "pl": "Remis", "cs": "Remíza"}
MISTAKES = [
    GAME._replace(human="o", moves=(0, 4, 8, 2, 6, 3, 7), result="x"),
    GAME._replace(rule="vanishing", moves=(0, 1, 4, 8, 3, 5, 6), players=2),
    GAME._replace(rule="misere", moves=(2, 4, 0, 5, 8, 3), result="x"),
    GAME._replace(rule="ultimate", moves=games("ultimate")[-1], result="x"),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_it_throughout(language):
    page = games_page(gather(numbered(MISTAKES * 3)), spoken=speech(language))
    assert f'<html lang="{language}">' in page
    text = PageReader(page).text
    english = re.findall(r"\b(?:the|won|moves|game|games|board|and|plies|you)\b", text)
    assert bool(english) == (language == "en"), english
    assert "{" not in text


@pytest.mark.parametrize(("language", "said"), ENDED.items())
def test_a_game_ends_in_one_draw_not_in_several(language, said):
    (game,) = PageReader(games_page(gather(numbered([DRAWN])), spoken=speech(language))).games
    assert f"{said}." in game


def test_a_game_of_ultimate_is_nine_boards():
    page = games_page(gather(numbered(MISTAKES[-1:])))
    (picture,) = re.findall(r'<div class="nine">(.*?)</div>', page)
    assert picture.count('href="#grid"') == 9
    assert len(re.findall(r'class="[xo]"', picture)) == len(MISTAKES[-1].moves)
    assert "won board" in picture


@pytest.mark.parametrize(("games", "visits", "exhibit"), [
    ({}, {}, False), ({5: 1}, {}, False), ({5: 1}, {5: 1}, True), ({6: 1}, {5: 1}, True),
    ({90: 1}, {5: 1}, False), ({UNKNOWN: 3}, {UNKNOWN: 1}, True), ({}, {7: 1}, True),
])  # fmt: skip
def test_an_exhibit_is_known_by_the_days_of_its_visits(games, visits, exhibit):
    assert is_exhibit(games, visits) == exhibit


@pytest.mark.parametrize(("counts", "hours"), [
    ({9: 3, 14: 20}, range(8, 20)), ({2: 1, 9: 1}, range(2, 20)), ({23: 4}, range(8, 24)),
])  # fmt: skip
def test_the_hours_of_a_night_without_games_are_left_out(counts, hours):
    picture = bars(counts, "")
    foot = re.findall(r'y="156">(\d+)<', picture)
    assert [int(hour) for hour in foot] == [*hours]
    assert picture.count('class="bar"') == len(counts)


@pytest.mark.parametrize(("games", "foot"), [
    (10, [1, 10]), (27, [1, 10, 20, 27]), (33, [1, 10, 20, 33]), (50, [1, 10, 20, 30, 40, 50]),
])  # fmt: skip
def test_a_line_has_its_scale_and_the_numbers_of_its_games(games, foot):
    texts = re.findall(r'<text x="([^"]+)" y="(\d+)">(\d+)<', line([0] * games, 100, ""))
    assert [int(text) for _, y, text in texts if y == "156"] == foot
    assert [int(text) for x, _, text in texts if x == "16.0"] == [100, 75, 50, 25, 0]


GOOD = GAME._replace(human="o", moves=(0, 4, 8, 1, 7, 6, 2, 5, 3), result="draw")
BLIND = GAME._replace(human="o", moves=(4, 1, 0, 3, 8), result="x")


@pytest.mark.parametrize(("played", "expected"), [
    ([GOOD] * 9, {}),
    ([GOOD._replace(helped=True)] * 20 + [GOOD._replace(players=2)] * 20, {}),
    ([GOOD._replace(moves=(4, 4))] * 20, {}),
    ([BLIND] * 20 + [GOOD] * 20, "up"),
    ([GOOD] * 20 + [BLIND] * 20, "down"),
])  # fmt: skip
def test_the_line_follows_the_moves_not_the_level(played, expected):
    found = strengths(numbered(played))
    if not expected:
        assert found == {}
        return
    series = found["classic"]
    assert len(series) == len(played)
    assert all(0 <= strength <= STRONGEST for strength in series)
    assert strengths(numbered([game._replace(level="hard") for game in played])) == found
    assert (series[-1] > series[len(series) // 2 - 1]) == (expected == "up")


def test_the_page_is_in_the_language_chosen_in_the_menu(tmp_path):
    world = World(tmp_path / "box")
    store = world.open()
    store.keep([after(4, language="de")])
    store.close()
    assert History(tmp_path / "box").language("en") == "de"
    assert History(tmp_path / "box").language("fr") == "fr"  # the configuration has changed since
    assert History(tmp_path / "none").language("pl") == "pl"
    close_all()
