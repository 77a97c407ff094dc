"""The manifest for Raspberry Pi Imager 2: a repository of our images, to be filtered by the chosen model.

Imager lists the models that a repository names, and for each the images that share a tag with it. Addresses
have to be absolute, of a server or of a file. After os-list-schema.json, hwlistmodel.cpp and imagewriter.cpp
of Imager 2.0.11 (github.com/raspberrypi/rpi-imager).
"""

import hashlib
import lzma
import tarfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from appliance.slots.manifest import SLOT_JSON, parse_manifest

FILE = "tictactoe-box.rpi-imager-manifest"  # double-click it: Imager has registered this ending
ICON = "tictactoe-box.png"
ARCHITECTURES = {"arm64": "armv8", "armel": "armel"}  # Debian's names, and Imager's


class Model(NamedTuple):
    """An entry of Imager's list of models."""

    name: str
    boards: str  # for people; a 500 starts with the device tree of a 5, so slot.json does not name it
    machines: str  # how its machines begin in slot.json
    tag: str  # as in Raspberry Pi's own list


MODELS = (
    Model("Raspberry Pi 5", "5, 500", "raspberrypi,5", "pi5-64bit"),
    Model("Raspberry Pi 4", "4 B, 400, CM4", "raspberrypi,4", "pi4-64bit"),
    Model("Raspberry Pi Zero 2 W", "Zero 2 W", "raspberrypi,model-zero-2", "pi3-64bit"),
    Model("Raspberry Pi 3", "3 A+, B, B+, CM3, CM3+", "raspberrypi,3", "pi3-64bit"),
    Model("Raspberry Pi Zero", "Zero, Zero W", "raspberrypi,model-zero", "pi1-32bit"),
    Model("Raspberry Pi 1", "1 A, B, A+, B+", "raspberrypi,model-", "pi1-32bit"),
)


class Image(NamedTuple):
    """An image as it is downloaded, and as it is on the card."""

    file: str
    version: str
    architecture: str
    machines: tuple[str, ...]  # as in slot.json
    size: int
    sha256: str
    card_size: int
    card_sha256: str


def read(update: Path) -> Image:
    """Return the image beside an update. Raise `ValueError` if its slot.json is none that a box takes."""
    with tarfile.open(update) as box:
        slot = parse_manifest(box.extractfile(SLOT_JSON).read())
    path = update.with_name(f"tictactoe-box_{slot.version}_{slot.architecture}.img.xz")
    with path.open("rb") as packed, lzma.open(path) as card:
        sha256 = hashlib.file_digest(packed, "sha256").hexdigest()
        card_sha256 = hashlib.file_digest(card, "sha256").hexdigest()
        sizes = packed.tell(), card.tell()
    named = path.name, slot.version, slot.architecture, slot.machines
    return Image(*named, sizes[0], sha256, sizes[1], card_sha256)


def model(machine: str) -> Model:
    """Return the model of a machine."""
    for each in MODELS:
        if machine.startswith(each.machines):
            return each
    raise LookupError(f"{machine}: no model of tools/release/imager.py begins like this")


def models(images: Sequence[Image]) -> list[Model]:
    """Return the models that one of these images starts on."""
    found = {model(machine) for image in images for machine in image.machines}
    return [each for each in MODELS if each in found]


def manifest(images: Sequence[Image], base: str, epoch: int) -> dict[str, object]:
    """Return the repository of these images, whose files are at `base`."""
    return {
        "imager": {"devices": [_device(each) for each in models(images)]},
        "os_list": [_entry(image, base.rstrip("/"), epoch) for image in images],
    }


def _device(model: Model) -> dict[str, object]:
    return {
        "name": model.name,
        "description": f"Raspberry Pi {model.boards}",
        "tags": [model.tag],
        "matching_type": "exclusive",
    }


def _entry(image: Image, base: str, epoch: int) -> dict[str, object]:
    return {
        "name": f"Tic-tac-toe box {image.version}",
        "description": "Nine buttons and a small display. It has no login, and needs no network.",
        "icon": f"{base}/{ICON}",
        "url": f"{base}/{quote(image.file)}",
        "extract_size": image.card_size,
        "extract_sha256": image.card_sha256,
        "image_download_size": image.size,
        "image_download_sha256": image.sha256,
        "release_date": datetime.fromtimestamp(epoch, UTC).date().isoformat(),
        "init_format": "none",  # Imager offers no customisation, which nothing here would read
        "devices": sorted({model(machine).tag for machine in image.machines}),
        "architecture": ARCHITECTURES[image.architecture],
    }
