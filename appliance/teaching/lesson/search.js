/* The searches of a lesson, step by step. The walk is that of engine.trace: fail-soft alpha-beta, or minimax
   with open windows. Fail-hard visits the same positions and clamps what is returned to the window
   (engine.textbook.alpha_beta). Negamax is alpha-beta's walk: where Min is to move it shows scores negated,
   which is for Say to do. Every score here is for Max. */

/** @type {AlgorithmName[]} */
const ALGORITHMS = ["minimax", "alpha-beta", "fail-hard", "negamax"];

/** How far a value holds that a search in this window has found.
    @type {(value: number, window: Ends) => Bound} */
const boundOf = (value, { alpha, beta }) => (value <= alpha ? "upper" : value >= beta ? "lower" : "exact");

/** The window at the root: nothing is secured yet. */
const OPEN = { alpha: -INFINITE, beta: INFINITE, alphaFrom: -1, betaFrom: -1 };

/** What most steps have of what only some need. */
const NOTHING = {
  best: null, child: -1, value: null, bound: "exact", cut: [], change: "", complete: false, from: -1,
};

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

  /** Add a step. The cast holds, because `more` has what each kind must have.
      @type {<K extends Step["kind"]>(kind: K, node: number, window: SearchWindow, more: Facts<K>) => void} */
  add(kind, node, window, more) {
    this.steps.push(/** @type {Step} */ ({ kind, node, ...window, ...NOTHING, ...more }));
  }

  /** Search a node in a window; return {value, bound}.
      @type {(node: number, window: SearchWindow) => Returned} */
  search(node, window) {
    const found = this.known(node, window) ?? this.leaf(node, window);
    if (found) return found;
    this.add("enter", node, window, {});
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
    if ((bound === "upper" && value > window.alpha) || (bound === "lower" && value < window.beta)) {
      return null;
    }
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
