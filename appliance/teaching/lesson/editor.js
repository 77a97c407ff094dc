/* The last section: a figure in which everything can be chosen. The address always says what it shows. */

const chance = () => Math.floor(Math.random() * 1e9);
/** @type {(cells: string[]) => Side} */
const usualTurn = (cells) => {
  const [x, o] = SIDES.map((side) => cells.filter((mark) => mark === side).length);
  return x > o ? "o" : "x";
};

/** What can be chosen. */
function fieldsOf() {
  const typing = { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" };
  /** @type {(value: string, key?: string) => HTMLElement} */
  const option = (value, key) => html("option", "", { value, ...(key ? { "data-text": key } : {}) }, value);
  /** @type {(name: string, values?: string[]) => HTMLSelectElement} */
  const select = (name, values = []) => {
    return html("select", name, {}, ...values.map((value) => option(value, `page.${name}-${value}`)));
  };
  return {
    text: html("input", "text", typing),
    rule: select("rule", RULES),
    k: html("input", "k", { type: "number", min: 1, max: SIDE }),
    toMove: html("select", "toMove", {}, option("auto", "page.byMarks"), option("x"), option("o")),
    algorithm: select("algorithm", ALGORITHMS),
    order: select("order"),
    depth: select("depth"),
    table: html("input", "table", { type: "checkbox" }),
  };
}

class Editor {
  /** `changed` is called whenever something else is shown; with true if it is not a change of what was there.
      @param {(other: boolean) => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.lang = "en";
    /** @type {Subject | null} */
    this.subject = null;
    /** @type {Searched | null} */
    this.lesson = null;
    /** @type {Wrong | null} */
    this.mistake = null;
    this.order = "written";
    this.fields = fieldsOf();
    this.board = html("div", "board", { role: "group", "data-label": "page.board" });
    this.error = html("p", "error", { role: "alert" });
    this.copied = html("span", "copied", { role: "status" });
    const fields = html("div", "fields", {}, ...this.labelled());
    const buttons = html("div", "buttons", {}, ...this.buttons(), this.copied);
    this.form = html("form", "editor", {}, this.board, fields, buttons, this.error);
    this.lead = html("p");
    this.notes = html("ul", "notes");
    const place = html("div");
    const text = html("p", "", { "data-text": "page.free-1" });
    const parts = [titleOf("free"), text, this.form, this.lead, place, this.notes];
    this.host = html("section", "", { id: "free", "aria-labelledby": "free-title" }, ...parts);
    this.figure = new Figure(place, { code: true });
    this.exercise = new Exercise(this.figure);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", ({ target }) => this.change(target));
    this.board.addEventListener("click", (event) => {
      const cell = targetOf(event, "[data-cell]");
      if (cell) this.press(Number(cell.dataset.cell));
    });
  }

  /* ---- Elements ---- */

  /** The fields, with their labels. */
  labelled() {
    const { text, rule, k, toMove, algorithm, order, depth, table } = this.fields;
    /** @type {(key: string, classes: string, field: HTMLElement) => HTMLElement} */
    const label = (key, classes, field) => {
      return html("label", classes, {}, html("span", "", { "data-text": key }), field);
    };
    return [
      label("page.subject", "wide", text),
      label("page.rule", "game", rule),
      label("page.k", "game", k),
      label("figure.mover", "game", toMove),
      label("page.algorithm", "", algorithm),
      label("page.order-variants", "", order),
      label("page.depth-variants", "game", depth),
      label("page.table-variants", "tick", table),
    ];
  }

  buttons() {
    const actions = {
      randomBoard: () => this.show({ subject: randomBoard(chance()) }),
      randomTree: () => this.show({ subject: randomTree(chance()) }),
      copy: () => this.copy(),
    };
    return Object.entries(actions).map(([name, action]) => {
      const button = html("button", name, { type: "button", "data-text": `page.${name}` });
      button.addEventListener("click", action);
      return button;
    });
  }

  /* ---- What is asked for ---- */

  /** Show a subject; of the options, those that are not given stay as they are.
      @type {(shown: { subject: Subject, options?: Options }) => void} */
  show({ subject, options = {} }) {
    const shown = writeAddress({ subject: this.subject, options: this.options });
    const wanted = writeAddress({ subject, options: { ...this.options, ...options } });
    if (this.lesson && !this.mistake && wanted === shown) return;
    const { text, rule, k, toMove, algorithm, table } = this.fields;
    const usual = subject.past?.length || !subject.cells || usualTurn([...subject.cells]) === subject.toMove;
    text.value = written(subject);
    rule.value = subject.rule ?? rule.value;
    k.value = `${subject.k ?? k.value}`;
    toMove.value = usual ? "auto" : subject.toMove;
    algorithm.value = options.algorithm ?? algorithm.value;
    table.checked = options.table ?? table.checked;
    this.order = options.order ?? this.order;
    this.apply(options.depth, true);
  }

  /** A field has another value. What is searched has changed with the first four; then the depth is the usual
      one.
      @type {(field: EventTarget | null) => void} */
  change(field) {
    const { text, rule, k, toMove, order, depth } = this.fields;
    if (field === order) this.order = order.value === "shuffled" ? `shuffled:${chance()}` : order.value;
    const other = [text, rule, k, toMove].some((one) => one === field);
    this.apply(other ? null : Number(depth.value) || null);
  }

  /** The subject that the fields describe. */
  parse() {
    const { text, rule, k, toMove } = this.fields;
    const side = SIDES.find((one) => one === toMove.value) ?? null; // else by the marks
    return parseSubject(text.value, { rule: rule.value, k: Number(k.value), toMove: side });
  }

  /** Show what the fields say; if that is a mistake, say so, and leave the figure as it is.
      @type {(depth?: number | null, other?: boolean) => void} */
  apply(depth = null, other = false) {
    const found = attempt(() => {
      const subject = this.parse();
      return { subject, lesson: this.lessonAt(subject, depth) };
    });
    if ("error" in found) return this.refuse(found);
    this.mistake = null;
    this.subject = found.subject;
    this.lesson = found.lesson;
    this.exercise.stop();
    this.figure.show(found.lesson);
    this.changed(other);
    this.render();
  }

  /** The lesson of a subject; an order that it does not have is given up.
      @type {(subject: Subject, depth: number | null) => Searched} */
  lessonAt(subject, depth) {
    const { algorithm, table } = this.fields;
    const chosen = ALGORITHMS.find((name) => name === algorithm.value);
    const lesson = lessonOf(subject, { algorithm: chosen, order: this.order, depth, table: table.checked });
    if (!this.order.startsWith("first:") || ordersOf(lesson.outline).includes(this.order)) return lesson;
    this.order = "written";
    return this.lessonAt(subject, depth);
  }

  get options() {
    return this.lesson?.options;
  }

  /** Say what is wrong. @type {(mistake: Wrong) => void} */
  refuse(mistake) {
    this.mistake = mistake;
    this.render();
  }

  /* ---- The board to click ---- */

  /** The rows of the board that is typed, even one that cannot be searched; none for a tree. */
  get rows() {
    const asked = attempt(() => this.parse());
    if ("kind" in asked && asked.kind === "tree") return [];
    const text = "kind" in asked ? written({ ...asked, past: null }) : this.fields.text.value.toLowerCase();
    const rows = attempt(() => rowsOf(text));
    return "error" in rows || Math.max(rows.length, rows[0].length) > SIDE ? [] : rows;
  }

  /** Put the mark whose turn it is into a cell, or take one away; where marks vanish, play there, or take
      back.
      @type {(cell: number) => void} */
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
      text.value = rowsApart(cells.join(""), rows[0].length);
    }
    this.apply();
  }

  renderBoard() {
    const rows = this.rows;
    const cells = [...rows.join("")];
    this.board.hidden = !cells.length;
    this.board.style.setProperty("--columns", `${rows[0]?.length ?? 0}`);
    if (this.board.childElementCount !== cells.length) {
      const buttons = cells.map((_, cell) => html("button", "", { type: "button", "data-cell": cell }));
      this.board.replaceChildren(...buttons);
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
    this.fields.text.setAttribute("aria-invalid", `${Boolean(mistake)}`);
    this.copied.textContent = "";
    for (const part of partsOf(form, ".game")) part.hidden = tree;
    this.renderBoard();
    if (!this.lesson || !this.subject) return;
    this.renderLists(this.lesson, this.subject);
    const { say } = this.figure.labels;
    this.lead.textContent = leadOf(say);
    this.notes.replaceChildren(...notesOf(say).map((note) => html("li", "", {}, note)));
  }

  /** The orders and depths that this subject has. @type {(lesson: Searched, subject: Subject) => void} */
  renderLists({ outline }, subject) {
    const { order, depth } = this.fields;
    const names = [...ordersOf(outline), "shuffled"];
    const orders = names.map((value) => html("option", "", { value }, this.orderName(value, outline)));
    order.replaceChildren(...orders);
    order.value = this.order.startsWith("shuffled:") ? "shuffled" : this.order;
    const depths = Array.from({ length: deepest(subject) }, (_, i) => `${i + 1}`);
    depth.replaceChildren(...depths.map((value) => html("option", "", { value }, value)));
    depth.value = `${outline.depth}`;
  }

  /** @type {(name: string, outline: Outline) => string} */
  orderName(name, { nodes }) {
    const [kind, place] = name.split(":");
    const branch = place ? this.figure.labels.say.label(nodes[0].children[Number(place)]) : "";
    return Say.tell(this.lang, `page.order-${kind}`, { branch });
  }

  /** @type {(lang: string) => void} */
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
