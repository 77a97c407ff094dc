import pytest
from bootcard import make_card

from appliance.cli import build_parser
from appliance.core.errors import UserError


@pytest.fixture
def card(tmp_path):
    return make_card(tmp_path / "card")


@pytest.fixture
def boot(capsys):
    """Return a function that runs `tictactoe boot` and returns the exit status, and the lines or error."""

    def run(*arguments):
        parsed = build_parser(["boot"]).parse_args(["boot", *map(str, arguments)])
        try:
            status = parsed.run(parsed)
        except UserError as error:
            capsys.readouterr()
            return 2, [str(error)]
        return status, capsys.readouterr().out.splitlines()

    return run
