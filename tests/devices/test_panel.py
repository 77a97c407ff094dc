"""The panel over the emulated chips: bus errors, brown-outs, touch-ups and refreshes.

test_healing.py measures how long recovery takes.
"""

import logging
from itertools import pairwise

import pytest
from effort import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from panel_rig import INIT, OFF, ON, PanelRig, hexes, marked, pattern, turned

from appliance.core.picture.canvas import Frame
from appliance.core.picture.scene import Light
from appliance.devices.panel import AT_REST, IN_PLAY


def test_an_outage_is_logged_once_and_tried_with_growing_pauses(display, caplog):
    caplog.set_level(logging.INFO)
    assert display.panel.healthy
    display.bus.unplug()
    before = display.bus.transactions
    for step in range(100):
        display.panel.show_frame(marked(pattern(), [(0, step)]), ON, 1.0 + step * 0.001)
    assert not display.panel.healthy
    times = display.serve(1.1, 30.0)
    assert times == pytest.approx([1.25, 1.75, 2.75, 4.75, 8.75, 13.75, 18.75, 23.75, 28.75])
    assert display.bus.transactions - before == 1 + len(times)  # a try is one address byte
    display.bus.plug()
    display.serve(30.0, 34.0)
    assert display.panel.healthy
    assert display.chip.picture() == marked(pattern(), [(0, 99)])
    name = "the display (ssd1306 at 0x3c on bus 1)"
    assert caplog.messages == [
        f"{name} does not answer ([Errno 121] Remote I/O error); the game goes on without it",
        f"{name} is back after 32.8 s",
    ]


def test_the_pauses_start_over_with_each_outage_after_a_minute(display):
    for start in (1.0, 101.0):
        display.bus.unplug()
        display.panel.show_frame(marked(pattern(), [(0, int(start))]), ON, start)
        assert display.panel.due() == start + 0.25
        display.bus.plug()
        display.serve(start, start + 0.25)
        assert display.panel.healthy
    display.bus.unplug()
    display.panel.show_frame(pattern(), ON, 130.0)
    assert display.panel.due() == 130.5, "it had not worked for a minute: the same outage"


@pytest.mark.parametrize("nth", [1, 2, 3, 5, 20, 40, 100, 1063, 1064, 1065])
@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_fault_on_any_byte_is_healed_by_one_retry(driver, nth):
    rig = PanelRig(driver)
    rig.bus.fault(nth)
    rig.panel.show_frame(pattern(), ON, 0.0)
    assert not rig.panel.healthy
    rig.panel.service(0.25)
    assert rig.panel.healthy
    assert rig.chip.picture() == pattern()
    assert rig.chip.lit


# Touch-ups and refreshes


def test_a_brown_out_without_an_error_is_healed_while_idle(display):
    display.chip.power_on()
    display.panel.show_frame(marked(pattern()), ON, 5.0)  # over the garbage, which nothing reports
    assert not display.chip.lit
    pictures = display.watch()
    assert display.serve(5.0, 5.9) == [5.0] * 10  # the refresh due in play
    assert display.chip.picture() == marked(pattern())
    assert set(pictures) == {Frame.blank(), marked(pattern())}


def test_a_brown_out_at_rest_is_noticed_by_the_status_between_two_refreshes(display):
    refreshed = display.serve(0.0, 45.0)[-1]
    display.chip.power_on()
    pictures = display.watch()
    assert display.serve(refreshed, refreshed + AT_REST / 2) == [refreshed + AT_REST / 2]  # all in one call
    assert display.chip.picture() == pattern()
    assert set(pictures) == {Frame.blank(), pattern()}


def test_a_refresh_of_a_healthy_display_is_invisible_and_goes_in_short_pieces(display):
    pieces = []
    pictures = display.watch()
    while display.panel.due() <= IN_PLAY:
        before = display.bus.bytes
        display.panel.service(IN_PLAY)
        pieces.append(display.bus.bytes - before)
    assert set(pictures) == {pattern()}
    assert pieces == [28, 138, *[135] * 7, 3]
    assert max(pieces) * 9 / 100_000 < 0.013  # s, at 100 kHz
    assert display.panel.due() == 2 * IN_PLAY


def test_at_rest_a_lit_display_is_touched_up_and_refreshed_in_turn_and_costs_125_bytes_a_second(display):
    display.serve(0.0, 60.0)
    began, before = display.panel.due(), display.bus.bytes
    times = display.serve(began, began + 120.0)
    assert {later - earlier for earlier, later in pairwise(times)} == {0.0, AT_REST / 2}
    assert len(set(times)) <= 26  # wake-ups of the loop in two minutes
    assert (display.bus.bytes - before) / 120.0 <= 125.0
    assert not any("ae" in sent for sent in display.sent() if sent.startswith("00"))


