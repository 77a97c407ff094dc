/* The searches in Python, beside a figure: the lines that a step has run are marked. The tests run these
   texts. */

/** A program's lines, each after the kinds of steps that mark it. */
const MINIMAX = [
  ["", "def search(node):"],
  ["leaf", "    if is_leaf(node): return value(node)"],
  ["begin-max", "    if is_max(node): best = -INF"],
  ["begin-min", "    else: best = INF"],
  ["", "    for child in branches(node):"],
  ["", "        v = search(child)"],
  ["", "        if is_max(node):"],
  ["max", "            best = max(best, v)"],
  ["", "        else:"],
  ["min", "            best = min(best, v)"],
  ["return", "    return best"],
];

const ALPHA_BETA = [
  ["", "def search(node, alpha, beta):"],
  ["leaf", "    if is_leaf(node): return value(node)"],
  ["begin-max", "    if is_max(node): best = -INF"],
  ["begin-min", "    else: best = INF"],
  ["", "    for child in branches(node):"],
  ["", "        v = search(child, alpha, beta)"],
  ["", "        if is_max(node):"],
  ["max", "            best = max(best, v)"],
  ["alpha", "            alpha = max(alpha, best)"],
  ["", "        else:"],
  ["min", "            best = min(best, v)"],
  ["beta", "            beta = min(beta, best)"],
  ["cut", "        if alpha >= beta: break"],
  ["return", "    return best"],
];

const FAIL_HARD = ALPHA_BETA.map(([kinds, text]) => {
  return [kinds, text.replace("return value(node)", "return max(alpha, min(beta, value(node)))")];
});

const NEGAMAX = [
  ["", "def search(node, alpha, beta):"],
  ["leaf", "    if is_leaf(node): return value_for_mover(node)"],
  ["begin-max begin-min", "    best = -INF"],
  ["", "    for child in branches(node):"],
  ["", "        v = -search(child, -beta, -alpha)"],
  ["max min", "        best = max(best, v)"],
  ["alpha beta", "        alpha = max(alpha, best)"],
  ["cut", "        if alpha >= beta: break"],
  ["return", "    return best"],
];

/** @type {Record<string, string[][]>} */
const PROGRAMS = { minimax: MINIMAX, "alpha-beta": ALPHA_BETA, "fail-hard": FAIL_HARD, negamax: NEGAMAX };

/** The kinds of a step, as the lines of a program name them.
    @type {(step: Step, nodes: OutlineNode[]) => string[]} */
function kindsOf({ kind, node, value, change, complete }, nodes) {
  const [best, end] = nodes[node].ply % 2 ? ["min", "beta"] : ["max", "alpha"];
  if (kind === "enter") return [value === null ? `begin-${best}` : "leaf"];
  if (kind === "cut") return ["cut", "return"];
  if (kind !== "back") return ["return"];
  return [best, change === "window" ? end : "", complete ? "return" : ""];
}

class Program {
  constructor() {
    /** @type {[kinds: string[], line: HTMLElement][]} */
    this.lines = [];
    this.host = html("pre", "code", { tabindex: 0, role: "group", name: "program" });
  }

  /** Show the program of this search. @type {(algorithm: string) => void} */
  show(algorithm) {
    this.lines = PROGRAMS[algorithm].map(([kinds, text]) => {
      return [kinds.split(" "), html("span", "", {}, `${text}\n`)];
    });
    this.host.replaceChildren(...this.lines.map(([, line]) => line));
  }

  /** Mark the lines of a step. @type {(step: Step, nodes: OutlineNode[]) => void} */
  at(step, nodes) {
    const now = kindsOf(step, nodes).filter((kind) => kind);
    for (const [kinds, line] of this.lines) {
      const runs = kinds.some((kind) => now.includes(kind));
      line.classList.toggle("runs", runs);
      if (runs) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }
}
