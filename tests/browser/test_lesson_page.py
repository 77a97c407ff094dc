"""The lesson's page in Chromium: its sections, exercises, languages, address, and the figure of one's own."""

import re

import pytest
from conftest import FILLED, FREE, SECTIONS, WORDS

from appliance.core.words import LANGUAGES

ADDRESS = "return decodeURI(location.hash)"
FOLLOW = """
return new Promise((done) => {
  addEventListener("hashchange", () => done(), { once: true });
  document.querySelector(arguments[0]).click();
});
"""
COPY = """
const says = document.querySelector("#free .copied");
return new Promise((done) => {
  new MutationObserver(() => says.textContent && done(says.textContent)).observe(says, { childList: true });
  document.querySelector("#free .copy").click();
});
"""

EXERCISES = """
const host = document.createElement("div");
document.querySelector("main").append(host);
const figure = new Figure(host);
const exercise = new Exercise(figure);
const fill = ({ answer }) => {
  const ticks = exercise.fields.querySelectorAll("input");
  ticks.forEach((tick) => (tick.checked = answer.includes(Number(tick.value))));
};
const told = [];
for (let seed = 1; seed <= 40; seed++) {
  const subject = seed % 2 ? randomTree(seed) : randomBoard(seed);
  const order = ["written", "best", "worst", `shuffled:${seed}`][seed % 4];
  const depth = seed % 2 ? undefined : 3;
  exercise.stop();
  const algorithm = ALGORITHMS[seed % 3 + 1];
  figure.show(lessonOf(subject, { algorithm, order, depth, table: seed % 5 === 0 }));
  exercise.start();
  while (exercise.question) {
    fill(exercise.question);
    exercise.take();
    told.push(figure.told);
    if (exercise.next.hidden) break;
    exercise.ask(exercise.number + 1);
  }
}
return told;
"""


def section(name):
    return f"#{name} .figure"


def option(browser, selector, label):
    browser.probe("choose", selector, label)


def typed(browser, selector, text):
    """Type a text in the place of another, as a person does: the page hears of it when the field is left."""
    browser.run(
        "const [at] = arguments; const field = document.querySelector(at); field.value = '';", selector
    )
    browser.probe("focus", selector)
    browser.press(*text, "Tab")


def test_each_section_has_a_title_a_text_and_a_figure_that_goes_to_its_end(lesson, chromium):
    lesson()
    links = chromium.run("return [...document.querySelectorAll('nav a')].map((link) => link.hash)")
    assert links == [f"#{'p=1&' * (name == 'practice')}s={name}" for name in SECTIONS]
    sections = chromium.run("return [...document.querySelectorAll('main > section')].map(({ id }) => id)")
    assert tuple(sections) == SECTIONS
    for name in SECTIONS:
        assert chromium.text(f"#{name} h2") == WORDS["en"]["page"][name]
        assert len(chromium.text(f"#{name} p")) > 60
        if name in FILLED:
            chromium.click(f"#{name} .watch")
        begun = chromium.probe("shown", section(name))
        chromium.click(f"{section(name)} .end")
        ended = chromium.probe("shown", section(name))
        assert ended["progress"] != begun["progress"]
        assert ended["visited"] + ended["saved"] <= (ended["total"] or 99)
        assert ended["values"]["0"]


def follow(browser, selector):
    """Click a link within the page; return when the page has read its address."""
    browser.run(FOLLOW, selector)


def test_a_link_of_the_contents_leads_there(lesson, chromium):
    lesson()
    for name in ("table", "tree", "free"):
        follow(chromium, f"nav [data-section={name}]")
        assert abs(chromium.run(f"return document.getElementById('{name}').getBoundingClientRect().top")) < 2
        assert chromium.run("return document.activeElement.id") == f"{name}-title"
        chromium.run("scrollTo(0, 0)")


