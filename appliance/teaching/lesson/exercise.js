/* An exercise in a figure: it stops before something happens, asks what will, and says why the answer is right or not. */

class Exercise {
  /** Ask about a figure's walk, what is in `kinds` ("cut", "value", "window"). */
  constructor(figure, kinds) {
    Object.assign(this, { figure, kinds, lang: figure.lang, question: null, given: null });
    this.toggle = html("button", "exercise", { type: "button", "aria-pressed": false, "data-text": "page.exercise" });
    this.fields = html("span", "fields");
    this.answer = html("button", "answer", { type: "submit", "data-text": "page.answer" });
    this.next = html("button", "next", { type: "button", "data-text": "page.next" });
    this.tally = html("span", "tally");
    this.form = html("form", "ask", { hidden: "" }, this.fields, this.answer, this.next, this.tally);
    figure.panel.querySelector(".controls").insertBefore(this.toggle, figure.slider);
    figure.panel.querySelector(".talk").append(this.form);
    this.toggle.addEventListener("click", () => (this.question ? this.stop() : this.start()));
    this.next.addEventListener("click", () => this.ask(this.number + 1));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.given) this.take();
    });
    figure.host.addEventListener("pick", (event) => this.pick(event));
    figure.host.addEventListener("step", () => this.given && (figure.told = null));
  }

  start() {
    this.questions = this.figure.lesson.walk.questions.filter(({ kind }) => this.kinds.includes(kind));
    this.right = 0;
    if (this.questions.length) return this.ask(0);
    this.figure.told = Say.tell(this.lang, "page.noQuestion");
  }

  /** End it; the figure goes on from where it is. */
  stop() {
    const { figure } = this;
    this.question = this.given = null;
    this.form.hidden = true;
    this.toggle.setAttribute("aria-pressed", false);
    figure.limit = null;
    figure.marks = new Set();
    figure.told = null;
  }

  ask(number) {
    const { figure, questions } = this;
    Object.assign(this, { number, question: questions[number], given: null });
    this.toggle.setAttribute("aria-pressed", true);
    figure.limit = this.question.before - 1;
    figure.go(figure.limit);
    this.show();
    (this.fields.querySelector("input, select") ?? this.answer).focus();
  }

  /** Show the question and its fields, or, once it is answered, why the answer is right or wrong. */
  show() {
    const { figure, question, given } = this;
    this.form.hidden = false;
    this.answer.hidden = Boolean(given);
    this.next.hidden = !given || this.number + 1 === this.questions.length;
    this.tally.textContent = given ? Say.tell(this.lang, "page.tally", { right: this.right, asked: this.number + 1, of: this.questions.length }) : "";
    if (!given) this.fields.replaceChildren(...this[`${question.kind}Fields`]());
    this.fields.hidden = Boolean(given);
    figure.mark(given || question.kind !== "cut" ? [] : this.left);
    figure.told = given ? figure.labels.say.judge(question, given.value).text : figure.labels.say.question(question);
  }

  /** Take the answer. */
  take() {
    const { figure, question } = this;
    const value = this[`${question.kind}Given`]();
    if (figure.labels.say.judge(question, value).right) this.right++;
    figure.limit = null;
    figure.go(question.then);
    this.given = { value };
    this.show();
    (this.next.hidden ? this.toggle : this.next).focus();
  }

  speak(lang) {
    this.lang = lang;
    if (this.question) this.show();
  }

  /* ---- What is asked ---- */

  /** The branches that are still to be searched. */
  get left() {
    const { node, child } = this.question;
    const children = this.figure.lesson.walk.children[node];
    return children.slice(children.indexOf(child) + 1);
  }

  cutFields() {
    const { say } = this.figure.labels;
    const ticks = this.left.map((id) => html("label", "", {}, html("input", "", { type: "checkbox", value: id }), ` ${say.label(id)}`));
    return [...ticks, html("span", "hint", {}, Say.tell(this.lang, "page.noCut"))];
  }

  cutGiven() {
    return [...this.fields.querySelectorAll(":checked")].map(({ value }) => Number(value));
  }

  valueFields() {
    const { node } = this.question;
    return [this.choice("figure.value", this.values, node)];
  }

  valueGiven() {
    return Number(this.fields.querySelector("select").value);
  }

  windowFields() {
    const ends = [-INFINITE, ...this.values, INFINITE];
    return ["alpha", "beta"].map((end) => this.choice(`figure.${end}`, ends, this.question.child));
  }

  windowGiven() {
    const [low, high] = [...this.fields.querySelectorAll("select")].map(({ value }) => Number(value));
    const same = this.figure.labels.say.seen(1, this.question.child) > 0;
    return same ? { alpha: low, beta: high } : { alpha: high, beta: low };
  }

  /** Every value that this walk returns, for Max. */
  get values() {
    const found = this.figure.lesson.walk.steps.flatMap(({ value }) => (value === null ? [] : [value]));
    return [...new Set(found)];
  }

  /** A list of scores as `node` shows them, from low to high. */
  choice(label, scores, node) {
    const { say } = this.figure.labels;
    const sorted = [...scores].sort((a, b) => say.seen(a, node) - say.seen(b, node));
    const options = sorted.map((score) => html("option", "", { value: score }, say.score(score, node)));
    return html("label", "", {}, `${Say.tell(this.lang, label)} `, html("select", "", { required: "" }, html("option", "", { value: "" }), ...options));
  }

  /** A click on a branch in the tree ticks it. */
  pick(event) {
    if (this.question?.kind !== "cut" || this.given) return;
    const tick = this.fields.querySelector(`[value="${event.detail}"]`);
    if (!tick) return;
    event.preventDefault();
    tick.checked = !tick.checked;
  }
}
