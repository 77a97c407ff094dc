// SPDX-License-Identifier: GPL-2.0
/*
 * Loading this module sets the firmware's one-shot flag: the next reset starts
 * from tryboot.txt instead of config.txt. The mainline driver of the firmware's
 * mailbox cannot set the flag; Raspberry Pi's kernel sets it in reboot().
 */
#include <linux/module.h>
#include <linux/of.h>
#include <soc/bcm2835/raspberrypi-firmware.h>

#define RPI_FIRMWARE_SET_REBOOT_FLAGS 0x00038064
#define REBOOT_FLAG_TRYBOOT 1

static int __init tryboot_init(void)
{
	struct device_node *node = rpi_firmware_find_node();
	struct rpi_firmware *firmware = node ? rpi_firmware_get(node) : NULL;
	__le32 flags = cpu_to_le32(REBOOT_FLAG_TRYBOOT);
	int error;

	of_node_put(node);
	if (!firmware)
		return -ENODEV;
	error = rpi_firmware_property(firmware, RPI_FIRMWARE_SET_REBOOT_FLAGS, &flags, sizeof(flags));
	rpi_firmware_put(firmware);
	return error;
}
module_init(tryboot_init);

MODULE_DESCRIPTION("Start Raspberry Pi once from tryboot.txt");
MODULE_LICENSE("GPL");
