"""A link that a person wrote by hand: the page shows what it asks for, or its first figure and a sentence."""

import json

import pytest

from appliance.core.words import LANGUAGES

ODD = ["", "__proto__", "constructor", "hasOwnProperty", "%zz", "%00", "<b>", "-1", "9" * 400]
ODD += ["(", "(" * 99, "(1,2)", "." * 100, "first:99", "shuffled:", "free"]
SIDE = "/".join(["." * 8] * 8)
LINKS = [f"#{key}={value}" for key in (*"nbrslp", "__proto__", "constructor") for value in ODD]
LINKS += [f"#b=.../.../...&{key}={value}" for key in "rkmaodtsl" for value in ODD]
LINKS += ["#", "#=", "#&&", "#b", "#constructor", f"#n=({'1,' * 1500}1)", f"#b={SIDE}&d=2"]
SHOWN = """
const shown = () => {
  const text = (selector) => document.querySelector(selector).textContent;
  const named = (button) => (button.textContent || button.getAttribute("aria-label") || "").trim();
  return {
    nameless: [...document.querySelectorAll("button")].filter((button) => !named(button)).length,
    lang: document.documentElement.lang, title: text("h1"), says: text("#free .says"),
    asked: readAddress(location.hash).error ?? "", refused: text("#free .error"),
  };
};
"""
FOLLOW = f"""{SHOWN}
const [links, done] = arguments;
(async () => {{
  const found = [];
  for (const link of links) {{
    const read = new Promise((resolve) => addEventListener("hashchange", resolve, {{ once: true }}));
    location.hash = link;
    await read;
    found.push(shown());
    await new Promise((resolve) => setTimeout(resolve, 100)); // Chromium drops more than 200 in ten seconds
  }}
  done(found);
}})();
"""


def whole(shown, link):
    assert not shown["nameless"], link
    assert shown["lang"] in LANGUAGES, link
    assert shown["title"], link
    assert shown["says"], link
    assert shown["refused"] or not shown["asked"], link
    assert not shown["refused"] or shown["refused"].endswith((".", "!", "?")), (link, shown["refused"])


@pytest.mark.parametrize("link", [
    "#b=.../.../...&d=6",
    "#b=.../.../...&d=6&l=de",
    f"#n=({'1,' * 1500}1)",
    "#b=xxx/oo./...",
    "#l=constructor",
    "#l=__proto__",
    "#l=hasOwnProperty&s=toString",
    "#s=constructor",
    "#b=.../.../...&r=constructor",
    "#b=.../.../...&a=toString",
    "#b=.../.../...&o=__proto__",
])  # fmt: skip
def test_the_page_opens_whole_with_any_link(lesson, chromium, link):
    lesson(link=link)
    shown = chromium.run(f"{SHOWN} return shown();")
    whole(shown, link)
    chromium.click("#free .figure .controls .end")
    assert chromium.run(f"{SHOWN} return shown().says;") != shown["says"]


def test_no_link_leaves_the_page_broken(lesson, chromium):
    """Followed on a page that is open; the fixture finds errors in the browser's log."""
    lesson()
    found = []
    for start in range(0, len(LINKS), 20):  # a script has half a minute
        found += chromium.post("execute/async", script=FOLLOW, args=[LINKS[start : start + 20]])
    for link, shown in zip(LINKS, found, strict=True):
        whole(shown, link)
    assert json.dumps(found).count("constructor") > 3  # the sentences name what was asked for
