"""Where the box in a page lives: the same program in a browser, without a network, without storage."""

import threading
from pathlib import Path

from scenario_bytes import sent
from test_desk import SPY, Desk
from webdriver import browser

from tools.page.__main__ import serving
from tools.page.site import SITE, build

HERE = Path(__file__).parents[1]
SCENARIOS = sorted(HERE.glob("scenarios/*.yaml"))
# As worker.js does it, but for another module than the page's.
PLAY = """
const [box, support, texts, done] = arguments;
const play = async () => {
  const { loadPyodide } = await import(`${box}/pyodide.mjs`);
  const python = await loadPyodide({ checkAPIVersion: false });
  const program = await (await fetch(`${box}/box.zip`)).arrayBuffer();
  python.unpackArchive(program, "zip", { extractDir: "/program" });
  python.FS.writeFile("/program/scenario_bytes.py", support);
  python.runPython("import sys; sys.path.insert(0, '/program')");
  const { sent } = python.pyimport("scenario_bytes");
  return texts.map((text) => sent(text).toJs());
};
play().then(done, (error) => done(String(error)));
"""


def test_python_in_a_browser_sends_the_display_the_same_bytes(chromium, site):
    texts = [path.read_text(encoding="utf-8") for path in SCENARIOS]
    chromium.go(f"{site}licences.txt")  # an address of the page's, without its box
    box = next(path.name for path in SITE.glob("box-*"))
    support = (HERE / "support/scenario_bytes.py").read_text(encoding="utf-8")
    played = chromium.post("execute/async", script=PLAY, args=[f"{site}{box}", support, texts])
    assert played == [sent(text) for text in texts]


def test_without_a_network_the_page_works_after_a_first_visit(chromium):
    with serving(build(), 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        chromium.go(address)
        chromium.wait("ready")
        kept = "navigator.serviceWorker.ready.then(() => arguments[0]())"
        chromium.post("execute/async", script=kept, args=[])
        server.shutdown()
    for part, shown in [
        ("?a", "ready"),
        ("lesson.html", "document.querySelector('#practice')"),
        ("", "ready"),
    ]:
        chromium.go(address + part)
        chromium.wait(shown)
    chromium.log("browser")


def test_where_the_browser_keeps_nothing_the_page_says_so_and_plays(site, tmp_path):
    forbidden = {"profile.default_content_setting_values.cookies": 2}
    with browser("chromium", tmp_path, prefs=forbidden) as window:
        window.devtools("Page.addScriptToEvaluateOnNewDocument", source=SPY)
        desk = Desk(window, site)
        desk.open()
        desk.until(
            "document.getElementById('lost').textContent.startsWith('This browser keeps nothing here')"
        )
        desk.says("English")
        desk.tap(1, "phase() === 'your_turn'")
        desk.wait_for_patience()
        desk.press(5, "marks()[4]")
