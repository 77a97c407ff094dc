"""The server of the desk: one page, its parts and its messages, for this computer alone.

Any web page may send requests to 127.0.0.1, and a name that it owns may point there. So the address holds a
random token, the header Host must name this server, and Origin this page. Origin may be missing, but not for
a WebSocket. The page's policy allows neither inline scripts nor other hosts.

In page.html `{{token}}` stands for the token: each part of the page needs it, as in `desk.js?t={{token}}`.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from importlib.resources import files
from math import inf

from aiohttp import WSCloseCode, WSMsgType, web

from appliance.core.errors import UserError
from appliance.desk.desk import Desk, encode_message
from appliance.desk.news import Message
from appliance.desk.place import Place

HOST = "127.0.0.1"
PARTS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
MAX_MESSAGE = 64 * 1024  # bytes of a message: a scenario file has no more
FAREWELL = 1.0  # seconds at most that a page takes to close
BACKLOG = 2000  # messages that wait for a page that reads none
BUSY, TAKEN = 4001, 4002  # close codes: another window has the box; another one has taken it

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Client:
    """A window that shows the box: its connection, and what is still to be sent."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self.socket = socket
        self.gone = asyncio.Event()
        self._waiting: deque[Message] = deque()
        self._woken = asyncio.Event()
        self._code = 0  # with which the connection is to end

    def tell(self, messages: list[Message]) -> None:
        """Have messages sent, in order; of waiting pictures, only the newest."""
        if self._code:
            return  # it is on its way out
        if any(isinstance(message, bytes) for message in messages):
            self._waiting = deque(message for message in self._waiting if not isinstance(message, bytes))
        self._waiting.extend(messages)
        if len(self._waiting) > BACKLOG:  # it has stopped to read: it starts anew when it comes back
            self._waiting.clear()
            self.end(WSCloseCode.TRY_AGAIN_LATER)
        self._woken.set()

    def end(self, code: int) -> None:
        """Close the connection when all has been sent."""
        self._code = code
        self._woken.set()

    async def send(self) -> None:
        """Send what is told until the connection ends."""
        with contextlib.suppress(ConnectionError):
            while not self.socket.closed:
                await self._woken.wait()
                self._woken.clear()
                while self._waiting:
                    message = self._waiting.popleft()
                    if isinstance(message, bytes):
                        await self.socket.send_bytes(message)
                    else:
                        await self.socket.send_str(encode_message(message))
                if self._code:
                    await self.socket.close(code=self._code)


