"""What lives as long as the process and grows: each has a bound, or stands below with its reason.

It reads the source, so it finds a cache that no test fills. What an object of the box's life holds, only
tests/service/test_soak.py shows. Mutable defaults of arguments are ruff's (B006).
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted([*ROOT.glob("engine/**/*.py"), *ROOT.glob("appliance/**/*.py")])
# By module: what may be kept without a bound in the code, and why it is bounded all the same.
# fmt: off
REASONS = {
    "engine.ultimate.local": ("_fill.FREE _fill.STATUS", "tables of 19,683 states, filled by the import"),
    "appliance.core.words": ("words", "one of six languages; the configuration's are checked"),
    "appliance.games.speech": ("speech", "one of six languages; the configuration's are checked"),
    "appliance.simulator.switches": ("wires_of", "of 512 sets of closed contacts; no box has it"),
    "appliance.teaching.commentary.players": ("policy", "of the positions of three games; for a desk"),
    "appliance.teaching.commentary.wording": ("sections", "one for each of the folder's files"),
}
# fmt: on
GROWING = {"dict", "list", "set", "defaultdict", "deque", "Counter", "OrderedDict", "bytearray", "WeakSet"}
CHANGING = {"add", "append", "appendleft", "extend", "insert", "setdefault", "update", "__setitem__"}
FIXED = ("NamedTuple", "Enum", "Protocol", "Exception", "Error", "dataclass(frozen=True)")


def called(node):
    """Return the name of what a call calls, of `functools.cache(f)` "cache"; "" for no call."""
    while isinstance(node, ast.Subscript):  # dict[str, int]()
        node = node.value
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).split("[")[0].rpartition(".")[2]
    return ""


def stateful(trees):
    """Return the names of the classes whose objects can change."""
    return {
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and not any(kind in ast.unparse(each) for each in node.bases + node.decorator_list for kind in FIXED)
        and any(
            isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) for each in ast.walk(node)
        )
    }


class Finder(ast.NodeVisitor):
    """Finds in a module what may grow as long as the process lives: `found`, by name."""

    def __init__(self, tree, classes):
        self.classes, self.found = classes, set()
        self.inside, self.locals = [], []  # classes and functions around a node; the names of those functions
        self.own = names(tree)
        self.imported = {
            alias.asname or alias.name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        self.attributes = set()  # the containers that the class around a node has
        self.visit(tree)

    def note(self, *what):
        self.found.add(".".join([*self.inside, *what]))

    def visit_ClassDef(self, node):
        self.inside.append(node.name)
        before, self.attributes = self.attributes, containers(node)
        self.generic_visit(node)
        self.attributes = before
        self.inside.pop()

    def visit_FunctionDef(self, node):
        for decorator in node.decorator_list:
            name = ast.unparse(decorator).partition("(")[0].rpartition(".")[2]
            arguments = ast.unparse(node.args)
            endless = name == "cache" or (name == "lru_cache" and "None" in ast.unparse(decorator))
            if (endless and arguments) or name == "cached_property":
                self.note(node.name)
        self.inside.append(node.name)
        self.locals.append(names(node))
        self.generic_visit(node)
        self.locals.pop()
        self.inside.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - ast calls it so

    def visit_Global(self, node):
        for name in node.names:
            self.note(name)

    def visit_Assign(self, node):
        """Note an object that a module or a class makes for itself."""
        if not self.locals and node.value is not None:
            for each in ast.walk(node.value):
                name = called(each)
                if name in self.classes | {"defaultdict", "cache"} or (
                    name == "lru_cache" and "None" in ast.unparse(each)
                ):
                    self.note(bound(node))
        self.generic_visit(node)

    visit_AnnAssign = visit_Assign  # noqa: N815 - ast calls it so

    def visit_Subscript(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.changed(node.value)
        self.generic_visit(node)

    def visit_Attribute(self, node):
        if not isinstance(node.ctx, ast.Load) and not self.is_self(node.value):
            self.changed(node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if isinstance(node.op, ast.BitOr):  # of a container: that of a number needs `global`
            self.changed(node.target)
        self.generic_visit(node)

    def visit_Call(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            self.changed(node.func.value)
        self.generic_visit(node)

    def is_self(self, node):
        return isinstance(node, ast.Name) and node.id == "self"

    def changed(self, node):
        """Note what a function changes, if it is a module's, a class's or what they hold."""
        text, root = ast.unparse(node), node
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        name = root.id if isinstance(root, ast.Name) else ""
        if not self.locals:
            return  # by the import, and so once
        if name == "self" and text.startswith("self.__class__"):
            self.note(text)
        elif name == "self":
            if text.removeprefix("self.") in self.attributes:
                self.note(text)
        elif name == "cls" or text.startswith("type(self)"):
            self.note(text)
        elif not any(name in each for each in self.locals):
            constant = any(map(str.isupper, re.split(r"\W", text)))  # else a function of another module
            if name in self.own or (name in self.imported and constant):
                self.note(text)


def bound(node):
    """Return what an assignment binds."""
    return ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])


def containers(node):
    """Return the names that a class binds to containers."""
    return {
        bound(each)
        for each in node.body
        if isinstance(each, ast.Assign | ast.AnnAssign)
        and (isinstance(each.value, ast.Dict | ast.List | ast.Set) or called(each.value) in GROWING)
    }


def names(node):
    """Return the names that a module, a class or a function binds, not those inside another."""
    found, outside, waiting = set(), set(), list(ast.iter_child_nodes(node))
    while waiting:
        match waiting.pop():
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found.add(name)
            case ast.Global(names=several):
                outside.update(several)
            case other:
                if isinstance(other, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
                    found.add(other.name)
                waiting += ast.iter_child_nodes(other)
    return found - outside


def module(file):
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


TREES = {module(file): ast.parse(file.read_text()) for file in FILES}
CLASSES = stateful(TREES.values())


def test_each_cache_has_a_bound_or_a_reason():
    found = {module: Finder(tree, CLASSES).found for module, tree in TREES.items()}
    reasons = {module: set(names.split()) for module, (names, _) in REASONS.items()}
    assert {module: names for module, names in found.items() if names} == reasons


@pytest.mark.parametrize(("name", "source"), [
    ("f", "@cache\ndef f(x): return x"),
    ("f", "@functools.lru_cache(maxsize=None)\ndef f(x): return x"),
    ("known", "known = lru_cache(None)(Shape)"),
    ("known", "known = functools.cache(Shape)"),
    ("A.x", "class A:\n @cached_property\n def x(self): return 1"),
    ("f.KNOWN", "KNOWN = {}\ndef f(x): KNOWN[x] = 1"),
    ("f.g.KNOWN", "KNOWN = []\ndef f(x):\n def g(): KNOWN.append(x)"),
    ("f.KNOWN", "KNOWN = set()\nasync def f(x): KNOWN.add(x)"),
    ("f.KNOWN", "KNOWN = set()\ndef f(x):\n global KNOWN\n KNOWN |= {x}"),
    ("f.KNOWN[x]", "from .other import KNOWN\ndef f(x): KNOWN[x].append(1)"),
    ("f.other.KNOWN", "from . import other\ndef f(x): other.KNOWN[x] = 1"),
    ("KNOWN", "KNOWN = defaultdict(list)"),
    ("KNOWN", "KNOWN = Table()"),
    ("A.KNOWN", "class A:\n KNOWN: ClassVar[Table] = Table()"),
    ("A.f.self.known", "class A:\n known = {}\n def f(self, x): self.known[x] = 1"),
    ("A.f.A", "class A:\n known = None\n def f(self, x): A.known = x"),
    ("A.f.cls", "class A:\n known = None\n def f(self, x):\n  cls = self.__class__\n  cls.known = x"),
    ("A.f.self.__class__.known", "class A:\n known = {}\n def f(self, x): self.__class__.known[x] = 1"),
    ("A.f.type(self).known", "class A:\n known = {}\n def f(self, x): type(self).known[x] = 1"),
])  # fmt: skip
def test_a_cache_without_a_bound_is_found(name, source):
    assert Finder(ast.parse(source), CLASSES).found == {name}


@pytest.mark.parametrize("source", [
    "@cache\ndef f(): return 1",
    "@lru_cache\ndef f(x): return x",
    "@lru_cache(64)\ndef f(x): return x",
    "KNOWN = {}\nfor x in range(9): KNOWN[x] = 1",
    "KNOWN = {}\ndef f(x):\n KNOWN = {}\n KNOWN[x] = 1",
    "def f(x):\n known = []\n def g(): known.append(x)",
    "class A:\n def __init__(self): self.known = {}\n def f(self, x): self.known[x] = 1",
    "class A:\n count = 0\n def f(self): self.count += 1",
    "from . import health\ndef f(x): health.update(x)",
])  # fmt: skip
def test_what_ends_or_is_bounded_is_not(source):
    assert Finder(ast.parse(source), CLASSES).found == set()
