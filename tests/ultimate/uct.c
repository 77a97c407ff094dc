/* Ultimate tic-tac-toe by plain Monte-Carlo tree search: the opponent by which the engine's strength is measured.
 *
 * UCT (Kocsis and Szepesvari, Bandit based Monte-Carlo planning, 2006) without any knowledge of the game: moves of a
 * playout are drawn evenly from the legal ones, up to the end of the game. A win counts 1, a draw 1/2. One node is
 * added with each playout, a node's untried moves come first, in random order, then those by UCB1 with the constant
 * given. The move played most often at the root is the answer. Each search starts with an empty tree.
 *
 * uct SEED EXPLORATION PLAYOUTS reads a line for each request, and answers with one. MOVES lead to the position, each
 * 9 * board + cell:
 *
 *   go MOVES...            the move
 *   show MOVES...          winner (x, o, - for a draw, . for none), active board (9: any), boards, legal moves
 *   perft DEPTH MOVES...   how many sequences of so many moves follow
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = 9, FULL = 0x1FF };

typedef struct {
	uint16_t marks[2][9]; /* by side and board: the cells taken */
	uint16_t won[2];      /* by side: the boards won */
	uint16_t closed;      /* boards won by either, or full */
	uint8_t active;       /* the board to play in, or ANY */
	uint8_t mover;        /* 0 for x */
	int8_t winner;        /* -1 for none */
	uint8_t over;
} Position;

static uint8_t has_line[512];   /* whether a set of cells contains three in a row */
static uint8_t nth[512][9];     /* the n-th cell of a set */
static uint8_t count_of[512];

static void make_tables(void)
{
	static const uint16_t lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
	for (int set = 0; set < 512; set++) {
		for (unsigned i = 0; i < 8; i++)
			has_line[set] |= (set & lines[i]) == lines[i];
		for (int cell = 0; cell < 9; cell++)
			if (set >> cell & 1)
				nth[set][count_of[set]++] = cell;
	}
}

static uint64_t luck;

/* xorshift64*, Vigna 2016; a number below n */
static unsigned draw(unsigned n)
{
	luck ^= luck >> 12;
	luck ^= luck << 25;
	luck ^= luck >> 27;
	return (uint32_t)(luck * 2685821657736338717ULL >> 32) * (uint64_t)n >> 32;
}

static Position empty(void)
{
	Position p = {.active = ANY, .winner = -1};
	return p;
}

static unsigned free_cells(const Position *p, int board)
{
	return FULL & ~(p->marks[0][board] | p->marks[1][board]);
}

static void play(Position *p, int move)
{
	int board = move / 9, cell = move % 9, side = p->mover;
	p->marks[side][board] |= 1 << cell;
	if (has_line[p->marks[side][board]]) {
		p->won[side] |= 1 << board;
		p->closed |= 1 << board;
		if (has_line[p->won[side]]) {
			p->winner = side;
			p->over = 1;
		}
	} else if (!free_cells(p, board)) {
		p->closed |= 1 << board;
	}
	/* a side can still win on boards that are its own or open */
	unsigned open = FULL & ~p->closed;
	if (!has_line[p->won[0] | open] && !has_line[p->won[1] | open])
		p->over = 1;
	p->active = p->closed >> cell & 1 ? ANY : cell;
	p->mover = !side;
}

static int moves_of(const Position *p, uint8_t *moves)
{
	int n = 0;
	if (p->over)
		return 0;
	for (int board = 0; board < 9; board++) {
		if (p->closed >> board & 1 || (p->active != ANY && p->active != board))
			continue;
		unsigned set = free_cells(p, board);
		for (int i = 0; i < count_of[set]; i++)
			moves[n++] = 9 * board + nth[set][i];
	}
	return n;
}

/* Play to the end at random; return the winner. */
static int playout(Position p)
{
	while (!p.over) {
		int board = p.active;
		unsigned pick;
		if (board == ANY) {
			unsigned open = FULL & ~p.closed, n = 0;
			for (int i = 0; i < count_of[open]; i++)
				n += count_of[free_cells(&p, nth[open][i])];
			pick = draw(n);
			for (int i = 0; pick >= count_of[free_cells(&p, board = nth[open][i])]; i++)
				pick -= count_of[free_cells(&p, board)];
		} else {
			pick = draw(count_of[free_cells(&p, board)]);
		}
		play(&p, 9 * board + nth[free_cells(&p, board)][pick]);
	}
	return p.winner;
}

