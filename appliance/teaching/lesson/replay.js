/* What a figure knows after a step: replayed from the start, so that steps work in both directions. */

/** What is known after step `at` of a walk. */
function replay({ nodes }, { steps }, at) {
  const state = nodes.map(() => ({ is: "new" }));
  let [visited, known] = [0, 0];
  for (const step of steps.slice(0, at + 1)) {
    const { kind, node, value, bound, alpha, beta, best } = step;
    const here = state[node];
    Object.assign(here, { alpha, beta, best });
    if (kind === "enter") {
      visited++;
      Object.assign(here, value === null ? { is: "open" } : { is: "done", value, bound });
    } else if (kind === "known") {
      visited++;
      known++;
      Object.assign(here, { is: "known", value, bound });
    } else if (kind === "back") {
      const child = state[step.child];
      Object.assign(child, { is: child.is === "known" ? "known" : "done", value, bound });
    } else if (kind === "done") {
      Object.assign(here, { is: "done", value, bound });
    }
    // A subtree's nodes are consecutive.
    for (const branch of step.cut) state.fill({ is: "cut" }, branch, branch + nodes[branch].size);
  }
  const saved = state.filter(({ is }) => is === "cut").length;
  const { kind, node } = steps[at];
  return { state, visited, saved, known, node, path: kind === "done" ? [] : [...upward(nodes, node)] };
}

/** What is known after some playouts. */
function sampled({ nodes }, { playouts, visits }, count) {
  const found = visits(count);
  const state = nodes.map((_, id) => (found.visits[id] ? { is: "done", visits: found.visits[id], mean: found.mean[id] } : { is: "new" }));
  const { path = [], played = [], leaf = 0 } = playouts[count - 1] ?? {};
  return { state, visited: found.visits.filter(Boolean).length, node: leaf, path: [...path, ...played] };
}

function* upward(nodes, id) {
  for (; id >= 0; id = nodes[id].parent) yield id;
}