class Server:
    """A desk and the one page that shows it. After `serve`, `signal` is what ended it, 0 for none."""

    def __init__(
        self, desk: Desk, places: Sequence[Place], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.desk = desk
        self.place = places[0]  # the first that is free, with its true port, once it listens
        self._places = places
        self.signal = 0
        self.turns = 0  # how often the box was advanced
        self._clock = clock
        self._page: Client | None = None
        self._woken = asyncio.Event()
        self._ending = asyncio.Event()
        self._failed: Exception | None = None

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.place.port}/?t={self.place.token}"

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen, then close every connection. Raise `UserError` if the port is not free."""
        app = web.Application(middlewares=[self._guard], client_max_size=MAX_MESSAGE)
        app.router.add_get("/", self._part)
        app.router.add_get("/box", self._box)
        app.router.add_get("/{part}", self._part)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await self._start(runner)
            yield
        finally:
            page = self._page
            if page is not None:
                page.end(WSCloseCode.GOING_AWAY)
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(page.gone.wait(), FAREWELL)
            await runner.cleanup()

    async def _start(self, runner: web.AppRunner) -> None:
        for place in self._places:
            try:
                await web.TCPSite(runner, HOST, place.port).start()
            except OSError as error:
                if place is self._places[-1]:
                    reason = f"port {place.port} of {HOST} cannot be used: {os.strerror(error.errno or 0)}"
                    raise UserError(f"{reason}; choose another with --port, or 0 for any") from error
            else:
                self.place = place._replace(port=runner.addresses[0][1])
                return

    async def run(self) -> None:
        """Advance the box until `end` is called. Exceptions from the box's code propagate."""
        while not self._ending.is_set():
            if self._failed is not None:
                raise self._failed
            self._tell(self.desk.advance(self._clock()))
            self.turns += 1
            wait = self.desk.due(self._clock())
            self._woken.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._woken.wait(), None if wait == inf else wait)
        self._tell(self.desk.stop(self._clock()))

    def end(self, number: int = 0) -> None:
        """Say goodbye and stop."""
        self.signal = self.signal or number
        self._ending.set()
        self._woken.set()

    def _tell(self, messages: list[Message]) -> None:
        if self._page is not None:
            self._page.tell(messages)

    # Requests

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what is not from this computer's own page; forbid caches and other hosts."""
        refused = self._refusal(request)
        if refused:
            return web.Response(status=403, text=refused, headers=_headers(""))
        try:
            return await handler(request)
        except web.HTTPException as error:
            return web.Response(status=error.status, text=f"{error.reason}.", headers=_headers(""))
        except ConnectionError:
            raise  # the page has gone
        except Exception as error:
            self._failed = error  # the box's code is wrong: `run` raises it
            self._woken.set()
            raise

    def _refusal(self, request: web.Request) -> str:
        hosts = {f"{name}:{self.place.port}" for name in (HOST, "localhost")}
        if request.headers.get("Host") not in hosts:
            return f"This server is http://{HOST}:{self.place.port} and no other."
        origin = request.headers.get("Origin", "" if request.path == "/box" else None)
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return "Only the box's own page may ask this server."
        if not secrets.compare_digest(request.query.get("t", "").encode(), self.place.token.encode()):
            return "The address lacks its token: open the one that tictactoe desk has printed."
        return ""

    async def _part(self, request: web.Request) -> web.Response:
        """Return the page or a part of it."""
        name = request.match_info.get("part", "page.html")
        file = next((file for file in files("appliance.desk").iterdir() if file.name == name), None)
        kind = PARTS.get(name.rpartition(".")[2])
        if kind is None or file is None:
            raise web.HTTPNotFound
        text = file.read_text(encoding="utf-8").replace("{{token}}", self.place.token)
        return web.Response(text=text, content_type=kind, charset="utf-8", headers=_headers(request.host))

    async def _box(self, request: web.Request) -> web.StreamResponse:
        """Let a page show and use the box, unless another one does."""
        socket = web.WebSocketResponse(max_msg_size=MAX_MESSAGE, compress=False)
        await socket.prepare(request)
        page, before = Client(socket), self._page
        if before is not None and "take" not in request.query:
            await socket.send_str(encode_message({"busy": True}))
            await socket.close(code=BUSY)
            return socket
        if before is not None:
            self._leave(before)
            before.end(TAKEN)
        self._page = page
        sending = asyncio.ensure_future(page.send())
        try:
            self._tell(self.desk.open(self._clock()))
            async for message in socket:
                if self._page is not page:
                    break
                if message.type is WSMsgType.TEXT:
                    self._tell(self.desk.hear(message.data, self._clock()))
                else:
                    self._tell([{"error": "the message is not text"}])
                self._woken.set()
        finally:
            self._leave(page)
            page.end(WSCloseCode.OK)
            await asyncio.wait([sending])
            page.gone.set()
        return socket

    def _leave(self, page: Client) -> None:
        if self._page is page:
            self._page = None
            self.desk.left(self._clock())
            self._woken.set()


def _headers(host: str) -> dict[str, str]:
    """Return the headers of each answer; `host` is where a page may open its WebSocket."""
    own = "script-src 'self'; style-src 'self'; img-src 'self' data:; " if host else ""
    connect = f"connect-src 'self' ws://{host}; " if host else ""
    policy = f"default-src 'none'; {own}{connect}base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


class _Journal(logging.Handler):
    """Hands the log's lines to the desk."""

    def __init__(self, level: int, lines: deque[str]) -> None:
        super().__init__(level)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))


def _of_others(record: logging.LogRecord) -> bool:
    """Return whether a record is about another program's message, at which old parsers raise in asyncio."""
    parsing = record.name == "asyncio" and "data_received() call failed" in record.getMessage()
    return parsing or record.name.startswith("aiohttp.")


@contextlib.contextmanager
def capture(level: int, lines: deque[str]) -> Iterator[None]:
    """Append what the box logs to `lines`, and print warnings; print aiohttp's only at DEBUG."""
    root, box, printed = logging.getLogger(), logging.getLogger("tictactoe"), logging.StreamHandler()
    printed.setLevel(logging.WARNING)
    if level > logging.DEBUG:
        printed.addFilter(lambda record: not _of_others(record))
    with contextlib.ExitStack() as after:
        for logger, handler in ((box, _Journal(level, lines)), (root, printed)):
            logger.addHandler(handler)
            after.callback(logger.removeHandler, handler)
        after.callback(root.setLevel, root.level)
        root.setLevel(level)
        yield


async def serve(server: Server, ready: Callable[[Server], None]) -> None:
    """Serve until a signal ends it; `ready` is called once it listens."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            loop.add_signal_handler(number, server.end, 0 if number == signal.SIGINT else number)
    async with server.listening():
        ready(server)
        await server.run()