def test_the_orders_are_compared_and_shown(lesson, chromium):
    lesson()
    rows = chromium.probe("rows", "#order")
    assert rows == [
        ["as written", "33", "28", "draw"],
        ["reversed", "47", "14", "draw"],
        ["best first", "29", "32", "draw"],
        ["worst first", "41", "20", "draw"],
    ]
    for number, (name, visited, saved, _) in enumerate(rows, 1):
        chromium.click(f"#order tbody tr:nth-child({number}) button")
        assert chromium.run("return document.querySelector('#order [aria-pressed=true]').textContent") == name
        chromium.click(f"{section('order')} .end")
        shown = chromium.probe("shown", section("order"))
        assert (shown["visited"], shown["saved"]) == (int(visited), int(saved))


def test_a_deeper_search_changes_its_mind_and_a_table_saves_work(lesson, chromium):
    lesson()
    assert chromium.probe("rows", "#depth") == [
        ["1 move", "5", "o 5", "+4"],
        ["2 moves", "17", "o 8", "\u22122"],
        ["3 moves", "41", "o 7", "win in 3"],
    ]
    without, remembered = chromium.probe("rows", "#table")
    assert (without[:3], remembered[:2]) == (["without a table", "61", "0"], ["with a table", "35"])
    chromium.click("#table tbody tr:nth-child(2) button")
    chromium.click(f"{section('table')} .end")
    shown = chromium.probe("shown", section("table"))
    assert (shown["visited"], shown["known"]) == (35, int(remembered[2]))
    assert len(shown["recalled"]) == shown["known"] > 3


def test_the_text_names_the_numbers_of_its_figure(lesson, chromium):
    lesson()
    assert "With three cells left, the tree has 11 positions. From the empty board it has 549,946." in (
        chromium.text("#tree .text")
    )
    chromium.click(f"{section('cut')} .controls .cut")
    assert "gave Max 5. In the second, Min has just found 3." in chromium.text("#cut .text")
    assert chromium.text(f"{section('cut')} .says") == (
        "Max gets at most 3 here, but has 5 in branch 1. So the leaf 9 is never looked at."
    )
    assert "60" in chromium.text("#montecarlo .text")
    chromium.click(f"{section('montecarlo')} .end")
    assert chromium.text(f"{section('montecarlo')} .says").endswith(
        "The branch with most playouts is o 6: that is the move."
    )


def answered(browser, root, *ticks):
    """Answer the question that a figure asks; return what it says then."""
    for label in ticks:
        browser.probe("tick", root, label)
    browser.click(f"{root} .answer")
    return browser.text(f"{root} .says")


CUT_ANSWERS = [[], [], ["the leaf 9"]]


def test_an_exercise_asks_for_cuts(lesson, chromium):
    lesson()
    root = section("cut")
    chromium.click(f"{root} .exercise")
    for number, answer in enumerate(CUT_ANSWERS, 1):
        told = chromium.text(f"{root} .says")
        assert "Which branches are cut next?" in told
        assert "step" in chromium.probe("idle", root)  # what is asked for is not shown
        said = answered(chromium, root, *answer)
        assert said.startswith("Right."), (told, said)
        assert len(said) > 30  # it says why
        assert chromium.text(f"{root} .tally") == f"{number} of {number} right; 3 questions in all"
        if number < 3:
            chromium.click(f"{root} .next")
    assert not chromium.probe("visible", f"{root} .next")
    chromium.click(f"{root} .exercise")  # it is over, and the figure goes on
    assert not chromium.probe("visible", f"{root} .ask")
    assert "step" not in chromium.probe("idle", root)


@pytest.mark.parametrize(("number", "answer", "why"), [
    (1, ["the leaf 6"], "Nothing is cut yet: alpha, now \u2212∞, is still below beta, 5."),
    (3, [], "Alpha, 5, is not below beta, 3: the window is shut."),
])  # fmt: skip
def test_a_wrong_answer_is_told_why(lesson, chromium, number, answer, why):
    lesson()
    root = section("cut")
    chromium.click(f"{root} .exercise")
    for earlier in CUT_ANSWERS[: number - 1]:
        answered(chromium, root, *earlier)
        chromium.click(f"{root} .next")
    said = answered(chromium, root, *answer)
    assert said.startswith(f"Not so. {why}")
    assert chromium.text(f"{root} .tally").startswith(f"{number - 1} of {number} right")


