"""`tictactoe desk`: the box on this computer, in a browser."""

import argparse
import asyncio
import logging
import os
import sys
import time
import webbrowser
from importlib.util import find_spec
from pathlib import Path

from appliance.commands.simulate import goodbye
from appliance.config.reading import default_paths, load_config
from appliance.core.errors import UserError
from appliance.devices.clock import wall
from appliance.storage.database import state_directory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the configuration (YAML)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="the directory for games and scores")
    parser.add_argument("--seed", type=int, help="seed the random numbers: the box plays the same way again")
    parser.add_argument(
        "--port", type=int, metavar="N", help="the port on 127.0.0.1 (default: the last one used)"
    )
    parser.add_argument(
        "--scenario", type=Path, metavar="FILE", help="load a scenario, to play it step by step"
    )
    parser.add_argument("--no-open", action="store_true", help="print the address, but open no browser")


def run(args: argparse.Namespace) -> int:
    """Serve the page until a signal ends it."""
    if args.port is not None and not 0 <= args.port <= 65535:
        raise UserError(f"--port {args.port}: expected 0 to 65535, 0 for any that is free")
    if find_spec("aiohttp") is None:
        raise UserError(
            "the desk needs aiohttp, which is missing: make desk installs it, or apt install python3-aiohttp"
        )
    from appliance.desk.desk import Desk  # noqa: PLC0415 - aiohttp may be missing
    from appliance.desk.place import places, remember  # noqa: PLC0415
    from appliance.desk.server import Server, capture, serve  # noqa: PLC0415
    from appliance.simulator import scenario  # noqa: PLC0415

    config = load_config(default_paths() if args.config is None else [args.config])
    state = state_directory(args.state or config.state)
    story = None if args.scenario is None else scenario.read_scenario(args.scenario)
    desk = Desk(config, time.monotonic(), seed=args.seed, state=state, wall=wall)

    def ready(server: Server) -> None:
        remember(state, server.place)
        print(
            f"The box is at {server.address}\nCtrl-C ends it. In a terminal: tictactoe simulate", flush=True
        )
        if not args.no_open and _has_display():
            webbrowser.open(server.address)

    async def serving() -> int:
        server = Server(desk, places(state, args.port))
        await serve(server, ready)
        return server.signal

    try:
        with capture(logging.getLevelNamesMapping()[config.log.upper()], desk.journal):
            if story is not None:
                desk.load(story)
            number = asyncio.run(serving())
    finally:
        session = desk.close()
    print(goodbye(session))
    return 128 + number if number else 0


def _has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
