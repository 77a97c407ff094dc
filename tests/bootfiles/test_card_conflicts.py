import pytest
from bootcard import memory_card

from appliance.bootfiles.check import conflicts
from appliance.bootfiles.configtxt import MAX_LINE, parse_settings, settings_of
from appliance.bootfiles.file_table import boot_table
from appliance.bootfiles.file_table import boot_text as shipped
from appliance.config.schema import Config, DisplayConfig, KeypadConfig

MODELS = boot_table().models
OURS = shipped("tictactoe.txt")
N = OURS.count("\n")  # the tables below count lines from the end of ours


def view_of(text, model="zero2"):
    return settings_of(parse_settings(memory_card({"config.txt": text}).text), MODELS[model])


# fmt: off
FILTERS = [  # whether each applies, or may apply, to zero, zero2, 1, 2, 3, 4, 5
    ("", "yyyyyyy"), ("[pi02]", "nynnnnn"), ("[pi0]", "yynnnnn"), ("[pi0w]", "yynnnnn"), ("[pi1]", "nnynnnn"),
    ("[pi2]", "nnnynnn"), ("[pi3]", "nnnnynn"), ("[pi3+]", "nnnnynn"), ("[pi400]", "nnnnnyn"),
    ("[pi500]", "nnnnnny"), ("[cm4]", "nnnnnnn"), ("[cm1]", "nnnnnnn"), ("[none]", "nnnnnnn"),
    ("[board-type=0x12]", "yyyyyyy"), ("[0x12345678]", "yyyyyyy"), ("[gpio4=1]\n[pi5]", "nnnnnny"),
    ("[pi5]\n[all]", "yyyyyyy"), ("\n [PI4] ", "nnnnnyn"), ("[pi4]\n[pi5]", "nnnnnny"),
    ("[pi1]\n[pi2]", "nnnynnn"), ("[cm5]\n[none]\n[EDID=X]", "nnnnnnn"), ("[pi4]\n#[all]", "nnnnnyn"),
]
# fmt: on


@pytest.mark.parametrize(("filters", "applies"), FILTERS)
def test_which_models_a_filter_matches(filters, applies):
    found = ["a" in view_of(f"{filters}\na=1\n", model).parameters for model in MODELS]
    assert found == [answer == "y" for answer in applies]


def test_the_last_word_counts_and_parameters_belong_to_the_overlay_above_or_the_board():
    long = "1" * 96  # with "a=", the 98 characters that the firmware reads of a line
    found = view_of(
        "dtparam=i2c_arm=off,spi=on\r\ndtoverlay=gpio-led,gpio=19\ndtparam=gpio=20\n dtparam = i2c_arm \r\n"
        "dtoverlay=\ndtparam=gpio=21\ndtoverlay=w1-gpio\n  # dtoverlay=x\nboot_delay=1\nboot_delay=0=0\n"
        f"a={long}1\nflag"
    )
    assert [(overlay.name, dict(overlay.parameters)) for overlay in found.overlays] == [
        ("gpio-led", {"gpio": "20", "i2c_arm": ""}),
        ("w1-gpio", {}),
    ]
    parameters = {name: (one.number, one.value) for name, one in found.parameters.items()}
    board = {"i2c_arm": (4, ""), "spi": (1, "on"), "gpio": (6, "21")}
    assert parameters == board | {"boot_delay": (10, "0=0"), "a": (11, long), "flag": (12, "")}


def audit(text, model="zero2", config=None, **files):
    card = memory_card({"config.txt": text, **files})
    return [one[:4] for one in conflicts(card, [MODELS[model]], config or Config())]


@pytest.mark.parametrize("model", MODELS)
def test_our_own_lines_have_no_findings_and_the_firmware_reads_them_to_their_end(model):
    assert audit(OURS, model) == []
    assert audit("[cm4]\ndtoverlay=w1-gpio\n" + OURS, model) == []
    assert max(map(len, OURS.splitlines())) <= MAX_LINE


USED = ", which is used by "
I2C = "dtparam=i2c_arm=on: without it the I2C bus 1 is off and the display stays dark"
OUT = "an output of the firmware"
W1 = "the one-wire bus"
OFF = "turns off the display's I2C bus 1; it needs dtparam=i2c_arm=on"


def rows(table):
    """Return the rows of a table: lines of config.txt, ended by ";", and after "|" the findings."""
    for row in table.strip("\n").split("\n"):
        text, *found = (part.strip() for part in row.split("|"))
        yield text.replace(";", "\n") + "\n", found