def test_minimax_cuts_nothing_so_there_is_no_exercise(lesson, chromium):
    lesson("((2,7),(1,8))", "--algorithm", "minimax")
    assert not chromium.probe("visible", f"{FREE} .exercise")


FOUR = {  # the cuts of section 3: what is cut
    "a leaf": "So the leaf 9 is never looked at.",
    "on the other side": "So the leaf 9 is never looked at.",
    "a whole subtree": "So branch 2.2 is never looked at.",
    "from far above": "So the leaf 9 is never looked at.",
}


def test_four_trees_show_what_a_cut_can_be(lesson, chromium):
    lesson()
    root = section("cut")
    assert chromium.probe("rows", "#cut") == [[name] for name in FOUR]  # who cuts is for pupils to say
    for number, never in enumerate(FOUR.values(), 1):
        chromium.click(f"#cut tbody tr:nth-child({number}) button")
        assert not chromium.run("return document.querySelector('#cut .axis .shut') !== null")
        chromium.click(f"{root} .controls .cut")
        assert chromium.text(f"{root} .says").endswith(never)
        assert chromium.run("return document.querySelector('#cut .axis .shut') !== null")
        ran = chromium.run(
            "return [...document.querySelectorAll('#cut .code .runs')].map((one) => one.innerText.trim())"
        )
        assert ran == ["if alpha >= beta: break", "return best"]
    # The window is named, for those who do not see it.
    assert chromium.run("return document.querySelector('#cut .axis').getAttribute('aria-label')") == (
        "Alpha 5, Beta 3"
    )


def test_a_branch_can_be_clicked_in_the_tree_and_all_be_done_by_keyboard(lesson, chromium):
    lesson()
    root = section("cut")
    chromium.click(f"{root} .exercise")
    chromium.click(f"{root} .tree [data-node='3']")  # the leaf 6
    assert chromium.run(f"return document.querySelector('{root} .ask :checked').value") == "3"
    chromium.click(f"{root} .tree [data-node='3']")
    chromium.press("Enter")
    assert chromium.text(f"{root} .says").startswith("Right.")
    assert chromium.run("return document.activeElement.className") == "next"
    chromium.press("Enter")
    assert chromium.run("return document.activeElement.type") == "checkbox"


def test_every_question_can_be_answered(lesson, chromium):
    """Of trees and boards by chance, by all searches: the answer is among those that one may give."""
    lesson()
    told = chromium.run(EXERCISES)
    assert len(told) > 100
    assert [text for text in told if not text.startswith("Right. ")] == []


def test_a_board_is_clicked(lesson, chromium):
    lesson("xo./x../ox.")
    before = chromium.probe("shown", FREE)["total"]
    chromium.click("#free [data-cell='8']")
    assert chromium.run("return document.querySelector('#free .text').value") == "xo./x../oxo"
    assert chromium.probe("shown", FREE)["total"] < before
    assert chromium.run(ADDRESS) == ("#b=xo./x../oxo&r=classic&k=3&m=x&a=alpha-beta&o=written&d=3&p=1&s=free")
    chromium.click("#free [data-cell='8']")
    assert chromium.probe("shown", FREE)["total"] == before
    for cell in (0, 3):
        chromium.click(f"#free [data-cell='{cell}']")
    # Two o and one x: whose turn is it?
    assert "say who is to move" in chromium.text("#free .error")
    option(chromium, "#free .toMove", "x")
    assert chromium.text("#free .error") == ""
    assert "m=x" in chromium.run(ADDRESS)
    assert chromium.probe("shown", FREE)["total"] == 1 + 6 + 6 * 5  # the usual depth has at most 100


