import pytest
from bootcard import make_card
from imagecard import make_box

from appliance.cli import build_parser
from appliance.core.errors import UserError
from appliance.service import mistake


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


@pytest.fixture
def boot(capsys):
    """Return what runs `tictactoe boot ...`: exit status, and lines printed (or the sentence of an error)."""

    def run(*arguments):
        parsed = build_parser(["boot"]).parse_args(["boot", *map(str, arguments)])
        try:
            status = parsed.run(parsed)
        except UserError as error:
            capsys.readouterr()
            return 2, [str(error)]
        return status, capsys.readouterr().out.splitlines()

    return run


@pytest.fixture
def shown(monkeypatch):
    """Return the pages that are shown: (text, title)."""
    pages = []
    monkeypatch.setattr(mistake, "show", lambda text, _config, title: pages.append((text, title)))
    return pages


@pytest.fixture
def box(tmp_path):
    return make_box(tmp_path)
