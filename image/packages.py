#!/usr/bin/env python3
"""List the packages of an image as SPDX 2.3, and their sources; collect the licence texts in a zip.

usage: packages.py VERSION EPOCH CONTACT WORK SPDX SOURCES ZIP

WORK/packages has a line "name version architecture sha256 source (= version), ..." for each unpacked package,
and WORK/files/NAME its files. A package is in the image if any of its files is left in WORK/root, or is in
WORK/shipped, a list of files that are in the image outside the root.
"""

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

OURS = "tictactoe-appliance"
# Debian's short names of licences that SPDX has too; `_name` handles the GNU licences.
SAME = {
    "0bsd": "0BSD", "apache-2.0": "Apache-2.0", "bsd-2-clause": "BSD-2-Clause",
    "bsd-3-clause": "BSD-3-Clause", "cc0-1.0": "CC0-1.0", "expat": "MIT", "isc": "ISC",
    "mpl-2.0": "MPL-2.0", "psf-2": "PSF-2.0", "zlib": "Zlib",
}  # fmt: skip

DAY = "All are as of {snapshot}: `make image SNAPSHOT={snapshot}` takes the same ones.\n"
ORIGINS = """\
Where the source of the tic-tac-toe box {version} is

The program, and the kernel modules tryboot and undervoltage in image/, are in the box's own source of version
{version}. Each of Debian's packages has the address at which Debian keeps the source it was built from.
{day}
{packages}
If an address does not answer, ask where you got this image, or write to
{contact}.
For three years from the day you got it, anybody may have the complete source of each part under a GNU licence
for the cost of the copy: Linux, busybox, e2fsprogs, glibc, our two modules, and the others above.
"""


class Package(NamedTuple):
    """A package of Debian's, or ours."""

    name: str
    version: str
    architecture: str
    sha256: str
    sources: tuple[tuple[str, str], ...]  # name and version of its own, and of others that it contains

    @property
    def id(self) -> str:
        """Its identifier in the document."""
        return f"SPDXRef-{_plain(self.name)}-{self.architecture}"


class Licence(NamedTuple):
    """What a copyright file declares: an SPDX expression, and the texts of licences that are not in SPDX."""

    expression: str = "NOASSERTION"
    texts: Mapping[str, str] = {}


def left(work: Path) -> list[Package]:
    """Return the packages that have a file in the image."""
    found = {package(line) for line in (work / "packages").read_text().splitlines()}
    shipped = set((work / "shipped").read_text().splitlines())

    def has(path: str) -> bool:
        place = work / "root" / path
        return path in shipped or place.is_symlink() or place.is_file()

    return sorted(one for one in found if any(map(has, (work / "files" / one.name).read_text().splitlines())))


def package(line: str) -> Package:
    """Return the package of a line in WORK/packages."""
    *fields, sources = line.split(maxsplit=4)
    return Package(*fields, tuple(re.findall(r"(\S+) \(= (\S+)\)", sources)))


def copyright_file(work: Path, name: str) -> str:
    """Return the text of a package's copyright file. Raise `FileNotFoundError` if it has none."""
    for docs in (work / "doc", *sorted(work.glob("kernels/*/debian/usr/share/doc"))):
        path = docs / name / "copyright"
        if path.is_file():
            return path.read_text("utf-8", "replace")
    raise FileNotFoundError(f"{name}: has no copyright file")


def licence(package: str, text: str) -> Licence:
    """Return the licences that a machine-readable copyright file declares for its files, joined by AND."""
    paragraphs = [dict(_fields(block)) for block in re.split(r"\n[ \t]*\n", text)]
    if "Format" not in paragraphs[0]:
        return Licence()
    texts: dict[str, str] = {}
    for found in paragraphs:
        name, _, body = found.get("License", "").partition("\n")
        texts[name] = texts.get(name) or body
    declared = sorted({one.get("License", "").partition("\n")[0] for one in paragraphs if "Files" in one})
    if not declared or not all(declared):
        return Licence()
    extra: dict[str, str] = {}

    def refer(name: str) -> str:
        known = _name(name)
        if known:
            return known
        reference = f"LicenseRef-{_plain(package)}-{_plain(name)}"
        extra[reference] = texts.get(name) or f"{name}: see {package}'s copyright file in licences.zip."
        return reference

    joined = []
    for one in declared:
        # A comma changes the precedence of "and" and "or", and SPDX does not name every exception.
        parts = [one] if "," in one or " with " in one else re.split(r" +(and|or) +", one)
        terms = [part.upper() if part in {"and", "or"} else refer(part) for part in parts]
        joined.append(f"({' '.join(terms)})" if "OR" in terms else " ".join(terms))
    return Licence(" AND ".join(dict.fromkeys(joined)), extra)


