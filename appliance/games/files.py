"""The two files beside status.txt on the image's card: games.html, and games.csv for a spreadsheet."""

import io
from collections.abc import Mapping

from appliance.games.gathered import gather
from appliance.games.listing import write_csv
from appliance.games.page import page
from appliance.storage.history import History


def contents(history: History) -> Mapping[str, bytes]:
    """Return the files by name; none before the first game or visit.

    So a lost history overwrites no old files. games.csv has the newest `gathered.KEPT` games. Raise
    `UserError` if no games can be read.
    """
    gathered, visits = gather(history.games()), history.visits()
    if not gathered.newest and not visits:
        return {}
    listing = io.StringIO(newline="")
    write_csv(gathered.newest, listing)
    html = page(gathered, visits, damaged=bool(history.note))
    return {"games.csv": listing.getvalue().encode(), "games.html": html.encode()}
