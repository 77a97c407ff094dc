/* The drawing of a tree: each node's picture, and the SVG whose classes and texts a step then changes. */

const CROWDED = 14; // leaves above which a tree is drawn narrow

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
  else {
    group.append(svg("path", { class: "turn", d: node.ply % 2 ? "M-16 -12H16L0 14Z" : "M-16 12H16L0 -14Z" }));
  }
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
  if (node.line.length) {
    const [from, to] = [node.line[0], node.line[node.line.length - 1]];
    parts.push(svg("path", { class: "line", d: `M${middle(from)}L${middle(to)}` }));
  }
  return parts;
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
    const attributes = { class: "nodes", viewBox: `0 0 ${plan.width} ${plan.height}`, role: "tree" };
    this.root = svg("svg", attributes, ...this.layers, this.items, this.texts);
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
    const strike = svg("path", { class: "strike", d: `M${x - 7} ${y + 5}l8 -10m-1 10l8 -10` });
    const edge = svg("g", { class: "edge" }, svg("path", { d }), strike);
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
    const viewBox = `0 0 ${this.margin} ${this.height}`;
    return svg("svg", { class: "levels", viewBox, "aria-hidden": "true" }, ...texts);
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
    const below = high / 2 + EDGE + 11 + ((lines.length - 1) * LINE) / 2;
    return this.write(this.shapes[id].value, lines, 0, below);
  }

  /** Show a node's window, or its best value. @type {(id: number, lines: string[]) => Element} */
  window(id, lines) {
    const { x, y, beside, label = x } = this.place[id];
    const { bounds } = this.shapes[id];
    bounds.classList.toggle("middle", !beside);
    if (beside) return this.write(bounds, lines, x + this.size.wide / 2 + EDGE + 6, y);
    return this.write(bounds, lines, label, y - this.size.high / 2 - EDGE - 19);
  }

  /** Show a node of which this is known. What stays as it is is not touched.
      @type {(id: number, seen: Seen) => void} */
  show(id, seen) {
    const { item, edge, said } = this.shapes[id];
    /** @type {(key: keyof Seen) => boolean} */
    const changed = (key) => String(seen[key]) !== String(said[key]);
    if (changed("classes") || changed("severed")) {
      item.setAttribute("class", `node ${seen.classes}`);
      edge?.setAttribute("class", `edge ${seen.classes}${seen.severed}`);
      this.raise(id, seen.layer);
    }
    if (changed("hand")) {
      setAttributes(item, { tabindex: seen.hand ? 0 : -1, "aria-current": seen.hand ? "step" : "false" });
    }
    if (changed("name")) item.setAttribute("aria-label", seen.name);
    if (changed("value")) this.value(id, seen.value);
    if (changed("window")) this.window(id, seen.window);
    this.shapes[id].said = seen;
  }

  /** Draw a node's edge behind or before the others: hanging edges overlap.
      @type {(id: number, layer: number) => void} */
  raise(id, layer) {
    const { edge } = this.shapes[id];
    if (edge && edge.parentNode !== this.layers[layer]) this.layers[layer].append(edge);
  }
}
