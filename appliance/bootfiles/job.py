"""What is asked for, and of which card: all that planning works from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.bootfiles.changes import Change
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
BY_HAND = "sudo sh /boot/firmware/tictactoe/first-boot.sh"


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
    that runs our first boot; otherwise systemd does, by cmdline.txt.
    """

    card: Card
    options: Options
    before: Manifest
    release: Release | None
    cloud_init: bool

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
            raise job.error("", f"has no {name}; write the card anew")
    return job
