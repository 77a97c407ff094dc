"""What makes a commit a release: its tag, its version, what its pages say, and the key that signs it."""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence

KEYS = "release.keys"
CONTROL = "debian/control"
HEADING = re.compile(r"^## +(\S+).*\n", flags=re.MULTILINE)
# "nothing has been released yet"
PREMATURE = re.compile(
    r"\b(?:not|none|nothing|never)\b(?:\s+\w+){0,3}\s+(?:published|released)\b", flags=re.IGNORECASE
)

# An address of a domain that nobody can have (RFC 2606), and what is before it on its line.
PLACEHOLDER = re.compile(
    r"""^(.*?)((?:https?://|[\w.+-]+@)[\w.-]+\.(?:example|invalid)\b[^\s">)]*)""", flags=re.MULTILINE
)
MAINTAINER = re.compile(r"^Maintainer: .*<\S+@\S+>$", flags=re.MULTILINE)
WHERE = "write the real one"
WHOM = "write an address at which somebody answers for three years, since each image offers its sources there"


def refusals(
    version: str, tags: Sequence[str], changes: Sequence[str], pages: Mapping[str, str]
) -> list[str]:
    """Return why a checkout is no release, a sentence for each reason, with its remedy.

    `tags` are those of its commit, `changes` the lines of `git status --porcelain`, `pages` what people read,
    release.keys, and the files whose addresses end up in what is built.
    """
    found = []
    released = re.fullmatch(r"\d+\.\d+\.\d+", version)
    if not released:
        found.append(f"appliance/__init__.py: {version} is no release's version. Remedy: {version[:-5]}")
    elif f"v{version}" not in tags:
        found.append(f"the commit has no tag v{version}. Remedy: git tag v{version}")
    changelog = pages["CHANGELOG.md"]
    heading = HEADING.search(changelog)
    if released and (heading is None or heading[1] != version):
        on_top = heading[1] if heading else "nothing"
        found.append(f"CHANGELOG.md: on top is {on_top}, not {version}. Remedy: a heading ## {version}")
    elif released and not section(changelog, version)[0]:
        remedy = f"a paragraph between ## {version} and its first ###"
        found.append(f"CHANGELOG.md: does not say what {version} brings to players. Remedy: {remedy}")
    found += premature(pages) + placeholders(pages)
    if not fingerprints(pages.get(KEYS, "")):
        remedy = f'echo "release $(cut -d" " -f1,2 KEY.pub)" >{KEYS}'
        found.append(f"{KEYS}: has no key, so nobody can verify a signature. Remedy: {remedy}, and commit it")
    if changes:
        names = ", ".join(line[3:] for line in changes[:3]) + (", ..." if changes[3:] else "")
        found.append(f"some changes are not committed: {names}. Remedy: commit them, or git stash -u")
    return found


def premature(pages: Mapping[str, str]) -> list[str]:
    """Return what pages say that is true only before a release, a sentence for each, with its remedy."""
    return [
        f'{name}: "{" ".join(match[0].split())}" will be false once this is released. Remedy: reword it'
        for name, text in pages.items()
        for match in PREMATURE.finditer(text)
    ]


def placeholders(pages: Mapping[str, str]) -> list[str]:
    """Return the addresses in files that lead nowhere, a sentence for each, with its remedy."""
    found = []
    for name, text in sorted(pages.items()):
        for before, address in PLACEHOLDER.findall(text):
            key = re.split("[:=]", before)[0].strip(" *[](")
            remedy = WHOM if "@" in address else WHERE
            found.append(f"{name}: {key}: {address} is a placeholder. Remedy: {remedy}")
    if CONTROL in pages and not MAINTAINER.search(pages[CONTROL]):
        found.append(f"{CONTROL}: Maintainer: has no address. Remedy: {WHOM}")
    return found


def fingerprints(keys: str) -> set[str]:
    """Return the keys that may sign a release, as `ssh-keygen -l` shows them."""
    blobs = re.findall(r"^release .*?\b(AAAA(?:[A-Za-z0-9+/=]{4})+)", keys, flags=re.MULTILINE)
    digests = (hashlib.sha256(base64.b64decode(blob)).digest() for blob in blobs)
    return {f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}" for digest in digests}


def section(changelog: str, version: str) -> tuple[str, str]:
    """Return a version's introduction for players, which may be empty, and its entries, from `###` on."""
    sections = HEADING.split(changelog)  # what is above, then by turns a version and its section
    text = dict(zip(sections[1::2], sections[2::2], strict=True))[version]
    introduction, heading, entries = text.partition("### ")
    return introduction.strip(), (heading + entries).strip()
