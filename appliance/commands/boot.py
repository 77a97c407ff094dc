"""`tictactoe boot`: prepare a card on another computer, check one, show how the box is wired."""

import argparse
import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance import wiring
from appliance.bootfiles.audit import Finding, findings
from appliance.bootfiles.changes import apply, space_needed
from appliance.bootfiles.configtxt import parse
from appliance.bootfiles.debs import Deb, read_deb
from appliance.bootfiles.inventory import FileRow, file_rows
from appliance.bootfiles.job import CMDLINE, CONFIG, SETTINGS, Options, Plan
from appliance.bootfiles.partition import Card, check_writable, read_card
from appliance.bootfiles.pins import check_extra
from appliance.bootfiles.prepare import plan_prepare
from appliance.bootfiles.remove import plan_remove
from appliance.bootfiles.table import table
from appliance.commands.config import example_lines
from appliance.config import Config, default_paths, load
from appliance.errors import UserError
from appliance.yamlfile import printable

HELP = "prepare a fresh card for this box, check its boot files, show the wiring"

_EXTRA = {"shutdown_pin": "--shutdown-pin", "poweroff_pin": "--poweroff-pin", "led_pin": "--led-pin"}
_RESTART = "it counts from the next start"
_BLOCK = 32768  # bytes: the largest of FAT, for a file system that does not tell
_HOSTNAME = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"  # RFC 1123, in lower case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `prepare`, `check` and `wiring`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    told = "write what this box needs onto the boot partition of a card, and say what was done"
    prepare = actions.add_parser("prepare", help=told, description=told)
    prepare.add_argument("dir", type=Path, metavar="DIR", help="where the card's boot partition is mounted")
    prepare.add_argument(
        "--package",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.deb",
        help="to be installed by the first boot, without a network; or a folder of them; may be repeated",
    )
    releases = ("auto", *table().releases)
    prepare.add_argument("--release", choices=releases, default="auto", help="of the card; default: auto")
    prepare.add_argument("--hostname", metavar="NAME", help="the name of the box in a network")
    for option, what in (
        ("--shutdown-pin", "a button to ground that shuts the box down"),
        ("--poweroff-pin", "goes high when a circuit may cut the power"),
        ("--led-pin", "an LED that is lit until the box is off"),
    ):
        prepare.add_argument(option, type=int, metavar="N", help=f"BCM number: {what}")
    prepare.add_argument("--remove", action="store_true", help="take all of it off again")
    prepare.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")

    told = "say which boot files are present, missing and unneeded, and what config.txt means for this box"
    check = actions.add_parser("check", help=told, description=told)
    check.add_argument("dir", type=Path, metavar="DIR", help="where the card's boot partition is mounted")
    check.add_argument("--model", choices=(*table().models, "all"), default="all", help="default: all")
    check.add_argument("--json", action="store_true", help="for a program to read")

    told = "say which header pin goes where, or draw it"
    wires = actions.add_parser("wiring", help=told, description=told)
    wires.add_argument("--config", type=Path, metavar="FILE", help="for the pins in this configuration")
    wires.add_argument("--svg", type=Path, metavar="FILE", help="draw it into this file")


def run(args: argparse.Namespace) -> int:
    """Run one of the three. Raise `UserError` for what a person can put right; the card is as it was then."""
    if args.action == "prepare":
        return _prepare(args)
    if args.action == "check":
        return _check(args)
    return _wiring(args)


def _prepare(args: argparse.Namespace) -> int:
    card = read_card(args.dir)
    if args.remove:
        plan, nothing = plan_remove(card), "nothing of this box is on the card"
    else:
        extra = {name: getattr(args, name) for name in _EXTRA}
        check_extra(_config_of(card), {_EXTRA[name]: pin for name, pin in extra.items()})
        if args.hostname is not None and not re.fullmatch(_HOSTNAME, args.hostname):
            told = "expected letters a to z, digits and - in between, at most 63"
            raise UserError(f"--hostname {printable(args.hostname)}: {told}")
        settings = "".join(f"{line}\n" for line in example_lines())
        options = Options(settings, args.release, _debs(args.package), {**extra, "hostname": args.hostname})
        plan, nothing = plan_prepare(card, options), "the card is prepared already: nothing to do"
        plan = Plan(plan.changes, (*plan.lines, *_warnings(card, plan)))
    _carry_out(card, plan, dry=args.dry_run)
    for line in plan.lines:
        print(printable(line))
    if not plan.changes:
        print(nothing)
    elif args.dry_run:
        print("nothing was changed (--dry-run)")
    else:
        done = "this box is off the card" if args.remove else "the card is prepared"
        print(f"{done}; " + (_RESTART if card.running else "unmount it before you take it out"))
    return 0


