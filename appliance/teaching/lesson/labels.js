/* The texts of a figure: values, windows, names and sentences of a lesson, in one language. */

class Labels {
  constructor(lang, lesson) {
    Object.assign(this, { lesson, say: new Say(lang, lesson), number: new Intl.NumberFormat(lang) });
    this.hundredths = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }

  t(key, values = {}) {
    return this.say.t(`figure.${key}`, values);
  }

  /** Every value and every line of a window that the lesson shows: the layout keeps room for them. */
  all() {
    if (this.lesson.montecarlo) return { values: this.averages(), windows: [] };
    const { walk, outline } = this.lesson;
    const [values, windows] = [[], new Set()];
    for (const step of walk.steps) {
      if (step.value !== null) values.push(this.value(step.kind === "back" ? step.child : step.node, step));
      if (!outline.nodes[step.node].children.length) continue;
      for (const line of this.window(step.node, step)) windows.add(line);
    }
    return { values, windows: [...windows] };
  }

  /** The names of the levels that have branches. */
  levels() {
    const plies = this.lesson.outline.nodes.filter(({ children }) => children.length).map(({ ply }) => ply);
    return Array.from({ length: Math.max(...plies) + 1 }, (_, ply) => this.say.levels(ply));
  }

  averages() {
    const { playouts, visits } = this.lesson.montecarlo;
    const { visits: often, mean } = visits(playouts.length);
    return often.map((visits, id) => this.value(id, { visits, mean: mean[id] }));
  }

  name(id, one, hand) {
    const { reason, value } = this.lesson.outline.nodes[id];
    const leaf = reason === "number" ? `, ${this.t("leaf", { value: this.say.score(value, id) })}` : "";
    const where = this.say.path(id) + leaf;
    if (one.visits) return `${where}: ${hand ? `${this.t("current")}, ` : ""}${this.t("sampled", { visits: one.visits, mean: this.mean(one) })}`;
    if (this.lesson.montecarlo) return `${where}: ${this.t("unsampled")}`;
    return `${where}: ${this.say.state(id, { ...one, hand })}`;
  }

  /** A playout's result, or the average of several. */
  mean({ mean }) {
    return this.hundredths.format(mean);
  }

  /** A node's value as its label; a number that is a leaf's own is in its box. */
  value(id, one) {
    if (this.lesson.montecarlo) return [`${this.number.format(one.visits)}×`, one.visits ? this.mean(one) : ""];
    const given = this.lesson.outline.nodes[id].reason === "number" && one.value === this.lesson.outline.nodes[id].value;
    return given ? [] : [this.say.bound(one.value, one.bound, id)];
  }

  window(id, one) {
    if (this.lesson.options.algorithm === "minimax") return one.best === null ? [] : folded(this.t("bestIs", { value: this.say.score(one.best, id) }));
    const [alpha, beta] = this.say.window(one.alpha, one.beta, id);
    return [`α ${alpha}`, `β ${beta}`];
  }

  board({ cells, value }) {
    const { columns, rows } = this.lesson.outline;
    if (!columns) return value === null ? this.t("inner") : this.t("leaf", { value: this.number.format(value) });
    const marks = [...cells].map((mark) => (mark === "." ? this.t("empty") : mark));
    const lines = Array.from({ length: rows }, (_, row) => marks.slice(row * columns, (row + 1) * columns).join(" "));
    return this.t("board", { rows: lines.join("; ") });
  }

  /** The sentence of step `at`. */
  sentence(at, { state }) {
    const { walk, montecarlo } = this.lesson;
    if (!montecarlo) return this.say.step(walk.steps[at]);
    if (!at) return this.t("noPlayout");
    const { leaf, value } = montecarlo.playouts[at - 1];
    const { players, nodes } = this.lesson.outline;
    const ended = { won: value > 0.5 ? "won" : "lost", drawn: "drawn" }[nodes[leaf].reason] ?? "worth";
    const result = this.t(ended, { player: players[0], value: this.mean({ mean: value }) });
    const told = this.t("playout", { number: at, path: this.say.path(leaf), result, mean: this.mean(state[0]) });
    return at < montecarlo.playouts.length ? told : `${told} ${this.t("chosen", { move: this.say.path(montecarlo.best(at)) })}`;
  }

  progress(at, last) {
    return this.lesson.montecarlo ? this.t("playouts", { at, of: last }) : this.t("progress", { at: at + 1, of: last + 1 });
  }
}
