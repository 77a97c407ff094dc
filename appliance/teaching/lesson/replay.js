/* What a figure knows after a step: replayed from the start, so that steps work in both directions. */

/** A node of which nothing is known yet. @type {NodeState} */
const UNSEEN = {
  is: "new",
  alpha: 0,
  beta: 0,
  best: null,
  value: null,
  bound: "exact",
  visits: 0,
  mean: null,
};

/** What is known after step `at` of a walk. @type {(outline: Outline, walk: Walked, at: number) => Now} */
function replay({ nodes }, { steps }, at) {
  const state = nodes.map(() => UNSEEN);
  /** @type {(id: number, more: Partial<NodeState>) => void} */
  const know = (id, more) => {
    state[id] = { ...state[id], ...more };
  };
  let [visited, known] = [0, 0];
  for (const step of steps.slice(0, at + 1)) {
    const { kind, node, child, value, bound, alpha, beta, best } = step;
    know(node, { alpha, beta, best });
    if (kind === "enter") {
      visited++;
      know(node, value === null ? { is: "open" } : { is: "done", value, bound });
    } else if (kind === "known") {
      visited++;
      known++;
      know(node, { is: "known", value, bound });
    } else if (kind === "back") {
      know(child, { is: state[child].is === "known" ? "known" : "done", value, bound });
    } else if (kind === "done") {
      know(node, { is: "done", value, bound });
    }
    // A subtree's nodes are consecutive.
    for (const branch of step.cut) state.fill({ ...UNSEEN, is: "cut" }, branch, branch + nodes[branch].size);
  }
  const saved = state.filter(({ is }) => is === "cut").length;
  const { kind, node } = steps[at];
  return { state, visited, saved, known, node, path: kind === "done" ? [] : [...upward(nodes, node)] };
}

/** What is known after some playouts.
    @type {(outline: Outline, montecarlo: Playouts, count: number) => Now} */
function sampled({ nodes }, { playouts, visits }, count) {
  const found = visits(count);
  /** @type {NodeState[]} */
  const state = nodes.map((_, id) => {
    const [times, mean] = [found.visits[id], found.mean[id]];
    return times ? { ...UNSEEN, is: "done", visits: times, mean } : UNSEEN;
  });
  const { path, played, leaf } = playouts[count - 1] ?? { path: [], played: [], leaf: 0 };
  const visited = found.visits.filter((visits) => visits).length;
  return { state, visited, saved: 0, known: 0, node: leaf, path: [...path, ...played] };
}

/** @type {(nodes: OutlineNode[], id: number) => Generator<number>} */
function* upward(nodes, id) {
  for (; id >= 0; id = nodes[id].parent) yield id;
}
