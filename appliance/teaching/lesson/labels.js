/* The texts of a figure: values, windows, names and sentences of a lesson, in one language. */

class Labels {
  /** @param {string} lang @param {Lesson} lesson */
  constructor(lang, lesson) {
    this.lesson = lesson;
    this.say = new Say(lang, lesson);
    this.number = new Intl.NumberFormat(lang);
    this.hundredths = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  }

  /** @type {(key: string, values?: Values) => string} */
  t(key, values = {}) {
    return this.say.t(`figure.${key}`, values);
  }

  /** Every value and every line of a window that the lesson shows: the layout keeps room for them.
      @type {() => Drawable["labels"]} */
  all() {
    const { walk, outline, montecarlo } = this.lesson;
    if (montecarlo) return { values: this.averages(montecarlo), windows: [] };
    /** @type {string[][]} */
    const values = [];
    /** @type {Set<string>} */
    const windows = new Set();
    for (const step of walk.steps) {
      const { kind, node, child, value, bound } = step;
      if (value !== null) {
        values.push(this.value(kind === "back" ? child : node, { ...UNSEEN, value, bound }));
      }
      if (!outline.nodes[node].children.length) continue;
      for (const line of this.window(node, step)) windows.add(line);
    }
    return { values, windows: [...windows] };
  }

  /** The names of the levels that have branches. @type {() => string[]} */
  levels() {
    const plies = this.lesson.outline.nodes.filter(({ children }) => children.length).map(({ ply }) => ply);
    return Array.from({ length: Math.max(...plies) + 1 }, (_, ply) => this.say.levels(ply));
  }

  /** @type {(montecarlo: Playouts) => string[][]} */
  averages({ playouts, visits }) {
    const { visits: often, mean } = visits(playouts.length);
    return often.map((visits, id) => this.value(id, { ...UNSEEN, visits, mean: mean[id] }));
  }

  /** @type {(id: number, one: NodeState, hand: boolean) => string} */
  name(id, one, hand) {
    const { reason, value } = this.lesson.outline.nodes[id];
    const leaf =
      reason === "number" ? `, ${this.t("leaf", { value: this.say.score(present(value), id) })}` : "";
    const where = this.say.path(id) + leaf;
    if (one.visits) {
      const current = hand ? `${this.t("current")}, ` : "";
      return `${where}: ${current}${this.t("sampled", { visits: one.visits, mean: this.mean(one) })}`;
    }
    if (this.lesson.montecarlo) return `${where}: ${this.t("unsampled")}`;
    return `${where}: ${this.say.state(id, { ...one, hand })}`;
  }

  /** A playout's result, or the average of several. @type {(one: { mean: number | null }) => string} */
  mean({ mean }) {
    return this.hundredths.format(present(mean));
  }

  /** A node's value as its label; a number that is a leaf's own is in its box.
      @type {(id: number, one: NodeState) => string[]} */
  value(id, one) {
    if (this.lesson.montecarlo) {
      return [`${this.number.format(one.visits)}×`, one.visits ? this.mean(one) : ""];
    }
    const { reason, value } = this.lesson.outline.nodes[id];
    return reason === "number" && one.value === value
      ? []
      : [this.say.bound(present(one.value), one.bound, id)];
  }

  /** @type {(id: number, one: Ends & { best: number | null }) => string[]} */
  window(id, one) {
    if (this.lesson.options?.algorithm === "minimax") {
      return one.best === null ? [] : folded(this.t("bestIs", { value: this.say.score(one.best, id) }));
    }
    const [alpha, beta] = this.say.window(one.alpha, one.beta, id);
    return [`α ${alpha}`, `β ${beta}`];
  }

  /** @type {(node: OutlineNode) => string} */
  board({ cells, value }) {
    const { columns, rows } = this.lesson.outline;
    if (!columns) {
      return value === null ? this.t("inner") : this.t("leaf", { value: this.number.format(value) });
    }
    const marks = [...cells].map((mark) => (mark === "." ? this.t("empty") : mark));
    const lines = Array.from({ length: rows }, (_, row) =>
      marks.slice(row * columns, (row + 1) * columns).join(" "),
    );
    return this.t("board", { rows: lines.join("; ") });
  }

  /** The sentence of step `at`. @type {(at: number, now: Now) => string} */
  sentence(at, { state }) {
    const { walk, montecarlo } = this.lesson;
    if (!montecarlo) return this.say.step(walk.steps[at]);
    if (!at) return this.t("noPlayout");
    const { leaf, value } = montecarlo.playouts[at - 1];
    const { players, nodes } = this.lesson.outline;
    const { reason } = nodes[leaf];
    const won = value > 0.5 ? "won" : "lost";
    const ended = reason === "won" ? won : reason === "drawn" ? "drawn" : "worth";
    const result = this.t(ended, { player: players[0], value: this.mean({ mean: value }) });
    const told = this.t("playout", {
      number: at,
      path: this.say.path(leaf),
      result,
      mean: this.mean(state[0]),
    });
    if (at < montecarlo.playouts.length) return told;
    return `${told} ${this.t("chosen", { move: this.say.path(montecarlo.best(at)) })}`;
  }

  /** @type {(at: number, last: number) => string} */
  progress(at, last) {
    return this.lesson.montecarlo
      ? this.t("playouts", { at, of: last })
      : this.t("progress", { at: at + 1, of: last + 1 });
  }
}
