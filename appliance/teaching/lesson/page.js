"use strict";
/*
 * Play back walks that Python recorded from the engine's own trace; nothing is searched here. A step has the current
 * node, its alpha, beta and best value in words, the value that came back, the branches that are cut, and the reason.
 */
const { texts, walks } = lesson;
const [ENTER, BACK, CUT, DONE] = [0, 1, 2, 3];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let walk = walks[0]; // the walk in the chosen order of moves
let at = 0; // the current step
let question = null; // of the exercise: {before, then, text, answer, choices, given}
let tally = { right: 0, asked: 0 };
let timer = 0;
let zoom = 0; // 0: automatic
let place = []; // each node's place in the drawing
let shapes = []; // each node's SVG elements

const read = ([kind, node, alpha, beta, best, text, returned, child, ...cut]) => ({
  kind, node, child, cut,
  alpha: texts[alpha], beta: texts[beta], best: texts[best], text: texts[text], returned: texts[returned],
});

/* ---- The state after a step: replayed from the start, so that steps work in both directions ---- */

function known(last) {
  const state = nodes.map(() => ({ is: "new", value: "" }));
  let visited = 0, saved = 0;
  for (let i = 0; i <= last; i++) {
    const step = read(walk.steps[i]);
    const here = state[step.node];
    if (step.kind === ENTER) {
      visited++;
      here.is = step.returned ? "done" : "open";
      here.value = step.returned;
    } else if (step.kind === BACK) {
      Object.assign(state[step.child], { is: "done", value: step.returned });
    } else if (step.kind === CUT) {
      for (const branch of step.cut) {
        saved += nodes[branch].size;
        for (let i = branch; i < branch + nodes[branch].size; i++) state[i].is = "cut"; // a subtree's nodes are consecutive
      }
    } else {
      Object.assign(here, { is: "done", value: step.returned });
    }
    Object.assign(here, { alpha: step.alpha, beta: step.beta, best: step.best });
  }
  return { state, visited, saved };
}

let drawing; // {svg, lines, width, height, level, scale}
function drawTree() {
  const size = layout(walk.children);
  place = size.place;
  const root = svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "tree", "aria-label": "Tree of positions" });
  const [lines, items, windows] = [svg("g"), svg("g", { role: "presentation" }), svg("g", { "aria-hidden": "true" })];
  shapes = [];
  const add = (id, order, siblings) => {
    const { x, y, hung } = place[id];
    const shape = shapes[id] = {
      item: svg("g", {
        class: "node", transform: `translate(${x} ${y})`, role: "treeitem", tabindex: -1, "data-node": id,
        "aria-level": nodes[id].ply + 1, "aria-posinset": order + 1, "aria-setsize": siblings,
      }, picture(id)),
      value: svg("text", hung ? { class: "value", x: WIDE / 2 + 9, y: 5 } : { class: "value middle", y: HIGH / 2 + 20 }),
      window: svg("text", { class: "window" }),
    };
    shape.item.append(shape.value);
    items.append(shape.item);
    windows.append(shape.window);
    if (id) {
      const { d, x: mx, y: my } = edge(place, id);
      shape.edge = svg("g", { class: "edge" }, svg("path", { d }));
      shape.edge.append(svg("path", { class: "strike", d: `M${mx - 7} ${my + 5}l8 -10m-1 10l8 -10` }));
      lines.append(shape.edge);
    }
    walk.children[id].forEach((child, i, all) => add(child, i, all.length));
  };
  add(0, 0, 1);
  root.append(lines, items, windows);
  drawing?.svg.remove();
  drawing = { svg: root, lines, ...size };
  $("scroll").append(root);
  $("levels").replaceChildren(...levelNames());
  resize();
}

function levelNames() {
  const deepest = Math.max(...nodes.filter((_, id) => walk.children[id].length).map((node) => node.ply));
  return Array.from({ length: deepest + 1 }, (_, ply) => {
    const name = document.createElement("span");
    const side = `${columns ? `${players[ply % 2]}: ` : ""}${ply % 2 ? "▽ Min" : "△ Max"}`;
    name.textContent = lesson.algorithm === "negamax" ? `${players[ply % 2]} to move` : side;
    name.dataset.y = HIGH / 2 + 24 + ply * drawing.level;
    return name;
  });
}

