"""Reading the configuration: which files, in which order, and whether their values fit together."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from appliance.config.pinuse import PinUse, header_hint, pins_in_use
from appliance.config.schema import CHIPS, KEYS, SECTIONS, WIDE, Config, DisplayConfig, Key
from appliance.config.yamlfile import YamlNode, one_of, read_yaml
from appliance.core.errors import FileError, SeveralErrors, UserError
from appliance.core.session.settings import SMALL_RULES

ON_CARD = Path("/boot/firmware/tictactoe.yaml")
MOST_MISTAKES = 50  # with more, a Pi Zero would need longer than a start may take


def default_paths(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """Return the existing files of `possible_paths`."""
    # Path.exists raises PermissionError where a directory may not be searched.
    return [path for path in possible_paths(environ, root) if os.path.exists(path)]  # noqa: PTH110


def possible_paths(environ: Mapping[str, str] = os.environ, root: Path = Path("/")) -> list[Path]:
    """Return the files that are read if none is named; later ones override earlier ones.

    They are /etc/tictactoe/config.yaml; tictactoe.yaml on the boot partition, which any computer can edit;
    and, for a desktop, tictactoe/config.yaml in the XDG configuration directory.
    """
    paths = [root / "etc/tictactoe/config.yaml", root / ON_CARD.relative_to("/")]
    home = environ.get("XDG_CONFIG_HOME") or (environ["HOME"] + "/.config" if environ.get("HOME") else "")
    if home.startswith("/"):  # the XDG specification: ignore a relative path
        paths.append(Path(home) / "tictactoe/config.yaml")
    return paths


class Readout(NamedTuple):
    """The valid part of what files set, what is wrong with the rest, and the keys left out for that."""

    config: Config = Config()
    mistakes: tuple[UserError, ...] = ()
    dropped: frozenset[str] = frozenset()


def load_config(paths: Sequence[Path]) -> Config:
    """Return the configuration in these files; later ones override earlier ones, key by key.

    Raise `UserError` for an unreadable file, an invalid value, or conflicting values.
    """
    return _faultless(read_config(paths))


def read_config(paths: Sequence[Path]) -> Readout:
    """Return what is in these files, and every mistake.

    A value that leaves no doubt about what was meant counts as that. Any other wrong key is left out.
    """
    found = Readout()
    for path in paths:
        found = _overlay_file(path, found)
    return _fitted(found)


def config_from_node(node: YamlNode, base: Config | None = None) -> Config:
    """Return `base`, or `Config()`, overridden by a mapping of any file. Raise as `load_config` does."""
    return _faultless(_fitted(_overlay(node, Readout(base or Config()))))


def _faultless(found: Readout) -> Config:
    if found.mistakes:
        raise SeveralErrors(found.mistakes) if len(found.mistakes) > 1 else found.mistakes[0]
    return found.config


def _overlay_file(path: Path, base: Readout) -> Readout:
    with suppress(UserError):
        found = _overlay(read_yaml(path), base)
        if found.mistakes == base.mistakes:
            return found
    from appliance.config.salvage import salvage  # noqa: PLC0415 - only errors need it

    tree, slips = salvage(path)
    found = _overlay(tree, base._replace(mistakes=()))
    mistakes = sorted((*slips, *found.mistakes), key=lambda one: one.line)
    return found._replace(mistakes=(*base.mistakes, *mistakes))


def _overlay(node: YamlNode, base: Readout) -> Readout:
    config, origins = base.config, dict(base.config.origins)
    mistakes, dropped = [*base.mistakes], {*base.dropped}
    for key, entry in _entries(node, "", mistakes):
        try:
            value = key.kind.read(entry)
        except UserError as error:
            from appliance.config.advice import meant  # noqa: PLC0415 - only errors need it

            mistakes.append(error)
            clear = meant(entry, key.kind.accept, None if key.wary is None else 2)  # YES. but not ja
            if clear is None and key.wary is None:
                dropped.add(key.path)
                continue
            value = key.kind.accept(clear) if clear else key.wary
        config = key.put(config, value)
        origins[key.path] = entry.place
    return Readout(config._replace(origins=origins), tuple(mistakes), frozenset(dropped))


def _entries(node: YamlNode, section: str, mistakes: list[UserError]) -> Iterator[tuple[Key, YamlNode]]:
    """Yield each key of a section with its value, "" for the whole file, and list what is no key."""
    keys = SECTIONS[section][1]
    names = [*filter(None, () if section else SECTIONS), *keys]
    value = {} if node.empty else node.value
    if not isinstance(value, Mapping):
        from appliance.config.salvage import inside  # noqa: PLC0415 - only errors need it

        remedy, fits = inside(node, section)
        mistakes.append(node.no_mapping(names, remedy))
        for item in value if isinstance(value, tuple) else ():  # written with dashes
            yield from _entries(item, section, mistakes) if isinstance(item.value, Mapping) else ()
        yield from fits
        return
    for written, entry in value.items():
        if len(mistakes) >= MOST_MISTAKES:
            sentence = f"more than {MOST_MISTAKES} mistakes, the rest is not read; is it the right file?"
            mistakes[MOST_MISTAKES:] = mistakes[MOST_MISTAKES:] or [FileError(entry.place, "", sentence)]
            return
        name = written
        if name not in names:
            from appliance.config.salvage import elsewhere  # noqa: PLC0415 - only errors need it

            name, errors = elsewhere(entry, written, names)
            mistakes += errors
        if name in keys:
            yield keys[name], entry
        elif name in names:
            yield from _entries(entry, name, mistakes)
        elif name:  # no doubt where it belongs
            yield KEYS[name], entry


def _fitted(found: Readout) -> Readout:
    """Return what was found without the keys that conflict: those that the messages name."""
    while clash := _clash(config := _lit(found.config)):
        wrong = next(KEYS[path] for path in clash[0] if path in config.origins)
        # If one of them was left out, nobody wrote what conflicts.
        new = (misfit(config, *clash),) if found.dropped.isdisjoint(clash[0]) else ()
        origins = {path: place for path, place in found.config.origins.items() if path != wrong.path}
        config = wrong.put(found.config, wrong.value(Config()))._replace(origins=origins)
        found = Readout(config, (*found.mistakes, *new), found.dropped | {wrong.path})
    return found._replace(config=config)


def _lit(config: Config) -> Config:
    """Return the configuration; an exhibit stays lit unless a file says otherwise."""
    if config.options.exhibit and "rest.off" not in config.origins:
        origins = {**config.origins, "rest.off": config.origins["exhibit"]}
        config = config._replace(options=config.options._replace(off=0.0), origins=origins)
    return config


def _clash(config: Config) -> tuple[tuple[str, ...], str, str] | None:
    """Return the keys of values that conflict, why they do, and the remedy; None if they fit together."""
    display, options = config.display, config.options
    rows = CHIPS[display.driver].heights if display.driver in CHIPS else (display.height,)
    if display.height not in rows:
        sentence = f"{display.driver} has {one_of(list(map(str, rows)))} rows, not {display.height}"
        fitting = ", ".join(chip for chip, facts in CHIPS.items() if display.height in facts.heights)
        sentence = f"{sentence} (128x{display.height} is {fitting})"
        return ("display.height", "display.driver"), sentence, ""
    if display.column != DisplayConfig().column and display.driver not in WIDE:
        sentence = f"the memory of {display.driver} is no wider than its panel"
        return ("display.column", "display.driver"), sentence, "remove column"
    if display.height < 64 and config.settings.rule not in SMALL_RULES:
        sentence = f"{config.settings.rule} needs a display of 64 rows, not {display.height}"
        return ("game.rule", "display.height"), sentence, f"choose {one_of(SMALL_RULES)}"
    if options.exhibit and 0 < options.off <= options.visit:
        sentence = f"off ({options.off:g} s) must be longer than visit ({options.visit:g} s)"
        return ("rest.off", "rest.visit"), sentence, ""
    if not options.exhibit and 0 < options.off <= options.dim:
        sentence = f"off ({options.off:g} s) must be longer than dim ({options.dim:g} s), unless dim is 0"
        return ("rest.off", "rest.dim"), sentence, ""
    if not options.exhibit and options.attract and not options.dim:
        sentence = "the box plays itself only while dimmed, and dim 0 means never"
        return ("rest.attract", "rest.dim"), sentence, ""
    uses: dict[int, PinUse] = {}
    for use in pins_in_use(config):
        other = uses.setdefault(use.pin, use)
        if other is not use:
            sentence = f"pin {use.pin} is used by {other.what} and by {use.what}: each needs a pin of its own"
            paths = (use.path, other.path)
            return paths, sentence, header_hint(config, paths)
    return None


def misfit(config: Config, paths: Sequence[str], sentence: str, remedy: str = "") -> UserError:
    """Return the error for conflicting keys. It names the first of `paths` that a file set."""
    key = next(KEYS[path] for path in paths if path in config.origins)
    wrong = key.kind.write(key.value(config))
    return FileError(config.origins[key.path], key.path, sentence, wrong, remedy)
