"""The panel over the emulated chips: bytes, faults of the bus, brown-outs, what a person sees meanwhile."""

import logging
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.device import dummy
from luma.core.error import DeviceNotFoundError
from luma.core.render import canvas

from appliance.config import DisplayConfig
from appliance.core.canvas import Frame
from appliance.core.scene import Light
from appliance.devices.i2c import I2cSerial
from appliance.devices.images import to_frame, to_image
from appliance.devices.oled import Ssd1306 as OledSsd1306
from appliance.devices.panel import make_panel
from appliance.errors import UserError
from appliance.simulator.bus import SimulatedBus
from appliance.simulator.sh1106 import Sh1106
from appliance.simulator.ssd1306 import Ssd1306

ON, OFF = Light(on=True, contrast=0x7F), Light(on=False)
MARK = [(page, column) for page in (1, 2, 3) for column in range(24, 39)]

INIT = "00 e3e3 2e d580 a83f d300 8d14 2000 da12 d9f1 db20 a4 a6 40 a1 c8 817f"
INIT_SH1106 = "00 e3e3 d580 a83f d300 32 da12 d922 db35 a4 a6 40 a1 c8 817f"


class Bench:
    """A panel, its bus and its chip, and a log of the transactions."""

    def __init__(self, driver="ssd1306", height=64, *, chip=None, smbus_only=False, **options):
        self.bus = SimulatedBus(smbus_only=smbus_only)
        self.chip = chip or (Sh1106() if driver == "sh1106" else Ssd1306(height=height))
        self.bus.attach(options.get("address", 0x3C), self.chip)
        self.time = 0.0  # what calls of the display take is measured by this
        self.panel = make_panel(
            DisplayConfig(driver=driver, height=height, **options), lambda: self.bus, clock=lambda: self.time
        )
        self.heard = []
        self.after = lambda: None
        self.bus.listener = self.listen

    def listen(self, _, payload):
        self.heard.append(payload.hex())
        self.after()

    def sent(self):
        """Return what was sent since the last call, and forget it."""
        heard, self.heard = self.heard, []
        return heard

    def serve(self, start, end, longest=1000):
        """Call `service` whenever it is due from one time to another; return the times."""
        times = []
        now = start
        for _ in range(longest):
            due = self.panel.due()
            if due is None or due > end:
                break
            now = max(now, due)
            times.append(now)
            self.panel.service(now)
        return times


def hexes(*lines):
    return [line.replace(" ", "") for line in lines]


