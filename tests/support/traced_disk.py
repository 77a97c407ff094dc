"""A disk after a power cut, built from a trace of a program's system calls.

The model guarantees what POSIX does, and nothing more. A file's content is safe once that file has been
synced; until then each of its sectors may or may not have arrived, or may be torn: then the whole sector is
garbage, including what was safe in it before. No standard for SD cards guarantees more. Names are safe once
their directory has been synced; until then any number of the first changes may have arrived, in order, as on
a journalling file system.
"""

import re

SECTOR = 512
CALLS = "openat,pwrite64,write,ftruncate,fsync,fdatasync,rename,unlink"
STRACE = ["strace", "-f", "--seccomp-bpf", "-qq"]  # stops the program at the traced calls only
TRACE = [*STRACE, "-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}"]

_LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")


def _text(escaped):
    return bytes.fromhex(escaped.replace("\\x", ""))


class Inode:
    """A file: its content when it was last synced, and the changes since."""

    def __init__(self, safe=b""):
        self.safe = safe
        self.pending = []  # (offset, data) for each sector, or (length, None) for a truncation

    def write(self, offset, data):
        while data:
            room = SECTOR - offset % SECTOR
            self.pending.append((offset, data[:room]))
            offset, data = offset + room, data[room:]

    def sync(self):
        self.safe = self.changed(lambda: True, lambda _size: None)
        self.pending.clear()

    def survived(self, rng, *, torn=False):
        """Return what may be found of it: each unsynced change has arrived, or not, or is torn."""
        luck, tears = rng.choice((0.0, 0.5, 0.9, 1.0)), rng.choice((0.0, 0.0, 0.1, 1.0)) * torn
        return self.changed(
            lambda: rng.random() < luck, lambda size: rng.randbytes(size) if rng.random() < tears else None
        )

    def changed(self, arrived, torn):
        data = bytearray(self.safe)
        for offset, new in self.pending:
            if arrived():
                data.extend(bytes(max(0, offset - len(data))))
                if new is None:
                    del data[offset:]
                else:
                    data[offset : offset + len(new)] = new
                    start = offset // SECTOR * SECTOR
                    if (garbage := torn(min(SECTOR, len(data) - start))) is not None:
                        data[start : start + SECTOR] = garbage
        return bytes(data)


class Disk:
    """One directory on that disk. `feed` it the lines of a trace; `after_a_cut` returns what is found.

    `files`, name -> content, are there from the beginning.
    """

    def __init__(self, directory, files=()):
        self.directory = str(directory)
        self.safe = {name: Inode(content) for name, content in dict(files).items()}
        self.now = dict(self.safe)  # name -> Inode, None once it is gone
        self.pending = []  # changes of names: (name, Inode or None)
        self.output = b""  # what the program has printed

    def feed(self, line):
        """Process one line of the trace."""
        match = _LINE.match(line)
        if match is None or match[3].startswith("-"):
            return
        call, arguments = match[1], match[2]
        strings = [_text(found) for found in re.findall(r'"((?:\\x..)*)"', arguments)]
        opened = [self._name(_text(found)) for found in re.findall(r"<((?:\\x..)+)>", arguments)]
        if call == "write" and arguments.startswith("1<"):
            self.output += strings[0]
        elif call in {"openat", "rename", "unlink"}:
            self._on_names(call, arguments, [self._name(path) for path in strings])
        elif opened and opened[0] == "":
            self.safe.update(self.pending)
            self.pending.clear()
        elif opened and opened[0] and not opened[0].endswith("-shm"):  # recreated when the database is opened
            self._on_file(call, self.now[opened[0]], arguments.rsplit(", ", 1)[-1], strings)

    def _on_names(self, call, arguments, names):
        if call == "openat" and names[0] and "O_CREAT" in arguments and not self.now.get(names[0]):
            self._set(names[0], Inode())
        if call == "rename" and names[0]:
            self._set(names[1], self.now[names[0]])
        if call in {"rename", "unlink"} and names[0]:
            self._set(names[0], None)

    def _on_file(self, call, inode, last, strings):
        if call in {"fsync", "fdatasync"}:
            inode.sync()
        elif call == "ftruncate":
            inode.pending.append((int(last), None))
        elif call == "pwrite64":
            inode.write(int(last), strings[0])
        else:
            raise ValueError(f"{call}: the model does not know it")

    def after_a_cut(self, rng):
        """Return what may be found after a cut here: name -> content."""
        names = self.safe | dict(self.pending[: rng.randint(0, len(self.pending))])
        return {name: inode.survived(rng, torn=True) for name, inode in names.items() if inode}

    def _name(self, path):
        """Return a path's name in the directory, "" for the directory itself, None outside it."""
        path = path.decode(errors="replace").removesuffix(" (deleted)")
        if path == self.directory:
            return ""
        return path.removeprefix(self.directory + "/") if path.startswith(self.directory + "/") else None

    def _set(self, name, inode):
        self.pending.append((name, inode))
        self.now[name] = inode
