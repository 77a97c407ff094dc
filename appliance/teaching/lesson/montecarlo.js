/* Monte-Carlo tree search (UCT) over an outline, by the four steps of engine/montecarlo.py: select, expand,
   play at random, back up. A value is from 0 to 1 for Max; a leaf that is no finished game counts by its
   number. */

const EXPLORE = 0.5; // the engine's 1.0 is for results from -1 to 1

/** `count` playouts: {path: the positions counted, played: those of the random play below, leaf, value}.
    `visits(n)` has each node's count and mean after n of them, `best(n)` the root's most visited branch.
    @type {(outline: Outline, seed: number, count: number, explore?: number) => Playouts} */
function monteCarlo(outline, seed, count, explore = EXPLORE) {
  const random = seeded(seed);
  const { nodes } = outline;
  const worth = worthOf(nodes);
  /** @type {Sum[]} */
  const sums = nodes.map(() => ({ visits: 0, total: 0 }));
  const untried = nodes.map((node) => [...node.children]);
  /** @type {Playout[]} */
  const playouts = [];
  for (let made = 0; made < count; made++) {
    const path = [0];
    const last = () => path[path.length - 1];
    while (!untried[last()].length && nodes[last()].children.length) {
      path.push(selected(nodes, last(), sums, explore));
    }
    const open = untried[last()];
    if (open.length) path.push(...open.splice(Math.floor(random() * open.length), 1));
    /** @type {number[]} */
    const played = [];
    let leaf = last();
    while (nodes[leaf].children.length) {
      leaf = nodes[leaf].children[Math.floor(random() * nodes[leaf].children.length)];
      played.push(leaf);
    }
    const value = worth(leaf);
    for (const id of path) addTo(sums[id], value);
    playouts.push({ path, played, leaf, value });
  }
  /** @type {Playouts["visits"]} */
  const visits = (n) => counted(nodes, playouts.slice(0, n));
  /** @type {Playouts["best"]} */
  const best = (n) => {
    const made = visits(n).visits;
    return nodes[0].children.reduce((a, b) => (made[b] > made[a] ? b : a));
  };
  return { playouts, visits, best };
}

/** The child that UCB1 prefers: its mean for the side to move, and more the less it has been tried.
    @type {(nodes: OutlineNode[], node: number, sums: Sum[], explore: number) => number} */
function selected(nodes, node, sums, explore) {
  const { children, ply } = nodes[node];
  const tries = Math.log(sums[node].visits);
  /** @type {(child: number) => number} */
  const merit = (child) => {
    const { visits, total } = sums[child];
    const mean = total / visits;
    return (ply % 2 ? 1 - mean : mean) + explore * Math.sqrt(tries / visits);
  };
  return children.reduce((a, b) => (merit(b) > merit(a) ? b : a));
}

/** What a leaf counts: 1 won, 0.5 drawn, 0 lost for Max; numbers and guesses in proportion to the largest and
    the smallest, a guess always less than a win and more than a loss.
    @type {(nodes: OutlineNode[]) => (leaf: number) => number} */
function worthOf(nodes) {
  /** @type {(kind: OutlineNode["reason"]) => number[]} */
  const valued = (kind) =>
    nodes.flatMap(({ reason, value }) => (reason === kind && value !== null ? [value] : []));
  const [low, high] = [Math.min(...valued("number")), Math.max(...valued("number"))];
  const guess = Math.max(0, ...valued("guess").map(Math.abs)) + 1;
  return (leaf) => {
    const { reason } = nodes[leaf];
    const value = present(nodes[leaf].value);
    if (reason === "number") return high > low ? (value - low) / (high - low) : 0.5;
    return reason === "guess" ? (1 + value / guess) / 2 : (1 + Math.sign(value)) / 2;
  };
}

/** @type {(sum: Sum, value: number) => void} */
function addTo(sum, value) {
  sum.visits += 1;
  sum.total += value;
}

/** Each node's visits and mean value (null before the first) after these playouts.
    @type {(nodes: OutlineNode[], playouts: Playout[]) => Counts} */
function counted(nodes, playouts) {
  const sums = nodes.map(() => ({ visits: 0, total: 0 }));
  for (const { path, value } of playouts) for (const id of path) addTo(sums[id], value);
  const mean = sums.map(({ visits, total }) => (visits ? total / visits : null));
  return { visits: sums.map(({ visits }) => visits), mean };
}
