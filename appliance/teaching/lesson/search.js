/* The searches of a lesson: the outline (every position down to a depth), the orders of moves, and the walk,
   step by step. The walk is that of engine.trace: fail-soft alpha-beta, or minimax with open windows.
   Fail-hard visits the same positions and clamps what is returned to the window (engine.textbook.alpha_beta).
   Negamax is alpha-beta's walk: where Min is to move it shows scores negated, which is for Say to do. Every
   score here is for Max. */

/** @type {AlgorithmName[]} */
const ALGORITHMS = ["minimax", "alpha-beta", "fail-hard", "negamax"];
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
    if (size <= LIMIT)
      level = level.flatMap((position) => position.moves().map((move) => position.play(move)));
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
    ...from,
    ply,
    value: null,
    reason: "",
    children: [],
    size: 1,
    cells,
    fading,
    line,
    key: position.key(),
  };
  nodes.push(node);
  if (leaf) {
    node.value = ply % 2 ? 0 - position.score() : position.score();
    node.reason = position.reason || "guess";
    return id;
  }
  node.children = position
    .moves()
    .map((move) =>
      grow(nodes, position.play(move), deep, {
        parent: id,
        move,
        moves: [...from.moves, move],
        mark: position.toMove,
      }),
    );
  node.size = nodes.length - id;
  return id;
}

