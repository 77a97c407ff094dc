"""What the address of a lesson says, where Back leads, and how long what is filled in stays."""

import pytest
from conftest import FREE
from test_lesson_fill import PATHS, VERDICT, filled, solve
from test_lesson_page import ADDRESS, follow

TREE = "#n=((2,7),(1,8))&a=alpha-beta&o=written"
FILLED_IN = """
const fields = [...document.querySelectorAll(`#${arguments[0]} .entries input`)];
const struck = document.querySelectorAll(`#${arguments[0]} .snip[aria-pressed=true]`);
return [fields.map(({ value }) => value), [...struck].map(({ dataset }) => dataset.at)];
"""
BACK = """
return new Promise((done) => {
  addEventListener("hashchange", () => done(), { once: true });
  history.back();
});
"""
LEAVES = "return [...document.querySelectorAll('#practice .number')].map((leaf) => leaf.textContent)"
NO_STORE = """
Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("no", "SecurityError"); } });
"""


def reload(chromium):
    chromium.post("refresh")


def back(chromium, *, to):
    """Go back, and wait until the page has read the address that is there."""
    chromium.run(BACK)
    assert chromium.run(ADDRESS) == to


def blank(chromium):
    values, struck = chromium.run(FILLED_IN, "practice")
    return not any(values) and not struck


@pytest.fixture
def answer(chromium):
    """Return what fills the tree of a seed in, right but for what is `wrong`."""

    def fill(seed, **wrong):
        filled(
            chromium, chromium.run(f"return practiceTree({seed}).tree"), chromium.run(PATHS, seed), **wrong
        )
        return chromium.run(FILLED_IN, "practice")

    return fill


def test_the_address_says_section_and_tree_wherever_the_contents_lead(lesson, chromium):
    lesson(link="#p=7&s=practice")
    leaves = chromium.run(LEAVES)
    for name in ("cut", "practice"):
        follow(chromium, f"nav [data-section={name}]")
        assert chromium.run(ADDRESS) == f"#p=7&s={name}"
        assert (
            chromium.run("return document.querySelector('nav [data-section=practice]').hash")
            == "#p=7&s=practice"
        )
        reload(chromium)
        assert chromium.run(LEAVES) == leaves
    follow(chromium, "#minimax .change")
    assert chromium.run(ADDRESS).endswith("&p=7&s=free&l=en")
    assert chromium.run(LEAVES) == leaves


def test_a_tree_of_ones_own_stays_in_the_address_and_at_its_step(lesson, chromium):
    lesson(link=TREE)
    assert chromium.run(ADDRESS) == f"{TREE}&p=1&s=free"
    chromium.click(f"{FREE} .end")
    shown = chromium.probe("shown", FREE)
    follow(chromium, "nav [data-section=cut]")
    assert chromium.run(ADDRESS) == f"{TREE}&p=1&s=cut"
    assert chromium.probe("shown", FREE) == shown
    back(chromium, to=f"{TREE}&p=1&s=free")
    assert chromium.probe("shown", FREE) == shown
    reload(chromium)
    assert chromium.run("return document.querySelector('#free .text').value") == "((2,7),(1,8))"


def test_a_copied_link_leads_to_the_figure_beside_the_button(lesson, chromium):
    lesson(link="#s=minimax")
    chromium.click("#free .copy")
    assert chromium.run(ADDRESS) == "#b=xo./x../ox.&r=classic&k=3&m=o&a=alpha-beta&o=written&d=4&p=1&s=free"


def test_back_leads_to_the_section_and_the_tree_before(lesson, chromium):
    lesson(link="#s=practice")
    first, given = chromium.run(LEAVES), chromium.run("return document.querySelector('#free .text').value")
    chromium.click("#practice .another")
    second = chromium.run(LEAVES)
    assert chromium.run(ADDRESS) == "#p=2&s=practice"
    chromium.click("#free .randomTree")
    assert chromium.run(ADDRESS).endswith("&p=2&s=free")
    back(chromium, to="#p=2&s=practice")
    assert chromium.run("return document.activeElement.id") == "practice-title"
    assert chromium.run("return document.querySelector('#free .text').value") == given
    assert chromium.run(LEAVES) == second != first
    back(chromium, to="#p=1&s=practice")
    assert chromium.run(LEAVES) == first


def test_what_is_filled_in_stays_until_it_is_erased(lesson, chromium, answer):
    lesson(link="#p=4&s=practice")
    wrong = next(iter(solve(chromium.run("return practiceTree(4).tree"))[0]))
    mine = answer(4, wrong={wrong: 0})
    chromium.click("#practice .check")
    verdict, reasons = chromium.text(VERDICT), chromium.text("#practice .reasons")
    assert verdict.startswith("1 mistake.")
    reload(chromium)
    assert chromium.run(FILLED_IN, "practice") == mine
    assert (chromium.text(VERDICT), chromium.text("#practice .reasons")) == (verdict, reasons)
    chromium.click("#practice .another")
    assert blank(chromium)
    assert not chromium.probe("visible", "#practice .erase")
    others = answer(5)
    back(chromium, to="#p=4&s=practice")
    assert chromium.run(FILLED_IN, "practice") == mine
    chromium.click("#practice .another")
    assert chromium.run(FILLED_IN, "practice") == others
    back(chromium, to="#p=4&s=practice")
    chromium.click("#practice .erase")
    assert chromium.run("return document.activeElement.closest('#practice .blank') !== null")
    reload(chromium)
    assert blank(chromium)
    assert not chromium.text("#practice .reasons")


def test_what_has_changed_since_the_check_is_not_judged_after_a_reload(lesson, chromium):
    lesson()
    chromium.probe("focus", "#minimax .entries input")
    chromium.press("9", "Enter")
    assert chromium.text("#minimax .reasons")
    chromium.press("-")
    reload(chromium)
    assert chromium.run(FILLED_IN, "minimax") == [["8", "", "", ""], []]
    assert chromium.text("#minimax .reasons") == ""


def test_the_bug_that_was_found_stays_found_until_that_is_erased(lesson, chromium):
    lesson()
    assert not chromium.probe("visible", "#bug .erase")
    chromium.click("#bug [name=line][value='4']")
    reload(chromium)
    assert chromium.text("#bug .verdict") == ""
    chromium.click("#bug .check")
    chromium.click("#bug [name=why][value=beta]")
    reload(chromium)
    assert chromium.text("#bug .verdict") == "Right. That is the line."
    chromium.click("#bug .check")
    solved = chromium.text("#bug .verdict")
    reload(chromium)
    assert chromium.text("#bug .verdict") == solved
    chromium.click("#bug .erase")
    for _ in range(2):
        assert not chromium.run("return document.querySelector('#bug :checked')")
        assert not chromium.probe("visible", "#bug [name=why]")
        reload(chromium)


def test_a_browser_that_keeps_nothing_for_a_file_keeps_it_for_the_page(lesson, chromium, answer):
    script = chromium.devtools("Page.addScriptToEvaluateOnNewDocument", source=NO_STORE)
    lesson(link="#p=4&s=practice")
    mine = answer(4)
    chromium.click("#practice .another")
    assert blank(chromium)
    back(chromium, to="#p=4&s=practice")
    assert chromium.run(FILLED_IN, "practice") == mine
    chromium.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)
    reload(chromium)
