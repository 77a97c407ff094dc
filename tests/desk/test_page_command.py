"""`make desk` as a person starts it: the page's files and nothing else, and sentences for what is wrong."""

import threading
import urllib.request
from http.client import HTTPConnection
from unittest.mock import Mock

import pytest

from appliance.core.errors import UserError
from tools.page import __main__ as command
from tools.page.site import POLICY


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "site/box-1").mkdir(parents=True)
    (tmp_path / "site/box-1/a.mjs").write_text("export {};")
    (tmp_path / "site/lesson.html").write_text("It has a policy of its own.")
    (tmp_path / "secret").write_text("no")
    return tmp_path / "site"


@pytest.fixture
def port(folder):
    with command.serving(folder, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_a_file_comes_with_its_kind_and_the_box_with_its_policy(port):
    for name, kind, policy in [
        ("box-1/a.mjs", "text/javascript", POLICY),
        ("lesson.html", "text/html", None),
    ]:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}") as answer:
            assert answer.headers["Content-Type"] == kind
            assert answer.headers["Content-Security-Policy"] == policy
            assert answer.headers["Cache-Control"] == "no-cache"


def test_nothing_outside_the_folder_is_served(port):
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/../secret")
    assert connection.getresponse().status == 404
    connection.close()


def test_a_port_that_is_taken_is_named(folder, port):
    with pytest.raises(UserError, match=rf"^port {port} cannot be used .*; choose another one with --port N"):
        command.serving(folder, port)
    with pytest.raises(UserError, match=r"^port 70000 cannot be used"):
        command.serving(folder, 70000)


@pytest.mark.parametrize(("display", "opened"), [(":0", 1), ("", 0)])
def test_the_address_is_said_and_opened_where_there_is_a_display(
    folder, display, opened, monkeypatch, capsys
):
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(command.ThreadingHTTPServer, "serve_forever", Mock(side_effect=KeyboardInterrupt))
    opener = Mock()
    monkeypatch.setattr(command.webbrowser, "open", opener)
    command.serve(folder, 0, show=True)
    assert opener.call_count == opened
    said = capsys.readouterr().out
    assert said.startswith("The box is at http://127.0.0.1:")
    assert "Ctrl-C ends it" in said


def test_a_mistake_ends_with_status_2(monkeypatch, capsys):
    monkeypatch.setattr(command.sys, "argv", ["page", "serve", "--port", "70000"])
    monkeypatch.setattr(command, "build", lambda: "dist")
    monkeypatch.setattr(command, "compiler", lambda: ["node"])
    assert command.main() == 2
    assert capsys.readouterr().err.startswith("page: port 70000 cannot be used")


def test_without_a_compiler_the_remedy_is_said(monkeypatch, capsys):
    monkeypatch.setattr(command.sys, "argv", ["page", "build"])
    monkeypatch.setattr(command, "build", lambda: command.ROOT / "dist/page")
    monkeypatch.setattr(command, "compiler", list)
    assert command.main() == 0
    said = capsys.readouterr()
    assert said.out == "dist/page: for any web server; make desk shows it\n"
    assert said.err == "page: without Node.js it starts half as fast. Remedy: sudo apt install nodejs\n"
