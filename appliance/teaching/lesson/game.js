/* What is searched: boards by three rules, and trees of numbers. The rules and every score are those of the engine
   (engine/board.py, misere.py, vanishing.py, tree.py); the tests hold the two together.

   A position offers: ply, toMove, terminal, reason, moves(), play(move), score() for the side to move, key(), cells,
   fading (-1: no mark vanishes next) and line. */

const WIN = 1_000_000; // a win at ply p scores WIN - p
const PROVEN = (WIN * 3) / 4; // scores of at least this size are wins and losses
const INFINITE = WIN + 1;
const LIMIT = 1_000; // positions of one lesson, for the browser and the reader
const READABLE = 100; // positions, at most, at the default depth
const SIDE = 8; // the longest side of a board
const DEEPEST = 12; // plies of a tree of numbers; nobody can read a deeper one
const LARGEST = 99_999; // absolute value of a leaf; far below the score of a win
const RULES = ["classic", "misere", "vanishing"];

/** What a person got wrong: `error` is the key of a sentence, `values` what it names. */
class Mistake extends Error {
  constructor(error, values = {}) {
    super(`${error} ${JSON.stringify(values)}`);
    Object.assign(this, { error, values });
  }
}

/** What `work` returns, or the mistake as {error, values}. */
function attempt(work) {
  try {
    return work();
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    return { error: mistake.error, values: mistake.values };
  }
}

const otherSide = (side) => (side === "x" ? "o" : "x");
const kept = new Map();

/** The lines and the mirror images (as permutations of the cells) of a board, worked out once. */
function shapeOf(rows, columns, k) {
  const name = `${rows},${columns},${k}`;
  if (!kept.has(name)) kept.set(name, { lines: linesOf(rows, columns, k), mirrors: mirrorsOf(rows, columns) });
  return kept.get(name);
}

function linesOf(rows, columns, k) {
  const found = new Map(); // with k = 1 the four directions give the same line
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const last = column + right * (k - 1);
        if (row + down * (k - 1) >= rows || last < 0 || last >= columns) continue;
        const line = Array.from({ length: k }, (_, i) => (row + down * i) * columns + column + right * i);
        found.set(line.join(), line);
      }
    }
  }
  return [...found.values()];
}

function mirrorsOf(rows, columns) {
  const cells = Array.from({ length: rows * columns }, (_, cell) => cell);
  const grid = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  const turned = grid[0].map((_, column) => grid.map((row) => row[column]));
  const across = (image) => image.map((row) => [...row].reverse());
  const flips = (image) => [image, [...image].reverse(), across(image), across(image).reverse()];
  return (rows === columns ? [grid, turned] : [grid]).flatMap(flips).map((image) => image.flat());
}

/** What boards of both kinds have in common; `lined` is true if someone has completed a line. */
class Game {
  get reason() {
    return !this.terminal ? "" : this.lined ? "won" : "drawn";
  }

  moves() {
    return this.terminal ? [] : [...this.cells].flatMap((mark, cell) => (mark === "." ? [cell] : []));
  }
}

/** A position of an m,n,k game; with `misere`, a line loses. */
class Board extends Game {
  constructor({ cells, rows, columns, k, rule, toMove }) {
    super();
    Object.assign(this, { cells, rows, columns, k, rule, toMove, shape: shapeOf(rows, columns, k) });
    this.ply = [...cells].filter((mark) => mark !== ".").length;
    this.fading = -1;
    const marks = this.shape.lines.map((line) => line.map((cell) => cells[cell]));
    const full = this.shape.lines.filter((_, i) => marks[i][0] !== "." && marks[i].every((mark) => mark === marks[i][0]));
    this.line = [...new Set(full.flat())].sort((a, b) => a - b);
    this.lined = full.length > 0;
    this.terminal = this.lined || !cells.includes(".");
    const owner = this.lined ? cells[full[0][0]] : ""; // of the line
    this.winner = this.lined && rule === "misere" ? otherSide(owner) : owner;
  }

  play(move) {
    const cells = this.cells.slice(0, move) + this.toMove + this.cells.slice(move + 1);
    return new Board({ ...this, cells, toMove: otherSide(this.toMove) });
  }

  /** The hope of a side: the sum of 2^(its marks) over the lines without an opponent's mark. */
  hope(side) {
    const other = otherSide(side);
    const open = this.shape.lines.filter((line) => line.every((cell) => this.cells[cell] !== other));
    return open.reduce((sum, line) => sum + 2 ** line.filter((cell) => this.cells[cell] === side).length, 0);
  }

  score() {
    if (this.winner) return this.winner === this.toMove ? WIN - this.ply : this.ply - WIN;
    if (this.terminal) return 0;
    const ahead = this.hope(this.toMove) - this.hope(otherSide(this.toMove));
    return this.rule === "misere" ? 0 - ahead : ahead;
  }

  /** The same for a position and its mirror images, whatever moves led there. */
  key() {
    const images = this.shape.mirrors.map((mirror) => mirror.map((cell) => this.cells[cell]).join(""));
    return images.reduce((a, b) => (a < b ? a : b)) + this.toMove;
  }
}