@pytest.mark.parametrize(("changes", "touch_ups"), [
    ([], []),
    ([0.5], [1.5]),
    ([0.1, 0.5, 0.75], [1.75]),  # a second after the last
    ([0.1, 1.0, 1.9, 2.8, 3.2], [3.1, 4.2]),  # or three after the first
])  # fmt: skip
def test_a_change_is_followed_by_a_touch_up(display, changes, touch_ups):
    times = []
    for change in changes:
        times += display.serve(0.0, change)
        display.panel.show_frame(marked(pattern(), [(1, int(10 * change))]), ON, change)
    display.sent()
    assert times + display.serve(0.0, IN_PLAY - 0.1) == touch_ups
    assert display.sent()[-1:] == hexes(INIT)[: len(touch_ups)]


def test_a_module_whose_status_cannot_be_read_is_not_asked_again_and_again(display, monkeypatch):
    asked = []
    monkeypatch.setattr(display.chip, "status", lambda: asked.append(0) or 0xFF)
    for turn in range(9):
        display.panel.show_frame(marked(pattern(), [(7, turn)]), ON, 2.0 * turn + 1.0)
        display.serve(0.0, 2.0 * turn + 2.0)
    assert len(asked) == 3
    assert display.chip.picture() == marked(pattern(), [(7, 8)])


def test_a_change_during_the_refresh_of_a_browned_out_display_does_not_light_garbage(display):
    display.chip.power_on()
    pictures = display.watch()
    for _ in range(4):
        display.panel.service(IN_PLAY)
    display.panel.show_frame(marked(pattern()), ON, IN_PLAY)
    display.serve(IN_PLAY, IN_PLAY + 1.0)
    assert pictures == [Frame.blank()] * (len(pictures) - 1) + [marked(pattern())]


def test_asleep_it_is_left_alone_and_sent_again_on_waking(display):
    display.panel.show_frame(pattern(), OFF, 10.0)
    assert display.panel.due() is None
    display.panel.service(100.0)
    display.sent()
    display.chip.power_on()
    display.panel.show_frame(pattern(), ON, 20.0)
    assert (display.sent()[0], display.chip.picture()) == (INIT.replace(" ", ""), pattern())
    assert display.panel.due() == 20.0 + IN_PLAY


# Everything at once

frames = st.builds(
    lambda fill, points: marked(Frame(128, 64, bytes([fill]) * 1024), points),
    st.sampled_from([0x00, 0x00, 0x55]),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 127)), max_size=12),
)
lights = st.builds(
    Light, st.sampled_from([True, True, True, False]), st.sampled_from([0, 0x7F, 0xFF]), st.integers(0, 2)
)
steps = st.one_of(
    st.tuples(st.just("show"), frames, lights | st.just(ON)),
    st.tuples(st.just("fault"), st.integers(1, 12) | st.integers(1, 1200)),
    st.tuples(st.sampled_from(["unplug", "plug", "brown-out"])),
    st.tuples(st.just("turn"), st.booleans()),
    st.tuples(st.just("wait"), st.sampled_from([0.01, 0.3, 2.5, 61.0])),
)


@pytest.mark.more
@settings(max_examples=amount(20, 100))
@given(st.lists(steps, max_size=20), st.sampled_from(["ssd1306", "sh1106"]), st.sampled_from([0, 180]))
def test_whatever_happened_once_the_bus_works_the_picture_is_right(steps, driver, rotate):
    rig = PanelRig(driver, rotate=rotate)
    now, upside_down, frame, light = 0.0, False, None, None
    for step in steps:
        match step:
            case "show", frame, light:
                rig.panel.show_frame(frame, light, now)
            case "fault", nth:
                rig.bus.fault(nth)
            case ("unplug" | "plug" as act,):
                getattr(rig.bus, act)()
            case ("brown-out",) if not rig.bus.unplugged:
                rig.chip.power_on()
            case "turn", upside_down:
                rig.panel.turn(upside_down, now)
            case "wait", seconds:
                rig.serve(now, now + seconds, 30)
                now += seconds
    if frame is None:
        assert rig.bus.bytes == 0
        return
    rig.bus.plug()
    # All remaining faults are within the next 1200 bytes: leave time for those, the retries and a refresh.
    rig.serve(now, now + 61.0 * 5)
    assert rig.panel.healthy
    assert rig.chip.lit is light.on
    if light.on:
        shown = frame.lowered(light.lower)
        assert rig.chip.picture() == (shown if upside_down == (rotate == 180) else turned(shown))
        assert rig.chip.contrast == light.contrast
