"""What preparing a card changes on it: a plan, made before anything is written."""

from appliance.bootfiles import cmdline, edits
from appliance.bootfiles.changes import Change
from appliance.bootfiles.fit import architecture_of, check_fit
from appliance.bootfiles.job import BY_HAND, CMDLINE, CONFIG, COPY, USER_DATA, Job, Options, Plan, job_for
from appliance.bootfiles.manifest import FILE as MANIFEST
from appliance.bootfiles.manifest import Manifest
from appliance.bootfiles.partition import Card
from appliance.bootfiles.whole import whole_files, write


def plan_prepare(card: Card, options: Options) -> Plan:
    """Return what prepares a card; no changes when it is prepared already.

    Copies come first and config.txt last. Raise `UserError` for a card that cannot be prepared so.
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

    manifest = Manifest(written.owned, words).encoded()
    changes = [Change(card.names[name.lower()] + COPY, None, card.read(name)) for name in copied]
    if card.read(MANIFEST) != manifest:
        changes.append(Change(MANIFEST, card.read(MANIFEST), manifest))
    changes += written.changes
    lines = list(written.lines)
    for name, text in edited.items():
        after = text.encode("utf-8", "surrogateescape")
        changes.append(Change(card.names[name.lower()], card.read(name), after))
        lines.append(
            f"{name}: what this box needs put in" + (f"; {name}{COPY} is as it was" * (name in copied))
        )
    return Plan(tuple(changes), (*lines, *_notes(job, unknown)))


def _notes(job: Job, unknown: list[str]) -> list[str]:
    notes = []
    if unknown:
        told = f"the packages also need {', '.join(unknown)}, which most images have"
        notes.append(f"note: {told}")
    words = cmdline.words(job.card.text(CMDLINE) or "")
    fresh = any(word == "resize" or word.startswith("init=") for word in words)
    if not job.options.debs and not job.card.matching("tictactoe/*.deb"):
        notes.append(
            "note: no package is there to be installed: give it with --package, or copy it into tictactoe"
        )
    elif job.cloud_init and not fresh:
        notes.append(f"note: this card was started before, and cloud-init acts once: run `{BY_HAND}` there")
    return notes
