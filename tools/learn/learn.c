/* Learns the values of ultimate tic-tac-toe by TD(lambda) in games against itself, and writes them to standard output.

   engine/ultimate/values.bin: seed 1, 2,000,000 games: a quarter of them at depth 1, 65 % at depth 2, 10 % at depth 3;
   3 minutes of a 2026 PC's processor. docs/engine.md has what they score in matches, and the command that plays them.

   Against V, M, B and F alone, learned in as many games, they score 53.7 % (+- 1.5), and a second training of all
   tables 54.4 %; W without N 53.2 %, N without W 52.3 %: 2,000 games each at 20,000 positions a move, from both sides
   of random openings.

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
    int x = s->standing[0], o = s->standing[1];
    if (x != o) {
        adjust(&values.B[x][o], &squares.B[x][o], step, error);
        values.B[o][x] = -values.B[x][o], squares.B[o][x] = squares.B[x][o];
    }
    for (int board = 0; board < 9; board++) {
        if (now.big[board] != OPEN) continue;
        int class = class_of[now.boards[board]], twin = exchanged[class];
        int context = s->context[board], other = exchange(context), site = s->site[board], there = exchange_site(site);
        if (class != twin || context != other) {
            adjust(&values.V[context][class], &squares.V[context][class], step, error);
            values.V[other][twin] = -values.V[context][class], squares.V[other][twin] = squares.V[context][class];
        }
        if (class != twin || site != there) {
            adjust(&values.W[site][class], &squares.W[site][class], step, error);
            values.W[there][twin] = -values.W[site][class], squares.W[there][twin] = squares.W[site][class];
        }
    }
    if (now.side) error = -error;
    if (now.active < 0) {
        int own = s->standing[now.side] / 4, other = s->standing[!now.side] / 4;
        adjust(&values.F[own][other], &squares.F[own][other], step, error);
        return;
    }
    int context = s->context[now.active], site = s->site[now.active], class = class_of[now.boards[now.active]];
    if (now.side) context = exchange(context), site = exchange_site(site), class = exchanged[class];
    adjust(&values.M[context][class], &squares.M[context][class], step, error);
    adjust(&values.N[site][class], &squares.N[site][class], step, error);
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

/* The greatest value, and the greatest of V and M: those of W and N have the rest, so that a sum fits in a byte. */
enum { BYTE = 127, MOST = 80 };

static void write_row(const float *row, int length, int scale, int most) {
    while (length--) {
        float value = *row++ * scale;
        putchar(value > most ? most : value < -most ? -most : (int)(value + (value < 0 ? -.5f : .5f)));
    }
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
    for (int kind = 0; kind < KINDS; kind++)
        for (int x = 0; x < WINS; x++)
            for (int o = 0; o <= x; o++) write_row(values.W[(kind * WINS + x) * WINS + o], CLASSES, 64, BYTE - MOST);
    write_row((float *)values.M, CONTEXTS * CLASSES, 64, MOST);
    write_row((float *)values.N, SITES * CLASSES, 64, BYTE - MOST);
    write_row((float *)values.B, STANDINGS * STANDINGS, 32, BYTE);
    write_row((float *)values.F, THREATS * THREATS, 64, BYTE);
}
