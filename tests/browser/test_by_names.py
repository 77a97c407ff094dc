"""The pages in three browsers: a lesson, a page of games, and the box for people who cannot see."""

import re

import pytest
from store_world import GAME, WALL, close_all, fill
from test_lesson_fill import PATHS, VERDICT, fill_windows, filled
from webdriver import browser

from appliance.cli import main
from appliance.storage.rows import Played

HEARD = "return [...document.querySelectorAll('[role=log] p')].map((line) => line.textContent)"
LABELS = "return [...document.querySelectorAll('#box button')].map((one) => one.ariaLabel)"
PAUSE = "setTimeout(arguments[0], 600)"  # the box takes what comes sooner for impatience
LINES = "document.querySelectorAll('[role=log] p').length"
ENDS = re.compile(r"You win!|Box wins\.|A draw\.")


@pytest.fixture(scope="module", params=["chromium", "firefox", "webkit"])
def window(request, tmp_path_factory):
    with browser(request.param, tmp_path_factory.mktemp(request.param)) as found:
        yield found


class Listener:
    """Somebody who knows the page by the names of its buttons and by what is said, and never sees it."""

    def __init__(self, window):
        self.window, self.count = window, 0

    def hear(self, *wanted):
        """Wait for a line with one of these words; return all lines up to it."""
        lines = []
        while not any(word in line for word in wanted for line in lines):
            self.window.wait(f"{LINES} > {self.count}")
            new = self.window.run(HEARD)[self.count :]
            self.count += len(new)
            lines += new
        return lines

    def names(self):
        """Return the buttons by their names, once the tree of names has followed the page."""
        while True:
            found = self.window.names("#box button")
            if [*found] == self.window.run(LABELS):
                return found

    def press(self, name, *wanted):
        """Press the button of this name in no time, as screen readers do, and hear what that leads to.

        Nobody is as fast as a test: it presses again if the box takes two presses for two fingers.
        """
        while True:
            self.window.wait("!document.querySelector('#box .down')")
            self.window.post("execute/async", script=PAUSE, args=[])
            self.window.post(f"element/{self.names()[name]}/click")
            lines = self.hear(*wanted, "held down", "One button")
            if any(word in lines[-1] for word in wanted):
                return lines


@pytest.fixture
def listener(window, site):
    """Somebody at the page of a new box."""
    window.go(f"{site}?seed=7")
    yield Listener(window)
    window.go("about:blank")


def test_a_game_is_played_by_names_and_what_is_said(listener):
    listener.hear("Hello!")
    listener.press("1, English, ✓", "Your turn")
    while True:
        # Not the button just pressed: the box takes that for impatience.
        name = [name for name in listener.names() if "empty" in name][-1]
        cell = name[0]
        said = listener.press(name, "Your turn", "Play again?")
        assert f"x took {cell}." in " ".join(said)
        assert f"{cell}, x" in listener.names()
        if any(ENDS.search(line) for line in said):
            break
        answer = re.search(r"o took (\d)", " ".join(said))[1]
        assert listener.press(f"{answer}, o", "Taken!")[-1] == "Taken!"
    listener.press(next(name for name in listener.names() if "o" in name), "turn")  # another game
    listener.window.post("execute/async", script=PAUSE, args=[])
    listener.window.run("document.querySelector('#centre').click()")  # holds it
    listener.hear("Menu.")
    listener.window.run("document.querySelector('#centre').click()")  # lets it go
    assert "4, Level" in listener.names()
    listener.press("5, Back", "turn")


def test_a_step_of_the_lesson(window, tmp_path, capsys):
    assert main(["lesson", "((2,7),(1,8))", "--output", str(tmp_path / "lesson.html")]) == 0
    window.go(capsys.readouterr().out.splitlines()[-1])
    before = window.text("#free .progress")
    window.click("#free .step")
    assert window.text("#free .progress") != before
    assert window.text("#free .says")


def test_the_exercises_of_the_lesson(window, tmp_path):
    page = tmp_path / "lesson.html"
    assert main(["lesson", "--output", str(page)]) == 0
    address = f"{page.as_uri()}#s=practice&p=3&l=en"
    window.go(address)
    tree, paths = window.run("return practiceTree(3).tree"), window.run(PATHS, 3)
    filled(window, tree, paths, wrong={"0.0": 15})
    window.click("#practice .check")
    assert window.text(VERDICT) == "1 mistake. Its number is in the tree."
    assert window.text("#practice .reasons") == "Branch 1.1: Max takes the highest of 14 and 7: 14."
    window.click(f"#practice input[data-at='{paths.index('0.0')}']")
    window.press("-")
    window.click("#practice .check")
    assert window.text(VERDICT).startswith("All right. Max gets 13, as without cuts.")
    for choice, verdict in [
        ("[name=line][value='11']", "Not so. Max keeps the highest value so far: that is right."),
        ("[name=line][value='4']", "Right. That is the line."),
        ("[name=why][value=beta]", "Right. new_beta must be compared, not beta."),
    ]:
        window.click(f"#bug {choice}")
        window.click("#bug .check")
        assert window.text("#bug .verdict").startswith(verdict)
    window.go("about:blank")
    window.go(address)  # what was filled in is still there
    assert window.text(VERDICT).startswith("All right. Max gets 13")
    assert window.text("#bug .verdict").startswith("Right. new_beta must")
    marked = "return getComputedStyle(document.querySelector('#bug .wrong code')).textDecoration"
    assert window.run(f"{marked}Line") == "underline"


def test_windows_with_a_tie_and_a_cut_from_far_above(window, tmp_path):
    page = tmp_path / "lesson.html"
    assert main(["lesson", "--output", str(page)]) == 0
    window.go(f"{page.as_uri()}#s=practice&p=10&w=1&l=en")
    before, after = fill_windows(window, 10)
    assert before.startswith("2 mistakes.")
    assert after.startswith("All right. Max gets 7, as without cuts.")


def test_a_page_of_games(window, tmp_path):
    fill(tmp_path / "box", [Played(None, int(WALL), GAME._replace(moves=(0, 3, 1, 4, 2)))])
    close_all()
    page = tmp_path / "games.html"
    assert main(["stats", "--html", str(page), "--state", str(tmp_path / "box")]) == 0
    window.open(page)
    assert window.run("return document.querySelectorAll('article').length") == 1
    assert window.text("article").startswith("Game 1")
