"""The valid part of a configuration with mistakes. Imported only if there is a mistake."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.config.reading import ON_CARD, from_node, load
from appliance.config.schema import Config
from appliance.config.yamlfile import read
from appliance.core.errors import UserError


def play_past(files: Sequence[Path]) -> Config:
    """Return the valid part of the files: a mistake on the card must not stop a box without a keyboard.

    Raise `UserError` for a mistake in any other file.
    """
    load([file for file in files if file != ON_CARD])
    return valid_part(files)


def valid_part(files: Iterable[Path]) -> Config:
    """Return the configuration without the top-level keys and sections that have mistakes."""
    config = Config()
    for file in files:
        with suppress(UserError):
            top = read(file)
            found = top.value if isinstance(top.value, Mapping) else {}
            for key, value in found.items():
                with suppress(UserError):
                    config = from_node(top._replace(value={key: value}), config)
    return config