def test_where_marks_vanish_a_click_plays_and_takes_back(lesson, chromium):
    lesson("159", "--rule", "vanishing")
    chromium.click("#free [data-cell='1']")
    assert "b=1592&r=vanishing" in chromium.run(ADDRESS)
    chromium.click("#free [data-cell='4']")
    assert "b=159&r=vanishing" in chromium.run(ADDRESS)
    option(chromium, "#free .rule", "a line loses")
    assert "b=x../.o./..x&r=misere" in chromium.run(ADDRESS)


@pytest.mark.parametrize(("text", "shown"), [
    ("((3,12,8),(2,4,6))", "n=((3,12,8),(2,4,6))"),
    ("..../..../..../....", "b=..../..../..../....&r=classic&k=3&m=x"),
    ("12", "b=xo./.../...&r=classic&k=3&m=x"),
])  # fmt: skip
def test_a_board_or_a_tree_is_typed(lesson, chromium, text, shown):
    lesson("xo./x../ox.")
    typed(chromium, "#free .text", text)
    assert chromium.text("#free .error") == ""
    assert chromium.run(ADDRESS).startswith(f"#{shown}&a=alpha-beta&o=written")
    tree = text.startswith("(")
    assert chromium.probe("visible", "#free .depth") is not tree
    assert chromium.probe("visible", "#free .board") is not tree


@pytest.mark.parametrize(("text", "mistake"), [
    ("((2,7),(1,8)", "A comma or a closing parenthesis is missing at character 13"),
    ("xo?/.../...", "? in row 1, column 3 is none of x, o and a dot."),
    ("xxx/oo./...", "The game is over: there is nothing to search."),
    (" ", "There is no board"),
])  # fmt: skip
def test_a_mistake_is_told_and_leaves_the_figure(lesson, chromium, text, mistake):
    lesson("xo./x../ox.")
    before, address = chromium.probe("shown", FREE), chromium.run(ADDRESS)
    typed(chromium, "#free .text", text)
    assert chromium.text("#free .error").startswith(mistake)
    assert chromium.probe("shown", FREE) == before
    assert chromium.run(ADDRESS) == address
    chromium.click("#free .randomTree")
    assert chromium.text("#free .error") == ""


def test_everything_is_in_the_address(lesson, chromium):
    lesson("xo./x../ox.")
    option(chromium, "#free .algorithm", "alpha-beta, fail-hard")
    option(chromium, "#free .order", "o 5 first")
    option(chromium, "#free .depth", "3")
    chromium.click("#free input.table")
    option(chromium, "#language", "Deutsch")
    address = chromium.run("return location.href")
    assert address.endswith("#b=xo./x../ox.&r=classic&k=3&m=o&a=fail-hard&o=first:1&d=3&t=1&p=1&s=free&l=de")
    chromium.click(f"{FREE} .end")
    shown = chromium.probe("shown", FREE)
    chromium.go("about:blank")
    chromium.go(address)
    chromium.click(f"{FREE} .end")
    assert chromium.probe("shown", FREE) == shown
    assert chromium.run("return document.documentElement.lang") == "de"
    order = "return document.querySelector('#free .order').selectedOptions[0].text"
    assert chromium.run(order) == "o 5 zuerst"
    assert chromium.run("return document.querySelector('#free input.table').checked")


def test_another_one_is_another_one_and_its_link_shows_it_again(lesson, chromium):
    lesson()
    for button in ("randomBoard", "randomTree"):
        seen = set()
        for _ in range(5):
            chromium.click(f"#free .{button}")
            seen.add(address := chromium.run("return location.href"))
            assert chromium.text("#free .error") == ""
        assert len(seen) > 2
        shown = chromium.probe("shown", FREE)
        chromium.go("about:blank")
        chromium.go(address)
        assert chromium.probe("shown", FREE) == shown
    option(chromium, "#free .order", "shuffled")
    assert "o=shuffled:" in chromium.run(ADDRESS)


