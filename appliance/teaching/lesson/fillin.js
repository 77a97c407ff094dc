/* A tree to fill in: write what each position returns, or the window with which it is reached, strike the branches that are never visited, and check. The same
   tree can be stepped through, and back. */

/** What may be typed for no bound; the first two are shown. */
const INFINITIES = { "−∞": -INFINITE, "+∞": INFINITE, "-": -INFINITE, "−": -INFINITE, "+": INFINITE, "∞": INFINITE };

class FillIn {
  constructor(figure) {
    Object.assign(this, { figure, name: figure.host.closest("section").id });
    const button = (kind, action) => {
      const element = html("button", kind, { type: "button" });
      element.addEventListener("click", action);
      return element;
    };
    this.entries = new Entries({ write: (key, text) => this.write(key, text), strike: (id) => this.strike(id), check: () => this.check() });
    this.checks = button("check", () => this.check());
    this.watch = button("watch", () => this.turn(!this.watching));
    this.erase = button("erase", () => this.clear());
    this.infinite = Object.keys(INFINITIES).slice(0, 2).map((text) => {
      const one = button("infinite", () => {
        const fields = [document.activeElement, ...this.entries.inputs.values()];
        const field = fields.find(({ dataset, value, disabled }, i) => dataset.end && !disabled && (!i || !value));
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
    figure.panel.talk.append(this.reasons, html("div", "ask", {}, ...this.infinite, this.checks, this.watch, this.erase));
    figure.host.addEventListener("pick", (event) => {
      if (this.watching) return;
      event.preventDefault();
      this.strike(event.detail); // a click on a leaf
    });
  }

  /** Show a lesson's tree, with what has been filled in, and judged if it was checked last. */
  show(lesson, windows = false) {
    this.windows = windows;
    this.key = `${this.name}${windows ? " windows" : ""} ${written(lesson.subject)}`;
    const { values, refused, struck, checked } = Kept.read(this.key);
    Object.assign(this, { lesson, watching: false, written: new Map(values), refused: new Map(refused), struck: new Set(struck), draft: null, marks: new Map() });
    this.figure.show(lesson);
    this.draw();
    if (checked) this.check();
  }

  /** Throw away what has been filled in. */
  clear() {
    Kept.write(this.key, null);
    this.show(this.lesson, this.windows);
    this.entries.inputs.values().next().value.focus();
  }

  keep(checked = false) {
    const { written, refused, struck } = this;
    Kept.write(this.key, { values: [...written], refused: [...refused], struck: [...struck], checked });
  }

  /** Turn to stepping through the tree, from the start, or back to what has been filled in. */
  turn(watching) {
    this.watching = watching;
    this.render();
    if (watching) this.figure.go(0);
  }

  speak(lang) {
    this.figure.speak(lang);
    this.draw();
  }

  draw() {
    this.entries.draw(this.figure, this.cuts, this.windows ? ENDS : []);
    this.render();
  }

  get cuts() {
    return this.lesson.options.algorithm !== "minimax";
  }

  /* ---- What a person does ---- */

  /** Take a number. What is none, such as "3.5", stays in its field, refused, and counts as empty. */
  write(key, text) {
    for (const texts of [this.written, this.refused, this.marks]) texts.delete(key); // what has changed is no longer judged
    this.reopen();
    const value = /^[0-9]+$/.test(text) ? Number(text) : this.windows && INFINITIES[text];
    if (value || value === 0) this.written.set(key, value);
    else if (text) this.refused.set(key, text);
    this.keep();
    this.render();
  }

  /** What was all right may no longer be. */
  reopen() {
    if (!this.draft?.faults.length) this.draft = null;
  }

  /** Strike a branch, or unstrike it; below a struck branch nothing is written. */
  strike(id) {
    if (!id || !this.cuts) return;
    const strikes = !this.struck.has(id);
    strikes ? this.struck.add(id) : this.struck.delete(id);
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
    const sign = (ids, mark) => [...ids].map((id) => [id, mark]);
    this.marks = new Map([...sign(right, { kind: "right", sign: "✓" }), ...sign(follows, { kind: "follows", sign: "↑" })]);
    for (const [i, { kind, marked }] of faults.entries()) {
      const mark = { kind: "wrong", sign: i + 1, reason: this.reasonId(i) };
      const branches = ["open", "missed"].includes(kind);
      for (const key of marked) this.marks.set(branches ? -key : key, mark); // a branch has its node's number, negated
    }
    this.render();
  }

  reasonId(place) {
    return `${this.name}-reason-${place + 1}`;
  }

  /** Whether a position is below a struck branch. */
  closed(id) {
    return [...upward(this.lesson.outline.nodes, id)].some((one) => this.struck.has(one));
  }

  /* ---- What is shown ---- */

  t(key, values) {
    return Say.tell(this.figure.lang, `page.fill-${key}`, values);
  }

  render() {
    const { figure, watching, draft } = this;
    const { nodes } = this.lesson.outline;
    figure.host.classList.toggle("filling", !watching);
    figure.drawing.root.setAttribute("aria-hidden", !watching);
    for (const part of [this.entries.host, this.reasons, this.checks]) part.hidden = watching;
    for (const one of this.infinite) one.hidden = watching || !this.windows;
    this.erase.hidden = watching || !(this.written.size + this.refused.size + this.struck.size);
    this.erase.textContent = this.t("erase");
    this.checks.textContent = this.t("check");
    this.watch.textContent = this.t(watching ? "back" : "watch");
    figure.draft = watching ? null : nodes.map((_, id) => ({ is: this.closed(id) ? "cut" : "new" }));
    figure.told = watching ? null : this.verdict();
    if (watching) return;
    for (const key of this.entries.inputs.keys()) this.entries.field(key, this.field(key));
    for (const id of this.entries.snips.keys()) this.entries.branch(id, this.branch(id));
    const reasons = (draft?.faults ?? []).map((fault, i) => html("li", "", { id: this.reasonId(i) }, reasonOf(figure.labels.say, draft, fault)));
    this.reasons.replaceChildren(...reasons);
  }

  field(key) {
    const { labels } = this.figure;
    const { say } = labels;
    const { id, end } = placeOf(key);
    const refused = this.refused.get(key);
    const mark = refused ? { kind: "wrong", sign: "?" } : this.marks.get(key) ?? {};
    const below = end ? labels.t(end) : this.lesson.walk.children[id].map((child) => say.label(child)).join(", ");
    const value = this.written.has(key) ? say.score(this.written.get(key), id) : "";
    const judged = ["right", "follows"].includes(mark.kind) ? ` (${this.t(`is-${mark.kind}`)})` : "";
    const name = `${say.path(id)}, ${say.mover(id)}: ${below}${judged}`;
    return { value: refused ?? value, name, mark, closed: this.closed(id) };
  }

  branch(id) {
    const { say } = this.figure.labels;
    const { value, parent } = this.lesson.outline.nodes[id];
    const name = this.t("snip", { branch: say.path(id) + (value === null ? "" : ` (${say.label(id)})`) });
    return { struck: this.struck.has(id), name, mark: this.marks.get(-id) ?? {}, closed: this.closed(parent) };
  }

  verdict() {
    const { draft, lesson, cuts } = this;
    const [refused] = [...this.refused].filter(([key]) => !this.closed(placeOf(key).id));
    if (refused) return this.t(this.windows ? "refused-window" : "refused", { text: refused[1] });
    if (!draft) return this.t(this.windows ? "task-windows" : cuts ? "task-cuts" : "task-values");
    const { faults, follows, empty, hard } = draft;
    const rest = [hard && !faults.length ? this.t("hard") : "", follows.size ? this.t("follows") : "", empty ? this.t("empty", { count: empty }) : ""];
    const begun = draft.written.size + draft.struck.size;
    const found = faults.length ? this.t("faults", { count: faults.length }) : begun ? this.t("so-far") : "";
    const { walk, outline } = lesson;
    const done = () => this.t(cuts ? "done-cuts" : "done-values", { value: walk.value, cut: walk.saved, all: outline.nodes.length });
    return [faults.length || empty ? found : done(), ...rest].filter((sentence) => sentence).join(" ");
  }
}
