"""Python for the browser: Pyodide from npm's registry, pinned by hash in requirements/package-lock.json."""

import base64
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import urllib.request
from pathlib import Path
from typing import NamedTuple

from appliance.core.errors import UserError

LOCK = Path(__file__).resolve().parents[2] / "requirements/package-lock.json"
REGISTRY = "https://registry.npmjs.org/"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


class Pinned(NamedTuple):
    """A version, and the SHA-512 of its package in base64."""

    version: str
    digest: str


def pinned() -> Pinned:
    """Return what the lock says of Pyodide."""
    package = json.loads(LOCK.read_text())["packages"]["node_modules/pyodide"]
    return Pinned(package["version"], package["integrity"].removeprefix("sha512-"))


def fetched(folder: Path) -> Path:
    """Return the folder in `folder` with Pyodide's files, after a download if they are not there yet.

    Raise `UserError` if they cannot be had, or are not the pinned ones.
    """
    version, digest = pinned()
    there = folder / f"pyodide-{version}"
    if not there.is_dir():
        address = f"{_registry()}pyodide/-/pyodide-{version}.tgz"
        data = _download(address)
        if base64.b64encode(hashlib.sha512(data).digest()).decode() != digest:
            raise UserError(f"{address}: is not the file that {LOCK.name} names; try again, or make lock")
        _unpack(data, there)
    return there


def _registry() -> str:
    """Return the registry: npm's own setting where npm is there."""
    npm = shutil.which("npm")
    if npm is None:
        return REGISTRY
    asked = [npm, "config", "get", "registry"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603 - npm


def _download(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address) as answer:  # noqa: S310 - https, or what npm was told
            data: bytes = answer.read()
    except OSError as error:
        raise UserError(
            f"{address}: cannot be fetched ({error}); connect to a network, and try again"
        ) from error
    return data


def _unpack(data: bytes, there: Path) -> None:
    part = there.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as package:
        for name in FILES:
            if file := package.extractfile(f"package/{name}"):
                (part / name).write_bytes(file.read())
    lock = part / "pyodide-lock.json"  # of packages that one could add: the page asks for none
    lock.write_text(json.dumps(json.loads(lock.read_text()) | {"packages": {}}))
    part.rename(there)  # whole, or not at all