def test_a_section_opens_in_the_last_figure(lesson, chromium):
    lesson()
    chromium.click("#order tbody tr:nth-child(2) button")
    follow(chromium, "#order .change")
    assert chromium.run("return document.activeElement.id") == "free-title"
    chromium.click(f"{FREE} .end")
    assert chromium.probe("shown", FREE)["visited"] == 47


@pytest.mark.parametrize(("address", "mistake"), [
    ("#b=xo?/.../...", "? in row 1, column 3"),
    (
        "#b=.../.../...&d=6",
        "A search 6 moves deep has more than 1,000 positions: a depth of 3 fits, with 586.",
    ),
    ("#b=159&o=sideways", "The address has o=sideways, which this page does not know"),
    ("#b=xxx/oo./...", "The game is over"),
])  # fmt: skip
def test_an_address_that_makes_no_sense_is_told_and_leaves_the_first_figure(
    lesson, chromium, address, mistake
):
    lesson()
    first = chromium.probe("shown")
    lesson(link=address)
    assert chromium.probe("shown") == first
    assert chromium.text("#free .error").startswith(mistake)
    assert chromium.run("return document.activeElement.id") == "free-title"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_every_language(lesson, chromium, language):
    lesson(link=f"#s=cut&l={language}")
    words = WORDS[language]["page"]
    assert chromium.run("return document.documentElement.lang") == language
    assert chromium.text("h1") == chromium.run("return document.title") == words["title"]
    assert chromium.text("#cut h2") == words["cut"]
    assert chromium.text(f"{section('cut')} .step") == WORDS[language]["figure"]["step"]
    assert chromium.run("return document.activeElement.id") == "cut-title"
    text = chromium.run("return document.body.innerText")
    assert "{" not in text
    assert "undefined" not in text
    # What is filled in is judged in this language.
    for name in FILLED:
        chromium.click(f"#{name} .check")
        empty = {form.format(count=n) for form in words["fill-empty"].values() for n in range(1, 20)}
        assert chromium.text(f"{section(name)} .says") in empty
        chromium.click(f"#{name} .watch")
        assert chromium.text(f"#{name} .watch") == words["fill-back"]
    # A sentence and an exercise follow a change of language.
    chromium.click(f"{section('cut')} .exercise")
    asked = chromium.text(f"{section('cut')} .says")
    other = "en" if language != "en" else "de"
    chromium.probe("choose", "#language", None, other)
    assert chromium.text(f"{section('cut')} .says") != asked
    assert chromium.text("#practice .watch") == WORDS[other]["page"]["fill-back"]
    assert chromium.text(f"{section('cut')} .answer") == WORDS[other]["page"]["answer"]


def test_another_language_keeps_the_section(lesson, chromium):
    lesson()
    follow(chromium, "nav [data-section=depth]")
    option(chromium, "#language", "français")
    assert chromium.run(ADDRESS) == "#p=1&s=depth&l=fr"
    assert chromium.run("return document.querySelector('nav a').hash") == "#s=tree&l=fr"


PAPER = {"A4": (8.27, 11.69), "letter": (8.5, 11)}  # inches
BESIDE = """
const middle = (one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
};
const root = document.getElementById(arguments[0]);
return [...root.querySelectorAll(".entries input")].map((input) => {
  const node = root.querySelector(`[data-node="${input.dataset.at}"] .ground`);
  const [[x, y], [a, b]] = [input, node].map(middle);
  return Math.hypot(x - a, y - b);
});
"""


