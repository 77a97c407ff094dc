"""How the scripts of a lesson become one: each after those whose names it uses."""

import re
from graphlib import CycleError

import pytest

from appliance.teaching.lesson import assemble
from appliance.teaching.lesson.assemble import HERE, joined, needed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return what writes scripts where the page's are looked for."""
    monkeypatch.setattr(assemble, "HERE", tmp_path)

    def write(**scripts):
        for name, text in scripts.items():
            (tmp_path / f"{name}.js").write_text(text)

    return write


def test_the_page_has_every_script():
    assert sorted(needed("page.js")) == sorted(path.name for path in HERE.glob("*.js"))
    assert needed("page.js")[-1] == "page.js"


def test_a_script_comes_after_those_that_it_uses(folder):
    folder(
        a="const [ONE, TWO] = [1, 2];\nnew Last([...later()]);\n",
        b="function* later() {\n  yield THREE;\n}\n",
        c="class Last extends Array {}\n",
        d="const THREE = 3;\nconst other = ONE;\n",
        e="async function alone() {}\n",
    )
    with pytest.raises(CycleError):
        needed("a.js")
    folder(d="const THREE = 3;\n")
    assert needed("a.js") == ["c.js", "d.js", "b.js", "a.js"]
    assert needed("b.js", "e.js") == ["d.js", "e.js", "b.js"]
    with pytest.raises(KeyError):
        needed("f.js")


def test_a_property_a_key_a_comment_and_a_string_use_no_script(folder):
    folder(a="const one = { two: this.two }; // two\n/* two */ const three = 'two';\n".replace("'", '"'))
    folder(b="const two = 2;\n")
    assert needed("a.js") == ["a.js"]
    folder(a="const one = { two };\n")
    assert needed("a.js") == ["b.js", "a.js"]


def test_comments_and_types_are_not_handed_out(folder):
    folder(
        a="""/* What it
   is. */

/** Twice. @type {(one: number) => number} */
function twice(one) {
  /** @type {number[]} */
  const all = /** @type {number[]} */ ([one, one]); // both
  return all[0] + all[1];
}
"""
    )
    code = "function twice(one) {const all = ([one, one]);return all[0] + all[1];}\n"
    assert joined(["a.js"]) == code


def test_the_page_has_no_comments():
    assert not re.search(r"/\*|//(?!www\.w3\.org)", joined(needed("page.js")))


def test_no_text_spans_lines_of_which_the_page_has_one():
    lines = [line for path in HERE.glob("*.js") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [
        line for line in lines if line.count("`") % 2 and not line.lstrip().startswith(("/*", "*", "//"))
    ] == []
