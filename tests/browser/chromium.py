"""A real Chromium over the WebDriver protocol (W3C), with nothing but Python's own library.

chromedriver speaks JSON over HTTP on this machine; a library would add a dozen packages for these few calls.
"""

import base64
import json
import shutil
import subprocess
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's own name for a reference to an element
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
KEYS |= {"Home": "\ue011", "End": "\ue010", "Enter": "\ue007", "Tab": "\ue004", "Space": " "}
PROBES = (Path(__file__).parent / "probes.js").read_text()
QUIET = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
QUIET += ("--disable-background-networking", "--force-prefers-reduced-motion", "--lang=en-GB")


PATIENCE = 600  # seconds: a script that takes longer never ends, however busy the machine


class Browser:
    """One window. Every call returns when the browser has carried it out."""

    def __init__(self, port, profile):
        self.port = port
        options = {"binary": shutil.which("chromium"), "args": [*QUIET, f"--user-data-dir={profile}"]}
        logs = {"performance": "ALL", "browser": "ALL"}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": logs}
        self.session = ""
        found = self.call("POST", "session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"session/{found['sessionId']}"
        self.post("timeouts", script=1000 * PATIENCE, pageLoad=1000 * PATIENCE)
        self.post("url", url="about:blank")  # not the browser's own start page

    def call(self, method, path, body=None):
        """Send one command and return its value."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=2 * PATIENCE)
        text = None if body is None else json.dumps(body)
        connection.request(method, f"/{path}", text, {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{path}: {value['message'].splitlines()[0]}")
        return value

    def post(self, path, **body):
        return self.call("POST", f"{self.session}/{path}", body)

    def devtools(self, command, **params):
        """Call the DevTools protocol."""
        return self.post("goog/cdp/execute", cmd=command, params=params)

    def open(self, path):
        self.go(path.as_uri())

    def go(self, address):
        self.post("url", url=address)

    def run(self, script, *args):
        """Run the body of a function in the page; return what it returns."""
        return self.post("execute/sync", script=script, args=args)

    def probe(self, name, *args):
        """Call a function of probes.js in the page."""
        return self.run(f"{PROBES}\nreturn {name}(...arguments);", *args)

    def find(self, selector):
        return self.post("element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        """Click as a mouse does: fails if the element is hidden or covered."""
        self.post(f"element/{self.find(selector)}/click")

    def text(self, selector):
        return self.call("GET", f"{self.session}/element/{self.find(selector)}/text")

    def press(self, *names):
        """Press keys, wherever the focus is."""
        keys = [KEYS.get(name, name) for name in names]
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("actions", actions=[{"type": "key", "id": "keyboard", "actions": strokes}])

    def size(self, width, height, *, dark=False, touch=False):
        """Show the page as on a screen of this size."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch}
        self.devtools("Emulation.setDeviceMetricsOverride", **screen)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[scheme])

    def requested(self):
        """Return the addresses that were asked for since this log was last read, also by WebSockets."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        asked = {"Network.requestWillBeSent", "Network.webSocketCreated"}
        params = [one["params"] for one in messages if one["method"] in asked]
        return [one.get("request", one)["url"] for one in params]

    def spoken(self):
        """Return what a screen reader is told: the role and the name of each thing."""
        nodes = self.devtools("Accessibility.getFullAXTree")["nodes"]
        shown = [node for node in nodes if not node["ignored"]]
        return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in shown]

    def printed(self, path, *options, **paper):
        """Print the page as a PDF; return its text, as pdftotext reads it with these options."""
        path.write_bytes(base64.b64decode(self.devtools("Page.printToPDF", **paper)["data"]))
        command = ["pdftotext", *options, path, "-"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def log(self, kind):
        """Return what the browser logged since the last call: "browser" or "performance"."""
        return self.post("se/log", type=kind)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("GET", f"{self.session}/screenshot")))


@contextmanager
def browser(folder):
    """Start a browser whose files are in `folder`, and end it."""
    driver = shutil.which("chromedriver")
    assert driver, "Remedy: sudo apt install --no-install-recommends chromium chromium-driver"
    with subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            line = next(line for line in process.stdout if "started successfully on port" in line)
            window = Browser(int(line.split()[-1].rstrip(".")), folder / "profile")
            try:
                yield window
            finally:
                window.call("DELETE", window.session)
        finally:
            process.terminate()
