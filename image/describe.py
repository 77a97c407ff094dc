#!/usr/bin/env python3
"""Describe a slot in JSON. usage: describe.py PRODUCT ARCHITECTURE VERSION DIRECTORY MACHINE..."""

import hashlib
import json
import sys
from pathlib import Path


def slot(product: str, architecture: str, version: str, directory: str, *machines: str) -> dict[str, object]:
    """Return slot.json: the product, version and machines of an update, and the files it must contain."""
    files = {}
    for path in sorted(Path(directory).iterdir()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        files[path.name] = {"size": path.stat().st_size, "sha256": digest}
    kind = {"format": 1, "product": product, "architecture": architecture, "version": version}
    return {**kind, "machines": sorted(machines), "files": files}  # files last: image/init reads them by sed


json.dump(slot(*sys.argv[1:]), sys.stdout, indent=1)
