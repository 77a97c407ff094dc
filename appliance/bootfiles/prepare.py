"""What preparing a card changes on it: a plan, made before anything is written."""

from appliance.bootfiles import edits
from appliance.bootfiles.changes import Change
from appliance.bootfiles.fit import architecture_of, check_fit
from appliance.bootfiles.job import CMDLINE, CONFIG, COPY, USER_DATA, Job, Options, Plan, job_for, leftovers
from appliance.bootfiles.manifest import FILE as MANIFEST
from appliance.bootfiles.manifest import Manifest
from appliance.bootfiles.partition import Card
from appliance.bootfiles.whole import whole_files, write

_BY_HAND = "run `sudo sh /boot/firmware/tictactoe/first-boot.sh` there"


def plan_prepare(card: Card, options: Options) -> Plan:
    """Return what prepares a card; no changes when it is prepared already.

    Copies come first and config.txt last. What is ours is written down before it is put there: a card whose
    power is cut on the way can be prepared again, and restored. Raise `UserError` for one that cannot be
    prepared so.
    """
    job = job_for(card, options)
    unknown = check_fit(options.debs, job.release, architecture_of(card)) if options.debs else []
    files = whole_files(job)
    written = write(job, files)

    line, words = edits.command_line(job)
    texts = {CMDLINE: line}
    if job.cloud_init and USER_DATA not in files:
        texts[USER_DATA] = edits.seed(job)
    texts[CONFIG] = edits.config(job)
    edited = {name: text for name, text in texts.items() if text != card.text(name)}
    copied = [name for name in edited if name + COPY not in card and edits.pristine(job, name)]

    final = Manifest(written.owned, words)
    under_way = job.before.until(final)
    changes = leftovers(card)
    changes += [Change(card.names[name.lower()] + COPY, None, card.read(name)) for name in copied]
    if card.read(MANIFEST) != under_way.encoded():
        changes.append(Change(MANIFEST, card.read(MANIFEST), under_way.encoded()))
    changes += written.changes
    lines = list(written.lines)
    for name, text in edited.items():
        after = text.encode("utf-8", "surrogateescape")
        changes.append(Change(card.names[name.lower()], card.read(name), after))
        lines.append(
            f"{name}: what this box needs put in" + (f"; {name}{COPY} is as it was" * (name in copied))
        )
    if under_way != final:
        changes.append(Change(MANIFEST, under_way.encoded(), final.encoded()))
    return Plan(tuple(changes), (*lines, *_notes(job, unknown)))


def _notes(job: Job, unknown: list[str]) -> list[str]:
    notes = []
    if unknown:
        told = f"the packages also need {', '.join(unknown)}, which most images have"
        notes.append(f"note: {told}")
    if not job.packages and not job.card.running:
        copied = ", or copy it into tictactoe" if job.fresh else ""
        notes.append(f"note: no package is there to be installed: give it with --package{copied}")
    elif job.packages and job.cloud_init and not job.fresh:
        told = "its next start installs, and starts once more" if job.by_systemd else _BY_HAND
        notes.append(f"note: this card was started before, and cloud-init acts once: {told}")
    return notes
