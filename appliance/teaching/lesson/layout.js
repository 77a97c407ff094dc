/* Where a tree's parts are drawn. What a step may show is kept apart: a subtree has a strip of its own, wide
   enough for its labels. */

const [EDGE, LINE] = [4, 16]; // a picture's margin; a line of text

/** The size of a node's picture, in units. @type {(outline: Pick<Outline, "columns" | "rows">) => Size} */
function pictureSize({ columns, rows }) {
  const cell = columns > 5 ? 8 : 13;
  return columns ? { cell, wide: columns * cell, high: rows * cell } : { cell, wide: 38, high: 34 };
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
