"""The valid part of a configuration with mistakes. Imported only if there is a mistake."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.config.reading import ON_CARD, config_from_node, load_config
from appliance.config.schema import Config
from appliance.config.yamlfile import YamlNode, read_yaml
from appliance.core.errors import FileError, UserError

MISTAKES = 10  # in a section; each costs a Pi Zero milliseconds


def play_past(files: Sequence[Path]) -> Config:
    """Return the valid part of the files: a mistake on the card must not stop a box without a keyboard.

    Raise `UserError` for a mistake in any other file.
    """
    load_config([file for file in files if file != ON_CARD])
    return valid_part(files)


def valid_part(files: Iterable[Path]) -> Config:
    """Return the configuration without the keys that are wrong."""
    config = Config()
    for file in files:
        with suppress(UserError):
            top = read_yaml(file)
            found = top.value if isinstance(top.value, Mapping) else {}
            # The display first, since it has to show the mistake: others give way where two keys conflict.
            for name in sorted(found, key=lambda name: name != "display"):
                config = _with_section(config, top, name, found[name])
    return config


def _with_section(config: Config, top: YamlNode, name: str, section: YamlNode) -> Config:
    """Return `config` with the valid keys of a section; without the section if too little of it is valid."""
    for _ in range(MISTAKES):
        try:
            return config_from_node(top._replace(value={name: section}), config)
        except FileError as error:
            entries = section.value if isinstance(section.value, Mapping) else {}
            named = {key: f"{error.path}[".startswith(f"{entry.path}[") for key, entry in entries.items()}
            if not any(named.values()):
                break  # it conflicts with a key elsewhere
            section = section._replace(value={key: entries[key] for key in entries if not named[key]})
    return config
