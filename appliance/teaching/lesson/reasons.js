/* Why what somebody has filled into a tree is wrong. */

/** Why a fault is one: from the values of the branches, or from the window.
    @type {(say: Say, draft: Draft, fault: Fault) => string} */
function reasonOf(say, draft, fault) {
  const { text, uses } = whyOf(say, draft, fault);
  const own = uses.flatMap((id) => {
    const value = draft.written.get(id);
    if (value === undefined || draft.right.has(id)) return [];
    return [say.say("fault-own", { value: say.score(value, id), path: say.path(id) })];
  });
  return [text, ...own].join(" ");
}

/** @type {(say: Say, draft: Draft, fault: Fault) => Why} */
function whyOf(say, draft, fault) {
  if (fault.kind === "open") return whyOpen(say, draft, fault);
  if (fault.kind === "missed") return whyMissed(say, draft, fault);
  return fault.kind === "value" ? whyValue(say, draft, fault) : whyWindow(say, fault);
}

/** @type {(say: Say, draft: Draft, fault: OpenFault) => Why} */
function whyOpen(say, { children }, { node, marked, window }) {
  const key = marked[0] === children[node][0] ? "fault-first" : "fault-open";
  const text = say.say(key, { branch: say.path(marked[0]), ...say.ends(window, node) });
  return { text, uses: [window.alphaFrom, window.betaFrom] };
}

/** @type {(say: Say, draft: Draft, fault: MissedFault) => Why} */
function whyMissed(say, draft, { step }) {
  const held = draft.nodes[step.node].ply % 2 ? step.alphaFrom : step.betaFrom;
  const real = draft.asked && draft.real.steps.find(({ kind, node }) => kind === "cut" && node === step.node);
  if (real) return { text: say.shut(real), uses: [] };
  const why = say.say("why-cut", say.ends(step, step.node));
  if (held < -1) return { text: `${why} ${say.never(step.cut)}`, uses: [] };
  return { text: say.shut(step), uses: [step.alphaFrom, step.betaFrom] };
}

/** @type {(say: Say, fault: WindowFault) => Why} */
function whyWindow(say, { node, ends, window, swapped }) {
  const path = say.path(node);
  if (swapped) return { text: say.say("fault-swapped", { path, ...say.ends(window, node) }), uses: [] };
  const texts = ends.map((end) => {
    const from = end === "alpha" ? window.alphaFrom : window.betaFrom;
    const how = from < -1 ? "own" : from < 0 ? "open" : "from";
    const holder = say.outline.players[ENDS.indexOf(end)];
    const branch = how === "open" ? "" : say.path(how === "own" ? -2 - from : from);
    const value = say.told(window[end], node);
    return say.say(`fault-end-${how}`, { path, end: GREEK[end], holder, value, branch });
  });
  return { text: texts.join(" "), uses: [window.alphaFrom, window.betaFrom] };
}

/** @type {(say: Say, draft: Draft, fault: ValueFault) => Why} */
function whyValue(say, draft, { node, given }) {
  const cuts = draft.steps
    .filter(({ kind, node: at }) => kind === "cut" && at === node)
    .flatMap((step) => step.cut);
  // What only the pupil's own numbers would cut still counts.
  const cut = cuts.filter((id) => !draft.visited.has(id));
  const unstruck = draft.unstruck(node);
  const uses = unstruck.filter((id) => !cut.includes(id));
  const seen = uses.map((id) => draft.shown(id));
  const found = draft.best(node, seen);
  const low = draft.nodes[node].ply % 2;
  const listed = say.list.format(seen.map((one) => say.score(one, node)));
  const values = {
    path: say.path(node),
    mover: say.mover(node),
    values: listed,
    answer: say.score(found, node),
  };
  const window = draft.windowAt(node);
  const { value } = draft.clamped(found, "exact", window);
  if (value !== found) {
    return { text: `${say.say("fault-hard", values)} ${say.clamped(node, value, window)}`, uses };
  }
  const swapped = given === (low ? Math.max : Math.min)(...seen);
  const rule = `fault-${swapped ? "other-" : ""}${low ? "min" : "max"}`;
  const only = unstruck.length === 1; // the pupil struck the others, rightly or not
  return { text: say.say(only ? "fault-only" : cut.length ? "fault-left" : rule, values), uses };
}
