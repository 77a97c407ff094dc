"""Report user-fixable errors, then wait until they may be fixed. Imported only for an error.

Restarting in a loop would report nothing more, and each start takes seconds on a small machine. So the
process polls the files that a fix would change and the pins that were in use, exits when a file has changed
or a pin is free, and systemd restarts it. It also exits after a while, since not every fix can be seen.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence

from appliance.config.schema import Config
from appliance.core.errors import UserError
from appliance.core.problems import Problem
from appliance.devices.systemd import Notifier

POLL = 2.0  # seconds
SHOWN_FOR = 6.0  # seconds that a page is shown
MOST_PAGES = 6  # before a game
LIMIT = 30.0  # seconds of waiting, or longer until each page was shown
EXTRA_START_SECONDS = 30.0  # seconds of start-up time that systemd is asked for beyond that


def wait(
    error: UserError,
    config: Config,
    fixed: Callable[[], bool],
    notifier: Notifier,
    sleep: Callable[[float], object] = time.sleep,
) -> int:
    """Report an error to journal, systemd and display, wait until it may be `fixed`; return the exit status.

    Meanwhile the service is neither ready nor failed. A signal ends the process
    (`appliance.service.signals`).
    """
    priority = "<3>" if "JOURNAL_STREAM" in os.environ else ""
    for one in error.each:
        print(f"{priority}tictactoe: {one}", file=sys.stderr, flush=True)  # noqa: T201 - as the command line does
    found = pages(error.each, config, "not ready")
    limit, each = max(LIMIT, SHOWN_FOR * len(found)), int(SHOWN_FOR / POLL)
    notifier.waiting(str(error), limit + EXTRA_START_SECONDS)
    for number in range(int(limit / POLL)):
        if number % each == 0 and (number == 0 or len(found) > 1):
            title, text = found[number // each % len(found)]
            show(text, config, title)
        sleep(POLL)
        if fixed():
            break
    notifier.close()
    return 2


def turn(found: Sequence[tuple[str, str]], config: Config, sleep: Callable[[float], object]) -> None:
    """Show each of these pages for a while, as long as the display answers."""
    notifier = Notifier()
    for title, text in found[:MOST_PAGES]:
        notifier.waiting(text, SHOWN_FOR + EXTRA_START_SECONDS)
        if show(text, config, title):
            break
        sleep(SHOWN_FOR)
    notifier.close()


def pages(errors: Sequence[UserError], config: Config, title: str) -> list[tuple[str, str]]:
    """Return title and text of the pages about some errors; `title` is for one that has none of its own.

    A long text takes several. If there are several errors, each says which of how many it is.
    """
    from appliance.core.picture.raster import page_texts  # noqa: PLC0415 - imported only for an error
    from appliance.core.words import words  # noqa: PLC0415 - as above

    found, display = list[tuple[str, str]](), config.display
    for number, error in enumerate(errors, 1):
        head, text = error.page(title)
        if len(errors) > 1:
            of = words(config.settings.language)["one_of"].format(number=number, count=len(errors))
            text = f"{of}: {text}"
        found += [(head, part) for part in page_texts(text, display.width, display.height)]
    return found


def show(sentence: str, config: Config, title: str) -> Problem | None:
    """Show an error on the display: a box has no other way to report it. Return why that failed, or None."""
    from appliance.core.picture.scene import Light, PageScene, Picture  # noqa: PLC0415 - imported only for an error
    from appliance.devices.panel import show_once  # noqa: PLC0415 - as above

    light = Light(contrast=config.settings.contrast)
    return show_once(config.display, Picture(PageScene(title, sentence), light), None)
