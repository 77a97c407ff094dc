"""The box in a page in a real Chromium: buttons that are held, and the chip's picture pixel by pixel."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import AUDIT, AXE

SPY = (Path(__file__).parent / "spy.js").read_text(encoding="utf-8")
PAUSE = "setTimeout(arguments[1], arguments[0])"
LIT_BY = """
const picture = new Uint8Array(sent.pictures.at(-1));
[picture[0], picture[1]] = arguments;
panel.draw(picture);
const { data } = panel.screen.getContext("2d").getImageData(0, 0, 128, 64);
return Math.max(...data.filter((_, i) => i % 4 < 3));
"""
COUNT = """
sent.downs = 0;
const { press } = panel;
panel.press = (key, down) => ((sent.downs += down), press(key, down));
"""


class Desk:
    """A window that shows the page."""

    def __init__(self, chromium, address):
        self.chromium, self.address = chromium, address

    def open(self, query="?seed=7&patient"):
        self.chromium.go(self.address + query)
        self.shown()

    def shown(self):
        self.until("typeof panel !== 'undefined' && ready && sent.pictures.length")

    def until(self, condition):
        """Wait for the page; a condition that never comes true is an error after ten minutes."""
        try:
            self.chromium.wait(condition)
        except RuntimeError as error:
            raise AssertionError(f"it never came: {condition}; {self.seen()}") from error

    def seen(self):
        return self.chromium.run("return [phase(), document.getElementById('says').textContent, notice()]")

    def says(self, word):
        self.until(f"document.getElementById('says').textContent.includes({json.dumps(word)})")

    def key(self, number, *, down):
        """Move a physical key."""
        kind, key = ("keyDown" if down else "keyUp"), str(number)
        self.chromium.devtools("Input.dispatchKeyEvent", type=kind, key=key, code=f"Digit{key}")

    def touch(self, *keys):
        """Have a finger on each of these buttons, from 1, and on no other."""
        boxes = [self.chromium.probe("box", f".key[aria-label^='{key}']") for key in keys]
        points = [
            {"x": (left + right) / 2, "y": (top + bottom) / 2, "id": key}
            for key, (left, top, right, bottom) in zip(keys, boxes, strict=True)
        ]
        kind = "touchStart" if keys else "touchEnd"
        self.chromium.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def press(self, key, until, *, finger=False):
        """Hold a button until something has happened, as a person does, and let it go."""
        self.touch(key) if finger else self.key(key, down=True)
        self.until(until)
        self.release(key, finger=finger)

    def tap(self, key, until, *, finger=False):
        """Press a button for as long as people do, by the box's clock: for it, too, it is down so long."""
        self.touch(key) if finger else self.key(key, down=True)
        self.pause()
        self.release(key, finger=finger)
        self.until(until)

    def release(self, key, *, finger):
        """Let a button go for so long that the box takes it for open, however soon it is pressed again."""
        self.touch() if finger else self.key(key, down=False)
        self.pause()

    def pause(self, milliseconds=150):
        """Let a while pass on the box's clock after all that the page has sent."""
        self.heard()
        self.chromium.post("execute/async", script=PAUSE, args=[milliseconds])

    def wait_for_patience(self):
        """Wait until the key that led to a board may make a move there: a second tap in haste makes none."""
        self.pause(600)

    def heard(self):
        """Wait until the box has heard all that the page sent: it tells each change of the speed."""
        for speed in (0.25, 1):
            self.chromium.run(f"send({{ speed: {speed} }})")
            self.until(f"workbench.state.speed === {speed}")

    def marks(self):
        return self.chromium.run("return marks()")

    def game(self, *, finger):
        """Play the first free cell each time until the game is over; return how many marks it had."""
        while True:
            self.until("phase() === 'your_turn' || phase() === 'game_over'")
            marks = self.marks()
            if self.chromium.run("return phase()") == "game_over":
                return
            cell = marks.index(False)
            self.press(cell + 1, f"marks()[{cell}] && phase() !== 'your_turn'", finger=finger)


@pytest.fixture
def new(chromium, site):
    """A browser that has never seen the page."""
    chromium.size(1280, 1000, touch=True)
    chromium.log("browser")
    chromium.log("performance")
    chromium.devtools("Storage.clearDataForOrigin", origin=site.rstrip("/"), storageTypes="all")
    script = chromium.devtools("Page.addScriptToEvaluateOnNewDocument", source=SPY)
    yield Desk(chromium, site)
    chromium.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)
    chromium.go("about:blank")


