"""A disk as it lies there after a power cut, made from a trace of what a program has asked of it.

The model promises what POSIX promises and nothing more. What was written to a file is safe when that file has
been synced; until then each of its sectors may or may not have arrived. Names are safe when their directory
has been synced; until then a beginning of the changes may have arrived, in their order, as on a journalling
file system.
"""

import re
from dataclasses import dataclass, field

SECTOR = 512
CALLS = "openat,pwrite64,write,ftruncate,fsync,fdatasync,rename,unlink"
TRACE = ["strace", "-f", "-qq", "-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}"]

_LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
_HEX = re.compile(r"(?:\\x[0-9a-f]{2})*")


def _text(escaped):
    return bytes.fromhex(escaped.replace("\\x", ""))


@dataclass
class Inode:
    """A file: its content when it was last synced, and what has been asked of it since."""

    safe: bytearray = field(default_factory=bytearray)
    pending: list = field(default_factory=list)  # (offset, data), or (length, None) for a truncation

    def sync(self):
        for change in self.pending:
            _apply(self.safe, *change)
        self.pending.clear()

    def survived(self, rng):
        """Return what may be found of it: each sector that was not synced has arrived or has not."""
        luck = rng.choice((0.0, 0.5, 0.9, 1.0))
        data = bytearray(self.safe)
        for offset, new in self.pending:
            if new is None:
                if rng.random() < luck:
                    _apply(data, offset, None)
                continue
            start = offset
            while start < offset + len(new):
                end = min((start // SECTOR + 1) * SECTOR, offset + len(new))
                if rng.random() < luck:
                    _apply(data, start, new[start - offset : end - offset])
                start = end
        return bytes(data)


def _apply(data, offset, new):
    if new is None:
        del data[offset:]
        data.extend(bytes(offset - len(data)))
    else:
        data.extend(bytes(max(0, offset - len(data))))
        data[offset : offset + len(new)] = new


class Disk:
    """One directory on that disk. `feed` it the lines of a trace; `after_a_cut` is what is found."""

    def __init__(self, directory):
        self.directory = str(directory)
        self.safe, self.now = {}, {}  # name -> Inode
        self.pending = []  # changes of names: (name, Inode or None)
        self.output = b""  # what the program has printed

    def feed(self, line):
        """Take in one line of the trace; return whether a cut may find something else now."""
        match = _LINE.match(line)
        if match is None or match[3].startswith("-"):
            return False
        call, arguments = match[1], match[2]
        paths = [self._name(_text(found).decode()) for found in re.findall(r"<((?:\\x..)+)>", arguments)]
        strings = [_text(found) for found in re.findall(r'"((?:\\x..)*)"', arguments)]
        if call == "write" and arguments.startswith("1<"):
            self.output += strings[0]
            return True
        names = [self._name(found.decode(errors="replace")) for found in strings]
        if call == "openat":
            if names[0] and "O_CREAT" in arguments and names[0] not in self.now:
                self._set(names[0], Inode())
                return True
        elif call in {"rename", "unlink"}:
            if names[0]:
                if call == "rename":
                    self._set(names[1], self.now[names[0]])
                self._set(names[0], None)
                return True
        elif paths and paths[0] is not None:
            return self._on_file(call, paths[0], arguments, strings)
        return False

    def _on_file(self, call, name, arguments, strings):
        if name == "":
            for changed, inode in self.pending:
                self._change(self.safe, changed, inode)
            self.pending.clear()
            return True
        if name.endswith("-shm"):  # made anew by whoever comes first after a cut
            return False
        inode = self.now[name]
        last = arguments.rsplit(", ", 1)[-1]
        if call in {"fsync", "fdatasync"}:
            inode.sync()
        elif call == "ftruncate":
            inode.pending.append((int(last), None))
        elif call == "pwrite64":
            inode.pending.append((int(last), strings[0]))
        else:
            raise ValueError(f"{call} on {name}: the model does not know it")
        return True

    def after_a_cut(self, rng):
        """Return what may be found after a cut here: name -> content."""
        names = dict(self.safe)
        for name, inode in self.pending[: rng.randint(0, len(self.pending))]:
            self._change(names, name, inode)
        return {name: inode.survived(rng) for name, inode in names.items()}

    def _name(self, path):
        """Return a path's name in the directory, "" for the directory itself, None outside of it."""
        path = path.removesuffix(" (deleted)")
        if path == self.directory:
            return ""
        return path.removeprefix(self.directory + "/") if path.startswith(self.directory + "/") else None

    def _set(self, name, inode):
        self.pending.append((name, inode))
        self._change(self.now, name, inode)

    @staticmethod
    def _change(names, name, inode):
        if inode is None:
            names.pop(name, None)
        else:
            names[name] = inode
