"""Lines asked of the kernel: every byte of what is asked, its refusals, and nothing that stays open."""

import ctypes
import errno
import os

import gpio_chip
import pytest
from gpio_chip import DOWN, INPUT, OUTPUT, UP, Chip

from appliance.devices import lines
from appliance.devices.lines import LineError, Lines


@pytest.fixture
def chip(monkeypatch, tmp_path):
    with Chip(tmp_path / "gpiochip0").in_place(monkeypatch) as chip:
        yield chip


def test_the_numbers_are_those_of_the_header():
    assert (lines.GET_LINE, lines.SET_CONFIG) == (gpio_chip.GET_LINE, gpio_chip.SET_CONFIG)
    assert (lines.GET_VALUES, lines.SET_VALUES) == (gpio_chip.GET_VALUES, gpio_chip.SET_VALUES)
    assert ctypes.sizeof(gpio_chip.Request) == lines.REQUEST.size == 592
    assert ctypes.sizeof(gpio_chip.Config) == lines.CONFIG.size == 272
    assert ctypes.sizeof(gpio_chip.Values) == lines.VALUES.size == 16


def test_inputs_are_read_in_their_order(chip):
    chip.lines[6].outside = False
    held = Lines(str(chip.path), (5, 6, 13), INPUT | UP)
    assert chip.told == [(number, INPUT | UP, False) for number in (5, 6, 13)]
    assert held.read() == 0b101
    chip.lines[13].outside = False
    assert held.read() == 0b001
    held.close()
    held.close()


@pytest.mark.parametrize("levels", range(4))
def test_outputs_have_their_levels_from_the_start(chip, levels):
    held = Lines(str(chip.path), (17, 22), OUTPUT, levels)
    assert chip.told == [(17, OUTPUT, bool(levels & 1)), (22, OUTPUT, bool(levels & 2))]
    assert held.read() == levels
    held.write(levels ^ 0b11)
    assert held.read() == levels ^ 0b11
    held.close()


def test_what_they_are_is_changed_in_one_call(chip):
    held = Lines(str(chip.path), (17,), INPUT | DOWN)
    held.configure(OUTPUT, 1)
    held.configure(INPUT)
    assert chip.told == [(17, INPUT | DOWN, False), (17, OUTPUT, True), (17, INPUT, False)]
    assert chip.lines[17].flags == INPUT | DOWN, "the bias stays as it was"
    held.close()


@pytest.mark.parametrize("count", [1, 2, 64])
def test_any_number_of_lines_that_there_can_be(chip, count):
    chip.lines += [gpio_chip.Line() for _ in range(10)]
    held = Lines(str(chip.path), range(count), OUTPUT, (1 << count) - 1)
    assert held.read() == (1 << count) - 1
    held.close()


def test_a_line_that_somebody_has(chip):
    held = Lines(str(chip.path), (6,), INPUT)
    with pytest.raises(LineError, match="busy") as raised:
        Lines(str(chip.path), (5, 6), INPUT)
    assert raised.value.errno == errno.EBUSY
    assert str(chip.path) + " line 5, 6" in str(raised.value)
    held.close()


def test_flags_that_make_no_sense_are_the_kernel_s_to_refuse(chip):
    with pytest.raises(LineError, match="Invalid argument"):
        Lines(str(chip.path), (5,), INPUT | UP | DOWN)


def test_a_chip_that_is_not_there(chip):
    chip.path.unlink()
    with pytest.raises(LineError, match="line 5") as raised:
        Lines(str(chip.path), (5,), INPUT)
    assert raised.value.errno == errno.ENOENT


@pytest.mark.parametrize(
    ("what", "call"),
    [
        ("config", lambda held: held.configure(INPUT)),
        ("levels", lambda held: held.read()),
        ("set", lambda held: held.write(0)),
    ],
)
def test_what_fails_names_chip_and_line_and_the_lines_are_still_held(chip, what, call):
    held = Lines(str(chip.path), (17,), OUTPUT)
    chip.fails[what] = OSError(errno.EIO, os.strerror(errno.EIO))
    with pytest.raises(LineError, match=r"Input/output error.*gpiochip0 line 17"):
        call(held)
    call(held)
    assert chip.held() == {17}
    held.close()


def test_an_input_cannot_be_set(chip):
    held = Lines(str(chip.path), (17,), INPUT)
    with pytest.raises(LineError, match="not permitted"):
        held.write(1)
    held.close()


def test_closed_lines_are_nobodys(chip):
    held = Lines(str(chip.path), (17,), OUTPUT)
    held.close()
    assert chip.held() == set()
    with pytest.raises(LineError, match="Bad file descriptor"):
        held.read()