@pytest.mark.parametrize("name", ["tree", "minimax", "cut", "practice", "free"])
def test_the_section_in_the_window_is_printed_dark_on_white(lesson, chromium, tmp_path, name):
    lesson(link=f"#s={name}", dark=True)
    if name == "cut":
        chromium.click("#cut .controls .cut")
    text = chromium.printed(tmp_path / "page.pdf", "-raw")
    titles = [one for one in SECTIONS if re.search(f"^{WORDS['en']['page'][one]}$", text, re.MULTILINE)]
    assert titles == [name]
    assert chromium.text(f"#{name} .says") in text.replace("\n", " ")  # at its step
    assert ("if alpha >= beta: break" in text) is (name in ("cut", "free"))  # not beside a tree to fill in
    chromium.devtools("Emulation.setEmulatedMedia", media="print")
    ratios = chromium.probe("textContrasts")
    beside = chromium.run(BESIDE, name)
    chromium.devtools("Emulation.setEmulatedMedia", media="")
    assert min(ratios.values()) >= 4.5
    assert len(beside) == {"minimax": 4, "practice": 4}.get(name, 0)
    assert max(beside, default=0) < 1  # each field is still over its position


@pytest.mark.parametrize("shown", ["p=7", "p=7&w=1"])
@pytest.mark.parametrize("paper", PAPER)
def test_a_worksheet_is_one_sheet_and_its_solutions_another(lesson, chromium, tmp_path, paper, shown):
    lesson(link=f"#s=practice&{shown}&l=de")
    chromium.run("window.print = () => {}")
    chromium.click("#practice .paper")
    width, height = PAPER[paper]
    size = {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": True}
    task, solutions = chromium.printed(tmp_path / "sheets.pdf", **size).split("\f")[:-1]
    words = WORDS["de"]["page"]
    for sheet in (task, solutions):
        assert words["sheet-title"] in sheet
        assert f"lesson.html#{shown}&s=practice&l=de" in sheet
        assert sheet.count("△ Max") == 6  # two levels of three trees
    assert words["sheet-name"] in task
    assert words["sheet-solutions"] in solutions
    numbers = [len(re.findall(r"^[0-9]+$", sheet, re.MULTILINE)) for sheet in (task, solutions)]
    solved = chromium.run(
        "const boxes = ({ kind, value }) => kind === 'enter' && value === null;"
        "const walkAt = (seed) => walkOf(outlineOf(practiceTree(seed)));"
        "return [7, 8, 9].map((seed) => walkAt(seed).steps.filter(boxes).length)"
    )
    inner = chromium.run(
        "const boxes = ({ value }) => value === null;"
        "const inner = (seed) => outlineOf(practiceTree(seed)).nodes.filter(boxes).length;"
        "return inner(7) + inner(8) + inner(9)"
    )
    assert [sheet.count("\N{GREEK SMALL LETTER ALPHA}") for sheet in (task, solutions)] == (
        [inner, sum(solved)] if "w" in shown else [0, 0]
    )
    assert "w" in shown or numbers[1] - numbers[0] == sum(solved)
    assert chromium.run("return document.querySelectorAll('.worksheet').length") == 0  # printed, and gone


def test_the_arrow_keys_step_the_figure_used_last(lesson, chromium):
    lesson()
    chromium.press("ArrowRight")  # none was used
    chromium.click(f"{section('tree')} .step")
    chromium.press("ArrowRight")
    assert chromium.text(f"{section('tree')} .progress").startswith("Step 3 ")
    chromium.click(f"{section('cut')} .step")
    chromium.press("ArrowRight", "ArrowRight")
    assert chromium.text(f"{section('cut')} .progress").startswith("Step 4 ")
    assert chromium.text(f"{section('tree')} .progress").startswith("Step 3 ")
    chromium.click(f"{section('tree')} .step")
    chromium.press("ArrowRight")
    assert chromium.text(f"{section('tree')} .progress").startswith("Step 5 ")
    # In a field they are the field's.
    chromium.run("document.querySelector('#free .text').focus()")
    chromium.press("ArrowRight", "Home")
    assert chromium.text(f"{section('tree')} .progress").startswith("Step 5 ")


def test_the_link_is_copied(lesson, chromium):
    lesson("159")
    chromium.devtools(
        "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]
    )
    assert chromium.run(COPY) == "Copied."
    assert chromium.run("return navigator.clipboard.readText()") == chromium.run("return location.href")
