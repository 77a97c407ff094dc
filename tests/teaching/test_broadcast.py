"""The sound of a broadcast: no early repetition, the same text for the same seed, a correct table."""

import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import fields, replace
from itertools import islice, pairwise, product

import pytest

from appliance.teaching.commentary import claims, memories
from appliance.teaching.commentary.booth import Booth, SpokenLine
from appliance.teaching.commentary.chain import JOINTS, LENGTHS, Chain
from appliance.teaching.commentary.observe import observe
from appliance.teaching.commentary.players import POOL, policy
from appliance.teaching.commentary.render import WIDTH, markdown, text
from appliance.teaching.commentary.script import Heading, perform
from appliance.teaching.commentary.season import DAYS, MATCHDAY, SEATS, League, season_table
from appliance.teaching.commentary.wording import MEMORY, MINNIE, VOICES, Speaker, facts, sections
from engine import LEVELS, REASONS, Board, Level, Table, Vanishing

WORDS = 1500
PEOPLE = {player.name: player for player in POOL} | dict(SEATS)
CHAT = {"welcome", "farewell", "gasp", "retort", "interview"}
GAME_WORDS = (
    "win wins winner lose loses loss draw draws drawn mark marks cell cells centre fork forks threat "
)
GAME_WORDS += "threats block blocks nought noughts"


def broadcast(seed, words=WORDS):
    """Return a broadcast's players and script."""
    rng = random.Random(seed)
    league = League(rng)
    return league.players, list(perform(league.games(), league.players, rng, seed, words))


def spoken(items):
    return [item for item in items if isinstance(item, SpokenLine)]


def split(line):
    return [part.strip('" ') for part in re.findall(r"[^.!?]+[.!?]+\"?", line)]


@pytest.mark.parametrize("seed", range(6))
def test_no_sentence_is_repeated_within_twenty_lines(seed):
    said = [split(line.text) for line in spoken(broadcast(seed)[1])]
    for place, parts in enumerate(said):
        before = {part for line in said[max(0, place - 20) : place] for part in line}
        assert not before & set(parts), parts
        assert len(set(parts)) == len(parts)


def test_it_ends_with_the_game_in_which_the_words_were_said():
    _, items = broadcast(5)
    counts = [len(item.text.split()) if isinstance(item, SpokenLine) else 0 for item in items]
    games = [place for place, item in enumerate(items) if isinstance(item, Heading) and " - " in item.text]
    closing = max(place for place, item in enumerate(items) if isinstance(item, Heading))  # the last table's
    assert sum(counts[: games[-1]]) < WORDS <= sum(counts[:closing])


