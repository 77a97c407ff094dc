"""A simulated box on a virtual clock: nothing sleeps, and the same input gives the same frames.

It runs the daemon's own objects over stand-ins for the hardware. It does the work of the daemon's threads
(scanning the keys, thinking) itself, at the virtual time at which the thread would have done it.
"""

import random
from collections.abc import Callable
from math import inf
from pathlib import Path

from appliance.config.schema import CHIPS, Config
from appliance.core.picture.canvas import Frame
from appliance.core.session.events import Event, Judge, StopSignal, Think
from appliance.core.session.state import Session
from appliance.devices.extras import beeper, waves
from appliance.devices.keypad import Keypad
from appliance.devices.panel import Panel
from appliance.devices.supply import Supply
from appliance.service.daemon import first_session, kept_session
from appliance.service.loop import Keeper, Loop, Parts
from appliance.service.threads import answer
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.chips import EMULATED
from appliance.simulator.switches import SwitchNetwork
from appliance.storage.copies import both
from appliance.storage.database import beside
from appliance.storage.store import Store
from engine import Table
from engine.levels import KEPT

TAP_SECONDS = 0.08  # seconds for which a tap closes a key
DEBOUNCE_SECONDS = 0.06  # seconds after a press or release for it to be debounced
WAIT_LONGEST = 60.0
EPOCH = 1_767_225_600.0  # 2026-01-01T00:00:00Z: the wall clock when a virtual clock starts

_REFUSALS = {"off": "would_power_off", "restart": "would_restart"}
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class Hardware:
    """The stand-ins of one box: switches, bus and chip. They outlive the daemon, as hardware does.

    `now` reads the panel's clock, in seconds. A display of a luma class is simulated as an SSD1306;
    luma.emulator shows others.
    """

    def __init__(self, config: Config, now: Callable[[], float]) -> None:
        display, keypad = config.display, config.keypad
        in_place = ""
        if display.driver not in CHIPS:
            in_place = f" in place of {display.driver}"
            display = display._replace(driver="ssd1306")
        self.config = config._replace(display=display)
        self.network = SwitchNetwork(keypad.rows, keypad.columns)
        self.chip = EMULATED[display.driver](display.height, column=display.column)
        self.heard: Callable[[str], None] | None = None  # is told which signal the buzzer, if any, sounds
        self.lamp: bool | None = None if config.led is None else False
        self.display_name = self.chip.name + in_place  # for people
        self.bus = SimulatedBus()
        self.bus.attach(display.address, self.chip)
        self.weak = False  # whether the supply voltage is too low
        self._now = now

    def parts(self, keeper: Keeper | None = None) -> Parts:
        """Return the daemon's devices over the stand-ins."""
        keypad = self.config.keypad
        beep, _ = beeper(self.config, lambda _pin: self._beep)
        return Parts(
            keypad=Keypad(keypad.rows, keypad.columns, self.network.factory, keypad.hold),
            panel=Panel(self.config.display, lambda: self.bus, clock=self._now),
            keeper=keeper,
            beep=beep,
            lamp=self._light,
            power=lambda action, refuse: refuse(_REFUSALS[action]),
            supply=Supply(lambda: self.weak),
        )

    @property
    def waves(self) -> dict[str, list[tuple[float, float]]] | None:
        """How the buzzer sounds each signal, as `extras.waves` returns it; None without one."""
        return None if self.config.buzzer is None else waves(self.config.buzzer_kind)

    def _beep(self, signal: str) -> None:
        if self.heard is not None:
            self.heard(signal)

    def _light(self, on: bool) -> None:
        self.lamp = None if self.lamp is None else on

    def picture(self) -> Frame:
        """Return what a person sees on the display: upright, however it is mounted."""
        picture = self.chip.picture()
        if self.config.display.rotate:
            picture = picture._replace(data=picture.data[::-1].translate(_REVERSED))
        return picture


