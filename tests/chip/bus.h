/* A stand-in for /dev/i2c-1: it acknowledges every write, and appends it to a file.
 *
* It supports what this program uses of the kernel's I2C character device (<linux/i2c-dev.h>): I2C_SLAVE with
 * write(), I2C_FUNCS, and I2C_RDWR for writing. A source file that includes this defines on_start, on_open and
 * write_bus.
 */
#include "interpose.h"
#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct record { /* in the file, followed by the bytes */
	uint64_t nanoseconds; /* CLOCK_MONOTONIC */
	uint32_t pid;
	uint16_t address, length;
};

static int log_fd = -1; /* the file, if one is wanted */
static int bus_fd = -1;
static uint16_t slave; /* the address for write() */

static int write_bus(uint16_t address, const uint8_t *bytes, uint16_t length);

static int open_bus(void)
{
	return bus_fd = eventfd(0, EFD_CLOEXEC);
}

static int append(uint16_t address, const uint8_t *bytes, uint16_t length)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	struct record record = {now.tv_sec * 1000000000ull + now.tv_nsec, getpid(), address, length};
	struct iovec parts[] = {{&record, sizeof record}, {(void *)bytes, length}};
	return log_fd >= 0 && writev(log_fd, parts, 2) < 0 ? -1 : 0;
}

static int on_close(int fd)
{
	if (fd >= 0 && fd == bus_fd)
		bus_fd = -1;
	return next_close(fd);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
	static ssize_t (*next_write)(int, const void *, size_t);
	be_ready();
	if (fd >= 0 && fd == bus_fd)
		return write_bus(slave, bytes, length) ? -1 : (ssize_t)length;
	if (!next_write)
		next_write = dlsym(RTLD_NEXT, "write");
	return next_write(fd, bytes, length);
}

static int on_ioctl(int fd, unsigned long request, void *argument)
{
	if (fd < 0 || fd != bus_fd)
		return next_ioctl(fd, request, argument);
	const struct i2c_rdwr_ioctl_data *messages = argument;
	switch (request) {
	case I2C_SLAVE:
		slave = (uintptr_t)argument;
		return 0;
	case I2C_FUNCS:
		*(unsigned long *)argument = I2C_FUNC_I2C;
		return 0;
	case I2C_RDWR:
		for (uint32_t i = 0; i < messages->nmsgs; i++) {
			const struct i2c_msg *message = &messages->msgs[i];
			if (message->flags & I2C_M_RD) {
				errno = EOPNOTSUPP;
				return -1;
			}
			if (message->addr == 0x7f) { /* reserved: no device has it */
				errno = EREMOTEIO;
				return -1;
			}
			if (write_bus(message->addr, message->buf, message->len))
				return -1;
		}
		return messages->nmsgs;
	default:
		errno = ENOTTY;
		return -1;
	}
}
