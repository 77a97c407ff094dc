/* The last section: a figure in which everything can be chosen. The address always says what it shows. */

const chance = () => Math.floor(Math.random() * 1e9);
const usualTurn = (cells) => (cells.filter((mark) => mark === "x").length > cells.filter((mark) => mark === "o").length ? "o" : "x");

class Editor {
  /** `changed` is called whenever something else is shown; with true if it is not a change of what was there. */
  constructor(changed) {
    Object.assign(this, { changed, lang: "en", subject: null, lesson: null, mistake: null, order: "written" });
    this.build();
    this.figure = new Figure(this.place, { code: true });
    this.exercise = new Exercise(this.figure);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", ({ target }) => this.change(target));
    this.board.addEventListener("click", ({ target }) => target.dataset.cell && this.press(Number(target.dataset.cell)));
  }

  /* ---- Elements ---- */

  build() {
    const option = (value, key) => html("option", "", { value, ...(key && { "data-text": key }) }, value);
    const select = (name, values = []) => html("select", name, {}, ...values.map((value) => option(value, `page.${name}-${value}`)));
    this.fields = {
      text: html("input", "text", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" }),
      rule: select("rule", RULES),
      k: html("input", "k", { type: "number", min: 1, max: SIDE }),
      toMove: html("select", "toMove", {}, option("auto", "page.byMarks"), option("x"), option("o")),
      algorithm: select("algorithm", ALGORITHMS),
      order: select("order"),
      depth: select("depth"),
      table: html("input", "table", { type: "checkbox" }),
    };
    const labels = {
      text: ["page.subject", "wide"], rule: ["page.rule", "game"], k: ["page.k", "game"], toMove: ["figure.mover", "game"],
      algorithm: ["page.algorithm", ""], order: ["page.order-variants", ""], depth: ["page.depth-variants", "game"], table: ["page.table-variants", "tick"],
    };
    const labelled = Object.entries(labels).map(([name, [key, classes]]) => html("label", classes, {}, html("span", "", { "data-text": key }), this.fields[name]));
    this.board = html("div", "board", { role: "group", "data-label": "page.board" });
    this.error = html("p", "error", { role: "alert" });
    const actions = { randomBoard: () => this.show({ subject: randomBoard(chance()) }), randomTree: () => this.show({ subject: randomTree(chance()) }), copy: () => this.copy() };
    const buttons = Object.entries(actions).map(([name, action]) => {
      const button = html("button", name, { type: "button", "data-text": `page.${name}` });
      button.addEventListener("click", action);
      return button;
    });
    this.copied = html("span", "copied", { role: "status" });
    this.form = html("form", "editor", {}, this.board, html("div", "fields", {}, ...labelled), html("div", "buttons", {}, ...buttons, this.copied), this.error);
    this.place = html("div");
    this.lead = html("p");
    this.notes = html("ul", "notes");
    const text = html("p", "", { "data-text": "page.free-1" });
    this.host = html("section", "", { id: "free", "aria-labelledby": "free-title" }, titleOf("free"), text, this.form, this.lead, this.place, this.notes);
  }

  /* ---- What is asked for ---- */

  /** Show a subject; of the options, those that are not given stay as they are. */
  show({ subject, options = {} }) {
    const shown = (one) => writeAddress({ subject: one.subject, options: { ...this.lesson?.options, ...one.options } });
    if (this.lesson && !this.mistake && shown({ subject, options }) === shown(this)) return;
    const { text, rule, k, toMove, algorithm, table } = this.fields;
    const usual = subject.past?.length || !subject.cells || usualTurn([...subject.cells]) === subject.toMove;
    text.value = written(subject);
    rule.value = subject.rule ?? rule.value;
    k.value = subject.k ?? k.value;
    toMove.value = usual ? "auto" : subject.toMove;
    algorithm.value = options.algorithm ?? algorithm.value;
    table.checked = options.table ?? table.checked;
    this.order = options.order ?? this.order;
    this.apply(options.depth, true);
  }

  /** A field has another value. What is searched has changed with the first four; then the depth is the usual one. */
  change(field) {
    const { text, rule, k, toMove, order, depth } = this.fields;
    if (field === order) this.order = order.value === "shuffled" ? `shuffled:${chance()}` : order.value;
    this.apply([text, rule, k, toMove].includes(field) ? undefined : Number(depth.value) || undefined);
  }

  /** The subject that the fields describe, or {error, values}. */
  get asked() {
    const { text, rule, k, toMove } = this.fields;
    const side = SIDES.find((one) => one === toMove.value) ?? null; // else by the marks
    return attempt(() => parseSubject(text.value, { rule: rule.value, k: Number(k.value), toMove: side }));
  }

  /** Show what the fields say; if that is a mistake, say so, and leave the figure as it is. */
  apply(depth, other = false) {
    const found = attempt(() => {
      const subject = this.asked;
      if (subject.error) throw new Mistake(subject.error, subject.values);
      return { subject, lesson: this.lessonAt(subject, depth) };
    });
    this.mistake = found.error ? found : null;
    if (!found.error) {
      Object.assign(this, found);
      this.exercise.stop();
      this.figure.show(this.lesson);
      this.changed(other);
    }
    this.render();
  }

  /** The lesson of a subject; an order that it does not have is given up. */
  lessonAt(subject, depth) {
    const { algorithm, table } = this.fields;
    const lesson = lessonOf(subject, { algorithm: algorithm.value, order: this.order, depth, table: table.checked });
    if (!this.order.startsWith("first:") || ordersOf(lesson.outline).includes(this.order)) return lesson;
    this.order = "written";
    return this.lessonAt(subject, depth);
  }

  get options() {
    return this.lesson.options;
  }

  /** Say what is wrong with an address. */
  refuse(mistake) {
    this.mistake = mistake;
    this.render();
  }

  /* ---- The board to click ---- */

  /** The rows of the board that is typed, even one that cannot be searched; none for a tree. */
  get rows() {
    const asked = this.asked;
    if (asked.kind === "tree") return [];
    const typed = attempt(() => rowsOf(asked.error ? this.fields.text.value.toLowerCase() : written({ ...asked, past: null })));
    return typed.error || Math.max(typed.length, typed[0].length) > SIDE ? [] : typed;
  }

  /** Put the mark whose turn it is into a cell, or take one away; where marks vanish, play there, or take back. */
  press(cell) {
    const { text, rule } = this.fields;
    const rows = this.rows;
    const cells = [...rows.join("")];
    const free = cells[cell] === ".";
    if (rule.value === "vanishing") {
      const played = text.value.replace(/[^1-9]/g, "");
      text.value = (free ? `${played}${cell + 1}` : played.slice(0, -1)) || ".../.../...";
    } else {
      cells[cell] = free ? usualTurn(cells) : ".";
      text.value = written({ kind: "board", cells: cells.join(""), rows: rows.length, columns: rows[0].length });
    }
    this.apply();
  }

  renderBoard() {
    const rows = this.rows;
    const cells = [...rows.join("")];
    this.board.hidden = !cells.length;
    this.board.style.setProperty("--columns", rows[0]?.length ?? 0);
    if (this.board.childElementCount !== cells.length) {
      this.board.replaceChildren(...cells.map((_, cell) => html("button", "", { type: "button", "data-cell": cell })));
    }
    for (const [cell, button] of [...this.board.children].entries()) {
      const mark = cells[cell] === "." ? "" : cells[cell];
      button.textContent = mark;
      button.setAttribute("aria-label", `${cell + 1}: ${mark || Say.tell(this.lang, "figure.empty")}`);
    }
  }

  /* ---- What is shown ---- */

  render() {
    const { mistake, lang, form } = this;
    const tree = /[()]/.test(this.fields.text.value);
    this.error.textContent = mistake ? Say.tell(lang, `mistake.${mistake.error}`, mistake.values) : "";
    this.fields.text.setAttribute("aria-invalid", Boolean(mistake));
    this.copied.textContent = "";
    for (const part of form.querySelectorAll(".game")) part.hidden = tree;
    this.renderBoard();
    if (!this.lesson) return;
    this.renderLists();
    const { say } = this.figure.labels;
    this.lead.textContent = leadOf(say);
    this.notes.replaceChildren(...notesOf(say).map((note) => html("li", "", {}, note)));
  }

  /** The orders and depths that this subject has. */
  renderLists() {
    const { lesson, subject, order: chosen } = this;
    const { order, depth } = this.fields;
    const options = [...ordersOf(lesson.outline), "shuffled"].map((name) => html("option", "", { value: name }, this.orderName(name)));
    order.replaceChildren(...options);
    order.value = chosen.split(":")[0] === "shuffled" ? "shuffled" : chosen;
    depth.replaceChildren(...Array.from({ length: deepest(subject) }, (_, i) => html("option", "", { value: i + 1 }, i + 1)));
    depth.value = lesson.outline.depth;
  }

  orderName(name) {
    const [kind, place] = name.split(":");
    const branch = place && this.figure.labels.say.label(this.lesson.outline.nodes[0].children[place]);
    return Say.tell(this.lang, `page.order-${kind}`, { branch });
  }

  speak(lang) {
    this.lang = lang;
    this.figure.speak(lang);
    localise(this.host, lang);
    this.exercise.speak(lang);
    this.render();
  }

  async copy() {
    this.changed(false);
    const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.copied.textContent = Say.tell(this.lang, done ? "page.copied" : "page.notCopied");
  }
}
