/* What is shown, and the address that says so:
   #b=xo./x../ox.&r=classic&k=3&m=o&a=alpha-beta&o=written&d=4&t=1 or #n=((2,7),(1,8))&a=minimax. A board is
   drawn, or the cells played, from 1, on 3x3: b=159. Every key but b or n may be missing; s is a section, l a
   language, p the seed of the tree to fill in. And subjects by chance: the same seed, the same subject. */

const ORDER = /^(written|reversed|best|worst|(first|shuffled):[0-9]{1,9})$/;

/** The subject that a person wrote: a tree of numbers, a drawn board or the cells played.
    @type {(text: string, form?: Form) => Subject} */
function parseSubject(text, { rule = "classic", k = null, toMove = null } = {}) {
  if (/[()]/.test(text)) return { kind: "tree", tree: parseTree(text) };
  const known = RULES.find((name) => name === rule);
  if (!known) throw new Mistake("rule", { rule });
  const subject = /[0-9]/.test(text) ? playedOf(text, known) : drawnOf(text, known, k, toMove);
  const { terminal, winner } = positionOf(subject);
  if (terminal) throw new Mistake("over", { winner });
  return subject;
}

/** The board after the cells in `text`, from 1. @type {(text: string, rule: Rule) => BoardSubject} */
function playedOf(text, rule) {
  /** @type {BoardSubject} */
  const empty = {
    kind: "board",
    cells: ".".repeat(9),
    rows: 3,
    columns: 3,
    k: 3,
    rule,
    toMove: "x",
    past: null,
  };
  const past = [];
  let position = positionOf(empty);
  for (const digit of text.replace(/\s/g, "")) {
    const values = { digit, move: past.length + 1 };
    const cell = Number(digit) - 1;
    if (!/[1-9]/.test(digit)) throw new Mistake("cells-digit", values);
    if (position.terminal) throw new Mistake("cells-over", values);
    if (!position.moves().includes(cell)) throw new Mistake("cells-taken", values);
    past.push(cell);
    position = position.play(cell);
  }
  const { cells, ply } = position;
  return { ...empty, cells, toMove: SIDES[ply % 2], past: rule === "vanishing" ? past : null };
}

/** The board whose rows are separated by "/", line ends or blanks; a run of cells is square.
    @type {(text: string, rule: Rule, wanted: number | null, toMove: Side | null) => BoardSubject} */
function drawnOf(text, rule, wanted, toMove) {
  const drawn = rowsOf(text.toLowerCase().replaceAll("_", "."));
  const cells = drawn.join("");
  const [rows, columns, k] = [drawn.length, drawn[0].length, wanted ?? 3];
  const [x, o] = ["x", "o"].map((side) => cells.split(side).length - 1);
  const longest = Math.max(rows, columns);
  if (longest > SIDE) throw new Mistake("board-side", { rows, columns, limit: SIDE });
  if (!Number.isInteger(k) || k < 1 || k > longest) throw new Mistake("board-k", { k, longest });
  if (!toMove && x !== o && x !== o + 1) throw new Mistake("board-turn", { x, o });
  if (rule === "vanishing") {
    if (cells !== ".".repeat(9) || rows !== 3) throw new Mistake("vanishing-cells");
    return playedOf("", rule);
  }
  return { kind: "board", cells, columns, rows, k, rule, toMove: toMove ?? (x > o ? "o" : "x"), past: null };
}

/** @type {(text: string) => string[]} */
function rowsOf(text) {
  const rows = text.split(/[/\s]+/).filter((row) => row);
  for (const [row, marks] of rows.entries()) {
    const character = marks.match(/[^xo.]/);
    if (character) {
      throw new Mistake("board-character", {
        character: character[0],
        row: row + 1,
        column: (character.index ?? 0) + 1,
      });
    }
  }
  if (!rows.length) throw new Mistake("board-empty");
  const lengths = rows.map((row) => row.length);
  if (new Set(lengths).size > 1) throw new Mistake("board-uneven", { lengths: lengths.join(", ") });
  if (rows.length > 1 || text.includes("/")) return rows;
  const side = Math.sqrt(rows[0].length);
  if (!Number.isInteger(side)) throw new Mistake("board-run", { count: rows[0].length });
  return Array.from({ length: side }, (_, row) => rows[0].slice(row * side, (row + 1) * side));
}

