/* A stand-in for /dev/gpiochipN with nine switches wired to it, for LD_PRELOAD.
 *
 * The unmodified lgpio library opens it and speaks the kernel's GPIO interface (version 2, <linux/gpio.h>) to it.
 * Levels are those of the wires: closing key (r, c) joins row r and column c. What must never happen is counted:
 * shorts, rows driven high, armed edges, reads of a wire that nothing drives or pulls.
 *
 * Settings, from the environment:
 *   FAKECHIP_NUMBER    the N of /dev/gpiochipN (0); no other gpiochip exists
 *   FAKECHIP_LABEL     what the chip calls itself (pinctrl-bcm2835)
 *   FAKECHIP_ROWS      BCM numbers, from the top (17,27,22)
 *   FAKECHIP_COLUMNS   BCM numbers, from the left (5,6,13)
 *   FAKECHIP_REVISION  the Raspberry Pi's revision code, hexadecimal (a02082, a Pi 3B), which gpiozero asks for
 *
 * The functions named fakechip_... are for the test.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINES 54
#define NODES 6 /* three rows, then three columns */
#define BIAS (GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN | GPIO_V2_LINE_FLAG_BIAS_DISABLED)
#define EDGES (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING)
#define DIRECTION (GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_OUTPUT)
#define KNOWN (GPIO_V2_LINE_FLAG_ACTIVE_LOW | GPIO_V2_LINE_FLAG_OPEN_DRAIN | GPIO_V2_LINE_FLAG_OPEN_SOURCE \
               | BIAS | EDGES | DIRECTION)

struct fakechip_report {
	uint64_t ioctls;       /* all of them, on the chip and on lines */
	uint64_t requests;     /* of which: lines requested */
	uint64_t infos;        /* ... lines asked about */
	uint64_t gets;         /* ... levels read */
	uint64_t sets;         /* ... levels set */
	uint64_t releases;     /* lines released, by close() */
	uint64_t shorts;       /* changes that left a line driven high joined to one driven low */
	uint64_t rows_high;    /* changes that left a row driven high */
	uint64_t edges_armed;  /* lines requested with edge detection */
	uint64_t floating;     /* reads of a wire without a level */
	uint64_t inputs;       /* the rows and columns that are inputs now, a bit each, rows first */
};

enum level { LOW, HIGH, FLOATING };

struct line {
	int fd;         /* -1 while nobody holds the line */
	uint64_t flags; /* GPIO_V2_LINE_FLAG_..., of the last holder: a released line is an input and keeps its bias */
	bool value;     /* what it drives while it is an output */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct line lines[LINES];
static int nodes[NODES];
static enum level levels[NODES];
static unsigned keys;       /* closed, bit r * 3 + c */
static int fail_after = -1; /* the ioctl after this many others fails; -1 for none */
static int chip_fd = -1;
static char chip_path[32], label[GPIO_MAX_NAME_SIZE];
static uint32_t revision;
static struct fakechip_report report;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_ioctl)(int, unsigned long, ...);

static const char *setting(const char *name, const char *otherwise)
{
	const char *value = getenv(name);
	return value ? value : otherwise;
}

static void three_numbers(const char *text, int *numbers)
{
	if (sscanf(text, "%d,%d,%d", &numbers[0], &numbers[1], &numbers[2]) != 3) {
		fprintf(stderr, "fakechip: '%s' is not three pins\n", text);
		abort();
	}
}

static void start(void)
{
	real_open = dlsym(RTLD_NEXT, "open");
	real_close = dlsym(RTLD_NEXT, "close");
	real_ioctl = dlsym(RTLD_NEXT, "ioctl");
	for (int i = 0; i < LINES; i++)
		lines[i] = (struct line){.fd = -1, .flags = GPIO_V2_LINE_FLAG_INPUT};
	for (int i = 0; i < NODES; i++)
		levels[i] = FLOATING;
	three_numbers(setting("FAKECHIP_ROWS", "17,27,22"), nodes);
	three_numbers(setting("FAKECHIP_COLUMNS", "5,6,13"), nodes + 3);
	snprintf(chip_path, sizeof chip_path, "/dev/gpiochip%s", setting("FAKECHIP_NUMBER", "0"));
	snprintf(label, sizeof label, "%s", setting("FAKECHIP_LABEL", "pinctrl-bcm2835"));
	revision = strtoul(setting("FAKECHIP_REVISION", "a02082"), NULL, 16);
}

