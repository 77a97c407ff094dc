/* The keypad's electricity: six pads of the chip, six wires, nine switches, and the voltages on them.
 *
 * Each wire joins a pad to a row or a column, through a series resistor if there is one; a closed key joins a row's
 * wire to a column's. An output is 0 or 3.3 V behind the driver's resistance; a pull is 3.3 or 0 V behind tens of
 * kilohms. Two pulls against each other give a voltage in between, which an input reads by its thresholds. What no
 * datasheet says can be chosen: see fakechip_boot().
 *
* Sources: Compute Module datasheets, DC characteristics (V_IL 0.9 and V_IH 1.6 V, pulls 50 to 65 kilohms; on
 * the BCM2711 0.8 and 2.0 V, 33 to 73 kilohms). The driver's 50 ohms follow from V_OL 0.14 V at 2 mA, rounded down; the
 * limit of a pad, 16 mA, is the largest drive strength.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PADS 6                /* three rows, then three columns */
#define NODES (2 * PADS)      /* the pads, then the wires behind their series resistors */
#define JOINTS (PADS + 2)     /* what can be bridged: a wire, 3.3 V, ground */
#define VOLTS 3.3
#define LIMIT 0.016           /* A, through one pad */
#define TINY 1e-9             /* S: a leak, so that a wire that nothing drives has a voltage at all */

enum zone { HOLD, READ_LOW, READ_HIGH, RANDOM }; /* what an input reads between V_IL and V_IH; HOLD is hysteresis */
enum drive { PULLED, DRIVEN_LOW, DRIVEN_HIGH };
enum pull { PULL_NONE, PULL_UP, PULL_DOWN };

struct pad {
	enum drive drive;
	enum pull pull;
	bool broken; /* its pulls do nothing */
};

struct part { /* of the board, the wires and the switches; ohms, volts, farads, seconds */
	double low, high, up, down, driver, series, contact, farads, call, leak;
	enum zone zone;
	uint32_t seed;
};

struct matrix {
	struct part part;
	struct pad pads[PADS];
	unsigned keys;             /* closed, bit row * 3 + column */
	bool bridge[JOINTS][JOINTS];
	double volts[PADS];        /* now */
	bool reads[PADS];          /* what each input reads */
	bool floats[PADS];         /* nothing drives or pulls it */
	double amperes;            /* the largest current through a driver */
};

static const struct part RASPBERRY_PI = {
	.low = 0.8, .high = 2.0, .up = 50e3, .down = 50e3, .driver = 50, .contact = 1, .call = 5e-6, .zone = HOLD, .seed = 1,
};

static double larger(double one, double other)
{
	return one > other ? one : other;
}

static double size(double number)
{
	return number < 0 ? -number : number;
}

/* Solve the square system a x = b in place, by elimination with pivots. */
static void solve(double a[NODES][NODES + 1])
{
	for (int i = 0; i < NODES; i++) {
		int best = i;
		double row[NODES + 1];
		for (int j = i + 1; j < NODES; j++)
			if (size(a[j][i]) > size(a[best][i]))
				best = j;
		memcpy(row, a[i], sizeof row);
		memcpy(a[i], a[best], sizeof row);
		memcpy(a[best], row, sizeof row);
		for (int j = 0; j < NODES; j++) {
			double factor = j == i ? 0 : a[j][i] / a[i][i];
			for (int k = i; factor != 0 && k <= NODES; k++)
				a[j][k] -= factor * a[i][k];
		}
	}
	for (int i = 0; i < NODES; i++)
		a[i][NODES] /= a[i][i];
}

static void source(double a[NODES][NODES + 1], int node, double volts, double siemens)
{
	a[node][node] += siemens;
	a[node][NODES] += siemens * volts;
}

static void join(double a[NODES][NODES + 1], int one, int other, double ohms)
{
	double siemens = 1 / larger(ohms, 0.01);
	a[one][one] += siemens;
	a[other][other] += siemens;
	a[one][other] -= siemens;
	a[other][one] -= siemens;
}

/* Compute the pads' voltages `seconds` from now, 0 for when all has settled, if the leaks go to `leak` volts. */
static void find_volts(const struct matrix *m, double seconds, double leak, double volts[PADS])
{
	const struct part *part = &m->part;
	double a[NODES][NODES + 1] = {{0}};
	for (int i = 0; i < PADS; i++) {
		const struct pad *pad = &m->pads[i];
		join(a, i, PADS + i, part->series);
		source(a, i, leak, TINY);
		if (pad->drive != PULLED)
			source(a, i, pad->drive == DRIVEN_HIGH ? VOLTS : 0, 1 / part->driver);
		if (part->leak > 0)
			source(a, PADS + i, 0, 1 / part->leak);
		if (pad->pull != PULL_NONE && !pad->broken)
			source(a, i, pad->pull == PULL_UP ? VOLTS : 0, 1 / (pad->pull == PULL_UP ? part->up : part->down));
		if (seconds > 0 && part->farads > 0) /* a step of implicit Euler */
			source(a, i, m->volts[i], part->farads / seconds);
		source(a, PADS + i, VOLTS, m->bridge[i][PADS] * 100.0);
		source(a, PADS + i, 0, m->bridge[i][PADS + 1] * 100.0);
		for (int j = 0; j < i; j++)
			if (m->bridge[j][i])
				join(a, PADS + j, PADS + i, 0);
	}
	for (int key = 0; key < 9; key++)
		if (m->keys >> key & 1)
			join(a, PADS + key / 3, PADS + 3 + key % 3, part->contact);
	solve(a);
	for (int i = 0; i < PADS; i++)
		volts[i] = a[i][NODES];
}

/* Let some time pass, 0 for as long as it takes. Only steady currents count, not those that charge a wire. */
static void settle(struct matrix *m, double seconds)
{
	double with_leak_up[PADS], settled[PADS];
	find_volts(m, 0, 0, settled);
	find_volts(m, 0, VOLTS, with_leak_up);
	m->amperes = 0;
	for (int i = 0; i < PADS; i++) {
		m->floats[i] = with_leak_up[i] - settled[i] > 0.5;
		if (m->pads[i].drive != PULLED) {
			double drop = (m->pads[i].drive == DRIVEN_HIGH ? VOLTS : 0) - settled[i];
			m->amperes = larger(m->amperes, size(drop) / m->part.driver);
		}
	}
	if (seconds > 0 && m->part.farads > 0)
		find_volts(m, seconds, 0, settled);
	memcpy(m->volts, settled, sizeof settled);
}

/* Whether an input's level is one that no datasheet promises. */
static bool is_undefined(const struct matrix *m, int pad)
{
	return m->floats[pad] || (m->volts[pad] > m->part.low && m->volts[pad] < m->part.high);
}

/* Return what a pad's input reads now. */
static bool read_pad(struct matrix *m, int pad)
{
	if (!is_undefined(m, pad))
		m->reads[pad] = m->volts[pad] >= m->part.high;
	else if (m->part.zone == RANDOM)
		m->reads[pad] = (m->part.seed = m->part.seed * 1664525u + 1013904223u) >> 31;
	else if (m->part.zone != HOLD)
		m->reads[pad] = m->part.zone == READ_HIGH;
	return m->reads[pad];
}

#endif
