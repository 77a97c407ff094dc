"""`tictactoe boot`: prepare the boot partition of Raspberry Pi OS, check one, show how the box is wired."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from appliance.card import slots, wiring
from appliance.card.check import Finding, bootable, conflicts, needed_files
from appliance.card.partition import Card, Change, read_card, write
from appliance.card.prepare import SETTINGS, Plan, plan_prepare, plan_remove
from appliance.card.table import Model, table
from appliance.commands.config import example_lines
from appliance.config.schema import Config, default_paths, load, pins_in_use
from appliance.config.yamlfile import printable
from appliance.core.errors import UserError
from appliance.core.pins import PINS

HELP = "prepare Raspberry Pi OS for this box, check the boot files, show the wiring"

_PINS = {
    "--shutdown-pin": "a button to ground that shuts the box down",
    "--poweroff-pin": "goes high when a circuit may cut the power",
    "--led-pin": "an LED that is lit until the box is off",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `prepare`, `check` and `wiring`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    text = "write what this box needs to the boot partition of Raspberry Pi OS, and report what was done"
    prepare = actions.add_parser("prepare", help=text, description=text)
    prepare.add_argument("dir", type=Path, metavar="DIR", help="where the card's boot partition is mounted")
    for option, what in _PINS.items():
        prepare.add_argument(option, type=int, metavar="N", help=f"BCM number: {what}")
    prepare.add_argument("--remove", action="store_true", help="undo it")
    prepare.add_argument("--dry-run", action="store_true", help="report what would be done, and do nothing")

    text = "list the boot files that a model needs, those that are missing, and what conflicts with this box"
    check = actions.add_parser("check", help=text, description=text)
    check.add_argument("dir", type=Path, metavar="DIR", help="where the card's boot partition is mounted")
    models = (*table().models, "all")
    text = "default: all (without the first Zero if the card's image is 64-bit)"
    check.add_argument("--model", choices=models, default="all", help=text)

    text = "show which header pin goes where"
    wires = actions.add_parser("wiring", help=text, description=text)
    wires.add_argument("--config", type=Path, metavar="FILE", help="for the pins in this configuration")


def run(args: argparse.Namespace) -> int:
    """Run one of the three. Raise `UserError` for what the user can fix."""
    action = {"prepare": _prepare, "check": _check, "wiring": _wiring}[args.action]
    return action(args)


def _prepare(args: argparse.Namespace) -> int:
    card = read_card(args.dir)
    if _is_image(args.dir):
        raise card.error("", f"made from the card image, which needs no preparing; edit {SETTINGS} there")
    if args.remove:
        plan, nothing = plan_remove(card), "nothing of this box is on the card"
    else:
        plan, nothing = _plan(card, args), "the card is prepared already: nothing to do"
    if not args.dry_run:
        write(card, plan.changes)
    for line in (*_reported(card, plan.changes, args), *plan.notes):
        print(printable(line))
    if not plan.changes:
        print(nothing)
    elif args.dry_run:
        print("nothing was changed (--dry-run)")
    else:
        done = "this box is off the card" if args.remove else "the card is prepared"
        then = "it takes effect at the next start" if card.running else "unmount it before you take it out"
        print(f"{done}; {then}")
    return 0


def _plan(card: Card, args: argparse.Namespace) -> Plan:
    """Return what prepares this card; notes name the conflicting lines, which are not ours to change."""
    config = _config_of(card)
    settings = "".join(f"{line}\n" for line in example_lines())
    plan = plan_prepare(card, settings, _pins(args, config))
    after = card.after(plan.changes)
    notes = [
        f"note: {_place(one)}: {one.text} (for a {', '.join(one.models)})"
        for one in conflicts(after, _models(after, "all"), config)
    ]
    return plan._replace(notes=(*plan.notes, *notes))


def _pins(args: argparse.Namespace, config: Config) -> dict[str, int | None]:
    """Return the pins that were asked for. Raise `UserError` for one that cannot be used."""
    pins: dict[str, int | None] = {}
    taken = {use.pin: use.what for use in pins_in_use(config)}
    for option in _PINS:
        name = option.removeprefix("--").replace("-", "_")
        pin = pins[name] = getattr(args, name)
        if pin is None:
            continue
        if pin not in PINS:
            raise UserError(f"{option} {pin}: expected a BCM pin number from {PINS[0]} to {PINS[-1]}")
        if pin in taken:
            raise UserError(f"{option} {pin}: that pin is used by {taken[pin]}; choose another")
        taken[pin] = option
    return pins


def _reported(card: Card, changes: Sequence[Change], args: argparse.Namespace) -> Iterator[str]:
    """Yield a line for each change to this card, as it was, or with --dry-run as planned."""
    for change in changes:
        present, past = ("update", "updated") if card.has(change.name) else ("write", "written")
        if change.content is None:
            present, past = "remove", "removed"
        elif args.remove:
            present, past = "restore", "restored"
        yield f"{change.name}: {f'would {present}' if args.dry_run else past}"


def _config_of(card: Card) -> Config:
    """Return the configuration of a box that starts from this card, as far as it is there."""
    here = [card.path(SETTINGS)] if card.has(SETTINGS) else []
    return load(default_paths() if card.running else here)


def _models(card: Card, wanted: str) -> list[Model]:
    """Return the models to check for: the wanted one, or those that the card's image can run on."""
    models = table().models
    return [models[wanted]] if wanted != "all" else [one for one in models.values() if bootable(card, one)]


def _check(args: argparse.Namespace) -> int:
    if _is_image(args.dir):
        return _check_image(args.dir)
    card = read_card(args.dir)
    models = _models(card, args.model)
    found = [*needed_files(card, models), *conflicts(card, models, _config_of(card))]
    print(f"{'':9} {'file':34} {'for':14} why")
    for one in found:
        print(printable(f"{one.status:9} {_place(one):34} {' '.join(one.models):14} {one.text}"))
    bad = any(one.status != "present" for one in found)
    names = ", ".join(f"{model.id} ({model.name})" for model in models)
    print(f"\nRaspberry Pi {names}: " + ("something is wrong" if bad else "all is well"))
    return 1 if bad else 0


def _is_image(boot: Path) -> bool:
    """Return whether a card was made from the card image, so that its system is in a slot."""
    return any((boot / letter).is_dir() for letter in "ab")


def _check_image(boot: Path) -> int:
    """Check a card that was made from the card image: the slot in force, and the configuration."""
    letter = slots.in_force(boot)
    settings = boot / SETTINGS
    load([settings] if settings.exists() else [])
    bad = slots.faults(boot, letter)
    for fault in bad:
        print(printable(fault))
    slot = slots.installed(boot, letter)
    print(f"card image, version {slot.version if slot else 'unknown'}, slot {letter}: ", end="")
    print("write the image again, or copy an update.box to the card" if bad else "all is well")
    return 1 if bad else 0


def _place(one: Finding) -> str:
    return f"{one.file}:{one.line}" if one.line else one.file


def _wiring(args: argparse.Namespace) -> int:
    print("\n".join(wiring.lines(load([args.config] if args.config else default_paths()))))
    return 0
