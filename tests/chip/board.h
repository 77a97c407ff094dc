/* The chip's registers, the keypad wired to them, and what a test may choose about both.
 *
 * At power-on GPIO 0 to 8 are pulled up and the others down (BCM2835 ARM Peripherals, table 6-31; `pinctrl` shows the
 * same on a Pi 4 and 5), and all are inputs, unless set_up() is told otherwise. matrix.h works out the voltages.
 */
#ifndef BOARD_H
#define BOARD_H

#include "matrix.h"
#include "report.h"
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LINES 54
#define BIAS (GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN | GPIO_V2_LINE_FLAG_BIAS_DISABLED)
#define EDGES (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING)
#define DIRECTION (GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_OUTPUT)

enum function { INPUT, OUTPUT, ALTERNATE }; /* ALTERNATE: a peripheral drives it, high as a UART at rest */

struct line {
	int fd;         /* of the request that holds the line; -1 if none does */
	int events;     /* its edges are written here, and read from fd */
	uint64_t flags; /* GPIO_V2_LINE_FLAG_..., of the holder */
	enum function function;
	enum pull pull;
	bool value;     /* what it drives while it is an output */
	char holder[GPIO_MAX_NAME_SIZE]; /* the consumer of the request, or another program that holds the line; "" for none */
	uint32_t edges; /* of this request, those that were lost too */
};

static struct line lines[LINES];
static const int pads[PADS] = {17, 27, 22, 5, 6, 13};
static struct matrix matrix;
static bool persist;         /* a released output keeps driving */
static char label[GPIO_MAX_NAME_SIZE];
static int drop;             /* each edge of this many is lost; 0 for none, 1 for all */
static uint64_t virtual_ns;  /* the clock of the edges; 0 for CLOCK_MONOTONIC */
static struct fakechip_report report;

/* Return the place of a GPIO number in the matrix, or of "3v3" and "gnd". */
static int joint(const char *name)
{
	for (int i = 0; i < PADS; i++)
		if (atoi(name) == pads[i])
			return i;
	return strcmp(name, "gnd") ? PADS : PADS + 1;
}

/* Apply one word of set_up(); return whether it is known. */
static bool set_one(char *name, char *value)
{
	struct part *part = &matrix.part;
	const struct { const char *name; double *place, unit; } numbers[] = {
		{"low", &part->low, 1}, {"high", &part->high, 1}, {"up", &part->up, 1e3}, {"down", &part->down, 1e3},
		{"driver", &part->driver, 1}, {"series", &part->series, 1}, {"contact", &part->contact, 1},
		{"picofarads", &part->farads, 1e-12}, {"call", &part->call, 1e-6}, {"leak", &part->leak, 1e3},
	};
	static const char *const zones[] = {"hold", "low", "high", "random"};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (!strcmp(name, numbers[i].name)) {
			*numbers[i].place = atof(value) * numbers[i].unit;
			return true;
		}
	for (int i = 0; !strcmp(name, "zone") && i < 4; i++)
		if (!strcmp(value, zones[i])) {
			part->zone = i;
			return true;
		}
	if (!strcmp(name, "seed"))
		part->seed = atoi(value);
	else if (!strcmp(name, "persist"))
		persist = atoi(value);
	else if (!strcmp(name, "label"))
		snprintf(label, sizeof label, "%s", value);
	else if (!strcmp(name, "drop"))
		drop = atoi(value);
	else if (!strcmp(name, "clock"))
		virtual_ns = atoi(value) * 1000000000ull;
	else if (!strcmp(name, "nopull"))
		matrix.pads[joint(value)].broken = true;
	else if (!strcmp(name, "hold")) {
		char *holder = strchr(value, ':');
		snprintf(lines[atoi(value)].holder, GPIO_MAX_NAME_SIZE, "%s", holder ? holder + 1 : "another");
	}
	else if (!strcmp(name, "bridge")) {
		char *other = strchr(value, ':');
		int one = joint(value), two = other ? joint(other + 1) : 0;
		matrix.bridge[one][two] = matrix.bridge[two][one] = true;
	} else if (name[0] >= '0' && name[0] <= '9' && atoi(name) < LINES) {
		struct line *line = &lines[atoi(name)];
		line->function = strcmp(value, "alt") ? OUTPUT : ALTERNATE;
		line->value = strcmp(value, "low");
	} else
		return false;
	return true;
}

/* Choose what no datasheet promises, or what another program has left behind, by words separated by commas:
 *   low=0.8,high=2.0         V_IL and V_IH, volts; both the same for an input without a zone in between
 *   zone=hold                what an input reads between them: hold (hysteresis), low, high, random (with seed=1)
 *   up=50,down=50            the pulls, kilohms
 *   driver=50,series=0,contact=1   ohms: of an output, in each of the six wires, of a closed key
 *   picofarads=0,call=5      of each wire, and the microseconds from one ioctl to the next
*   bridge=17:27, bridge=17:3v3, bridge=5:gnd    bridged wires
 *   leak=100                 kilohms to ground, of each wire
 *   nopull=5                 a line whose pulls are broken
 *   17=low, 6=high, 13=alt   a line that is an output or serves a peripheral
 *   hold=17:spi0             a line that another program holds, by its name
 *   label=pinctrl-rp1        of the chip; pinctrl-bcm2835 by default
 *   drop=5                   every fifth edge is counted and lost; drop=1 loses all
 *   clock=1                  time starts at this second, and passes by calls and fakechip_wait() alone
 *   persist=1                a released output keeps driving
 */
