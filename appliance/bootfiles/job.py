"""What is asked for, and of which card: all that planning works from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.bootfiles import cmdline
from appliance.bootfiles.changes import BESIDE, Change
from appliance.bootfiles.debs import Deb
from appliance.bootfiles.manifest import Manifest, read_manifest
from appliance.bootfiles.partition import Card
from appliance.bootfiles.table import Release, table
from appliance.errors import UserError
from appliance.yamlfile import printable

CONFIG, CMDLINE, USER_DATA = "config.txt", "cmdline.txt", "user-data"
SETTINGS, SCRIPT = "tictactoe.yaml", "tictactoe/first-boot.sh"
SEED = (USER_DATA, "meta-data", "network-config")  # what cloud-init reads
COPY = ".before-tictactoe"


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asked for. `settings` is the text of tictactoe.yaml, `values` fill the templates."""

    settings: str
    release: str = "auto"
    debs: tuple[Deb, ...] = ()
    values: Mapping[str, str | int | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Job:
    """A card, what is asked for, and what was put there before.

    `release` is None for a system that is not Raspberry Pi OS and has cloud-init. `cloud_init` tells whether
    the card has that.
    """

    card: Card
    options: Options
    before: Manifest
    release: Release | None
    cloud_init: bool

    @property
    def fresh(self) -> bool:
        """Whether the card was never started: its command line still asks for the card to be enlarged."""
        words = cmdline.words(self.card.text(CMDLINE) or "")
        return any(word == "resize" or word.startswith("init=") for word in words)

    @property
    def packages(self) -> bool:
        """Whether there is something to install: given now, or lying on the card."""
        return bool(self.options.debs or self.card.matching("tictactoe/*.deb"))

    @property
    def by_systemd(self) -> bool:
        """Whether systemd runs our first boot, told by cmdline.txt: cloud-init acts once in a card's life."""
        return not self.cloud_init if self.fresh else self.release is not None and self.packages

    def error(self, name: str, sentence: str) -> UserError:
        """Return an error about one of the card's files, or about the card for the name ""."""
        return UserError(f"{printable(str(self.card.path(name) if name else self.card.root))}: {sentence}")


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes in the order in which they are to be made, and a line about each thing for a person."""

    changes: tuple[Change, ...]
    lines: tuple[str, ...]


def job_for(card: Card, options: Options) -> Job:
    """Return the job. Raise `UserError` for a card whose first boot we cannot tell what to do.

    An image that has cloud-init brings user-data and meta-data along; bookworm's has none. Which release it
    is can be seen from the date in issue.txt.
    """
    wanted = options.release
    cloud_init = wanted == "trixie" or (wanted == "auto" and all(name in card for name in SEED[:2]))
    release = table().releases.get(wanted) or card.release()
    job = Job(card, options, read_manifest(card), release, cloud_init)
    if not release and card.date():
        oldest = min(table().releases.values(), key=lambda each: each.since)
        told = f"older than {oldest.id} ({oldest.since}); write a newer one"
        raise job.error("", f"the image on this card is of {card.date()}, {told}")
    if not release and not cloud_init:
        raise job.error("", "which release is on this card cannot be seen; give it with --release")
    for name in (CONFIG, CMDLINE):
        if name not in card:
            saved = f"rename {name}{COPY} there to {name}, or " if name + COPY in card else ""
            # The first start gives the card a new identity, and with it another root= than the copy has.
            once = "if the card was started before, " if saved and name == CMDLINE else ""
            raise job.error("", f"has no {name}; {saved}{once}write the card anew")
    return job


def leftovers(card: Card) -> list[Change]:
    """Return what takes off the halves of files that a power cut has left."""
    return [Change(card.names[name], card.read(name), None) for name in card.names if name.endswith(BESIDE)]
