/* A stand-in for /dev/gpiochip0 of a Raspberry Pi with nine switches wired to it, for LD_PRELOAD.
 *
 * Our own pins, or the unmodified lgpio library, open it and speak the kernel's GPIO interface (version 2,
 * <linux/gpio.h>) to it. board.h has the registers and what is wired to them, matrix.h the voltages. Edges are detected
 * from a request or a reconfiguration on, and reported as the kernel does: by events in the descriptor of the request.
 *
* It starts with the power-on pulls, and with the settings in $FAKECHIP: see set_up(). As in the kernel
 * (drivers/gpio/gpiolib.c, gpiolib-cdev.c, drivers/pinctrl/bcm/pinctrl-bcm2835.c, drivers/pinctrl/pinctrl-rp1.c):
 *   - a line that is requested or reconfigured without a bias flag keeps its pull;
 *   - an input gets its direction first and its bias second, an output the other way round;
 *   - a released line keeps its pull. It becomes an input, but with persist=1, the default in Raspberry Pi
 *     OS's kernels (persist_gpio_outputs), a released output keeps driving.
* Contradictory flags, and unused fields that are not zero, get EINVAL.
 *
 * A request is for one line, since neither our pins nor lgpio request more. Flags for open drain, active low and other
 * clocks are rejected too: nothing here models them.
 *
 * The functions named fakechip_... are for the test.
 */
#define _GNU_SOURCE
#include "board.h"
#include "interpose.h"
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#define MAX_FD 1024
#define MOMENT 1e-7 /* s, from a change of a register to the level that it makes */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fail_after = -1;  /* the ioctl after this many others fails; -1 for none */
static bool is_chip[MAX_FD]; /* the descriptors of the chip itself */
static const uint8_t revision[] = {0x00, 0xa0, 0x20, 0x82};

static void on_start(void)
{
	const char *what = getenv("FAKECHIP");
	power_on(what ? what : "");
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static void set_pull(struct line *line, uint64_t flags)
{
	if (flags & BIAS)
		line->pull = flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP     ? PULL_UP
		             : flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN ? PULL_DOWN
		                                                        : PULL_NONE;
}

/* Configure a line, in the kernel's order. */
static void configure(struct line *line, const struct gpio_v2_line_config *config)
{
	line->flags = config->flags & ~(uint64_t)EDGES;
	if (config->flags & GPIO_V2_LINE_FLAG_INPUT) {
		line->function = INPUT;
		resolve(MOMENT);
		set_pull(line, config->flags);
	} else if (config->flags & GPIO_V2_LINE_FLAG_OUTPUT) {
		set_pull(line, config->flags);
		resolve(MOMENT);
		line->value = config->num_attrs && config->attrs[0].mask & 1 && config->attrs[0].attr.values & 1;
		line->function = OUTPUT;
	}
	resolve(MOMENT); /* before edges count: the line first settles at its new level */
	line->flags |= config->flags & EDGES;
	report.armed += !!(config->flags & EDGES);
}

static int request_line(struct gpio_v2_line_request *request)
{
	int ends[2];
	report.requests++;
	if (request->num_lines != 1 || request->offsets[0] >= LINES || !makes_sense(&request->config))
		return fail(EINVAL);
	struct line *line = &lines[request->offsets[0]];
	if (line->fd >= 0 || *line->holder) {
		report.busy++;
		return fail(EBUSY);
	}
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	request->fd = line->fd = ends[0];
	line->events = ends[1];
	line->edges = 0;
	memcpy(line->holder, request->consumer, sizeof line->holder);
	configure(line, &request->config);
	return 0;
}

static int chip_ioctl(unsigned long request, void *argument)
{
	switch (request) {
	case GPIO_GET_CHIPINFO_IOCTL: {
		struct gpiochip_info *info = argument;
		*info = (struct gpiochip_info){.name = "gpiochip0", .lines = LINES};
		memcpy(info->label, label, sizeof label);
		return 0;
	}
	case GPIO_V2_GET_LINEINFO_IOCTL: {
		struct gpio_v2_line_info *info = argument;
		uint32_t offset = info->offset;
		if (offset >= LINES)
			return fail(EINVAL);
		memset(info, 0, sizeof *info);
		info->offset = offset;
		info->flags = lines[offset].flags & ~(uint64_t)DIRECTION; /* a pull is reported only if the holder requested it */
		info->flags |= lines[offset].function == OUTPUT ? GPIO_V2_LINE_FLAG_OUTPUT : GPIO_V2_LINE_FLAG_INPUT;
		info->flags |= *lines[offset].holder ? GPIO_V2_LINE_FLAG_USED : 0;
		memcpy(info->consumer, lines[offset].holder, sizeof info->consumer);
		return 0;
	}
	case GPIO_V2_GET_LINE_IOCTL:
		return request_line(argument);
	default:
		return fail(ENOTTY);
	}
}

static int line_ioctl(struct line *line, unsigned long request, void *argument)
{
	const struct gpio_v2_line_config *config = argument;
	struct gpio_v2_line_values *values = argument;
	switch (request) {
	case GPIO_V2_LINE_SET_CONFIG_IOCTL:
		if (!makes_sense(config))
			return fail(EINVAL);
		if (config->flags & DIRECTION) /* without one the line is unchanged */
			configure(line, config);
		return 0;
	case GPIO_V2_LINE_GET_VALUES_IOCTL:
		if (!(values->mask & 1))
			return fail(EINVAL);
		values->bits = level_of(line);
		return 0;
	case GPIO_V2_LINE_SET_VALUES_IOCTL:
		if (!(values->mask & 1))
			return fail(EINVAL);
		if (line->function != OUTPUT)
			return fail(EPERM);
		line->value = values->bits & 1;
		resolve(MOMENT);
		return 0;
	default:
		return fail(ENOTTY);
	}
}

/* Return the line that this descriptor holds, NULL for none. */
static struct line *line_of(int fd)
{
	for (int i = 0; fd >= 0 && i < LINES; i++)
		if (lines[i].fd == fd)
			return &lines[i];
	return NULL;
}

static void release(struct line *line)
{
	next_close(line->events);
	line->fd = line->events = -1;
	*line->holder = 0;
	line->flags = 0;
	if (!persist || line->function != OUTPUT)
		line->function = INPUT;
	report.releases++;
	resolve(MOMENT);
}

static int open_chip(void)
{
	int fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0 || fd >= MAX_FD)
		return fail(EMFILE);
	pthread_mutex_lock(&lock);
	is_chip[fd] = true;
	pthread_mutex_unlock(&lock);
	return fd;
}

