"""Updates for boxes, and what a box has shown and kept."""

import hashlib
import io
import json
import random
import re
import tarfile
from itertools import groupby

from pi import ROOT, cpio, tool

from appliance.core.picture.icons import cell_size
from appliance.core.picture.raster import Layout, render
from appliance.core.picture.scene import BoardScene, Picture, Tile
from appliance.core.session.events import Saved
from appliance.core.session.match import Finished, Match
from appliance.core.session.settings import Scores, Settings, Tally
from appliance.slots import pair
from appliance.slots.trial import TRYBOOT
from appliance.storage.copies import Copies, CopyReader, both
from appliance.storage.database import NAME
from appliance.storage.rows import Played, pack_game, pack_state, unpack_state

DIST = ROOT / "dist"
EMPTY = "." * 9
INIT = (ROOT / "image/init").read_text()
MASK = """
mount -t tmpfs -o mode=755 run /new/run
mkdir -p /new/run/systemd/system
busybox ln -s /dev/null /new/run/systemd/system/tictactoe.service
"""
SERVICE = 800  # the service's user: image/root/usr/lib/sysusers.d
BEGUN = (0, 4, 8)  # a game with the box to move
PLAYED = (Played(None, None, Finished("classic", "hard", 1, "x", (0, 3, 1, 4, 2), "x", 9.0)),) * 3


def image_file(architecture):
    """Return the image in dist/."""
    [path] = DIST.glob(f"tictactoe-box_*_{architecture}.img.xz")
    return path


def update_file(architecture):
    """Return the update in dist/."""
    [path] = DIST.glob(f"update-*-{architecture}.box")
    return path


def update_box(pi, version, **replaced):
    """Return an update for a machine, with another version, and with some of its files replaced."""
    with tarfile.open(update_file(pi.machine.architecture)) as box:
        files = {member.name: box.extractfile(member).read() for member in box}
    slot = json.loads(files.pop("slot.json"))
    slot["version"] = version
    for name, content in replaced.items():
        files[name] = content
        slot["files"][name] = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(slot).encode()
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as box:
        for name, content in (("slot.json", text), *files.items(), ("slot.json", text)):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            box.addfile(info, io.BytesIO(content))
    return written.getvalue()


def with_init(pi, init):
    """Return an update whose first program is `init`."""
    _, initramfs = pi.machine.files
    ram = pi.read(f"a/{initramfs}")
    return update_box(pi, "9.0", **{initramfs: ram + bytes(-len(ram) % 4) + cpio("init", init.encode())})


def without_game(pi):
    """Return an update that starts, but whose game does not."""
    return with_init(pi, INIT.replace("exec switch_root", f"{MASK}exec switch_root"))


def offer(pi, box):
    """Put an update onto the card, and also into slot b: the emulated box would take minutes."""
    pi.write("update.box", box)
    fill_other(pi, box)


def fill_other(pi, box):
    """Put the files of an update into slot b."""
    pi.make_folder("b")
    with tarfile.open(fileobj=io.BytesIO(box)) as files:
        for member in files:
            pi.write(f"b/{member.name}", files.extractfile(member).read())


def put_on_trial(pi, box):
    """Do that, and make the next start the trial."""
    offer(pi, box)
    pi.write(TRYBOOT, pair.renamed(pi.read("config.txt"), "b"))
    pi.flag = True


def _cell(frame, index):
    """Return the pixels of a cell and the lines around it."""
    x, y = Layout(frame.width, frame.height).cell_at(index)
    side = range(cell_size(large=True) + 1)
    return tuple(frame.pixel(x + right, y + down) for right in side for down in side)


def _cells():
    """Return the mark that a cell's pixels mean: (cell, pixels) -> mark."""
    known = {}
    for mark in ("", "x", "o"):
        for last in (False, True):
            frame = render(Picture(BoardScene((Tile(mark, last=last),) * 9)))
            known |= {(cell, _cell(frame, cell)): mark or "." for cell in range(9)}
    return known


CELLS = _cells()


def boards(pictures):
    """Return the boards in these pictures, in order, without other pages and half-drawn ones."""
    read = ([CELLS.get((cell, _cell(picture, cell))) for cell in range(9)] for picture in pictures)
    return [board for board, _ in groupby("".join(marks) for marks in read if None not in marks)]


def starts(pi):
    """Return the count of starts without a game that the card holds: image/root/usr/lib/tictactoe-box."""
    with pi.card.open("rb") as card:
        card.seek(3 << 20)
        return card.read(512).removeprefix(b"tic-tac-toe box, starts without a game: ").decode().strip()


def rot(pi, file, size):
    """Overwrite the first bytes of a file of slot a's root where they are compressed, on the card."""
    root = pi.read("a/root.erofs")
    copy = pi.folder / "root.erofs"
    copy.write_bytes(root)
    extents = tool("dump.erofs", f"--path={file}", "-e", str(copy)).stdout.decode()
    place = int(re.search(r"^ +0:.*: +(\d+)\.\.", extents, re.MULTILINE)[1])
    pi.write("a/root.erofs", root[:place] + random.Random(1).randbytes(size) + root[place + size :])


def put_store(pi):
    """Put a store onto a fresh card: a game with the box to move, a score, and finished games."""
    settings = Settings(language="de", level="hard")
    state = Saved(Match.replay("classic", "x", BEGUN), Scores(Tally(3, 1, 2)), settings)
    copies = Copies(pi.folder / NAME)
    copies.write(pack_state(state, Settings(), 0.0), list(map(pack_game, PLAYED)), ())
    copies.follow(busy=False)
    copies.close()
    for file in both(pi.folder / NAME):
        pi.write_data(f"tictactoe/{file.name}", file.read_bytes(), owner=SERVICE)


def kept(data):
    """Return the content of a data partition: board, score, settings and finished games."""
    with CopyReader(data / "tictactoe" / NAME) as reading:
        found, games = unpack_state(reading.state(), 0.0), [*reading.games()]
    settings = {choice.name: choice.value for choice in found.choices}
    return "".join(found.match.game.cells), (found.scores, settings["language"], settings["level"], games)
