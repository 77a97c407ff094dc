"""How the page of a lesson looks, sounds and is reached, in a real Chromium."""

import pytest
from conftest import AUDIT, AXE, FILLED, FREE, SECTIONS, SIZES

from appliance.core.words import LANGUAGES

ON_TOP = """
const part = document.querySelector(arguments[0]);
const { left, top, bottom } = part.getBoundingClientRect();
return 0 <= top && bottom <= innerHeight && document.elementFromPoint(left + 3, bottom - 3) === part;
"""
BOARD = "xo./x../ox."
CROWD = ",".join(f"(-1{leaf},2{leaf})" for leaf in range(10, 20))  # no room for their scores
LETTERS = """
return [...document.querySelectorAll(".says")].map((one) => parseFloat(getComputedStyle(one).fontSize));
"""


@pytest.mark.parametrize("dark", [False, True])
@SIZES
def test_it_fits_and_is_legible_on_a_phone_and_on_a_projector(lesson, chromium, width, height, dark):
    lesson(BOARD, width=width, height=height, dark=dark, touch=width < 500)
    chromium.click(f"{FREE} .controls .cut")
    for _ in range(2):  # by hand to the other scheme, and back
        chromium.click("#theme")
    assert chromium.run("return document.documentElement.dataset.theme") == ("dark" if dark else "light")
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
    ratios = chromium.probe("contrasts")
    assert len(ratios) > 100
    low = {name: ratio for name, ratio in ratios.items() if ratio < 4.5}
    assert not low
    assert all(wide >= 24 and high >= 36 for wide, high in chromium.probe("buttonSizes"))
    assert min(chromium.run(LETTERS)) >= (16 if width < 700 else 19)
    # Nothing sticks out of its section, and no text is cut off.
    assert chromium.probe("cutOff") == []


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_drawn_is_seen_on_a_projector(lesson, chromium, dark):
    """At the start, filled in, within a search, and at its end; where marks vanish, too."""
    lesson(BOARD, dark=dark)
    chromium.click("#cut .exercise")
    for name in FILLED:
        chromium.click(f"#{name} .check")
    chromium.click("#practice .snip")
    found = [chromium.probe("graphics")]
    chromium.click("#cut .exercise")
    chromium.click("#table tr:last-child button")
    for name in FILLED:
        chromium.click(f"#{name} .watch")
    for button in ("step", "step", "step", "step", "step", "end"):
        for name in SECTIONS:
            chromium.click(f"#{name} .figure .controls .{button}")
        found.append(chromium.probe("graphics"))
    lesson("541827", "--rule", "vanishing", dark=dark)
    found.append(chromium.probe("graphics"))
    assert min(map(len, found)) > 60
    assert {name: ratio for one in found for name, ratio in one.items() if ratio < 3} == {}


@pytest.mark.parametrize("dark", [False, True])
def test_a_button_is_legible_under_the_pointer(lesson, chromium, dark):
    lesson(dark=dark)
    for button in ("#minimax .check", "#minimax .watch", "#minimax .step", "#cut .exercise", "#bug .check"):
        chromium.click(button)
        assert min(chromium.probe("textContrasts", button).values()) >= 4.5, button


@SIZES
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_room(lesson, chromium, language, width, height):
    lesson(link=f"#l={language}", width=width, height=height, touch=width < 500)
    chromium.click("#cut .exercise")
    for name in ("minimax", "practice"):
        chromium.click(f"#{name} .check")
    assert chromium.run("return document.documentElement.scrollWidth <= innerWidth")
    assert chromium.probe("cutOff") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_outside_its_drawing_at_any_step(lesson, chromium, language):
    lesson(link=f"#l={language}")
    for name in FILLED:
        chromium.click(f"#{name} .watch")
    found = {name: chromium.probe("outside", f"#{name} .figure") for name in SECTIONS}
    for link in ("n=((5,5),(5,-10),(-99999,7),5)&a=negamax", f"n=({CROWD})"):
        lesson(link=f"#{link}&l={language}")
        found[link] = chromium.probe("outside", FREE)
    assert all(steps > 5 for steps, _ in found.values())
    assert [texts for _, texts in found.values()] == [[]] * len(found)


def test_a_wide_window_shows_each_tree_of_a_section_whole(lesson, chromium):
    lesson(width=1440, height=900)
    hidden = (
        "return [...document.querySelectorAll('.figure.compact .tree')].filter((tree) =>"
        " tree.scrollWidth > tree.clientWidth).map((tree) => tree.closest('section').id)"
    )
    assert chromium.run(hidden) == []