ALONE = f"""
 | missing - {I2C}
#dtparam=i2c_arm=on | missing - {I2C}
dtparam=i2c=1
[pi5];dtparam=i2c_arm=on | missing - {I2C}
[gpio4=1];dtparam=i2c_arm=on
dtparam=i2c1=0;dtparam=i2c_vc=on | wrong {1 - N} {OFF}
"""
BELOW_OURS = f"""
dtparam=i2c_arm=off | wrong 1 {OFF}
[pi5];dtparam=i2c_arm=off
dtoverlay=gpio-shutdown | wrong 1 occupies GPIO 3 for the shutdown button{USED}the I2C bus 1
dtoverlay=gpio-led;dtparam=gpio=17 | wrong 1 occupies GPIO 17 for an LED{USED}row 1
[gpio4=1];[gpio4=0];[EDID=X];dtoverlay=w1-gpio,gpiopin=22 | wrong 4 occupies GPIO 22 for {W1}{USED}row 3
gpio=4,5=op,dh | wrong 1 occupies GPIO 5 for {OUT}{USED}column 1
gpio=6-9=op | wrong 1 occupies GPIO 6 for {OUT}{USED}column 2
gpio=5=ip,pu;gpio=x-y=op
dtparam=spi=on;enable_uart=1;dtoverlay=hifiberry-dac;dtoverlay=w1-gpio
dtparam=i2s=on,spi=on;dtoverlay=iqaudio-dac;dtoverlay=spi0-1cs
dtoverlay=gpio-led:gpio=17 | wrong 1 occupies GPIO 17 for an LED{USED}row 1
dtoverlay=spi1-2cs,cs1_pin=24
"""


@pytest.mark.parametrize(
    ("text", "found"), [*rows(ALONE), *((OURS + text, found) for text, found in rows(BELOW_OURS))]
)
def test_what_is_missing_from_config_txt_and_what_conflicts_with_the_box(text, found):
    """Findings are `status line text`; lines count from the end of ours."""
    reported = audit(text)
    assert [f"{status} {at - N if at else '-'} {words}" for status, _, at, words in reported] == found


# Overlays that occupy pins of the box by default: the model, and the pins.
BUSES = """
uart3 | 4 | 5
uart3,ctsrts | 4 | 5 6
uart3 | 5 |
uart2 | 5 | 5
uart2-pi5 | 5 | 5
uart5 | 4 | 13
i2c3 | 4 | 5
i2c3,pins_2_3 | 4 | 2 3
i2c3 | 5 | 6
i2c6 | 4 | 22
spi1-2cs | 3 | 17
spi1-3cs,cs1_pin=6,cs2_pin=13 | 3 | 6 13
sdio | 3 | 22 27
sdio,gpios_34_37 | 3 |
audremap | 3 | 13
audremap,pins_18_19=on | 3 |
w1-gpio-pullup | zero2 | 5
rotary-encoder,pin_a=6 | zero2 | 6 17
vga666 | zero2 | 2 3 5 6 13 17
vc4-kms-vga666 | zero2 | 2 3 5 6 13 17
dpi18cpadhi | 3 | 2 3 5 6 13 17 22
hyperpixel4 | 4 | 2 3 5 6 13 17 22 27
vc4-kms-dpi-hyperpixel4sq,rotate=90 | 4 | 2 3 5 6 13 17 22 27
spi0-2cs,cs0_pin=13,cs1_pin=4 | 3 | 13
spi0-0cs | 3 |
spi6-2cs | 4 | 27
spi6-1cs | 4 |
spi3-2cs,cs1_pin=22 | 4 | 2 3 22
uart0-pi5,ctsrts | 5 | 17
sdio-pi5 | 5 | 22 27
i2c-rtc-gpio,ds3231,i2c_gpio_sda=5,i2c_gpio_scl=6 | 3 | 5 6
act-led,gpio=27 | 3 | 27
"""
SCREENS = """
tft35a:rotate=90 | 3 | 17
mhs35:rotate=90 | 3 | 17
mhs35b:rotate=90 | 3 |
tft9341:rotate=270 | 3 | 17 22 27
waveshare35a | 3 | 17
waveshare35b-v2,rotate=0 | 3 | 17
waveshare32b | 3 | 17 22 27
piscreen,speed=16000000,rotate=90 | 3 | 17 22
piscreen2r | 3 | 17 22
hy28b-2017,ledgpio=13 | 3 | 13 17
tinylcd35 | 3 | 5
tinylcd35,touch,touchgpio=3,keypad | 3 | 3 17 22 27
gc9a01 | zero2 | 27
fbtft,spi0-0,ili9341,bgr,reset_pin=27,dc_pin=24,led_pin=18 | 3 | 27
mipi-dbi-spi,spi0-0;dtparam=reset-gpio=27,dc-gpio=25 | 3 | 27
ssd1306-spi,reset_pin=22 | 3 | 22
sh1106-spi | 3 |
ads7846,cs=1,penirq=17,penirq_pull=2,speed=1000000,swapxy=1,pmax=255 | 3 | 17
ads7846 | 3 |
goodix | 3 | 17
goodix,interrupt=5,reset=4 | 3 | 5
goodix_dpi,interrupt=26,reset=18 | 3 |
hd44780-lcd | 3 | 6 13
hd44780-lcd,pin_d4=23,pin_d5=24,pin_bl=5 | 3 | 5
hdmi-backlight-hwhack-gpio | 3 | 17
"""
CHIPS = """
mcp2515-can0,oscillator=16000000,interrupt=22 | 3 | 22
mcp2515,spi1-0,interrupt=6 | 3 | 6
mcp2515-can1,oscillator=8000000 | 3 |
mcp251xfd,spi0-0,interrupt=25,rx_interrupt=17 | 4 | 17
mcp23017,gpiopin=17,addr=0x27 | 3 | 17
mcp23017,gpiopin=17,noints | 3 |
mcp23017 | 3 |
cap1106,int_pin=13 | 3 | 13
cap1106 | 3 |
si446x-spi0 | 3 | 17 27
i2c-sensor,bme280 | 3 |
i2c-sensor,bno055,reset_pin=5 | 3 | 5
iqaudio-dacplus | 3 |
iqaudio-dacplus,unmute_amp | 3 | 22
iqaudio-dacplus,auto_mute_amp=on,unmute_amp=off | 3 | 22
rpi-digiampplus | 3 | 22
pisound | 3 | 13 17
pisound-pi5 | 5 | 13 17
cirrus-wm5102 | 3 | 17 22 27
merus-amp | 3 | 17
max98357a,sdmode-pin=27 | zero2 | 27
max98357a,no-sdmode,sdmode-pin=27 | zero2 |
allo-boss-dac-pcm512x-audio | 3 | 6
allo-boss2-dac-audio | 3 | 5 6
allo-digione | 3 | 5 6 17
hifiberry-digi-pro | 3 | 5 6
hifiberry-digi | 3 |
"""


