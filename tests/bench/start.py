"""The first lines of the service's own start script, from this checkout: what `tictactoe run` is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from appliance.cli import main

sys.exit(main(["run"]))
