"""Reading the configuration: which files, in which order, and whether their values fit together."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.config.pinuse import PinUse, header_hint, pins_in_use
from appliance.config.schema import CHIPS, SECTIONS, Config, DisplayConfig
from appliance.config.yamlfile import YamlNode, one_of, read_yaml
from appliance.core.errors import FileError, UserError
from appliance.core.session.settings import SMALL_RULES

ON_CARD = Path("/boot/firmware/tictactoe.yaml")


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


def load_config(paths: Sequence[Path]) -> Config:
    """Return the configuration in these files; later ones override earlier ones, key by key.

    Raise `UserError` for an unreadable file, an invalid value, or conflicting values.
    """
    config = Config()
    for path in paths:
        config = _overlay(read_yaml(path), config)
    return _checked(config)


def config_from_node(node: YamlNode, base: Config | None = None) -> Config:
    """Return `base`, or `Config()`, overridden by a mapping of any file. Raise as `load_config` does."""
    return _checked(_overlay(node, base or Config()))


def _overlay(node: YamlNode, config: Config) -> Config:
    top = SECTIONS[""][1]
    origins = dict(config.origins)
    for name, entry in _entries(node, "").items():
        keys = top if name in top else SECTIONS[name][1]
        entries = {name: entry} if name in top else _entries(entry, name)
        for key_name, value in entries.items():
            key = keys[key_name]
            config = key.put(config, key.kind.read(value))
            origins[key.path] = value.place
    return config._replace(origins=origins)


def _entries(node: YamlNode, section: str) -> Mapping[str, YamlNode]:
    """Return the entries of a section, "" for the whole file. Raise `UserError` for an unknown key."""
    keys = [*filter(None, () if section else SECTIONS), *SECTIONS[section][1]]
    for name, entry in node.value.items() if isinstance(node.value, Mapping) else ():
        if name not in keys:
            from appliance.config.advice import elsewhere  # noqa: PLC0415 - only errors need it

            if remedy := elsewhere(name, section, {at: names for at, (_, names) in SECTIONS.items()}):
                raise entry.error(remedy)
    return node.mapping(keys)


def _checked(config: Config) -> Config:
    """Return the configuration; an exhibit stays lit unless a file says otherwise.

    Raise `UserError` for values that are valid one by one, but conflict.
    """
    if config.options.exhibit and "rest.off" not in config.origins:
        origins = {**config.origins, "rest.off": config.origins["exhibit"]}
        config = config._replace(options=config.options._replace(off=0.0), origins=origins)
    display, options = config.display, config.options
    rows = CHIPS.get(display.driver, (display.height,))
    if display.height not in rows:
        sentence = f"{display.driver} has {one_of(list(map(str, rows)))} rows, not {display.height}"
        fitting = ", ".join(chip for chip, heights in CHIPS.items() if display.height in heights)
        paths = ("display.height", "display.driver")
        raise misfit(config, paths, f"{sentence} (128x{display.height} is {fitting})")
    if display.column != DisplayConfig().column and display.driver != "sh1106":
        sentence = f"only sh1106 has a memory wider than its panel, not {display.driver}"
        raise misfit(config, ("display.column",), sentence, "remove column")
    if display.height < 64 and config.settings.rule not in SMALL_RULES:
        sentence = f"{config.settings.rule} needs a display of 64 rows, not {display.height}"
        remedy = f"choose {one_of(SMALL_RULES)}"
        raise misfit(config, ("game.rule", "display.height"), sentence, remedy)
    if options.exhibit and 0 < options.off <= options.visit:
        sentence = f"off ({options.off:g} s) must be longer than visit ({options.visit:g} s)"
        raise misfit(config, ("rest.off", "rest.visit"), sentence)
    if not options.exhibit and 0 < options.off <= options.dim:
        sentence = f"off ({options.off:g} s) must be longer than dim ({options.dim:g} s), unless dim is 0"
        raise misfit(config, ("rest.off", "rest.dim"), sentence)
    if not options.exhibit and options.attract and not options.dim:
        sentence = "the box plays itself only while dimmed, and dim 0 means never"
        raise misfit(config, ("rest.attract", "rest.dim"), sentence)
    uses: dict[int, PinUse] = {}
    for use in pins_in_use(config):
        other = uses.setdefault(use.pin, use)
        if other is not use:
            sentence = f"pin {use.pin} is used by {other.what} and by {use.what}: each needs a pin of its own"
            paths = (use.path, other.path)
            raise misfit(config, paths, sentence, header_hint(config, paths))
    return config


def misfit(config: Config, paths: Sequence[str], sentence: str, remedy: str = "") -> UserError:
    """Return the error for conflicting keys. It names the first of `paths` that a file set."""
    path = next(path for path in paths if path in config.origins)
    section, _, name = path.rpartition(".")
    key = SECTIONS[section][1][name]
    return FileError(config.origins[path], path, sentence, key.kind.write(key.value(config)), remedy)
