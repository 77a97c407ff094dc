"""The page's Python without a browser: what it tells, and what its folder keeps."""

import json
import logging

import pytest

from appliance.desk.worker import Inside


@pytest.fixture
def begin(tmp_path, monkeypatch):
    """Return what starts a box, and the list of what it tells, JSON as its values."""
    monkeypatch.chdir(tmp_path)  # and back, in the end
    log, boxes = logging.getLogger("tictactoe"), []
    before = [*log.handlers]

    def run(*configuration, clock=lambda: 0.0):
        for box in boxes:
            box._desk.close()
        told = []

        def tell(said):
            told.append(said if isinstance(said, bytes) else json.loads(said))

        boxes[:] = [Inside(tell, tmp_path, *configuration, seed=7, clock=clock)]
        return boxes[0], told

    yield run
    boxes[0]._desk.close()
    log.handlers[:] = before
    log.setLevel(logging.NOTSET)


def values(told, name):
    return [message[name] for message in told if isinstance(message, dict) and name in message]


def test_a_box_shows_itself_and_hears(begin):
    times = iter(range(99))
    box, told = begin(clock=lambda: float(next(times)))
    assert values(told, "hello")[0]["display"]["height"] == 64
    assert [message[0] for message in told if isinstance(message, bytes)] == [1]  # a picture, lit
    assert values(told, "mistakes") == [[]]
    box.hear('{"speed": 0}')
    assert values(told, "speed") == [1, 0]
    assert box.turn() == float("inf")


def test_the_configuration_is_kept_and_its_mistakes_are_told(begin):
    _, told = begin("display: {height: 32}\ngame:\n  level: strongest\n")
    [mistakes] = values(told, "mistakes")
    assert len(mistakes) == 1
    assert mistakes[0].startswith("tictactoe.yaml:3: game.level: expected one of")
    for configuration, kept, height in [((), "display", 32), (("",), "", 64), ((), "", 64)]:
        _, told = begin(*configuration)
        assert values(told, "configuration")[0].startswith(kept)
        assert values(told, "hello")[0]["display"]["height"] == height


def test_the_journal_has_what_the_box_logs(begin):
    times = iter(range(99))
    box, told = begin("log: warning", clock=lambda: float(next(times)))
    box.hear('{"watch": ["journal"]}')
    for level in (logging.INFO, logging.WARNING):
        logging.getLogger("tictactoe").log(level, "at %d", level)
    box.turn()
    assert values(told, "journal")[-1] == [f"at {logging.WARNING}"]
