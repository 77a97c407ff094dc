"""Report a user-fixable error, then wait until it may be fixed.

Restarting in a loop would report no more, and a start takes a small machine seconds. So the process polls for
changes of the files that a fix would change, and ends when it sees one, to be restarted by systemd; also
after a while without one, since not every fix changes a file.
"""

import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.config.schema import ON_CARD, Config, from_node, load
from appliance.config.yamlfile import read
from appliance.core.errors import UserError
from appliance.devices.systemd import Notifier
from appliance.service.splash import stamp

POLL = 2.0  # seconds
LIMIT = 30.0  # seconds of waiting
SPARE = 30.0  # seconds of start-up time that systemd is asked for beyond that


def stamps(configs: Iterable[Path], directory: Path = Path("/dev")) -> dict[str, str]:
    """Return a stamp of each file that a fix would change: the configuration, the groups, the GPIO chips."""
    files = [*configs, Path("/etc/group"), *directory.glob("gpiochip*")]
    return {str(file): stamp(str(file)) for file in files}


def wait(
    sentence: str,
    configs: Sequence[Path],
    before: Mapping[str, str],
    notifier: Notifier,
    sleep: Callable[[float], object] = time.sleep,
) -> int:
    """Report an error to the journal and to systemd, wait for a change, and return the exit status.

    `before` are the `stamps` from before the error was found. The service is not ready meanwhile,
    and has not failed. A signal ends the process (`appliance.service.signals`).
    """
    priority = "<3>" if "JOURNAL_STREAM" in os.environ else ""
    print(f"{priority}tictactoe: {sentence}", file=sys.stderr, flush=True)  # noqa: T201 - as the command line does
    notifier.waiting(sentence, LIMIT + SPARE)
    for _ in range(int(LIMIT / POLL)):
        sleep(POLL)
        if stamps(configs) != before:
            break
    notifier.close()
    return 2


def show(sentence: str, config: Config, title: str = "not ready") -> None:
    """Show an error on the display, if one answers: a box has no other way to report it."""
    from appliance.core.scene import Light, PageScene, Picture  # noqa: PLC0415 - imported only for an error
    from appliance.devices.panel import Panel  # noqa: PLC0415 - likewise

    display = config.display
    log = logging.getLogger("tictactoe.mistake")
    log.disabled = True  # report this error alone, and not a missing display as well
    light = Light(contrast=config.settings.contrast)
    picture = Picture(PageScene(title, sentence), light)
    panel = Panel(display, log=log, budget=5.0)  # nothing else has to wait for it
    panel.show(picture, time.monotonic())
    panel.close()


def load_or_report(files: Sequence[Path], *, strict: bool) -> tuple[Config, str]:
    """Return the configuration and, if the file on the card is wrong, a sentence: its valid part is used.

    So the box plays for someone without a keyboard. Raise `UserError` for other files, and if `strict`.
    """
    try:
        return load(files), ""
    except UserError as error:
        others = [file for file in files if file != ON_CARD]
        if strict or len(others) == len(files):
            raise
        load(others)
        return valid_part(files), str(error)


def valid_part(files: Iterable[Path]) -> Config:
    """Return the configuration in these files as far as it is valid, each section or key at the top alone."""
    config = Config()
    for file in files:
        with suppress(UserError):
            top = read(file)
            found = top.value if isinstance(top.value, Mapping) else {}
            for key, value in found.items():
                with suppress(UserError):
                    config = from_node(top._replace(value={key: value}), config)
    return config
