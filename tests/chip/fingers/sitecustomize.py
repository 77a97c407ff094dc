"""Let a test press the keys of fakechip while a command runs on it.

Python imports this by itself if its folder is in $PYTHONPATH, so the command runs unmodified. The test writes
lines to the FIFO that $FINGERS names: each is the set of closed keys from now on, as the bits of a number.
The test waits $PATIENCE seconds for each key and answer. A keypad that parks does so at once,
before any press.
"""

import ctypes
import os
import threading
from pathlib import Path

from appliance.boardtest import keys, picture
from appliance.devices import keypad


def press():
    chip = ctypes.CDLL(None)
    with Path(os.environ["FINGERS"]).open() as lines:
        for line in lines:
            chip.fakechip_press(int(line))


threading.Thread(target=press, daemon=True).start()
keys.KEY_PATIENCE = picture.ANSWER_SECONDS = float(os.environ["PATIENCE"])
keypad.PARK_AFTER = 0.0
