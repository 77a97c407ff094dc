/* What the tests ask of the page. */

/** What a figure shows at its step. */
function shown(root = "#free .figure") {
  const figure = document.querySelector(root);
  const text = (part) => figure.querySelector(`.panel ${part}`).textContent;
  const count = (part) => Number(text(`.counts dd.${part}`).replace(/\D/g, ""));
  const all = (name) => [...figure.querySelectorAll(`.tree .node.${name}`)];
  const marked = (name) => all(name).map((node) => Number(node.dataset.node)).sort((a, b) => a - b);
  return {
    path: text(".where"), alpha: text(".alpha"), beta: text(".beta"), best: text(".best"), says: text(".says"), progress: text(".progress"),
    visited: count("visited"), saved: count("saved"), known: count("known"), total: count("total"),
    hand: marked("hand"), cut: marked("cut"), done: marked("done"), open: marked("open"), recalled: marked("known"),
    values: Object.fromEntries([...all("done"), ...all("known")].map(({ dataset: { node } }) => [node, [...figure.querySelectorAll(`.value[data-node="${node}"] tspan`)].map((line) => line.textContent).join(" ")])),
  };
}

/** The texts of a tree that cover a picture or another text, and the pictures that meet. */
function covered(root) {
  const tree = document.querySelector(`${root} .tree`);
  tree.scrollLeft = 0; // scrolled, nodes go below the column of the levels' names
  const named = (selector, name) => [...tree.querySelectorAll(selector)].filter((one) => one.tagName === "rect" || one.textContent).map((one) => [name, one.textContent, one.getBoundingClientRect()]);
  const texts = [...named(".bounds", "window"), ...named(".value", "value"), ...named(".branch", "number"), ...named(".levels text", "level")];
  const all = [...texts, ...named(".ground", "picture")];
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
  return texts.flatMap((one, i) => all.slice(i + 1).filter((other) => meet(one[2], other[2])).map((other) => [one.slice(0, 2), other.slice(0, 2)]));
}

/* The contrast of two colours, after WCAG 2, and the colour behind an element. */
const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgba = (colour) => {
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data];
};
const light = (colour) => {
  const [r, g, b] = rgba(colour).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (rgba(colour)[3]) return colour;
  }
  return "white";
};
const ratio = (a, b) => {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
};

/** The contrasts of the elements that have a text of their own, by their text. */
function textContrasts(selector = "body *") {
  const found = {};
  for (const element of document.querySelectorAll(selector)) {
    const text = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim();
    const style = getComputedStyle(element);
    if (text && element.checkVisibility()) found[`${element.tagName} ${text.slice(0, 30)}`] = ratio(element instanceof SVGElement ? style.fill : style.color, ground(element));
  }
  return found;
}

/** The contrast, after WCAG 2, of every text and of the lines that carry a meaning. */
function contrasts() {
  const found = {};
  const main = ground(document.querySelector(".figure .tree"));
  for (const element of document.querySelectorAll("h1, h2, p, a, dt, dd, label, button, select, li, td, th, .progress")) {
    const name = `${element.tagName} ${element.id || element.textContent.slice(0, 20)}`;
    if (element.checkVisibility() && element.textContent.trim()) found[name] = ratio(getComputedStyle(element).color, ground(element));
  }
  for (const element of document.querySelectorAll(".tree text")) {
    if (element.textContent) found[`text ${element.textContent}`] = ratio(getComputedStyle(element).fill, main);
  }
  for (const name of [".tree .edge.path path", ".tree .edge.severed .strike"]) {
    found[name] = ratio(getComputedStyle(document.querySelector(name)).stroke, main);
  }
  return found;
}

/** The least contrast of what is drawn, and of the frames of what one can use, by its kind; with its opacity. Text has a
    test of its own, and a hatched or transparent part means nothing. */
function graphics() {
  const found = {};
  const note = (part, colour, back) => {
    let alpha = rgba(colour)[3] / 255;
    for (let one = part; one; one = one.parentElement) alpha *= getComputedStyle(one).opacity;
    const [front, behind] = [rgba(colour), rgba(back)];
    const mixed = `rgb(${[0, 1, 2].map((i) => front[i] * alpha + behind[i] * (1 - alpha)).join(" ")})`;
    const name = `${part.closest("section")?.id} ${part.closest("svg, .entries, .controls")?.classList[0]} ${part.parentNode.getAttribute("class")} > ${part.getAttribute("class") ?? part.tagName}`;
    found[name] = Math.min(found[name] ?? 99, ratio(mixed, back));
  };
  for (const part of document.querySelectorAll(".figure svg :is(path, rect, circle)")) {
    const { stroke } = getComputedStyle(part);
    if (part.checkVisibility() && stroke !== "none") note(part, stroke, ground(part));
  }
  for (const part of document.querySelectorAll("button, select, input:not([type=range], [type=checkbox], [type=radio])")) {
    const { borderTopColor, borderTopWidth } = getComputedStyle(part);
    if (part.checkVisibility() && parseFloat(borderTopWidth)) note(part, borderTopColor, ground(part.parentElement));
  }
  for (const part of document.querySelectorAll(".snip")) {
    if (part.checkVisibility()) note(part, getComputedStyle(part, "::before").borderTopColor, ground(part));
  }
  return found;
}

