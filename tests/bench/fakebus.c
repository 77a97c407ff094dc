/* The display's bus of a box that is measured, for LD_PRELOAD.
 *
 * Each transaction is appended to the file that FAKEBUS_LOG names. With FAKEBUS_EXIT=n the process ends when the
 * display has been switched on for the nth time, so that what was needed until then can be measured by any tool that
 * measures processes.
 */
#define _GNU_SOURCE
#include "../chip/bus.h"
#include <stdlib.h>
#include <string.h>

static int exit_after; /* times that the display is switched on; 0 is never */

static void on_start(void)
{
	const char *path = getenv("FAKEBUS_LOG"), *times = getenv("FAKEBUS_EXIT");
	if (path)
		log_fd = next_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (times)
		exit_after = atoi(times);
}

static int write_bus(uint16_t address, const uint8_t *bytes, uint16_t length)
{
	int result = append(address, bytes, length);
	if (exit_after && length == 2 && bytes[0] == 0x00 && bytes[1] == 0xaf && --exit_after == 0)
		_exit(0);
	return result;
}

static int on_open(const char *path, int flags, mode_t mode)
{
	return strcmp(path, "/dev/i2c-1") ? next_open(path, flags, mode) : open_bus();
}