@pytest.mark.parametrize(("line", "found"), list(rows(BUSES + SCREENS.lstrip("\n") + CHIPS.lstrip("\n"))))
def test_overlays_that_take_pins_of_the_box(line, found):
    model, pins = found
    reported = audit(f"{OURS}dtoverlay={line}", model)
    assert [(status, at) for status, _, at, _ in reported] == [("wrong", N + 1)] * len(pins.split())
    assert {text.split()[2] for *_, text in reported} == set(pins.split())


def test_the_box_may_use_other_pins():
    keypad = KeypadConfig(rows=(7, 8, 9), columns=(5, 6, 13))
    config = Config(buzzer=18, keypad=keypad, led=14, display=DisplayConfig(port=0))
    text = f"{OURS}dtparam=spi=on\ndtparam=i2c_vc=on\nenable_uart=1\ndtparam=i2s=on\n"
    found = {(line - N, words.split(USED)[1]) for _, _, line, words in audit(text, config=config)}
    assert found == {(1, "row 1"), (1, "row 2"), (1, "row 3"), (3, "the LED"), (4, "the buzzer")}


def test_a_bus_from_an_overlay_is_not_checked():
    assert audit("dtoverlay=i2c0-pi5\n", config=Config(display=DisplayConfig(port=10))) == []


def test_a_finding_is_reported_once_for_all_its_models():
    only_pi4 = "[pi4]\n" + OURS.replace("[all]\n", "") + "[pi5]\ngpio=5,5=op\n"
    card = memory_card({"config.txt": only_pi4})
    one, other = conflicts(card, list(MODELS.values()), Config())
    assert other.models == ("5",)
    assert one == ("missing", "config.txt", 0, I2C, ("zero", "zero2", "1", "2", "3", "5"))


@pytest.mark.parametrize(("config", "included", "settings"), [
    ("a=1\ninclude x\nb=2\n", "c=3", ["a", "include", "c", "b"]),
    ("include X\n", "c=3\n", ["include", "c"]),
    # Its own [all] does not clear the filter of the include line.
    ("[pi5]\ninclude x\n", "[all]\nc=3\n", []),
    ("[pi02]\ninclude x\n", "c=3\n[pi5]\nd=4\n", ["include", "c"]),
    ("include x\nb=2\n", "[pi5]\nc=3\n", ["include"]),  # inserted: its filter also applies below
    ("include x\nb=2\n", "[pi5]\nc=3\n[all]\n", ["include", "b"]),
    ("include x\nb=2\n", "include x\ninclude config.txt\nc=3\n", ["include"] * 3 + ["c", "b"]),
    ("include y\nb=2\n", "c=3\n", ["include", "b"]),
])  # fmt: skip
def test_included_files_are_read_where_they_are_included(config, included, settings):
    card = memory_card({"config.txt": config, "x": included})
    assert [one.key for one in settings_of(parse_settings(card.text), MODELS["zero2"]).settings] == settings


def test_what_an_included_file_does_is_reported_for_that_file():
    include, mine = "include tictactoe.txt\n", "\ndtoverlay=gpio-led,gpio=17\n"
    found = audit(include + "include mine.txt\n", **{"tictactoe.txt": OURS, "mine.txt": mine})
    assert found == [("wrong", "mine.txt", 2, f"occupies GPIO 17 for an LED{USED}row 1")]
    assert audit(include) == [("missing", "config.txt", 0, I2C)]
