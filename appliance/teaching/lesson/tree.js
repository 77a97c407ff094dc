/* The drawing of a tree: each node's picture, the layout, and the SVG whose classes and texts a figure then
   changes. A layout keeps what a step may show apart: a subtree has a strip of its own, wide enough for its
   labels. */

const CROWDED = 14; // leaves above which a tree is drawn narrow
const [EDGE, LINE] = [4, 16]; // a picture's margin; a line of text

/** The size of a node's picture, in units. @type {(outline: Pick<Outline, "columns" | "rows">) => Size} */
function pictureSize({ columns, rows }) {
  const cell = columns > 5 ? 8 : 13;
  return columns ? { cell, wide: columns * cell, high: rows * cell } : { cell, wide: 38, high: 34 };
}

/** A node's picture around (0, 0): a board; for numbers, a triangle (Max up, Min down) or a leaf's box.
    @type {(outline: Outline, id: number, number: string, cells?: boolean) => SVGElement} */
function pictureOf(outline, id, number, cells = false) {
  const { wide, high } = pictureSize(outline);
  const node = outline.nodes[id];
  const group = svg("g", { class: "picture" });
  const [x, y, width, height] = [-wide / 2 - EDGE, -high / 2 - EDGE, wide + 2 * EDGE, high + 2 * EDGE];
  group.append(svg("rect", { class: "ground", x, y, width, height, rx: 5 }));
  if (outline.columns) group.append(...boardOf(outline, node, cells));
  else if (node.value !== null) group.append(svg("text", { class: "number", y: 6 }, number));
  else
    group.append(svg("path", { class: "turn", d: node.ply % 2 ? "M-16 -12H16L0 14Z" : "M-16 12H16L0 -14Z" }));
  return group;
}

/** A board's grid, marks and winning line; with `cells`, the empty cells are numbered.
    @type {(outline: Outline, node: OutlineNode, cells: boolean) => SVGElement[]} */