def _warnings(card: Card, plan: Plan) -> Iterator[str]:
    """Yield what on the prepared card still contradicts this box: lines that are not ours to change."""
    texts = _texts(card)
    present = set(card.names)
    for change in plan.changes:
        present.add(change.name.lower())
        if change.name.lower() in texts and change.after is not None:
            texts[change.name.lower()] = change.after.decode("utf-8", "surrogateescape")
    for one in findings(texts, list(table().models.values()), _config_of(card), present):
        if one.severity != "note":
            yield f"note: {_place(one)}: {one.text} (for a {', '.join(one.models)})"


def _texts(card: Card) -> dict[str, str]:
    """Return the card's config.txt and its command line, or lines; other files may hold anything."""
    config = card.text(CONFIG) or ""
    named = [setting.value for setting in parse(config) if setting.key == "cmdline"]
    return {CONFIG: config} | {name: card.text(name) or "" for name in (CMDLINE, *named) if name in card}


def _carry_out(card: Card, plan: Plan, *, dry: bool) -> None:
    if plan.changes:
        existing = [change.name for change in plan.changes if change.name in card]
        check_writable(card, existing, space_needed(plan.changes, os.statvfs(card.root).f_frsize or _BLOCK))
        if not dry:
            apply(card.root, plan.changes)


def _debs(paths: Sequence[Path]) -> tuple[Deb, ...]:
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("*.deb")) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"{printable(str(path))}: no .deb lies in this folder")
        found += inside
    return tuple(read_deb(path) for path in found)


def _config_of(card: Card) -> Config:
    """Return the configuration that a box started from this card has, as far as it lies there."""
    here = [card.path(SETTINGS)] if SETTINGS in card else []
    return load(default_paths() if card.running else here)


def _check(args: argparse.Namespace) -> int:
    card = read_card(args.dir)
    models = [model for model in table().models.values() if args.model in (model.id, "all")]
    rows = file_rows(card, models)
    found = findings(_texts(card), models, _config_of(card), card)
    bad = any(row.status == "missing" for row in rows) or any(one.severity != "note" for one in found)
    if args.json:
        sources = table().sources
        data = {
            "ok": not bad,
            "models": {model.id: model.name for model in models},
            "files": [_as_dict(row) | {"source": sources.get(row.source, "")} for row in rows],
            "findings": [_as_dict(one) for one in found],
        }
        print(json.dumps(data, indent=1))
    else:
        print("\n".join(map(printable, _report(rows, found))))
        names = ", ".join(f"{model.id} ({model.name})" for model in models)
        print(f"\nRaspberry Pi {names}: " + ("something is amiss" if bad else "all is well"))
    return 1 if bad else 0


def _as_dict(row: FileRow | Finding) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__slots__}


def _report(rows: Sequence[FileRow], found: Sequence[Finding]) -> Iterator[str]:
    """Yield the files, those that are not needed together by their reason, and then the findings."""
    yield f"{'':9} {'file':34} {'for':14} why"
    for row in rows:
        if row.models:
            yield f"{row.status:9} {row.file:34} {' '.join(row.models):14} {row.why}"
    for why in dict.fromkeys(row.why for row in rows if not row.models):
        names = [row.file for row in rows if not row.models and row.why == why]
        some = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
        yield f"{'unneeded':9} {some:34} {'-':14} {why}"
    if found:
        yield ""
    for one in found:
        yield f"{one.severity:9} {_place(one):34} {' '.join(one.models):14} {one.text}"


def _place(one: Finding) -> str:
    return f"{one.file}:{one.line}" if one.line else one.file


def _wiring(args: argparse.Namespace) -> int:
    config = load([args.config] if args.config else default_paths())
    if args.svg is None:
        print("\n".join(wiring.lines(config)))
        return 0
    try:
        args.svg.write_text(wiring.svg(config), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{printable(str(args.svg))}: cannot be written: {error.strerror}") from error
    print(f"{printable(str(args.svg))}: drawn")
    return 0
