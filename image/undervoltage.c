// SPDX-License-Identifier: GPL-2.0
/*
 * The firmware's undervoltage alarm, with the interface of the mainline driver
 * raspberrypi-hwmon, which Debian's arm64 kernel lacks. This one does not poll,
 * so it never wakes a box at rest: each read of the attribute asks the firmware,
 * and clears the alarm.
 */
#include <linux/bits.h>
#include <linux/hwmon.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <soc/bcm2835/raspberrypi-firmware.h>

#define HAS_OCCURRED BIT(16)
#define CLEAR_ALL 0xffff

static umode_t alarm_visible(const void *data, enum hwmon_sensor_types type, u32 attr, int channel)
{
	return 0444;
}

static int alarm_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *value)
{
	u32 throttled = CLEAR_ALL;
	int error = rpi_firmware_property(dev_get_drvdata(dev), RPI_FIRMWARE_GET_THROTTLED,
					  &throttled, sizeof(throttled));

	*value = !!(throttled & HAS_OCCURRED);
	return error;
}

static const struct hwmon_ops ops = { .is_visible = alarm_visible, .read = alarm_read };
static const struct hwmon_channel_info *const info[] = { HWMON_CHANNEL_INFO(in, HWMON_I_LCRIT_ALARM), NULL };
static const struct hwmon_chip_info chip = { .ops = &ops, .info = info };

/* The firmware's driver creates the device if the firmware has the alarm. */
static int undervoltage_probe(struct platform_device *device)
{
	void *firmware = dev_get_drvdata(device->dev.parent);

	return PTR_ERR_OR_ZERO(devm_hwmon_device_register_with_info(&device->dev, "rpi_volt", firmware, &chip, NULL));
}

static struct platform_driver undervoltage = {
	.driver = { .name = "raspberrypi-hwmon" },
	.probe = undervoltage_probe,
};
module_platform_driver(undervoltage);

MODULE_DESCRIPTION("Undervoltage alarm of a Raspberry Pi");
MODULE_LICENSE("GPL");