@pytest.fixture
def desk(new):
    """A page whose box was asked for English, as a new one asks."""
    new.open()
    new.says("English")
    new.tap(1, "phase() === 'your_turn'")
    new.wait_for_patience()
    return new


def test_a_game_by_keys_and_one_by_fingers(desk):
    for finger in (False, True):
        desk.game(finger=finger)
        assert sum(desk.marks()) >= 5
        desk.press(1, "phase() === 'your_turn'", finger=finger)  # another one
        desk.until("marks().filter(Boolean).length <= 1")  # the box may begin
        desk.wait_for_patience()
    desk.until("panel.holders.size === 0")


def test_the_picture_is_that_of_the_chip(desk):
    """Both displays show each pixel of the memory that was sent, at its contrast."""
    desk.press(5, "marks()[4]")
    desk.until("phase() === 'your_turn'")
    while True:  # until no picture came meanwhile
        *sent, small, large = desk.chromium.run(
            "const [small, large] = [panel.screen, panel.close].map(pixels);"
            "return [...sent.pictures.at(-1), small, large]"
        )
        lit, contrast, _, _, *memory = sent
        wanted = [bool(memory[128 * (y // 8) + x] >> (y % 8) & 1) for y in range(64) for x in range(128)]
        if wanted == small == large:
            break
    assert (lit, sum(wanted) > 300) == (1, True)
    # A dim picture is drawn dimmer, and a dark one black.
    bright, dim, dark = (
        desk.chromium.run(LIT_BY, *light) for light in ((1, 255), (1, contrast // 9), (0, 255))
    )
    assert bright > dim > 60 > dark


def test_what_is_said_stays_for_a_while(desk):
    desk.chromium.run("for (let number = 0; number < 999; number++) heard.says(`Word ${number}.`);")
    said = desk.chromium.run("return [...$('says').children].map((one) => one.textContent);")
    assert said == [f"Word {number}." for number in range(949, 999)]


def test_a_hold_is_a_hold_and_two_fingers_are_a_chord(desk):
    desk.press(5, "phase() === 'menu'", finger=True)  # held, the centre opens the menu
    desk.until("panel.holders.size === 0")
    desk.says("Menu")
    desk.tap(5, "phase() === 'your_turn'", finger=True)  # "play"
    before = desk.marks()
    desk.touch(1, 9)
    desk.until("panel.held(0) && panel.held(8)")
    desk.says("One button")  # the box saw both, and asks for one
    desk.touch()
    desk.until("panel.holders.size === 0")
    assert desk.marks() == before


def test_a_button_is_released_when_its_window_is_left(desk):
    desk.key(5, down=True)
    desk.until("panel.held(4)")
    desk.chromium.run("window.dispatchEvent(new Event('blur'))")
    assert desk.chromium.run("return panel.holders.size") == 0
    desk.key(5, down=False)
    desk.until("phase() !== 'menu'")


def test_the_enter_key_and_space_press_the_button_that_has_the_focus_once(desk):
    desk.chromium.run(COUNT)
    for count, (key, code, button) in enumerate((("Enter", "Enter", 1), (" ", "Space", 3)), 1):
        desk.until("phase() === 'your_turn'")
        desk.chromium.probe("focus", f".key[aria-label^='{button}']")
        desk.chromium.devtools("Input.dispatchKeyEvent", type="keyDown", key=key, code=code)
        desk.until("panel.holders.size === 1 && phase() !== 'your_turn'")
        desk.chromium.devtools("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)
        desk.until("panel.holders.size === 0")
        assert desk.chromium.run("return sent.downs") == count


def test_a_turned_box_is_shown_turned_and_counts_from_where_one_looks(desk):
    desk.chromium.run("heard.turned(true)")
    first = desk.chromium.probe("box", ".key[aria-label^='1']")
    last = desk.chromium.probe("box", ".key[aria-label^='9']")
    screen = desk.chromium.probe("box", ".screen")
    assert first[0] < last[0]
    assert first[1] < last[1] < screen[1]
    desk.key(1, down=True)
    assert desk.chromium.run("return panel.held(8)")
    desk.key(1, down=False)


def test_cable_and_plug(desk):
    desk.press(5, "marks()[4]")
    desk.until("phase() === 'your_turn'")
    desk.until("marks().filter(Boolean).length === 2")
    desk.chromium.click("summary")
    desk.chromium.click("#cable")
    desk.until("document.getElementById('cable').textContent === 'Plug the display in'")
    desk.until("!pixels(document.querySelector('.screen')).some(Boolean)")
    desk.chromium.click("#cable")
    desk.until("marks().filter(Boolean).length === 2")
    desk.chromium.click("#plug")
    desk.until("phase() === 'off' && !pixels(document.querySelector('.screen')).some(Boolean)")
    desk.chromium.click("#plug")
    desk.until("phase() === 'your_turn'")
    desk.until("marks().filter(Boolean).length === 2")  # the game is there again


@pytest.mark.parametrize(
    ("fault", "lines", "end"), [("none", 0, None), ("dead:row1", 3, None), ("swapped", 6, "4")]
)
def test_wrong_wires_are_drawn_on_the_panel(desk, fault, lines, end):
    """A cross on each key that closes nothing; a line to the key whose contact another one closes."""
    desk.chromium.run("send({ fault: arguments[0] })", fault)
    desk.until(f"panel.wires.children.length === {lines}")
    if end:
        drawn, scale = desk.chromium.run(
            "const { wires, host } = panel;"
            "return [wires.children[0].getBBox(), host.clientWidth / wires.viewBox.baseVal.width]"
        )
        (_, top, *_), (_, below, *_) = (
            desk.chromium.probe("box", f".key[aria-label^='{key}']") for key in ("1", end)
        )
        assert drawn["width"] == 0
        assert drawn["height"] * scale == pytest.approx(below - top, abs=1)


def test_after_a_click_in_the_workbench_the_keys_still_press(desk):
    desk.chromium.click("summary")
    desk.chromium.click("#stuck input")
    desk.until("panel.buttons[0].classList.contains('stuck')")
    desk.chromium.click("#stuck input")
    desk.until("!panel.buttons[0].classList.contains('stuck')")
    desk.until("phase() === 'your_turn'")
    desk.press(5, "marks()[4]")


def test_the_second_tab_is_told_and_can_take_over(desk):
    desk.press(5, "marks()[4]")
    desk.until("phase() === 'your_turn'")
    marks = desk.marks()
    first = desk.chromium.call("GET", f"{desk.chromium.session}/window")
    second = desk.chromium.post("window/new", type="tab")["handle"]
    desk.chromium.post("window", handle=second)
    desk.chromium.devtools("Page.addScriptToEvaluateOnNewDocument", source=SPY)
    desk.chromium.go(desk.address)
    desk.until("notice().includes('Another tab shows this box already')")
    assert not desk.chromium.run("return ready")
    desk.chromium.click("#notice button")
    desk.until("ready && phase() === 'your_turn'")
    desk.until(
        f"{json.dumps(marks)}.every((mark, cell) => mark === marks()[cell])"
    )  # the game has come with it
    desk.chromium.call("DELETE", f"{desk.chromium.session}/window")
    desk.chromium.post("window", handle=first)
    desk.until("notice().includes('Another tab shows this box now')")
    desk.chromium.click("#notice button")
    desk.until("ready && phase() === 'your_turn'")


def test_a_reload_keeps_game_settings_and_configuration(desk):
    desk.press(5, "marks()[4]")
    desk.until("phase() === 'your_turn'")
    marks = desk.marks()
    desk.open("")
    desk.until("phase() === 'your_turn'")
    assert desk.marks() == marks
    assert desk.chromium.run("return document.getElementById('configuration').value") == "keypad: {hold: 10}"


def test_a_box_that_fails_says_so_and_starts_again(desk):
    desk.key(1, down=True)
    desk.chromium.run("working.postMessage({})")  # no text: an error of the page's own
    desk.until("notice().includes('The box has stopped')")
    assert desk.chromium.run("return [panel.holders.size, ready]") == [0, False]
    desk.chromium.click("#notice button")
    desk.until("ready && phase() === 'your_turn'")
    desk.chromium.log("browser")  # the error is there, whole


def test_a_configuration_is_tried_and_its_mistakes_have_their_lines(desk):
    desk.chromium.click("summary")
    desk.chromium.run(
        "document.getElementById('configuration').value = 'sound: {pin: 18}\\ndisplay: {height: 31}'"
    )
    desk.chromium.click("#apply")
    desk.until("notice().startsWith('tictactoe.yaml:2: display.height: expected one of 64, 32, found 31')")
    assert not desk.chromium.run("return document.getElementById('muting').hidden")  # it has a buzzer
    desk.chromium.run("document.getElementById('configuration').value = 'display: {height: 32}'")
    desk.chromium.click("#apply")
    desk.until("ready && panel.size.height === 32 && notice() === ''")


def test_the_lesson_is_a_click_away_in_the_language_of_the_box_and_leads_back(desk):
    desk.chromium.run("heard.language('de')")
    desk.chromium.click("#lesson")
    back = "header a[data-text='page.box']"
    wanted = "Im Browser gegen die Box spielen"
    desk.chromium.wait(f'document.querySelector("{back}")?.textContent === "{wanted}"')
    desk.chromium.click(back)
    desk.shown()


def test_games_are_saved_as_files(desk):
    desk.chromium.click("summary")
    desk.chromium.click("#games")
    desk.until("notice().includes('no game has been finished yet')")
    desk.game(finger=False)
    desk.chromium.click("#games")
    desk.until("document.querySelectorAll('#saved a').length === 2")
    links = "return [...document.querySelectorAll('#saved a')].map((link) => [link.download, link.protocol])"
    assert desk.chromium.run(links) == [["games.csv", "blob:"], ["games.html", "blob:"]]
    listing, page = desk.chromium.run("return Object.values(workbench.state.games)")
    assert listing.count("\n") == 2
    assert page.startswith("<!DOCTYPE html>")


def test_a_mistake_is_told_until_the_next_action(desk):
    desk.chromium.run("send({ nonsense: 1 })")
    desk.until("notice().includes('nonsense: unknown key')")
    desk.press(5, "marks()[4]")
    assert desk.chromium.run("return notice()") == ""


def test_no_other_host_is_asked(desk):
    """The worker is under the same policy, which lets it ask none."""
    desk.chromium.click("summary")
    desk.press(5, "marks()[4]")
    requested = [
        urlsplit(url) for url in desk.chromium.requested() if not url.startswith(("data:", "about:"))
    ]
    assert {url.netloc for url in requested} == {urlsplit(desk.address).netloc}
    assert [entry for entry in desk.chromium.log("browser") if entry["level"] == "SEVERE"] == []


def test_the_workbench_shows_the_bus_the_pins_and_the_journal_and_records(desk):
    desk.chromium.click("summary")
    desk.until("workbench.levels.length > 0")  # it watches
    desk.until("workbench.now >= workbench.levels.at(-1)[0] + SHOWN")  # and draws while nothing changes
    desk.press(5, "marks()[4]")
    desk.until("document.querySelectorAll('#bus li').length > 3")
    desk.until("/page \\d/.test(document.getElementById('bus').textContent)")
    desk.until("workbench.levels.length > 3")
    desk.chromium.click("#record")
    desk.until("document.getElementById('record').textContent === 'End the recording'")
    desk.press(1, "marks()[0]")
    desk.until("workbench.state.recording?.includes('down: 1')")
    desk.chromium.click("#record")
    desk.until("!document.getElementById('recorded').hidden && workbench.state.recording === null")
    desk.chromium.click("#load")
    desk.until("!document.getElementById('next').disabled")
    for number in range(1, 5):
        desk.chromium.click("#next")
        desk.until(f"document.getElementById('played').textContent.startsWith('Step {number} of 4')")
        desk.until("document.getElementById('played').textContent.includes('It held.')")
    desk.chromium.click("#leave")
    desk.until("document.getElementById('played').textContent === ''")


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits(new, chromium, dark):
    new.open()
    for unfolded in (False, True):
        if unfolded:
            chromium.click("summary")
            new.until("document.getElementById('chart').clientWidth > 0")
        for width, height in [(390, 844), (844, 390), (1024, 768), (1366, 768), (1440, 900)]:
            chromium.size(width, height, dark=dark, touch=width < 900)
            chromium.run("scrollTo(0, 0)")
            assert_fits(chromium, width, height)


def assert_fits(chromium, width, height):
    for language in ("de", "fr", "es", "pl", "cs", "en"):
        chromium.run("heard.language(arguments[0])", language)
        assert chromium.run("return document.documentElement.scrollWidth <= innerWidth"), language
        assert chromium.run("return document.documentElement.lang") == language
    low = {name: ratio for name, ratio in chromium.probe("textContrasts").items() if ratio < 4.5}
    assert not low
    left, top, right, bottom = chromium.probe("box", "#box")
    assert abs((right - left) / (bottom - top) - 90 / 140) < 0.01
    for key in range(1, 10):  # the whole panel is seen at once
        sides = chromium.probe("box", f".key[aria-label^='{key}']")
        assert 0 <= sides[0] < sides[2] <= width
        assert 0 <= sides[1] < sides[3] <= height
    assert all(wide >= 24 and high >= 24 for wide, high in chromium.probe("buttonSizes"))
    chromium.run(AXE.read_text(encoding="utf-8"))
    assert chromium.run(AUDIT) == []
