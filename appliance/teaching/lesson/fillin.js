/* A tree to fill in: write what each position returns, or the window with which it is reached, strike the
   branches that are never visited, and check. The same tree can be stepped through, and back. */

/** What may be typed for no bound; the first two are shown. @type {Record<string, number | undefined>} */
const INFINITIES = {
  "−∞": -INFINITE, "+∞": INFINITE, "-": -INFINITE, "−": -INFINITE, "+": INFINITE, "∞": INFINITE,
};

class FillIn {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    this.name = present(figure.host.closest("section")).id;
    /** @type {Filled | null} */
    this.shown = null; // a lesson
    this.windows = false; // or values
    this.key = ""; // of what is kept
    this.watching = false;
    /** @type {Map<FieldKey, number>} */
    this.written = new Map();
    /** @type {Map<FieldKey, string>} */
    this.refused = new Map();
    /** @type {Set<number>} */
    this.struck = new Set();
    /** @type {Draft | null} */
    this.draft = null; // judged
    /** @type {Map<FieldKey, Mark>} */
    this.marks = new Map(); // a branch has its node's number, negated
    /** @type {(kind: string, action: () => void) => HTMLElement} */
    const button = (kind, action) => {
      const element = html("button", kind, { type: "button" });
      element.addEventListener("click", action);
      return element;
    };
    this.entries = new Entries({
      write: (key, text) => this.write(key, text),
      strike: (id) => this.strike(id),
      check: () => this.check(),
    });
    this.checks = button("check", () => this.check());
    this.watch = button("watch", () => this.turn(!this.watching));
    this.erase = button("erase", () => this.clear());
    this.infinite = Object.keys(INFINITIES).slice(0, 2).map((text) => {
      const one = button("infinite", () => {
        const open = [...this.entries.inputs.values()].filter(({ disabled }) => !disabled);
        const field = open.find((one) => one === document.activeElement) ?? open.find(({ value }) => !value);
        if (!field) return;
        this.write(Entries.key(field), text);
        field.focus();
      });
      one.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
      one.tabIndex = -1; // a keyboard has + and -
      one.textContent = text;
      return one;
    });
    this.reasons = html("ol", "reasons");
    const buttons = html("div", "ask", {}, ...this.infinite, this.checks, this.watch, this.erase);
    figure.panel.talk.append(this.reasons, buttons);
    figure.host.addEventListener("pick", (event) => {
      if (this.watching) return;
      event.preventDefault();
      this.strike(event.detail); // a click on a leaf
    });
  }

  /** Show a lesson's tree, with what has been filled in, and judged if it was checked last.
      @type {(lesson: Filled, windows?: boolean) => void} */
  show(lesson, windows = false) {
    this.windows = windows;
    this.key = `${this.name}${windows ? " windows" : ""} ${written(lesson.subject)}`;
    const { values, refused, struck, checked } = Kept.read(this.key);
    this.shown = lesson;
    this.watching = false;
    this.written = new Map(values);
    this.refused = new Map(refused);
    this.struck = new Set(struck);
    this.draft = null;
    this.marks = new Map();
    this.figure.show(lesson);
    this.draw();
    if (checked) this.check();
  }

  /** Throw away what has been filled in. */
  clear() {
    Kept.write(this.key, null);
    this.show(this.lesson, this.windows);
    [...this.entries.inputs.values()][0].focus();
  }

  keep(checked = false) {
    const { written, refused, struck } = this;
    Kept.write(this.key, { values: [...written], refused: [...refused], struck: [...struck], checked });
  }

  /** Turn to stepping through the tree, from the start, or back to what has been filled in.
      @type {(watching: boolean) => void} */
  turn(watching) {
    this.watching = watching;
    this.render();
    if (watching) this.figure.go(0);
  }

  /** @type {(lang: string) => void} */
  speak(lang) {
    this.figure.speak(lang);
    this.draw();
  }

  draw() {
    this.entries.draw(this.figure, this.cuts, this.windows ? ENDS : []);
    this.render();
  }

  get lesson() {
    return present(this.shown);
  }

  get cuts() {
    return this.lesson.options.algorithm !== "minimax";
  }

  /* ---- What a person does ---- */

  /** Take a number. What is none, such as "3.5", stays in its field, refused, and counts as empty.
      @type {(key: FieldKey, text: string) => void} */
  write(key, text) {
    this.written.delete(key);
    this.refused.delete(key);
    this.marks.delete(key); // what has changed is no longer judged
    this.reopen();
    const value = /^[0-9]+$/.test(text) ? Number(text) : this.windows ? INFINITIES[text] : undefined;
    if (value !== undefined) this.written.set(key, value);
    else if (text) this.refused.set(key, text);
    this.keep();
    this.render();
  }

  /** What was all right may no longer be. */
  reopen() {
    if (!this.draft?.faults.length) this.draft = null;
  }

  /** Strike a branch, or unstrike it; below a struck branch nothing is written.
      @type {(id: number) => void} */
  strike(id) {
    if (!id || !this.cuts) return;
    const strikes = !this.struck.has(id);
    if (strikes) this.struck.add(id);
    else this.struck.delete(id);
    this.marks.delete(-id);
    this.reopen();
    this.keep();
    this.render();
    this.figure.told = this.t(strikes ? "struck" : "unstruck", { branch: this.figure.labels.say.path(id) });
  }

  check() {
    this.keep(true);
    const { nodes } = this.lesson.outline;
    const written = new Map([...this.written].filter(([key]) => !this.closed(placeOf(key).id)));
    const struck = new Set([...this.struck].filter((id) => !this.closed(nodes[id].parent)));
    this.draft = judged(this.lesson, { written, struck, windows: this.windows });
    const { faults, follows, right } = this.draft;
    this.marks = new Map();
    for (const key of right) this.marks.set(key, { kind: "right", sign: "✓" });
    for (const key of follows) this.marks.set(key, { kind: "follows", sign: "↑" });
    for (const [i, fault] of faults.entries()) {
      const branches = fault.kind === "open" || fault.kind === "missed";
      const keys = branches ? fault.marked.map((id) => -id) : fault.marked;
      for (const key of keys) {
        this.marks.set(key, { kind: "wrong", sign: `${i + 1}`, reason: this.reasonId(i) });
      }
    }
    this.render();
  }

  /** @type {(place: number) => string} */
  reasonId(place) {
    return `${this.name}-reason-${place + 1}`;
  }

  /** Whether a position is below a struck branch. @type {(id: number) => boolean} */
  closed(id) {
    return [...upward(this.lesson.outline.nodes, id)].some((one) => this.struck.has(one));
  }

  /* ---- What is shown ---- */

  /** @type {(key: string, values?: Values) => string} */
  t(key, values) {
    return Say.tell(this.figure.lang, `page.fill-${key}`, values);
  }

  render() {
    const { figure, watching, draft } = this;
    const { nodes } = this.lesson.outline;
    figure.host.classList.toggle("filling", !watching);
    figure.drawing.root.setAttribute("aria-hidden", `${!watching}`);
    for (const part of [this.entries.host, this.reasons, this.checks]) part.hidden = watching;
    for (const one of this.infinite) one.hidden = watching || !this.windows;
    this.erase.hidden = watching || !(this.written.size + this.refused.size + this.struck.size);
    this.erase.textContent = this.t("erase");
    this.checks.textContent = this.t("check");
    this.watch.textContent = this.t(watching ? "back" : "watch");
    figure.draft = watching
      ? null
      : nodes.map((_, id) => ({ ...UNSEEN, is: this.closed(id) ? "cut" : "new" }));
    figure.told = watching ? null : this.verdict();
    if (watching) return;
    for (const key of this.entries.inputs.keys()) this.entries.field(key, this.field(key));
    for (const id of this.entries.snips.keys()) this.entries.branch(id, this.branch(id));
    const reasons = draft?.faults.map((fault, i) => {
      return html("li", "", { id: this.reasonId(i) }, reasonOf(figure.labels.say, draft, fault));
    });
    this.reasons.replaceChildren(...(reasons ?? []));
  }

  /** @type {(key: FieldKey) => Entry & { value: string }} */
  field(key) {
    const { labels } = this.figure;
    const { say } = labels;
    const { id, end } = placeOf(key);
    const refused = this.refused.get(key);
    /** @type {Mark} */
    const mark = refused ? { kind: "wrong", sign: "?" } : (this.marks.get(key) ?? {});
    const below = end
      ? labels.t(end)
      : this.lesson.walk.children[id].map((child) => say.label(child)).join(", ");
    const written = this.written.get(key);
    const value = written === undefined ? "" : say.score(written, id);
    const judged = mark.kind === "right" || mark.kind === "follows" ? ` (${this.t(`is-${mark.kind}`)})` : "";
    const name = `${say.path(id)}, ${say.mover(id)}: ${below}${judged}`;
    return { value: refused ?? value, name, mark, closed: this.closed(id) };
  }

  /** @type {(id: number) => Entry & { struck: boolean }} */
  branch(id) {
    const { say } = this.figure.labels;
    const { value, parent } = this.lesson.outline.nodes[id];
    const name = this.t("snip", { branch: say.path(id) + (value === null ? "" : ` (${say.label(id)})`) });
    return {
      struck: this.struck.has(id),
      name,
      mark: this.marks.get(-id) ?? {},
      closed: this.closed(parent),
    };
  }

  /** @type {() => string} */
  verdict() {
    const { draft, lesson, cuts } = this;
    const [refused] = [...this.refused].filter(([key]) => !this.closed(placeOf(key).id));
    if (refused) return this.t(this.windows ? "refused-window" : "refused", { text: refused[1] });
    if (!draft) return this.t(this.windows ? "task-windows" : cuts ? "task-cuts" : "task-values");
    const { faults, follows, empty, hard } = draft;
    const rest = [
      hard && !faults.length ? this.t("hard") : "",
      follows.size ? this.t("follows") : "",
      empty ? this.t("empty", { count: empty }) : "",
    ];
    const begun = draft.written.size + draft.struck.size;
    const found = faults.length ? this.t("faults", { count: faults.length }) : begun ? this.t("so-far") : "";
    const { walk, outline } = lesson;
    const values = { value: walk.value, cut: walk.saved, all: outline.nodes.length };
    const done = () => this.t(cuts ? "done-cuts" : "done-values", values);
    return [faults.length || empty ? found : done(), ...rest].filter((sentence) => sentence).join(" ");
  }
}