@pytest.mark.parametrize("name", SECTIONS)
def test_on_a_phone_the_sentence_and_the_controls_are_seen_with_the_tree(lesson, chromium, name):
    lesson(width=390, height=844, touch=True)
    root = f"#{name} .figure"
    if name in FILLED:
        chromium.click(f"#{name} .watch")
    chromium.run("document.querySelector(arguments[0]).scrollIntoView()", root)
    for part in (".tree .node.hand", ".says", ".controls .step"):
        left, top, right, bottom = chromium.probe("box", f"{root} {part}")
        assert 0 <= left < right <= 390
        assert 0 <= top < bottom <= 844, part


@pytest.mark.parametrize("name", SECTIONS)
def test_on_a_small_projector_step_stays_in_the_window_and_covers_no_position(lesson, chromium, name):
    lesson(link=f"#s={name}&l=de", width=1366, height=768)
    if name in FILLED:
        chromium.click(f"#{name} .watch")
        chromium.run("document.querySelector(arguments[0]).scrollIntoView()", f"#{name}")
    root, places = f"#{name} .figure", set()
    for _ in range(12):
        assert chromium.run(ON_TOP, f"{root} .controls .step")
        chromium.click(f"{root} .controls .step")
        places.add(round(chromium.probe("box", f"{root} .controls .step")[1]))
        assert chromium.probe("box", f"{root} .hand")[3] <= chromium.probe("box", f"{root} .panel")[1]
    assert len(places) == 1  # the button stays under the pointer


def test_a_sentence_keeps_its_distance_from_the_buttons(lesson, chromium):
    lesson(width=1366, height=768)
    chromium.click("#bug [value='4']")
    chromium.click("#cut .exercise")
    for name in FILLED:
        chromium.click(f"#{name} .check")
    for _ in range(13):
        assert all(chromium.probe("spacing", f"#{name}") >= 8 for name in SECTIONS)
        chromium.click("#bug .controls .step")
    chromium.click("#bug .check")
    assert chromium.probe("spacing", "#bug") >= 8


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(lesson, chromium, dark):
    lesson("159", "--rule", "vanishing", dark=dark)
    chromium.click("#cut .exercise")
    chromium.click(f"{FREE} .controls .cut")
    chromium.run(AXE.read_text(encoding="utf-8"))
    assert chromium.run(AUDIT) == []
    chromium.click("#cut .exercise")
    for name in SECTIONS:
        if name in FILLED:
            chromium.click(f"#{name} .watch")
        chromium.click(f"#{name} .figure .controls .end")
    assert chromium.run(AUDIT) == []


def test_a_screen_reader_has_names_for_everything(lesson, chromium):
    lesson(BOARD)
    chromium.click(f"{FREE} .controls .cut")
    count = chromium.probe("shown", FREE)["total"]
    found = chromium.spoken()
    roles = "button combobox slider tree treeitem region main navigation image heading status textbox table"
    for role in roles.split():
        names = [name for kind, name in found if kind == role]
        assert names, role
        assert role in ("status", "main", "table") or all(names), role
    # Each of the trees names its items once, the last one those of the board.
    items = [name for role, name in found if role == "treeitem"]
    own = items[-count:]
    assert len(own) == len(set(own))
    assert sum("current position, " in name for name in items) == len(SECTIONS) - len(FILLED) - 1
    assert any(name.endswith(": cut") for name in own)
    assert (
        chromium.run("return document.querySelectorAll('.says[aria-live=polite]').length")
        == len(SECTIONS) + 1
    )


def test_the_focus_is_seen_wherever_tab_stops(lesson, chromium):
    lesson(BOARD)
    chromium.run("document.querySelector('#table .controls .step').focus()")
    stops = set()
    for _ in range(80):
        name, visible = chromium.probe("focused")
        if name == "BODY":  # the last one has been left
            break
        stops.add(name)
        assert visible, name
        chromium.press("Tab")
    figure, editor = "step play slider treeitem fit", "text rule order randomTree copy"
    assert stops >= {*figure.split(), *editor.split()}


def test_motion_is_reduced_for_those_who_ask(lesson, chromium):
    """The browser of these tests asks for it."""
    lesson()
    assert chromium.run("return getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert chromium.run("return calm.matches") is True
