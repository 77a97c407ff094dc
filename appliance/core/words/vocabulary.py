"""The keys of everything that the box says. Each language fills all of them in; the type checker counts."""

from typing import NamedTuple


class Words(NamedTuple):
    """What the box says in one language.

    `words["easy"]` is the same as `words.easy`, for a key known only at run time; `KeyError` when there is
    none. A text with `{keys}` in it is formatted with the numbers of the buttons.
    """

    # The language itself, and the game
    name: str
    game: str

    # Whose turn it is, and how a game ends: headlines. What begins with x_ or o_ follows the drawn mark.
    your_turn: str
    box_turn: str
    x_turn: str
    o_turn: str
    you_win: str
    box_wins: str
    x_wins: str
    o_wins: str
    draw: str
    demo: str

    # Answers to a press
    taken: str
    one_key: str
    tap_again: str
    tap_play: str
    hold_menu: str
    hint_text: str
    nothing_to_undo: str

    # Strength
    level: str
    easy: str
    medium: str
    hard: str
    perfect: str

    # Rules, and each in one sentence
    classic: str
    misere: str
    vanishing: str

    # Who plays, and who begins
    players: str
    players_0: str
    players_1: str
    players_2: str
    first_you: str
    first_box: str
    first_alternate: str

    # The menu and the settings
    menu: str
    settings: str
    contrast: str
    sound_on: str
    sound_off: str
    rotation: str
    language: str

    # Score: short labels under the board's words, longer ones for the page of statistics
    you: str
    box: str
    tie: str
    statistics: str
    games: str
    won: str
    lost: str
    drawn: str

    # Beginning and end
    starting: str
    power: str
    power_off: str
    restart: str
    really: str
    goodbye: str
    goodbye_off: str
    back_soon: str
    goodbye_restart: str
    stopped: str
    goodbye_stop: str
    would_power_off: str
    would_restart: str
    power_failed: str

    # Something is wrong
    held_key: str
    held_keys: str
    stuck_key: str
    stuck_keys: str
    damaged_store: str
    nothing_kept: str

    def __getitem__(self, key: str) -> str:  # type: ignore[override]
        """Return the text of this key."""
        if key not in KEYS:
            raise KeyError(key)
        return str(getattr(self, key))


KEYS = Words._fields
