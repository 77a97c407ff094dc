"""Damage to the file without which nobody can play ultimate."""

import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import engine

WHOLE = pkgutil.get_data("engine.ultimate", "values.bin")
FLIPPED = WHOLE[:40_000] + bytes([WHOLE[40_000] ^ 1]) + WHOLE[40_001:]
DAMAGE = {"absent": None, "empty": b"", "cut short": WHOLE[:-1], "zeros": bytes(len(WHOLE)), "a bit": FLIPPED}


@contextmanager
def damaged_values(content: bytes | None = FLIPPED) -> Iterator[None]:
    """Let the file have another content, or for None be absent, as if the process had just started."""

    def read(package: str, name: str) -> bytes:
        assert (package, name) == ("engine.ultimate", "values.bin")
        if content is None:
            raise FileNotFoundError(2, "No such file or directory")
        return content

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pkgutil, "get_data", read)
        patch.setattr(engine, "ultimate", None, raising=False)
        for module in [name for name in sys.modules if name.startswith("engine.ultimate")]:
            patch.delitem(sys.modules, module)
        yield
        for module in [name for name in sys.modules if name.startswith("engine.ultimate")]:
            del sys.modules[module]