def _fields(block: str) -> Iterator[tuple[str, str]]:
    """Yield a paragraph's fields."""
    for field in re.split(r"\n(?![ \t])", block.strip("\n")):
        key, _, value = field.partition(":")
        yield key, "\n".join(line.strip() for line in value.splitlines())


def _name(name: str) -> str:
    """Return SPDX's name of a licence, "" if SPDX has none or uses the name for another."""
    gnu = re.fullmatch(r"(L?GPL)-([123])(?:\.0)?(\.1)?(\+?)", name)
    if gnu:
        kind, major, minor, later = gnu.groups()
        return f"{kind}-{major}{minor or '.0'}-{'or-later' if later else 'only'}"
    return SAME.get(name.lower(), "")


def _plain(name: str) -> str:
    """Return a name in the characters that an SPDX identifier allows."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name.replace("+", "-plus")).strip("-")


def document(name: str, version: str, epoch: int, found: dict[Package, Licence]) -> dict[str, object]:
    """Return the SPDX document of the image with this name, which tells one architecture from the others."""
    image = "SPDXRef-image"
    what = {"downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "copyrightText": "NOASSERTION"}  # fmt: skip
    packages: list[dict[str, object]] = [
        {"SPDXID": image, "name": "tictactoe-box", "versionInfo": version, **what,
         "licenseDeclared": "NOASSERTION", "primaryPackagePurpose": "OPERATING-SYSTEM"}
    ]  # fmt: skip
    for one, declared in found.items():
        entry = {"SPDXID": one.id, "name": one.name, "versionInfo": one.version, **what,
                 "licenseDeclared": declared.expression,
                 "checksums": [{"algorithm": "SHA256", "checksumValue": one.sha256}]}  # fmt: skip
        if one.name != OURS:
            place = f"pkg:deb/debian/{quote(one.name)}@{quote(one.version)}?arch={one.architecture}"
            reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl"}
            entry["externalRefs"] = [{**reference, "referenceLocator": place}]
        packages.append(entry)
    texts = sorted({name: text for one in found.values() for name, text in one.texts.items()}.items())
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", image), *((image, "CONTAINS", one.id) for one in found)]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.invalid/{name}/{epoch}",
        "creationInfo": {
            "created": datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: tictactoe-box-image-build"],
        },
        "packages": packages,
        "hasExtractedLicensingInfos": [
            {"licenseId": name, "name": name, "extractedText": text} for name, text in texts
        ],
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations
        ],
    }


def origins(version: str, snapshot: str, contact: str, found: Iterable[Package]) -> str:
    """Return where the source of each package is, and who offers it.

    `snapshot` is the day of all packages, "" if unknown.
    """

    def address(source: str, version: str) -> str:
        return f"https://snapshot.debian.org/package/{quote(source)}/{quote(version)}/"

    day = DAY.format(snapshot=snapshot) if snapshot else ""
    lines = (
        f"{one.name} {one.version}: {' '.join(address(*each) for each in one.sources)}\n"
        for one in found if one.name != OURS
    )  # fmt: skip
    return ORIGINS.format(version=version, day=day, contact=contact, packages="".join(lines))


def bundle(path: Path, epoch: int, texts: dict[str, str]) -> None:
    """Write a zip of texts, which any computer can open."""
    date = datetime.fromtimestamp(epoch, UTC).timetuple()[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, text in sorted(texts.items()):
            archive.writestr(zipfile.ZipInfo(name, date), text, zipfile.ZIP_DEFLATED)


def main(version: str, epoch: str, contact: str, work: str, spdx: str, sources: str, zipped: str) -> None:
    """Write the three files."""
    place = Path(work)
    found = left(place)
    texts = {one.name: copyright_file(place, one.name) for one in found}
    licences = {one: licence(one.name, texts[one.name]) for one in found}
    name = Path(spdx).name.removesuffix(".spdx.json")
    Path(spdx).write_text(json.dumps(document(name, version, int(epoch), licences), indent=1), "utf-8")
    snapshot = os.environ.get("SNAPSHOT", "") if not os.environ.get("MIRROR") else ""
    text = origins(version, snapshot, contact, found)
    Path(sources).write_text(text, "utf-8")
    named = {"SOURCES.txt": text} | {f"packages/{name}.txt": text for name, text in texts.items()}
    for path in (place / "common-licenses").iterdir():
        if not path.is_symlink():  # "GPL" and the like link to the newest version
            named[f"licences/{path.name}.txt"] = path.read_text("utf-8", "replace")
    bundle(Path(zipped), int(epoch), named)


if __name__ == "__main__":
    main(*sys.argv[1:])
