/* Ultimate tic-tac-toe and its evaluation by tables; engine/ultimate/values.py reads them.

   A small board is a number of nine digits to the base 3, cell 0 the lowest: 0 empty, 1 x, 2 o. Open boards
   that turns and mirrors make equal are one class. A board's context is 8 * its worth to x + its worth to o,
   see worth(). Its place is its state where turns and mirrors put it at board 0 (a corner), 1 (an edge) or 4,
   the smallest. An evaluation is, for x, the sum over the open boards of V[context][class] + P[place], and of
   B[class of the big board, as if it were a small one]; and for the side to move M[context][class] + R[place]
   of the board that it must play in, or F[class of the big board] if it may choose; colours exchanged if that
   is o. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 19683, CLASSES = 1582, WORTHS = 8, CONTEXTS = WORTHS * WORTHS, KINDS = 3, PLACES = KINDS * STATES };
enum { OPEN, X, O, DEAD };

typedef struct { /* V, W, P and B hold each value twice, once with colours exchanged and negated */
    float V[CONTEXTS][CLASSES], M[CONTEXTS][CLASSES];
    float P[PLACES], R[PLACES], B[CLASSES], F[CLASSES];
} Values;

typedef struct {
    uint8_t known, context[9];
    uint16_t class[2]; /* of the big board, to x and to o */
} Survey;

typedef struct {
    const Survey *survey; /* of the big board */
    uint16_t boards[9];
    uint8_t big[9];
    int8_t active; /* -1: any open board */
    uint8_t side, over, winner, ply;
    float sum; /* of V, W, P and B, for x */
} Position;

static const uint8_t LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
static const int POWER[10] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683};
static uint8_t status[STATES];             /* OPEN, X, O or DEAD */
static uint16_t empty[STATES];             /* its empty cells, a bit each */
static uint16_t class_of[STATES];          /* of open boards, in the order of their smallest members */
static uint16_t exchanged[CLASSES];        /* the class with colours exchanged */
static uint16_t smallest[CLASSES];
static uint16_t place_of[9][STATES], twin_of[9][STATES]; /* with colours exchanged */

static int digit(int state, int cell) { return state / POWER[cell] % 3; }

static int cell_image(int cell, int turn) { /* 0..7 */
    int row = cell / 3, column = cell % 3;
    if (turn & 1) row = 2 - row;
    if (turn & 2) column = 2 - column;
    return turn & 4 ? column * 3 + row : row * 3 + column;
}

static int image(int state, int turn) {
    int result = 0;
    for (int cell = 0; cell < 9; cell++) result += digit(state, cell) * POWER[cell_image(cell, turn)];
    return result;
}

static int exchange_state(int state) {
    int other = 0;
    for (int cell = 0; cell < 9; cell++) other += (3 - digit(state, cell)) % 3 * POWER[cell];
    return other;
}

static void prepare_places(void) {
    for (int board = 0; board < 9; board++) {
        memset(place_of[board], 255, sizeof place_of[board]);
        for (int turn = 0; turn < 8; turn++) {
            int there = cell_image(board, turn);
            if (there != 0 && there != 1 && there != 4) continue;
            for (int state = 0; state < STATES; state++) {
                int place = (there == 4 ? 2 : there) * STATES + image(state, turn);
                if (place < place_of[board][state]) place_of[board][state] = place;
            }
        }
        for (int state = 0; state < STATES; state++) twin_of[board][state] = place_of[board][exchange_state(state)];
    }
}

static void prepare(void) {
    int classes = 0;
    for (int state = 0; state < STATES; state++) {
        for (int cell = 0; cell < 9; cell++) empty[state] |= !digit(state, cell) << cell;
        status[state] = empty[state] ? OPEN : DEAD;
        for (int line = 0; line < 8; line++) {
            int a = digit(state, LINES[line][0]);
            if (a && a == digit(state, LINES[line][1]) && a == digit(state, LINES[line][2])) status[state] = a;
        }
        if (status[state] != OPEN) continue;
        int least = state;
        for (int turn = 1; turn < 8; turn++) {
            int turned = image(state, turn);
            if (turned < least) least = turned;
        }
        if (least == state) smallest[classes] = state;
        class_of[state] = least == state ? classes++ : class_of[least];
    }
    if (classes != CLASSES) abort();
    for (int each = 0; each < CLASSES; each++) exchanged[each] = class_of[exchange_state(smallest[each])];
    prepare_places();
}

