"""What systemd says of the unit without running it: `make test-package`. Fails without systemd-analyze."""

import re
import socket
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from appliance.devices.i2c import LAST_BUS
from appliance.devices.pinout import HEADER_LABELS
from appliance.devices.systemd import ABSENT
from appliance.service import health
from appliance.service.start import needed_devices

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
UNIT = (SYSTEMD / "tictactoe.service").read_text()
WATCHDOG = (SYSTEMD / "tictactoe-watchdog.conf").read_text()

# Directives that relax, or that look odd: each must say what breaks without it.
EXPLAINED = (
    "DefaultDependencies", "Wants", "Conflicts", "StartLimitIntervalSec", "Type", "WatchdogSec",
    "TimeoutAbortSec", "TimeoutStartSec", "TimeoutStopSec", "Restart", "LimitCORE", "MemoryMax", "User",
    "StateDirectoryMode", "WorkingDirectory", "BindPaths", "PrivateDevices", "ProtectProc",
    "SystemCallErrorNumber",
)  # fmt: skip


def analyze(*arguments):
    command = ["systemd-analyze", "--no-pager", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def unit(tmp_path):
    """Write a unit whose program exists on this machine, too."""

    def write(text):
        path = tmp_path / "tictactoe.service"
        path.write_text(text.replace("/usr/bin/tictactoe run", "/bin/true"))
        return path

    return write


def verify(path):
    done = analyze("--man=no", "verify", path)
    return done.returncode, done.stderr


def test_systemd_understands_every_line(unit, tmp_path):
    assert verify(unit(UNIT)) == (0, "")
    other = tmp_path / "tictactoe-late@.service"
    other.write_text((SYSTEMD / other.name).read_text())
    assert verify(other) == (0, "")
    assert "PrivateTemp" in verify(unit(UNIT.replace("PrivateTmp=yes", "PrivateTemp=yes")))[1]


@pytest.mark.parametrize(
    "text", [UNIT, UNIT.replace("DefaultDependencies=no\n", "")], ids=["as it is", "late boot"]
)
def test_exposure(unit, text):
    # systemd leaves some directives out of the sum where a unit is started early: so both ways.
    done = analyze("security", "--offline=yes", "--threshold=2", unit(text))
    score = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert score, done.stderr
    print("exposure", score[1])  # noqa: T201 - the figure, for whoever runs this with -rP
    assert done.returncode == 0, done.stdout


def test_exposure_of_what_restarts_it(tmp_path):
    other = tmp_path / "tictactoe-late@.service"
    other.write_text((SYSTEMD / other.name).read_text())
    done = analyze("security", "--offline=yes", "--threshold=12", other)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.parametrize("name", EXPLAINED)
def test_odd_directives_are_explained(name):
    paragraph = re.search(rf"((?:^#.*\n)+)(?:^[^#\n].*\n)*?^{name}=", UNIT, re.MULTILINE)
    assert paragraph, f"{name}= has no comment"


def test_it_sees_every_bus_to_the_last_one_that_the_program_speaks_of():
    bound = {word for line in re.findall(r"^BindPaths=(.*)$", UNIT, re.MULTILINE) for word in line.split()}
    assert {word for word in bound if "i2c" in word} == {f"-/dev/i2c-{n}" for n in range(LAST_BUS + 1)}


def test_what_comes_late_is_looked_up_where_the_program_notes_it():
    """The header's chip and the buses: as in the unit, so in udev's rules and in what the program notes."""
    text = (SYSTEMD / "tictactoe-late@.service").read_text()
    runtime = re.search(r"^RuntimeDirectory=(.*)$", UNIT, re.MULTILINE)[1]
    assert f'grep -qsx "%i" /run/{runtime}/{ABSENT}\'' in text
    assert Path("/run", runtime) == health.DIRECTORY
    rules = (SYSTEMD / "tictactoe.rules").read_text()
    wanting = [line for line in rules.splitlines() if "SYSTEMD_WANTS" in line]
    assert all('TAG+="systemd"' in line for line in wanting)
    (bus, chip), (name, seen_as) = wanting, needed_devices(1)
    assert fnmatch(name, re.search('KERNEL=="([^"]*)"', bus)[1])
    assert "tictactoe-late@%k.service" in bus
    assert f"tictactoe-late@{seen_as}.service" in chip


def test_it_sees_the_header_s_chip_and_no_other_whatever_its_number():
    """The others switch such things as the card's power. The rule names the two drivers of all boards."""
    rules = (SYSTEMD / "tictactoe.rules").read_text()
    (rule,) = (line for line in rules.splitlines() if "SYMLINK" in line)
    drivers = re.search('DRIVERS=="([^"]*)"', rule)[1].split("|")
    assert set(drivers) == {label.replace("bcm2711", "bcm2835") for label in HEADER_LABELS}
    glob = re.search('KERNEL=="([^"]*)"', rule)[1]
    assert all(fnmatch(f"gpiochip{number}", glob) for number in (0, 4, 15))
    link = re.search(r'SYMLINK\+="([^"]*)"', rule)[1]
    bound = " ".join(re.findall(r"^BindPaths=(.*)$", UNIT, re.MULTILINE))
    assert re.findall(r"\S*gpio\S*", bound) == [f"-/dev/{link}:/dev/gpiochip0"]
    device = f"dev-{link.replace('-', chr(92) + 'x2d')}.device"
    for name in ("Wants", "After"):
        assert any(device in line.split() for line in re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE))
    limited = (SYSTEMD.parent / "debian/rules").read_text()
    assert f"{device}.d/tictactoe.conf" in limited, "without a limit a box without pins says nothing for 90 s"


