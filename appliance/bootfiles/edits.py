"""Our lines in files that are not ours: config.txt, cmdline.txt, and user-data where the card brought it."""

from appliance.bootfiles import blocks, cmdline, userdata
from appliance.bootfiles.job import CMDLINE, CONFIG, COPY, USER_DATA, Job
from appliance.bootfiles.templates import render
from appliance.errors import UserError
from appliance.yamlfile import printable


def config(job: Job) -> str:
    """Return config.txt with our block, at the end or where it was. Raise `UserError` if that was edited."""
    text = job.card.text(CONFIG) or ""
    foreign = stripped(job, CONFIG)
    there = blocks.find(text)
    at = there[0].start if len(there) == 1 and there[0].end < len(text) else len(foreign)
    ours = blocks.insert(foreign, at, render(CONFIG, job.options.values))
    return text if blocks.same(text, ours) else ours


def command_line(job: Job) -> tuple[str, tuple[str, ...]]:
    """Return cmdline.txt with our words, and which words are ours. Raise `UserError` if it is empty."""
    text = job.card.text(CMDLINE) or ""
    words = render(CMDLINE, {})[0].split()
    wanted = [word for word in words if job.by_systemd or not word.startswith("systemd.")]
    there = cmdline.words(text)
    ours = [word for word in job.before.words if word in there]
    if set(ours) <= set(wanted) <= set(there):
        return text, tuple(ours)
    try:
        text, added = cmdline.add(cmdline.remove(text, ours), wanted)
    except ValueError as error:
        raise job.error(CMDLINE, str(error)) from error
    return text, tuple(added)


def seed(job: Job) -> str:
    """Return user-data with our part. Raise `UserError` if that was edited, or if there is no room for it."""
    text = job.card.text(USER_DATA) or ""
    lines = render(USER_DATA, job.options.values)
    part = lines[lines.index("") :]  # what is above the first empty line is about the file as a whole
    ours = userdata.combine(stripped(job, USER_DATA), part, printable(str(job.card.path(USER_DATA))))
    return text if blocks.same(text, ours) else ours


def stripped(job: Job, name: str) -> str:
    """Return a file's text without our blocks. Raise `UserError` when one of them was edited by hand."""
    try:
        return blocks.strip(job.card.text(name) or "")
    except blocks.BlockEditedError as error:
        where = f"{printable(str(job.card.path(name)))}:{error.line}"
        remedy = f"take out what stands from >>> to <<<, or put {name}{COPY} back, and run this again"
        raise UserError(f"{where}: {error.what}; {remedy}") from error


def pristine(job: Job, name: str) -> bool:
    """Return whether nothing of ours is in a file: it is as the card brought it, and worth a copy."""
    text = job.card.text(name) or ""
    if name == CMDLINE:
        return not set(job.before.words) & set(cmdline.words(text))
    return not blocks.find(text)
