/* A stand-in for /dev/gpiochip0 with nine switches wired to it, for LD_PRELOAD.
 *
 * Our own pins, or the unmodified lgpio library, open it and speak the kernel's GPIO interface (version 2,
 * <linux/gpio.h>) to it.
 * Levels are those of the wires: closing key (r, c) joins row r and column c. What must never happen is counted:
 * shorts, rows driven high, reads of a wire that nothing drives or pulls. Edges are detected from a request or a
 * reconfiguration on, and reported as the kernel does: by events in the descriptor of the request.
 *
 * It is the header's chip of a Pi 3B, with the keypad on its default pins. A request is for one line, since neither
 * our pins nor lgpio ask for more.
 *
 * The functions named fakechip_... are for the test.
 */
#define _GNU_SOURCE
#include "interpose.h"
#include <errno.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LINES 54
#define NODES 6 /* three rows, then three columns */
#define MAX_FD 1024
#define BIAS (GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN | GPIO_V2_LINE_FLAG_BIAS_DISABLED)
#define EDGES (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING)
#define DIRECTION (GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_OUTPUT)

struct fakechip_report {
	uint64_t ioctls;       /* all of them, on the chip and on lines */
	uint64_t requests;     /* of which: lines requested */
	uint64_t releases;     /* lines released, by close() */
	uint64_t shorts;       /* changes that left a line driven high joined to one driven low */
	uint64_t rows_high;    /* changes that left a row driven high */
	uint64_t armed;        /* times that edge detection was switched on for a line */
	uint64_t edges;        /* events that were put into the descriptors of requests */
	uint64_t busy;         /* requests for a line that somebody held */
	uint64_t floating;     /* reads of a wire without a level */
	uint64_t inputs;       /* the rows and columns that are inputs now, a bit each, rows first */
	uint64_t watched;      /* those with edge detection now, likewise */
	uint64_t pulled_up;    /* those with a pull-up now, likewise */
};

enum level { LOW, HIGH, FLOATING };

struct line {
	int fd;         /* of the request that holds the line; -1 while nobody does */
	int events;     /* where its edges are written to; read from fd */
	uint64_t flags; /* GPIO_V2_LINE_FLAG_..., of the last holder: a released line is an input and keeps its bias */
	bool value;     /* what it drives while it is an output */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct line lines[LINES];
static const int nodes[NODES] = {17, 27, 22, 5, 6, 13};
static enum level levels[NODES];
static unsigned keys;       /* closed, bit r * 3 + c */
static int fail_after = -1; /* the ioctl after this many others fails; -1 for none */
static bool is_chip[MAX_FD]; /* the descriptors of the chip itself */
static const uint8_t revision[] = {0x00, 0xa0, 0x20, 0x82};
static struct fakechip_report report;

static void on_start(void)
{
	for (int i = 0; i < LINES; i++)
		lines[i] = (struct line){.fd = -1, .events = -1, .flags = GPIO_V2_LINE_FLAG_INPUT};
	for (int i = 0; i < NODES; i++)
		levels[i] = FLOATING;
}

/* Report an edge to whoever watches the line. */
static void report_edge(const struct line *line, uint64_t edge)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	struct gpio_v2_line_event event = {
		.timestamp_ns = now.tv_sec * 1000000000ull + now.tv_nsec,
		.id = edge == GPIO_V2_LINE_FLAG_EDGE_RISING ? GPIO_V2_LINE_EVENT_RISING_EDGE
		                                            : GPIO_V2_LINE_EVENT_FALLING_EDGE,
		.offset = line - lines,
	};
	if (line->flags & edge && write(line->events, &event, sizeof event) == sizeof event)
		report.edges++; /* like the kernel's buffer, a full one takes no more */
}