function boardOf(outline, node, cells) {
  const { columns, rows } = outline;
  const { cell, wide, high } = pictureSize(outline);
  /** @type {(at: number) => [number, number]} */
  const middle = (at) => [
    ((at % columns) + 0.5) * cell - wide / 2,
    (Math.floor(at / columns) + 0.5) * cell - high / 2,
  ];
  /** @type {(count: number, draw: (at: number) => string) => string} */
  const bars = (count, draw) => Array.from({ length: count - 1 }, (_, i) => draw((i + 1) * cell)).join("");
  const grid =
    bars(columns, (x) => `M${x - wide / 2} ${-high / 2}v${high}`) +
    bars(rows, (y) => `M${-wide / 2} ${y - high / 2}h${wide}`);
  /** @type {SVGElement[]} */
  const parts = [svg("path", { class: "grid", d: grid })];
  const r = cell * 0.28;
  [...node.cells].forEach((mark, at) => {
    const [x, y] = middle(at);
    const kind = `mark ${mark}${at === node.move ? " last" : ""}${at === node.fading ? " fading" : ""}`;
    const cross = `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
    if (mark === "x") parts.push(svg("path", { class: kind, d: cross }));
    if (mark === "o") parts.push(svg("circle", { class: kind, cx: x, cy: y, r }));
    if (mark === "." && cells) parts.push(svg("text", { class: "cell", x, y: y + 2 }, `${at + 1}`));
  });
  if (node.line.length)
    parts.push(
      svg("path", {
        class: "line",
        d: `M${middle(node.line[0])}L${middle(node.line[node.line.length - 1])}`,
      }),
    );
  return parts;
}

/** A text in two lines, at the space that leaves them shortest. @type {(text: string) => string[]} */
function folded(text) {
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => [text.slice(0, index), text.slice(index + 1)]);
  /** @type {(lines: string[]) => number} */
  const length = (lines) => Math.max(...lines.map((line) => line.length));
  return spaces.reduce((best, lines) => (length(lines) < length(best) ? lines : best), [text]);
}

/** What measures the longest of some lines of text, in units.
    @type {(family: string, font?: string) => Ruler} */
function ruler(family, font = "600 14px") {
  const canvas = present(document.createElement("canvas").getContext("2d"));
  canvas.font = `${font} ${family}`;
  return (lines) => Math.ceil(Math.max(0, ...lines.map((line) => canvas.measureText(line).width)));
}

/** Lay the tree out from left to right, children in this order. `value` and `window` are the widths of the
    widest labels. In a crowded tree, leaves hang in a column, values have two lines, and a window that finds
    no room beside its node is above it, in the strip of the node's parent: of all siblings, only one is open
    at a time.
    @type {(outline: Outline, children: number[][], labels: Room) => Plan} */
function layOut(outline, children, { value, window, crowded, lines }) {
  const { wide, high } = pictureSize(outline);
  /** @type {Place[]} */
  const place = [];
  const half = wide / 2 + EDGE;
  const slot = Math.max(wide + 22, value + 8);
  const level = high + 2 * EDGE + lines * LINE + (crowded ? 52 : 35);
  const top = high / 2 + EDGE + 8;
  let [right, bottom] = [EDGE, top];
  /** @type {(id: number) => boolean} */
  const leaf = (id) => !children[id].length;
  /** @type {(id: number, y: number) => void} */
  const hang = (id, y) => {
    const x = right + Math.max(wide / 2 + 8, value / 2 + EDGE);
    place[id] = { x, y };
    children[id].forEach((child, i) => {
      place[child] = { x: x + 18, y: y + level - 8 + i * (high + 16), hung: true };
      bottom = Math.max(bottom, place[child].y);
    });
    right = x + 18 + half + 6 + value + 10;
  };
  /** @type {(id: number, y: number) => void} */
  const spread = (id, y) => {
    const left = right;
    for (const child of children[id]) put(child, y + level);
    const above = children[id].filter((child) => !leaf(child) && !place[child].beside);
    if (above.length) right = Math.max(right, left + window + 8);
    for (const child of above) {
      const one = place[child];
      one.label = Math.min(Math.max(one.x, left + window / 2 + 2), right - window / 2 - 6);
    }
    place[id] = { x: (place[children[id][0]].x + place[children[id][children[id].length - 1]].x) / 2, y };
  };
  /** @type {(id: number, y: number) => void} */
  const put = (id, y) => {
    bottom = Math.max(bottom, y);
    if (leaf(id)) {
      place[id] = { x: right + slot / 2, y };
      right += slot;
      return;
    }
    if (crowded && id && children[id].length > 2 && children[id].every(leaf)) hang(id, y);
    else spread(id, y);
    const end = place[id].x + half + 6 + window + 6;
    if (!crowded || !id) right = Math.max(right, end);
    place[id].beside = end <= right;
  };
  put(0, top);
  return { place, width: right + EDGE, height: bottom + high / 2 + lines * LINE + 16, level, top };
}

/** The line from a node's parent, the place of the strike if it is cut, and that of the branch's number.
    @type {(size: Size, a: Place, b: Place) => Point & { d: string, number?: Point }} */
function edgeOf({ wide, high }, a, b) {
  const [top, end] = [a.y + high / 2 + EDGE, b.y - high / 2 - EDGE];
  if (b.hung) return { d: `M${a.x} ${top}V${b.y}H${b.x - wide / 2 - EDGE}`, x: b.x - wide / 2 - 11, y: b.y };
  /** @type {(share: number) => Point} */
  const at = (share) => ({ x: a.x + (b.x - a.x) * share, y: top + (end - top) * share });
  return { d: `M${a.x} ${top}L${b.x} ${end}`, ...at(0.62), number: at(0.84) };
}

/** The tree in SVG: `root`, and for each node its `shapes`: item, edge, value and bounds. Built once for a
    lesson. */
class Drawing {
  /** @param {Outline} outline @param {number[][]} children @param {Drawable} shown */
  constructor(outline, children, { labels, levels, family, number }) {
    this.outline = outline;
    this.children = children;
    this.number = number;
    this.size = pictureSize(outline);
    const measure = ruler(family);
    this.crowded = children.filter((below) => !below.length).length > CROWDED;
    const values = labels.values.map((lines) => this.lines(lines));
    const lines = Math.max(1, ...values.map(({ length }) => length));
    const plan = layOut(outline, children, {
      value: measure(values.flat()),
      window: measure(labels.windows),
      crowded: this.crowded,
      lines,
    });
    this.place = plan.place;
    this.width = plan.width;
    this.height = plan.height;
    this.level = plan.level;
    this.top = plan.top;
    /** @type {Drawn[]} */
    this.shapes = [];
    this.layers = ["cut", "plain", "path"].map((layer) => svg("g", { class: layer, "aria-hidden": "true" }));
    this.items = svg("g", { role: "presentation" });
    this.texts = svg("g", { "aria-hidden": "true" }); // an item's name has them in words
    this.add(0, 0, 1);
    this.root = svg(
      "svg",
      { class: "nodes", viewBox: `0 0 ${plan.width} ${plan.height}`, role: "tree" },
      ...this.layers,
      this.items,
      this.texts,
    );
    const names = levels.map((name) => folded(name.replace(/([△▽]) /, "$1\u00a0")));
    this.margin = measure(names.flat()) + 12;
    this.names = this.gutter(names);
  }

  /** Put the drawing into a sheet; on paper, the levels' names and the tree share its width.
      @type {(sheet: HTMLElement) => HTMLElement} */
  fill(sheet) {
    const { root, names, margin, width, height } = this;
    names.style.setProperty("--share", `${margin}`);
    root.style.setProperty("--share", `${width}`);
    sheet.style.setProperty("--wide", `${margin + width}`);
    sheet.style.setProperty("--ratio", `${(margin + width) / height}`);
    sheet.replaceChildren(names, root);
    return sheet;
  }

  /** @type {(id: number, order: number, siblings: number) => void} */
  add(id, order, siblings) {
    const { x, y, hung } = this.place[id];
    const node = this.outline.nodes[id];
    const transform = `translate(${x} ${y})`;
    const item = svg("g", {
      class: "node", transform, role: "treeitem", tabindex: -1, "data-node": id,
      "aria-level": node.ply + 1, "aria-posinset": order + 1, "aria-setsize": siblings,
    }, pictureOf(this.outline, id, this.number(id)));
    const value = svg("text", { class: hung ? "value" : "value middle", transform, "data-node": id });
    const bounds = svg("text", { class: "bounds" });
    this.items.append(item);
    this.texts.append(value, bounds);
    this.shapes[id] = { item, value, bounds, edge: id ? this.edge(node.parent, id) : null, said: {} };
    this.children[id].forEach((child, i, all) => this.add(child, i, all.length));
  }

  /** @type {(parent: number, id: number) => SVGElement} */
  edge(parent, id) {
    const { d, x, y, number } = edgeOf(this.size, this.place[parent], this.place[id]);
    const edge = svg(
      "g",
      { class: "edge" },
      svg("path", { d }),
      svg("path", { class: "strike", d: `M${x - 7} ${y + 5}l8 -10m-1 10l8 -10` }),
    );
    const numbered = !this.outline.columns && !this.crowded && number; // on a board, the mark shows the move
    if (numbered) {
      const { move } = this.outline.nodes[id];
      edge.append(svg("text", { class: "branch middle", x: number.x, y: number.y + 4 }, `${move + 1}`));
    }
    this.layers[1].append(edge);
    return edge;
  }

  /** The nodes that the arrow keys lead to; undefined where there is none.
      @type {(id: number) => Record<string, number | undefined>} */
  neighbours(id) {
    const { parent } = this.outline.nodes[id];
    const siblings = this.children[parent] ?? [];
    const place = siblings.indexOf(id);
    return {
      ArrowUp: parent,
      ArrowDown: this.children[id][0],
      ArrowLeft: siblings[place - 1],
      ArrowRight: siblings[place + 1],
    };
  }

  /** The names of the levels, in a column of their own. @type {(names: string[][]) => SVGElement} */
  gutter(names) {
    const texts = names.map((lines, ply) => this.write(svg("text"), lines, 4, this.top + ply * this.level));
    return svg(
      "svg",
      { class: "levels", viewBox: `0 0 ${this.margin} ${this.height}`, "aria-hidden": "true" },
      ...texts,
    );
  }

  /** A value's lines: in a crowded tree, folded. @type {(value: string[]) => string[]} */
  lines(value) {
    return this.crowded ? value.flatMap(folded) : value;
  }

  /** Put lines of text into a text element, around this height.
      @type {<T extends Element>(text: T, lines: string[], x: number, y: number) => T} */
  write(text, lines, x, y) {
    const first = y + 5 - ((lines.length - 1) * LINE) / 2;
    text.replaceChildren(...lines.map((line, i) => svg("tspan", { x, y: first + i * LINE }, line)));
    return text;
  }

  /** Show a node's value: beside a leaf that hangs, below any other.
      @type {(id: number, value: string[]) => Element} */
  value(id, value) {
    const lines = this.lines(value);
    const { wide, high } = this.size;
    if (this.place[id].hung) return this.write(this.shapes[id].value, lines, wide / 2 + EDGE + 6, 0);
    return this.write(
      this.shapes[id].value,
      lines,
      0,
      high / 2 + EDGE + 11 + ((lines.length - 1) * LINE) / 2,
    );
  }

  /** Show a node's window, or its best value. @type {(id: number, lines: string[]) => Element} */
  window(id, lines) {
    const { x, y, beside, label = x } = this.place[id];
    const { bounds } = this.shapes[id];
    bounds.classList.toggle("middle", !beside);
    if (beside) return this.write(bounds, lines, x + this.size.wide / 2 + EDGE + 6, y);
    return this.write(bounds, lines, label, y - this.size.high / 2 - EDGE - 19);
  }

  /** Draw a node's edge behind or before the others: hanging edges overlap.
      @type {(id: number, layer: number) => void} */
  raise(id, layer) {
    const { edge } = this.shapes[id];
    if (edge && edge.parentNode !== this.layers[layer]) this.layers[layer].append(edge);
  }
}
