"""Checks 16 to 18, and a whole test over restarts: of the game that hangs, and of the machine."""

import errno
import io
import signal

import pytest
from display_board import BOOT, Board

from appliance import cli
from appliance.core.errors import UserError
from appliance.devicetest import resume, session
from appliance.devicetest import rig as rig_module
from appliance.devicetest.plan import chosen
from appliance.devicetest.report import parse
from appliance.devicetest.restart import UNIT
from appliance.service.handover import claim
from appliance.storage import files

KEYS_WORK = (16, 17, 18)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def claimed(folder):
    """Return the suspended test, as the service hands it over."""
    assert claim(str(folder))
    return resume.take(folder)


class Systemd:
    """Answers for systemctl. A stopped process is replaced `after` seconds later; None for never."""

    def __init__(self, board, after=6.7, watchdog="15s", installed=True):
        self.board, self.after, self.watchdog = board, after, watchdog
        self.path = "/usr/lib/systemd/system/tictactoe.service" if installed else ""
        self.ready, self.pid, self.stopped, self.calls = 2.3, 100, None, []

    def __call__(self, *words):
        self.calls.append(words)
        if words[1] == "kill":
            self.stopped = self.board.time
        if self.stopped is not None and self.after and self.board.time > self.stopped + self.after:
            self.ready, self.pid, self.stopped = self.stopped + self.after, self.pid + 1, None
        if "--value" in words:
            return self.watchdog
        if words[1] != "show":
            return ""
        return (
            f"ActiveState=active\nMainPID={self.pid}\nFragmentPath={self.path}\n"
            f"ActiveEnterTimestampMonotonic={round(self.ready * 1e6)}\n"
            "ExecMainStartTimestampMonotonic=1100000"
        )


def make(folder, **systemd):
    board = Board(folder)
    board.out = io.StringIO()
    board.machine.files["sys/fs/ext4/mmcblk0p2/errors_count"] = "0"
    board.machine.run = board.systemd = Systemd(board, **systemd)
    board.path = folder / "report.txt"
    return board


class Story:
    """A device test in the service's place, with what restarts do to the machine."""

    def __init__(self, folder, answers="yyy", after=6.7, watchdog="15s"):
        self.folder, self.answers, self.boot = folder, iter(answers), 1
        self.after, self.watchdog = after, watchdog
        self.errors = "0"

    def part(self, pending=None, numbers=KEYS_WORK):
        """Run until the test is suspended or over; return the first line of what is kept."""
        board = make(self.folder, watchdog=self.watchdog)
        board.in_service = True
        board.machine.files[BOOT] = f"boot-{self.boot}"
        board.machine.files["sys/fs/ext4/mmcblk0p2/errors_count"] = self.errors
        board.judge = lambda *_: next(self.answers) == "y"
        if pending and pending.left[0] == 16:
            board.systemd.ready = pending.data["at"] + self.after
        self.hung = False
        board.hang = lambda: setattr(self, "hung", True)
        self.report = session.run(board, chosen(numbers), pending)
        file = self.folder / resume.NAME
        return file.read_text().partition("\n")[0] if file.exists() else ""

    def rest(self):
        """Run it to its end; return the rows by name."""
        first = self.part()
        while first:
            self.boot += first != resume.RESTART
            first = self.part(claimed(self.folder))
        assert parse((self.folder / session.REPORT).read_text()) == self.report
        return {row.name: (row.verdict, row.measured()) for row in self.report.rows}


def test_a_whole_test_goes_on_after_each_restart(tmp_path):
    test = Story(tmp_path)
    assert (test.part(), test.hung) == (resume.RESTART, True)
    assert test.report.rows == ()
    assert test.part(claimed(tmp_path)) == "boot-1"
    assert ([row.name for row in test.report.rows], test.hung) == (["watchdogs"], False)
    for boot in (2, 3, 4):
        test.boot = boot
        assert test.part(claimed(tmp_path)) == f"boot-{boot}"
    test.boot = 5
    assert test.part(claimed(tmp_path)) == ""
    found = {row.name: row for row in test.report.rows}
    assert test.report.result == "3/3"
    assert found["watchdogs"].measured()["ready_s"] == 6.7
    assert found["start"].measured() == {"process_s": 1.1, "ready_s": 2.3}
    assert found["unplugged"].measured() == {"same": 3, "file_system_errors": 0}
    assert parse((tmp_path / session.REPORT).read_text()) == test.report
    with pytest.raises(UserError, match="no device test to go on with"):
        resume.take(tmp_path)


