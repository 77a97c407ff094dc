/* A figure: the tree of a lesson, what each step of its search shows, and the controls. A page may have several. */

const CONTROLS = ["first", "back", "step", "play", "cut", "end"];
const [PACE, READABLE_SCALE] = [1600, 0.72]; // ms from step to step; the least scale at which boards can be read
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** An HTML element with classes; `word` is the key of its text, `name` that of its label. */
function html(tag, classes = "", { word, name, ...attributes } = {}, ...children) {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  if (word) element.dataset.word = word;
  if (name) element.dataset.name = name;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** What is known after step `at` of a walk: replayed from the start, so that steps work in both directions. */
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

class Figure {
  static current = null; // the figure used last: the arrow keys step there

  constructor(host, { lang = "en", compact = false, controls = CONTROLS, montecarlo = false } = {}) {
    Object.assign(this, { host, lang, lesson: null, at: 0, limit: null, zoom: 0, timer: 0, view: null });
    host.classList.add("figure");
    host.classList.toggle("compact", compact);
    host.classList.toggle("montecarlo", montecarlo);
    this.compact = compact;
    this.build(controls);
    this.listen();
    new ResizeObserver(() => this.measure()).observe(this.stage);
  }

  /* ---- What the page calls ---- */

  /** Show a lesson {outline, walk, options}, or {outline, montecarlo}, at this step. */
  show(lesson, at = 0) {
    this.halt();
    Object.assign(this, { lesson, limit: null, zoom: 0, text: null, marks: new Set() });
    const { algorithm, table } = lesson.options ?? {};
    this.host.classList.toggle("plain", !algorithm || algorithm === "minimax");
    this.host.classList.toggle("tabled", Boolean(table));
    this.host.classList.toggle("numbers", !lesson.outline.columns);
    this.host.classList.toggle("montecarlo", Boolean(lesson.montecarlo));
    this.draw();
    this.at = Math.max(0, Math.min(at, this.end));
    this.render();
    this.reveal(false);
  }

  speak(lang) {
    this.lang = lang;
    if (!this.lesson) return;
    this.draw();
    this.render();
    this.reveal(false);
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.end));
    if (this.at >= this.end) this.halt();
    this.render();
    this.reveal();
    this.host.dispatchEvent(new CustomEvent("step", { detail: this.at }));
  }

  /** Mark nodes, such as the branches among which an exercise asks. */
  mark(ids) {
    this.marks = new Set(ids);
    this.render();
  }

  /** The text that replaces the sentence of the step; null to keep that. */
  get told() {
    return this.text;
  }

  set told(text) {
    this.text = text;
    if (this.lesson) this.render();
  }

  get last() {
    return this.lesson.montecarlo ? this.lesson.montecarlo.playouts.length : this.lesson.walk.steps.length - 1;
  }

  /** The last step that may be shown. */
  get end() {
    return Math.min(this.limit ?? this.last, this.last);
  }

  get nextCut() {
    return this.lesson.walk?.steps.findIndex(({ kind }, i) => i > this.at && i <= this.end && kind === "cut") ?? -1;
  }

  /* ---- Elements ---- */

  build(controls) {
    const pair = (kind, word = kind, classes = "") => html("div", classes, {}, html("dt", "", { word }), html("dd", kind));
    const zoom = (kind, sign) => html("button", kind, { type: "button", name: kind }, sign);
    this.levels = null;
    this.tree = html("div", "tree", {}, html("div", "sheet"));
    this.stage = html("div", "stage", {}, this.tree);
    const sizes = [zoom("smaller", "−"), html("button", "fit", { type: "button", word: "fit" }), zoom("larger", "+")];
    const bar = html("div", "bar", { "aria-hidden": true }, html("span", "visited"), html("span", "saved"));
    this.slider = html("input", "slider", { type: "range", min: 0, step: 1, name: "slider" });
    const buttons = controls.map((kind) => html("button", kind, { type: "button", word: kind }));
    this.panel = html(
      "div", "panel", {},
      html("div", "hand"),
      html("dl", "window", {}, pair("where", "position"), pair("mover"), pair("alpha", "alpha", "pruned"), pair("beta", "beta", "pruned"), pair("best", "best")),
      html("div", "talk", {}, html("p", "says", { role: "status", "aria-live": "polite" })),
      html("div", "counts", {}, bar, html("dl", "", {}, pair("visited"), pair("saved", "saved", "searched"), pair("known", "known", "table"), pair("total", "total", "searched"), pair("wholly", "whole", "sampled"))),
      html("div", "controls", { role: "group", name: "steps" }, ...buttons, this.slider, html("span", "progress"), ...(this.compact ? [] : [html("div", "zoom", { role: "group", name: "size" }, ...sizes)])),
    );
    this.legend = html("div", "legend");
    this.host.replaceChildren(this.stage, this.panel, this.legend);
    this.parts = Object.fromEntries([...this.panel.querySelectorAll("dd, .hand, .says, .progress")].map((part) => [part.className, part]));
    this.bars = [...bar.children];
    this.buttons = Object.fromEntries(buttons.map((button) => [button.className, button]));
  }

  /** The words of this figure: in the lesson's language, except where a key is missing. */
  t(key, values = {}) {
    return this.say.t(`figure.${key}`, values);
  }

  relabel() {
    for (const part of this.host.querySelectorAll("[data-word]")) part.textContent = this.t(part.dataset.word);
    for (const part of this.host.querySelectorAll("[data-name]")) part.setAttribute("aria-label", this.t(part.dataset.name));
    this.sounds();
  }

  /** Draw the tree, once for a lesson and language: a step changes only its classes and texts. */
  draw() {
    const { outline, walk, montecarlo } = this.lesson;
    this.say = new Say(this.lang, this.lesson);
    this.number = new Intl.NumberFormat(this.lang);
    this.relabel();
    const children = walk?.children ?? outline.nodes.map((node) => node.children);
    const inner = outline.nodes.filter((_, id) => children[id].length).map(({ ply }) => ply);
    this.drawing = new Drawing(outline, children, {
      labels: montecarlo ? { values: this.playoutLabels(), windows: [] } : this.walkLabels(),
      levels: Array.from({ length: Math.max(...inner) + 1 }, (_, ply) => this.say.levels(ply)),
      family: getComputedStyle(this.host).fontFamily,
      number: (id) => this.say.score(outline.nodes[id].value ?? 0, id),
    });
    const { root, names, width, height, margin } = this.drawing;
    root.setAttribute("aria-label", this.t("tree"));
    const sheet = this.tree.firstChild;
    sheet.replaceChildren(names, root);
    names.style.setProperty("--share", margin);
    root.style.setProperty("--share", width);
    sheet.style.setProperty("--ratio", (margin + width) / height);
    this.host.classList.toggle("wide", (margin + width) / height > 1.2);
    this.slider.max = this.last;
    this.shown = -1;
    this.signs();
    this.resize();
  }

  walkLabels() {
    const { walk, outline } = this.lesson;
    const [values, windows] = [[], new Set()];
    for (const step of walk.steps) {
      if (step.value !== null) values.push(this.valueText(step.kind === "back" ? step.child : step.node, step));
      if (!outline.nodes[step.node].children.length) continue;
      for (const line of this.windowText(step.node, step)) windows.add(line);
    }
    return { values, windows: [...windows] };
  }

  playoutLabels() {
    const { playouts, visits } = this.lesson.montecarlo;
    const { visits: often, mean } = visits(playouts.length);
    return often.map((visits, id) => this.valueText(id, { visits, mean: mean[id] }));
  }

  /* ---- A step ---- */

  get moment() {
    const { outline, walk, montecarlo } = this.lesson;
    return montecarlo ? sampled(outline, montecarlo, this.at) : replay(outline, walk, this.at);
  }

  render() {
    const { outline } = this.lesson;
    const now = this.moment;
    const path = new Set(now.path);
    outline.nodes.forEach((_, id) => this.renderNode(id, now, path));
    this.renderHand(now.node);
    this.renderWindow(now);
    this.renderCounts(now);
    this.parts.says.textContent = this.text ?? this.sentence(now);
    this.renderControls();
  }

  /** Show one node; nothing that stays as it is is touched. */
  renderNode(id, { state, node }, path) {
    const [one, hand, { parent }] = [state[id], id === node, this.lesson.outline.nodes[id]];
    const { item, edge, said } = this.drawing.shapes[id];
    const classes = `${one.is}${path.has(id) ? " path" : ""}${hand ? " hand" : ""}${this.marks.has(id) ? " marked" : ""}`;
    const severed = one.is === "cut" && !["cut", "known"].includes(state[parent].is) ? " severed" : "";
    const seen = {
      classes, severed, hand,
      name: this.nodeName(id, one, hand),
      value: one.is === "done" || one.is === "known" ? this.valueText(id, one) : [],
      window: one.is === "open" ? this.windowText(id, one) : [],
    };
    const changed = (key) => String(seen[key]) !== String(said[key]);
    if (changed("classes") || changed("severed")) {
      item.setAttribute("class", `node ${classes}`);
      edge?.setAttribute("class", `edge ${classes}${severed}`);
      this.drawing.raise(id, path.has(id) ? 2 : one.is === "cut" ? 0 : 1);
    }
    if (changed("hand")) {
      item.setAttribute("tabindex", hand ? 0 : -1);
      item.setAttribute("aria-current", hand ? "step" : "false");
    }
    if (changed("name")) item.setAttribute("aria-label", seen.name);
    if (changed("value")) this.drawing.value(id, seen.value);
    if (changed("window")) this.drawing.window(id, seen.window);
    this.drawing.shapes[id].said = seen;
  }

  nodeName(id, one, hand) {
    const where = this.say.path(id);
    if (one.visits) return `${where}: ${hand ? `${this.t("current")}, ` : ""}${this.t("sampled", { visits: one.visits, mean: this.mean(one) })}`;
    if (this.lesson.montecarlo) return `${where}: ${this.t("unsampled")}`;
    return `${where}: ${this.say.state(id, { ...one, hand })}`;
  }

  mean = ({ mean }) => new Intl.NumberFormat(this.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(mean);

  /** A node's value as its label; a number that is a leaf's own is in its box. */
  valueText(id, one) {
    if (this.lesson.montecarlo) return [`${this.number.format(one.visits)}×`, one.visits ? this.mean(one) : ""];
    const given = this.lesson.outline.nodes[id].reason === "number" && one.value === this.lesson.outline.nodes[id].value;
    return given ? [] : [this.say.bound(one.value, one.bound, id)];
  }

  windowText(id, one) {
    if (this.lesson.options.algorithm === "minimax") return one.best === null ? [] : folded(this.t("bestIs", { value: this.say.score(one.best, id) }));
    const [alpha, beta] = this.say.window(one.alpha, one.beta, id);
    return [`α ${alpha}`, `β ${beta}`];
  }

  renderHand(node) {
    if (this.shown === node) return;
    this.shown = node;
    const { outline } = this.lesson;
    const { wide, high } = this.drawing.size;
    const box = `${-wide / 2 - 6} ${-high / 2 - 6} ${wide + 12} ${high + 12}`;
    const big = svg("svg", { viewBox: box, role: "img", "aria-label": this.spoken(outline.nodes[node]) });
    big.append(pictureOf(outline, node, this.drawing.number(node), outline.columns < 6));
    this.parts.hand.replaceChildren(big);
  }

  spoken({ cells, value }) {
    const { columns, rows } = this.lesson.outline;
    if (!columns) return value === null ? this.t("inner") : this.t("leaf", { value: this.number.format(value) });
    const marks = [...cells].map((mark) => (mark === "." ? this.t("empty") : mark));
    const lines = Array.from({ length: rows }, (_, row) => marks.slice(row * columns, (row + 1) * columns).join(" "));
    return this.t("board", { rows: lines.join("; ") });
  }

  renderWindow({ state, node, path }) {
    const { walk, outline, montecarlo } = this.lesson;
    const leaf = !(walk?.children[node] ?? outline.nodes[node].children).length;
    const put = (kind, text) => (this.parts[kind].textContent = text);
    put("where", this.say.path(node));
    put("mover", leaf ? this.t("nobody") : this.say.mover(node));
    const word = leaf && !montecarlo ? "value" : montecarlo ? "average" : "best";
    this.parts.best.previousSibling.textContent = this.t(word);
    if (montecarlo) return put("best", state[node].visits ? this.mean(state[node]) : this.t("none"));
    const { alpha, beta, best } = walk.steps[this.at];
    const [low, high] = this.say.window(alpha, beta, node);
    put("alpha", low);
    put("beta", high);
    put("best", best === null ? this.t("none") : this.say.score(best, node));
  }

  renderCounts({ visited, saved = 0, known = 0 }) {
    const all = this.lesson.outline.nodes.length;
    const counts = { visited, saved, known, total: all, wholly: all };
    for (const [kind, count] of Object.entries(counts)) this.parts[kind].textContent = this.number.format(count);
    this.bars[0].style.width = `${(100 * visited) / all}%`;
    this.bars[1].style.width = `${(100 * saved) / all}%`;
  }

  /** The sentence of the step. */
  sentence({ state }) {
    const { walk, montecarlo } = this.lesson;
    if (!montecarlo) return this.say.step(walk.steps[this.at]);
    if (!this.at) return this.t("noPlayout");
    const { leaf, value } = montecarlo.playouts[this.at - 1];
    const { players, nodes } = this.lesson.outline;
    const ended = { won: value > 0.5 ? "won" : "lost", drawn: "drawn" }[nodes[leaf].reason] ?? "worth";
    const result = this.t(ended, { player: players[0], value: this.mean({ mean: value }) });
    const told = this.t("playout", { number: this.at, path: this.say.path(leaf), result, mean: this.mean(state[0]) });
    return this.at < this.last ? told : `${told} ${this.t("chosen", { move: this.say.path(montecarlo.best(this.at)) })}`;
  }

  /** Not `disabled`, which would take the focus from a button that has it. */
  renderControls() {
    const [first, last] = [this.at === 0, this.at >= this.end];
    const idle = { first, back: first, step: last, end: last, play: last, cut: this.nextCut < 0 };
    for (const [kind, is] of Object.entries(idle)) this.buttons[kind]?.setAttribute("aria-disabled", is);
    const progress = this.lesson.montecarlo
      ? this.t("playouts", { at: this.at, of: this.last })
      : this.t("progress", { at: this.at + 1, of: this.last + 1 });
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", progress);
    this.parts.progress.textContent = progress;
  }

  /** Fill the legend, with the classes of the tree itself, so that the two cannot differ. */
  signs() {
    if (this.compact) return;
    const { outline, montecarlo } = this.lesson;
    const leaf = outline.nodes.findIndex(({ children }) => !children.length);
    const signs = montecarlo
      ? [["hand path", "Playout"], ["path", "Path"], ["done", "Sampled"], ["new", "New"]]
      : [["hand path", "Hand"], ["path", "Path"], ["done", "Done"], ["new", "New"], ["cut severed", "Cut"], ["known", "Known"]];
    const entries = signs.map(([classes, word]) => html("p", classes.split(" ")[0], {}, this.sign(classes, leaf), this.t(`legend${word}`)));
    this.legend.replaceChildren(...entries);
  }

  sign(classes, leaf) {
    const { wide, high } = this.drawing.size;
    const end = -wide / 2;
    const strike = svg("path", { class: "strike", d: `M${end - 24} 5l8 -10m-1 10l8 -10` });
    const line = svg("g", { class: `edge ${classes}` }, svg("path", { d: `M${end - 34} 0h30` }), strike);
    const picture = svg("g", { class: `node ${classes}` }, pictureOf(this.lesson.outline, leaf, this.drawing.number(leaf)));
    const box = `${end - 36} ${-high / 2 - 8} ${wide + 44} ${high + 16}`;
    return svg("svg", { viewBox: box, height: Math.min(high + 16, 60), "aria-hidden": true }, line, picture);
  }

  /* ---- Size and place ---- */

  /** Take the new size of the stage: of a window, or of a turned phone. */
  measure() {
    const { width, height } = this.stage.getBoundingClientRect();
    if (this.view?.width === width && (this.compact || this.view.height === height)) return;
    this.view = { width, height };
    if (this.lesson) this.resize();
  }

  /** The scale at which the whole tree is seen, if its boards can be read then. */
  get fitting() {
    const { margin, width, height } = this.drawing;
    return Math.max(READABLE_SCALE, Math.min(this.view.width / (margin + width), this.view.height / height));
  }

  get usual() {
    const { margin, width, height } = this.drawing;
    if (this.compact) return Math.max(READABLE_SCALE, Math.min(this.view.width / (margin + width), 1.1));
    const large = this.view.width >= 1000 ? 1.15 : 1;
    const high = this.view.height / height; // a tree that is too wide at least fills the height
    return Math.max(0.92 * large, Math.min(this.view.width / (margin + width), high, 1.7 * large), Math.min(high, 1.3 * large));
  }

  resize() {
    if (!this.view) return this.measure();
    const { root, names, margin, width, height } = this.drawing;
    this.scale = this.zoom || this.usual;
    for (const [part, wide] of [[names, margin], [root, width]]) {
      part.setAttribute("width", Math.floor(wide * this.scale));
      part.setAttribute("height", Math.floor(height * this.scale));
    }
    this.tree.style.scrollPaddingLeft = `${margin * this.scale + 8}px`; // a focused node is not behind the levels' names
    this.reveal(false);
  }

  enlarge(scale) {
    this.zoom = scale;
    this.resize();
  }

  /** Scroll the current node into the middle of what the names of the levels leave. */
  reveal(smooth = true) {
    if (!this.view || this.shown < 0) return;
    const { place, margin } = this.drawing;
    const { x, y } = place[this.shown];
    this.tree.scrollTo({
      left: x * this.scale - (this.view.width - margin * this.scale) / 2,
      top: y * this.scale - this.view.height / 2,
      behavior: smooth && !calm.matches ? "smooth" : "instant",
    });
  }

  /* ---- Controls ---- */

  play() {
    if (this.timer) return this.halt();
    if (this.at >= this.end) return;
    this.timer = setInterval(() => this.go(this.at + 1), PACE);
    this.sounds();
  }

  halt() {
    clearInterval(this.timer);
    this.timer = 0;
    this.sounds();
  }

  /** Say on the button whether it plays. */
  sounds() {
    const { play } = this.buttons;
    if (!play || !this.say) return;
    play.setAttribute("aria-pressed", Boolean(this.timer));
    play.textContent = this.t(this.timer ? "pause" : "play");
  }

  listen() {
    const actions = {
      first: () => this.go(0),
      back: () => this.go(this.at - 1),
      step: () => this.go(this.at + 1),
      end: () => this.go(this.end),
      cut: () => this.nextCut >= 0 && this.go(this.nextCut),
      play: () => this.play(),
      smaller: () => this.enlarge(this.scale / 1.25),
      larger: () => this.enlarge(this.scale * 1.25),
      fit: () => this.enlarge(this.zoom === this.fitting ? 0 : this.fitting),
    };
    this.actions = actions;
    this.panel.querySelector(".controls").addEventListener("click", ({ target }) => this.lesson && actions[target.closest("button")?.className]?.());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    for (const event of ["focusin", "pointerdown"]) this.host.addEventListener(event, () => (Figure.current = this));
    // A click must not move the focus, so that the arrow keys still step.
    this.tree.addEventListener("mousedown", (event) => this.nodeOf(event) >= 0 && event.preventDefault());
    this.tree.addEventListener("click", (event) => this.pick(this.nodeOf(event)));
    this.tree.addEventListener("keydown", (event) => this.wander(event));
  }

  nodeOf({ target }) {
    return Number(target.closest("[data-node]")?.dataset.node ?? -1);
  }

  /** Go to the step that enters a node, unless the page has another use for it. */
  pick(id) {
    if (id < 0 || !this.host.dispatchEvent(new CustomEvent("pick", { detail: id, cancelable: true }))) return;
    const { walk, montecarlo } = this.lesson;
    const entered = montecarlo
      ? montecarlo.playouts.findIndex(({ path }) => path.includes(id)) + 1 || -1
      : walk.steps.findIndex(({ kind, node }) => node === id && (kind === "enter" || kind === "known"));
    if (entered >= 0) this.go(entered);
  }

  /** In the tree, the arrow keys move among the branches; Enter goes there. */
  wander(event) {
    const id = this.nodeOf(event);
    if (id < 0) return;
    const { children, outline, shapes } = this.drawing;
    const { parent } = outline.nodes[id];
    const siblings = children[parent] ?? [];
    const place = siblings.indexOf(id);
    const next = { ArrowUp: parent, ArrowDown: children[id][0], ArrowLeft: siblings[place - 1], ArrowRight: siblings[place + 1] };
    if (!(event.key in next) && event.key !== "Enter") return;
    event.preventDefault();
    event.key === "Enter" ? this.pick(id) : shapes[next[event.key]]?.item.focus();
  }
}

document.addEventListener("keydown", (event) => {
  const figure = Figure.current;
  const action = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "end" }[event.key];
  const busy = event.target.closest("select, input, textarea, [role=tree]"); // these use the arrow keys themselves
  if (!figure?.lesson || !action || busy || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  figure.actions[action]();
});
