"""The box in a page: `python -m tools.page build` writes dist/page, `serve` shows it on this computer."""

import argparse
import contextlib
import os
import sys
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from appliance.core.errors import UserError
from tools.page.program import ROOT, compiler
from tools.page.site import POLICY, build

PORT = 8128  # a browser keeps games by address, so it is always the same


class Files(SimpleHTTPRequestHandler):
    """Serves the page, without a word; browsers ask each time whether a file is new.

    A page says its policy itself, but a worker is under what comes with it.
    """

    extensions_map = {".mjs": "text/javascript", ".wasm": "application/wasm"}  # noqa: RUF012 - the base class's own

    def end_headers(self) -> None:
        """Add what each answer has."""
        self.send_header("Cache-Control", "no-cache")
        if self.path.startswith("/box-"):
            self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing of a request."""


def serving(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a folder for this computer alone. Raise `UserError` if the port is not free."""
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), partial(Files, directory=folder))
    except (OSError, OverflowError) as error:
        raise UserError(f"port {port} cannot be used ({error}); choose another one with --port N") from error


def serve(folder: Path, port: int, *, show: bool) -> None:
    """Serve a folder until Ctrl-C, and say where. Raise `UserError` as `serving` does."""
    server = serving(folder, port)
    address = f"http://127.0.0.1:{server.server_port}/"
    print(f"The box is at {address}\nCtrl-C ends it. In a terminal: make play", flush=True)
    if show and (sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt), server:
        server.serve_forever()


def main() -> int:
    """Build or serve; return the exit status."""
    parser = argparse.ArgumentParser(prog="page", description=__doc__)
    parser.add_argument("command", choices=("build", "serve"))
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"default: {PORT}")
    parser.add_argument("--no-open", action="store_true", help="print the address, but open no browser")
    args = parser.parse_args()
    try:
        folder = build()
        if not compiler():
            print(
                "page: without Node.js it starts half as fast. Remedy: sudo apt install nodejs",
                file=sys.stderr,
            )
        if args.command == "build":
            print(f"{folder.relative_to(ROOT)}: for any web server; make desk shows it")
        else:
            serve(folder, args.port, show=not args.no_open)
    except UserError as error:
        print(f"page: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