typedef struct {
	uint32_t visits;
	uint32_t points; /* two for each win of the side that moved here, one for each draw */
	uint32_t child;  /* the first child's place; 0 before there are any */
	uint8_t children, tried, move;
} Node;

static Node *pool;
static size_t used, room;
static double explore;

static void expand(uint32_t at, const Position *p)
{
	uint8_t moves[81];
	int n = moves_of(p, moves);
	if (used + n > room) {
		room = 2 * room + 81;
		pool = realloc(pool, room * sizeof *pool);
		if (!pool) {
			fputs("uct: no memory is left for the tree\n", stderr);
			exit(1);
		}
	}
	for (int i = 0; i < n; i++) { /* shuffled, so that the untried come in random order */
		int other = draw(i + 1);
		pool[used + i] = (Node){.move = moves[i]};
		uint8_t swap = pool[used + i].move;
		pool[used + i].move = pool[used + other].move;
		pool[used + other].move = swap;
	}
	pool[at].child = used;
	pool[at].children = n;
	used += n;
}

static uint32_t best_child(const Node *node)
{
	double log_visits = log(node->visits), best = -1;
	uint32_t found = node->child;
	for (uint32_t at = node->child; at < node->child + node->children; at++) {
		double n = pool[at].visits, score = pool[at].points / (2 * n) + explore * sqrt(log_visits / n);
		if (score > best)
			best = score, found = at;
	}
	return found;
}

static void sample(const Position *root)
{
	uint32_t path[82];
	int length = 0;
	Position p = *root;
	uint32_t at = path[length++] = 0;
	while (!p.over) {
		if (!pool[at].child)
			expand(at, &p);
		int untried = pool[at].tried < pool[at].children;
		at = untried ? pool[at].child + pool[at].tried++ : best_child(&pool[at]);
		path[length++] = at;
		play(&p, pool[at].move);
		if (untried)
			break;
	}
	int winner = playout(p), side = !root->mover; /* who moved to the node */
	for (int i = 0; i < length; i++, side = !side) {
		pool[path[i]].visits++;
		pool[path[i]].points += winner < 0 ? 1 : winner == side ? 2 : 0;
	}
}

static int search(const Position *root, long playouts)
{
	if (!room)
		pool = malloc((room = 1 << 16) * sizeof *pool);
	if (!pool)
		exit(1);
	pool[0] = (Node){0};
	used = 1;
	for (long i = 0; i < playouts; i++)
		sample(root);
	uint32_t found = pool[0].child;
	for (uint32_t at = found; at < pool[0].child + pool[0].children; at++)
		if (pool[at].visits > pool[found].visits)
			found = at;
	return pool[found].move;
}

static long long perft(const Position *p, int depth)
{
	uint8_t moves[81];
	int n = moves_of(p, moves);
	long long sum = 0;
	if (depth < 2)
		return depth ? n : 1;
	for (int i = 0; i < n; i++) {
		Position next = *p;
		play(&next, moves[i]);
		sum += perft(&next, depth - 1);
	}
	return sum;
}

static void show(const Position *p)
{
	uint8_t moves[81];
	int n = moves_of(p, moves);
	printf("%c %d ", p->winner >= 0 ? "xo"[p->winner] : p->over ? '-' : '.', p->active);
	for (int board = 0; board < 9; board++)
		putchar(p->won[0] >> board & 1 ? 'x' : p->won[1] >> board & 1 ? 'o' : p->closed >> board & 1 ? '-' : '.');
	for (int i = 0; i < n; i++)
		printf(" %d", moves[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	char line[1024];
	if (argc != 4) {
		fputs("usage: uct SEED EXPLORATION PLAYOUTS\n", stderr);
		return 2;
	}
	luck = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL;
	explore = atof(argv[2]);
	long playouts = atol(argv[3]);
	make_tables();
	while (fgets(line, sizeof line, stdin)) {
		const char *verb = strtok(line, " \n"), *word;
		if (!verb)
			continue;
		int counting = !strcmp(verb, "perft");
		int depth = counting && (word = strtok(NULL, " \n")) ? atoi(word) : 0;
		Position p = empty();
		while ((word = strtok(NULL, " \n")))
			play(&p, atoi(word));
		if (counting)
			printf("%lld\n", perft(&p, depth));
		else if (!strcmp(verb, "show"))
			show(&p);
		else
			printf("%d\n", search(&p, playouts));
		fflush(stdout);
	}
	return 0;
}
