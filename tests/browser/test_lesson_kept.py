"""What the address of a lesson says, and where Back leads."""

from conftest import FREE
from test_lesson_page import ADDRESS, follow

TREE = "#n=((2,7),(1,8))&a=alpha-beta&o=written"
BACK = """
return new Promise((done) => {
  addEventListener("hashchange", () => done(), { once: true });
  history.back();
});
"""
LEAVES = "return [...document.querySelectorAll('#practice .number')].map((leaf) => leaf.textContent)"


def reload(chromium):
    chromium.post("refresh")


def back(chromium, *, to):
    """Go back, and wait until the page has read the address that is there."""
    chromium.run(BACK)
    assert chromium.run(ADDRESS) == to


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
