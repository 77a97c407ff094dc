/* What is searched: boards by three rules, and trees of numbers. The rules and every score are those of the
   engine (engine/board.py, misere.py, vanishing.py, tree.py); the tests hold the two together.

   A position offers: ply, toMove, terminal, reason, moves(), play(move), score() for the side to move, key(),
   cells, fading (-1: no mark vanishes next) and line. */

const WIN = 1_000_000; // a win at ply p scores WIN - p
const PROVEN = (WIN * 3) / 4; // scores of at least this size are wins and losses
const INFINITE = WIN + 1;
const LIMIT = 1_000; // positions of one lesson, for the browser and the reader
const READABLE = 100; // positions, at most, at the default depth
const SIDE = 8; // the longest side of a board
const DEEPEST = 12; // plies of a tree of numbers; nobody can read a deeper one
const LARGEST = 99_999; // absolute value of a leaf; far below the score of a win
/** @type {Rule[]} */
const RULES = ["classic", "misere", "vanishing"];
/** @type {Side[]} */
const SIDES = ["x", "o"];

/** @type {(side: Side) => Side} */
const otherSide = (side) => (side === "x" ? "o" : "x");

/** @type {Map<string, Shape>} */
const shapes = new Map();

/** The lines and the mirror images (as permutations of the cells) of a board, worked out once.
    @type {(rows: number, columns: number, k: number) => Shape} */
function shapeOf(rows, columns, k) {
  const name = `${rows},${columns},${k}`;
  const shape = shapes.get(name) ?? { lines: linesOf(rows, columns, k), mirrors: mirrorsOf(rows, columns) };
  shapes.set(name, shape);
  return shape;
}