/** A subject as a person would write it. @type {(subject: Subject) => string} */
function written(subject) {
  if (subject.kind === "tree") return JSON.stringify(subject.tree).replaceAll("[", "(").replaceAll("]", ")");
  if (subject.past?.length) return subject.past.map((cell) => cell + 1).join("");
  return rowsApart(subject.cells, subject.columns);
}

/** A board with its rows apart. @type {(cells: string, columns: number) => string} */
function rowsApart(cells, columns) {
  const count = cells.length / columns;
  const rows = Array.from({ length: count }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  return rows.join("/") + (count > 1 ? "" : "/"); // a run without "/" is a square
}

/** The address that shows this. @type {(shown: Partial<Shown>) => string} */
function writeAddress({
  subject = null,
  options = {},
  section = "",
  lang = "",
  practice = 0,
  windows = false,
  minimax = 0,
}) {
  const board = subject?.kind === "board";
  const drawn = board && !subject.past?.length;
  const pairs = [
    ["n", subject?.kind === "tree" && written(subject)],
    ["b", board && written(subject)],
    ["r", board && subject.rule],
    ["k", drawn && subject.k],
    ["m", drawn && subject.toMove],
    ["a", options.algorithm],
    ["o", options.order],
    ["d", board && options.depth],
    ["t", options.table && 1],
    ["q", minimax > 1 && minimax],
    ["p", practice],
    ["w", practice && windows && 1],
    ["s", section],
    ["l", lang],
  ];
  return "#" + pairs.flatMap(([key, value]) => (value ? [`${key}=${encodeURI(`${value}`)}`] : [])).join("&");
}

/** What an address asks for; or what is wrong with it. @type {(hash: string) => Shown | Wrong} */
const readAddress = (hash) => attempt(() => parseAddress(hash));

/** What an address asks for. @type {(hash: string) => Shown} */
function parseAddress(hash) {
  const asked = Object.fromEntries(hash.replace(/^#/, "").split("&").filter((pair) => pair).map(pairOf));
  const text = asked.n ?? asked.b;
  const toMove = asked.m === undefined ? null : oneOf("m", asked.m, SIDES);
  const form = { rule: asked.r, k: asked.k === undefined ? null : Number(asked.k), toMove };
  const subject = text === undefined ? null : parseSubject(text, form);
  const algorithm = oneOf("a", asked.a ?? "alpha-beta", ALGORITHMS);
  const order = matching("o", asked.o ?? "written", ORDER);
  const usual = subject && defaultDepth(subject);
  const depth = asked.d === undefined ? usual : Number(matching("d", asked.d, /^[1-9][0-9]?$/));
  const options = { algorithm, order, depth, table: asked.t === "1" };
  /** @type {(key: string) => number} */
  const tree = (key) => Number(asked[key] === undefined ? 0 : matching(key, asked[key], /^[1-9][0-9]{0,8}$/));
  const [minimax, practice] = [tree("q"), tree("p")];
  return {
    subject,
    options,
    minimax,
    practice,
    windows: asked.w === "1",
    section: asked.s ?? "",
    lang: asked.l ?? "",
  };
}

/** @type {(pair: string) => [string, string]} */
function pairOf(pair) {
  const [key, ...value] = pair.split("=");
  try {
    return [key, decodeURIComponent(value.join("="))];
  } catch {
    throw new Mistake("option", { name: key, value: value.join("=") });
  }
}

/** @type {<T extends string>(name: string, value: string, allowed: T[]) => T} */
function oneOf(name, value, allowed) {
  const found = allowed.find((one) => one === value);
  if (!found) throw new Mistake("option", { name, value });
  return found;
}

/** @type {(name: string, value: string, allowed: RegExp) => string} */
function matching(name, value, allowed) {
  if (!allowed.test(value)) throw new Mistake("option", { name, value });
  return value;
}

/** A tree of numbers from -9 to 9, 40 positions at most; or `shape` has the number of branches at each ply.
    @type {(seed: number, shape?: number[] | null) => TreeSubject} */
function randomTree(seed, shape = null) {
  const random = seeded(seed);
  /** @type {(from: number, to: number) => number} */
  const count = (from, to) => from + Math.floor(random() * (to - from + 1));
  const height = shape?.length ?? count(2, 3);
  /** @type {(ply: number) => Tree[]} */
  const branches = (ply) => Array.from({ length: shape?.[ply] ?? count(2, 3) }, () => grown(ply + 1));
  /** @type {(ply: number) => Tree} */
  const grown = (ply) => (ply === height ? count(-9, 9) : branches(ply));
  return { kind: "tree", tree: grown(0) };
}

/** A tree to fill in with values alone, by its number, from 2 on: the first is the section's own. All leaves
    are different.
    @type {(number: number) => TreeSubject} */
function minimaxTree(number) {
  const shape = number < 5 ? [[3, 2], [2, 3]][number % 2] : [2, 2, 2];
  const leaves = shuffler(number)(Array.from({ length: 15 }, (_, i) => i + 1));
  /** @type {(ply: number) => Tree} */
  const grown = (ply) => {
    return ply === shape.length
      ? present(leaves.pop())
      : Array.from({ length: shape[ply] }, () => grown(ply + 1));
  };
  return { kind: "tree", tree: grown(0) };
}

/** What a tree to fill in asks for, from this number on: how deep it is, and cuts of which kinds it has. In a
    "tie" alpha is equal to beta; a "deep" cut is one that the best value of the position above does not give:
    it comes from far above. */
const GRADES = [
  { from: 1, plies: 3, kinds: [] },
  { from: 4, plies: 3, kinds: ["tie"] },
  { from: 7, plies: 4, kinds: ["deep"] },
  { from: 10, plies: 4, kinds: ["tie", "deep"] },
];

/** A tree to fill in: 2 or 3 branches, some of them short, and 8 or 9 leaves, which fit a phone. All are
    different, unless there is to be a tie. Something is cut, but no condition says where, or the place could
    be learnt instead of the rule.
    @type {(seed: number) => TreeSubject} */
function practiceTree(seed) {
  const random = seeded(seed);
  const { plies, kinds } = present(GRADES.findLast(({ from }) => from <= seed));
  /** @type {(ply: number) => boolean} */
  const leaf = (ply) => ply === plies || (ply > 0 && random() < 0.2);
  const numbers = Array.from({ length: 15 }, (_, i) => (kinds.includes("tie") ? 1 + (i % 8) : 1 + i));
  for (;;) {
    const left = shuffler(Math.floor(random() * 2 ** 32))(numbers);
    /** @type {(ply: number) => Tree} */
    const grown = (ply) => {
      return leaf(ply)
        ? (left.pop() ?? 0)
        : Array.from({ length: 2 + Math.floor(random() * 2) }, () => grown(ply + 1));
    };
    const tree = grown(0);
    const leaves = numbers.length - left.length;
    if (leaves !== 8 && leaves !== 9) continue;
    const outline = outlineOf({ kind: "tree", tree });
    const cuts = outline.depth === plies ? cutsOf(outline) : [];
    if (cuts.length && kinds.every((kind) => cuts.some((cut) => cut.includes(kind)))) {
      return { kind: "tree", tree };
    }
  }
}

/** The kinds of each cut. @type {(outline: Outline) => string[][]} */
function cutsOf(outline) {
  const { steps } = walkOf(outline);
  return steps.flatMap(({ kind, node, alpha, beta, best }, at) => {
    if (kind !== "cut") return [];
    const { ply, parent } = outline.nodes[node];
    const above = steps.slice(0, at).findLast((step) => step.node === parent)?.best ?? null;
    const near = above !== null && (ply % 2 ? best <= above : best >= above);
    return [[...(alpha === beta ? ["tie"] : []), ...(near ? [] : ["deep"])]];
  });
}

/** A position of a game on 3x3, far enough on that its tree can be read.
    @type {(seed: number, rule?: Rule | null) => BoardSubject} */
function randomBoard(seed, rule = null) {
  const random = seeded(seed);
  /** @type {<T>(list: T[]) => T} */
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chosen = rule ?? pick(RULES);
  for (;;) {
    let digits = "";
    let position = positionOf(playedOf("", chosen));
    for (let left = pick([4, 5, 6]); left > 0 && !position.terminal; left--) {
      const move = pick(position.moves());
      digits += move + 1;
      position = position.play(move);
    }
    if (!position.terminal) return playedOf(digits, chosen);
  }
}
