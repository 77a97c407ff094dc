/* LD_PRELOADed into programs that use the simulated chip: after each change of a line, wait for the wires to settle.
 *
 * Copper takes nanoseconds; the wires of wires.c take as long as the scheduler does. This compensates for that and for
 * nothing else: no call is changed, and the kernel answers them all.
 */
#define _GNU_SOURCE
#include "../chip/interpose.h"
#include "wires.h"
#include <linux/futex.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 1024 /* descriptors */

static struct wires *wires;
static _Atomic bool is_line[MOST];

static void on_start(void)
{
	int fd = next_open(WIRES, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return;
	void *page = mmap(NULL, sizeof *wires, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	wires = page == MAP_FAILED ? NULL : page;
	next_close(fd);
}

static void settle(void)
{
	if (!wires)
		return;
	uint32_t mine = ++wires->asked, done;
	syscall(SYS_futex, &wires->asked, FUTEX_WAKE, 1, NULL, NULL, 0);
	while ((int32_t)((done = wires->done) - mine) < 0)
		syscall(SYS_futex, &wires->done, FUTEX_WAIT, done, NULL, NULL, 0);
}

/* For the test: close these keys, open all others. */
void wires_press(unsigned keys)
{
	be_ready();
	wires->keys = keys;
	settle();
}

/* For the test: return how often a row was found driven high. */
unsigned wires_rows_high(void)
{
	be_ready();
	return wires->rows_high;
}

static int on_open(const char *path, int flags, mode_t mode)
{
	return next_open(path, flags, mode);
}

static int on_ioctl(int fd, unsigned long request, void *argument)
{
	int result = next_ioctl(fd, request, argument);
	if (result < 0)
		return result;
	if (request == GPIO_V2_GET_LINE_IOCTL) {
		int line = ((struct gpio_v2_line_request *)argument)->fd;
		if (line >= 0 && line < MOST)
			is_line[line] = true;
	}
	if (request == GPIO_V2_GET_LINE_IOCTL || request == GPIO_V2_LINE_SET_VALUES_IOCTL
	    || request == GPIO_V2_LINE_SET_CONFIG_IOCTL)
		settle();
	return result;
}

static int on_close(int fd)
{
	bool line = fd >= 0 && fd < MOST && is_line[fd];
	if (line)
		is_line[fd] = false;
	int result = next_close(fd);
	if (line)
		settle();
	return result;
}
