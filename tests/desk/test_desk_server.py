"""The server, over real sockets: who may ask, and one window at a time."""

import asyncio
from unittest.mock import ANY

import pytest
from aiohttp import ClientSession, WSServerHandshakeError
from served_desk import Clock, base, box, later, served, status, story, until, until_closed

from appliance.core.errors import UserError
from appliance.desk.place import Place, places, remember
from appliance.desk.server import BACKLOG, BUSY, MAX_MESSAGE, TAKEN, Client


@story
async def test_the_page_and_its_parts_need_the_token():
    async with served() as (server, client):
        async with client.get(server.address) as answer:
            assert answer.status == 200
            assert server.place.token in await answer.text()
            assert answer.headers["Cache-Control"] == "no-store"
            policy = answer.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'")
            assert "unsafe" not in policy
        for path in ("/", "/?t=", "/?t=wrong", "/page.html", "/page.html?t=é"):
            found, text = await status(client, base(server) + path)
            assert (found, text.count(".")) == (403, 1), path
        for path in ("nothing.js", "server.py", "..%2Fcli.py", "..%2fpage.html", "__init__.py"):
            assert (await status(client, f"{base(server)}/{path}?t={server.place.token}"))[0] == 404, path


@pytest.mark.parametrize("headers", [
    {"Host": "evil.example"}, {"Host": "evil.example:80"},
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "https://127.0.0.1"},
])  # fmt: skip
@story
async def test_other_names_and_other_origins_are_refused(headers):
    async with served() as (server, client):
        found, text = await status(client, server.address, **headers)
        assert (found, server.place.token in text) == (403, False)
        with pytest.raises(WSServerHandshakeError) as refused:
            await box(server, client, origin=headers.get("Origin"), headers=headers)
        assert refused.value.status == 403


@story
async def test_a_socket_needs_an_origin_and_the_token():
    async with served() as (server, client):
        for url, origin in ((f"/box?t={server.place.token}", None), ("/box?t=wrong", base(server))):
            with pytest.raises(WSServerHandshakeError) as refused:
                await client.ws_connect(base(server) + url, origin=origin)
            assert refused.value.status == 403
        async with box(server, client, origin=base(server).replace("127.0.0.1", "localhost")) as socket:
            await until(socket, plug=True)


@story
async def test_a_press_over_the_socket_reaches_the_board():
    """At this speed the centre is held after 62 ms of the server's clock, which a busy machine soon loses."""
    clock = Clock()
    async with served(clock=clock) as (server, client), box(server, client) as socket:
        await socket.send_str('{"speed":16}')
        await later(socket, clock, phase="your_turn", speed=16)
        await socket.send_str('{"down":4}')
        await later(socket, clock, phase="placed")
        await socket.send_str('{"up":4}')
        shown = await later(socket, clock, phase="your_turn")
        assert len(shown["picture"]) == 4 + 1024
        board = server.desk.box.session.board
        assert (board[4], board.count("o")) == ("x", 1)


@story
async def test_a_second_window_is_told_and_may_take_the_box():
    async with served() as (server, client), box(server, client) as first:
        await first.send_str('{"down":4}')
        await until(first, phase="placed")
        async with box(server, client) as second:
            assert await second.receive_json() == {"busy": True}
            assert await until_closed(second) == BUSY
        async with box(server, client, extra="&take=1") as third:
            await until(third, plug=True)
            assert server.desk.box.hardware.network.contacts == 0  # the first window's finger has gone
            assert await until_closed(first) == TAKEN
            await third.send_str('{"stick":3}')
            await until(third, stuck=[3])
        async with box(server, client) as fourth:
            await until(fourth, stuck=[3])


@story
async def test_what_is_no_message_of_the_box_changes_nothing():
    """test_desk_asking.py has all that a text may be."""
    async with served() as (server, client), box(server, client) as socket:
        await socket.send_str("[" * 9999)
        await until(socket, error=ANY)
        await socket.send_bytes(b"\0")
        await until(socket, error="the message is not text")
        assert server.desk.box.hardware.network.contacts == 0
        await socket.send_str("x" * (MAX_MESSAGE + 1))
        assert await until_closed(socket) == 1009


@story
async def test_a_window_is_told_that_the_box_has_gone():
    async with ClientSession() as client:
        async with served() as (server, _):
            socket = await box(server, client)
            await until(socket, plug=True)
            closing = asyncio.ensure_future(until_closed(socket))
        assert await closing == 1001


@story
async def test_a_fault_of_the_boxs_code_ends_the_server():
    ending = pytest.raises(TypeError)
    async with served(ending=ending) as (server, client), box(server, client) as socket:
        await until(socket, plug=True)
        server.desk.box.hardware.network.press = None
        await socket.send_str('{"down":1}')
        async for _ in socket:  # up to the goodbye, which the server wants to see answered first
            pass
        await asyncio.wait([server.running])


@story
async def test_an_open_page_finds_the_box_again(tmp_path):
    async with served(*places(tmp_path, None)) as (server, _):
        remember(tmp_path, server.place)
        first = server.address
    assert (tmp_path / "desk").stat().st_mode & 0o777 == 0o600
    async with served(*places(tmp_path, None)) as (server, client):
        assert server.address == first
        assert (await status(client, first))[0] == 200
        async with served(*places(tmp_path, None)) as (other, _):
            # The port is taken, perhaps by another user, who may know the token by now.
            assert other.place.port != server.place.port
            assert other.place.token != server.place.token
        with pytest.raises(UserError, match="choose another with --port"):
            async with served(*places(tmp_path, server.place.port)):
                pass


@pytest.mark.parametrize(
    "kept", ["", "80", "99999 " + "a" * 32 + "\n", "0 " + "a" * 32 + "\n", "80 short\n", "\xff"]
)
def test_a_damaged_place_is_forgotten(tmp_path, kept):
    (tmp_path / "desk").write_text(kept, encoding="latin-1")
    found = places(tmp_path, None)
    assert [place.port for place in found] == [0]
    assert places(tmp_path, 8000)[0].port == 8000
    remember(tmp_path / "nowhere", Place(1, "x"))


@story
async def test_idle_means_idle():
    """Nothing is sent, and the server does not turn, while nothing is due."""
    async with served() as (server, client), box(server, client) as socket:
        await socket.send_str('{"speed":0}')
        await until(socket, speed=0)
        turns = server.turns
        for _ in range(100):
            await status(client, server.address)
        assert server.turns - turns <= 1


@story
async def test_a_page_that_reads_nothing_is_let_go():
    """Only the newest picture waits for it, and no more than so many words."""

    class Socket:
        def __init__(self):
            self.closed, self.sent = False, []

        async def send_bytes(self, data):
            self.sent.append(data)

        async def send_str(self, text):
            self.sent.append(text)

        async def close(self, *, code):
            self.closed = code

    page = Client(Socket())
    page.tell([b"1", {"phase": "menu"}])
    page.tell([b"2"])
    page.end(1001)
    await page.send()
    assert (page.socket.sent, page.socket.closed) == (['{"phase":"menu"}', b"2"], 1001)
    page = Client(Socket())
    page.tell([{"beep": "press"}] * (BACKLOG + 1))
    page.tell([{"beep": "menu"}])
    await page.send()
    assert (page.socket.sent, page.socket.closed) == ([], 1013)