const fitting = () => Math.min($("scroll").clientWidth / drawing.width, $("scroll").clientHeight / drawing.height);
const usual = () => (innerWidth >= 1100 ? 1.15 : 1);

function resize() {
  const high = $("scroll").clientHeight / drawing.height; // a tree that is too wide at least fills the height
  const scale = zoom || Math.max(0.92 * usual(), Math.min(fitting(), 1.7 * usual()), Math.min(high, 1.3 * usual()));
  drawing.scale = scale;
  drawing.svg.setAttribute("width", Math.floor(drawing.width * scale));
  drawing.svg.setAttribute("height", Math.floor(drawing.height * scale));
  for (const name of $("levels").children) name.style.top = `${name.dataset.y * scale}px`;
  reveal(false);
}

/** Scroll the current node into the middle. */
function reveal(smooth = true) {
  const { x, y } = place[read(walk.steps[at]).node];
  const box = $("scroll");
  box.scrollTo({
    left: x * drawing.scale - box.clientWidth / 2,
    top: y * drawing.scale - box.clientHeight / 2,
    behavior: smooth && !calm.matches ? "smooth" : "instant",
  });
}

/* ---- Show a step ---- */

function describe(id, one, hand) {
  const told = {
    new: "not visited yet",
    open: lesson.algorithm === "minimax" ? "being searched" : `being searched, alpha ${one.alpha}, beta ${one.beta}`,
    done: `value ${one.value.replace("≤", "at most").replace("≥", "at least")}`,
    cut: "cut, never looked at",
  }[one.is];
  return `${nodes[id].path}: ${hand ? "current, " : ""}${told}`;
}

function show() {
  const step = read(walk.steps[at]);
  const { state, visited, saved } = known(at);
  const pathway = new Set();
  for (let id = step.node; id >= 0; id = nodes[id].parent) pathway.add(id);
  nodes.forEach((node, id) => {
    const [one, shape, hand] = [state[id], shapes[id], id === step.node];
    const on = pathway.has(id) && step.kind !== DONE;
    const classes = `${one.is}${on ? " path" : ""}${hand ? " hand" : ""}`;
    const severed = one.is === "cut" && state[node.parent].is !== "cut" ? " severed" : "";
    shape.item.setAttribute("class", `node ${classes}`);
    shape.item.setAttribute("aria-label", describe(id, one, hand));
    shape.item.setAttribute("tabindex", hand ? 0 : -1);
    shape.item.setAttribute("aria-current", hand ? "step" : "false");
    shape.edge?.setAttribute("class", `edge ${classes}${severed}`);
    shape.value.textContent = one.is === "done" && !node.number ? one.value : "";
    shape.window.replaceChildren(...(one.is === "open" ? windowLines(place[id], one) : []));
  });
  // Hanging edges overlap: draw cut ones first, and the current path last.
  const rank = (id) => (pathway.has(id) ? 3 : ["cut", "new", "done", "open"].indexOf(state[id].is));
  const order = nodes.map((_, id) => id).filter((id) => id).sort((a, b) => rank(a) - rank(b));
  drawing.lines.append(...order.map((id) => shapes[id].edge));
  $("hand").replaceChildren(svg("svg", {
    viewBox: `${-WIDE / 2 - 6} ${-HIGH / 2 - 6} ${WIDE + 12} ${HIGH + 12}`,
    role: "img",
    "aria-label": spoken(nodes[step.node]),
  }, picture(step.node, columns < 6)));
  const side = step.node === 0 && step.kind === DONE ? 0 : nodes[step.node].ply % 2;
  const leaf = !walk.children[step.node].length;
  $("path").textContent = nodes[step.node].path;
  $("mover").textContent = leaf ? "nobody" : columns ? `${players[side]}, ${side ? "Min" : "Max"}` : players[side];
  $("alpha").textContent = step.alpha;
  $("beta").textContent = step.beta;
  $("best").textContent = step.best || "none";
  $("best-name").textContent = leaf ? "Value" : "Best so far";
  $("says").textContent = said() ?? step.text;
  $("visited").textContent = visited.toLocaleString("en");
  $("saved").textContent = saved.toLocaleString("en");
  $("total").textContent = nodes.length.toLocaleString("en");
  $("bar-visited").style.width = `${(100 * visited) / nodes.length}%`;
  $("bar-saved").style.width = `${(100 * saved) / nodes.length}%`;
  $("slider").value = at;
  $("progress").textContent = `Step ${at + 1} of ${walk.steps.length}`;
  // Not `disabled`, which would take the focus from a button that has it.
  const [first, last] = [at === 0, at >= limit()];
  const idle = { first, back: first, step: last, end: last, play: last, cut: nextCut() < 0 };
  for (const [id, is] of Object.entries(idle)) $(id).setAttribute("aria-disabled", is);
}