/* How much a board is worth to a side: by its lines of the big board in which no other board is lost to it.
   7: winning it wins the game; 6, 5, 4: it has lines with one board already won; 3 to 0: without. */
static int worth(const uint8_t *big, int board, int side) {
    int empty = 0, begun = 0;
    for (int line = 0; line < 8; line++) {
        int through = 0, own = 0, lost = 0;
        for (int i = 0; i < 3; i++) {
            int other = LINES[line][i];
            if (other == board) through = 1;
            else if (big[other] == side) own++;
            else if (big[other] != OPEN) lost = 1;
        }
        if (!through || lost) continue;
        if (own == 2) return 7;
        if (own) begun++;
        else empty++;
    }
    if (begun) return begun > 1 ? 6 : empty ? 5 : 4;
    return empty > 3 ? 3 : empty;
}

static int exchange(int context) { return context % WORTHS * WORTHS + context / WORTHS; }

static const Survey *survey(const uint8_t *big) {
    static Survey surveys[1 << 18];
    int code = 0;
    for (int board = 0; board < 9; board++) code = code * 4 + big[board];
    Survey *s = &surveys[code];
    if (s->known) return s;
    s->known = 1;
    int marks = 0;
    for (int board = 0; board < 9; board++) {
        if (big[board] != DEAD) marks += big[board] * POWER[board];
        if (big[board] == OPEN) s->context[board] = worth(big, board, X) * WORTHS + worth(big, board, O);
    }
    s->class[0] = class_of[marks];
    s->class[1] = exchanged[s->class[0]];
    return s;
}

static float marks(const Values *values, const Survey *s, int board, int state) {
    int class = class_of[state];
    return values->V[s->context[board]][class] + values->P[place_of[board][state]];
}

static void sum_up(const Values *values, Position *p) { /* after a change of the big board */
    const Survey *s = p->survey = survey(p->big);
    p->sum = values->B[s->class[0]];
    for (int board = 0; board < 9; board++)
        if (p->big[board] == OPEN) p->sum += marks(values, s, board, p->boards[board]);
}

static void start(const Values *values, Position *p) {
    memset(p, 0, sizeof *p);
    p->active = -1;
    sum_up(values, p);
}

static int moves(const Position *p, uint8_t *list) {
    int count = 0;
    if (p->over) return 0;
    for (int board = p->active < 0 ? 0 : p->active; board < (p->active < 0 ? 9 : p->active + 1); board++)
        if (p->big[board] == OPEN)
            for (int cells = empty[p->boards[board]]; cells; cells &= cells - 1)
                list[count++] = board * 9 + __builtin_ctz(cells);
    return count;
}

static void play(const Values *values, Position *p, int move) {
    int board = move / 9, cell = move % 9, own = p->side + 1;
    int before = p->boards[board], after = before + own * POWER[cell];
    p->boards[board] = after;
    p->ply++;
    p->side ^= 1;
    if (status[after] == OPEN) {
        p->sum -= marks(values, p->survey, board, before);
        p->sum += marks(values, p->survey, board, after);
    } else {
        p->big[board] = status[after];
        p->over = 1;
        for (int line = 0; line < 8; line++) {
            int held[4] = {0};
            for (int i = 0; i < 3; i++) held[p->big[LINES[line][i]]]++;
            if (held[own] == 3) p->winner = own;
            if (!held[DEAD] && (!held[X] || !held[O]) && held[own] < 3) p->over = 0;
        }
        if (p->winner) p->over = 1;
        else if (!p->over) sum_up(values, p);
    }
    p->active = p->big[cell] == OPEN ? cell : -1;
}

static float evaluate(const Values *values, const Position *p) { /* for the side to move */
    float own = p->side ? -p->sum : p->sum;
    const Survey *s = p->survey;
    if (p->active < 0) return own + values->F[s->class[p->side]];
    int context = s->context[p->active], class = class_of[p->boards[p->active]];
    int place = (p->side ? twin_of : place_of)[p->active][p->boards[p->active]];
    if (p->side) context = exchange(context), class = exchanged[class];
    return own + values->M[context][class] + values->R[place];
}

static uint64_t seed;

static uint64_t chance(void) { /* splitmix64 */
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static int below(int bound) { return (chance() >> 32) * (uint64_t)bound >> 32; }
