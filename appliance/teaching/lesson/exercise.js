/* An exercise in a figure: it stops before a value comes back, asks which branches are cut then, and says why. */

class Exercise {
  constructor(figure) {
    Object.assign(this, { figure, lang: figure.lang, question: null, given: null });
    this.toggle = html("button", "exercise", { type: "button", "aria-pressed": false, "data-text": "page.exercise" });
    this.fields = html("span", "fields");
    this.answer = html("button", "answer", { type: "submit", "data-text": "page.answer" });
    this.next = html("button", "next", { type: "button", "data-text": "page.next" });
    this.tally = html("span", "tally");
    this.form = html("form", "ask", { hidden: "" }, this.fields, this.answer, this.next, this.tally);
    figure.controls.insertBefore(this.toggle, figure.slider);
    figure.panel.talk.append(this.form);
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
    this.questions = this.figure.lesson.walk.questions;
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
    this.fields.querySelector("input").focus();
  }

  /** Show the question and its fields, or, once it is answered, why the answer is right or wrong. */
  show() {
    const { figure, question, given } = this;
    this.form.hidden = false;
    this.answer.hidden = Boolean(given);
    this.next.hidden = !given || this.number + 1 === this.questions.length;
    this.tally.textContent = given ? Say.tell(this.lang, "page.tally", { right: this.right, asked: this.number + 1, of: this.questions.length }) : "";
    if (!given) this.fields.replaceChildren(...this.ticks());
    this.fields.hidden = Boolean(given);
    figure.mark(given ? [] : this.left);
    figure.told = given ? figure.labels.say.judge(question, given).text : figure.labels.say.question(question);
  }

  /** Take the answer. */
  take() {
    const { figure, question } = this;
    this.given = [...this.fields.querySelectorAll(":checked")].map(({ value }) => Number(value));
    if (figure.labels.say.judge(question, this.given).right) this.right++;
    figure.limit = null;
    figure.go(question.then);
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

  ticks() {
    const { say } = this.figure.labels;
    const ticks = this.left.map((id) => html("label", "", {}, html("input", "", { type: "checkbox", value: id }), ` ${say.label(id)}`));
    return [...ticks, html("span", "hint", {}, Say.tell(this.lang, "page.noCut"))];
  }

  /** A click on a branch in the tree ticks it. */
  pick(event) {
    if (!this.question || this.given) return;
    const tick = this.fields.querySelector(`[value="${event.detail}"]`);
    if (!tick) return;
    event.preventDefault();
    tick.checked = !tick.checked;
  }
}
