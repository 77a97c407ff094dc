"""No note with a consequence is missing where one without is drawn: read from the pixels of the screens."""

from itertools import product

import pytest
from effort import longer

from appliance.core.picture.font import HEIGHT, PITCH, text_columns, wrap
from appliance.core.picture.raster import Layout, render
from appliance.core.picture.scene import Picture
from appliance.core.session.match import Match
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.core.session.state import BoxFacts, Notice, Phase, Session
from appliance.core.session.view import CONDITIONS, view
from appliance.core.words import LANGUAGES, words
from engine import RULES

TRICKY = [
    rule for rule, facts in RULES.items() if facts.solved and rule != "classic"
]  # one is reminded of them
COSTS = ("uncounted", "oldest_goes", *TRICKY, "stuck_key", "stuck_keys", *CONDITIONS.values())
FREE = ("tap_again", "tap_play", "hold_menu", "hint_text", "match_won", "easy", "first_to", "ultimate")
SCORES = Scores(Tally(12, 7, 3), Tally(2, 4, 1), series=Tally(3, 1, 0))
WON, DRAWN = (0, 3, 1, 4, 2), (0, 1, 2, 4, 3, 5, 7, 6, 8)
GAMES = {  # by rule, unless these: empty, begun, and over
    "vanishing": ((), (0,), (0, 3, 1, 4, 8, 7), WON),
    "ultimate": ((),),
}


def sessions(language, rule, *, small):
    """Yield what a game shows: in every phase, with help and without, and with each warning and message."""
    games = GAMES.get(rule, ((), (0, 3), WON, *(() if RULES[rule].alike else (DRAWN,))))
    for players, series, moves in product((1, 2, 0), (0, 3), games):
        if series and players != 2:
            continue
        settings = Settings(level="easy", rule=rule, players=players, series=series, language=language)
        match = Match.replay(rule, "x", moves)
        over = match.over
        base = Session(match._replace(counted=over), settings, scores=SCORES, box=BoxFacts(small=small))
        others = (Phase.THINKING, *((Phase.PLACED,) if moves else ()))
        yield from (base._replace(phase=phase) for phase in others if not over)
        base = base._replace(phase=Phase.GAME_OVER if over else Phase.YOUR_TURN)
        signs = ("plain",) * 9 if RULES[rule].solved and not over else ()
        for helped in (False, True):
            one = base._replace(match=base.match._replace(helped=helped), signs=signs if helped else ())
            yield one
            yield one._replace(progress=0.5)
            yield from (one._replace(notice=Notice(word)) for word in ("taken", "one_key"))
            yield from (one._replace(badges=(badge,)) for badge in CONDITIONS)
            yield one._replace(badges=tuple(CONDITIONS))
            yield from (one._replace(stuck=stuck) for stuck in ((3,), (3, 4)))
            yield one._replace(hint=8)


def drawn(scene, height):
    """Return which of the notes and their shorter wordings can be read in the picture."""
    large, layout = height == 64, Layout(128, height)
    beside = layout.board + (3 if large else 5)
    left, width = (0 if scene.covered else beside), layout.right - beside
    if scene.badges and not large and scene.bar is None:
        width -= 9
    frame = render(Picture(scene), 128, height)
    columns = [int.from_bytes(frame.data[x::128], "little") for x in range(128)]
    accents = any(column & 1 for column in text_columns(scene.headline))
    top = PITCH - (large and not accents)

    def stands(note, row):
        return all(
            [column & 0b11111111100 for column in text_columns(line)]
            == [columns[left + x] >> y & 0b11111111100 for x in range(len(text_columns(line)))]
            for y, line in enumerate(wrap(note, width))
            for y in (top + PITCH * (row + y),)
        )

    rows = range((height - top - HEIGHT) // PITCH + 1)
    return {note for note in {*scene.notes, *scene.brief} if any(stands(note, row) for row in rows)}


@pytest.mark.parametrize("language", ["en", "de", *longer(*sorted({*LANGUAGES} - {"en", "de"}))])
@pytest.mark.parametrize("height", [64, 32])
def test_no_note_with_a_consequence_is_missing_where_one_without_is_drawn(language, height):
    numbers, seen, pairs = ("4", "4, 5"), set(), set()
    costs = {words(language)[key].format(keys=keys): key for key in COSTS for keys in numbers}
    free = {words(language)[key].format(count=3) for key in FREE}
    rules = [rule for rule in RULES if height == 64 or RULES[rule].cells == 9]
    for session in (one for rule in rules for one in sessions(language, rule, small=height == 32)):
        scene = view(session).scene
        if scene.side and not scene.covered:
            continue  # a banner says one thing
        shown = scene._replace(
            tiles=scene.tiles[:0], strike=None, side=scene.side and scene.side._replace(last=None)
        )
        if shown in seen:
            continue
        seen.add(shown)
        found = drawn(scene, height)
        said = [bool({note, brief} & found) for note, brief in zip(scene.notes, scene.brief, strict=True)]
        past = session.match.rule if session.match.counted and not RULES[session.match.rule].loses else None
        cost = [note in costs and costs[note] != past for note in scene.notes]
        missing = [
            note for note, here, costly in zip(scene.notes, said, cost, strict=True) if costly and not here
        ]
        pairs |= {(note, other) for note in missing for other in found & free}
        if not (session.notice.word or session.progress or sum(cost) > 2 or scene.side):
            assert not missing, f"{session.match.rule}: {missing} has no room in {scene}"
    assert len(seen) > 100
    assert pairs == set()
