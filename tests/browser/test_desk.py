"""The box on the desk in a real Chromium: buttons that are held, and the chip's picture pixel by pixel."""

import json
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

# What the page has been sent and shows, so that a test can wait for it.
SPY = """
window.sent = { messages: 0, pictures: [], times: [] };
const { onmessage } = socket;
socket.onmessage = (event) => {
  window.sent.messages++;
  if (typeof event.data !== "string") {
    window.sent.pictures.push(performance.now());
  }
  onmessage(event);
};
"""
SHOWN = """
const data = document.getElementById("close").getContext("2d").getImageData(0, 0, 128, 64).data;
const dark = document.querySelector(".screen").getContext("2d").getImageData(0, 0, 128, 64).data;
if (data.some((value, i) => value !== dark[i])) return "the two displays differ";
return Array.from({ length: 8192 }, (_, i) => (data[4 * i] > 60 ? "#" : ".")).join("");
"""
WAIT = """
const [condition, done] = arguments;
const test = new Function(`return ${condition}`);
const look = () => (test() ? done(true) : setTimeout(look, 20));
look();
"""


class Desk:
    """The server's process, and a window that shows its page."""

    def __init__(self, chromium, state):
        self.chromium, self.state = chromium, state
        self.start()

    def start(self):
        command = [Path(sys.executable).with_name("tictactoe"), "desk", "--no-open", "--seed", "7", "--state"]
        self.process = subprocess.Popen([*command, str(self.state)], stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def open(self):
        self.chromium.post("url", url=self.address)
        self.until("typeof panel !== 'undefined' && panel.buttons.length === 9")
        self.chromium.run(SPY)

    def until(self, condition):
        self.chromium.post("timeouts", script=60_000)
        self.chromium.post("execute/async", script=WAIT, args=[condition])

    def says(self, *words):
        for word in words:
            self.until(f"document.getElementById('says').textContent.includes({json.dumps(word)})")

    def keys(self, *actions):
        """Press and release physical keys: ("5", True) goes down."""
        for key, down in actions:
            kind = "keyDown" if down else "keyUp"
            self.chromium.devtools("Input.dispatchKeyEvent", type=kind, key=key, code=f"Digit{key}")

    def touch(self, *keys):
        """Have a finger on each of these buttons, from 1, and on no other."""
        boxes = [self.chromium.probe("box", f".key[aria-label='Button {key}']") for key in keys]
        points = [
            {"x": (left + right) / 2, "y": (top + bottom) / 2, "id": key}
            for key, (left, top, right, bottom) in zip(keys, boxes, strict=True)
        ]
        kind = "touchStart" if keys else "touchEnd"
        self.chromium.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def shown(self):
        return self.chromium.run(SHOWN)

    def marks(self):
        """Return which of the nine cells of the board have marks, by their pixels."""
        picture = self.shown()
        cells = []
        for row in range(3):
            for column in range(3):
                lit = sum(
                    picture[128 * (21 * row + y) + 21 * column + x] == "#"
                    for y in range(5, 17)
                    for x in range(5, 17)
                )
                cells.append(lit > 12)
        return cells


@pytest.fixture
def desk(chromium, tmp_path):
    chromium.size(1280, 1000)
    chromium.log("browser")
    found = Desk(chromium, tmp_path / "state")
    yield found
    found.kill()
    chromium.post("url", url="about:blank")


def language(desk):
    """Choose English, which a new box asks for."""
    desk.open()
    desk.says("English")
    desk.keys(("1", True), ("1", False))
    desk.says("You are x")


def asked(address, path, **headers):
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname, place.port, timeout=60)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def test_a_game_by_keys_and_one_by_fingers(desk):
    language(desk)
    desk.keys(("5", True))
    desk.until("panel.held(4) && panel.buttons[4].classList.contains('down')")
    desk.keys(("5", False))
    desk.until("!panel.held(4)")
    desk.until("window.sent.pictures.length > 3")
    desk.touch(1)
    desk.until("panel.held(0)")
    desk.touch()
    desk.until("!panel.held(0)")


def test_a_hold_opens_the_menu_and_two_fingers_are_two_buttons(desk):
    language(desk)
    desk.touch(5)
    desk.says("Menu")
    desk.touch()
    desk.touch(5)
    desk.touch()
    desk.touch(1, 9)
    desk.until("panel.held(0) && panel.held(8)")
    desk.touch()
    desk.until("panel.holders.size === 0")


def test_cable_and_plug(desk):
    language(desk)
    desk.keys(("5", True), ("5", False))
    desk.chromium.click("summary")
    desk.until("workbench.state.phase === 'your_turn'")
    assert sum(desk.marks()) == 2
    desk.chromium.click("#cable")
    desk.until("document.getElementById('cable').textContent === 'Plug the display in'")
    desk.until("document.getElementById('says').textContent === ''")
    assert "#" not in desk.shown()
    desk.chromium.click("#cable")
    desk.says("You are x")
    desk.chromium.click("#plug")
    desk.until("workbench.state.phase === 'off'")
    assert "#" not in desk.shown()
    desk.chromium.click("#plug")
    desk.until("workbench.state.phase === 'your_turn'")
    desk.says("You are x")
    assert sum(desk.marks()) == 2


