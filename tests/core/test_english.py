"""English: lists, plurals, capitals, numbers."""

import pytest

from appliance.core.english import capital, counted, listed, number_word, ordinal, plural


@pytest.mark.parametrize(("said", "text"), [
    (listed([1]), "1"),
    (listed([1, 2]), "1 and 2"),
    (listed("123"), "1, 2 and 3"),
    (listed(["0x3c", "0x3d"], "or"), "0x3c or 0x3d"),
    (plural(1, "game"), "game"),
    (plural(0, "game"), "games"),
    (plural(2, "ply", "plies"), "plies"),
    (counted(1, "game"), "1 game"),
    (counted(0, "game"), "0 games"),
    (counted(2, "ply", "plies"), "2 plies"),
    (capital("the box wins"), "The box wins"),
    (capital("only this"), "Only this"),
    (capital("x wins"), "x wins"),
    (capital("o"), "o"),
    (number_word(20), "twenty"),
    (number_word(21), "21"),
    (ordinal(1), "first"),
    (ordinal(20), "twentieth"),
    (ordinal(21), "21st"),
    (ordinal(33), "33rd"),
    (ordinal(112), "112th"),
])  # fmt: skip
def test_each_is_said_as_people_do(said, text):
    assert said == text
