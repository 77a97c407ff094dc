"""What systemd says of the image's units without running them: their lines, their sandbox, their order."""

import re
import subprocess
from pathlib import Path

import pytest

from appliance.slots.publish import REPORT

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "image/root/usr/lib/systemd/system"
NAMES = sorted(path.name for path in UNITS.iterdir() if path.is_file() and not path.is_symlink())
# At most so much exposure, times ten, as systemd rates it: 95 without a sandbox. What is left: they are
# root's, mount, become another user, load a module.
EXPOSURE = {
    "box-games.service": 16,
    "box-leave.service": 17,
    "box-settled.service": 14,
    "box-starts-played.service": 8,
    "box-starts-silent.service": 8,
    "box-status.service": 18,
    "box-test.service": 5,
    "box-trial.service": 8,
    "box-update.service": 21,
}


@pytest.fixture
def units(tmp_path):
    """Return a folder with the units; programs of the box are replaced by one that is here."""
    paths = [path for path in UNITS.rglob("*") if path.is_file()]
    for path in (*paths, ROOT / "systemd/tictactoe.service"):
        text = re.sub("/usr/bin/(tictactoe|udevadm) [a-z /=.-]*", "/bin/true", path.read_text())
        file = tmp_path / (path.relative_to(UNITS) if path in paths else path.name)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return tmp_path


