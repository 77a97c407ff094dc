/* A figure: the tree of a lesson, what each step of its search shows, and the controls. A page may have
   several. */

const CONTROLS = ["first", "back", "step", "play", "cut", "end"];
/** @type {Record<string, string | undefined>} */
const KEYS = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "end" };
const PACE = 1600; // ms from step to step

class Figure {
  /** The figure used last: the arrow keys step there. @type {Figure | null} */
  static current = null;

  /** @param {HTMLElement} host @param {Look} look */
  constructor(host, { compact = false, controls = CONTROLS, montecarlo = false, code = false } = {}) {
    this.host = host;
    this.compact = compact;
    this.lang = "en";
    /** @type {Scene | null} */
    this.scene = null; // what is shown
    this.at = 0;
    /** @type {number | null} */
    this.limit = null; // the last step that may be shown
    this.timer = 0;
    /** @type {NodeState[] | null} */
    this.draft = null; // the states of the nodes that somebody fills in
    /** @type {string | null} */
    this.text = null; // replaces the sentence of the step
    /** @type {Set<number>} */
    this.marks = new Set();
    host.classList.add("figure");
    host.classList.toggle("coded", code);
    host.classList.toggle("compact", compact);
    host.classList.toggle("montecarlo", montecarlo);
    this.stage = new Stage(compact);
    this.tree = this.stage.tree;
    this.legend = new Legend();
    this.controls = new Controls(controls, compact);
    this.panel = new Panel(this.controls.host, code);
    host.replaceChildren(this.stage.host, this.panel.host, this.legend.host);
    this.actions = this.actionsOf();
    this.listen();
  }

  /* ---- What the page calls ---- */

  /** Show a lesson {outline, walk, options}, or {outline, montecarlo}, at this step.
      @type {(lesson: Lesson, at?: number) => void} */
  show(lesson, at = 0) {
    this.halt();
    this.limit = null;
    this.text = null;
    this.draft = null;
    this.marks = new Set();
    const { algorithm, table } = lesson.options ?? {};
    this.host.classList.toggle("plain", !algorithm || algorithm === "minimax");
    this.host.classList.toggle("tabled", Boolean(table));
    this.host.classList.toggle("numbers", !lesson.outline.columns);
    this.host.classList.toggle("montecarlo", Boolean(lesson.montecarlo));
    this.stage.zoom = 0;
    this.draw(lesson);
    this.at = Math.max(0, Math.min(at, this.end));
    this.render();
    this.stage.reveal(false);
  }

  /** @type {(lang: string) => void} */
  speak(lang) {
    this.lang = lang;
    if (!this.scene) return;
    this.draw(this.lesson);
    this.render();
    this.stage.reveal(false);
  }

  /** @type {(at: number) => void} */
  go(at) {
    this.at = Math.max(0, Math.min(at, this.end));
    if (this.at >= this.end) this.halt();
    this.render();
    this.stage.reveal();
    this.uncover(this.stage.node);
    this.host.dispatchEvent(new CustomEvent("step", { detail: this.at }));
  }

  /** Scroll the page if the panel, which stays in the window, covers a node or its value.
      @type {(id: number) => void} */
  uncover(id) {
    /** @type {(part: Element) => number} */
    const bottom = (part) => part.getBoundingClientRect().bottom;
    const item = this.drawing.shapes[id]?.item;
    const panel = this.panel.host.getBoundingClientRect().top;
    const covered = item ? Math.min(bottom(item) + 40, bottom(this.stage.host)) - panel : 0;
    if (covered > 1) scrollBy(0, covered);
  }

  /** Mark nodes, such as the branches among which an exercise asks. @type {(ids: number[]) => void} */
  mark(ids) {
    this.marks = new Set(ids);
    this.render();
    ids.forEach((id) => this.uncover(id));
  }

  /** The text that replaces the sentence of the step; null to keep that. @returns {string | null} */
  get told() {
    return this.text;
  }

  /** @param {string | null} text */
  set told(text) {
    this.text = text;
    if (this.scene) this.render();
  }

  get lesson() {
    return present(this.scene).lesson;
  }

  get labels() {
    return present(this.scene).labels;
  }

  get drawing() {
    return present(this.scene).drawing;
  }

  get last() {
    const { montecarlo, walk } = this.lesson;
    return montecarlo ? montecarlo.playouts.length : walk.steps.length - 1;
  }

  /** The last step that may be shown. */
  get end() {
    return Math.min(this.limit ?? this.last, this.last);
  }

  get nextCut() {
    const { steps } = this.lesson.walk ?? { steps: [] };
    return steps.findIndex(({ kind }, i) => i > this.at && i <= this.end && kind === "cut");
  }

  /* ---- Elements ---- */

  /** @type {(key: string, values?: Values) => string} */
  t(key, values) {
    return this.labels.t(key, values);
  }

  relabel() {
    for (const part of partsOf(this.host, "[data-word]")) part.textContent = this.t(`${part.dataset.word}`);
    for (const part of partsOf(this.host, "[data-name]")) {
      part.setAttribute("aria-label", this.t(`${part.dataset.name}`));
    }
    this.sounds();
  }

