/* What fakechip_read() tells a test, or another stand-in, about the chip. */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

struct fakechip_report {
	uint64_t ioctls;       /* all of them, on the chip and on lines */
	uint64_t requests;     /* those that request lines */
	uint64_t releases;     /* lines released by close() */
	uint64_t shorts;       /* changes that left more than 16 mA in an output's driver */
	uint64_t rows_high;    /* changes that left a row driven high */
	uint64_t armed;        /* how often edge detection was switched on for a line */
	uint64_t edges;        /* events written to the descriptors of requests */
	uint64_t busy;         /* requests for a line that was held */
	uint64_t floating;     /* reads of a wire that nothing drives or pulls */
	uint64_t undefined;    /* reads of a voltage between V_IL and V_IH */
	uint64_t unpulled;     /* reads of a wire while another, or itself, was an input without a pull-up */
	uint64_t microamperes; /* the largest current through an output's driver */
	uint64_t inputs;       /* bits of the rows and columns that are inputs now, rows first */
	uint64_t watched;      /* bits of those with edge detection now */
	uint64_t pulled_up;    /* bits of those with a pull-up now */
};

#endif
