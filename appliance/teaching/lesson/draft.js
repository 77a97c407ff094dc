/* What somebody has filled into a tree, judged by the search itself: it runs again with the numbers that are
   written there, so that only the step that breaks the rule is a mistake, and what follows from it is not. */

const GREEK = { alpha: "α", beta: "β" };
/** @type {End[]} */
const ENDS = ["alpha", "beta"];

/** Where an answer has the value of a position, or, with `end`, that end of the window with which it is
    reached.
    @type {(id: number, end?: End) => FieldKey} */
const keyOf = (id, end) => (end ? `${id} ${end}` : id);

/** The position and the end of a key. @type {(key: FieldKey) => { id: number, end?: End }} */
function placeOf(key) {
  const [id, end] = `${key}`.split(" ");
  return { id: Number(id), end: ENDS.find((one) => one === end) };
}

/** What somebody has filled in, judged as the lesson's search does; or, if it fits better, as fail-hard
    alpha-beta.
    @type {(lesson: Searched, answer: Answer) => Draft} */
function judged(lesson, answer) {
  const draft = new Draft(lesson, answer);
  if (!draft.pruned || !draft.faults.length || answer.windows) return draft;
  /** @type {Options} */
  const options = { ...lesson.options, algorithm: "fail-hard" };
  const hard = new Draft({ ...lesson, options, walk: walkOf(lesson.outline, options) }, answer);
  const fewer = draft.faults.length - hard.faults.length;
  return fewer > 0 || (!fewer && hard.right.size > draft.right.size) ? hard : draft;
}

/** The search over what is `written` (by its key) and `struck` (branches). A written value goes up instead of
    the one that the rule gives, the end of a window goes down, and a struck branch is passed over. */
class Draft extends Walk {
  /** @param {Searched} lesson @param {Answer} answer */
  constructor({ outline, walk, options }, { written, struck, windows = false }) {
    super(outline.nodes, walk.children, present(options.algorithm), false);
    this.written = written;
    this.struck = struck;
    this.asked = windows; // not values
    this.real = walk;
    this.visited = new Set(walk.steps.map(({ node }) => node));
    /** @type {Map<number, number>} */
    this.ruled = new Map(); // the values that the rule gives
    /** @type {Map<number, number>} */
    this.left = new Map(); // the steps after which positions are left
    /** @type {Map<number, SearchWindow & { at: number }>} */
    this.windows = new Map(); // with which positions are reached
    /** @type {{ node: number, window: SearchWindow, at: number }[]} */
    this.passed = []; // struck branches
    /** @type {Fault[]} */
    this.faults = []; // in the order of the search
    /** @type {Set<FieldKey>} */
    this.follows = new Set(); // from faults
    /** @type {Set<FieldKey>} */
    this.right = new Set();
    this.empty = 0; // positions
    this.search(0, OPEN);
    this.judge();
  }

  /** @override @type {(node: number, window: SearchWindow) => Returned} */
  search(node, window) {
    if (this.struck.has(node)) {
      this.passed.push({ node, window, at: this.steps.length });
      return { value: this.nodes[node].ply % 2 ? -INFINITE : INFINITE, bound: "exact" }; // no news above
    }
    const inner = this.nodes[node].value === null;
    if (inner) this.windows.set(node, { ...window, at: this.steps.length });
    const found = super.search(node, inner ? this.own(node, window) : window);
    if (inner) {
      this.ruled.set(node, found.value);
      this.left.set(node, this.steps.length);
    }
    return { ...found, value: this.written.get(node) ?? found.value };
  }

  /** A window with the ends that are written at a node; what secured them is then -2 - node.
      @type {(node: number, window: SearchWindow) => SearchWindow} */
  own(node, window) {
    const own = { ...window };
    for (const end of ENDS) {
      const given = this.written.get(keyOf(node, end)) ?? window[end];
      if (given !== window[end]) Object.assign(own, { [end]: given, [`${end}From`]: -2 - node });
    }
    return own;
  }

  /** Sort what is written. What the search of the right values does is never a mistake. */
  judge() {
    const { steps } = this.real;
    const returned = new Map(steps.map(({ kind, child, value }) => [kind === "done" ? 0 : child, value]));
    this.faults.push(...this.struckOpen(), ...this.notStruck());
    for (const [node, value] of this.ruled) {
      const given = this.written.get(node);
      if (given === undefined) continue;
      const unstruck = this.unstruck(node).map((id) => this.shown(id));
      /** @type {(one: number) => number} */
      const clamped = (one) => this.clamped(one, "exact", this.windowAt(node)).value;
      if (given === returned.get(node)) this.right.add(node);
      else if (!unstruck.length) this.follows.add(node);
      else if ([value, clamped(value), clamped(this.best(node, unstruck))].includes(given)) {
        this.follows.add(node);
      }
      else this.faults.push({ kind: "value", node, marked: [node], given, at: this.left.get(node) ?? 0 });
    }
    for (const [node, window] of this.windows) this.judgeWindow(node, window);
    if (this.asked) this.judgeUnreached();
    this.faults.sort((a, b) => a.at - b.at);
    this.empty = [...this.ruled.keys()].filter((id) => !this.filled(id)).length;
  }

