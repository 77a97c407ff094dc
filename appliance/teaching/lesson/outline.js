/* The outline of a lesson: every position down to a depth; and the orders in which a search may take moves.
   Every score here is for Max. */

const FIRSTS = 9; // with more moves at the root, none is offered as the first

/** A generator of numbers from 0 to 1: the same seed, the same numbers (mulberry32 by Tommy Ettinger, public
    domain).
    @type {(seed: number) => () => number} */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many positions there are at depth 0, 1, 2, ..., until the game ends or above LIMIT, which is the last.
    @type {(subject: Subject) => number[]} */
function sizesOf(subject) {
  let level = [positionOf(subject)];
  const sizes = [1];
  for (let size = 1; size <= LIMIT; sizes.push(size)) {
    const more = level.reduce((sum, position) => sum + position.moves().length, 0);
    if (!more) break;
    size += more;
    if (size <= LIMIT) {
      level = level.flatMap((position) => position.moves().map((move) => position.play(move)));
    }
  }
  return sizes;
}

/** The deepest that fits on a page. @type {(subject: Subject) => number} */
const deepest = (subject) => sizesOf(subject).filter((size) => size <= LIMIT).length - 1;

/** As deep as a reader can follow. A tree of numbers is shown whole. @type {(subject: Subject) => number} */
function defaultDepth(subject) {
  if (subject.kind === "tree") return deepest(subject);
  return Math.max(1, sizesOf(subject).filter((size) => size <= READABLE).length - 1);
}

/** Every position down to `depth` plies (of a tree of numbers: all), in the order of plain minimax, so that a
    subtree is consecutive. Throw a Mistake if there are more than LIMIT, or none to search.
    @type {(subject: Subject, depth?: number | null) => Outline} */
function outlineOf(subject, depth = null) {
  const root = positionOf(subject);
  if (root.terminal) throw new Mistake("over", { winner: root.winner });
  const sizes = sizesOf(subject);
  const wanted = subject.kind === "tree" ? sizes.length : Math.max(1, depth ?? defaultDepth(subject));
  const deep = Math.min(wanted, sizes.length - 1); // no game lasts longer
  if (sizes[deep] > LIMIT) {
    const fitting = { depth: wanted, limit: LIMIT, fits: deep - 1, size: sizes[deep - 1] };
    throw new Mistake(subject.kind === "tree" ? "tree-size" : "size", fitting);
  }
  /** @type {OutlineNode[]} */
  const nodes = [];
  grow(nodes, root, deep, { parent: -1, move: -1, moves: [], mark: "" });
  return {
    nodes,
    kind: subject.kind,
    players: root.toMove ? [root.toMove, otherSide(root.toMove)] : ["Max", "Min"],
    start: root.ply,
    depth: deep,
    guessed: nodes.some((node) => node.reason === "guess"),
    rule: subject.rule ?? "",
    columns: subject.columns ?? 0,
    rows: subject.rows ?? 0,
  };
}

/** Add the subtree of a position to the nodes; return its number.
    @type {(nodes: OutlineNode[], position: Position, deep: number, from: Branch) => number} */
function grow(nodes, position, deep, from) {
  const id = nodes.length;
  const ply = from.moves.length;
  const leaf = position.terminal || ply === deep;
  const { cells, fading, line } = position;
  /** @type {OutlineNode} */
  const node = {
    ...from, ply, value: null, reason: "", children: [], size: 1, cells, fading, line, key: position.key(),
  };
  nodes.push(node);
  if (leaf) {
    node.value = ply % 2 ? 0 - position.score() : position.score();
    node.reason = position.reason || "guess";
    return id;
  }
  const mark = position.toMove;
  node.children = position.moves().map((move) => {
    return grow(nodes, position.play(move), deep, { parent: id, move, moves: [...from.moves, move], mark });
  });
  node.size = nodes.length - id;
  return id;
}

/** The minimax value of every node. @type {(outline: Outline) => number[]} */
function valuesOf(outline) {
  const values = outline.nodes.map((node) => node.value ?? 0);
  for (let id = values.length - 1; id >= 0; id--) {
    const { children, ply } = outline.nodes[id];
    if (children.length) {
      values[id] = (ply % 2 ? Math.min : Math.max)(...children.map((child) => values[child]));
    }
  }
  return values;
}

/** The names of the orders that a lesson offers. @type {(outline: Outline) => string[]} */
function ordersOf({ nodes }) {
  const count = nodes[0].children.length;
  const firsts = count > FIRSTS ? [] : Array.from({ length: count - 1 }, (_, place) => `first:${place + 1}`);
  return ["written", "reversed", "best", "worst", ...firsts];
}

/** The children of every node in this order; "first:2" puts the root's third branch first.
    @type {(outline: Outline, order: string) => number[][]} */
function childrenIn(outline, order) {
  const natural = outline.nodes.map((node) => node.children);
  const [name, number] = order.split(":");
  if (name === "reversed") return natural.map((children) => [...children].reverse());
  if (name === "first") {
    const first = natural[0].filter((_, place) => place === Number(number)); // or none
    return [[...first, ...natural[0].filter((child) => !first.includes(child))], ...natural.slice(1)];
  }
  if (name === "shuffled") return natural.map(shuffler(Number(number)));
  if (name === "written") return natural;
  const values = valuesOf(outline);
  const sign = name === "best" ? 1 : -1;
  /** @type {(a: number, b: number) => number} */
  const rising = (a, b) => values[a] - values[b];
  return outline.nodes.map(({ children, ply }) =>
    [...children].sort((a, b) => (ply % 2 ? sign : -sign) * rising(a, b)),
  );
}

/** What shuffles one list after another. @type {(seed: number) => (list: number[]) => number[]} */
function shuffler(seed) {
  const random = seeded(seed);
  return (list) => {
    const mixed = [...list];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = Math.floor(random() * (last + 1));
      [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
    }
    return mixed;
  };
}
