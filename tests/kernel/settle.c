/* LD_PRELOADed into what uses the simulated chip: after each change of a line, waits until the wires have settled.
 *
 * Copper takes nanoseconds; the wires of wires.c take as long as the scheduler takes. That is all that is made good
 * here. No call is changed, and none is answered but by the kernel.
 */
#define _GNU_SOURCE
#include "wires.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 1024 /* descriptors */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int (*next_ioctl)(int, unsigned long, ...);
static int (*next_close)(int);
static struct wires *wires;
static _Atomic bool is_line[MOST];

static void start(void)
{
	next_ioctl = dlsym(RTLD_NEXT, "ioctl");
	next_close = dlsym(RTLD_NEXT, "close");
	int fd = open(WIRES, O_RDWR | O_CLOEXEC);
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
	pthread_once(&once, start);
	wires->keys = keys;
	settle();
}

/* For the test: how often a row was found driven high. */
unsigned wires_rows_high(void)
{
	pthread_once(&once, start);
	return wires->rows_high;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	pthread_once(&once, start);
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
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

int close(int fd)
{
	pthread_once(&once, start);
	bool line = fd >= 0 && fd < MOST && is_line[fd];
	if (line)
		is_line[fd] = false;
	int result = next_close(fd);
	if (line)
		settle();
	return result;
}
