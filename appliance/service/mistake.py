"""Report a user-fixable error, then wait until it may be fixed. Imported only for an error.

Restarting in a loop would report nothing more, and each start takes seconds on a small machine. So the
process polls the files that a fix would change and the pins that were in use, exits when a file has changed
or a pin is free, and systemd restarts it. It also exits after a while, since not every fix can be seen.
"""

import os
import sys
import time
from collections.abc import Callable

from appliance.config.schema import Config
from appliance.core.problems import Problem
from appliance.devices.systemd import Notifier

POLL = 2.0  # seconds
LIMIT = 30.0  # seconds of waiting
EXTRA_START_SECONDS = 30.0  # seconds of start-up time that systemd is asked for beyond that


def wait(
    sentence: str,
    fixed: Callable[[], bool],
    notifier: Notifier,
    sleep: Callable[[float], object] = time.sleep,
) -> int:
    """Report an error to the journal and to systemd, wait until it may be `fixed`, return the exit status.

    Meanwhile the service is neither ready nor failed. A signal ends the process
    (`appliance.service.signals`).
    """
    priority = "<3>" if "JOURNAL_STREAM" in os.environ else ""
    print(f"{priority}tictactoe: {sentence}", file=sys.stderr, flush=True)  # noqa: T201 - as the command line does
    notifier.waiting(sentence, LIMIT + EXTRA_START_SECONDS)
    for _ in range(int(LIMIT / POLL)):
        sleep(POLL)
        if fixed():
            break
    notifier.close()
    return 2


def show(sentence: str, config: Config, title: str) -> Problem | None:
    """Show an error on the display: a box has no other way to report it. Return why that failed, or None."""
    from appliance.core.picture.scene import Light, PageScene, Picture  # noqa: PLC0415 - imported only for an error
    from appliance.devices.panel import show_once  # noqa: PLC0415 - as above

    light = Light(contrast=config.settings.contrast)
    return show_once(config.display, Picture(PageScene(title, sentence), light), None)