static int open_revision(void)
{
	int fd = memfd_create("revision", MFD_CLOEXEC);
	if (fd >= 0 && (write(fd, revision, sizeof revision) != sizeof revision || lseek(fd, 0, SEEK_SET)))
		return fail(EIO);
	return fd;
}

static int on_open(const char *path, int flags, mode_t mode)
{
	if (!strcmp(path, "/dev/gpiochip0"))
		return open_chip();
	if (!strncmp(path, "/dev/gpiochip", 13))
		return fail(ENOENT);
	if (!strcmp(path, "/proc/device-tree/system/linux,revision"))
		return open_revision();
	return next_open(path, flags, mode);
}

static int on_close(int fd)
{
	pthread_mutex_lock(&lock);
	struct line *line = line_of(fd);
	if (line)
		release(line);
	if (fd >= 0 && fd < MAX_FD)
		is_chip[fd] = false;
	pthread_mutex_unlock(&lock);
	return next_close(fd);
}

static int on_ioctl(int fd, unsigned long request, void *argument)
{
	pthread_mutex_lock(&lock);
	bool chip = fd >= 0 && fd < MAX_FD && is_chip[fd];
	struct line *line = line_of(fd);
	bool ours = (chip || line) && _IOC_TYPE(request) == 0xB4;
	int result = 0;
	if (ours) {
		report.ioctls++;
		virtual_ns += virtual_ns ? (uint64_t)(matrix.part.call * 1e9) : 0;
		if (matrix.part.farads > 0)
			resolve(matrix.part.call);
		if (fail_after >= 0 && fail_after-- == 0)
			result = fail(EIO);
		else
			result = chip ? chip_ioctl(request, argument) : line_ioctl(line, request, argument);
	}
	pthread_mutex_unlock(&lock);
	return ours ? result : next_ioctl(fd, request, argument);
}

/* Switch the power off and on, with words for set_up(). Fails while any line is held. */
int fakechip_boot(const char *what)
{
	bool held = false;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < LINES; i++)
		held |= lines[i].fd >= 0;
	if (!held)
		power_on(what);
	pthread_mutex_unlock(&lock);
	return held ? -1 : 0;
}

/* Let all wires settle, as if there had been no call for a while. */
void fakechip_settle(void)
{
	pthread_mutex_lock(&lock);
	resolve(0);
	pthread_mutex_unlock(&lock);
}

/* Let time pass on the virtual clock, and return what it shows; nanoseconds. */
uint64_t fakechip_wait(uint64_t nanoseconds)
{
	pthread_mutex_lock(&lock);
	virtual_ns += nanoseconds;
	if (nanoseconds)
		resolve(nanoseconds * 1e-9);
	uint64_t now = virtual_ns;
	pthread_mutex_unlock(&lock);
	return now;
}

/* Close the keys whose bits are set, and open all others. */
void fakechip_press(unsigned closed)
{
	pthread_mutex_lock(&lock);
	matrix.keys = closed;
	resolve(0);
	pthread_mutex_unlock(&lock);
}

/* Make one ioctl fail with EIO: the next, or the one after `others` more. */
void fakechip_fail(int others)
{
	pthread_mutex_lock(&lock);
	fail_after = others;
	pthread_mutex_unlock(&lock);
}

/* Copy what has been counted so far. */
void fakechip_read(struct fakechip_report *out)
{
	pthread_mutex_lock(&lock);
	*out = report;
	for (int i = 0; i < PADS; i++) {
		const struct line *line = &lines[pads[i]];
		out->inputs |= (uint64_t)(line->function == INPUT) << i;
		out->watched |= (uint64_t)!!(line->flags & EDGES) << i;
		out->pulled_up |= (uint64_t)(line->pull == PULL_UP) << i;
	}
	pthread_mutex_unlock(&lock);
}
