/* The key matrix between the lines of a gpio-sim chip: `wires CHIP ROW,ROW,ROW COLUMN,COLUMN,COLUMN`.
 *
 * To the kernel gpio-sim is a real GPIO chip, with nothing soldered to it. This adds the nine switches: it asks the
 * kernel which rows are driven low, and pulls down the columns that closed keys connect to them.
 */
#define _GNU_SOURCE
#include "wires.h"
#include <err.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/futex.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct wires *wires;
static int chip, rows[3], columns[3], value_fd[3], pull_fd[3];

static int attribute(const char *chip_name, int line, const char *name, int flags)
{
	char pattern[200];
	glob_t found;
	snprintf(pattern, sizeof pattern, "/sys/devices/platform/gpio-sim.*/%s/sim_gpio%d/%s", chip_name, line, name);
	if (glob(pattern, 0, NULL, &found) || found.gl_pathc != 1)
		errx(1, "there is no %s", pattern);
	int fd = open(found.gl_pathv[0], flags | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", found.gl_pathv[0]);
	globfree(&found);
	return fd;
}

/* Whether somebody holds a line, with this flag. */
static bool is_held(int line, uint64_t flag)
{
	struct gpio_v2_line_info info = {.offset = line};
	if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info))
		err(1, "line %d", line);
	return info.flags & GPIO_V2_LINE_FLAG_USED && info.flags & flag;
}

/* Whether a row is driven low. Direction and value are two reads, so a row that has just become an input with a pull-up
 * may look driven high once. One that is driven high looks so each time. */
static bool row_is_low(int row)
{
	for (int look = 0; look < 100; look++) {
		char value = 0;
		if (!is_held(rows[row], GPIO_V2_LINE_FLAG_OUTPUT))
			return false;
		if (pread(value_fd[row], &value, 1, 0) != 1)
			err(1, "value of line %d", rows[row]);
		if (value == '0')
			return true;
	}
	wires->rows_high++;
	return false;
}

static void settle(void)
{
	unsigned keys = wires->keys;
	bool row_low[3], column_low[3] = {false};
	for (int row = 0; row < 3; row++)
		row_low[row] = row_is_low(row);
	/* A level spreads from row to column to row until it reaches no further. */
	for (int pass = 0; pass < 6; pass++)
		for (int key = 0; key < 9; key++)
			if (keys >> key & 1 && (row_low[key / 3] || column_low[key % 3]))
				row_low[key / 3] = column_low[key % 3] = true;
	for (int column = 0; column < 3; column++) {
		bool down = column_low[column] || is_held(columns[column], GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN);
		const char *pull = down ? "pull-down" : "pull-up";
		if (pwrite(pull_fd[column], pull, strlen(pull), 0) < 0)
			err(1, "pull of line %d", columns[column]);
	}
}

int main(int count, char **words)
{
	char path[64];
	if (count != 4 || sscanf(words[2], "%d,%d,%d", &rows[0], &rows[1], &rows[2]) != 3
	    || sscanf(words[3], "%d,%d,%d", &columns[0], &columns[1], &columns[2]) != 3)
		errx(2, "usage: wires CHIP ROWS COLUMNS");
	snprintf(path, sizeof path, "/dev/%s", words[1]);
	chip = open(path, O_RDWR | O_CLOEXEC);
	if (chip < 0)
		err(1, "%s", path);
	int page = open(WIRES, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (page < 0 || ftruncate(page, sizeof *wires) || fchmod(page, 0666))
		err(1, WIRES);
	wires = mmap(NULL, sizeof *wires, PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
	if (wires == MAP_FAILED)
		err(1, WIRES);
	for (int i = 0; i < 3; i++) {
		value_fd[i] = attribute(words[1], rows[i], "value", O_RDONLY);
		pull_fd[i] = attribute(words[1], columns[i], "pull", O_WRONLY);
	}
	for (;;) {
		uint32_t asked = wires->asked;
		if (asked == wires->done) {
			syscall(SYS_futex, &wires->asked, FUTEX_WAIT, asked, NULL, NULL, 0);
			continue;
		}
		settle();
		wires->done = asked;
		syscall(SYS_futex, &wires->done, FUTEX_WAKE, 1 << 20, NULL, NULL, 0);
	}
}
