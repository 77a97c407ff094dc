"""Real browsers over the WebDriver protocol (W3C), with nothing but Python's own library.

A library would add a dozen packages for these few calls. The drivers of Chromium and WebKit speak JSON over
HTTP. Debian has no driver for Firefox: Firefox itself takes the same commands over a socket (Marionette).
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's own name for a reference to an element
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
KEYS |= {"Home": "\ue011", "End": "\ue010", "Enter": "\ue007", "Tab": "\ue004", "Space": " "}
KEYS |= {"Backspace": "\ue003"}
PROBES = (Path(__file__).parent / "probes.js").read_text()
QUIET = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
QUIET += ("--disable-background-networking", "--force-prefers-reduced-motion", "--lang=en-GB")


WAIT = "const look = () => ((%s) ? arguments[0](true) : setTimeout(look, 10)); look();"
MARIONETTE = {
    "session": "NewSession", "url": "Navigate", "timeouts": "SetTimeouts", "sync": "ExecuteScript",
    "async": "ExecuteAsyncScript", "elements": "FindElements", "element": "FindElement",
    "click": "ElementClick", "computedlabel": "GetComputedLabel", "text": "GetElementText",
    "actions": "PerformActions",
}  # fmt: skip
PATIENCE = 60  # seconds: a script that takes longer never ends, however busy the machine


class Browser:
    """One window. Every call returns when the browser has carried it out."""

    def __init__(self, port, **wanted):
        self.port = port
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
            said = value["message"].splitlines()[:1]  # WebKit may say nothing
            raise RuntimeError(": ".join([path, value["error"], *said]))
        return value

    def end(self):
        self.call("DELETE", self.session)

    def post(self, path, **body):
        return self.call("POST", f"{self.session}/{path}", body)

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

    def names(self, selector):
        """Return what a screen reader calls each of these elements, with references to them."""
        found = self.post("elements", using="css selector", value=selector)
        path = f"{self.session}/element"
        return {self.call("GET", f"{path}/{one[ELEMENT]}/computedlabel"): one[ELEMENT] for one in found}

    def wait(self, condition):
        """Wait for the page; a condition that never comes true is an error after ten minutes."""
        self.post("execute/async", script=WAIT % condition, args=[])

    def press(self, *names):
        """Press keys, wherever the focus is."""
        keys = [KEYS.get(name, name) for name in names]
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("actions", actions=[{"type": "key", "id": "keyboard", "actions": strokes}])


class Chromium(Browser):
    """With what only its driver has: the DevTools protocol and logs."""

    def devtools(self, command, **params):
        """Call the DevTools protocol."""
        return self.post("goog/cdp/execute", cmd=command, params=params)

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


class Firefox(Browser):
    """Without a driver: it takes the protocol's commands by Firefox's own names for them."""

    def __init__(self, port, **wanted):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE)
        self._lines = self._socket.makefile("rb")
        self._receive()  # what it is
        super().__init__(port, **wanted)

    def call(self, method, path, body=None):
        """Send one command and return its value."""
        *before, last = path.split("/")
        element = {"id": before[-1]} if "element" in before else {}
        text = json.dumps([0, 0, f"WebDriver:{MARIONETTE[last]}", {**(body or {}), **element}]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, value = self._receive()
        if error:
            raise RuntimeError(f"{path}: {error['message']}")
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def _receive(self):
        length = b"".join(iter(lambda: self._lines.read(1), b":"))
        return json.loads(self._lines.read(int(length)))

    def end(self):
        self._lines.close()
        self._socket.close()


@contextmanager
def listening(port, *command, **options):
    """Run a program for as long as the block, which begins when it listens on this port."""
    assert shutil.which(command[0]), f"{command[0]} is missing. Remedy: sudo .ci/packages test-pages"
    silent = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    with subprocess.Popen(command, **silent, **options) as process:
        try:
            while process.poll() is None:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.02)
            yield
        finally:
            process.terminate()


@contextmanager
def browser(name, folder, **options):
    """Start a browser whose files are in `folder`, and end it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with START[name](port, folder, **options) as window:
        try:
            yield window
        finally:
            window.end()


@contextmanager
def chromium(port, folder, **options):
    options |= {"binary": shutil.which("chromium"), "args": [*QUIET, f"--user-data-dir={folder}/profile"]}
    logs = {"performance": "ALL", "browser": "ALL"}
    with listening(port, "chromedriver", f"--port={port}"):
        yield Chromium(port, **{"goog:chromeOptions": options, "goog:loggingPrefs": logs})


@contextmanager
def firefox(port, folder):
    wanted = {"marionette.port": port, "ui.prefersReducedMotion": 1}
    lines = [f'user_pref("{name}", {value});\n' for name, value in wanted.items()]
    (folder / "user.js").write_text("".join(lines))
    command = ("firefox-esr", "--marionette", "--headless", "--no-remote", "--profile", folder)
    with listening(port, *command, env={**os.environ, "HOME": str(folder)}):
        yield Firefox(port)


@contextmanager
def webkit(port, folder):
    """Start MiniBrowser, which its driver finds by itself; it needs a display.

    It asks pages for reduced motion: the driver clicks without waiting for a smooth scroll to end.
    """
    for gtk in ("gtk-3.0", "gtk-4.0"):
        (folder / gtk).mkdir()
        (folder / gtk / "settings.ini").write_text("[Settings]\ngtk-enable-animations = false\n")
    home = dict.fromkeys(("HOME", "XDG_CONFIG_HOME"), str(folder))
    screen = ("Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x1000x24")
    with subprocess.Popen(screen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as display:
        try:
            shown = {"DISPLAY": f":{display.stdout.readline().strip()}"}
            with listening(port, "WebKitWebDriver", f"--port={port}", env={**os.environ, **home, **shown}):
                yield Browser(port)
        finally:
            display.terminate()


START = {"chromium": chromium, "firefox": firefox, "webkit": webkit}
