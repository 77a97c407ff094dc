/* Stand-ins for the service in a container, which has no pins and no display: a display's bus, and fingers.
 *
 * LD_PRELOADed into the service before fakechip.so, which is the GPIO chip. Its I2C bus, /dev/i2c-1, acknowledges every
 * write except to the reserved 0x7F, and appends it to the file "bus", with the time; what it denies is a record there
 * without an address. A thread reads the pressed keys from the file "keys", since the program may sleep until one moves,
 * and notes in it when the keys rest. The levels are fakechip's, with power-on pulls, voltages and thresholds.
 * The program uses the same code as on a Pi, gpiozero and smbus2, down to the ioctls; the permissions of a file that a
 * test puts in a device's place decide whether it may be opened. That the sandbox lets the service open the devices is
 * not tested here: that needs devices, and a kernel of our own (tests/kernel).
 */
#define _GNU_SOURCE
#include "../chip/bus.h"
#include "../chip/report.h"
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define STAGE "/srv/stage/"

struct stage {
	uint32_t keys;     /* down, bit row * 3 + column */
	uint32_t hang_pid; /* the bus no longer answers this process */
	uint32_t at_rest;  /* written here: no key is down, and the program waits for edges, so it has seen all keys up */
};

static pthread_once_t fingers_once = PTHREAD_ONCE_INIT;
static void (*press)(unsigned);
static void (*read_chip)(struct fakechip_report *);
static volatile struct stage *stage;

static void on_start(void)
{
	press = dlsym(RTLD_DEFAULT, "fakechip_press");
	read_chip = dlsym(RTLD_DEFAULT, "fakechip_read");
	int fd = next_open(STAGE "keys", O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		void *map = mmap(NULL, sizeof *stage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		stage = map == MAP_FAILED ? NULL : map;
		next_close(fd);
	}
	log_fd = next_open(STAGE "bus", O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void *move_fingers(void *nothing)
{
	struct fakechip_report report;
	for (uint32_t pressed = 0;; usleep(2000)) {
		read_chip(&report);
		stage->at_rest = !stage->keys && !pressed && report.watched;
		if (stage->keys != pressed)
			press(pressed = stage->keys);
	}
	return nothing;
}

static void start_fingers(void)
{
	sigset_t every, before;
	pthread_t thread;
	if (!stage || !press || !read_chip)
		return;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before); /* signals are for the program */
	if (!pthread_create(&thread, NULL, move_fingers, NULL))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int write_bus(uint16_t address, const uint8_t *bytes, uint16_t length)
{
	if (stage && stage->hang_pid == (uint32_t)getpid())
		append(0, NULL, 0);
	while (stage && stage->hang_pid == (uint32_t)getpid())
		pause();
	return append(address, bytes, length);
}

/* Whether the machine's own /dev, beneath the stand-in, has a device there that a test forbids to open. */
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
	if (refused(path)) {
		int why = errno;
		append(0, NULL, 0);
		errno = why;
		return -1;
	}
	if (!strcmp(path, "/dev/i2c-1") && stage && log_fd >= 0)
		return open_bus();
	if (!strncmp(path, "/dev/gpiochip", 13))
		pthread_once(&fingers_once, start_fingers);
	return next_open(path, flags, mode);
}