  /** A window at which one's own numbers have cut follows from them, unless it is right. */
  judgeUnreached() {
    for (const [key, given] of this.written) {
      const { id, end } = placeOf(key);
      if (this.windows.has(id)) continue;
      const right = end && given === this.entered(id)?.[end];
      (right ? this.right : this.follows).add(key);
    }
  }

  /** The window with which a position is reached. @type {(node: number) => SearchWindow} */
  windowAt(node) {
    return present(this.windows.get(node));
  }

  /** The step with which the search of the right values enters a node.
      @type {(node: number) => Step | undefined} */
  entered(node) {
    return this.real.steps.find((step) => step.kind === "enter" && step.node === node);
  }

  /** @type {(node: number, window: SearchWindow & { at: number }) => void} */
  judgeWindow(node, window) {
    const real = this.entered(node);
    const own = Math.min(window.alphaFrom, window.betaFrom) < -1;
    // A reason names what is true, unless somebody's own number came from above.
    const shown = real && !own ? real : window;
    const keys = ENDS.map((end) => keyOf(node, end));
    const swapped = this.written.get(keys[0]) === shown.beta && this.written.get(keys[1]) === shown.alpha;
    if (swapped && this.faults.some((fault) => fault.kind === "window" && fault.swapped)) {
      return keys.forEach((key) => this.follows.add(key));
    }
    const wrong = ENDS.filter((end) => {
      const key = keyOf(node, end);
      const given = this.written.get(key);
      if (given === undefined) return false;
      if (given === real?.[end]) this.right.add(key);
      else if (given === window[end]) this.follows.add(key);
      else return true;
      return false;
    });
    const marked = wrong.map((end) => keyOf(node, end));
    const fault = { node, marked, ends: wrong, window: shown, swapped, at: window.at };
    if (wrong.length) this.faults.push({ kind: "window", ...fault });
  }

  /** Whether all is written that is asked at a position; the root's window is given.
      @type {(id: number) => boolean} */
  filled(id) {
    return this.asked ? !id || ENDS.every((end) => this.written.has(keyOf(id, end))) : this.written.has(id);
  }

  /** Whether somebody is done with a position: its value is written, or all windows in it are.
      @type {(node: number) => boolean} */
  finished(node) {
    const below = [...this.windows.keys()].filter((id) => id >= node && id < node + this.nodes[node].size);
    return this.asked ? below.every((id) => this.filled(id)) : this.filled(node);
  }

  /** Branches that are struck although the window is open there: at one position they are one mistake.
      @type {() => OpenFault[]} */
  struckOpen() {
    const cut = new Set(this.real.steps.flatMap((step) => step.cut));
    const open = this.passed.filter(({ node }) => !cut.has(node));
    /** @type {(one: { node: number }) => number} */
    const parentOf = ({ node }) => this.nodes[node].parent;
    return [...new Set(open.map(parentOf))].map((parent) => {
      const all = open.filter((one) => parentOf(one) === parent);
      return {
        kind: "open",
        node: parent,
        marked: all.map(({ node }) => node),
        window: all[0].window,
        at: all[0].at,
      };
    });
  }

  /** Cuts that are not struck, of positions that have been finished. @type {() => MissedFault[]} */
  notStruck() {
    return this.steps.flatMap((step, at) => {
      if (step.kind !== "cut" || !this.finished(step.node)) return [];
      const marked = step.cut.filter((id) => !this.struck.has(id) && !this.visited.has(id));
      return marked.length ? [{ kind: "missed", node: step.node, marked, step, at }] : [];
    });
  }

  /** The number that a node shows to its parent. @type {(id: number) => number} */
  shown(id) {
    const { value } = this.nodes[id];
    const written = value ?? this.written.get(id);
    return written ?? this.best(id, this.unstruck(id).map((child) => this.shown(child)));
  }

  /** @type {(node: number) => number[]} */
  unstruck(node) {
    return this.children[node].filter((id) => !this.struck.has(id));
  }

  /** @type {(node: number, values: number[]) => number} */
  best(node, values) {
    return (this.nodes[node].ply % 2 ? Math.min : Math.max)(...values);
  }
}
