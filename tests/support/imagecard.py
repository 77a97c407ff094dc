"""A card made from the card image, updates for it, and such a card after a power cut, for tests."""

import errno
import hashlib
import io
import json
import os
import shutil
import tarfile
from pathlib import Path

import pytest
from firmware import choose
from traced_disk import Inode

from appliance.slots import jobs, pair, trial
from appliance.slots.box import Box

MACHINES = ("raspberrypi,3-model-b", "raspberrypi,model-zero-2-w")
NAMES = ("bcm2837-rpi-3-b.dtb", "cmdline.txt", "initramfs8", "kernel8.img", "root.erofs")
ZERO_S = ("bcm2835-rpi-zero.dtb", "cmdline.txt", "initramfs", "kernel.img", "root.erofs")
SET_FLAG = f"busybox insmod {trial.MODULE}"
CONFIG = b"# The box's own lines\r\narm_64bit=1\r\nos_prefix=a/\r\nenable_uart=0\r\n"


def files_of(version, names=NAMES):
    """Return a slot's files; their sizes end inside a tar's block, at its end, and after several blocks."""
    return {name: f"{name} of {version}".encode() * (16 * n) for n, name in enumerate(names, 1)}


def slot_json(version, files, **changes):
    entries = {
        name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in files.items()
    }
    kind = {"product": "tictactoe-box", "architecture": "arm64"}
    slot = {"format": 1, **kind, "version": version, "machines": list(MACHINES), "files": entries, **changes}
    return json.dumps(slot, indent=1).encode()


def tar(members):
    """Return a tar of (name or `TarInfo`, content) pairs, which ends with exactly two zero blocks."""
    packed = b""
    for name, content in members:
        info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
        if info.isreg():
            info.size = len(content)
        packed += info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)
    return packed + bytes(1024)


def update_box(version="0.2.0", files=None, **changes):
    files = files_of(version) if files is None else files
    described = slot_json(version, files, **changes)
    return tar([("slot.json", described), *files.items(), ("slot.json", described)])


FILES = files_of("0.2.0")
GOOD = update_box()
ARMEL = {"architecture": "armel", "machines": ["raspberrypi,model-zero"]}
GOOD_ARMEL = update_box(files=files_of("0.2.0", ZERO_S), **ARMEL)


def around(*extra, first=(), files=None):
    files = FILES if files is None else files
    return tar([*first, ("slot.json", slot_json("0.2.0", FILES)), *files.items(), *extra])


def with_file(name, content=b"x"):
    return update_box(files={**FILES, name: content})


def fill(folder, version, names=NAMES, **kind):
    """Install a version in a slot."""
    folder.mkdir()
    files = files_of(version, names)
    middle = {names[2]: b"", "slot.json": slot_json(version, files, **kind)}  # listed neither first nor last
    for name, data in {**middle, **files}.items():
        (folder / name).write_bytes(data)


class System:
    """Stands in for `mount` and `systemctl`: records their calls, and answers for systemd."""

    def __init__(self):
        self.calls = []
        self.service = "ActiveState=inactive\nStatusText=\n"
        self.read_only = False
        self.broken = ""  # a program that fails

    def __call__(self, *words):
        if words[:2] == ("systemctl", "show"):
            return self.service
        self.calls.append(" ".join(words[:-1]) if words[0] == "mount" else " ".join(words))
        if self.read_only and words[0] == "mount":
            raise OSError(errno.EROFS, "/boot/firmware: cannot remount read-write, is write-protected")
        if self.broken == words[0]:
            raise OSError(errno.EIO, f"{words[1]}: failed")
        return ""


def make_box(root, run=None, version="0.1.0", machine=MACHINES[0], model="Raspberry Pi 3 Model B Rev 1.2"):
    """Return a box with this version in slot a, which never sleeps."""
    boot, data, tree = root / "boot", root / "data", root / "tree"
    for folder in (boot, data, tree):
        folder.mkdir(parents=True)
    (boot / "config.txt").write_bytes(CONFIG)
    fill(boot / "a", version)
    (tree / "compatible").write_bytes(machine.encode() + b"\0brcm,bcm2837\0")
    (tree / "model").write_bytes(model.encode() + b"\0")
    return Box(boot, data, run or System(), lambda _: None, tree, root / "run")


def started(box, *, tryboot):
    """Return the slot that the firmware starts from a box's card, and make it the running one."""
    files = {str(path.relative_to(box.boot)).lower(): path for path in box.boot.rglob("*") if path.is_file()}

    def read(name):
        return files[name.lower()].read_bytes() if name.lower() in files else None

    start = choose(read, "bcm2837-rpi-3-b", tryboot=tryboot)
    if start is None:
        return None
    (box.tree / "chosen").mkdir(exist_ok=True)
    (box.tree / "chosen/os_prefix").write_bytes(start.prefix.encode() + b"\0")
    return start.prefix[0].lower()


