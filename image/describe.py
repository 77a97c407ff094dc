#!/usr/bin/env python3
"""Describe an image in JSON: a slot's files (`slot`), or the packages in it as SPDX 2.3 (`packages`)."""

import hashlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path


def slot(product: str, architecture: str, version: str, directory: str, *machines: str) -> dict[str, object]:
    """Return slot.json: what an update has to contain, for which product, and which machines it starts on."""
    files = {}
    for path in sorted(Path(directory).iterdir()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        files[path.name] = {"size": path.stat().st_size, "sha256": digest}
    kind = {"format": 1, "product": product, "architecture": architecture, "version": version}
    return {**kind, "machines": sorted(machines), "files": files}


def packages(version: str, epoch: str) -> dict[str, object]:
    """Return an SPDX document for lines of "name version architecture sha256" on standard input."""
    found = sorted({tuple(line.split()) for line in sys.stdin})
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"tictactoe-box {version}",
        "documentNamespace": f"https://spdx.invalid/tictactoe-box/{version}/{epoch}",
        "creationInfo": {
            "created": datetime.fromtimestamp(int(epoch), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: tictactoe-box image/build"],
        },
        "packages": [
            {
                "SPDXID": f"SPDXRef-{name.replace('+', '-')}-{architecture}",
                "name": name,
                "versionInfo": number,
                "downloadLocation": "NOASSERTION",
                "filesAnalyzed": False,
                "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
                "externalRefs": [
                    {
                        "referenceCategory": "PACKAGE-MANAGER",
                        "referenceType": "purl",
                        "referenceLocator": f"pkg:deb/debian/{name}@{number}?arch={architecture}",
                    }
                ],
            }
            for name, number, architecture, digest in found
        ],
    }


document = {"slot": slot, "packages": packages}[sys.argv[1]](*sys.argv[2:])
json.dump(document, sys.stdout, indent=1)
