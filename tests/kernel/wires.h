/* What the wires and those who wait for them share: a page of memory in a file. */
#include <stdatomic.h>
#include <stdint.h>

#define WIRES "/run/wires/page"

struct wires {
	_Atomic uint32_t asked, done; /* levels worked out are wanted, and have been, so many times */
	_Atomic uint32_t keys;        /* closed, bit row * 3 + column */
	_Atomic uint32_t rows_high;   /* times that a row was found driven high */
};
