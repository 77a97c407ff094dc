"""What makes a commit a release: its tag, its version, and its section of CHANGELOG.md."""

import re
from collections.abc import Sequence

HEADING = re.compile(r"^## +(\S+).*\n", flags=re.MULTILINE)


def refusals(version: str, tags: Sequence[str], changes: Sequence[str], changelog: str) -> list[str]:
    """Return why a checkout is no release, a sentence for each reason, with its remedy.

    `tags` are those of its commit, `changes` the lines of `git status --porcelain`.
    """
    found = []
    released = re.fullmatch(r"\d+\.\d+\.\d+", version)
    if not released:
        found.append(f"appliance/__init__.py: {version} is between two releases. Remedy: {version[:-5]}")
    elif f"v{version}" not in tags:
        found.append(f"the commit has no tag v{version}. Remedy: git tag v{version}")
    heading = HEADING.search(changelog)
    if released and (heading is None or heading[1] != version):
        on_top = heading[1] if heading else "nothing"
        found.append(f"CHANGELOG.md: on top is {on_top}, not {version}. Remedy: a heading ## {version}")
    elif released and not section(changelog, version)[0]:
        remedy = f"a paragraph between ## {version} and its first ###"
        found.append(f"CHANGELOG.md: does not say what {version} brings to players. Remedy: {remedy}")
    if changes:
        names = ", ".join(line[3:] for line in changes[:3]) + (", ..." if changes[3:] else "")
        found.append(f"the checkout is not as it was committed: {names}. Remedy: git stash -u")
    return found


def section(changelog: str, version: str) -> tuple[str, str]:
    """Return a version's introduction for players, which may be empty, and its entries, from `###` on."""
    sections = HEADING.split(changelog)  # what is above, then by turns a version and its section
    text = dict(zip(sections[1::2], sections[2::2], strict=True))[version]
    introduction, heading, entries = text.partition("### ")
    return introduction.strip(), (heading + entries).strip()