def analyze(units, *arguments):
    return subprocess.run(
        ["systemd-analyze", "--no-pager", "--man=no", *arguments],
        env={"SYSTEMD_UNIT_PATH": f"{units}:", "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def verify(units):
    """Return what verifies a unit among the others."""

    def run(name, old="", new=""):
        file = units / name
        file.write_text(file.read_text().replace(old, new))
        done = analyze(units, "verify", file)
        return done.returncode, done.stderr

    return run


@pytest.mark.parametrize("name", NAMES)
def test_systemd_understands_every_line(verify, name):
    assert verify(name) == (0, "")


def test_a_mistake_is_found(verify):
    assert "TimeoutStopSecs" in verify("box-leave.service", "TimeoutStopSec", "TimeoutStopSecs")[1]


def test_each_service_has_a_bound_of_its_own():
    assert set(EXPOSURE) == {name for name in NAMES if name.endswith(".service")}


@pytest.mark.parametrize("name", EXPOSURE)
def test_a_job_has_the_sandbox_that_its_work_allows(units, name):
    done = analyze(units, "security", "--offline=yes", f"--threshold={EXPOSURE[name]}", units / name)
    score = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert score, done.stderr
    print("exposure", score[1])  # noqa: T201 - the figure, for whoever runs this with -rP
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize("name", EXPOSURE)
def test_what_reads_the_service_s_files_may_become_its_user_and_what_mounts_may_mount(name):
    """What a job's work needs: without it the job would fail on the box, where nobody sees it."""
    text = (UNITS / name).read_text()
    actions = set(re.findall(r"tictactoe image (\w+)", text))
    needed = {"CAP_SYS_ADMIN"} if actions else set()
    needed |= {"CAP_SETUID", "CAP_SETGID"} if actions & {"games", "status"} else set()
    needed |= {"CAP_SYS_MODULE"} if "update" in actions else set()
    assert settings(name, "CapabilityBoundingSet") == needed
    calls = settings(name, "SystemCallFilter")
    assert ("@mount" in calls, "@setuid" in calls) == ("CAP_SYS_ADMIN" in needed, "CAP_SETUID" in needed)
    assert ("/boot/firmware" in settings(name, "ReadWritePaths")) == bool(actions)
    asks = "systemctl" in text or actions & {"update", "status"}
    assert settings(name, "RestrictAddressFamilies") == {"AF_UNIX" if asks else "none"}


def settings(name, key):
    lines = re.findall(rf"^{key}=(.*)$", (UNITS / name).read_text(), re.MULTILINE)
    return {word for line in lines for word in line.split()}


def test_the_last_to_stop_is_what_writes_the_games():
    """Units stop in the reverse of their order. Two that write at once would spoil each other's mount."""
    assert "box-leave.service" in settings("box.target", "Wants")
    writers = {name for name in NAMES if re.search("tictactoe image |remount,rw", (UNITS / name).read_text())}
    assert settings("box-leave.service", "Before") == {
        "shutdown.target", "tictactoe.service", *writers - {"box-leave.service"}
    }  # fmt: skip
    assert "box-games.service" in settings("box-status.service", "Wants")
    assert "box-status.service" in settings("box-games.service", "After")


def test_it_has_written_before_the_display_s_ten_seconds_are_over():
    """The display says "Switching off. Wait ten seconds, then unplug"; the game stops first."""
    service = (ROOT / "systemd/tictactoe.service").read_text()
    (game,) = re.findall(r"^TimeoutStopSec=(\d+)s", service, re.MULTILINE)
    (leave,) = settings("box-leave.service", "TimeoutStopSec")
    assert int(game) + int(leave.removesuffix("s")) < 10


def test_no_restart_ends_an_update_or_a_test_of_the_board():
    """Both hold the game up, for minutes, and what restarts a silent box begins to wait after them."""
    held_up = {name for name in NAMES if "tictactoe.service" in settings(name, "Before")}
    assert held_up - {"box-leave.service"} == settings("box-starts-silent.timer", "After")
    assert "box-update.service" in settings("box-status.timer", "After"), "it mounts the card read-only again"
    assert "box-starts-silent.timer" in settings("box.target", "Wants")


# A test of the board that a file on the card asks for: without a login nobody could end one that never ends.

TEST = "box-test.service"


def test_it_has_the_board_before_the_game_and_its_report_is_copied_then():
    assert TEST in settings("box.target", "Wants")
    assert settings(TEST, "Before") == {"tictactoe.service", "box-status.timer", "shutdown.target"}
    assert f"/data/tictactoe/{REPORT}" in settings(TEST, "ExecStart")
    assert settings(TEST, "ExecStart") >= {"-/usr/bin/tictactoe", "selftest", "--full"}
    assert settings(TEST, "ReadWritePaths") == {"/data/tictactoe"}


def test_whatever_becomes_of_it_the_game_starts():
    (limit,) = settings(TEST, "TimeoutStartSec")
    assert limit == "30min"
    assert settings(TEST, "Type") == {"oneshot"}, "over before what comes after it starts"
    others = [*UNITS.rglob("*.*"), ROOT / "systemd/tictactoe.service"]
    needed = r"^(Requires|Requisite|BindsTo|PartOf|Upholds)=.*box-test"
    texts = {path.name: path.read_text() for path in others if path.is_file()}
    assert not [name for name, text in texts.items() if re.search(needed, text, re.MULTILINE)]


@pytest.mark.parametrize(("mounts", "names"), [
    (True, ["selftest.txt"]), (True, ["Selftest", "selftest.txt.txt"]), (False, ["selftest.txt"]),
])  # fmt: skip
def test_the_file_is_gone_before_the_test_or_there_is_no_test(tmp_path, mounts, names):
    """Else a test that hangs would keep the game from every start. So is the last report: it is no answer."""
    boot, tools = tmp_path / "boot", tmp_path / "tools"
    boot.mkdir()
    tools.mkdir()
    data = tmp_path / "data"
    data.mkdir()
    for file in (*(boot / name for name in (*names, "status.txt", REPORT)), data / REPORT):
        file.touch()
    (tools / "mount").write_text(f"#!/bin/sh\necho $2 >>{tmp_path}/mounts\n{'true' if mounts else 'false'}\n")
    (tools / "mount").chmod(0o755)
    (line,) = re.findall(r"^ExecStartPre=\+/bin/sh -c '(.*)'$", (UNITS / TEST).read_text(), re.MULTILINE)
    script = line.replace("/boot/firmware", str(boot)).replace("/data/tictactoe", str(data))
    done = subprocess.run(["sh", "-c", script], env={"PATH": f"{tools}:/usr/bin:/bin"}, check=False)
    assert (done.returncode == 0) == mounts
    assert {path.name for path in boot.iterdir()} == {"status.txt", *(() if mounts else (*names, REPORT))}
    assert (data / REPORT).exists() != mounts
    assert (tmp_path / "mounts").read_text().split() == ["remount,rw", "remount,ro"]
    assert settings(TEST, "ConditionPathExistsGlob") == {
        "/boot/firmware/[Ss][Ee][Ll][Ff][Tt][Ee][Ss][Tt]*", "!/boot/firmware/*.[Bb][Oo][Xx]",
    }  # fmt: skip
