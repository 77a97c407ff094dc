"""Two things have two names, so that a search for one finds no other."""

import ast
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from appliance.simulator.chips import EMULATED

ROOT = Path(__file__).resolve().parent.parent
FILES = [*(ROOT / "appliance").rglob("*.py"), *(ROOT / "engine").rglob("*.py")]
SOURCES = {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in FILES}
# Those that stand in more files, and why.
DRIVEN = {chip.__name__: "a driver, and the emulated chip it drives" for chip in EMULATED.values()}
PLAIN = {
    "CELL": "each drawing's own measure, in its own unit",
    "MARGIN": "as CELL",
    "TYPE_CHECKING": "typing's own, without the import",
    "WORDS": "a language's: core.words finds it by this name",
}
VAGUE = {"choices", "load", "page", "parse", "read", "write"}  # of what? Only the module's name says so


def homes(sources, constants):
    """Return the files that define each public class and type, or each public constant, at their top."""
    found = defaultdict(set)
    for path, tree in sources.items():
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", ast.Pass())]
            names = [part.id for each in targets for part in ast.walk(each) if isinstance(part, ast.Name)]
            for name in [node.name] if isinstance(node, ast.ClassDef) else names:
                if name[0].isupper() and len(name) > 1 and name.isupper() == constants:
                    found[name].add(path)
    return found


@pytest.mark.parametrize(("constants", "most", "listed"), [(False, 1, DRIVEN), (True, 2, PLAIN)])
def test_a_name_has_one_home(constants, most, listed):
    """Two constants may share a name that is plain in each file; with a third it is a habit."""
    assert {name for name, files in homes(SOURCES, constants).items() if len(files) > most} == set(listed)


def test_a_second_home_is_found():
    texts = {"a.py": "class Line: pass\nROWS, OFF = 3, 0", "b.py": "Line = tuple[str, int]\nROWS: int = 17"}
    planted = {path: ast.parse(text) for path, text in texts.items()}
    assert homes(planted, constants=False) == {"Line": {"a.py", "b.py"}}
    assert homes(planted, constants=True) == {"ROWS": {"a.py", "b.py"}, "OFF": {"a.py"}}


def test_a_file_has_a_name_of_its_own():
    """A command's file is called like the command, whatever the file is called that does the work."""
    names = Counter(Path(path).name for path in SOURCES if not path.startswith("appliance/commands/"))
    assert [name for name, number in names.items() if number > 1] == ["__init__.py"]


def test_no_vague_function_is_imported_without_its_module():
    parts = [(path, node) for path, tree in SOURCES.items() for node in ast.walk(tree)]
    imports = [(path, node) for path, node in parts if isinstance(node, ast.ImportFrom)]
    assert not [(path, each.name) for path, node in imports for each in node.names if each.name in VAGUE]