class VirtualBox:
    """A box whose clock the caller advances. All times are in virtual seconds since it was built.

    `state` is the directory for what survives a power cut; without one the box keeps nothing. `wall` returns
    the seconds since 1970; without one they are the same in every run. With `ask` the first start asks for
    the language, like a real box.
    """

    def __init__(
        self,
        config: Config,
        seed: int | None = 0,
        state: Path | None = None,
        wall: Callable[[], float | None] | None = None,
        *,
        ask: bool = False,
    ) -> None:
        self.time = 0.0
        self.rng = random.Random(seed)
        self._table = Table(KEPT)
        self.hardware = Hardware(config, lambda: self.time)
        self._config = config
        self._state = state
        self._ask = ask
        self._wall = wall or (lambda: EPOCH + self.time)
        self._frames_before = 0
        self.loop: Loop | None = None
        self.power_on()

    @property
    def session(self) -> Session:
        """The current session, or the last one before the power was cut."""
        return self._last_session if self.loop is None else self.loop.session

    @property
    def phase(self) -> str:
        """The name of the session's phase; "off" without power."""
        return "off" if self.loop is None else self.session.phase.value

    @property
    def lit(self) -> bool:
        """Whether the display is on."""
        return self.hardware.chip.lit

    @property
    def frames(self) -> int:
        """How many different pictures have been shown."""
        return self._frames_before + (self.loop.parts.panel.frames if self.loop else 0)

    def power_on(self) -> None:
        """Switch the power on: the chip's memory holds garbage, and the daemon starts."""
        if self.loop is not None:
            return
        self.hardware.bus.plug()
        self.hardware.network.power_on()
        store, session = None, first_session(self._config)
        if self._state is not None:
            store = Store(self._state, self._put, lambda: self.time, self._wall, session.settings)
            session = kept_session(self._config, store, ask=self._ask)
        self._store = store
        self.loop = Loop(session, self.hardware.parts(store), self._think, lambda: self.time)
        self._next_poll = self.time
        self._delay = 0.0
        self._polled = 0  # the contacts that the last poll found closed
        self.loop.start()
        self._advance(self.time)  # the first poll comes before any press

    def power_cut(self) -> None:
        """Cut the power: the daemon stops between two instructions, the display goes dark."""
        if self.loop is None:
            return
        self._last_session = self.session
        self._frames_before = self.frames
        self.loop.parts.keypad.close()  # a processor without power drives no pin
        if self._store is not None and self._state is not None:
            # Every commit was synced, so the files are what the card holds; closing SQLite would change them.
            files = [file for copy in both(self._store.path) for file in (copy, beside(copy)[0])]
            card = {file: file.read_bytes() for file in files if file.is_file()}
            self._store.cut()
            for file, data in card.items():
                file.write_bytes(data)
        self.loop = None
        self.hardware.bus.unplug()

    def wait(self, seconds: float) -> None:
        """Advance the clock."""
        self.run_to(self.time + seconds)

    def due(self) -> float:
        """Return when something is due next if no contact moves, infinity for never."""
        loop = self.loop
        if loop is None or loop.ended:
            return inf
        return self._due(loop) if self._at_rest(loop) else min(self._due(loop), self._next_poll)

    def run_to(self, end: float) -> None:
        """Advance the clock to `end`."""
        while self._advance(end):
            pass

    def wait_for(self, phase: str, longest: float = WAIT_LONGEST) -> bool:
        """Advance until the box is in a phase; return whether that happened within `longest` seconds."""
        return self.wait_until(lambda: self.phase == phase, longest)

    def wait_until(self, condition: Callable[[], bool], longest: float = WAIT_LONGEST) -> bool:
        """Advance until a condition holds; return whether that happened within `longest` seconds."""
        end = self.time + longest
        while not condition():
            if not self._advance(end):
                return condition()
        return True

    def press(self, key: int) -> None:
        """Press a key, numbered from 0, and keep it down."""
        self.hardware.network.press(key)
        self.wait(DEBOUNCE_SECONDS)

    def release(self, key: int) -> None:
        """Release a key."""
        self.hardware.network.release(key)
        self.wait(DEBOUNCE_SECONDS)

    def tap(self, key: int, seconds: float = TAP_SECONDS) -> None:
        """Press a key, numbered from 0, and release it after `seconds`."""
        self.hardware.network.press(key)
        self.wait(seconds)
        self.release(key)

    def chord(self, first: int, second: int) -> None:
        """Press two keys at once, and release them."""
        self.hardware.network.press(first)
        self.hardware.network.press(second)
        self.wait(TAP_SECONDS)
        self.hardware.network.release(first)
        self.release(second)

    def bounce(self, key: int, seconds: float) -> None:
        """Tap a key whose contacts bounce for `seconds` when pressed and again when released."""
        self._chatter(key, seconds)
        self.hardware.network.press(key)
        self.wait(TAP_SECONDS)
        self._chatter(key, seconds)
        self.release(key)

    def stop(self) -> None:
        """Ask the box to stop, as SIGTERM does."""
        if self.loop is not None:
            self.loop.put(StopSignal(self.time))
            self._run_ready()

    def _chatter(self, key: int, seconds: float) -> None:
        end = self.time + seconds
        closed = False
        while self.time < end:
            closed = not closed
            (self.hardware.network.press if closed else self.hardware.network.release)(key)
            self.wait(min(self.rng.uniform(0.0002, 0.003), end - self.time))

    def _put(self, event: Event) -> None:
        if self.loop is not None:
            self.loop.put(event)

    def _think(self, request: Think | Judge) -> None:
        # Thinking takes no virtual time: the answer comes at once; the session adds its pause.
        self._put(answer(request, self.rng, None, self.time, self._table))

    def _run_ready(self) -> None:
        if self.loop is not None and not self.loop.ended:
            self.loop.turn()
            if self._store is not None:  # the work of the writer's thread
                self._store.keep(())
                self._store.report()
            self.loop.turn()  # what that, or a thought, has put
            if self.loop.ended:
                self.loop.close()

    def _due(self, loop: Loop) -> float:
        """Return when something other than a poll is due."""
        store_due = self._store.due if self._store is not None else None
        return min((at for at in (loop.due(), store_due) if at is not None), default=inf)

    def _at_rest(self, loop: Loop) -> bool:
        """Return whether polls find nothing until a contact moves."""
        return loop.parts.keypad.settled and self.hardware.network.contacts == self._polled

    def _advance(self, end: float) -> bool:
        """Advance to the next time that something is due, and do it; return False if `end` comes first."""
        loop = self.loop
        if loop is None or loop.ended:
            self.time = end
            return False
        due = self._due(loop)
        if self._at_rest(loop):
            # No contact moves before this returns: skip every poll but the last.
            nothing = min(due, end) - self._next_poll
            self._next_poll += max(0, int(nothing / self._delay)) * self._delay
        moment = min(self._next_poll, due)
        if moment > end:
            self.time = end
            return False
        self.time = max(self.time, moment)
        if self._next_poll <= self.time:
            events, self._delay = loop.parts.keypad.poll(self.time)
            self._next_poll = self.time + self._delay
            self._polled = self.hardware.network.contacts
            for event in events:
                loop.put(event)
        self._run_ready()
        return True
