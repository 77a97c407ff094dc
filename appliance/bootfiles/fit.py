"""Whether a set of packages can be installed without a network, as far as that can be told from here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.bootfiles.debs import Deb, Relation
from appliance.bootfiles.partition import Card
from appliance.bootfiles.table import DATA, Release, table
from appliance.errors import UserError
from appliance.yamlfile import printable

PACKAGE = "tictactoe-appliance"

_FETCH = f"the script {DATA / 'fetch-packages.sh'} fetches what is missing"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known of one alternative of a dependency. `fine` is None when nothing is."""

    fine: bool | None
    why: str = ""


def architecture_of(card: Card) -> str:
    """Return which of Debian's architectures the card's image is; "" when its kernels do not tell.

    The 32-bit images carry kernels of both widths, the 64-bit ones only their own.
    """
    if any(name in card for name in ("kernel.img", "kernel7.img", "kernel7l.img")):
        return "armhf"
    return "arm64" if card.matching("kernel*.img") else ""


def check_fit(debs: Sequence[Deb], release: Release | None, architecture: str) -> list[str]:
    """Return what the packages need beyond themselves and what every image is known to have.

    Raise `UserError` when they cannot be installed: ours is not among them, one is for another machine or
    another release, two are versions of the same, or one needs what no image has.
    """
    names = [deb.name for deb in debs]
    if PACKAGE not in names:
        raise UserError(f"none of the packages is {PACKAGE}; give its .deb with --package")
    for deb in debs:
        shown = printable(str(deb.path))
        if names.count(deb.name) > 1:
            raise UserError(f"{shown}: {deb.name} is given more than once; keep one version")
        if architecture and deb.architecture not in ("all", architecture):
            told = f"made for {deb.architecture}, and the system on this card is {architecture}"
            raise UserError(f"{shown}: {told}")
    unknown: set[str] = set()
    for deb in debs:
        for group in deb.depends:
            answers = [_answer(relation, debs, release) for relation in group]
            if all(answer.fine is False for answer in answers):
                raise UserError(f"{printable(str(deb.path))}: {answers[0].why}")
            if not any(answer.fine for answer in answers):
                unknown.add(group[0].name)
    return sorted(unknown)


def _answer(relation: Relation, debs: Sequence[Deb], release: Release | None) -> _Answer:
    for version in _given(relation.name, debs):
        if not version or relation.met_by(version):
            return _Answer(fine=True)
    packages = release.packages if release else {}
    if release and relation.name in packages:
        has = packages[relation.name]
        told = f"made for another release: it needs {relation}, and {release.id} has {has}"
        return _Answer(relation.met_by(has), told)
    if release and re.fullmatch(r"python3\.[0-9]+", relation.name):
        told = f"made for another release: it needs {relation}, which {release.id} does not have"
        return _Answer(packages["python3"].startswith(relation.name.removeprefix("python") + "."), told)
    if relation.name in table().image_lacks:
        told = f"it needs {relation}, which no image has and which is not among the packages; {_FETCH}"
        return _Answer(fine=False, why=told)
    return _Answer(fine=True if relation.name in table().image_has else None)


def _given(name: str, debs: Sequence[Deb]) -> Iterator[str]:
    """Yield the versions in which the packages bring this name; "" for one that only answers to it."""
    for deb in debs:
        if deb.name == name:
            yield deb.version
        elif name in deb.provides:
            yield ""
