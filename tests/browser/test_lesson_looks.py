"""How the page of a lesson looks, sounds and is reached, in a real Chromium."""

import pytest

BOARD = "xo./x../ox."


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 720), (1920, 1080)])
def test_it_fits_and_is_legible_on_a_phone_and_on_a_projector(lesson, chromium, width, height, dark):
    lesson(BOARD, width=width, height=height, dark=dark)
    chromium.click("#cut")
    if width > 1000:
        for _ in range(2):  # by hand to the other scheme, and back
            chromium.click("#theme")
        assert chromium.run("return document.documentElement.dataset.theme") == ("dark" if dark else "light")
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
    ratios = chromium.probe("contrasts")
    assert len(ratios) > 30
    low = {name: ratio for name, ratio in ratios.items() if ratio < 4.5}
    assert not low
    # The controls, the sentence and the current node are on the first screen.
    for name in ("#step", "#back", "#says", ".node.hand", "#slider", "#visited"):
        box = chromium.probe("box", name)
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= width
        assert box[3] <= height
    targets = chromium.probe("buttonSizes")
    assert all(wide >= 24 and high >= 36 for wide, high in targets)
    assert chromium.run("return parseFloat(getComputedStyle(document.getElementById('says')).fontSize)") >= (
        16 if width < 700 else 20
    )


def test_a_screen_reader_has_names_for_everything(lesson, chromium):
    data = lesson(BOARD)
    chromium.click("#cut")
    found = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in chromium.devtools("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"]
    ]
    for role in (
        "button",
        "combobox",
        "slider",
        "tree",
        "treeitem",
        "region",
        "main",
        "image",
        "heading",
        "status",
    ):
        names = [name for kind, name in found if kind == role]
        assert names, role
        assert role == "status" or all(names), role
    items = [name for role, name in found if role == "treeitem"]
    assert len(items) == len(set(items)) == len(data["nodes"])
    assert sum("current, " in name for name in items) == 1
    assert any("cut, never looked at" in name for name in items)
    assert chromium.run("return document.documentElement.lang") == "en"
    assert chromium.run("return document.getElementById('says').getAttribute('aria-live')") == "polite"
    assert chromium.run("return document.title") == "Alpha-beta, step by step"
    # The focus is visible wherever Tab stops.
    chromium.probe("focus", "")
    stops = set()
    for _ in range(20):
        chromium.press("Tab")
        name, visible = chromium.probe("focused")
        stops.add(name)
        assert visible or name == "BODY", name
    assert stops >= {"order", "exercise", "theme", "first", "step", "play", "slider", "treeitem"}
