/* An article's alpha-beta with its mistake: engine.textbook.alpha_beta_as_printed, and with the mistake
   mended. */

/** The program: of each line the function, what it does there, and its text. The tests run it. */
const PRINTED = [
  ["min", "head", "def minimize(node, alpha, beta):"],
  ["min", "leaf", "    if is_leaf(node): return value(node)"],
  ["min", "start", "    new_beta = beta"],
  ["min", "loop", "    for child in branches(node):"],
  ["min", "keep", "        new_beta = min(beta, maximize(child, alpha, new_beta))"],
  ["min", "cut", "        if alpha >= new_beta: return alpha"],
  ["min", "return", "    return new_beta"],
  ["max", "head", "def maximize(node, alpha, beta):"],
  ["max", "leaf", "    if is_leaf(node): return value(node)"],
  ["max", "start", "    new_alpha = alpha"],
  ["max", "loop", "    for child in branches(node):"],
  ["max", "keep", "        new_alpha = max(new_alpha, minimize(child, new_alpha, beta))"],
  ["max", "cut", "        if new_alpha >= beta: return beta"],
  ["max", "return", "    return new_alpha"],
  ["root", "head", "def search(root):"],
  ["root", "root", "    return max(minimize(child, -INF, INF) for child in branches(root))"],
];
const WRONG = 4; // its line

/** Its walk. A step of kind "back" has in `compared` the number with which a returned value is compared. */
class PrintedWalk extends Walk {
  /** @param {Outline} outline @param {boolean} mended */
  constructor(outline, mended) {
    super(outline.nodes, childrenIn(outline, "written"), "printed", false);
    this.mended = mended;
  }

  /** @override @type {(node: number, entered: SearchWindow, maximizing: boolean) => number} */
  inner(node, entered, maximizing) {
    this.returned[node] = [];
    if (!node) return this.root();
    /** @type {[End, End]} */
    const [mine, other] = maximizing ? ["alpha", "beta"] : ["beta", "alpha"];
    const window = { ...entered };
    for (const [place, child] of this.children[node].entries()) {
      const { value } = this.search(child, { ...window });
      const compared = maximizing || this.mended ? window[mine] : entered[mine];
      const best = (maximizing ? Math.max : Math.min)(compared, value);
      const change = best === window[mine] ? "nothing" : "window";
      Object.assign(window, { [mine]: best, [`${mine}From`]: child });
      this.returned[node].push([child, value]);
      const cut = window.alpha >= window.beta ? this.children[node].slice(place + 1) : [];
      const complete = child === this.children[node].at(-1);
      this.add("back", node, window, { best, child, value, change, compared, complete });
      if (window.alpha < window.beta) continue;
      if (cut.length) this.add("cut", node, window, { best, cut });
      return window[other];
    }
    return window[mine];
  }

  /** The root hands down an open window each time, and takes the highest value. */
  root() {
    let best = -INFINITE;
    for (const [place, child] of this.children[0].entries()) {
      const { value } = this.search(child, OPEN);
      this.returned[0].push([child, value]);
      best = Math.max(best, value);
      const complete = place === this.children[0].length - 1;
      this.add("back", 0, OPEN, { best, child, value, change: "best", complete });
    }
    return best;
  }
}

/** The lines that a step has run. @type {(step: Step, nodes: OutlineNode[]) => number[]} */
function linesRun({ kind, node, value, complete }, nodes) {
  const at = !node ? "root" : nodes[node].ply % 2 ? "min" : "max";
  const done = {
    enter: [value === null ? "start" : "leaf"], known: [], back: ["keep", complete ? "return" : ""],
    cut: ["cut"], done: ["root"],
  };
  const wanted = node ? done[kind] : ["root"];
  return PRINTED.flatMap(([name, does], line) => (name === at && wanted.includes(does) ? [line] : []));
}