/* Work out every wire's level. A wire is named by the lowest node on it. */
static void resolve(void)
{
	int wire[NODES];
	enum level before[NODES];
	bool low[NODES] = {false}, high[NODES] = {false}, up[NODES] = {false}, down[NODES] = {false};
	memcpy(before, levels, sizeof before);
	for (int i = 0; i < NODES; i++)
		wire[i] = i;
	for (int key = 0; key < 9; key++)
		if (keys >> key & 1) {
			int one = wire[key / 3], other = wire[3 + key % 3];
			for (int i = 0; i < NODES; i++)
				if (wire[i] == one || wire[i] == other)
					wire[i] = one < other ? one : other;
		}
	for (int i = 0; i < NODES; i++) {
		const struct line *line = &lines[nodes[i]];
		if (line->flags & GPIO_V2_LINE_FLAG_OUTPUT) {
			high[wire[i]] |= line->value;
			low[wire[i]] |= !line->value;
			report.rows_high += line->value && i < 3;
		} else {
			up[wire[i]] |= !!(line->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
			down[wire[i]] |= !!(line->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN);
		}
	}
	for (int i = 0; i < NODES; i++) {
		int w = wire[i];
		if (w == i && low[w] && high[w])
			report.shorts++;
		levels[i] = low[w] ? LOW : high[w] ? HIGH : up[w] == down[w] ? FLOATING : up[w] ? HIGH : LOW;
	}
	for (int i = 0; i < NODES; i++)
		if (levels[i] != before[i])
			report_edge(&lines[nodes[i]], levels[i] == LOW ? GPIO_V2_LINE_FLAG_EDGE_FALLING
			                       : levels[i] == HIGH ? GPIO_V2_LINE_FLAG_EDGE_RISING : 0);
}

static enum level level_of(const struct line *line)
{
	for (int i = 0; i < NODES; i++)
		if (&lines[nodes[i]] == line)
			return levels[i];
	return line->flags & GPIO_V2_LINE_FLAG_OUTPUT && line->value ? HIGH : LOW; /* not wired to anything */
}

/* The kernel's own rules for the flags of a request. */
static bool flags_make_sense(uint64_t flags)
{
	uint64_t bias = flags & BIAS;
	if (flags & ~(uint64_t)(BIAS | EDGES | DIRECTION) || (flags & DIRECTION) == DIRECTION)
		return false;
	if (flags & EDGES && !(flags & GPIO_V2_LINE_FLAG_INPUT))
		return false;
	return !bias || (flags & DIRECTION && !(bias & (bias - 1)));
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* Make a line what a config says. */
static void configure(struct line *line, const struct gpio_v2_line_config *config)
{
	/* Without a flag for it the bias stays as it is. */
	uint64_t bias = config->flags & BIAS ? 0 : line->flags & BIAS;
	line->flags = (config->flags & ~(uint64_t)EDGES) | bias;
	line->value = false;
	for (uint32_t a = 0; a < config->num_attrs; a++)
		if (config->attrs[a].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES && config->attrs[a].mask & 1)
			line->value = config->attrs[a].attr.values & 1;
	resolve(); /* before the edges count: they do once the level is the one that it asks for */
	line->flags |= config->flags & EDGES;
	report.armed += !!(config->flags & EDGES);
}

static int request_line(struct gpio_v2_line_request *request)
{
	int ends[2];
	report.requests++;
	if (request->num_lines != 1 || request->offsets[0] >= LINES || !flags_make_sense(request->config.flags))
		return fail(EINVAL);
	struct line *line = &lines[request->offsets[0]];
	if (line->fd >= 0) {
		report.busy++;
		return fail(EBUSY);
	}
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	request->fd = line->fd = ends[0];
	line->events = ends[1];
	configure(line, &request->config);
	return 0;
}

static int chip_ioctl(unsigned long request, void *argument)
{
	switch (request) {
	case GPIO_GET_CHIPINFO_IOCTL: {
		struct gpiochip_info *info = argument;
		*info = (struct gpiochip_info){.name = "gpiochip0", .label = "pinctrl-bcm2835", .lines = LINES};
		return 0;
	}
	case GPIO_V2_GET_LINEINFO_IOCTL: {
		struct gpio_v2_line_info *info = argument;
		uint32_t offset = info->offset;
		if (offset >= LINES)
			return fail(EINVAL);
		memset(info, 0, sizeof *info);
		info->offset = offset;
		info->flags = lines[offset].flags | (lines[offset].fd >= 0 ? GPIO_V2_LINE_FLAG_USED : 0);
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
	enum level level;
	switch (request) {
	case GPIO_V2_LINE_SET_CONFIG_IOCTL:
		if (!flags_make_sense(config->flags) || !(config->flags & DIRECTION))
			return fail(EINVAL);
		configure(line, config);
		return 0;
	case GPIO_V2_LINE_GET_VALUES_IOCTL:
		level = level_of(line);
		report.floating += level == FLOATING;
		values->bits = level == HIGH;
		return 0;
	case GPIO_V2_LINE_SET_VALUES_IOCTL:
		if (!(line->flags & GPIO_V2_LINE_FLAG_OUTPUT))
			return fail(EPERM);
		line->value = values->bits & 1;
		resolve();
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
	*line = (struct line){.fd = -1, .events = -1, .flags = (line->flags & BIAS) | GPIO_V2_LINE_FLAG_INPUT};
	report.releases++;
	resolve();
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
		if (fail_after >= 0 && fail_after-- == 0)
			result = fail(EIO);
		else
			result = chip ? chip_ioctl(request, argument) : line_ioctl(line, request, argument);
	}
	pthread_mutex_unlock(&lock);
	return ours ? result : next_ioctl(fd, request, argument);
}

/* Close the keys whose bits are set, and open all others. */
void fakechip_press(unsigned closed)
{
	pthread_mutex_lock(&lock);
	keys = closed;
	resolve();
	pthread_mutex_unlock(&lock);
}

/* Let one ioctl fail with EIO: the next, or the one after `others` more. */
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
	for (int i = 0; i < NODES; i++) {
		const struct line *line = &lines[nodes[i]];
		out->inputs |= !!(line->flags & GPIO_V2_LINE_FLAG_INPUT) << i;
		out->watched |= !!(line->flags & EDGES) << i;
		out->pulled_up |= !!(line->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP) << i;
	}
	pthread_mutex_unlock(&lock);
}
