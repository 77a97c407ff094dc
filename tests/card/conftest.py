import pytest
from bootcard import APPLIANCE, make_card, make_deb

from appliance.cli import build_parser
from appliance.core.errors import UserError


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


@pytest.fixture
def debs(tmp_path):
    (tmp_path / "packages").mkdir()
    for name in ("python3-luma.oled_3.10_all.deb", "python3-luma.core_2.4_all.deb", APPLIANCE):
        make_deb(tmp_path / "packages" / name)
    return tmp_path / "packages"


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
