"""`tictactoe boot`: prepare or check the boot partition of Raspberry Pi OS, and show the wiring."""

import argparse
import os
from pathlib import Path

from appliance.bootfiles import wiring
from appliance.bootfiles.check import Finding, bootable, conflicts, needed_files
from appliance.bootfiles.file_table import boot_table
from appliance.bootfiles.partition import Card, Change, read_card, write_changes
from appliance.bootfiles.prepare import SETTINGS, plan_prepare, plan_remove
from appliance.commands.config import example_lines
from appliance.config.reading import default_paths, load_config
from appliance.config.schema import Config
from appliance.core.errors import printable
from appliance.slots import pair


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `prepare`, `check` and `wiring`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    text = "write what this box needs to the boot partition of Raspberry Pi OS, and report the changes"
    prepare = actions.add_parser("prepare", help=text, description=text)
    prepare.add_argument("dir", type=Path, metavar="DIR", help="where the card's boot partition is mounted")
    prepare.add_argument("--remove", action="store_true", help="undo it")
    prepare.add_argument("--dry-run", action="store_true", help="report the changes without making them")

    text = "list the boot files that a model needs, the missing ones, and what conflicts with this box"
    check = actions.add_parser("check", help=text, description=text)
    check.add_argument("dir", type=Path, metavar="DIR", help="where the card's boot partition is mounted")
    text = "default: all models that the card has a kernel for"
    check.add_argument("--model", choices=boot_table().models, help=text)

    text = "show which header pin goes where"
    wires = actions.add_parser("wiring", help=text, description=text)
    wires.add_argument("--config", type=Path, metavar="FILE", help="use the pins of this configuration")


def run(args: argparse.Namespace) -> int:
    """Run the action. Raise `UserError` for mistakes that the user can fix."""
    action = {"prepare": _prepare, "check": _check, "wiring": _wiring}[args.action]
    return action(args)


def _prepare(args: argparse.Namespace) -> int:
    card = read_card(args.dir)
    if _is_image(args.dir):
        raise card.error("", f"made from the card image, so it is already prepared; edit {SETTINGS} there")
    if args.remove:
        plan, nothing = plan_remove(card), "this card has nothing of this box"
    else:
        settings = "".join(f"{line}\n" for line in example_lines())
        plan, nothing = plan_prepare(card, settings), "the card is already prepared: nothing to do"
        config = _config_of(card)  # raises here rather than on the box
    if not args.dry_run:
        write_changes(card, plan.changes)
    for line in (*(_reported(card, change, dry=args.dry_run) for change in plan.changes), *plan.notes):
        print(printable(line))
    if args.dry_run:
        print("nothing was changed (--dry-run)")
        return 0
    if not args.remove:
        for one in conflicts(read_card(args.dir), bootable(card), config):
            print(printable(f"note: {_place(one)}: {one.text} (for a {', '.join(one.models)})"))
    if not plan.changes:
        print(nothing)
    else:
        done = "this box was removed from the card" if args.remove else "the card is prepared"
        then = "reboot to apply this" if card.running else "unmount it before you take it out"
        print(f"{done}; {then}")
    return 0


def _reported(card: Card, change: Change, *, dry: bool) -> str:
    """Return the line that reports a change; `card` is as it was before."""
    verb = "remove" if change.content is None else "update" if card.has(change.name) else "write"
    past = {"remove": "removed", "update": "updated", "write": "written"}[verb]
    return f"{change.name}: {f'would {verb}' if dry else past}"


def _config_of(card: Card) -> Config:
    """Return the configuration of a box that starts from this card; the defaults if it has none."""
    here = [card.path(SETTINGS)] if card.has(SETTINGS) else []
    return load_config(default_paths() if card.running else here)


def _check(args: argparse.Namespace) -> int:
    if _is_image(args.dir):
        return _check_image(args.dir)
    card = read_card(args.dir)
    models = [boot_table().models[args.model]] if args.model else bootable(card)
    found = [*needed_files(card, models), *conflicts(card, models, _config_of(card))]
    print(f"{'':9} {'file':34} {'for':20} why")
    for one in found:
        print(printable(f"{one.status:9} {_place(one):34} {' '.join(one.models):20} {one.text}"))
    bad = any(one.status != "present" for one in found)
    names = ", ".join(f"{model.id} ({model.name})" for model in models)
    print(f"\nRaspberry Pi {names}: " + ("something is wrong" if bad else "all is well"))
    return 1 if bad else 0


def _is_image(boot: Path) -> bool:
    """Return whether a card was made from the card image: its system is in a slot."""
    return any(os.path.isdir(boot / letter) for letter in "ab")  # noqa: PTH112 - Path.is_dir may raise


def _check_image(boot: Path) -> int:
    """Check a card that was made from the card image: the active slot, and the configuration."""
    letter = pair.in_force(boot)
    settings = boot / SETTINGS
    load_config([settings] if settings.exists() else [])
    bad = pair.faults(boot, letter)
    for fault in bad:
        print(printable(fault))
    slot = pair.installed(boot, letter)
    print(f"card image, version {slot.version if slot else 'unknown'}, slot {letter}: ", end="")
    print("write the image again, or copy an update to the card" if bad else "all is well")
    return 1 if bad else 0


def _place(one: Finding) -> str:
    return f"{one.file}:{one.line}" if one.line else one.file


def _wiring(args: argparse.Namespace) -> int:
    print("\n".join(wiring.lines(load_config([args.config] if args.config else default_paths()))))
    return 0