def test_the_voices_take_turns():
    turns = pairwise(line.voice for line in spoken(broadcast(6)[1]))
    same = Counter(first == second for first, second in turns)
    assert same[True] * 20 < same[False]


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_same_seed_gives_the_same_text_in_any_process(hash_seed):
    command = [sys.executable, "-c", "from appliance.cli import main; main()"]
    done = subprocess.run(
        [*command, "transcript", "--games", "2", "--seed", "9", "--format", "markdown"],
        env={"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    rng = random.Random(9)
    league = League(rng)
    script = perform(islice(league.games(), 2), league.players, rng, 9)
    assert done.stdout.splitlines() == list(markdown(script, league.players))


def test_text_fits_a_terminal_and_another_seed_is_another_text():
    pages = {seed: list(text(items, players)) for seed in (7, 8) for players, items in [broadcast(seed)]}
    assert all(len(line) <= WIDTH for page in pages.values() for line in page)
    assert not any(first == second == "" for first, second in pairwise(pages[7]))
    said = [{line for line in page if line.startswith(("MAX", "MINNIE"))} for page in pages.values()]
    assert len(said[0] & said[1]) * 10 < len(said[0])


def test_where_every_sentence_would_be_a_repetition_only_moves_are_reported(monkeypatch):
    booth = Booth(PEOPLE, random.Random(1))
    (first, *_), _ = observe(Board(), (0, 4, 8, 2, 6, 3, 7), {"x": "Ingrid", "o": "Lars"}, Table())
    monkeypatch.setattr(Speaker, "fresh", lambda _self, _text, memory=MEMORY: memory == 1)
    line = booth.report(first)
    assert line.claims == (claims.Opens("Ingrid", "Lars", 0),)
    for silent in (
        booth.aside(),
        booth.chat("gasp"),
        booth.interview("Ingrid", "Lars"),
        booth.about(*line.claims),
    ):
        assert list(silent) == []
    assert booth.joined(line, [claims.Even("Ingrid", "Lars")]) == line
    monkeypatch.setattr(Speaker, "fresh", lambda *_: False)
    with pytest.raises(AssertionError, match="no phrase for"):
        booth.report(first)


def test_a_season_adds_up():
    games = list(islice(League(random.Random(4)).games(), MATCHDAY * DAYS + 1))
    assert games.pop().season == 2
    rows = season_table(games, sorted({game.x for game in games}))
    assert [row.points for row in rows] == sorted((3 * row.won + row.drawn for row in rows), reverse=True)
    assert sum(row.won for row in rows) == sum(row.lost for row in rows)
    assert sum(row.drawn for row in rows) % 2 == 0
    assert {row.played for row in rows} == {row.won + row.drawn + row.lost for row in rows} == {DAYS}
    # Everybody plays everybody, once with each mark.
    assert len({(game.x, game.o) for game in games}) == len(games)
    for day in range(1, DAYS + 1):
        assert len({name for game in games if game.day == day for name in (game.x, game.o)}) == 2 * MATCHDAY


def test_a_policy_is_worked_out_once(monkeypatch):
    asked = []
    monkeypatch.setattr(Level, "policy", lambda level, _position: asked.append(level.name) or {4: 1.0})
    policy.cache_clear()
    for _ in range(3):
        for name in ("easy", "perfect"):
            assert policy(LEVELS[name], Vanishing()) == {4: 1.0}
    policy.cache_clear()
    assert asked == ["easy", "quick"]  # a full search would take too long in vanishing


def kinds():
    """Yield a claim of each kind, or of each section if a value selects it."""
    values = {int: 3, str: "Lars", tuple[int, ...]: (0, 5), int | None: 4}
    found = [*claims.Claim.__subclasses__(), *claims.Action.__subclasses__(), claims.Turned]
    choices = {
        "GivesAway": [("win", "draw", "missed_win"), ("win", "loss", "missed_win")]
        + [("draw", "loss", reason) for reason in REASONS if reason not in ("missed_win", "not_at_once")],
        "Turned": [("win", "draw", ""), ("win", "loss", ""), ("draw", "loss", "")],
        "OnlyMove": [("win",), ("draw",)],
        "Streak": [("won",), ("drawn",), ("lost",)],
        "LastGame": [("won",), ("drawn",), ("lost",)],
        "StreakAs": [("won",), ("drawn",), ("lost",)],
        "Pairing": [("classic",), ("misere",), ("vanishing",)],
        "Seen": [(4, 4, "Lars", "Ingrid", "Lars"), (4, 4, "Lars", "Ingrid", "")],
    }
    for kind in found:
        if kind is claims.Action:
            continue
        for chosen in choices.get(kind.__name__, [()]):
            rest = [values[field.type] for field in fields(kind)[2 + len(chosen) :]]
            yield kind("Ingrid", "Lars", *chosen, *rest)


def test_each_claim_has_words_and_all_words_a_claim():
    phrases = sections("phrases.txt")
    assert memories.Seen in claims.Claim.__subclasses__()
    assert {claim.key for claim in kinds()} | CHAT == set(phrases)
    for claim in kinds():
        for voice in VOICES:
            lines = phrases[claim.key][voice]
            assert lines, claim.key
            assert len(set(lines)) == len(lines)
            for line in lines:
                said = line.format_map(facts(claim, voice, PEOPLE))
                assert "{" not in said
                assert said[-1] in ".!?:"
                assert "(" not in said  # no tuple was printed
    # Every move is reported, so there are enough phrases for plain moves.
    assert all(len(phrases[key][voice]) > 15 for key in ("plays",) for voice in VOICES)


ONE = re.compile(r"(\w*) ?<one[^>]*>(?: of (?:them|which|two|the (?:two )?\w+))?(?: ([a-z]+))?")
ALIKE = "after ahead all and at away before behind by clear drawn ended for from given has in left losing "
ALIKE += "lost more nothing of she so that this to until where without won would"


def test_one_is_said_like_several():
    """The words around a count suit 1 and others: "one would lose" and "two would lose", not "one lose"."""
    wrong, met = [], 0
    for claim, voice in product(kinds(), VOICES):
        counts = [field.name for field in fields(claim) if field.type is int]
        least = {name: 4 if claim.key.startswith("seen") else 1 + (name == "count") for name in counts}
        words = facts(replace(claim, **least), voice, PEOPLE)
        words |= {name: f"<{words[name]}>" for name in counts if words[name].startswith("one")}
        for line in sections("phrases.txt")[claim.key][voice]:
            found = ONE.findall(line.format_map(words))
            met += len(found)
            for before, after in found:
                if before in {"are", "were", "these", "those"} or after not in {"", *ALIKE.split()}:
                    wrong.append(line)
    assert not wrong
    assert met > 100


def test_a_pronoun_may_be_they():
    verbs = {"had", "did", "could", "played", "said", "went"}
    lines = [line for voices in sections("phrases.txt").values() for of in voices.values() for line in of]
    after = {word for line in lines for word in re.findall(r"\{r?he\}[ ,!.]+(\w+)", line)}
    assert after <= verbs


def test_asides_claim_nothing_of_the_game():
    chat = [sections("phrases.txt")[key] for key in CHAT - {"welcome", "farewell"}]
    several = [*sections("asides.txt").values(), *chat]
    lines = [line for voices in several for of in voices.values() for line in of]
    names = {word for player in POOL for word in player.full.split()}
    for line in lines:
        words = set(re.findall(r"[A-Za-z]+", line))
        assert not {word.lower() for word in words} & {*GAME_WORDS.split()}, line
        assert not words & names, line


def test_the_chain_goes_only_where_its_sentences_went():
    written = sections("asides.txt")["asides"][MINNIE]
    chain, rng = Chain(written), random.Random(3)
    pool = [line.replace(",", " ,").split() for line in written]
    pairs = {tuple(line[at : at + 2]) for line in pool for at in range(len(line))}
    triples = {tuple(line[at : at + 4]) for line in pool for at in range(len(line))}
    drawn = [chain.sentence(rng) for _ in range(600)]
    for sentence in drawn:
        words = sentence.replace(",", " ,").split()
        assert all(pair in pairs for pair in pairwise(words))
        for at in range(len(words) - 3):
            assert tuple(words[at : at + 4]) in triples or words[at + 2] in JOINTS
    assert len(set(drawn) - set(written)) > 150
    lengths = Counter(len(sentence.split()) for sentence in drawn)
    assert all(sum(lengths[count] for count in range(low, high + 1)) > 20 for low, high in LENGTHS)