/** Where an element is on the screen. */
function box(selector) {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return [left, top, right, bottom];
}

/** The sizes of the buttons, without those that strike a branch: they are as large as its tree. */
function buttonSizes() {
  return [...document.querySelectorAll("button:not(.snip)")].filter((one) => one.checkVisibility()).map((one) => [one.offsetWidth, one.offsetHeight]);
}

/** What has the focus, and whether that can be seen. */
function focused() {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  return [element.id || element.getAttribute("role") || element.classList[0] || element.tagName, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
}

/** The texts that are wider than their place, and the parts that stick out of their section. */
function cutOff() {
  const found = [];
  for (const element of document.querySelectorAll("button, label, th, td, dd, dt, p, h1, h2, a")) {
    if (element.checkVisibility() && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") found.push(`${element.tagName} ${element.textContent.slice(0, 30)}`);
  }
  for (const part of document.querySelectorAll("main > section > *, .editor *")) {
    const [inner, outer] = [part, part.closest("section")].map((one) => one.getBoundingClientRect());
    if (inner.right > outer.right + 1) found.push(`${part.tagName} ${part.className}`);
  }
  return found;
}

/** The texts of a figure's drawings that stick out of them, at any of its steps; and how many steps it has. */
function outside(root) {
  const figure = document.querySelector(root);
  const [first, step] = ["first", "step"].map((name) => figure.querySelector(`.controls .${name}`));
  const sticking = (drawing) => {
    const room = drawing.getBoundingClientRect();
    const texts = [...drawing.querySelectorAll("text")].filter((one) => one.textContent && one.checkVisibility());
    const boxes = texts.map((one) => [one.textContent, one.getBoundingClientRect()]);
    const out = ({ left, top, right, bottom }) => Math.max(room.left - left, room.top - top, right - room.right, bottom - room.bottom) > 0.5;
    return boxes.filter(([, box]) => out(box)).map(([text]) => text);
  };
  const found = new Set();
  first.click();
  for (let steps = 1; ; steps++, step.click()) {
    for (const drawing of figure.querySelectorAll("svg")) sticking(drawing).forEach((text) => found.add(text));
    if (step.ariaDisabled === "true") return [steps, [...found]];
  }
}

/** The least space above or below the sentences of a section that lies between them and a button. */
function spacing(root) {
  const shown = (selector) => [...document.querySelectorAll(`${root} ${selector}`)].filter((one) => one.checkVisibility() && one.textContent);
  const boxes = (selector) => shown(selector).map((one) => one.getBoundingClientRect());
  const beside = (a, b) => Math.min(a.right, b.right) > Math.max(a.left, b.left);
  const gap = (a, b) => Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
  const pairs = boxes(":is(.says, .verdict, .reasons, .caption)").flatMap((text) => boxes(":is(button, .controls)").map((button) => [text, button]));
  return Math.min(...pairs.filter((pair) => beside(...pair)).map((pair) => gap(...pair)));
}

/** Choose from a list, as a person would, by what it says or by its value. */
function choose(selector, label, value) {
  const list = document.querySelector(selector);
  const at = [...list.options].findIndex((one) => (value ? one.value === value : one.text === label));
  if (at < 0) throw new Error(`no ${label ?? value} among ${[...list.options].map((one) => one.text)}`);
  list.selectedIndex = at;
  list.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Tick an answer of an exercise. */
function tick(root, label) {
  const found = [...document.querySelectorAll(`${root} .ask label`)].find((one) => one.textContent.trim() === label);
  found.querySelector("input").click();
}

/** The rows of a section's table. */
function rows(root) {
  return [...document.querySelectorAll(`${root} .variants tbody tr`)].map((row) => [...row.cells].map((cell) => cell.textContent));
}

const visible = (selector) => document.querySelector(selector).checkVisibility();
const focus = (selector) => (selector ? document.querySelector(selector).focus() : document.activeElement.blur());

/** The buttons of a figure that have nothing to do. */
const idle = (root) => [...document.querySelectorAll(`${root} .controls [aria-disabled=true]`)].map((button) => button.className);
