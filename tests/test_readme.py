"""What README and CONTRIBUTING name and show is there and current; the lock file pins what is installed."""

import re
import shlex
import tomllib
from pathlib import Path

from PIL import Image, ImageSequence

from appliance.card.table import table
from appliance.card.wiring import wires
from appliance.cli import build_parser
from appliance.config.schema import Config, load
from tools.pictures import main

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "tests/pictures"
README = (ROOT / "README.md").read_text()
PAGES = README + (ROOT / "CONTRIBUTING.md").read_text()
PROSE = re.sub(r"^```.*?^```", "", PAGES, flags=re.MULTILINE | re.DOTALL)
COMMANDS = sorted(
    set(re.findall(r"(?:^    |`)(?:\$ |sudo |\.venv/bin/)*tictactoe ([^`#\n]+)", PROSE, flags=re.MULTILINE))
)
TARGETS = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


def test_each_command_is_understood():
    assert len(COMMANDS) > 12
    assert {command.split()[0] for command in COMMANDS} >= {"boot", "config", "selftest", "simulate", "stats"}
    for command in COMMANDS:
        words = shlex.split(command)
        if words == ["boot", "prepare"]:  # mentioned, not meant to be typed
            words.append("DIR")
        assert callable(build_parser([words[0]]).parse_args(words).run), command


def test_each_target_is_there():
    named = re.findall(r"(?:^    |`)make ([a-z -]+?)(?:\s*#.*)?[`\n]", PROSE, flags=re.MULTILINE)
    assert {"play", "test", "deb"} <= {name for names in named for name in names.split()} <= set(TARGETS)


def test_each_file_and_each_section_that_is_linked_is_there():
    links = re.findall(r"\]\(([^)]+)\)", PROSE)
    titles = {
        re.sub(r"[^a-z -]", "", line.lower()).replace(" ", "-")
        for line in re.findall(r"^#+ (.*)", PROSE, re.MULTILINE)
    }
    for link in links:
        if link.startswith("#"):
            assert link[1:] in titles
        elif not link.startswith("https://"):
            assert (ROOT / link.partition("#")[0]).exists(), link


def test_each_file_and_each_test_that_a_recipe_names_is_there():
    named = re.findall(r"`((?:appliance|engine|tests)/[\w/.]*)(?:::(\w+))?`", PROSE)
    assert len({test for _, test in named if test}) >= 4
    for path, test in named:
        assert (ROOT / path).exists(), path
        assert not test or f"def {test}(" in (ROOT / path).read_text(), test


def test_the_four_wires_of_the_display_and_the_models_are_the_real_ones():
    printed = re.search(r"VCC at header pin (\d+), GND at (\d+), SDA at (\d+), SCL at (\d+)", PROSE)
    pins = {wire.terminal: str(wire.pin) for wire in wires(Config())}
    assert printed.groups() == tuple(pins[name] for name in ("VCC", "GND", "SDA", "SCL"))
    (models,) = re.findall(r"\(`--model (zero`.*?)\)", PROSE)
    assert models.replace("`", "").split(", ") == list(table().models)


def test_the_configuration_that_is_shown_is_that_of_a_box_as_it_comes(tmp_path):
    (shown,) = re.findall(r"^```yaml\n(game:.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "c.yaml").write_text(shown)
    given, default = load([tmp_path / "c.yaml"]), load([])
    assert given._replace(origins={}) == default


def frames(path):
    """Return the pixels of a picture, or of each frame of a film with the milliseconds it is shown."""
    if path.suffix == ".svg":
        return path.read_text()
    with Image.open(path) as image:
        return [
            (frame.size, frame.convert("RGB").tobytes(), frame.info.get("duration"))
            for frame in ImageSequence.Iterator(image)
        ]


def test_the_pictures_are_what_the_box_draws_today(tmp_path):
    """After an intended change run `make pictures`; look at them, and at `git diff --stat`."""
    main(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {path.name for path in PICTURES.iterdir()}
    changed = [name for name in names if frames(tmp_path / name) != frames(PICTURES / name)]
    assert not changed, "run `make pictures`"


def test_each_dependency_is_pinned_by_hash_and_the_lock_names_no_package_index():
    text = (ROOT / "requirements.lock").read_text().replace("\\\n", "")
    assert "://" not in text
    pinned = dict(re.findall(r"^([a-z0-9-]+)==\S+(.*)", text, flags=re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = project["project"]["dependencies"] + project["build-system"]["requires"]
    # As package indexes compare names (PEP 503).
    names = {re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", one)[0]).lower() for one in needed}
    assert names <= set(pinned)
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", hashes) for hashes in pinned.values())