/** Return the exercise's text, which replaces the step's sentence; null to keep the sentence. */
function said() {
  if (!question) return null;
  if (question.given) return at === question.then ? question.given : null;
  return at === question.before - 1 ? question.text : null;
}

function windowLines({ x, y }, one) {
  const left = { x: x + WIDE / 2 + 10 };
  if (lesson.algorithm === "minimax") return one.best ? [svg("tspan", { ...left, y: y + 5 }, `best ${one.best}`)] : [];
  return [svg("tspan", { ...left, y: y - 3 }, `α ${one.alpha}`), svg("tspan", { ...left, y: y + 13 }, `β ${one.beta}`)];
}

function spoken(node) {
  if (!columns) return node.number ? `Leaf ${node.number}` : node.path;
  const marks = [...node.cells].map((mark) => (mark === "." ? "empty" : mark));
  const lines = Array.from({ length: rows }, (_, row) => marks.slice(row * columns, (row + 1) * columns).join(" "));
  return `Board: ${lines.join("; ")}`;
}

/* ---- Walk ---- */

/** Return the last step that may be shown: an open question hides those after it. */
const limit = () => (question && !question.given ? question.before - 1 : walk.steps.length - 1);

function go(step) {
  at = Math.max(0, Math.min(step, limit()));
  if (at >= limit()) halt();
  show();
  reveal();
}

const nextCut = () => walk.steps.findIndex(([kind], i) => i > at && i <= limit() && kind === CUT);

function halt() {
  clearInterval(timer);
  timer = 0;
  $("play").setAttribute("aria-pressed", "false");
  $("play").textContent = "Play";
}

function play() {
  if (timer) return halt();
  timer = setInterval(() => go(at + 1), 1600);
  $("play").setAttribute("aria-pressed", "true");
  $("play").textContent = "Pause";
}

function choose(order) {
  halt();
  leaveExercise();
  walk = walks[order];
  at = 0;
  $("slider").max = walk.steps.length - 1;
  drawTree();
  [...$("orders").tBodies[0].rows].forEach((row, i) => row.setAttribute("aria-current", i === order));
  go(0);
}

/* ---- Exercises ---- */

function ask() {
  halt();
  const index = question ? question.index + 1 : 0;
  if (index >= walk.asks.length) return finish(index === 0);
  const [before, then, text, answer] = walk.asks[index];
  const { state } = known(before - 1);
  const choices = [];
  for (let id = read(walk.steps[before]).node; id >= 0; id = nodes[id].parent) {
    choices.push(...walk.children[id].filter((child) => state[child].is === "new"));
  }
  question = { index, before, then, text: texts[text], answer: texts[answer], choices, given: null };
  const option = (value, label) => Object.assign(document.createElement("option"), { value, textContent: label });
  const name = ({ path, number }) => (number ? `${path}: ${number}` : path);
  $("choice").replaceChildren(
    option("", "Select a branch"),
    option("none", "None: the search goes on"),
    ...choices.map((id) => option(id, name(nodes[id]))),
  );
  asking(true);
  go(before - 1);
  $("choice").focus();
}

function asking(open) {
  $("ask").hidden = false;
  document.body.classList.toggle("asking", open);
  for (const id of ["choice", "answer"]) $(id).hidden = !open;
  document.querySelector("#ask label").hidden = !open;
  $("next").hidden = open;
  $("tally").textContent = tally.asked ? `${tally.right} of ${tally.asked} right` : `Questions: ${walk.asks.length}`;
}