/** @type {(rows: number, columns: number, k: number) => number[][]} */
function linesOf(rows, columns, k) {
  /** @type {Map<string, number[]>} */
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

/** @type {(rows: number, columns: number) => number[][]} */
function mirrorsOf(rows, columns) {
  const cells = Array.from({ length: rows * columns }, (_, cell) => cell);
  const grid = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  const turned = grid[0].map((_, column) => grid.map((row) => row[column]));
  /** @type {(image: number[][]) => number[][]} */
  const across = (image) => image.map((row) => [...row].reverse());
  /** @type {(image: number[][]) => number[][][]} */
  const flips = (image) => [image, [...image].reverse(), across(image), across(image).reverse()];
  return (rows === columns ? [grid, turned] : [grid]).flatMap(flips).map((image) => image.flat());
}

/** What boards of both kinds have in common; `lined` is true if someone has completed a line. */
class Game {
  /** @param {string} cells @param {boolean} lined @param {boolean} terminal */
  constructor(cells, lined, terminal) {
    this.cells = cells;
    this.lined = lined;
    this.terminal = terminal;
  }

  /** @returns {OutlineNode["reason"]} */
  get reason() {
    return !this.terminal ? "" : this.lined ? "won" : "drawn";
  }

  /** @type {() => number[]} */
  moves() {
    return this.terminal ? [] : [...this.cells].flatMap((mark, cell) => (mark === "." ? [cell] : []));
  }
}

/** A position of an m,n,k game; with `misere`, a line loses. */
class Board extends Game {
  /** @param {Omit<BoardSubject, "kind" | "past">} subject */
  constructor({ cells, rows, columns, k, rule, toMove }) {
    const shape = shapeOf(rows, columns, k);
    const full = shape.lines.filter((line) => {
      return cells[line[0]] !== "." && line.every((cell) => cells[cell] === cells[line[0]]);
    });
    const lined = full.length > 0;
    super(cells, lined, lined || !cells.includes("."));
    this.rows = rows;
    this.columns = columns;
    this.k = k;
    this.rule = rule;
    this.toMove = toMove;
    this.shape = shape;
    this.ply = [...cells].filter((mark) => mark !== ".").length;
    this.fading = -1;
    this.line = [...new Set(full.flat())].sort((a, b) => a - b);
    /** @type {Side | ""} */
    this.winner = "";
    if (lined) this.winner = (cells[full[0][0]] === "x") === (rule === "misere") ? "o" : "x";
  }

  /** @type {(move: number) => Board} */
  play(move) {
    const cells = this.cells.slice(0, move) + this.toMove + this.cells.slice(move + 1);
    return new Board({ ...this, cells, toMove: otherSide(this.toMove) });
  }

  /** The hope of a side: the sum of 2^(its marks) over the lines without an opponent's mark.
      @type {(side: Side) => number} */
  hope(side) {
    const other = otherSide(side);
    const open = this.shape.lines.filter((line) => line.every((cell) => this.cells[cell] !== other));
    return open.reduce((sum, line) => sum + 2 ** line.filter((cell) => this.cells[cell] === side).length, 0);
  }

  /** @type {() => number} */
  score() {
    if (this.winner) return this.winner === this.toMove ? WIN - this.ply : this.ply - WIN;
    if (this.terminal) return 0;
    const ahead = this.hope(this.toMove) - this.hope(otherSide(this.toMove));
    return this.rule === "misere" ? 0 - ahead : ahead;
  }

  /** The same for a position and its mirror images, whatever moves led there. @type {() => string} */
  key() {
    const images = this.shape.mirrors.map((mirror) => mirror.map((cell) => this.cells[cell]).join(""));
    return images.reduce((a, b) => (a < b ? a : b)) + this.toMove;
  }
}

/** A position on 3x3 where each side has three marks: a fourth removes the oldest. A position that occurs for
    the third time is drawn. `marks` has the cells of x and of o, oldest first; `past` counts the positions so
    far. */
class Vanishing extends Game {
  /** @param {Record<Side, number[]>} marks @param {Map<string, number>} past */
  constructor(marks = { x: [], o: [] }, ply = 0, past = new Map(), lined = false) {
    const toMove = SIDES[ply % 2];
    const state = `${marks.x};${marks.o};${toMove}`;
    const times = (past.get(state) ?? 0) + 1;
    const cells = Array(9).fill(".");
    for (const side of SIDES) for (const cell of marks[side]) cells[cell] = side;
    super(cells.join(""), lined, lined || times > 2);
    this.marks = marks;
    this.ply = ply;
    this.toMove = toMove;
    this.state = state;
    this.past = new Map(past).set(state, times);
    this.fading = marks[this.toMove].length === 3 && !this.terminal ? marks[this.toMove][0] : -1;
    this.line = lined ? [...marks[otherSide(this.toMove)]].sort((a, b) => a - b) : [];
    /** @type {Side | ""} */
    this.winner = lined ? otherSide(this.toMove) : "";
  }

  /** @type {(move: number) => Vanishing} */
  play(move) {
    const lined = this.third(this.toMove) === move;
    const own = [...this.marks[this.toMove].slice(-2), move];
    return new Vanishing({ ...this.marks, [this.toMove]: own }, this.ply + 1, this.past, lined);
  }

  /** The cell that completes a line with a side's last two marks; -1 if they share none.
      @type {(side: Side) => number} */
  third(side) {
    const pair = this.marks[side].slice(-2);
    const line = shapeOf(3, 3, 3).lines.find(
      (cells) => pair.length === 2 && pair.every((cell) => cells.includes(cell)),
    );
    return line?.find((cell) => !pair.includes(cell)) ?? -1;
  }

  /** @type {() => number} */
  score() {
    if (this.lined) return this.ply - WIN;
    if (this.terminal) return 0;
    const shared = [this.toMove, otherSide(this.toMove)].map((side) => Number(this.third(side) >= 0));
    return shared[0] - shared[1];
  }

  /** It has the ply, because scores do, and the past once a repetition may end the game.
      @type {() => string} */
  key() {
    const twice = [...this.past].filter(([, times]) => times > 1).map(([state]) => state).sort();
    if (twice.length) return [this.ply, this.state, ...twice].join("|");
    const { x, o } = this.marks;
    const images = shapeOf(3, 3, 3).mirrors.map((mirror) =>
      [x, o].map((marks) => marks.map((cell) => mirror[cell])).join(";"),
    );
    return `${this.ply}|${images.sort()[0]}`;
  }
}

/** A position of a tree of numbers: a number is a leaf, its value for Max; an array has the branches. */
class Numbers {
  /** @param {Tree} tree */
  constructor(tree, ply = 0) {
    this.tree = tree;
    this.ply = ply;
    this.branches = typeof tree === "number" ? [] : tree;
    this.terminal = typeof tree === "number";
    /** @type {OutlineNode["reason"]} */
    this.reason = this.terminal ? "number" : "";
    /** @type {""} */
    this.toMove = "";
    /** @type {""} */
    this.winner = "";
    this.cells = "";
    this.fading = -1;
    /** @type {number[]} */
    this.line = [];
  }

  /** @type {() => number[]} */
  moves() {
    return [...this.branches.keys()];
  }

  /** @type {(move: number) => Numbers} */
  play(move) {
    return new Numbers(this.branches[move], this.ply + 1);
  }

  score() {
    const value = Number(this.tree);
    return this.ply % 2 ? 0 - value : value;
  }

  /** No two positions of a tree are known to be the same. @type {() => null} */
  key() {
    return null;
  }
}

/** The position that a lesson searches from. @type {(subject: Subject) => Position} */
function positionOf(subject) {
  if (subject.kind === "tree") return new Numbers(subject.tree);
  if (subject.rule !== "vanishing") return new Board(subject);
  let position = new Vanishing();
  for (const cell of subject.past ?? []) position = position.play(cell);
  return position;
}

/** The tree in a text like ((2,7),(1,8)). A Mistake names its character. @type {(text: string) => Tree} */
function parseTree(text) {
  const found = [...text.matchAll(/[(),]|[+\-\u2212]?[0-9]+|\S/g)];
  const tokens = found.map(({ 0: token, index }) => ({ token, at: index + 1 }));
  tokens.push({ token: "", at: text.length + 1 });
  const [tree, end] = treeAt(tokens, 0, 0);
  if (tokens[end].token) throw new Mistake("tree-rest", tokens[end]);
  if (typeof tree === "number") throw new Mistake("tree-single", { token: text.trim() });
  return tree;
}

/** The tree that begins at a token, and the place of the token after it.
    @type {(tokens: Token[], place: number, depth: number) => [Tree, number]} */
function treeAt(tokens, place, depth) {
  if (tokens[place].token !== "(") return [numberOf(tokens[place]), place + 1];
  if (depth === DEEPEST) throw new Mistake("tree-deep", { ...tokens[place], limit: DEEPEST });
  /** @type {Tree[]} */
  const branches = [];
  do {
    const [branch, next] = treeAt(tokens, place + 1, depth + 1);
    branches.push(branch);
    place = next;
    if (![",", ")"].includes(tokens[place].token)) throw new Mistake("tree-separator", tokens[place]);
  } while (tokens[place].token !== ")");
  return [branches, place + 1];
}

/** @type {(token: Token) => number} */
function numberOf({ token, at }) {
  if (!/[0-9]$/.test(token)) throw new Mistake("tree-number", { token, at });
  const value = Number(token.replace("\u2212", "-")) + 0; // -0 is 0
  if (Math.abs(value) > LARGEST) throw new Mistake("tree-large", { at, limit: LARGEST });
  return value;
}
