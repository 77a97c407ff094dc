"use strict";
/* Draw the tree: pictures of the nodes, layout and legend. */

const $ = (id) => document.getElementById(id);
const lesson = JSON.parse($("lesson").textContent);
const { nodes, players, columns } = lesson;

function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const CELL = columns > 5 ? 8 : 13;
const rows = columns ? nodes[0].cells.length / columns : 0;
const WIDE = columns ? columns * CELL : 38;
const HIGH = columns ? rows * CELL : 34;
// The width of the longest value below a node, at 8 units a character.
const LABEL = 8 * Math.max(...lesson.walks.flatMap(({ steps }) => steps.map((step) => lesson.texts[step[6]].length)));

/** Return a node's picture around (0, 0): a board; for numbers, a triangle (Max up, Min down) or a leaf's box. */
function picture(id, numbered = false) {
  const node = nodes[id];
  const group = svg("g", { class: "picture" });
  const [x, y, width, height] = [-WIDE / 2 - 4, -HIGH / 2 - 4, WIDE + 8, HIGH + 8];
  group.append(svg("rect", { class: "ground", x, y, width, height, rx: 5 }));
  if (columns) return board(node, group, numbered);
  if (node.number) {
    group.append(svg("text", { class: "number", y: 6 }, node.number));
  } else {
    const [tip, base] = node.ply % 2 ? [14, -12] : [-14, 12];
    group.append(svg("path", { class: "turn", d: `M-16 ${base}H16L0 ${tip}Z` }));
  }
  return group;
}

function board(node, group, numbered) {
  const [left, top] = [-WIDE / 2, -HIGH / 2];
  let grid = "";
  for (let i = 1; i < columns; i++) grid += `M${left + i * CELL} ${top}v${HIGH}`;
  for (let i = 1; i < rows; i++) grid += `M${left} ${top + i * CELL}h${WIDE}`;
  group.append(svg("path", { class: "grid", d: grid }));
  const middle = (cell) => [left + (cell % columns + 0.5) * CELL, top + (Math.floor(cell / columns) + 0.5) * CELL];
  const r = CELL * 0.28;
  [...node.cells].forEach((mark, cell) => {
    const [x, y] = middle(cell);
    const kind = `mark${cell === node.move ? " last" : ""}${cell === node.fading ? " fading" : ""}`;
    const cross = `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
    if (mark === "x") group.append(svg("path", { class: kind, d: cross }));
    if (mark === "o") group.append(svg("circle", { class: kind, cx: x, cy: y, r }));
    if (mark === "." && numbered) group.append(svg("text", { class: "cell", x, y: y + 2 }, cell + 1));
  });
  if (node.line.length) {
    const [a, b] = [middle(node.line[0]), middle(node.line[node.line.length - 1])];
    group.append(svg("path", { class: "line", d: `M${a}L${b}` }));
  }
  return group;
}

/** Lay the tree out from left to right, children in this order; in a wide tree, leaves hang in a column. */
function layout(children) {
  const place = [];
  const leaves = nodes.filter((_, id) => !children[id].length).length;
  const [level, slot, beside] = [HIGH + 58, Math.max(WIDE + 22, LABEL + 6), WIDE + LABEL + 44];
  let right = innerWidth > 700 ? 96 : 16, bottom = 0; // the names of the levels are at the left
  const put = (id, y) => {
    const below = children[id];
    bottom = Math.max(bottom, y);
    if (!below.length) {
      place[id] = { x: right + slot / 2, y };
      right += slot;
    } else if (id && leaves > 14 && below.length > 2 && below.every((child) => !children[child].length)) {
      place[id] = { x: right + WIDE / 2 + 8, y };
      below.forEach((child, i) => {
        place[child] = { x: right + WIDE / 2 + 26, y: y + level - 16 + i * (HIGH + 14), hung: true };
        bottom = Math.max(bottom, place[child].y);
      });
      right += beside;
    } else {
      for (const child of below) put(child, y + level);
      place[id] = { x: (place[below[0]].x + place[below[below.length - 1]].x) / 2, y };
    }
  };
  put(0, HIGH / 2 + 24);
  return { place, width: right + (innerWidth > 700 ? 60 : 44), height: bottom + HIGH / 2 + 36, level };
}

/** Return the line from a node's parent, and the place of the strike if it is cut. */
function edge(place, id) {
  const [a, b] = [place[nodes[id].parent], place[id]];
  if (b.hung) return { d: `M${a.x} ${a.y + HIGH / 2 + 4}V${b.y}H${b.x - WIDE / 2 - 4}`, x: b.x - WIDE / 2 - 11, y: b.y };
  const [top, end] = [a.y + HIGH / 2 + 4, b.y - HIGH / 2 - 4];
  return { d: `M${a.x} ${top}L${b.x} ${end}`, x: a.x + (b.x - a.x) * 0.62, y: top + (end - top) * 0.62 };
}

/** Fill the legend, with the classes of the tree itself, so that the two cannot differ. */
function legend() {
  const first = nodes.findIndex((_, id) => !lesson.walks[0].children[id].length);
  const signs = [
    ["hand path", "current position"],
    ["path", "path to it"],
    ["done", "searched, with its value below or beside it"],
    ["new", "not visited yet"],
  ];
  if (lesson.algorithm !== "minimax") signs.push(["cut severed", "cut: dashed, its branch struck through"]);
  for (const [classes, meaning] of signs) {
    const end = -WIDE / 2;
    const strike = svg("path", { class: "strike", d: `M${end - 24} 5l8 -10m-1 10l8 -10` });
    const line = svg("g", { class: `edge ${classes}` }, svg("path", { d: `M${end - 34} 0h30` }), strike);
    const sign = svg(
      "svg",
      { viewBox: `${end - 36} ${-HIGH / 2 - 8} ${WIDE + 44} ${HIGH + 16}`, height: HIGH + 16, "aria-hidden": true },
      line,
      svg("g", { class: `node ${classes}` }, picture(first)),
    );
    const entry = document.createElement("p");
    entry.append(sign, meaning);
    $("legend").append(entry);
  }
}
