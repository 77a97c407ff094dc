import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.bootfiles import blocks, cmdline

BODY = ["dtparam=i2c_arm=on", "", "boot_delay=0"]
BLOCK = (
    "# >>> tictactoe boot prepare writes the lines down to <<< (31160370)\n"
    "dtparam=i2c_arm=on\n\nboot_delay=0\n# <<< tictactoe boot prepare\n"
)
# Text as it may be found on a card: any characters, every kind of line end, bytes that are not UTF-8.
TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=[]), max_size=8),
        st.sampled_from(
            ["\n", "\r\n", "\r", "\ufeff", "[all]", "# a", "\udcff", "#", ">>>", "dtparam=spi=on"]
        ),
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", BLOCK),
        ("a=1\n", "a=1\n" + BLOCK),
        ("a=1", "a=1\n" + BLOCK.replace(")", ", and ended the line above)")),
        ("a=1\r\nb=2\r\n", "a=1\r\nb=2\r\n" + BLOCK.replace("\n", "\r\n")),
        (
            "a=1\r\nb=2",
            "a=1\r\nb=2\r\n" + BLOCK.replace(")", ", and ended the line above)").replace("\n", "\r\n"),
        ),
        ("\ufeff# comment", "\ufeff# comment\n" + BLOCK.replace(")", ", and ended the line above)")),
    ],
)
def test_a_block_ends_its_lines_as_the_file_does(text, result):
    assert blocks.insert(text, len(text), BODY) == result
    assert blocks.strip(result) == text


@given(TEXTS, st.lists(st.sampled_from(["", "a: 1", "  - b", "# c", "[all]"]), max_size=5), st.data())
def test_taking_a_block_out_gives_back_every_byte(text, body, data):
    starts = [0, *(i + 1 for i, char in enumerate(text) if char == "\n"), len(text)]
    at = data.draw(st.sampled_from(starts))
    indent = data.draw(st.sampled_from(["", "  "]))
    put = blocks.insert(text, at, body, indent)
    assert blocks.strip(put) == text
    assert [block.lines for block in blocks.find(put)] == [tuple(body)]
    assert blocks.strip(blocks.insert(put, len(put), BODY)) == text  # two of them, too


@given(TEXTS, TEXTS)
def test_no_line_that_was_written_around_the_block_is_lost(before, after):
    left = blocks.strip(blocks.insert(before, len(before), BODY) + after)
    between = left[len(before) : len(left) - len(after)]
    assert left == before + between + after
    if after and before and not before.endswith("\n"):
        assert between in ("\n", "\r\n")  # or two lines would have become one
    else:
        assert not between


def test_an_editor_that_turns_all_line_ends_edits_nothing():
    put = blocks.insert("a=1\n", 4, BODY).replace("\n", "\r\n")
    assert blocks.strip(put) == "a=1\r\n"


def test_the_same_block_is_the_same_wherever_it_stands():
    text = "a=1\nb=2\n"
    ends = blocks.insert(text, len(text), BODY)
    assert blocks.same(ends, blocks.insert(text, 4, BODY))
    assert not blocks.same(ends, blocks.insert(text, 4, BODY[1:]))
    assert not blocks.same(ends, blocks.insert(text + "c", len(text) + 1, BODY))


@pytest.mark.parametrize(
    ("edit", "line", "what"),
    [
        (lambda t: t.replace("=on", "=off"), 2, "the lines of the block were edited by hand"),
        (lambda t: t.replace("boot_delay=0\n", ""), 2, "the lines of the block were edited by hand"),
        (
            lambda t: t.replace("boot_delay=0\n", "boot_delay=0\nspi=on\n"),
            2,
            "the lines of the block were edited by hand",
        ),
        (lambda t: t.replace("3116", "3117"), 2, "the lines of the block were edited by hand"),
        (lambda t: t.replace("3116", ""), 2, "a marker of the block was edited by hand"),
        (lambda t: t.replace("# <<< tictactoe boot prepare\n", ""), 2, "the block has lost its end"),
        (
            lambda t: t.replace("# <<< tictactoe boot", "# <<< tictactoe"),
            6,
            "a marker of the block was edited by hand",
        ),
        (
            lambda t: "".join(t.splitlines(True)[2:]),
            4,
            "the end of the block stands here without its beginning",
        ),
        (
            lambda t: t.replace("boot_delay", BLOCK + "boot_delay"),
            2,
            "the block begins a second time before its end",
        ),
    ],
)
def test_a_block_that_was_edited_is_noticed(edit, line, what):
    damaged = edit("a=1\n" + BLOCK)
    if what.startswith("the end"):
        line = damaged.splitlines().index("# <<< tictactoe boot prepare") + 1
    with pytest.raises(blocks.BlockEditedError) as caught:
        blocks.strip(damaged)
    assert (caught.value.line, caught.value.what) == (line, what)
    assert str(caught.value) == f"line {line}: {what}"


@pytest.mark.parametrize(
    ("text", "wanted", "result", "added"),
    [
        ("root=/dev/a quiet\n", ["quiet"], "root=/dev/a quiet\n", []),
        ("root=/dev/a\n", ["quiet", "x=1"], "root=/dev/a quiet x=1\n", ["quiet", "x=1"]),
        ("root=/dev/a", ["quiet"], "root=/dev/a quiet", ["quiet"]),
        ("root=/dev/a  \r\n\r\n", ["quiet"], "root=/dev/a quiet  \r\n\r\n", ["quiet"]),
        ("root=/dev/a quieter\nquiet\n", ["quiet"], "root=/dev/a quieter quiet\nquiet\n", ["quiet"]),
    ],
)
def test_words_go_to_the_end_of_the_one_line(text, wanted, result, added):
    assert cmdline.add(text, wanted) == (result, added)
    assert cmdline.remove(result, added) == text


@pytest.mark.parametrize("text", ["", "\n", "  \r\nroot=/dev/a\n"])
def test_an_empty_command_line_is_refused(text):
    with pytest.raises(ValueError, match="the first line is empty"):
        cmdline.add(text, ["quiet"])


def test_words_are_removed_wherever_they_have_got_to_and_others_stay():
    assert cmdline.remove("a quiet b x=1 c\n", ["quiet", "x=1", "gone"]) == "a b c\n"
    assert cmdline.remove("quieter xquiet\n", ["quiet"]) == "quieter xquiet\n"


@given(TEXTS, st.lists(st.sampled_from(["quiet", "a=1", "b", "systemd.run=/x"]), max_size=4))
def test_removing_added_words_gives_back_every_byte(text, wanted):
    if text.split("\n")[0].strip():
        put, added = cmdline.add(text, wanted)
        assert cmdline.remove(put, added) == text
        assert set(wanted) <= set(cmdline.words(put))