FAULTS = {
    "a service that takes half a minute to come back": ({"after": 30.0}, "watchdogs"),
    "systemd leaves the board's watchdog alone": ({"watchdog": "0"}, "watchdogs"),
    "once another board after a pulled plug": ({"answers": "yny"}, "unplugged"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_fails_its_own_check_and_no_other(tmp_path, fault):
    changes, own = FAULTS[fault]
    found = Story(tmp_path, **changes).rest()
    print(f"| {fault} | {own} |")  # noqa: T201 - the table, for whoever runs this with -rP
    assert {name for name, (verdict, _) in found.items() if verdict == "failed"} == {own}


def test_errors_of_the_file_system_fail_the_pulled_plug(tmp_path):
    test = Story(tmp_path)
    test.errors = "2"
    found = test.rest()
    assert [name for name, (verdict, _) in found.items() if verdict == "failed"] == ["unplugged"]


def test_a_machine_that_was_not_switched_off_is_not_judged(tmp_path):
    test = Story(tmp_path)
    test.part(numbers=(17, 18))
    first = test.part(claimed(tmp_path))
    assert first == "boot-1", "18 begins"
    assert test.report.rows[0].measured() == {"reason": "the machine was not switched off"}
    assert test.part(claimed(tmp_path)) == ""
    assert test.report.result == "0/0"


def test_root_at_a_terminal_stops_the_installed_service_itself(tmp_path):
    board = make(tmp_path)
    found = session.run(board, chosen((16,))).rows[0]
    assert found.verdict == "ok", found
    assert found.measured()["ready_s"] == 6.7
    assert board.systemd.calls[-2][:2] == ("systemctl", "stop"), "as it was before"
    assert ("systemctl", "kill", "--kill-whom=main", "--signal=STOP", UNIT) in board.systemd.calls
    lost = make(tmp_path, after=None)
    assert session.run(lost, chosen((16,))).rows[0].verdict == "failed"


@pytest.mark.parametrize(("rights", "installed"), [(False, True), (True, False)])
def test_without_root_or_the_service_it_says_how(tmp_path, rights, installed):
    board = make(tmp_path, installed=installed)
    board.machine.root_rights = rights
    row = session.run(board, chosen((16,))).rows[0]
    assert (row.verdict, "--only 16" in row.measured()["reason"]) == ("not run", True)


def test_at_a_terminal_root_leaves_alone_what_the_service_keeps(tmp_path, monkeypatch):
    """What is in the service's folder names neither root's report nor what is in it."""
    Story(tmp_path).part(numbers=(17,))
    kept = (tmp_path / resume.NAME).read_bytes()
    (tmp_path / resume.CLAIMED).write_bytes(kept)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    board = make(tmp_path)
    monkeypatch.setattr(rig_module, "BoardRig", lambda *_: board)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    for words in ([], ["--resume"]):
        assert cli.main(["device-test", "--only", "17", "18", *words]) == 0
    assert (tmp_path / resume.NAME).read_bytes() == (tmp_path / resume.CLAIMED).read_bytes() == kept
    reports = [parse(file.read_text()) for file in elsewhere.iterdir()]
    assert [[row.verdict for row in report.rows] for report in reports] == [["not run"] * 2] * 2
    assert all("self-test" in row.measured()["reason"] for report in reports for row in report.rows)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "restart\n",
        "restart\n[]",
        'restart\n[[1], {}, "no report"]',
        "restart\n[[1], {}, 5]",
        "\n" + "[" * 99_999,
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence_and_forgotten(tmp_path, text):
    (tmp_path / resume.CLAIMED).write_text(text)
    with pytest.raises(UserError):
        resume.take(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_new_test_forgets_a_suspended_one(tmp_path):
    test = Story(tmp_path)
    test.part(numbers=(17,))
    test.part(numbers=(14,))
    assert not (tmp_path / resume.NAME).exists()


def test_nobody_is_left_with_a_test_that_waits_for_a_restart(tmp_path):
    board = make(tmp_path)
    board.in_service, board.person = True, False
    report = session.run(board, chosen((17, 18)))
    assert [row.verdict for row in report.rows] == ["not run", "not run"]
    assert not (tmp_path / resume.NAME).exists()


def test_a_process_that_is_killed_leaves_the_checks_before(tmp_path, monkeypatch):
    board = make(tmp_path)
    board.in_service = True
    read = []

    def killed(_rig):
        read.append((tmp_path / session.SO_FAR).read_text())
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "MEASURES", {**session.MEASURES, "card": killed})
    session.run(board, chosen((14, 15)))
    assert [row.number for row in parse(read[0]).rows] == [14]
    assert [path.name for path in tmp_path.glob("device-*")] == [session.REPORT]


def test_a_box_that_cannot_keep_a_report_says_so_before_the_first_check(tmp_path, monkeypatch):
    board = make(tmp_path)
    board.in_service = True
    shown = []

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "replace", full)
    monkeypatch.setattr(board, "show", shown.append)
    with pytest.raises(UserError, match="No space left"):
        session.run(board, chosen((14, 15)))
    assert [scene.text for scene in shown] == ["That did not work."]


@pytest.mark.parametrize(("hurried", "seconds"), [(False, session.READ), (True, 0.0)])
def test_a_box_that_is_switched_off_during_the_test_is_not_kept_waiting(
    tmp_path, monkeypatch, hurried, seconds
):
    board = make(tmp_path)
    board.in_service = True

    def ended(rig):
        rig.hurried = hurried
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "MEASURES", {**session.MEASURES, "card": ended})
    began = board.time
    session.run(board, chosen((15,)))
    assert seconds <= board.time - began < seconds + 1.0
    assert (tmp_path / session.REPORT).exists()
