"""Preparing a card and undoing that: our lines come and go, and every other byte stays."""

import pytest
from bootcard import CMDLINE, CONFIG, DONE, NOTHING, make_card, tree
from effort import amount
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.bootfiles.partition import encode, read_card, write_changes
from appliance.bootfiles.prepare import include, plan_prepare, plan_remove

I = "include tictactoe.txt\n"  # noqa: E741
INCLUDE = b"[all]\n" + I.encode()


@pytest.mark.parametrize(("text", "result"), [
    ("", "[all]\n" + I),
    ("a=1\n", "a=1\n[all]\n" + I),
    ("a=1", "a=1\n[all]\n" + I),
    ("a=1\r\nb=2", "a=1\r\nb=2\r\n[all]\r\ninclude tictactoe.txt\r\n"),
    ("[all]\ninclude mine.txt\n", "[all]\ninclude mine.txt\n[all]\n" + I),  # that file may set a filter
    (I + "a=1\n", I + "a=1\n"),
])  # fmt: skip
def test_config_txt_gets_one_include_line_that_applies_to_every_model(text, result):
    assert include(text) == include(result) == result


def test_a_fresh_card(card, boot):
    before = tree(card)
    ours = ["tictactoe.txt", "tictactoe.yaml"]
    assert boot("prepare", card) == (0, [*(f"{name}: written" for name in ours), "config.txt: updated", DONE])
    after = tree(card)
    assert set(after) == {*before, *ours}
    assert {name for name in before if after[name] != before[name]} == {"config.txt"}
    assert after["config.txt"] == CONFIG + INCLUDE
    assert boot("check", card)[0] == 0
    assert boot("prepare", card) == (0, [NOTHING])
    assert tree(card) == after
    status, lines = boot("prepare", card, "--remove")
    assert (status, lines[-1]) == (0, "this box was removed from the card; unmount it before you take it out")
    assert sorted(lines[:-1]) == sorted(["config.txt: updated", *(f"{name}: removed" for name in ours)])
    assert tree(card) == before
    assert boot("prepare", card, "--remove") == (0, ["this card has nothing of this box"])


def test_lines_around_ours_stay(card, boot):
    boot("prepare", card)
    with (card / "config.txt").open("a") as stream:
        stream.write("# mine\narm_boost=1\n")
    assert boot("prepare", card)[1] == [NOTHING]
    (card / "tictactoe.txt").write_text("# of an older version\n")
    assert boot("prepare", card)[1] == ["tictactoe.txt: updated", DONE]
    boot("prepare", card, "--remove")
    assert (card / "config.txt").read_bytes() == CONFIG + b"[all]\n# mine\narm_boost=1\n"


# Pieces of config.txt: any characters, every kind of line end.
PIECES = "|[all]|[pi5]|dtparam=i2c_arm=on|# caf\udce9|\t#|\x0b|\x85|\u2028|a|\r|\n|\r\n|\n\n|" + "a" * 99
LINES = st.lists(st.sampled_from(PIECES.split("|")), max_size=16).map("".join).map(encode)
NO_LIMIT = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def change(root, plan, *arguments):
    """Apply a plan to a card; return whether it had any changes."""
    card = read_card(root)
    changes = plan(card, *arguments).changes
    write_changes(card, changes)
    return bool(changes)


@given(bom=st.sampled_from([b"", b"\xef\xbb\xbf"]), config=LINES)
@NO_LIMIT
def test_preparing_and_removing_give_back_every_byte_and_end_the_last_line(tmp_path_factory, bom, config):
    root = make_card(tmp_path_factory.mktemp("card") / "c", config=bom + config, firmware=())
    before = tree(root)
    assert change(root, plan_prepare, "# settings\n")
    assert tree(root)["config.txt"].startswith(before["config.txt"])
    assert not change(root, plan_prepare, "# settings\n")
    assert change(root, plan_remove)
    after = tree(root)
    added = after["config.txt"].removeprefix(before["config.txt"])
    assert added in ((b"",) if before["config.txt"][-1:] in (b"", b"\n") else (b"\n", b"\r\n"))
    assert after == before | {"config.txt": before["config.txt"] + added}
    assert not change(root, plan_remove)


# Pieces that these files may contain, and unexpected ones.
ODD = b"""include config.txt
|gpio=0-9999999999999=op
|dtoverlay=gpio-led,gpio=999999999999999999999999999999999999999999
|\xef\xbb\xbf|\0|\xff
|root=""".split(b"|")
ODD += [b"[" * 3000, INCLUDE, CMDLINE]
CONTENT = st.lists(st.one_of(st.sampled_from(ODD), st.binary(max_size=20)), max_size=4).map(b"".join)
READ = ["config.txt", "cmdline.txt", "tictactoe.yaml", "tictactoe.txt"]


@pytest.mark.more
@given(contents=st.dictionaries(st.sampled_from(READ), CONTENT, min_size=1, max_size=4))
@settings(NO_LIMIT, max_examples=amount(30, 300))
def test_any_bytes_in_any_file_give_a_sentence_or_success(tmp_path_factory, boot, contents):
    root = make_card(tmp_path_factory.mktemp("card") / "c", firmware=["kernel8.img"])
    for name, content in contents.items():
        (root / name).write_bytes(content)
    for words in (["prepare", root], ["check", root], ["prepare", root, "--remove"]):
        before = tree(root)
        status, lines = boot(*words)
        if status == 2:
            assert "\n" not in lines[0]
            assert tree(root) == before
