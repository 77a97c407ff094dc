/* A stand-in for /dev/i2c-1, for LD_PRELOAD: whoever writes to it is acknowledged, and the write is noted.
 *
 * It knows what the kernel's I2C character device (<linux/i2c-dev.h>) knows and this program uses: I2C_SLAVE with
 * write(), I2C_FUNCS, and I2C_RDWR for writing. Each transaction is appended to the file that FAKEBUS_LOG names:
 * a header, then its bytes. With FAKEBUS_EXIT=n the process ends when the display has been switched on for the nth
 * time, so that what was needed until then can be measured by any tool that measures processes.
 */
#define _GNU_SOURCE
#include "../chip/interpose.h"
#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct record {
	uint64_t wall_ns; /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;  /* CLOCK_PROCESS_CPUTIME_ID: what the process has used so far */
	uint16_t address;
	uint16_t length;
};

static ssize_t (*next_write)(int, const void *, size_t);
static int bus_fd = -1, log_fd = -1;
static int exit_after; /* times that the display is switched on; 0 is never */
static uint16_t slave;

static void on_start(void)
{
	next_write = dlsym(RTLD_NEXT, "write");
	const char *path = getenv("FAKEBUS_LOG");
	if (path)
		log_fd = next_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (getenv("FAKEBUS_EXIT"))
		exit_after = atoi(getenv("FAKEBUS_EXIT"));
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void note(uint16_t address, const uint8_t *bytes, uint16_t length)
{
	struct record record = {clock_ns(CLOCK_MONOTONIC), clock_ns(CLOCK_PROCESS_CPUTIME_ID), address, length};
	struct iovec parts[] = {{&record, sizeof record}, {(void *)bytes, length}};
	if (log_fd >= 0 && writev(log_fd, parts, 2) < 0)
		abort(); /* a measurement that loses its figures is none */
	if (exit_after && length == 2 && bytes[0] == 0x00 && bytes[1] == 0xaf && --exit_after == 0)
		_exit(0);
}

static int on_open(const char *path, int flags, mode_t mode)
{
	if (!strcmp(path, "/dev/i2c-1"))
		return bus_fd = eventfd(0, EFD_CLOEXEC);
	return next_open(path, flags, mode);
}

static int on_close(int fd)
{
	if (fd >= 0 && fd == bus_fd)
		bus_fd = -1;
	return next_close(fd);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
	be_ready();
	if (fd < 0 || fd != bus_fd)
		return next_write(fd, bytes, length);
	note(slave, bytes, length);
	return length;
}

static int on_ioctl(int fd, unsigned long request, void *argument)
{
	if (fd < 0 || fd != bus_fd)
		return next_ioctl(fd, request, argument);
	const struct i2c_rdwr_ioctl_data *all = argument;
	switch (request) {
	case I2C_SLAVE:
		slave = (uintptr_t)argument;
		return 0;
	case I2C_FUNCS:
		*(unsigned long *)argument = I2C_FUNC_I2C;
		return 0;
	case I2C_RDWR:
		for (uint32_t i = 0; i < all->nmsgs; i++)
			note(all->msgs[i].addr, all->msgs[i].buf, all->msgs[i].len);
		return all->nmsgs;
	default:
		errno = ENOTTY;
		return -1;
	}
}