/** The minimax value of every node. @type {(outline: Outline) => number[]} */
function valuesOf(outline) {
  const values = outline.nodes.map((node) => node.value ?? 0);
  for (let id = values.length - 1; id >= 0; id--) {
    const { children, ply } = outline.nodes[id];
    if (children.length)
      values[id] = (ply % 2 ? Math.min : Math.max)(...children.map((child) => values[child]));
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

/** How far a value holds that a search in this window has found.
    @type {(value: number, window: Ends) => Bound} */
const boundOf = (value, { alpha, beta }) => (value <= alpha ? "upper" : value >= beta ? "lower" : "exact");

/** The window at the root: nothing is secured yet. */
const OPEN = { alpha: -INFINITE, beta: INFINITE, alphaFrom: -1, betaFrom: -1 };

/** The steps of a search, and the questions that an exercise may ask about them.
    @type {(outline: Outline, options?: Options) => Walked} */
function walkOf(outline, { algorithm = "alpha-beta", order = "written", table = false } = {}) {
  return finished(new Walk(outline.nodes, childrenIn(outline, order), algorithm, table));
}

/** Walk from the root to the end. @type {(walk: Walk) => Walked} */
function finished(walk) {
  const { value } = walk.search(0, OPEN);
  const { alpha, beta, alphaFrom, betaFrom } = present(walk.steps.at(-1));
  const [child] = present(walk.returned[0].find(([, returned]) => returned === value));
  walk.add("done", 0, { alpha, beta, alphaFrom, betaFrom }, { best: value, value, child });
  const { children, steps, questions } = walk;
  const visited = steps.filter(({ kind }) => kind === "enter" || kind === "known").length;
  return { children, steps, questions, visited, saved: walk.nodes.length - visited, value };
}

/** One search. A question asks, before a value is seen to come back, which branches are cut next. Steps:
    - "enter": the search enters `node`; at a leaf, `value` is what it returns (its evaluation; fail-hard
      clamps it).
    - "known": instead of that, the table has the position, met before as `from`; `value` is returned at once.
      The node counts as visited; what lies below it is in `cut`.
    - "back": `child` has returned `value`, and `bound` says how far that holds; `change` is what it changes
      at `node`: "nothing", the "best" value so far alone, or the "window", too; `complete`: no branch is
      left.
    - "cut": the search leaves `node` without trying the children in `cut`.
    - "done": the root has returned `value`; `child` is its best branch.
    `alpha`, `beta` and `best` are those of `node` after the step; `alphaFrom` and `betaFrom` are the branches
    that secured them (-1: open).

    The table: a key (mirror images share it, and equal keys are equally deep) maps to what the last search of
    such a position returned, and its bound. A position met again returns it if it is exact, or at most where
    alpha is as high, or at least where beta is as low; else it is searched as if unknown. Leaves are not
    kept. */
class Walk {
  /** @param {OutlineNode[]} nodes @param {number[][]} children
      @param {AlgorithmName} algorithm @param {boolean} table */
  constructor(nodes, children, algorithm, table) {
    this.nodes = nodes;
    this.children = children;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Question[]} */
    this.questions = [];
    /** @type {Record<number, [child: number, value: number][]>} */
    this.returned = {};
    this.pruned = algorithm !== "minimax";
    this.hard = algorithm === "fail-hard";
    /** @type {Map<string, Returned & { node: number }> | null} */
    this.table = table ? new Map() : null;
  }

  /** @type {(kind: Step["kind"], node: number, window: SearchWindow, more?: Partial<Details>) => void} */
  add(kind, node, window, more = {}) {
    const nothing = {
      best: null,
      child: -1,
      value: null,
      bound: "exact",
      cut: [],
      change: "",
      complete: false,
      from: -1,
    };
    this.steps.push(/** @type {Step} */ ({ kind, node, ...window, ...nothing, ...more }));
  }

  /** Search a node in a window; return {value, bound}.
      @type {(node: number, window: SearchWindow) => Returned} */
  search(node, window) {
    const found = this.known(node, window) ?? this.leaf(node, window);
    if (found) return found;
    this.add("enter", node, window);
    const value = this.inner(node, window, this.nodes[node].ply % 2 === 0);
    const result = { value, bound: boundOf(value, window) };
    const { key } = this.nodes[node];
    if (this.table && key !== null) this.table.set(key, { ...result, node });
    return result;
  }

  /** A value as it is returned: fail-hard keeps it in the window.
      @type {(value: number, bound: Bound, window: SearchWindow) => Returned} */
  clamped(value, bound, { alpha, beta }) {
    if (this.hard && value < alpha) return { value: alpha, bound: "upper" };
    if (this.hard && value > beta) return { value: beta, bound: "lower" };
    return { value, bound };
  }

  /** @type {(node: number, window: SearchWindow) => Returned | null} */
  known(node, window) {
    const { key, value: own } = this.nodes[node];
    const entry = own === null && key !== null && this.table?.get(key);
    if (!entry) return null;
    const { value, bound, node: from } = entry;
    if ((bound === "upper" && value > window.alpha) || (bound === "lower" && value < window.beta))
      return null;
    const found = this.clamped(value, bound, window);
    this.add("known", node, window, { ...found, best: found.value, from, cut: this.children[node] });
    return found;
  }

  /** @type {(node: number, window: SearchWindow) => Returned | null} */
  leaf(node, window) {
    const value = this.nodes[node].value;
    if (value === null) return null;
    const found = this.clamped(value, "exact", window);
    this.add("enter", node, window, { ...found, best: found.value });
    return found;
  }

  /** Try the children, narrowing the window, until none is left or it is shut; return the best value.
      @type {(node: number, entered: SearchWindow, maximizing: boolean) => number} */
  inner(node, entered, maximizing) {
    const order = this.children[node];
    const window = { ...entered };
    /** @type {(a: number, b: number) => boolean} */
    const better = maximizing ? (a, b) => a > b : (a, b) => a < b;
    const end = maximizing ? "alpha" : "beta";
    /** @type {number | null} */
    let best = null;
    this.returned[node] = [];
    for (const [place, child] of order.entries()) {
      const { value, bound } = this.search(child, { ...window });
      this.returned[node].push([child, value]);
      /** @type {Step["change"]} */
      let change = "nothing";
      if (best === null || better(value, best)) [best, change] = [value, "best"];
      if (this.pruned && better(best, window[end])) {
        Object.assign(window, { [end]: best, [`${end}From`]: child });
        change = "window";
      }
      const cut = this.pruned && window.alpha >= window.beta ? order.slice(place + 1) : [];
      const left = order.length - place - 1 - cut.length;
      const before = this.steps.length;
      this.add("back", node, window, { best, child, value, bound, change, complete: !left && !cut.length });
      if (cut.length) this.add("cut", node, window, { best, cut });
      if (cut.length || (left && change === "window")) {
        this.questions.push({ before, then: this.steps.length - 1, node, child, answer: cut });
      }
      if (!left) break;
    }
    return present(best);
  }
}
