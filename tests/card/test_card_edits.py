import pytest
from bootcard import old_block

from appliance.card import edits

I = "include tictactoe.txt\n"  # noqa: E741


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", I),
        ("a=1\n", "a=1\n" + I),
        ("a=1", "a=1\n" + I),
        ("a=1\r\nb=2", "a=1\r\nb=2\r\ninclude tictactoe.txt\r\n"),
        ("\ufeff", "\ufeff\n" + I),
        ("[pi4]\na=1\n", "[pi4]\na=1\n[all]\n" + I),
        ("[pi4]\na=1\n[all]\nb=2\n", "[pi4]\na=1\n[all]\nb=2\n" + I),
        ("[all]\ninclude mine.txt\n", "[all]\ninclude mine.txt\n[all]\n" + I),  # that file may set a filter
        (I + "a=1\n", I + "a=1\n"),
        ("# <<< tictactoe boot prepare\n", "# <<< tictactoe boot prepare\n" + I),
        ("Include  TicTacToe.txt\na=1\n", "Include  TicTacToe.txt\na=1\n"),
        ("[pi4]\n" + I, "[pi4]\n[all]\n" + I),
        (I + "a=1\n" + I, I + "a=1\n" + I),
        ("a=1\n" + old_block(["[all]", "dtparam=i2c_arm=on"]), "a=1\n" + I),
        ("[cm5]\na=1\n" + old_block(["[all]"]) + "b=2\n", "[cm5]\na=1\n[all]\n" + I + "b=2\n"),
    ],
)
def test_config_txt_gets_one_include_line_that_applies_to_every_model(text, result):
    assert edits.include(text) == result
    assert edits.include(result) == result
    assert edits.unchanged(result, text)
    assert not edits.unchanged(result + "arm_boost=1\n", text)


@pytest.mark.parametrize("lost", ["# <<< tictactoe boot prepare\n", "# <<<"])
def test_marked_lines_without_an_end_are_reported(lost):
    text = ("a=1\n" + old_block(["b=2"]) + "c=3\n").replace(lost, "")
    for act in (edits.undo, edits.include, edits.marked):
        with pytest.raises(edits.MarkError) as caught:
            act(text)
        assert caught.value.args == (2,)