/** Judge an answer: a branch, a node below a branch, or "none". */
function answer(given) {
  if (!question || question.given) return;
  let picked = given;
  while (picked !== "none" && picked >= 0 && !question.choices.includes(picked)) picked = nodes[picked].parent;
  if (picked === -1) {
    $("tally").textContent = "Select a branch that has not been visited.";
    $("choice").focus();
    return;
  }
  const { kind, cut } = read(walk.steps[question.then]);
  const right = kind === CUT ? cut.includes(picked) : picked === "none";
  tally = { right: tally.right + right, asked: tally.asked + 1 };
  question.given = `${right ? "Right." : "Not quite."} ${question.answer}`;
  asking(false);
  go(question.then);
  $("next").textContent = question.index + 1 < walk.asks.length ? "Next question" : "Finish";
  $("next").focus();
}

function finish(none) {
  const text = none
    ? "Nothing is cut in this order of moves, so there are no questions."
    : `That was the last question. ${tally.right} of ${tally.asked} right.`;
  leaveExercise();
  $("says").textContent = text;
  $("exercise").focus();
}

function leaveExercise() {
  question = null;
  tally = { right: 0, asked: 0 };
  $("ask").hidden = true;
  document.body.classList.remove("asking");
  $("exercise").setAttribute("aria-pressed", "false");
}

/* ---- Buttons and keys ---- */

const actions = {
  first: () => go(0),
  back: () => go(at - 1),
  step: () => go(at + 1),
  end: () => go(walk.steps.length - 1),
  cut: () => nextCut() >= 0 && go(nextCut()),
  play,
  next: ask,
  exercise: () => {
    if ($("exercise").getAttribute("aria-pressed") === "true") return leaveExercise(), show();
    $("exercise").setAttribute("aria-pressed", "true");
    ask();
  },
  smaller: () => ((zoom = drawing.scale / 1.25), resize()),
  larger: () => ((zoom = drawing.scale * 1.25), resize()),
  fit: () => ((zoom = zoom === fitting() ? 0 : fitting()), resize()),
  theme: () => dress(document.documentElement.dataset.theme !== "dark"),
};
for (const [id, action] of Object.entries(actions)) $(id).addEventListener("click", action);
$("slider").addEventListener("input", (event) => go(Number(event.target.value)));
$("order").addEventListener("change", (event) => choose(event.target.selectedIndex));
$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = $("choice").value;
  answer(given === "none" ? given : Number(given || -1));
});

document.addEventListener("keydown", (event) => {
  const key = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "end" }[event.key];
  const busy = event.target.closest("select, input, [role=tree]"); // these use the arrow keys themselves
  if (!key || busy || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  actions[key]();
});

const nodeOf = (event) => Number(event.target.closest("[data-node]")?.dataset.node ?? -1);

function pick(id) {
  if (id < 0) return;
  if (question && !question.given) return answer(id);
  const entered = walk.steps.findIndex(([kind, node]) => kind === ENTER && node === id);
  if (entered >= 0) go(entered);
}

// A click must not move the focus, so that the arrow keys still step.
$("scroll").addEventListener("mousedown", (event) => nodeOf(event) >= 0 && event.preventDefault());
$("scroll").addEventListener("click", (event) => pick(nodeOf(event)));
$("scroll").addEventListener("keydown", (event) => {
  const id = nodeOf(event);
  if (id < 0) return;
  const siblings = walk.children[nodes[id].parent] ?? [];
  const next = {
    ArrowUp: nodes[id].parent,
    ArrowDown: walk.children[id][0],
    ArrowLeft: siblings[siblings.indexOf(id) - 1],
    ArrowRight: siblings[siblings.indexOf(id) + 1],
  };
  if (!(event.key in next) && event.key !== "Enter") return;
  event.preventDefault();
  event.key === "Enter" ? pick(id) : shapes[next[event.key]]?.item.focus();
});

function dress(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  $("theme").textContent = dark ? "Light" : "Dark";
}

/* ---- Start ---- */

const darkness = matchMedia("(prefers-color-scheme: dark)");
darkness.addEventListener("change", () => dress(darkness.matches));
dress(darkness.matches);
for (const each of walks) {
  const cuts = each.steps.flatMap((step) => read(step).cut).reduce((sum, id) => sum + nodes[id].size, 0);
  $("order").append(Object.assign(document.createElement("option"), { textContent: each.name }));
  const row = $("orders").tBodies[0].insertRow();
  for (const text of [each.name, nodes.length - cuts, cuts]) row.insertCell().textContent = text;
}
document.body.classList.toggle("plain", lesson.algorithm === "minimax");
document.body.classList.toggle("numbers", !columns);
legend();
addEventListener("resize", resize);
choose(0);
