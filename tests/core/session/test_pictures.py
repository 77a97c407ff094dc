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
from appliance.core.session import events as fx
from appliance.core.session.settings import Options, Settings
from appliance.core.session.view import view

EVENTS = int(os.environ.get("PICTURE_EVENTS", "3000"))
LONG = 2000  # events of a box, most by ultimate


def test_after_any_events_the_chip_shows_the_session():
    events, boxes, drawn = 0, 0, 0
    while events < EVENTS:
        chance, rig, last = Random(boxes), PanelRig(), [None]
        settings = Settings(
            rule=chance.choice(["ultimate"] * 5 + ["vanishing"]), players=chance.choice([1, 1, 2, 2, 0])
        )

        def watch(event, effects, rig=rig, last=last):
            nonlocal drawn
            for effect in effects:
                match effect:
                    case fx.Turn(upside_down):
                        rig.panel.turn(upside_down, stand.at)
                    case fx.Draw():
                        rig.panel.show(view(stand.session), stand.at)
            picture = view(stand.session)
            if stand.session.lit and picture != last[0]:
                frame = render(picture)
                wanted = turned(frame) if stand.session.settings.turned else frame
                assert rig.chip.picture() == wanted, (boxes, stand.events, event)
                last[0], drawn = picture, drawn + 1

        stand = Stand(Config(settings, Options(dim=20.0, off=60.0, attract=True)), chance)
        rig.panel.show(view(stand.session), 0.0)
        stand.watch = watch
        while stand.events < min(LONG, EVENTS - events):
            stand.mash(chance.expovariate(1 / 20))
            stand.wait(chance.choice([1.0, 3.0, 12.0, 30.0, 70.0]))
        events, boxes = events + stand.events, boxes + 1
    sys.stdout.write(f"\n{events:,} events, {boxes} boxes, {drawn:,} pictures\n")