/** A position on 3x3 where each side has three marks: a fourth removes the oldest. A position that occurs for the
    third time is drawn. `marks` has the cells of x and of o, oldest first; `past` counts the positions so far. */
class Vanishing extends Game {
  constructor(marks = { x: [], o: [] }, ply = 0, past = new Map(), lined = false) {
    super();
    Object.assign(this, { marks, ply, lined, toMove: "xo"[ply % 2] });
    this.state = `${marks.x};${marks.o};${this.toMove}`;
    const times = (past.get(this.state) ?? 0) + 1;
    this.past = new Map(past).set(this.state, times);
    this.terminal = lined || times > 2;
    const cells = Array(9).fill(".");
    for (const side of "xo") for (const cell of marks[side]) cells[cell] = side;
    this.cells = cells.join("");
    this.fading = marks[this.toMove].length === 3 && !this.terminal ? marks[this.toMove][0] : -1;
    this.line = lined ? [...marks[otherSide(this.toMove)]].sort((a, b) => a - b) : [];
    this.winner = lined ? otherSide(this.toMove) : "";
  }

  play(move) {
    const lined = this.third(this.toMove) === move;
    const own = [...this.marks[this.toMove].slice(-2), move];
    return new Vanishing({ ...this.marks, [this.toMove]: own }, this.ply + 1, this.past, lined);
  }

  /** The cell that completes a line with a side's last two marks; -1 if they share none. */
  third(side) {
    const pair = this.marks[side].slice(-2);
    const line = shapeOf(3, 3, 3).lines.find((cells) => pair.length === 2 && pair.every((cell) => cells.includes(cell)));
    return line ? line.find((cell) => !pair.includes(cell)) : -1;
  }

  score() {
    if (this.lined) return this.ply - WIN;
    if (this.terminal) return 0;
    return (this.third(this.toMove) >= 0) - (this.third(otherSide(this.toMove)) >= 0);
  }

  /** It has the ply, because scores do, and the past once a repetition may end the game. */
  key() {
    const twice = [...this.past].filter(([, times]) => times > 1).map(([state]) => state).sort();
    if (twice.length) return [this.ply, this.state, ...twice].join("|");
    const { x, o } = this.marks;
    const images = shapeOf(3, 3, 3).mirrors.map((mirror) => [x, o].map((marks) => marks.map((cell) => mirror[cell])).join(";"));
    return `${this.ply}|${images.sort()[0]}`;
  }
}

/** A position of a tree of numbers: a number is a leaf, its value for Max; an array has the branches. */
class Numbers {
  constructor(tree, ply = 0) {
    Object.assign(this, { tree, ply, toMove: "", cells: "", fading: -1, line: [], winner: "" });
    this.terminal = typeof tree === "number";
    this.reason = this.terminal ? "number" : "";
  }

  moves() {
    return this.terminal ? [] : [...this.tree.keys()];
  }

  play(move) {
    return new Numbers(this.tree[move], this.ply + 1);
  }

  score() {
    return this.ply % 2 ? 0 - this.tree : this.tree;
  }

  /** No two positions of a tree are known to be the same. */
  key() {
    return null;
  }
}

/** The position that a lesson searches from. */
function positionOf(subject) {
  if (subject.kind === "tree") return new Numbers(subject.tree);
  if (subject.rule !== "vanishing") return new Board(subject);
  return (subject.past ?? []).reduce((position, cell) => position.play(cell), new Vanishing());
}

/** The tree in a text like ((2,7),(1,8)), or {error, values} with the mistake and its character. */
function parseTree(text) {
  return attempt(() => {
    const found = [...text.matchAll(/[(),]|[+\-\u2212]?[0-9]+|\S/g)];
    const tokens = found.map(({ 0: token, index }) => ({ token, at: index + 1 }));
    tokens.push({ token: "", at: text.length + 1 });
    const [tree, end] = treeAt(tokens, 0, 0);
    if (tokens[end].token) throw new Mistake("tree-rest", tokens[end]);
    if (typeof tree === "number") throw new Mistake("tree-single", { token: text.trim() });
    return { tree };
  });
}

/** The tree that begins at a token, and the place of the token after it. */
function treeAt(tokens, place, depth) {
  if (tokens[place].token !== "(") return [numberOf(tokens[place]), place + 1];
  if (depth === DEEPEST) throw new Mistake("tree-deep", { ...tokens[place], limit: DEEPEST });
  const branches = [];
  do {
    const [branch, next] = treeAt(tokens, place + 1, depth + 1);
    branches.push(branch);
    place = next;
    if (![",", ")"].includes(tokens[place].token)) throw new Mistake("tree-separator", tokens[place]);
  } while (tokens[place].token !== ")");
  return [branches, place + 1];
}

function numberOf({ token, at }) {
  if (!/[0-9]$/.test(token)) throw new Mistake("tree-number", { token, at });
  const value = Number(token.replace("\u2212", "-")) + 0; // -0 is 0
  if (Math.abs(value) > LARGEST) throw new Mistake("tree-large", { at, limit: LARGEST });
  return value;
}
