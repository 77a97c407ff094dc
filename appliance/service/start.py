"""The service: the box on its real pins and its real display, from the start to the exit status."""

import faulthandler
import gc
import logging
import os
import random
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from appliance.config.reading import ON_CARD, default_paths, load_config, possible_paths, read_config
from appliance.config.schema import Config
from appliance.core.errors import UserError, printable
from appliance.core.problems import Problem
from appliance.devices.clock import wall
from appliance.devices.systemd import Notifier, note_absent, switch, watchdog
from appliance.service import splash
from appliance.service.daemon import Service, Stalled, first_session, kept_session
from appliance.service.loop import Keeper, Parts
from appliance.service.signals import Signals
from appliance.storage.database import state_directory
from appliance.storage.store import Store
from appliance.storage.writer import Writer

log = logging.getLogger("tictactoe")

# systemd's journal reads a line's priority from "<N>" before it: sd-daemon(3).
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class Journal(logging.Formatter):
    """Formats records for the journal: with a priority, without a time, which the journal adds."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record's lines, each with its priority."""
        priority = f"<{PRIORITIES.get(record.levelno, 6)}>" if "JOURNAL_STREAM" in os.environ else ""
        return "\n".join(priority + printable(line) for line in super().format(record).splitlines())


def real_parts(config: Config, keeper: Keeper | None) -> Parts:
    """Return the real devices. Raise `UserError` if there are no usable pins."""
    from appliance.config.pinuse import fit_header  # noqa: PLC0415
    from appliance.devices.extras import beeper, make_lamp, start_buzzer  # noqa: PLC0415
    from appliance.devices.keypad import Keypad  # noqa: PLC0415
    from appliance.devices.panel import BUDGET, Panel  # noqa: PLC0415
    from appliance.devices.pinout import board_name, make_factory  # noqa: PLC0415
    from appliance.devices.supply import Supply  # noqa: PLC0415

    fit_header(config, board_name())
    keypad = config.keypad
    factory = make_factory()
    interval = watchdog()
    beep, silence = beeper(config, lambda pin: start_buzzer(pin, config.buzzer_kind, factory))
    return Parts(
        keypad=Keypad(keypad.rows, keypad.columns, factory, keypad.hold),
        panel=Panel(config.display, budget=interval / 5 if interval else BUDGET),
        keeper=keeper,
        beep=beep,
        lamp=make_lamp(config.led, factory),
        power=switch,
        supply=Supply(),
        silence=silence,
    )


def serve(file: Path | None = None, state: Path | None = None) -> int:
    """Run the box until SIGTERM, SIGINT or SIGHUP; return the exit status.

    `file` is the only configuration file, `state` the directory where games and scores are kept. Raise
    `UserError` for a user-fixable error; under systemd, show it and wait until it may be fixed.
    """
    faulthandler.enable()  # systemd's watchdog sends SIGABRT: the log then shows where the box hung
    with Signals() as signals:
        return _serve(file, state, signals)


def _serve(file: Path | None, state: Path | None, signals: Signals) -> int:
    files = possible_paths() if file is None else [file]
    before = stamps(files)
    notifier = Notifier()
    paths = default_paths() if file is None else files
    try:
        config, mistakes = configuration(paths, strict=not notifier.enabled)
        service = prepare(config, state, mistakes)
    except UserError as error:
        if not notifier.enabled:
            raise  # the person is at the terminal; the display may be in use by another box
        from appliance.devices import pinout  # noqa: PLC0415 - imported only for an error
        from appliance.service import mistake  # noqa: PLC0415 - as above

        taken, wrong = pinout.held(), error.with_traceback(None)  # its frames hold what could not be used
        config = read_config(paths).config
        note_absent(needed_devices(config.display.port), os.environ)
    else:
        notifier.close()
        kept_in = splash.directory(os.environ) if file is None else ""
        return play(service, splash.NextSplash(kept_in, config.display, files), signals)
    return mistake.wait(
        wrong, config, lambda: stamps(files) != before or bool(taken - pinout.held()), notifier
    )


def stamps(configs: Iterable[Path], directory: Path = Path("/dev")) -> dict[str, str]:
    """Return a stamp of each file that a fix would change: the configuration, the groups, the GPIO chips."""
    files = [*configs, Path("/etc/group"), *directory.glob("gpiochip*")]
    return {str(file): splash.stamp(str(file)) for file in files}


def configuration(files: Sequence[Path], *, strict: bool) -> tuple[Config, tuple[UserError, ...]]:
    """Return the valid part of the configuration, and the mistakes on the card.

    These must not stop a box without a keyboard. Raise `UserError` for one in another file, and if `strict`
    for any.
    """
    config, mistakes, _ = read_config(files)
    if mistakes:
        load_config(files if strict else [file for file in files if file != ON_CARD])
    return config, mistakes


def needed_devices(port: int) -> tuple[str, ...]:
    """Return what the service needs in its `/dev`: the display's bus, and the header's chip."""
    return f"i2c-{port}", "gpiochip0"


def prepare(config: Config, state: Path | None, mistakes: Sequence[UserError] = ()) -> Service:
    """Return the box as configured, on its real devices. Raise `UserError` if they are unavailable.

    `mistakes` are those of the configuration, which are shown before the game.
    """
    from appliance.devices.pinout import pin_errors  # noqa: PLC0415 - with the devices, below

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Journal("%(message)s"))
    logging.basicConfig(level=config.log.upper(), handlers=[handler])
    note_absent(needed_devices(config.display.port), os.environ)
    directory = state_directory(state or config.state)
    store = Store(
        directory,
        lambda event: service.put(event),  # noqa: PLW0108 - `service` is assigned below
        time.monotonic,
        wall,
        first_session(config).settings,  # an unplayable rule counts again once it is playable
    )
    for error in mistakes:
        log.error("%s", error)
    try:
        with pin_errors():
            parts = real_parts(config, Writer(store))
        if parts.silence:
            config = config._replace(buzzer=None)  # so the menu does not offer sound
        newer = [UserError(str(store.problem))] if store.newer else []
        session = kept_session(config, store)
        for errors in filter(None, (mistakes, newer)):
            from appliance.service import mistake  # noqa: PLC0415 - imported only for an error

            mistake.turn(mistake.pages(errors, config, "note"), config, time.sleep)
        service = Service(session, parts, time.monotonic, random.Random(), mistakes)
    except BaseException:
        store.cut()
        raise
    return service


def play(service: Service, next_splash: splash.NextSplash, signals: Signals) -> int:
    """Run the box until a signal; return the exit status. If it stalls, the process ends with 1."""
    notifier = Notifier()
    noted: tuple[Problem, ...] = ()

    def after_turn() -> None:
        nonlocal noted
        if (problems := service.problems) != noted:
            from appliance.service import health  # noqa: PLC0415 - imported only for a problem

            noted = problems
            health.write(problems, os.environ)
        notifier.alive(service.status(problems))
        next_splash.keep(service.loop.session.lasting)

    def stop(number: int) -> None:
        log.info("stopping on %s", signal.Signals(number).name)
        service.stop()

    gc.freeze()  # these objects stay; scanning them for garbage would delay a press
    gc.enable()
    signals.handler = stop
    try:
        interval = watchdog()
        service.run(after_turn, interval and interval / 2)
    except Stalled as error:
        log.critical("%s; restarting", error)
        faulthandler.dump_traceback()
        notifier.stopping(str(error))
        os._exit(1)  # an orderly exit could wait for the hung thread forever
    except BaseException:
        notifier.stopping("goodbye")
        raise
    notifier.stopping("goodbye")
    notifier.close()
    return 0
