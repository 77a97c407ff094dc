"""A directory in which a box has kept some games."""

from appliance.core.match import Finished
from appliance.storage.database import NAME, Database
from appliance.storage.rows import Played, pack_game

GAME = Finished("classic", "medium", 1, "x", (4, 0, 8), "x", 30.0)
HISTORY = (
    *(GAME, GAME, GAME._replace(result="o"), GAME._replace(human="o", result="draw")),
    GAME._replace(level="perfect", rule="misere"),
    *(GAME._replace(players=2, result="o"), GAME._replace(players=2, result="draw", level="hard")),
    GAME._replace(players=0),
)


def numbered(games):
    return [Played(number, 1_800_000_000 + number, game) for number, game in enumerate(games, 1)]


def fill(directory, games):
    directory.mkdir(exist_ok=True)
    database = Database(directory / NAME)
    database.write(None, [pack_game(one) for one in games])
    database.close()
