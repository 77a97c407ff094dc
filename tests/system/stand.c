/* What the service finds in a container, which has no pins and no display: a display's bus, and fingers.
 *
 * LD_PRELOADed into the service before fakechip.so, which is the GPIO chip. Its I2C bus, /dev/i2c-1, acknowledges every
 * write and appends it to the file "bus", with the time. The keys that are down are read from the file "keys", by a
 * thread of its own: the program may be asleep until one moves.
 * Between the program and these files is what is between it and the devices on a Pi: gpiozero and smbus2,
 * down to the ioctls; a file that a test puts in a device's place says whether it may be opened. What is not shown here,
 * on purpose, is that the sandbox lets it open the devices: that needs devices, and a kernel of our own (tests/kernel).
 */
#define _GNU_SOURCE
#include "../chip/interpose.h"
#include <errno.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STAGE "/srv/stage/"
#define MOST 2048 /* bytes of a write */

struct stage {
	uint32_t keys;     /* down, bit row * 3 + column */
	uint32_t hang_pid; /* this process gets no answer from the bus any more */
};

struct record { /* in the file "bus", followed by the bytes */
	uint64_t nanoseconds; /* CLOCK_MONOTONIC */
	uint32_t pid;
	uint16_t address, length;
};

static pthread_once_t fingers_once = PTHREAD_ONCE_INIT;
static void (*press)(unsigned);
static volatile struct stage *stage;
static ssize_t (*next_write)(int, const void *, size_t);
static int log_fd = -1, bus_fd = -1;
static uint16_t slave;

static void on_start(void)
{
	next_write = dlsym(RTLD_NEXT, "write");
	press = dlsym(RTLD_DEFAULT, "fakechip_press");
	int fd = next_open(STAGE "keys", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		void *map = mmap(NULL, sizeof *stage, PROT_READ, MAP_SHARED, fd, 0);
		stage = map == MAP_FAILED ? NULL : map;
		next_close(fd);
	}
	log_fd = next_open(STAGE "bus", O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void *move_fingers(void *nothing)
{
	for (uint32_t pressed = 0;; usleep(2000))
		if (stage->keys != pressed)
			press(pressed = stage->keys);
	return nothing;
}

static void start_fingers(void)
{
	sigset_t every, before;
	pthread_t thread;
	if (!stage || !press)
		return;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before); /* signals are for the program */
	if (!pthread_create(&thread, NULL, move_fingers, NULL))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int write_bus(uint16_t address, const void *bytes, size_t length)
{
	struct timespec now;
	struct record record = {.pid = getpid(), .address = address, .length = length};
	uint8_t both[sizeof record + MOST];
	if (length > MOST) {
		errno = EOPNOTSUPP;
		return -1;
	}
	while (stage && stage->hang_pid == record.pid)
		pause();
	clock_gettime(CLOCK_MONOTONIC, &now);
	record.nanoseconds = now.tv_sec * 1000000000ull + now.tv_nsec;
	memcpy(both, &record, sizeof record);
	memcpy(both + sizeof record, bytes, length);
	return next_write(log_fd, both, sizeof record + length) < 0 ? -1 : 0;
}

static int bus_ioctl(unsigned long request, void *argument)
{
	const struct i2c_rdwr_ioctl_data *messages = argument;
	if (request == I2C_FUNCS) {
		*(unsigned long *)argument = I2C_FUNC_I2C;
		return 0;
	}
	if (request == I2C_SLAVE) { /* whom write() talks to */
		slave = (uintptr_t)argument;
		return 0;
	}
	if (request != I2C_RDWR) {
		errno = ENOTTY;
		return -1;
	}
	for (uint32_t i = 0; i < messages->nmsgs; i++) {
		const struct i2c_msg *message = &messages->msgs[i];
		if (message->flags & I2C_M_RD) {
			errno = EOPNOTSUPP;
			return -1;
		}
		if (write_bus(message->addr, message->buf, message->len))
			return -1;
	}
	return messages->nmsgs;
}

/* Whether a device that a test has put into the machine's /dev, beneath what stands in, may not be opened. */
static bool refused(const char *path)
{
	if (strncmp(path, "/dev/gpiochip", 13) && strncmp(path, "/dev/i2c-", 9))
		return false;
	int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == EACCES || errno == EPERM;
	next_close(fd);
	return false;
}

static int on_open(const char *path, int flags, mode_t mode)
{
	if (refused(path))
		return -1;
	if (!strcmp(path, "/dev/i2c-1") && stage && log_fd >= 0)
		return bus_fd = eventfd(0, EFD_CLOEXEC);
	if (!strncmp(path, "/dev/gpiochip", 13))
		pthread_once(&fingers_once, start_fingers);
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
	return write_bus(slave, bytes, length) ? -1 : (ssize_t)length;
}

static int on_ioctl(int fd, unsigned long request, void *argument)
{
	if (fd >= 0 && fd == bus_fd)
		return bus_ioctl(request, argument);
	return next_ioctl(fd, request, argument);
}
