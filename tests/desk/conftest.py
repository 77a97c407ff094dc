"""A desk on a clock that the test advances, and what its page has been told."""

import pytest

from appliance.config.schema import Config
from appliance.desk.desk import Desk, encode_message


class Page:
    """What a page knows: the last of each kind of message, and how many came."""

    def __init__(self, desk, now=0.0):
        self.desk, self.now = desk, now
        self.shown, self.all, self.turns = {}, [], 0
        self._take(desk.open(now))

    def _take(self, messages):
        self.all += messages
        for message in messages:
            self.shown |= {"picture": message} if isinstance(message, bytes) else message

    def says(self, **message):
        self._take(self.desk.hear(encode_message(message), self.now))

    def text(self, text):
        self._take(self.desk.hear(text, self.now))

    def wait(self, seconds):
        """Let time pass, as the server does: it sleeps for as long as the desk allows."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + self.desk.due(self.now))
            self._take(self.desk.advance(self.now))
            self.turns += 1

    def until(self, longest=30.0, **wanted):
        end = self.now + longest
        while self.now < end and any(self.shown.get(name) != value for name, value in wanted.items()):
            self.wait(0.02)
        assert {name: self.shown.get(name) for name in wanted} == wanted

    def hold(self, *keys, seconds=0.1):
        for key in keys:
            self.says(down=key)
        self.wait(seconds)
        for key in keys:
            self.says(up=key)
        self.wait(0.1)


@pytest.fixture
def make():
    """Return a function that builds a desk with its page."""
    desks = []

    def build(config=None, **options):
        desk = Desk(config or Config(), 0.0, **{"seed": 7, **options})
        desks.append(desk)
        return Page(desk)

    yield build
    for desk in desks:
        desk.close()


@pytest.fixture
def page(make):
    """A page whose box has greeted."""
    page = make()
    page.wait(2)
    return page