def test_the_second_window_is_told_and_can_take_over(desk):
    language(desk)
    first = desk.chromium.call("GET", f"{desk.chromium.session}/window")
    second = desk.chromium.post("window/new", type="tab")["handle"]
    desk.chromium.post("window", handle=second)
    desk.chromium.post("url", url=desk.address)
    desk.until(
        "document.getElementById('notice').textContent.includes('Another window shows this box already')"
    )
    desk.chromium.click("#notice button")
    desk.until("panel.buttons.length === 9 && document.getElementById('notice').hidden")
    desk.chromium.call("DELETE", f"{desk.chromium.session}/window")
    desk.chromium.post("window", handle=first)
    desk.until("document.getElementById('notice').textContent.includes('Another window shows the box now')")


def test_a_wrong_token_and_a_foreign_origin_are_refused(desk):
    token = desk.address.rpartition("=")[2]
    assert asked(desk.address, "/?t=wrong")[0] == 403
    assert asked(desk.address, f"/?t={token}")[0] == 200
    assert asked(desk.address, f"/?t={token}", Origin="http://example.org")[0] == 403
    assert asked(desk.address, f"/?t={token}", Host="example.org")[0] == 403
    for headers in ({"Origin": "http://example.org"}, {}):
        status, text = asked(desk.address, f"/box?t={token}", **UPGRADE, **headers)
        assert (status, text) == (403, "Only the box's own page may ask this server.")


def test_a_server_that_went_is_said_and_found_again(desk):
    language(desk)
    desk.keys(("5", True))
    desk.kill()
    desk.until("document.getElementById('notice').textContent.includes('does not answer')")
    assert desk.chromium.run("return panel.holders.size") == 0
    desk.start()
    desk.until("document.getElementById('notice').hidden && panel.buttons.length === 9")
    desk.says("You are x")


def test_nothing_is_sent_while_nothing_changes_and_no_picture_twice_in_a_thirtieth(desk):
    language(desk)
    desk.keys(("5", True), ("5", False))
    desk.until("workbench.state.phase === 'your_turn'")
    desk.chromium.click("summary")
    desk.until("document.getElementById('workbench').open")
    desk.chromium.run("send({ speed: 0 })")
    desk.until("workbench.state.speed === 0")
    quiet = desk.chromium.run("return window.sent.messages")
    desk.chromium.run("send({ nonsense: 1 })")  # it is answered after all that was on its way
    desk.until("document.getElementById('notice').textContent.includes('none that the box knows')")
    assert desk.chromium.run("return window.sent.messages") - quiet <= 2
    parts = [asked(desk.address, f"/{name}?t={desk.address.rpartition('=')[2]}")[1] for name in PARTS]
    assert sum(map(len, parts)) < 100_000


PARTS = ("", "page.css", "panel.js", "sound.js", "workbench.js", "desk.js")


def test_the_workbench_shows_the_bus_the_pins_and_the_journal_and_records(desk):
    language(desk)
    desk.chromium.click("summary")
    desk.keys(("5", True), ("5", False))
    desk.until("document.querySelectorAll('#bus li').length > 3")
    desk.until("/page \\d/.test(document.getElementById('bus').textContent)")
    desk.until("workbench.levels.length > 3")
    desk.chromium.click("#record")
    desk.until("document.getElementById('record').textContent === 'End the recording'")
    desk.keys(("1", True), ("1", False))
    desk.until("workbench.state.recording?.includes('down: 1')")
    desk.chromium.click("#record")
    desk.until("!document.getElementById('recorded').hidden && workbench.state.recording === null")
    desk.chromium.click("#load")
    for number in range(1, 5):
        desk.chromium.click("#next")
        desk.until(f"document.getElementById('played').textContent.startsWith('Step {number} of 4')")
        desk.until("document.getElementById('played').textContent.includes('It held.')")
    desk.chromium.click("#leave")
    desk.until("document.getElementById('played').textContent === ''")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1024, 768), (1440, 900)])
def test_it_fits(desk, chromium, width, height):
    for dark in (False, True):
        chromium.size(width, height, dark=dark)
        desk.open()
        assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
        low = {name: ratio for name, ratio in chromium.probe("textContrasts").items() if ratio < 4.5}
        assert not low
        left, top, right, bottom = chromium.probe("box", "#box")
        assert abs((right - left) / (bottom - top) - 90 / 140) < 0.01
        assert all(wide >= 24 and high >= 24 for wide, high in chromium.probe("buttonSizes"))
