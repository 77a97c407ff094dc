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
    if changes:
        names = ", ".join(line[3:] for line in changes[:3]) + (", ..." if changes[3:] else "")
        found.append(f"the checkout is not as it was committed: {names}. Remedy: git stash -u")
    return found


def notes(changelog: str, version: str) -> str:
    """Return a version's section of the changelog as a page, an entry a line: GitHub keeps line breaks."""
    sections = HEADING.split(changelog)  # what is above, then by turns a version and its section
    section = dict(zip(sections[1::2], sections[2::2], strict=True))[version]
    entries = re.sub(r"\n +", " ", section.strip())
    return f"# The tic-tac-toe box {version}\n\n{entries}\n"