/* Work out every wire's level. A wire is named by the lowest node on it. */
static void resolve(void)
{
	int wire[NODES];
	bool low[NODES] = {false}, high[NODES] = {false}, up[NODES] = {false}, down[NODES] = {false};
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
	if (flags & ~(uint64_t)KNOWN || (flags & DIRECTION) == DIRECTION)
		return false;
	if (flags & EDGES && !(flags & GPIO_V2_LINE_FLAG_INPUT))
		return false;
	if (flags & (GPIO_V2_LINE_FLAG_OPEN_DRAIN | GPIO_V2_LINE_FLAG_OPEN_SOURCE)
	    && !(flags & GPIO_V2_LINE_FLAG_OUTPUT))
		return false;
	return !bias || (flags & DIRECTION && !(bias & (bias - 1)));
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int request_line(struct gpio_v2_line_request *request)
{
	const struct gpio_v2_line_config *config = &request->config;
	uint64_t flags = config->flags;
	report.requests++;
	if (request->num_lines != 1 || request->offsets[0] >= LINES || !flags_make_sense(flags))
		return fail(EINVAL); /* a real chip takes groups of lines; gpiozero never asks for one */
	struct line *line = &lines[request->offsets[0]];
	if (line->fd >= 0)
		return fail(EBUSY);
	line->fd = eventfd(0, EFD_CLOEXEC);
	if (line->fd < 0)
		return -1;
	report.edges_armed += !!(flags & EDGES);
	if (!(flags & BIAS))
		flags |= line->flags & BIAS; /* without a flag the bias stays as it is */
	line->flags = flags;
	line->value = false;
	for (uint32_t i = 0; i < config->num_attrs; i++)
		if (config->attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES && config->attrs[i].mask & 1)
			line->value = config->attrs[i].attr.values & 1;
	request->fd = line->fd;
	resolve();
	return 0;
}

static int chip_ioctl(unsigned long request, void *argument)
{
	switch (request) {
	case GPIO_GET_CHIPINFO_IOCTL: {
		struct gpiochip_info *info = argument;
		memset(info, 0, sizeof *info);
		snprintf(info->name, sizeof info->name, "%s", strrchr(chip_path, '/') + 1);
		memcpy(info->label, label, sizeof label);
		info->lines = LINES;
		return 0;
	}
	case GPIO_V2_GET_LINEINFO_IOCTL: {
		struct gpio_v2_line_info *info = argument;
		uint32_t offset = info->offset;
		report.infos++;
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
	struct gpio_v2_line_values *values = argument;
	switch (request) {
	case GPIO_V2_LINE_GET_VALUES_IOCTL: {
		enum level level = level_of(line);
		report.gets++;
		report.floating += level == FLOATING;
		values->bits = (level == HIGH) & values->mask;
		return 0;
	}
	case GPIO_V2_LINE_SET_VALUES_IOCTL:
		report.sets++;
		if (!(line->flags & GPIO_V2_LINE_FLAG_OUTPUT))
			return fail(EPERM);
		line->value = values->bits & values->mask & 1;
		resolve();
		return 0;
	default:
		return fail(ENOTTY);
	}
}

static struct line *line_held_by(int fd)
{
	for (int i = 0; fd >= 0 && i < LINES; i++)
		if (lines[i].fd == fd)
			return &lines[i];
	return NULL;
}

static int open_chip(void)
{
	pthread_mutex_lock(&lock);
	chip_fd = eventfd(0, EFD_CLOEXEC);
	pthread_mutex_unlock(&lock);
	return chip_fd;
}

static int open_revision(void)
{
	uint8_t bytes[4] = {revision >> 24, revision >> 16, revision >> 8, revision};
	int fd = memfd_create("revision", MFD_CLOEXEC);
	if (fd >= 0 && (write(fd, bytes, sizeof bytes) != sizeof bytes || lseek(fd, 0, SEEK_SET)))
		return fail(EIO);
	return fd;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list rest;
	pthread_once(&once, start);
	va_start(rest, flags);
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE)
		mode = va_arg(rest, mode_t);
	va_end(rest);
	if (!strcmp(path, chip_path))
		return open_chip();
	if (!strncmp(path, "/dev/gpiochip", 13))
		return fail(ENOENT);
	if (!strcmp(path, "/proc/device-tree/system/linux,revision"))
		return open_revision();
	return real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int close(int fd)
{
	pthread_once(&once, start);
	pthread_mutex_lock(&lock);
	struct line *line = line_held_by(fd);
	if (line) {
		line->fd = -1;
		line->flags = (line->flags & BIAS) | GPIO_V2_LINE_FLAG_INPUT;
		report.releases++;
		resolve();
	}
	if (fd == chip_fd)
		chip_fd = -1;
	pthread_mutex_unlock(&lock);
	return real_close(fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list rest;
	pthread_once(&once, start);
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
	pthread_mutex_lock(&lock);
	struct line *line = line_held_by(fd);
	int result = 0;
	bool ours = line || (fd >= 0 && fd == chip_fd);
	if (ours) {
		report.ioctls++;
		if (fail_after >= 0 && fail_after-- == 0)
			result = fail(EIO);
		else
			result = line ? line_ioctl(line, request, argument) : chip_ioctl(request, argument);
	}
	pthread_mutex_unlock(&lock);
	return ours ? result : real_ioctl(fd, request, argument);
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
	for (int i = 0; i < NODES; i++)
		if (lines[nodes[i]].flags & GPIO_V2_LINE_FLAG_INPUT)
			out->inputs |= 1u << i;
	pthread_mutex_unlock(&lock);
}
