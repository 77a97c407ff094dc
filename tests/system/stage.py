"""The far end of the stand: what the display's chip shows after the bytes that were sent; and the fingers."""

import struct
import time
from random import Random
from types import SimpleNamespace

from appliance.config.schema import Config
from appliance.core.events import Press, Tap
from appliance.core.match import Match
from appliance.core.raster import render
from appliance.core.resume import Kept, restore
from appliance.core.session import begin
from appliance.core.settings import Scores, Settings
from appliance.core.state import Phase
from appliance.core.view import view
from appliance.service.daemon import first_session
from appliance.service.loop import Loop, Parts
from appliance.service.splash import picture
from appliance.simulator.chips import Ssd1306

RECORD = struct.Struct("=QIHH")  # see struct record in stand.c
ADDRESS = 0x3C
PATIENCE = 60  # seconds: what takes longer never comes, however busy the machine
CONFIG = Config(Settings(players=2))


class Stage:
    """The directory that the stand in the service and the test share."""

    def __init__(self, directory):
        self.directory = directory
        self.chip = Ssd1306(seed=Random().randrange(1000))
        self.at = 0.0  # when the last write was, seconds of CLOCK_MONOTONIC
        self.pid = 0  # whose it was
        self._read = 0
        directory.chmod(0o777)
        (directory / "keys").write_bytes(bytes(8))
        (directory / "bus").write_bytes(b"")
        for file in directory.iterdir():
            file.chmod(0o666)

    def press(self, *cells):
        """Close the keys of these cells, open all others."""
        self._poke(0, sum(1 << cell for cell in cells))

    def hang(self, pid):
        """Let the bus answer this process no more. Its number is the one in its own container."""
        self._poke(4, pid)

    def _poke(self, offset, value):
        with (self.directory / "keys").open("r+b") as file:
            file.seek(offset)
            file.write(struct.pack("=I", value))

    def tap(self, cell):
        """Press a key until the box reacts, and let it go: a busy box may look at its keys late."""
        bus = self.directory / "bus"
        before, end = bus.stat().st_size, time.monotonic() + 3.0
        self.press(cell)
        time.sleep(0.1)
        while bus.stat().st_size == before and time.monotonic() < end:
            time.sleep(0.01)
        self.press()
        time.sleep(0.1)

    def step(self):
        """Give the chip the next write; return False when there is none."""
        with (self.directory / "bus").open("rb") as file:
            file.seek(self._read)
            header = file.read(RECORD.size)
            if len(header) < RECORD.size:
                return False
            nanoseconds, pid, address, length = RECORD.unpack(header)
            payload = file.read(length)
        if len(payload) < length:
            return False
        self._read += RECORD.size + length
        if address == ADDRESS:
            self.chip.write(payload)
            self.at, self.pid = nanoseconds / 1e9, pid
        return True

    def wait_for(self, frame, *, pid=None, timeout=PATIENCE):
        """Return when the chip showed this frame, written by this process if one is given."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if not self.step():
                time.sleep(0.005)
            elif self.chip.picture() == frame and self.chip.lit and (pid is None or pid == self.pid):
                return self.at
        shown = "\n".join(self.chip.picture().rows())
        raise AssertionError(f"not shown after {timeout} s; shown is\n{shown}")

    def film(self):
        """As `catch_up`; return each picture that was shown on the way, None for a dark display."""
        shown = []
        while self.step():
            seen = self.chip.picture() if self.chip.lit else None
            if not shown or shown[-1] != seen:
                shown.append(seen)
        return shown

    def catch_up(self):
        """Give the chip all that has been written so far; return the picture."""
        while self.step():
            pass
        return self.chip.picture()


def expected(moves, scores=None):
    """Return the picture of a box that is started with this game in progress."""
    session = first_session(CONFIG)
    match = Match.replay(session.match.rule, session.match.human, tuple(moves))
    session, _ = begin(restore(session, Kept(match, scores or Scores(), ())), 0.0)
    return render(view(session), 128, 64)


def starting():
    """Return the picture of a box that starts: the splash of one that has run before."""
    return render(picture(first_session(CONFIG).settings), 128, 64)


def goodbye(kind="stop"):
    """Return the picture that a box leaves that is stopped, or switched off."""
    session = first_session(CONFIG)._replace(phase=Phase.ENDED, goodbye=f"goodbye_{kind}")
    return render(view(session), 128, 64)


def played(moves, seconds=8.0):
    """Return the pictures of a game from the empty board, each shown at some time, on a virtual clock."""
    clock, pictures = [0.0], []

    class Glass:
        """Takes down what is shown."""

        def show(self, picture, _now):
            frame = render(picture, 128, 64)
            if not pictures or pictures[-1] != frame:
                pictures.append(frame)

        def turn(self, _turned, _now):
            return

        def service(self, _now):
            return

        def due(self):
            return None

    def ignore(*_arguments):
        return ""

    keypad = SimpleNamespace(rest=ignore)
    loop = Loop(
        first_session(CONFIG), Parts(keypad, Glass(), None, ignore, ignore, ignore), ignore, lambda: clock[0]
    )

    def run(until):
        while (due := loop.due()) is not None and due <= until:
            clock[0] = due
            loop.turn()
        clock[0] = until

    loop.start()
    for cell in moves:
        run(clock[0] + 1.0)
        for event in (Press(clock[0], cell), Tap(clock[0], cell)):
            loop.put(event)
            loop.turn()
    run(clock[0] + seconds)
    return pictures
