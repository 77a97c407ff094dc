"""Impatient hands: no press is ignored without a sign, by any rule, with any number of people."""

from itertools import product
from random import Random

import pytest
from effort import amount
from mashers import Stand

from appliance.config.schema import Config
from appliance.core.keys.key_events import Press, Release
from appliance.core.picture.raster import lay_out
from appliance.core.session.settings import Options, Settings
from appliance.core.session.state import Page, Phase
from appliance.core.session.view import scene
from engine import RULES

SEEDS = amount(1, 6)
AWAY = {Phase.SELF_TEST, Phase.LEAVING, Phase.ENDED}  # it tests the display, or says goodbye


def shown(session):
    """Return what is lit, and what flashes even if it does so already."""
    now = scene(session)
    tiles = () if getattr(now, "covered", True) else now.tiles
    return lay_out(now).items, tiles, getattr(now, "strike", None), session.lit, session.dimmed


def flashes(session):
    return (session.notice.cell is not None and not scene(session).covered) or bool(session.notice.word)


class Hands:
    """A stand, and each press that changed nothing on the display until it had ended."""

    def __init__(self, config, seed):
        self.unseen, self.presses, self.before = [], 0, None
        self.stand = Stand(config, Random(seed), self.watch)
        self.last = shown(self.stand.session)

    def watch(self, event, effects):
        session, now = self.stand.session, shown(self.stand.session)
        if isinstance(event, Press):
            self.before = event, session.phase, now != self.last or flashes(session)
            self.presses += 1
        elif self.before and isinstance(event, Release):
            press, phase, seen = self.before
            about = (
                session.phase is Phase.MENU and session.page is Page.ABOUT
            )  # it has no cell that could flash
            if not (seen or now != self.pressed or flashes(session) or about) and phase not in AWAY:
                self.unseen.append((press, phase))
            self.before = None
        if isinstance(event, Press):
            self.pressed = now
        self.last = now


@pytest.mark.more
@pytest.mark.parametrize(("rule", "players"), [*product(RULES, (1, 2, 0))])
def test_no_press_is_ignored_without_a_sign(rule, players):
    settings = Settings(rule=rule, players=players, level="easy", sound=False, series=3)
    presses = 0
    for seed in range(SEEDS):
        hands = Hands(Config(settings, Options(power=False)), seed)
        chance, stand = Random(seed), hands.stand
        key = 0
        for _ in range(250):
            stand.wait(chance.choice((0.02, 0.1, 0.2, 0.3, 0.4, 0.6)))
            luck, key = chance.random(), key if chance.random() < 0.3 else chance.randrange(9)
            stand.tap(4 if luck < 0.02 else key, 1.2 if luck < 0.02 else 0.08)
        assert hands.unseen == []
        presses += hands.presses
    assert presses == 250 * SEEDS
