"""The page's files, in dist/page: static, for any web server.

The folder whose files never change has a name that says what is in it, so that browsers may keep them for
good: see appliance/desk/offline.js. In the texts a name such as @BOX@ stands for one of `_words`.
"""

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from appliance.config.schema import Config
from appliance.desk.news import hello
from appliance.simulator.virtual import VirtualBox
from appliance.teaching.lesson.assemble import lesson_page
from tools.page import program, runtime

ROOT = program.ROOT
SITE = ROOT / "dist/page"
DESK = program.DESK
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)
AT_ROOT = {"page.html": "index.html"} | {name: name for name in ("offline.js", "lesson.html", "licences.txt")}
PACKED = {".css", ".html", ".js", ".mjs", ".txt", ".wasm"}  # kinds of files that a server sends compressed


def build() -> Path:
    """Write the page, unless it is there; return its folder. Raise `UserError` if Python cannot be had."""
    python = runtime.fetched(ROOT / "build")
    packed = program.archive(program.files())
    texts = {
        path.name: path.read_text() for path in DESK.iterdir() if path.suffix in {".js", ".css", ".html"}
    }
    texts |= {
        "words.json": (DESK / "words.json").read_text(),
        "lesson.html": lesson_page(beside_box=True),
        "licences.txt": licences(),
    }
    compiler = program.compiler()
    made_of = [python.name, texts, program.COMPILE.read_text() if compiler else ""]
    stamp = sha256(packed + json.dumps(made_of, sort_keys=True).encode()).hexdigest()
    box = f"box-{stamp[:16]}"
    if not (SITE / box).is_dir():
        part = SITE.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(python, part / box)
        (part / box / "box.zip").write_bytes(packed)
        if compiler:
            subprocess.run([*compiler, part / box], check=True)  # noqa: S603 - our own script
        words = _words(box, _files(part))
        words["WORDS"] = texts.pop("words.json").replace("<", "\\u003c")
        for name, text in texts.items():
            (part / AT_ROOT.get(name, f"{box}/{name}")).write_text(_filled(text, words))
        for file in _files(part):
            if file.suffix in PACKED:
                file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        shutil.rmtree(SITE, ignore_errors=True)
        part.rename(SITE)
    return SITE


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


def _words(box: str, loaded: Sequence[Path]) -> dict[str, str]:
    """Return what stands in the texts for what is known only now; `loaded` is what a start waits for."""
    scripts = [path.name for path in DESK.iterdir() if path.suffix in {".js", ".css"}]
    settled = [f"{box}/{name}" for name in sorted({*scripts, *(path.name for path in loaded)} - {*AT_ROOT})]
    return {
        "BOX": box,
        "POLICY": POLICY,
        "FILES": '", "'.join(["./", "lesson.html", *settled]),
        "BYTES": f"{sum(path.stat().st_size for path in loaded if path.suffix != '.mjs')}",
        "NEW": json.dumps(hello(VirtualBox(Config()), 1)).replace("<", "\\u003c"),
    }


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub(f"@({'|'.join(words)})@", lambda found: words[found[1]], text)


def licences() -> str:
    """Return what the page consists of, who made it, and on which terms."""
    version = runtime.pinned().version
    parts = [
        "The box: (c) 2026 the tictactoe-appliance authors\n\n" + (ROOT / "LICENSE").read_text(),
        f"""Pyodide {version}: Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/
Its source: https://github.com/pyodide/pyodide/tree/{version}
In it, Python: PSF License 2, https://docs.python.org/3/license.html
""",
    ]
    for name in program.LIBRARIES:
        texts = [path.read_text() for path in metadata.files(name) or () if path.name.startswith("LICENSE")]
        parts.append(f"{name} {metadata.version(name)}\n\n" + "\n".join(texts))
    return f"\n{'-' * 72}\n\n".join(parts)
