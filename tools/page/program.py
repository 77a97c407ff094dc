"""The program as the page loads it: one archive of the box's code and of the libraries that it imports."""

import io
import shutil
import zipfile
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "core", "desk", "devices", "games", "service", "simulator", "storage")
LIBRARIES = {
    "gpiozero": "gpiozero",
    "colorzero": "colorzero",
    "luma.core": "luma/core",
    "luma.oled": "luma/oled",
}
LIBRARIES |= {"smbus2": "smbus2", "PyYAML": "yaml"}
# luma imports these parts of Pillow. It is large, and the box asks it for nothing: here they are empty.
PILLOW = ("__init__", "Image", "ImageChops", "ImageDraw")
DESK = ROOT / "appliance/desk"  # whose scripts are the page's
KINDS = {".py", ".bin", ".json", ".txt", ".html", ".css"}
COMPILE = Path(__file__).with_name("compile.mjs")
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that an archive can have: the same files give the same bytes


def files() -> dict[str, bytes]:
    """Return the files by their path in the archive."""
    found = {f"PIL/{name}.py": b"" for name in PILLOW}
    for folder in ("engine", *(f"appliance/{package}" for package in PACKAGES)):
        for path in [ROOT / "appliance/__init__.py", *(ROOT / folder).rglob("*")]:
            if path.suffix in ({".py", ".scad"} if path.parent == DESK else KINDS):
                found[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    for name, folder in LIBRARIES.items():
        for path in metadata.files(name) or ():
            code = path.suffix == ".py" and path.as_posix().startswith(f"{folder}/")
            # gpiozero looks for its pin factories there.
            if code or path.name in {"METADATA", "entry_points.txt"}:
                found[path.as_posix()] = path.read_binary()
    return found


def archive(content: Mapping[str, bytes]) -> bytes:
    """Return an archive of these files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as writing:
        for name, data in sorted(content.items()):
            writing.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def compiler() -> list[str]:
    """Return the command that compiles, in a folder with Pyodide and box.zip, what a start imports.

    A start takes half the time then. Without Node.js there is none.
    """
    node = shutil.which("node")
    return [node, str(COMPILE)] if node else []
