"""Python for the browser comes from npm's registry, is what the lock names, or is refused in a sentence."""

import base64
import hashlib
import io
import json
import tarfile
import urllib.request
from urllib.error import URLError

import pytest

from appliance.core.errors import UserError
from tools.page import runtime

LOCKED = b'{"info": 1, "packages": {"numpy": {}}}'


def package(**files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as writing:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(data)
            writing.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


@pytest.fixture
def fetch(monkeypatch, tmp_path):
    """Return what fetches a package with this content, and the addresses it asked for."""
    asked = []

    def run(data, *, pinned=None):
        digest = base64.b64encode(hashlib.sha512(data if pinned is None else pinned).digest()).decode()
        monkeypatch.setattr(runtime, "pinned", lambda: runtime.Pinned("1.2.3", digest))
        monkeypatch.setattr(runtime.shutil, "which", lambda _name: None)

        def opened(address):
            asked.append(address)
            return io.BytesIO(data)

        monkeypatch.setattr(urllib.request, "urlopen", opened)
        return runtime.fetched(tmp_path)

    return run, asked


def test_the_files_are_fetched_once_and_the_lock_of_packages_is_empty(fetch):
    run, asked = fetch
    files = dict.fromkeys(runtime.FILES, b"data") | {"pyodide-lock.json": LOCKED}
    for _ in range(2):
        folder = run(package(**files, **{"README.md": b"more"}))
    assert asked == ["https://registry.npmjs.org/pyodide/-/pyodide-1.2.3.tgz"]
    assert sorted(path.name for path in folder.iterdir()) == sorted(runtime.FILES)
    assert json.loads((folder / "pyodide-lock.json").read_text()) == {"info": 1, "packages": {}}


def test_another_file_than_the_pinned_one_is_refused(fetch, tmp_path):
    with pytest.raises(
        UserError, match=r"pyodide-1\.2\.3\.tgz: is not the file that package-lock\.json names"
    ):
        fetch[0](package(), pinned=b"another")
    assert [*tmp_path.iterdir()] == []


def test_without_a_network_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(runtime.shutil, "which", lambda _name: None)

    def fail(_address):
        raise URLError("no route")

    monkeypatch.setattr(urllib.request, "urlopen", fail)
    with pytest.raises(
        UserError, match=r"cannot be fetched .*no route.*; connect to a network, and try again"
    ):
        runtime.fetched(tmp_path)


def test_the_lock_pins_it():
    version, digest = runtime.pinned()
    assert version.split(".")[0].isdecimal()
    assert len(base64.b64decode(digest)) == 64