  /** Draw the tree, once for a lesson and language: a step changes only its classes and texts.
      @type {(lesson: Lesson) => void} */
  draw(lesson) {
    const { outline, walk } = lesson;
    const labels = new Labels(this.lang, lesson);
    const { say } = labels;
    const children = walk?.children ?? outline.nodes.map((node) => node.children);
    const drawing = new Drawing(outline, children, {
      labels: labels.all(),
      levels: labels.levels(),
      family: getComputedStyle(this.host).fontFamily,
      number: (id) => say.score(outline.nodes[id].value ?? 0, id),
    });
    this.scene = { lesson, labels, drawing };
    this.relabel();
    const { root, width, height, margin } = drawing;
    root.setAttribute("aria-label", this.t("tree"));
    this.host.classList.toggle("wide", (margin + width) / height > 1.2);
    this.panel.draw(this.scene);
    if (!this.compact) this.legend.show(this.scene);
    this.stage.show(drawing);
  }

  /* ---- A step ---- */

  get moment() {
    const { outline, walk, montecarlo } = this.lesson;
    return montecarlo ? sampled(outline, montecarlo, this.at) : replay(outline, walk, this.at);
  }

  render() {
    const { outline, walk } = this.lesson;
    const nowhere = { node: -1, path: [], visited: 0, saved: 0, known: 0 };
    const now = this.draft ? { state: this.draft, ...nowhere } : this.moment;
    const path = new Set(now.path);
    outline.nodes.forEach((_, id) => this.renderNode(id, now, path));
    this.stage.node = now.node;
    this.panel.say(this.text ?? this.labels.sentence(this.at, now));
    if (this.draft) return;
    this.panel.render(present(this.scene), now, walk?.steps[this.at]);
    this.controls.render(this);
  }

  /** @type {(id: number, now: Now, path: Set<number>) => void} */
  renderNode(id, { state, node }, path) {
    const [one, hand, { parent }] = [state[id], id === node, this.lesson.outline.nodes[id]];
    const marked = this.marks.has(id) ? " marked" : "";
    const classes = `${one.is}${path.has(id) ? " path" : ""}${hand ? " hand" : ""}${marked}`;
    const severed = one.is === "cut" && !["cut", "known"].includes(state[parent].is) ? " severed" : "";
    this.drawing.show(id, {
      classes, severed, hand,
      layer: path.has(id) ? 2 : one.is === "cut" ? 0 : 1,
      name: this.labels.name(id, one, hand),
      value: one.is === "done" || one.is === "known" ? this.labels.value(id, one) : [],
      window: one.is === "open" ? this.labels.window(id, one) : [],
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
    if (this.scene) this.controls.sounds(this.timer > 0, this.t(this.timer ? "pause" : "play"));
  }

  /** What each button does. @returns {Record<string, () => void>} */
  actionsOf() {
    return {
      first: () => this.go(0),
      back: () => this.go(this.at - 1),
      step: () => this.go(this.at + 1),
      end: () => this.go(this.end),
      cut: () => {
        if (this.nextCut >= 0) this.go(this.nextCut);
      },
      play: () => this.play(),
      smaller: () => this.stage.enlarge(this.stage.scale / 1.25),
      larger: () => this.stage.enlarge(this.stage.scale * 1.25),
      fit: () => this.stage.enlarge(this.stage.zoom ? 0 : this.stage.fitting),
    };
  }

  listen() {
    this.controls.host.addEventListener("click", (event) => {
      const button = targetOf(event, "button");
      if (this.scene && button) this.actions[`${button.className}`]?.();
    });
    const { slider } = this.controls;
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    for (const event of ["focusin", "pointerdown"]) {
      this.host.addEventListener(event, () => (Figure.current = this));
    }
    // A click must not move the focus, so that the arrow keys still step.
    this.tree.addEventListener("mousedown", (event) => {
      if (this.nodeOf(event) >= 0) event.preventDefault();
    });
    this.tree.addEventListener("click", (event) => this.pick(this.nodeOf(event)));
    this.tree.addEventListener("keydown", (event) => this.wander(event));
  }

  /** @type {(event: Event) => number} */
  nodeOf(event) {
    return Number(targetOf(event, "[data-node]")?.dataset.node ?? -1);
  }

  /** Go to the step that enters a node, unless the page has another use for it.
      @type {(id: number) => void} */
  pick(id) {
    if (id < 0 || !this.host.dispatchEvent(new CustomEvent("pick", { detail: id, cancelable: true }))) return;
    const { walk, montecarlo } = this.lesson;
    const entered = montecarlo
      ? montecarlo.playouts.findIndex(({ path }) => path.includes(id)) + 1 || -1
      : walk.steps.findIndex(({ kind, node }) => node === id && (kind === "enter" || kind === "known"));
    if (entered >= 0) this.go(entered);
  }

  /** In the tree, the arrow keys move among the branches; Enter goes there.
      @type {(event: KeyboardEvent) => void} */
  wander(event) {
    const id = this.nodeOf(event);
    if (id < 0) return;
    const next = this.drawing.neighbours(id);
    if (!(event.key in next) && event.key !== "Enter") return;
    event.preventDefault();
    if (event.key === "Enter") return this.pick(id);
    const to = next[event.key] ?? -1;
    this.drawing.shapes[to]?.item.focus();
    this.uncover(to);
  }
}

document.addEventListener("keydown", (event) => {
  const figure = Figure.current;
  const action = KEYS[event.key];
  const busy = targetOf(event, "select, input, textarea, [role=tree]"); // these use the arrow keys themselves
  const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!figure?.scene || !action || busy || modified) return;
  event.preventDefault();
  figure.actions[action]();
});
