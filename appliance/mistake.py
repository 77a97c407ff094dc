"""What the service does about a mistake that a person has to put right: it tells, and waits for that.

Started again and again it would tell no more, and a start costs a small machine seconds. So the process that
has found the mistake stays, looks now and then whether anything has changed, and then ends, to be started
anew; also after a while in which nothing was seen to change, for not all can be seen.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

from appliance.config import Config, DisplayConfig, from_node
from appliance.devices.notify import Notifier
from appliance.errors import UserError
from appliance.yamlfile import read

LOOK = 2.0  # seconds from one look to the next
LIMIT = 30.0  # seconds of waiting
SPARE = 30.0  # seconds more that systemd is asked for
STOP = (signal.SIGTERM, signal.SIGINT)


def witnesses(files: Iterable[Path], directory: Path = Path("/dev")) -> list[Path]:
    """Return what changes when a mistake is put right: configuration files, the groups, the GPIO chips."""
    return [*files, Path("/etc/group"), *sorted(directory.glob("gpiochip*"))]


def stamps(paths: Iterable[Path]) -> list[tuple[int, ...]]:
    """Return for each path what changes when it is written, replaced, removed or given to somebody else."""
    return [_stamp(path) for path in paths]


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def changed(look: Callable[[], bool], pause: Callable[[float], bool], limit: float = LIMIT) -> bool:
    """Wait until `look` sees a change, `limit` seconds at most; return False when told to stop.

    `pause` lets that many seconds go by, and returns whether the process has been told to stop meanwhile.
    """
    waited = 0.0
    while waited < limit:
        step = min(LOOK, limit - waited)
        if pause(step):
            return False
        waited += step
        if look():
            break
    return True


def wait(sentence: str, paths: Sequence[Path], before: Sequence[tuple[int, ...]], notifier: Notifier) -> int:
    """Tell the journal and systemd of a mistake, and wait until it may have been put right.

    `before` are the `stamps` of `paths` from before the mistake was found. Returns the exit status: 2, or 0
    for a process that was told to stop. It is not ready meanwhile, and nothing of it is a failure yet.
    """
    priority = "<3>" if "JOURNAL_STREAM" in os.environ else ""
    print(f"{priority}tictactoe: {sentence}", file=sys.stderr, flush=True)  # noqa: T201 - as the command line does
    told: SimpleQueue[int] = SimpleQueue()
    handlers = {number: signal.signal(number, lambda number, _frame: told.put(number)) for number in STOP}
    try:
        notifier.waiting(sentence, LIMIT + SPARE)
        again = changed(lambda: stamps(paths) != list(before), partial(_told_to_stop, told))
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        notifier.close()
    return 2 if again else 0


def _told_to_stop(told: SimpleQueue[int], seconds: float) -> bool:
    try:
        told.get(timeout=seconds)
    except Empty:
        return False
    return True


def show(sentence: str, display: DisplayConfig) -> None:
    """Show a mistake on the display, if it can be reached: a box has no other way to say it."""
    # A box without a mistake imports these later.
    from appliance.core.scene import Light, PageScene, Picture  # noqa: PLC0415 - see above
    from appliance.devices.panel import make_panel  # noqa: PLC0415 - likewise

    log = logging.getLogger("tictactoe.mistake")
    log.disabled = True  # the mistake is what is told, in one line, and not that a display is missing, too
    picture = Picture(PageScene("not ready", (sentence,), "settings"), Light(contrast=display.contrast))
    try:
        panel = make_panel(display, log=log)
    except UserError:  # no such driver: that is the mistake
        return
    panel.show(picture, time.monotonic())
    panel.close()


def find_display(files: Iterable[Path]) -> DisplayConfig:
    """Return the display that these files describe, as far as what they say of it makes sense."""
    config = Config()
    for file in files:
        with suppress(UserError):
            top = read(file)
            if isinstance(top.value, Mapping) and "display" in top.value:
                described = replace(top, value={"display": top.value["display"]})
                config = from_node(described, config)
    return config.display
