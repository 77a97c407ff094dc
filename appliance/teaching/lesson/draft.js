/* What somebody has filled into a tree, judged by the search itself: it runs again with the numbers that are written
   there, so that only the step that breaks the rule is a mistake, and what follows from it is none. */

/** What somebody has filled in, judged as the lesson's search does; or, if it fits better, as fail-hard alpha-beta. */
function judged(lesson, answer) {
  const draft = new Draft(lesson, answer);
  if (!draft.pruned || !draft.faults.length) return draft;
  const options = { ...lesson.options, algorithm: "fail-hard" };
  const hard = new Draft({ ...lesson, options, walk: walkOf(lesson.outline, options) }, answer);
  const fewer = draft.faults.length - hard.faults.length;
  return fewer > 0 || (!fewer && hard.right.size > draft.right.size) ? hard : draft;
}

/** The search over what is `written` (values by node) and `struck` (branches). A written value goes up instead of the
    one that the rule gives, and a struck branch is passed over. */
class Draft extends Walk {
  constructor({ outline, walk, options }, { written, struck }) {
    super(outline.nodes, walk.children, options.algorithm, false);
    Object.assign(this, { written, struck, real: walk, ruled: new Map(), left: new Map(), windows: new Map(), passed: [] });
    this.search(0, OPEN);
    this.judge();
  }

  search(node, window) {
    if (this.struck.has(node)) {
      this.passed.push({ node, window, at: this.steps.length });
      return { value: this.nodes[node].ply % 2 ? -INFINITE : INFINITE, bound: "exact" }; // changes nothing above
    }
    const found = super.search(node, window);
    if (this.nodes[node].value === null) {
      this.ruled.set(node, found.value);
      this.windows.set(node, window);
      this.left.set(node, this.steps.length);
    }
    return this.written.has(node) ? { ...found, value: this.written.get(node) } : found;
  }

  /** Find the `faults`, each {kind, node, marked, ...}, in the order of the search; what `follows` from them; what is
      `right`; and what is still `empty`. What the search of the right values does is never a mistake. */
  judge() {
    const { steps } = this.real;
    const returned = new Map(steps.map(({ kind, child, value }) => [kind === "done" ? 0 : child, value]));
    this.visited = new Set(steps.map(({ node }) => node));
    Object.assign(this, { faults: [...this.struckOpen(), ...this.notStruck()], follows: new Set(), right: new Set() });
    for (const [node, value] of this.ruled) {
      const given = this.written.get(node);
      if (given === undefined) continue;
      const unstruck = this.unstruck(node).map((id) => this.shown(id));
      const kept = (one) => this.clamped(one, "", this.windows.get(node)).value;
      if (given === returned.get(node)) this.right.add(node);
      else if (!unstruck.length || [value, kept(value), kept(this.best(node, unstruck))].includes(given)) this.follows.add(node);
      else this.faults.push({ kind: "value", node, marked: [node], given, at: this.left.get(node) });
    }
    this.faults.sort((a, b) => a.at - b.at);
    this.empty = [...this.ruled.keys()].filter((id) => !this.written.has(id)).length;
  }

  /** Branches that are struck although the window is open there: at one position they are one mistake. */
  struckOpen() {
    const cut = new Set(this.real.steps.flatMap((step) => step.cut));
    const open = this.passed.filter(({ node }) => !cut.has(node));
    const parentOf = ({ node }) => this.nodes[node].parent;
    return [...new Set(open.map(parentOf))].map((parent) => {
      const all = open.filter((one) => parentOf(one) === parent);
      return { kind: "open", node: parent, marked: all.map(({ node }) => node), window: all[0].window, at: all[0].at };
    });
  }

  /** Cuts that are not struck, of positions that have been finished. */
  notStruck() {
    const finished = this.steps.filter(({ kind, node }) => kind === "cut" && this.written.has(node));
    const faults = finished.map((step) => {
      const marked = step.cut.filter((id) => !this.struck.has(id) && !this.visited.has(id));
      return { kind: "missed", node: step.node, marked, step, at: this.steps.indexOf(step) };
    });
    return faults.filter(({ marked }) => marked.length);
  }

  /** The number that a node shows to its parent. */
  shown(id) {
    const { value } = this.nodes[id];
    return value ?? this.written.get(id) ?? this.best(id, this.unstruck(id).map((child) => this.shown(child)));
  }

  unstruck(node) {
    return this.children[node].filter((id) => !this.struck.has(id));
  }

  best(node, values) {
    return (this.nodes[node].ply % 2 ? Math.min : Math.max)(...values);
  }
}

/** Why a fault is one: from the values of the branches, or from the window. */
function reasonOf(say, draft, fault) {
  const texts = { open: whyOpen, missed: whyMissed, value: whyValue };
  const { text, uses } = texts[fault.kind](say, draft, fault);
  const own = uses.filter((id) => draft.written.has(id) && !draft.right.has(id));
  return [text, ...own.map((id) => say.say("fault-own", { value: say.score(draft.written.get(id), id), path: say.path(id) }))].join(" ");
}

function whyOpen(say, { children }, { node, marked, window }) {
  const key = marked[0] === children[node][0] ? "fault-first" : "fault-open";
  return { text: say.say(key, { branch: say.path(marked[0]), ...say.ends(window, node) }), uses: [window.alphaFrom, window.betaFrom] };
}

function whyMissed(say, draft, { step }) {
  return { text: say.shut(step), uses: [step.alphaFrom, step.betaFrom] };
}

function whyValue(say, draft, { node, given }) {
  const cuts = draft.steps.filter(({ kind, node: at }) => kind === "cut" && at === node).flatMap((step) => step.cut);
  const cut = cuts.filter((id) => !draft.visited.has(id)); // what only the pupil's own numbers would cut still counts
  const unstruck = draft.unstruck(node);
  const uses = unstruck.filter((id) => !cut.includes(id));
  const seen = uses.map((id) => draft.shown(id));
  const found = draft.best(node, seen);
  const low = draft.nodes[node].ply % 2;
  const values = { path: say.path(node), mover: say.mover(node), values: say.list.format(seen.map((one) => say.score(one, node))), answer: say.score(found, node) };
  const { value } = draft.clamped(found, "", draft.windows.get(node));
  if (value !== found) return { text: `${say.say("fault-hard", values)} ${say.clamped(node, value, draft.windows.get(node))}`, uses };
  const swapped = given === (low ? Math.max : Math.min)(...seen);
  const rule = `fault-${swapped ? "other-" : ""}${low ? "min" : "max"}`;
  const only = unstruck.length === 1; // the pupil struck the others, rightly or not
  return { text: say.say(only ? "fault-only" : cut.length ? "fault-left" : rule, values), uses };
}
