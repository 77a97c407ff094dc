"""What any program on this computer may send to the desk's port is no news of the box."""

import asyncio
import contextlib
import logging
import struct
from collections import deque
from unittest.mock import Mock

import pytest
from aiohttp import ClientSession
from served_desk import served, status, story

from appliance.desk.server import capture

SHAKE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
SHAKE += "dGhlIHNhbXBsZSBub25jZQ==\r\n"
REQUESTS = {
    "other protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "no method": b"\r\n\r\n\0\0\0\r\n\r\n",
    "old version": b"GET / HTTP/9.9\r\n\r\n",
    "bad header": b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "long header": b"GET / HTTP/1.1\r\nHost: " + b"x" * 20_000 + b"\r\n\r\n",
    "bad length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: minus one\r\n\r\n",
    "bad chunk": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "bad host": b"GET / HTTP/1.1\r\nHost: \xff[\r\n\r\n",
    "bad address": b"GET http://[::1/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "bad escape": b"GET /%ff%zz?t=%ff HTTP/1.1\r\nHost: x\r\n\r\n",
    "cut": b"GET / HTTP/1.1\r\nHost: ",
    "nothing": b"",
}
FRAMES = {  # a client's frame is masked; here by zeros
    "reserved opcode": b"\x83\x80\0\0\0\0",
    "reserved bit": b"\xf1\x80\0\0\0\0",
    "not UTF-8": b"\x81\x81\0\0\0\0\xff",
    "long ping": b"\x89\xfe\0\xff\0\0\0\0" + b"x" * 255,
    "huge": b"\x81\xff" + struct.pack(">Q", 2**62) + b"\0\0\0\0",
    "bad close": b"\x88\x81\0\0\0\0x",
    "bad close code": b"\x88\x82\0\0\0\0\0\1",
    "continues nothing": b"\x80\x80\0\0\0\0",
    "cut": b"\x81\xfe\x01",
    "nothing": b"",
}


async def sent(server, data, *, cut):
    """Send bytes over a connection, and wait until the server ends it, unless it is cut midway."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.place.port)
    writer.write(data)
    await writer.drain()
    if cut:
        writer.transport.abort()
        return
    writer.write_eof()
    with contextlib.suppress(ConnectionError):
        assert not (await reader.read()).startswith(b"HTTP/1.1 5"), data  # it is the sender's mistake
    writer.close()


async def noise(server):
    """Send everything that is none of the page's, whole and cut; then the page is still served."""
    host = f"127.0.0.1:{server.place.port}"
    head = f"Host: {host}\r\nOrigin: http://{host}\r\n"
    upgrade = f"GET /box?t={server.place.token}&take=1 HTTP/1.1\r\n{head}{SHAKE}\r\n".encode()
    parts = ("", "x" * 300 + ".js", "%00.js", "%ed%a0%80.js", "%2e%2e%2fcli.js")
    pages = (f"GET /{part}?t={server.place.token} HTTP/1.1\r\n{head}\r\n".encode() * 50 for part in parts)
    for data in (*REQUESTS.values(), *(upgrade + frame for frame in FRAMES.values()), *pages):
        for cut in (False, True):
            await sent(server, data, cut=cut)
    async with ClientSession() as client, client.get(server.address) as answer:
        assert answer.status == 200


@pytest.fixture
def heard(capfd):
    """Return what the journal and the terminal show of that noise, at a level of the log."""

    def run(level):
        lines = deque()

        async def tell():
            async with served() as (server, _):
                await noise(server)

        with capture(level, lines):
            asyncio.run(tell())
            logging.getLogger("tictactoe").warning("the box's own")
        return [line for line in lines if "own" not in line], capfd.readouterr().err

    return run


def test_the_noise_of_others_is_neither_in_the_journal_nor_on_the_terminal(heard):
    assert heard(logging.INFO) == ([], "the box's own\n")


def test_a_developer_sees_it_at_the_level_debug(heard):
    journal, terminal = heard(logging.DEBUG)
    assert journal == []
    assert "Error handling request" in terminal


@story
async def test_a_fault_of_our_own_in_an_answer_ends_the_server(monkeypatch):
    """Nobody would read of it otherwise: aiohttp's log is not shown."""
    monkeypatch.setattr("appliance.desk.server.files", Mock(side_effect=RuntimeError("ours")))
    async with served(ending=pytest.raises(RuntimeError, match="ours")) as (server, client):
        assert (await status(client, server.address))[0] == 500
        await asyncio.wait([server.running])
