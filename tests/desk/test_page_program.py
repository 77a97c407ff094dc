"""The program that the page loads: it has all that it imports, and needs nothing of Pillow."""

import json
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from effort import amount
from scenario_bytes import sent

from tools.page import program
from tools.page.site import licences

# Debian's packages do not list their files. `make page` takes what pip has installed.
pytestmark = pytest.mark.skipif(not metadata.files("gpiozero"), reason="its libraries are not pip's")
HERE = Path(__file__).parents[1]
SCENARIOS = sorted(HERE.glob("scenarios/*.yaml"))
ALONE = """
import json, sys
sys.path[:0] = sys.argv[1:3]
from appliance.desk.worker import Inside
from scenario_bytes import sent
print(json.dumps([sent(text) for text in json.load(sys.stdin)]))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    packed = folder / "box.zip"
    packed.write_bytes(program.archive(program.files()))
    zipfile.ZipFile(packed).extractall(folder)
    return folder


@pytest.mark.more
def test_without_other_libraries_scenarios_send_the_same_bytes(unpacked):
    texts = [path.read_text() for path in SCENARIOS[:: amount(6, 1)]]
    support = HERE / "support"
    command = [sys.executable, "-I", "-S", "-c", ALONE, unpacked, support]
    ran = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [sent(text) for text in texts]
    assert (unpacked / "PIL/Image.py").read_text() == ""


def test_the_same_files_make_the_same_archive():
    assert program.archive(program.files()) == program.archive(dict(reversed(program.files().items())))


def test_each_part_has_its_licence():
    text = licences()
    assert all(f"\n{name} " in text for name in program.LIBRARIES)
    assert "Mozilla Public License" in text
    assert text.count("Permission is hereby granted") >= 5
