"""What a page is told of a box: first everything, then what has changed."""

from collections import deque
from collections.abc import Mapping
from typing import Any

from appliance.core.english import capital
from appliance.core.keys.scan import KEYS
from appliance.desk.dimensions import panel_for
from appliance.desk.wire import decode
from appliance.simulator.key_faults import KEY_FAULTS
from appliance.simulator.spoken import Reader, button_names, why_dark
from appliance.simulator.virtual import VirtualBox

Message = dict[str, Any] | bytes  # sent as JSON; a picture as it is

MAX_LISTED = 500  # of each of the workbench's lists, until the page is told


class News:
    """What the page has yet to be told of the box that `listen` named last."""

    def __init__(self, box: VirtualBox) -> None:
        self.journal: deque[str] = deque(maxlen=MAX_LISTED)  # filled by whoever handles the log
        self._watched: frozenset[str] = frozenset()
        self._bus: deque[dict[str, Any]] = deque(maxlen=MAX_LISTED)
        self._pins: deque[tuple[float, int]] = deque(maxlen=MAX_LISTED)
        self._beeps: deque[str] = deque(maxlen=MAX_LISTED)
        self._pictures = 0
        self._box = box
        self.listen(box)

    def listen(self, box: VirtualBox) -> None:
        """Turn to a box that is new to the page."""
        self._hear(on=False)
        self._box = box
        self._told: dict[str, Any] = {}
        self._reader = Reader()
        self._seen: tuple[Any, ...] = ()  # what the last picture depended on
        self._picture: tuple[bool, int, bytes] | None = None  # the last one
        self.watch(self._watched)

    def watch(self, lists: frozenset[str]) -> None:
        """Follow the bus, the pins or the journal from now on; what is not watched costs nothing."""
        self._watched = lists
        self._bus.clear()
        self._pins.clear()
        self._hear(on=True)
        if "pins" in lists:
            self._levels()

    def since(self, also: Mapping[str, Any]) -> list[Message]:
        """Return what has changed since the last call; `also` is what the box itself does not know."""
        shown = {**_state(self._box), **also}
        news: list[Message] = [
            {name: value}
            for name, value in shown.items()
            if name not in self._told or self._told[name] != value
        ]
        self._told = shown
        said = self._reader.news(self._box)
        news += [{"says": said}] if said else []
        news += self._new_picture()
        news += [{"beep": signal} for signal in self._beeps]
        self._beeps.clear()
        lists: dict[str, deque[Any]] = {"bus": self._bus, "pins": self._pins, "journal": self.journal}
        for name in sorted(self._watched):
            if lists[name]:
                news.append({name: list(lists[name])})
                lists[name].clear()
        return news

    def _new_picture(self) -> list[Message]:
        hardware = self._box.hardware
        seen = (hardware.bus.transactions, hardware.bus.unplugged, hardware.chip.lit)
        if seen == self._seen:
            return []
        self._seen = seen
        picture = (hardware.chip.lit, hardware.chip.contrast, hardware.picture().data)
        if picture == self._picture:
            return []
        self._picture = picture
        self._pictures += 1
        lit, contrast, data = picture
        return [bytes([lit, contrast, 0, self._pictures & 0xFF]) + data]

    def _hear(self, *, on: bool) -> None:
        hardware, watched = self._box.hardware, self._watched
        hardware.heard = self._beeps.append if on else None
        hardware.bus.watcher = self._transaction if on and "bus" in watched else None
        hardware.network.listener = self._levels if on and "pins" in watched else None

    def _transaction(self, address: int, payload: bytes, acknowledged: int) -> None:
        says = decode(self._box.hardware.chip, payload, acknowledged)
        at = round(self._box.time, 6)
        self._bus.append({"at": at, "address": address, "bytes": payload.hex(), "says": says})

    def _levels(self) -> None:
        self._pins.append((round(self._box.time, 6), self._box.hardware.network.levels))


def hello(box: VirtualBox, speed: float) -> dict[str, Any]:
    """Return what a page needs to draw a box."""
    hardware = box.hardware
    config = hardware.config
    return {
        "panel": panel_for(config.display.driver, config.display.height),
        "display": {"width": 128, "height": config.display.height, "name": hardware.display_name},
        "buzzer": hardware.waves,
        "lamp": hardware.lamp,
        "keys": [list(divmod(key, 3)) for key in range(KEYS)],
        "pins": {"rows": list(config.keypad.rows), "columns": list(config.keypad.columns)},
        "turned": box.session.settings.turned,
        "faults": [name for name in KEY_FAULTS if not name.startswith("stuck")],
        "speed": speed,
    }


def _state(box: VirtualBox) -> dict[str, Any]:
    hardware = box.hardware
    return {
        "plug": box.loop is not None,
        "phase": box.phase,
        "lamp": hardware.lamp,
        "stuck": list(hardware.network.stuck),
        "wiring": hardware.network.wiring,
        "turned": box.session.settings.turned,
        "language": box.session.settings.language,
        "names": button_names(box),
        "caption": capital(why_dark(box)),
    }
