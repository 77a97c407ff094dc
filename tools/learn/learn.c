/* Learns the values of ultimate tic-tac-toe by TD(lambda) in games against itself, and writes them to standard output.

   engine/ultimate/values.bin: seed 1, 2,000,000 games: a quarter of them at depth 1, 65 % at depth 2, 10 % at depth 3;
   4 minutes of a 2026 PC's processor. docs/engine.md has what they score in matches, and the command that plays them.

   Against values that knew whether a board is a corner, an edge or the centre, but not what its marks are worth there,
   they score 55.4 % (+- 1.2): 3,000 games at 30,000 positions a move, from both sides of random openings.

   A position's target is a mean of what the search expects there and of the target of the next position, from the end
   of the game backwards; where a random move followed, what the search expects. Each value keeps the sum of the squared
   errors that it saw, whose root divides its steps (AdaGrad); all steps shrink linearly to nothing.

   The same seed gives the same bytes wherever float and double are IEEE's, with any optimization that keeps to the
   standard. -ffp-contract=off forbids to fuse a product and a sum; no function of libm but the square root is used. */
#include "ultimate.h"
#include <math.h>

#define LAMBDA .7f /* how much of a target is the rest of the game, and not the search's expectation */
#define STEP .4f
enum { OPENING = 20, STRAYING = 10 }; /* fewer random moves than this begin a game; then so many of 100 are */

static Values values, squares; /* squares: of the errors so far, which make each value's steps smaller */

static double exponential(double x) { /* e to the x, from IEEE operations alone: the same on each machine */
    double term = 1, sum = 1;
    x /= 1024;
    for (int i = 1; i < 8; i++) sum += term *= x / i;
    for (int i = 0; i < 10; i++) sum *= sum;
    return sum;
}

static float expected(float score) { /* a result between -1 and 1 */
    if (score > 15) return 1;
    if (score < -15) return -1;
    return 1 - 2 / (exponential(2 * score) + 1);
}

static const float WIN = 1000;

static float search(const Position *p, int depth, float alpha, float beta, int *best) {
    uint8_t list[81];
    int count = moves(p, list), first = best ? below(count) : 0;
    float top = -2 * WIN;
    for (int i = 0; i < count; i++) {
        int move = list[(first + i) % count];
        Position next = *p;
        play(&values, &next, move);
        float score;
        if (next.over) score = next.winner ? WIN - next.ply : 0;
        else if (depth == 1) score = -evaluate(&values, &next);
        else score = -search(&next, depth - 1, -beta, -(alpha > top ? alpha : top), NULL);
        if (score > top) {
            top = score;
            if (best) *best = move;
            if (top >= beta) break;
        }
    }
    return top;
}

static void adjust(float *value, float *square, float step, float error) {
    *square += error * error;
    *value += step * error / sqrtf(1 + *square);
}

static void learn(const Position *p, float target, float step) { /* target: for x */
    Position now = *p;
    sum_up(&values, &now); /* the values have changed since then */
    const Survey *s = now.survey;
    float score = evaluate(&values, &now);
    float error = target - expected(now.side ? -score : score);
#define LEARN(table, at) adjust(&values.table at, &squares.table at, step, error)
#define LEARN_PAIR(table, at, twin) \
    (LEARN(table, at), values.table twin = -values.table at, squares.table twin = squares.table at)
    if (s->class[0] != s->class[1]) LEARN_PAIR(B, [s->class[0]], [s->class[1]]);
    for (int board = 0; board < 9; board++) {
        if (now.big[board] != OPEN) continue;
        int class = class_of[now.boards[board]], twin = exchanged[class];
        int context = s->context[board], other = exchange(context);
        int place = place_of[board][now.boards[board]], there = twin_of[board][now.boards[board]];
        if (class != twin || context != other) LEARN_PAIR(V, [context][class], [other][twin]);
        if (place != there) LEARN_PAIR(P, [place], [there]);
    }
    if (now.side) error = -error;
    if (now.active < 0) {
        LEARN(F, [s->class[now.side]]);
        return;
    }
    int context = s->context[now.active], class = class_of[now.boards[now.active]];
    if (now.side) context = exchange(context), class = exchanged[class];
    LEARN(M, [context][class]);
    LEARN(R, [(now.side ? twin_of : place_of)[now.active][now.boards[now.active]]]);
}

static void game(int depth, float step) {
    Position past[81], p;
    float searched[81]; /* what the search expects, for x */
    uint8_t strayed[81], list[81];
    int plies = 0, opening = below(OPENING);
    start(&values, &p);
    while (!p.over) {
        int move = 0;
        float score = search(&p, depth, -2 * WIN, 2 * WIN, &move);
        past[plies] = p;
        searched[plies] = expected(p.side ? -score : score);
        strayed[plies] = plies < opening || below(100) < STRAYING;
        if (strayed[plies]) move = list[below(moves(&p, list))];
        play(&values, &p, move);
        plies++;
    }
    float target = p.winner == X ? 1 : p.winner == O ? -1 : 0;
    while (plies--) {
        target = strayed[plies] ? searched[plies] : LAMBDA * target + (1 - LAMBDA) * searched[plies];
        learn(&past[plies], target, step);
    }
}

/* The greatest value, and the greatest of V and M: those of P and R have the rest, so that a sum fits in a byte. */
enum { BYTE = 127, MOST = 80 };

static void write_row(const float *row, int length, int scale, int most) {
    while (length--) {
        float value = *row++ * scale;
        putchar(value > most ? most : value < -most ? -most : (int)(value + (value < 0 ? -.5f : .5f)));
    }
}

static void write_places(const float *table) { /* of boards 0, 1 and 4 the open states that no mirror makes smaller */
    for (int kind = 0; kind < KINDS; kind++)
        for (int state = 0; state < STATES; state++)
            if (status[state] == OPEN && place_of[kind * kind][state] == kind * STATES + state)
                write_row(table + kind * STATES + state, 1, 64, BYTE - MOST);
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "usage: learn SEED GAMES\n"), 2;
    seed = atoi(arguments[1]);
    int games = atoi(arguments[2]);
    prepare();
    for (int i = 0; i < games; i++)
        game(i < games * .25 ? 1 : i < games * .9 ? 2 : 3, STEP * (1 - (float)i / games));
    for (int x = 0; x < WORTHS; x++)
        for (int o = 0; o <= x; o++) write_row(values.V[x * WORTHS + o], CLASSES, 64, MOST);
    write_row((float *)values.M, CONTEXTS * CLASSES, 64, MOST);
    write_places(values.P);
    write_places(values.R);
    write_row(values.B, CLASSES, 64, BYTE);
    write_row(values.F, CLASSES, 64, BYTE);
}