static void set_up(const char *what)
{
	char copy[400], *rest = copy, *word;
	snprintf(copy, sizeof copy, "%s", what);
	while ((word = strsep(&rest, ","))) {
		char *name = strsep(&word, "=");
		if (*name && (!word || !set_one(name, word))) {
			fprintf(stderr, "fakechip: unknown setting '%s'\n", name);
			abort();
		}
	}
}

/* Report an edge if the line is watched for it. */
static void report_edge(struct line *line, uint64_t edge)
{
	if (!(line->flags & edge))
		return;
	line->edges++;
	if (drop && line->edges % drop == 0)
		return;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	struct gpio_v2_line_event event = {
		.timestamp_ns = virtual_ns ? virtual_ns : now.tv_sec * 1000000000ull + now.tv_nsec,
		.seqno = line->edges,
		.line_seqno = line->edges,
		.id = edge == GPIO_V2_LINE_FLAG_EDGE_RISING ? GPIO_V2_LINE_EVENT_RISING_EDGE
		                                            : GPIO_V2_LINE_EVENT_FALLING_EDGE,
		.offset = line - lines,
	};
	if (write(line->events, &event, sizeof event) == sizeof event)
		report.edges++; /* like the kernel's buffer, a full one drops events */
}

/* Compute every voltage some seconds after a change; 0 for when all has settled. */
static void resolve(double seconds)
{
	for (int i = 0; i < PADS; i++) {
		const struct line *line = &lines[pads[i]];
		bool high = line->function == ALTERNATE || line->value;
		matrix.pads[i].pull = line->pull;
		matrix.pads[i].drive = line->function == INPUT ? PULLED : high ? DRIVEN_HIGH : DRIVEN_LOW;
		report.rows_high += i < 3 && line->fd >= 0 && matrix.pads[i].drive == DRIVEN_HIGH;
	}
	settle(&matrix, seconds);
	report.shorts += matrix.amperes > LIMIT;
	if (matrix.amperes * 1e6 > report.microamperes)
		report.microamperes = matrix.amperes * 1e6;
	for (int i = 0; i < PADS; i++) {
		bool before = matrix.reads[i];
		if (read_pad(&matrix, i) != before)
			report_edge(&lines[pads[i]], before ? GPIO_V2_LINE_FLAG_EDGE_FALLING : GPIO_V2_LINE_FLAG_EDGE_RISING);
	}
}

/* Read a line's level. */
static bool level_of(const struct line *line)
{
	for (int i = 0; i < PADS; i++)
		if (&lines[pads[i]] == line) {
			for (int other = 0; other < PADS; other++)
				report.unpulled += matrix.pads[other].drive == PULLED && matrix.pads[other].pull != PULL_UP;
			report.floating += matrix.floats[i];
			report.undefined += !matrix.floats[i] && is_undefined(&matrix, i);
			return read_pad(&matrix, i);
		}
	return line->function == INPUT ? line->pull == PULL_UP : line->value; /* not wired to anything */
}

/* For the test: the level of a line that is not the keypad's. */
int fakechip_level(int line)
{
	return level_of(&lines[line]);
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

/* And for the rest of a configuration: unused fields are zero. */
static bool makes_sense(const struct gpio_v2_line_config *config)
{
	static const struct gpio_v2_line_config zero;
	if (config->num_attrs > GPIO_V2_LINE_NUM_ATTRS_MAX || memcmp(config->padding, zero.padding, sizeof zero.padding))
		return false;
	for (uint32_t a = 0; a < config->num_attrs; a++)
		if (config->attrs[a].attr.padding || config->attrs[a].attr.id != GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
			return false;
	size_t unused = (GPIO_V2_LINE_NUM_ATTRS_MAX - config->num_attrs) * sizeof *config->attrs;
	return !memcmp(config->attrs + config->num_attrs, zero.attrs, unused) && flags_make_sense(config->flags);
}

static void power_on(const char *what)
{
	for (int i = 0; i < LINES; i++)
		lines[i] = (struct line){.fd = -1, .events = -1, .pull = i <= 8 ? PULL_UP : PULL_DOWN};
	matrix = (struct matrix){.part = RASPBERRY_PI};
	report = (struct fakechip_report){0};
	persist = false;
	drop = 0;
	virtual_ns = 0;
	strcpy(label, "pinctrl-bcm2835");
	set_up(what);
	resolve(0);
}

#endif
