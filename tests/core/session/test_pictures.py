"""Whatever is pressed by whichever rule, the display shows the session: no picture is missed, none is wrong.

`PICTURE_EVENTS=200000 .venv/bin/pytest tests/core/session/test_pictures.py -s` is the long way.
"""

import os
import sys
from random import Random

from mashers import Stand
from panel_rig import PanelRig, turned

from appliance.config.schema import Config
from appliance.core.picture.raster import render
from appliance.core.session.settings import Options, Settings
from appliance.core.session.view import view

EVENTS = int(os.environ.get("PICTURE_EVENTS", "3000"))
LONG = 2000  # events of a box, most by ultimate


class Shown(Stand):
    """A stand whose pictures go to an emulated chip, and are compared after each event."""

    def __init__(self, number):
        chance, self.rig, self.last, self.drawn = Random(number), PanelRig(), None, 0
        rule, players = chance.choice(["ultimate"] * 5 + ["vanishing"]), chance.choice([1, 1, 2, 2, 0])
        options = Options(dim=20.0, off=60.0, attract=True)
        super().__init__(Config(Settings(rule=rule, players=players), options), chance, self.compare)

    def carry_out(self, effects):
        super().carry_out(effects)
        self.rig.panel.turn(self.session.settings.turned, self.at)
        self.rig.panel.show(view(self.session), self.at)

    def compare(self, event, _effects):
        picture = view(self.session)
        if self.session.lit and picture != self.last:
            frame = render(picture)
            wanted = turned(frame) if self.session.settings.turned else frame
            assert self.rig.chip.picture() == wanted, (self.events, event, self.session)
            self.last, self.drawn = picture, self.drawn + 1


def test_after_any_events_the_chip_shows_the_session():
    events, boxes, drawn = 0, 0, 0
    while events < EVENTS:
        stand = Shown(boxes)
        while stand.events < min(LONG, EVENTS - events):
            stand.mash(stand.chance.expovariate(1 / 20))
            stand.wait(stand.chance.choice([1.0, 3.0, 12.0, 30.0, 70.0]))
        events, boxes, drawn = events + stand.events, boxes + 1, drawn + stand.drawn
    sys.stdout.write(f"\n{events:,} events, {boxes} boxes, {drawn:,} pictures\n")
