"""The report of a test of the board on the boot partition, beside status.txt."""

import os

import pytest

from appliance.cli import main
from appliance.commands import image
from appliance.slots.publish import MAX_REPORT, REPORT, publish_report

TEXT = b"a report\nRESULT 14/14 sha256:0\n"


@pytest.fixture
def tested(box, monkeypatch):
    """A box whose service has written a report; returns the box and where that is."""
    monkeypatch.setattr(image.Box, "__new__", lambda _cls, *_: box)
    (box.data / "tictactoe").mkdir()
    file = box.data / "tictactoe" / REPORT
    file.write_bytes(TEXT)
    return box, file


def test_it_is_copied_once_byte_for_byte_since_its_hash_counts_every_byte(tested):
    box, file = tested
    assert main(["image", "status"]) == 0
    assert (box.boot / REPORT).read_bytes() == TEXT
    assert (box.boot / "status.txt").exists()
    calls = len(box.run.calls)
    assert main(["image", "status"]) == 0
    assert len(box.run.calls) == calls, "nothing is new, so nothing is written"
    file.write_bytes(TEXT * 2)
    assert main(["image", "status"]) == 0
    assert (box.boot / REPORT).read_bytes() == TEXT * 2


def test_a_box_that_was_never_tested_has_none(tested):
    box, file = tested
    file.unlink()
    assert main(["image", "status"]) == 0
    assert not (box.boot / REPORT).exists()


@pytest.mark.parametrize(("make", "copied"), [
    (lambda file: file.write_bytes(b"x" * (MAX_REPORT + 9)), b"x" * MAX_REPORT),
    (lambda file: file.symlink_to("elsewhere"), None),
    (lambda file: file.mkdir(), None),
    (os.mkfifo, None),  # that nobody writes to
    (lambda file: file.write_bytes(b""), None),
])  # fmt: skip
def test_root_takes_nothing_amiss_from_the_service(tested, make, copied):
    box, file = tested
    file.unlink()
    make(file)
    publish_report(box)
    found = box.boot / REPORT
    assert (found.read_bytes() if found.exists() else None) == copied


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_a_link_leads_root_nowhere_that_the_service_cannot_go(tested, tmp_path):
    box, file = tested
    secret = tmp_path / "secret"
    secret.write_bytes(b"root's")
    secret.chmod(0o600)
    tmp_path.chmod(0o755)
    os.chown(file.parent, 1, 1)
    file.unlink()
    file.symlink_to(secret)
    with pytest.raises(PermissionError):
        publish_report(box)
    assert not (box.boot / REPORT).exists()
