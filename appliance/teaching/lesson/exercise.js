/* An exercise in a figure: it stops before a value comes back, asks which branches are cut then, and says
   why. */

class Exercise {
  /** @param {Figure} figure */
  constructor(figure) {
    this.figure = figure;
    this.lang = figure.lang;
    /** @type {Question[]} */
    this.questions = [];
    this.number = 0; // of the question
    this.right = 0; // the answers that were
    /** @type {Question | null} */
    this.question = null;
    /** @type {number[] | null} */
    this.given = null; // the answer
    this.toggle = html("button", "exercise", {
      type: "button",
      "aria-pressed": false,
      "data-text": "page.exercise",
    });
    this.fields = html("span", "fields");
    this.answer = html("button", "answer", { type: "submit", "data-text": "page.answer" });
    this.next = html("button", "next", { type: "button", "data-text": "page.next" });
    this.tally = html("span", "tally");
    this.form = html("form", "ask", { hidden: "" }, this.fields, this.answer, this.next, this.tally);
    figure.controls.slider.before(this.toggle);
    figure.panel.talk.append(this.form);
    this.toggle.addEventListener("click", () => (this.question ? this.stop() : this.start()));
    this.next.addEventListener("click", () => this.ask(this.number + 1));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.given) this.take();
    });
    figure.host.addEventListener("pick", (event) => this.pick(event));
    figure.host.addEventListener("step", () => {
      if (this.given) figure.told = null;
    });
  }

  start() {
    this.questions = this.walk.questions;
    this.right = 0;
    if (this.questions.length) return this.ask(0);
    this.figure.told = Say.tell(this.lang, "page.noQuestion");
  }

  /** End it; the figure goes on from where it is. */
  stop() {
    const { figure } = this;
    this.question = this.given = null;
    this.form.hidden = true;
    this.toggle.setAttribute("aria-pressed", "false");
    figure.limit = null;
    figure.marks = new Set();
    figure.told = null;
  }

  /** @type {(number: number) => void} */
  ask(number) {
    const { figure, questions } = this;
    const question = questions[number];
    this.number = number;
    this.question = question;
    this.given = null;
    this.toggle.setAttribute("aria-pressed", "true");
    figure.limit = question.before - 1;
    figure.go(figure.limit);
    this.show(question);
    this.fields.querySelector("input")?.focus();
  }

  /** Show the question and its fields, or, once it is answered, why the answer is right or wrong.
      @type {(question: Question) => void} */
  show(question) {
    const { figure, given } = this;
    this.form.hidden = false;
    this.answer.hidden = Boolean(given);
    this.next.hidden = !given || this.number + 1 === this.questions.length;
    const tally = { right: this.right, asked: this.number + 1, of: this.questions.length };
    this.tally.textContent = given ? Say.tell(this.lang, "page.tally", tally) : "";
    const left = this.leftOf(question);
    if (!given) this.fields.replaceChildren(...this.ticks(left));
    this.fields.hidden = Boolean(given);
    figure.mark(given ? [] : left);
    const { say } = figure.labels;
    figure.told = given ? say.judge(question, given).text : say.question(question);
  }

  /** Take the answer. */
  take() {
    const { figure } = this;
    const question = present(this.question);
    const ticks = [...this.fields.querySelectorAll("input")].filter(({ checked }) => checked);
    this.given = ticks.map(({ value }) => Number(value));
    if (figure.labels.say.judge(question, this.given).right) this.right++;
    figure.limit = null;
    figure.go(question.then);
    this.show(question);
    (this.next.hidden ? this.toggle : this.next).focus();
  }

  /** @type {(lang: string) => void} */
  speak(lang) {
    this.lang = lang;
    if (this.question) this.show(this.question);
  }

  /* ---- What is asked ---- */

  get walk() {
    return present(this.figure.lesson.walk);
  }

  /** The branches that are still to be searched. @type {(question: Question) => number[]} */
  leftOf({ node, child }) {
    const children = this.walk.children[node];
    return children.slice(children.indexOf(child) + 1);
  }

  /** @type {(left: number[]) => HTMLElement[]} */
  ticks(left) {
    const { say } = this.figure.labels;
    const ticks = left.map((id) => {
      return html("label", "", {}, html("input", "", { type: "checkbox", value: id }), ` ${say.label(id)}`);
    });
    return [...ticks, html("span", "hint", {}, Say.tell(this.lang, "page.noCut"))];
  }

  /** A click on a branch in the tree ticks it. @type {(event: CustomEvent<number>) => void} */
  pick(event) {
    if (!this.question || this.given) return;
    const tick = [...this.fields.querySelectorAll("input")].find(
      ({ value }) => Number(value) === event.detail,
    );
    if (!tick) return;
    event.preventDefault();
    tick.checked = !tick.checked;
  }
}
