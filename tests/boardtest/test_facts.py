"""The machine: what it says of itself, the facts in its report, and what must not be among them."""

import getpass
import os
import platform

from appliance.boardtest.machine import Machine, facts, nameless
from appliance.config.schema import Config

FILES = {
    "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
    "proc/device-tree/serial-number": "10000000abcdef42\0",
    "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
    "etc/hostname": "kitchen-box\n",
    "boot/firmware/config.txt": "# by Jim\nhdmi_group=1\n[pi4]\ncore_freq=5\n[all]\ninclude tictactoe.txt\n",
    "boot/firmware/tictactoe.txt": "dtparam=i2c_arm=on\nnotes=Jim\n",
}


def machine(tmp_path, files):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def gathered(config, root):
    return facts(config, "2026-11-23", Machine(root))


def test_the_facts_of_a_board(tmp_path):
    root = machine(tmp_path, FILES)
    revision = root / "proc/device-tree/system/linux,revision"
    revision.parent.mkdir()
    revision.write_bytes(bytes.fromhex("00902120"))
    found = dict(gathered(Config(), root))
    assert Machine(root).serial == "ef42"
    assert found["model"] == "Raspberry Pi Zero 2 W Rev 1.0"
    assert found["revision"] == "902120"
    assert found["os"] == "Debian GNU/Linux 13 (trixie)"
    assert found["config.txt"] == "[pi4] core_freq=5; include=tictactoe.txt; dtparam=i2c_arm=on"
    assert found["display"] == "ssd1306 128x64 at 0x3c on bus 1"
    assert found["keypad"] == "rows 17 27 22, columns 5 6 13"
    assert "gpiozero 2" in found["libraries"] or "gpiozero 1" in found["libraries"]
    everything = " ".join(found.values())
    assert not any(secret in everything for secret in ("Jim", "kitchen", "hdmi", "abcd"))


def test_a_machine_that_says_nothing(tmp_path):
    found = dict(gathered(Config(display=Config().display._replace(driver="jim:Oled")), tmp_path))
    assert Machine(tmp_path).serial == "none"
    assert {name for name, value in found.items() if value == "unknown"} == {"model", "revision", "os"}
    assert found["config.txt"] == "none of ours"
    assert found["display"].startswith("a class of its own 128x64 ")


def test_an_errors_text_names_nobody(monkeypatch):
    monkeypatch.setenv("SUDO_USER", "jim")
    monkeypatch.setattr(platform, "node", lambda: "kitchen")
    text = "permission denied on /dev/gpiochip0: jim is not in the group gpio: sudo usermod -aG gpio jim"
    assert nameless(text) == text.replace("jim", "USER")
    assert nameless("/home/jim/games cannot be written") == "~/games cannot be written"
    monkeypatch.setattr(getpass, "getuser", lambda: "ann")
    assert nameless("ann may not, nor may root") == "USER may not, nor may root"
    assert nameless("jimmy: no kitchens, one kitchen") == "jimmy: no kitchens, one HOST"
    monkeypatch.setattr(platform, "node", lambda: "tictactoe")
    assert nameless("/var/lib/tictactoe is read-only") == "/var/lib/tictactoe is read-only"


def test_what_a_machine_says_of_itself(tmp_path):
    machine = Machine(tmp_path)
    (tmp_path / "name").write_text("rpi_volt\n")
    assert machine.text("no/such/file") == ""
    assert machine.text("name") == "rpi_volt"
    with machine.busy() as cores:
        assert cores == len(os.sched_getaffinity(0))
