"""A desk's server over real sockets, and a page at the other end."""

import asyncio
import contextlib
import json
import time
from functools import wraps

from aiohttp import ClientSession, WSMsgType

from appliance.config.schema import Config
from appliance.desk.desk import Desk
from appliance.desk.place import fresh
from appliance.desk.server import Server


def story(test):
    """Let a coroutine be a test."""

    @wraps(test)
    def run(**fixtures):
        asyncio.run(test(**fixtures))

    return run


class Clock:
    """A server's clock that stands unless a test moves it; seconds."""

    now = 0.0

    def __call__(self):
        return self.now


@contextlib.asynccontextmanager
async def served(*wanted, clock=time.monotonic, ending=contextlib.nullcontext()):  # noqa: B008 - it has no state
    """A server, `running`, and its client; `ending` is entered when the server ends."""
    desk = Desk(Config(), clock(), seed=7)
    server = Server(desk, wanted or [fresh()], clock)
    async with server.listening(), ClientSession() as client:
        server.running = asyncio.ensure_future(server.run())
        try:
            yield server, client
        finally:
            server.end()
            with ending:
                await server.running
            desk.close()


def base(server):
    return f"http://127.0.0.1:{server.place.port}"


def box(server, client, *, extra="", **options):
    options = {"origin": base(server), **options}
    return client.ws_connect(f"{base(server)}/box?t={server.place.token}{extra}", **options)


def json_of(message):
    return json.loads(message.data) if message.type is WSMsgType.TEXT else {"picture": message.data}


async def until(socket, **wanted):
    """Return what the socket has brought up to a message with these entries."""
    shown = {}
    async for message in socket:
        shown |= json_of(message)
        if all(shown.get(name) == value for name, value in wanted.items()):
            return shown
    raise AssertionError((wanted, shown, socket.close_code))


async def heard(socket):
    """Wake the server by something that it refuses; return what it has said until then."""
    await socket.send_bytes(b"?")
    return await until(socket, error="the message is not text")


async def later(socket, clock, **wanted):
    """Let time pass on the server's clock until the socket has brought these entries; return all of them."""
    shown = await heard(socket)  # before time passes
    while any(shown.get(name) != value for name, value in wanted.items()):
        clock.now += 0.04
        shown |= await heard(socket)
        shown |= await heard(socket)  # the news follow the first refusal
    return shown


async def until_closed(socket):
    while not socket.closed:
        await socket.receive()
    return socket.close_code


async def status(client, url, **headers):
    async with client.get(url, headers=headers) as answer:
        return answer.status, await answer.text()