def complete(boot, letter):
    """Whether a slot is complete, byte for byte."""
    slot = pair.installed(boot, letter)
    return slot is not None and all(
        hashlib.sha256((boot / letter / name).read_bytes()).hexdigest() == file.sha256
        for name, file in slot.files.items()
    )


def offer(box, content, name="update.box"):
    (box.boot / name).write_bytes(content)
    jobs.update(box)


def refused(box, name="update"):
    """Return the sentence that rejected an update, after checking that nothing else happened."""
    assert pair.in_force(box.boot) == "a"
    assert not (box.boot / f"{name}.box").exists()
    assert (box.boot / f"{name}.bad").exists()
    assert "systemctl reboot" not in box.run.calls
    sentence = (box.data / "update").read_text().removesuffix("\n")
    assert f"Last update: {sentence}.\r\n" in (box.boot / "status.txt").read_bytes().decode()
    return sentence


class PowerCut(BaseException):
    """The power was cut: nothing that the program still does has an effect."""


class CutCard:
    """Stops a program at one of its effects on a card, and builds the card as a power cut may leave it.

    A file's content is safe once the file has been synced; until then each of its sectors may have arrived or
    not. None is torn: a card with a torn config.txt or folder would not start. A name is safe once its folder
    has been synced; until then each change of a name on the boot partition (FAT) may have arrived or not, and
    on the data partition (ext4) any number of the first changes.
    """

    def __init__(self, root, monkeypatch, limit):
        self.root, self.limit, self.effects = root, limit, 0
        self.now = {path: None if path.is_dir() else _inode(path) for path in root.rglob("*")}
        self.safe, self.pending = dict(self.now), []
        real_open, real_fsync = Path.open, os.fsync

        def opened(path, mode="r", *arguments, **keywords):
            if mode not in {"wb", "r+b"}:
                return real_open(path, mode, *arguments, **keywords)
            return _Recorded(self, path, mode)

        def fsync(file):
            self.effect()
            self._synced(Path(f"/proc/self/fd/{file}").readlink())
            real_fsync(file)

        monkeypatch.setattr(Path, "open", opened)
        monkeypatch.setattr(os, "fsync", fsync)
        self._patch(monkeypatch, "unlink", lambda path: [(path, "gone")])
        self._patch(monkeypatch, "rmdir", lambda path: [(path, "gone")])
        self._patch(monkeypatch, "mkdir", lambda path, _mode: [(path, None)])
        self._patch(monkeypatch, "replace", lambda old, new: [(new, self.now[Path(old)]), (old, "gone")])

    def _patch(self, monkeypatch, name, changes):
        real = getattr(os, name)

        def call(*arguments):
            if name != "mkdir" or not Path(arguments[0]).exists():
                self.effect()
            real(*arguments)
            for path, inode in changes(*arguments):
                self.name(Path(path), inode)

        monkeypatch.setattr(os, name, call)

    def effect(self):
        self.effects += 1
        if self.effects > self.limit:
            raise PowerCut

    def name(self, path, inode):
        self.pending.append((path, inode))
        _change(self.now, path, inode)

    def _synced(self, path):
        if self.now[path] is not None:
            self.now[path].sync()
            return
        for changed, inode in self.pending:
            if changed.parent == path:
                _change(self.safe, changed, inode)
        self.pending = [change for change in self.pending if change[0].parent != path]

    def after_a_cut(self, rng, root):
        """Build in `root` what may be found."""
        found, luck = dict(self.safe), rng.choice((0.0, 0.5, 0.9, 1.0))
        data = [change for change in self.pending if change[0].parent.name == "data"]
        boot = [change for change in self.pending if change not in data and rng.random() < luck]
        for path, inode in boot + data[: rng.randint(0, len(data))]:
            _change(found, path, inode)
        shutil.rmtree(root, ignore_errors=True)
        for path, inode in sorted(found.items()):
            place = root / path.relative_to(self.root)
            if not all(above in found for above in path.parents if self.root in above.parents):
                continue
            if inode is None:
                place.mkdir(parents=True)
            else:
                place.write_bytes(inode.survived(rng))


def stopped(box, limit, step):
    """Run this step, with a power cut after `limit` effects; return the card, and whether it was finished."""
    with pytest.MonkeyPatch.context() as patch:
        card = CutCard(box.boot.parent, patch, limit)
        try:
            step(box)
        except PowerCut:
            return card, False
    return card, True


class _Recorded(io.FileIO):
    """A file that is being written."""

    def __init__(self, card, path, mode):
        self._card = card
        if mode == "wb":
            card.effect()
        super().__init__(path, mode)
        if mode == "wb" and path not in card.now:
            card.name(path, Inode())
        self._inode = card.now[path]
        if mode == "wb":
            self._inode.pending.append((0, None))

    def write(self, data):
        self._card.effect()
        self._inode.write(self.tell(), bytes(data))
        return super().write(data)


def _inode(path):
    inode = Inode()
    inode.safe = path.read_bytes()
    return inode


def _change(names, path, inode):
    if inode == "gone":
        names.pop(path, None)
    else:
        names[path] = inode