def pattern(height=64):
    return Frame(
        128, height, bytes((x * 5 + page * 77 + 1) % 256 for page in range(height // 8) for x in range(128))
    )


def marked(frame, points=MARK):
    data = bytearray(frame.data)
    for page, column in points:
        data[page * frame.width + column] ^= 0x3C
    return Frame(frame.width, frame.height, bytes(data))


def turned(frame):
    return Frame(
        frame.width, frame.height, bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(frame.data))
    )


@pytest.fixture
def bench():
    return Bench()


def test_the_first_frame_byte_by_byte(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    expected = hexes(INIT, "00 21007f 220007", "40" + pattern().data.hex(), "00 af")
    assert bench.sent() == expected
    assert bench.chip.picture() == pattern()
    assert bench.bus.bytes == sum(1 + len(line) // 2 for line in expected)


def test_one_mark_costs_at_most_sixty_bytes(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    before = bench.bus.bytes, bench.bus.transactions
    bench.sent()
    bench.panel.show_frame(marked(pattern()), ON, 1.0)
    content = b"".join(marked(pattern()).page(page)[24:39] for page in (1, 2, 3))
    assert bench.sent() == hexes("00 211826 220103", "40" + content.hex())
    assert (bench.bus.bytes - before[0], bench.bus.transactions - before[1]) == (55, 2)
    # The same place again: the chip's window is still set, and its pointers are back at the start.
    bench.panel.show_frame(pattern(), ON, 2.0)
    assert bench.sent() == ["40" + b"".join(pattern().page(page)[24:39] for page in (1, 2, 3)).hex()]
    assert bench.chip.picture() == pattern()


def test_what_has_not_changed_is_not_sent(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    before = bench.bus.bytes
    bench.panel.show_frame(pattern(), ON, 1.0)
    bench.panel.show_frame(Frame(128, 64, bytes(pattern().data)), Light(on=True, contrast=0x7F), 2.0)
    assert bench.bus.bytes == before


def test_contrast_and_light_alone(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.sent()
    for light, sent, lit in [
        (Light(contrast=5), ["00 8105"], True),
        (OFF, ["00 ae"], False),
        (Light(on=False, contrast=9), [], False),
        (Light(contrast=9), ["00 8109", "00 af"], True),
    ]:
        bench.panel.show_frame(pattern(), light, 1.0)
        assert (bench.sent(), bench.chip.lit) == (hexes(*sent), lit)
    assert bench.chip.contrast == 9


def test_dark_before_the_frame_goes_and_lit_after_it_has_come(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.sent()
    bench.panel.show_frame(marked(pattern(), [(0, 0)]), OFF, 1.0)
    assert bench.sent()[0] == "00ae"
    bench.panel.show_frame(pattern(), ON, 2.0)
    assert bench.sent()[-1] == "00af"


@pytest.mark.parametrize(
    ("driver", "height", "init", "whole", "mark"),
    [("ssd1306", 64, INIT, 1065, 55), ("ssd1306", 32, INIT, 553, 55), ("sh1106", 64, INIT_SH1106, 1107, 66)],
)
@pytest.mark.parametrize("address", [0x3C, 0x3D])
@pytest.mark.parametrize("rotate", [0, 180])
def test_every_kind_of_display(driver, height, init, whole, mark, address, rotate):
    bench = Bench(driver, height, address=address, rotate=rotate)
    frame = pattern(height)
    seen = turned if rotate else lambda frame: frame
    if height == 32:
        init = init.replace("a83f", "a81f").replace("da12", "da02")
    if rotate:
        init = init.replace("a1 c8", "a0 c0")
    bench.panel.show_frame(frame, ON, 0.0)
    assert bench.chip.picture() == seen(frame)
    assert bench.sent()[0] == init.replace(" ", "")
    assert bench.bus.bytes == whole
    bench.panel.show_frame(marked(frame), ON, 1.0)
    assert bench.chip.picture() == seen(marked(frame))
    assert bench.bus.bytes == whole + mark


def test_an_adapter_that_knows_only_smbus_blocks():
    bench = Bench(smbus_only=True)
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert bench.chip.picture() == pattern()
    assert max(len(line) // 2 for line in bench.sent()) == 33


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_nothing_but_the_frame_is_ever_seen_on_a_cold_display(driver):
    bench = Bench(driver)
    seen = []
    bench.after = lambda: seen.append(bench.chip.picture())
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert seen == [Frame.blank()] * (len(seen) - 1) + [pattern()]


@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_lit_display_is_taken_over_without_going_dark(driver):
    splash = Bench(driver)
    splash.panel.show_frame(pattern(), ON, 0.0)
    bench = Bench(driver, chip=splash.chip)
    lit = []
    bench.after = lambda: lit.append(bench.chip.lit)
    bench.panel.show_frame(marked(pattern()), ON, 0.0)
    assert all(lit)
    assert bench.chip.picture() == marked(pattern())


def test_the_last_frame_stays_lit_after_close(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.panel.close()
    assert bench.chip.picture() == pattern()


# Turned by the person


def test_turning_is_done_by_the_chip_in_the_dark(bench):
    bench.panel.turn(False, 0.0)
    assert bench.panel.due() is None
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert bench.chip.picture() == pattern()
    seen = []
    bench.after = lambda: seen.append(bench.chip.picture())
    bench.panel.turn(True, 1.0)
    assert bench.chip.picture() == turned(pattern())
    assert set(seen) == {Frame.blank(), turned(pattern())}
    bench.sent()
    bench.panel.turn(True, 2.0)
    assert bench.sent() == []
    bench.panel.turn(False, 3.0)
    assert bench.chip.picture() == pattern()


def test_turned_before_the_first_frame(bench):
    bench.panel.turn(True, 0.0)
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert bench.chip.picture() == turned(pattern())


# Faults


def test_an_outage_is_told_once_and_tried_with_growing_pauses(bench, caplog):
    caplog.set_level(logging.INFO)
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert bench.panel.healthy
    bench.bus.unplug()
    for step in range(100):
        bench.panel.show_frame(marked(pattern(), [(0, step)]), ON, 1.0 + step * 0.001)
    assert not bench.panel.healthy
    before = bench.bus.transactions
    times = bench.serve(1.1, 30.0)
    assert times == pytest.approx([1.25, 1.75, 2.75, 4.75, 8.75, 13.75, 18.75, 23.75, 28.75])
    assert bench.bus.transactions - before == len(times)  # a try is one address byte that nobody answers
    bench.bus.plug()
    bench.serve(30.0, 34.0)
    assert bench.panel.healthy
    assert bench.chip.picture() == marked(pattern(), [(0, 99)])
    name = "the display (ssd1306 at 0x3c on bus 1)"
    assert [(record.levelname, record.message) for record in caplog.records] == [
        (
            "WARNING",
            f"{name} does not answer ([Errno 121] Remote I/O error); the game goes on without it",
        ),
        ("INFO", f"{name} is back after 32.8 s"),
    ]


def test_the_pauses_begin_anew_with_each_outage(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    for start in (1.0, 101.0):
        bench.bus.unplug()
        bench.panel.show_frame(marked(pattern(), [(0, int(start))]), ON, start)
        assert bench.panel.due() == start + 0.25
        bench.bus.plug()
        bench.serve(start, start + 0.25)
        assert bench.panel.healthy


def test_while_it_is_lost_frames_do_not_touch_the_bus_before_the_next_try(bench):
    bench.bus.unplug()
    bench.panel.show_frame(pattern(), ON, 0.0)
    before = bench.bus.bytes
    bench.bus.plug()
    bench.panel.show_frame(marked(pattern()), ON, 0.2)
    bench.panel.service(0.24)
    assert bench.bus.bytes == before
    bench.panel.show_frame(pattern(), ON, 0.25)
    assert bench.chip.picture() == pattern()


def test_no_bus_at_the_start(caplog):
    panel = make_panel(DisplayConfig(port=99), clock=lambda: 0.0)
    panel.show_frame(pattern(), ON, 0.0)
    assert not panel.healthy
    assert "there is no /dev/i2c-99" in caplog.text
    panel.service(0.25)
    assert panel.due() == 0.75
    panel.close()


@pytest.mark.parametrize("nth", [1, 2, 3, 5, 20, 40, 100, 1063, 1064, 1065])
@pytest.mark.parametrize("driver", ["ssd1306", "sh1106"])
def test_a_fault_on_any_byte_is_healed_by_one_retry(driver, nth):
    bench = Bench(driver)
    bench.bus.fault(nth)
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert not bench.panel.healthy
    bench.panel.service(0.25)
    assert bench.panel.healthy
    assert bench.chip.picture() == pattern()
    assert bench.chip.lit


def test_close_survives_a_bus_that_does_not():
    class Bus(SimulatedBus):
        def close(self):
            raise OSError("gone")

    panel = make_panel(DisplayConfig(), Bus)
    panel.show_frame(pattern(), ON, 0.0)
    panel.close()
    assert not panel.healthy


# Refreshing


def test_a_brown_out_without_an_error_is_healed_while_idle(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.chip.power_on()
    bench.panel.show_frame(marked(pattern()), ON, 5.0)  # into the garbage, and in page mode: nobody notices
    assert not bench.chip.lit
    seen = []
    bench.after = lambda: seen.append(bench.chip.picture())
    assert bench.serve(5.0, 60.0) == [6.0]  # the chip says that it was reset
    assert bench.chip.picture() == marked(pattern())
    assert set(seen) == {Frame.blank(), marked(pattern())}


def test_a_refresh_of_a_well_display_shows_nothing_and_goes_in_short_pieces(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    seen, pieces = [], []
    bench.after = lambda: seen.append(bench.chip.picture())
    while bench.panel.due() <= 60.0:
        before = bench.bus.bytes
        bench.panel.service(60.0)
        pieces.append(bench.bus.bytes - before)
    assert set(seen) == {pattern()}
    assert pieces == [28, 138, *[135] * 7, 3]
    assert bench.bus.seconds(max(pieces)) < 0.013
    assert bench.panel.due() == 120.0


def test_changes_go_between_the_pieces_of_a_refresh(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.panel.service(60.0)
    bench.panel.service(60.0)
    bench.panel.show_frame(marked(pattern(), [(0, 0), (7, 7)]), Light(contrast=3), 60.1)
    assert bench.chip.picture() == marked(pattern(), [(0, 0), (7, 7)])
    bench.serve(60.1, 62.0)
    assert bench.panel.due() == 120.1
    assert (bench.chip.picture(), bench.chip.contrast) == (marked(pattern(), [(0, 0), (7, 7)]), 3)


@pytest.mark.parametrize(
    ("changes", "touch_ups"),
    [
        ([], []),
        ([5.0], [6.0]),
        ([5.0, 5.5, 6.25], [7.25]),  # a second after the last
        ([5.0, 5.9, 6.8, 7.7, 8.6, 9.5], [8.0, 10.5]),  # or three after the first
    ],
)
def test_a_change_is_followed_by_a_touch_up(bench, changes, touch_ups):
    bench.panel.show_frame(pattern(), ON, 0.0)
    times = []
    for change in changes:
        times += bench.serve(0.0, change)
        bench.panel.show_frame(marked(pattern(), [(1, int(10 * change))]), ON, change)
    bench.sent()
    assert times + bench.serve(0.0, 50.0) == touch_ups
    page = (0 if len(touch_ups) < 2 else 1) if touch_ups else None
    expected = [INIT, f"00 21007f 220{page}0{page}", None] if touch_ups else []
    for line, want in zip(bench.sent(), expected, strict=True):
        assert want is None or line == want.replace(" ", "")


def test_the_pages_are_touched_up_in_turn(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.chip._memory[:] = bytes(1024)
    for turn in range(8):
        assert bench.chip.picture().data[: 128 * turn] == marked(pattern(), [(7, 0)]).data[: 128 * turn]
        bench.panel.show_frame(marked(pattern(), [(7, 0)] * (1 - turn % 2)), ON, 2.0 * turn)
        bench.serve(0.0, 2.0 * turn + 1.0)
    assert bench.chip.picture() == pattern()


def test_a_module_whose_status_cannot_be_read_is_not_asked_again_and_again(bench, monkeypatch):
    asked = []
    monkeypatch.setattr(bench.chip, "status", lambda: asked.append(0) or 0xFF)
    bench.panel.show_frame(pattern(), ON, 0.0)
    for turn in range(9):
        bench.panel.show_frame(marked(pattern(), [(7, turn)]), ON, 2.0 * turn + 1.0)
        bench.serve(0.0, 2.0 * turn + 2.0)
    assert len(asked) == 3
    assert bench.chip.picture() == marked(pattern(), [(7, 8)])


def test_a_change_during_the_refresh_of_a_browned_out_display_does_not_light_garbage(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.chip.power_on()
    seen = []
    bench.after = lambda: seen.append(bench.chip.picture())
    for _ in range(4):
        bench.panel.service(60.0)
    bench.panel.show_frame(marked(pattern()), ON, 60.0)
    bench.serve(60.0, 61.0)
    assert seen == [Frame.blank()] * (len(seen) - 1) + [marked(pattern())]


def test_an_outage_during_a_refresh(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.panel.service(60.0)
    bench.bus.unplug()
    bench.panel.service(60.0)
    assert not bench.panel.healthy
    bench.bus.plug()
    bench.serve(60.0, 61.0)
    assert bench.chip.picture() == pattern()


def test_asleep_it_is_left_alone_and_sent_whole_on_waking(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.panel.show_frame(pattern(), OFF, 10.0)
    assert bench.panel.due() is None
    bench.panel.service(100.0)
    bench.sent()
    bench.panel.show_frame(pattern(), ON, 20.0)  # a nap: all is as it was
    assert bench.sent() == hexes("00 af")
    bench.panel.show_frame(pattern(), OFF, 30.0)
    bench.chip.power_on()
    bench.panel.show_frame(pattern(), ON, 1000.0)
    assert bench.chip.picture() == pattern()
    assert bench.panel.due() == 1060.0


def test_falling_asleep_during_a_refresh(bench):
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.panel.service(60.0)
    bench.panel.show_frame(pattern(), OFF, 60.0)
    assert bench.panel.due() is None
    bench.panel.show_frame(pattern(), ON, 61.0)
    bench.serve(61.0, 62.0)
    assert bench.chip.picture() == pattern()
    assert bench.panel.due() == 122.0 - 1.0


def test_nothing_is_due_before_the_first_frame(bench):
    bench.panel.service(0.0)
    assert bench.panel.due() is None
    assert bench.sent() == []


# Everything at once

frames = st.builds(
    lambda fill, points: marked(Frame(128, 64, bytes([fill]) * 1024), points),
    st.sampled_from([0x00, 0x00, 0x55]),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 127)), max_size=12),
)
lights = st.builds(
    Light,
    st.sampled_from([True, True, True, False]),
    st.sampled_from([0, 0x7F, 0xFF]),
    st.sampled_from([0, 1, 2]),
)
steps = st.one_of(
    st.tuples(st.just("show"), frames, lights),
    st.tuples(st.just("show"), frames, st.just(ON)),
    st.tuples(st.just("fault"), st.integers(1, 1200)),
    st.tuples(st.just("fault"), st.integers(1, 12)),
    st.tuples(st.sampled_from(["unplug", "plug", "brown-out"])),
    st.tuples(st.just("turn"), st.booleans()),
    st.tuples(st.just("wait"), st.sampled_from([0.01, 0.3, 2.5, 61.0])),
)


@pytest.mark.untraced
@settings(max_examples=100, deadline=None)
@given(st.lists(steps, max_size=20), st.sampled_from(["ssd1306", "sh1106"]), st.sampled_from([0, 180]))
def test_whatever_happened_once_the_bus_is_well_the_picture_is_right(steps, driver, rotate):
    bench = Bench(driver, rotate=rotate)
    now, upside_down, frame, light = 0.0, False, None, None
    for step in steps:
        match step:
            case "show", frame, light:
                bench.panel.show_frame(frame, light, now)
            case "fault", nth:
                bench.bus.fault(nth)
            case ("unplug",):
                bench.bus.unplug()
            case ("plug",):
                bench.bus.plug()
            case ("brown-out",):
                if not bench.bus.unplugged:
                    bench.chip.power_on()
            case "turn", upside_down:
                bench.panel.turn(upside_down, now)
            case "wait", seconds:
                bench.serve(now, now + seconds, 30)
                now += seconds
    if frame is None:
        assert bench.bus.bytes == 0
        return
    bench.bus.plug()
    # Every fault to come is within the next 1200 bytes: time for those, for the retries, and for a refresh.
    bench.serve(now, now + 61.0 * 5)
    assert bench.panel.healthy
    assert bench.chip.lit is light.on
    if light.on:
        seen = frame.lowered(light.lower)
        seen = seen if upside_down == (rotate == 180) else turned(seen)
        assert bench.chip.picture() == seen
        assert bench.chip.contrast == light.contrast


# As a luma device, and other luma devices


def test_luma_users_can_draw_on_it():
    bus, chip = SimulatedBus(), Ssd1306()
    bus.attach(0x3C, chip)
    device = OledSsd1306(I2cSerial(lambda: bus, 0x3C), 128, 64, 0)
    with canvas(device) as draw:
        draw.rectangle((10, 20, 19, 29), fill="white")
    box = {(x, y) for x in range(10, 20) for y in range(20, 30)}
    shown = chip.picture()
    assert {(x, y) for x in range(128) for y in range(64) if shown.pixel(x, y)} == box
    before = bus.bytes
    with canvas(device) as draw:
        draw.rectangle((10, 20, 19, 30), fill="white")
    assert chip.picture().pixel(10, 30)
    assert bus.bytes - before == 20
    with pytest.raises(ValueError, match="128x32 for a display of 128x64"):
        device.update(Frame.blank(128, 32), ON)
    device.cleanup()
    assert chip.lit


@given(st.sampled_from([32, 64]), st.integers(0, 2**32))
def test_images_and_frames_are_the_same_pictures(height, seed):
    import random  # noqa: PLC0415 - only here

    frame = Frame(128, height, random.Random(seed).randbytes(16 * height))
    image = to_image(frame)
    assert image.size == (128, height)
    for x, y in [(0, 0), (127, 0), (0, height - 1), (127, height - 1), (77, 13), (8, 9)]:
        assert bool(image.getpixel((x, y))) == frame.pixel(x, y)
    assert to_frame(image) == frame


class Recording(dummy):
    """A luma device that writes down what it is told."""

    log = None
    fault = None

    def __init__(self, width=128, height=64, **options):
        if Recording.fault:
            raise Recording.fault
        super().__init__(width, height, **options)
        Recording.log.append("made")

    def display(self, image):
        super().display(image)
        Recording.log.append("display")
        Recording.shown = self.image

    def command(self, *cmd):
        Recording.log.append(bytes(cmd).hex())
        if Recording.fault:
            raise Recording.fault


class Small(Recording):
    """A device of another size than it is asked for."""

    def __init__(self, **_options):
        super().__init__(64, 48)


class Wired(Recording):
    """A device that is made over a serial, as luma's hardware drivers are."""

    def __init__(self, serial_interface=None, **options):
        super().__init__(serial_interface=serial_interface, **options)


@pytest.fixture
def recording():
    Recording.log, Recording.fault = [], None
    return Recording


def any_panel(name, open_bus=None, **options):
    return make_panel(DisplayConfig(driver=f"{__name__}:{name}", **options), open_bus, clock=lambda: 0.0)


def test_any_luma_device_is_shown_whole_images(recording):
    panel = any_panel("Recording")
    assert recording.log == []
    panel.show_frame(pattern(), ON, 0.0)
    assert recording.log == ["made", "display", "817f", "af"]
    assert to_frame(recording.shown.convert("1")) == pattern()
    panel.show_frame(marked(pattern()), ON, 1.0)
    panel.show_frame(marked(pattern()), OFF, 2.0)
    panel.show_frame(marked(pattern()), ON, 3.0)
    assert recording.log[4:] == ["display", "ae", "817f", "af"]
    panel.turn(True, 4.0)
    assert to_frame(recording.shown.convert("1")) == turned(marked(pattern()))
    panel.close()
    assert recording.log[-1] == "af"  # neither hidden nor cleared


def test_any_luma_device_mounted_upside_down(recording):
    panel = any_panel("Recording", rotate=180)
    panel.show_frame(pattern(), ON, 0.0)
    assert to_frame(recording.shown.convert("1")) == turned(pattern())


def test_any_luma_device_of_another_size_shows_what_fits(recording):
    any_panel("Small").show_frame(pattern(), ON, 0.0)
    assert recording.shown.size == (64, 48)
    part = to_image(pattern()).crop((0, 0, 64, 48))
    assert to_frame(recording.shown.convert("1")) == to_frame(part)


def test_any_luma_device_is_made_again_after_a_fault_and_shown_again_when_idle(recording):
    panel = any_panel("Recording")
    panel.show_frame(pattern(), ON, 0.0)
    panel.service(60.0)
    panel.service(60.0)
    assert recording.log[4:] == ["display"]
    recording.fault = DeviceNotFoundError("not found")
    panel.show_frame(pattern(), OFF, 61.0)
    assert not panel.healthy
    panel.service(61.25)
    panel.show_frame(pattern(), ON, 61.5)
    recording.fault = None
    panel.service(62.0)
    assert panel.healthy
    assert recording.log[5:] == ["ae", "made", "display", "817f", "af"]


def test_no_luma_device_is_made_for_a_display_that_does_not_answer(recording):
    bus = SimulatedBus()
    panel = any_panel("Wired", open_bus=lambda: bus)
    panel.show_frame(pattern(), ON, 0.0)
    assert (recording.log, panel.healthy) == ([], False)
    bus.attach(0x3C, Ssd1306())
    panel.service(0.25)
    assert recording.log == ["made", "display", "817f", "af"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Pillow, in luma's own display()
def test_a_stock_driver_by_name_over_the_same_bus():
    bench = Bench("luma.oled.device:ssd1306", chip=Ssd1306())
    bench.bus.unplug()
    bench.panel.show_frame(pattern(), ON, 0.0)
    assert (bench.panel.healthy, bench.bus.bytes) == (False, 1)
    bench.bus.plug()
    bench.panel.service(0.25)
    assert bench.chip.picture() == pattern()
    bench.panel.show_frame(marked(pattern()), ON, 1.0)
    assert bench.chip.picture() == marked(pattern())


@pytest.mark.parametrize(
    ("driver", "height", "message"),
    [
        ("ssd1306", 48, "ssd1306 is 128x64 or 128x32, not 128x48"),
        ("sh1106", 32, "sh1106 is 128x64, not 128x32"),
    ],
)
def test_sizes_that_our_drivers_do_not_have(driver, height, message):
    with pytest.raises(UserError, match=message):
        make_panel(DisplayConfig(driver=driver, height=height))


class Broken(Recording):
    """A driver that fails in whatever way."""

    def display(self, _image):
        raise ZeroDivisionError("1 / 0")


def not_a_class():
    """Stand for a driver that takes other arguments than a luma device."""


@pytest.mark.parametrize(
    ("driver", "options", "problem"),
    [
        ("nosuch.module:thing", {}, "thing cannot be imported (No module named 'nosuch'); install the pack"),
        ("luma.core.device:nothing", {}, "luma.core.device:nothing cannot be imported"),
        ("luma.oled.device:sh1107", {}, "cannot be used (display: width and height do not suit the driver"),
        ("luma.oled.device:ssd1306", {"width": 77}, "Unsupported display mode: 77 x 64"),
        (f"{__name__}:Broken", {}, "cannot be used (ZeroDivisionError: 1 / 0)"),
        (f"{__name__}:not_a_class", {}, "cannot be used (TypeError: not_a_class() got an unexpected keyword"),
        ("antigravity_:x:y", {}, "cannot be imported"),
    ],
)
def test_a_driver_that_cannot_be_used_is_reported_once(recording, caplog, driver, options, problem):
    bus = SimulatedBus()
    bus.attach(0x3C, Ssd1306())
    panel = make_panel(DisplayConfig(driver=driver, **options), lambda: bus, clock=lambda: 0.0)
    tries = [0.0]
    panel.show_frame(pattern(), ON, 0.0)
    while len(tries) < 6:
        tries.append(panel.due())
        panel.show_frame(marked(pattern()), ON, tries[-1] - 1.0)
        panel.service(tries[-1])
    assert [later - earlier for earlier, later in pairwise(tries)] == [60, 120, 240, 480, 960]
    assert problem in panel.problem
    assert [record.message for record in caplog.records] == [f"{panel.problem}; the game goes on without it"]
    panel.close()


def test_a_driver_may_be_installed_later(recording, monkeypatch):
    panel = any_panel("Late")
    panel.show_frame(pattern(), ON, 0.0)
    assert "Late cannot be imported" in panel.problem
    monkeypatch.setattr(f"{__name__}.Late", recording, raising=False)
    panel.service(60.0)
    assert (panel.healthy, panel.problem) == (True, "")


@pytest.mark.parametrize("options", [{}, {"driver": "sh1106"}, {"height": 32}, {"rotate": 180}], ids=str)
@pytest.mark.parametrize("lower", [0, 1, 2])
def test_a_picture_stands_lower_by_a_register_where_there_is_one(options, lower):
    bench = Bench(options.pop("driver", "ssd1306"), options.pop("height", 64), **options)
    height = bench.chip.height
    frame = Frame(128, height, bytes(range(128)) * (height // 8)).lowered(0)
    shown = Frame(
        128, height, bytes(128 * height // 8 - 128) + bytes([1] * 128)
    )  # the last page but two rows
    for picture in (frame, shown):
        bench.panel.show_frame(picture, Light(lower=lower), 1.0)
        upright = bench.chip.picture().data
        if options:
            upright = bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(upright))
        assert upright == picture.lowered(lower).data
    bench.sent()
    bench.panel.show_frame(shown, Light(lower=lower + 1), 2.0)
    assert len(bench.sent()) == 1 if height == 64 else True
    assert list(bench.panel._display.refresh()) is not None
    assert bench.chip.lit


def test_a_display_that_never_rests_is_refreshed_all_the_same():
    bench = Bench()
    bench.panel.show_frame(pattern(), ON, 0.0)
    bench.chip.power_on()  # a brown-out, of which the bus says nothing
    for tenths in range(1, 1300):
        now = tenths / 10
        bench.panel.show_frame(marked(pattern(), [(0, tenths % 128)]), ON, now)
        bench.serve(now, now)
    assert bench.chip.lit
    assert bench.chip.picture() == marked(pattern(), [(0, tenths % 128)])