# What Raspberry Pi OS's rule and ours do at an event of the chip: theirs adds its link if there is none.
UDEVADM = """#!/bin/sh
echo "$@" >>DIR/log
case "$*" in *=gpio*) ;; *) exit 0 ;; esac
[ -e DIR/dev/gpiochip0 ] || exit 0
ln -sf gpiochip0 DIR/dev/tictactoe-gpio
: >DIR/group
[ -f DIR/pi_os ] || exit 0
if [ -L DIR/dev/gpiochip4 ]; then rm DIR/dev/gpiochip4; else ln -s gpiochip0 DIR/dev/gpiochip4; fi
"""
STAT = """#!/bin/sh
for last; do :; done
[ -e "$last" ] || exit 1
if [ -f DIR/group ]; then echo gpio; else echo root; fi
"""
TRIGGER = "trigger --settle --action=add --subsystem-match"


@pytest.mark.parametrize(("before", "triggers"), [
    ({"gpiochip0", "gpiochip4"}, 2),  # Raspberry Pi OS, the first installation
    ({"gpiochip0", "gpiochip4", "tictactoe-gpio", "group"}, 0),  # an upgrade
    ({"gpiochip0", "tictactoe-gpio"}, 1),  # Debian, where the group is missing
    ({"gpiochip0"}, 1),
    (set(), 1),  # no GPIO
])  # fmt: skip
def test_the_package_takes_no_link_away_from_other_programs(tmp_path, before, triggers):
    """The postinst's own script, over a /dev and an udevadm of the test's."""
    device, commands = tmp_path / "dev", tmp_path / "bin"
    for directory in (device, commands, tmp_path / "run/udev", tmp_path / "run/systemd/system"):
        directory.mkdir(parents=True)
    for name in before - {"group"}:
        if name == "gpiochip0":
            (device / name).touch()
        else:
            (device / name).symlink_to("gpiochip0")
    for name, there in (("group", "group" in before), ("pi_os", "gpiochip4" in before)):
        if there:
            (tmp_path / name).touch()
    others = {"modprobe": "#!/bin/sh\nexit 1\n", "systemd-sysusers": "#!/bin/sh\n"}
    for name, text in {"udevadm": UDEVADM, "stat": STAT, **others}.items():
        (commands / name).write_text(text.replace("DIR", str(tmp_path)))
        (commands / name).chmod(0o755)
    script = (SYSTEMD.parent / "debian/tictactoe-appliance.postinst").read_text()
    script = re.sub("/dev/(?=[tg])|/run/", lambda found: f"{tmp_path}{found[0]}", script)
    with socket.socket(socket.AF_UNIX) as control:
        control.bind(str(tmp_path / "run/udev/control"))
        environment = {"PATH": f"{commands}:/usr/bin:/bin"}
        subprocess.run(["sh", "-c", script, "postinst", "configure"], env=environment, check=True)
    log = (tmp_path / "log").read_text().splitlines()
    assert log == ["control --reload", f"{TRIGGER}=i2c-dev", *[f"{TRIGGER}=gpio"] * triggers]
    ours = {"tictactoe-gpio"} if "gpiochip0" in before else set()
    assert {path.name for path in device.iterdir()} == (before - {"group"}) | ours


@pytest.mark.parametrize(
    ("name", "ends"),
    [("i2c-1", True), ("i2c-11", False), ("i2c-", False), ("gpiochip1", False), ("gpiochip0", True)],
)
def test_only_a_device_that_the_note_names_in_full_ends_the_service(tmp_path, name, ends):
    """The unit's own condition, over a directory of the test's."""
    text = (SYSTEMD / "tictactoe-late@.service").read_text()
    (script,) = re.findall(r"^ExecCondition=/bin/sh -c '(.*)'$", text, re.MULTILINE)
    for old, new in ("/run/tictactoe", str(tmp_path)), ("$$", "$"), ("%i", name):
        script = script.replace(old, new)
    (tmp_path / ABSENT).write_text("i2c-1\ngpiochip0\n")
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0 if ends else 1, "", "")


def test_root_reads_no_file_of_the_service_s_to_end_it():
    """The file may be a pipe, or a link: who reads it is the user who wrote it."""
    text = (SYSTEMD / "tictactoe-late@.service").read_text()
    assert re.search(r"^User=tictactoe$", text, re.MULTILINE)
    starts = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert starts == ["+/usr/bin/systemctl kill --kill-whom=main --signal=TERM tictactoe.service"]


def test_the_user_cannot_log_in(tmp_path):
    (tmp_path / "etc").mkdir()
    command = ["systemd-sysusers", f"--root={tmp_path}", SYSTEMD / "tictactoe.sysusers"]
    subprocess.run(command, capture_output=True, check=True)
    users = dict(line.split(":", 1) for line in (tmp_path / "etc/passwd").read_text().splitlines())
    _, uid, *_, shell = users["tictactoe"].split(":")
    assert uid != "0"
    assert shell == "/usr/sbin/nologin"
    groups = dict(line.split(":", 1) for line in (tmp_path / "etc/group").read_text().splitlines())
    assert {name for name, rest in groups.items() if rest.endswith(":tictactoe")} == {"gpio", "i2c"}
    assert "tictactoe:!" in (tmp_path / "etc/shadow").read_text()


@pytest.mark.parametrize("name", ["RuntimeWatchdogSec", "RebootWatchdogSec"])
def test_the_watchdog_of_a_raspberry_pi_waits_longer_than_its_pings_take(name):
    """bcm2835_wdt keeps four bits of the seconds; the kernel pings every 8 s."""
    [seconds] = re.findall(rf"^{name}=(\d+)s$", WATCHDOG, re.MULTILINE)
    assert int(seconds) & 0xF >= 12, f"{int(seconds) & 0xF} s"
