"""The manifest: Raspberry Pi Imager takes it, and offers each model the image that starts on it."""

import hashlib
import json
import lzma
from pathlib import Path

import pytest
from imagecard import update_box
from imager import faults, offered

from tools.release.imager import MODELS, Image, manifest, model, read

ROOT = Path(__file__).parents[2]

ARM64 = Image(
    "tictactoe-box_0.2.0_arm64.img.xz", "0.2.0", "arm64",
    ("raspberrypi,model-zero-2-w", "raspberrypi,3-model-b", "raspberrypi,3-model-a-plus", "raspberrypi,400",
     "raspberrypi,4-model-b"),
    5, "a" * 64, 50, "b" * 64,
)  # fmt: skip
ARMEL = ARM64._replace(
    file="tictactoe-box_0.2.0_armel.img.xz", architecture="armel",
    machines=("raspberrypi,model-zero-w", "raspberrypi,model-b-rev2", "raspberrypi,model-a"),
)  # fmt: skip
BASE = "https://example.org/v0.2.0/"
REPOSITORY = manifest([ARM64, ARMEL], BASE, 86_400)


def test_imager_takes_it():
    assert not faults(REPOSITORY)
    assert json.loads(json.dumps(REPOSITORY)) == REPOSITORY


@pytest.mark.parametrize(("key", "value", "fault"), [
    ("url", None, "image.url: is missing"),
    ("extract_size", "50", "image.extract_size: is no int"),
    ("devices", "pi3-64bit", "image.devices: is no list"),
    ("init_format", "no", "image.init_format: no"),
    ("architecture", "arm64", "image.architecture: arm64"),
])  # fmt: skip
def test_the_rules_refuse_what_the_schema_refuses(key, value, fault):
    image = {**REPOSITORY["os_list"][0], key: value}
    wrong = {name: value for name, value in image.items() if value is not None}
    assert faults({**REPOSITORY, "os_list": [wrong]}) == [fault]
    assert faults({**REPOSITORY, "more": 1, "imager": {"models": []}}) == [
        "more: is unknown", "imager.models: is unknown",
    ]  # fmt: skip


def test_each_model_is_offered_the_image_that_starts_on_it():
    models = [each["name"] for each in REPOSITORY["imager"]["devices"]]
    urls = {name: [image["url"] for image in offered(REPOSITORY, name)] for name in models}
    arm64, armel = [f"{BASE}{ARM64.file}"], [f"{BASE}{ARMEL.file}"]
    assert urls == {
        "Raspberry Pi 4": arm64, "Raspberry Pi Zero 2 W": arm64, "Raspberry Pi 3": arm64,
        "Raspberry Pi Zero": armel, "Raspberry Pi 1": armel,
    }  # fmt: skip


def test_a_pi_5_appears_with_an_image_that_starts_on_it():
    more = ARM64._replace(machines=(*ARM64.machines, "raspberrypi,5-model-b"))
    repository = manifest([more], BASE, 0)
    assert [image["devices"] for image in offered(repository, "Raspberry Pi 5")] == [
        ["pi3-64bit", "pi4-64bit", "pi5-64bit"]
    ]


def test_a_model_is_described_by_all_boards_that_its_image_starts_on():
    """Some start with another's device tree, such as a 500 with that of a 5."""
    section = (ROOT / "docs/boards.md").read_text().partition("\n## Models\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    boards = {row[0] for row in rows if row[1] in {"`arm64`", "`armel`"}}
    described = {each.name: each.boards for each in MODELS}
    assert described["Raspberry Pi 5"] == "5, 500"
    assert described["Raspberry Pi 4"] == "4 B, 400, CM4"
    left = ", ".join(described.values())
    for board in sorted(boards, key=len, reverse=True):
        assert board in left
        left = left.replace(board, "", 1)
    assert not left.strip(", ")
    shown = {each["name"]: each["description"] for each in REPOSITORY["imager"]["devices"]}
    assert shown["Raspberry Pi 3"] == "Raspberry Pi 3 A+, B, B+, CM3, CM3+"


@pytest.mark.parametrize("machine", ["raspberrypi,6-model-b", "raspberrypi,compute-module"])
def test_an_unknown_machine_is_named(machine):
    with pytest.raises(LookupError, match=f"{machine}: no model"):
        model(machine)


def test_what_it_says_of_an_image():
    assert REPOSITORY["os_list"][1] == {
        "name": "Tic-tac-toe box 0.2.0",
        "description": "Nine buttons and a small display. It has no login, and needs no network.",
        "icon": "https://example.org/v0.2.0/tictactoe-box.png",
        "url": "https://example.org/v0.2.0/tictactoe-box_0.2.0_armel.img.xz",
        "extract_size": 50,
        "extract_sha256": "b" * 64,
        "image_download_size": 5,
        "image_download_sha256": "a" * 64,
        "release_date": "1970-01-02",
        "init_format": "none",
        "devices": ["pi1-32bit"],
        "architecture": "armel",
    }


def test_sizes_and_hashes_are_the_files(tmp_path):
    card = bytes(range(256)) * 5000
    packed = lzma.compress(card[:500_000]) + lzma.compress(card[500_000:])  # `xz -T0` writes several blocks
    (tmp_path / "tictactoe-box_0.2.0~dev0_arm64.img.xz").write_bytes(packed)
    update = tmp_path / "update.box"
    update.write_bytes(update_box("0.2.0~dev0", machines=["raspberrypi,400"]))
    image = read(update)
    assert image == Image(
        "tictactoe-box_0.2.0~dev0_arm64.img.xz", "0.2.0~dev0", "arm64", ("raspberrypi,400",),
        len(packed), hashlib.sha256(packed).hexdigest(), len(card), hashlib.sha256(card).hexdigest(),
    )  # fmt: skip
    [entry] = manifest([image], Path("/a folder").as_uri(), 0)["os_list"]
    assert entry["url"] == "file:///a%20folder/tictactoe-box_0.2.0~dev0_arm64.img.xz"


@pytest.mark.parametrize("change", [{"format": 1.0}, {"machines": "raspberrypi,400"}])
def test_an_update_that_no_box_takes_is_not_offered(tmp_path, change):
    (tmp_path / "update.box").write_bytes(update_box(**change))
    with pytest.raises(ValueError, match=r"not a slot\.json"):
        read(tmp_path / "update.box")
