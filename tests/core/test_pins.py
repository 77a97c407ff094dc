import pytest

from appliance.core.pins import check_pins

ROWS, COLUMNS = (17, 27, 22), (5, 6, 13)


@pytest.mark.parametrize(
    ("rows", "columns"), [(ROWS, COLUMNS), ((0, 1, 27), (4, 26, 14)), (list(ROWS), list(COLUMNS))]
)
def test_pins_that_will_do(rows, columns):
    check_pins(rows, columns, {2: "the I2C bus", 3: "the I2C bus", 18: "the buzzer"})


@pytest.mark.parametrize(
    ("rows", "columns", "sentence"),
    [
        ((17, 27), COLUMNS, "the keypad needs three row pins, not 2"),
        (ROWS, (5, 6, 13, 19), "the keypad needs three column pins, not 4"),
        ((17, 27, 17), COLUMNS, "pin 17 is used by row 1 and by row 3: each needs a pin of its own"),
        (ROWS, (5, 22, 13), "pin 22 is used by row 3 and by column 2: each needs a pin of its own"),
        ((2, 27, 22), COLUMNS, "pin 2 is used by the I2C bus and by row 1: each needs a pin of its own"),
        (ROWS, (5, 6, 18), "pin 18 is used by the buzzer and by column 3: each needs a pin of its own"),
        ((17, 28, 22), COLUMNS, "pin 28 does not exist: the header has the BCM numbers 0 to 27"),
        (ROWS, (-1, 6, 13), "pin -1 does not exist: the header has the BCM numbers 0 to 27"),
    ],
)
def test_pins_that_will_not(rows, columns, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        check_pins(rows, columns, {2: "the I2C bus", 3: "the I2C bus", 18: "the buzzer"})
