/* A page of memory in a file, shared by the wires and the programs that wait for them. */
#include <stdatomic.h>
#include <stdint.h>

#define WIRES "/run/wires/page"

struct wires {
	_Atomic uint32_t asked, done; /* counts of requested and finished updates of the levels */
	_Atomic uint32_t keys;        /* closed, bit row * 3 + column */
	_Atomic uint32_t rows_high;   /* how often a row was found driven high */
};
