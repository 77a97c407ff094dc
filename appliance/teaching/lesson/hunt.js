/* The section with a program that is wrong: find the line, say why, and see the right one run beside it. */

const HUNTED = "((2,7),(1,8))"; // where the program as printed is wrong
const WHYS = ["swapped", "beta", "order"]; // what may be wrong with the line: the second is

class Hunt {
  constructor() {
    Object.assign(this, { id: "bug", lang: "en" });
    this.subject = parseSubject(HUNTED);
    const outline = outlineOf(this.subject);
    this.lessons = [false, true].map((mended) => {
      return { outline, options: { algorithm: mended ? "mended" : "printed" }, walk: finished(new PrintedWalk(outline, mended)) };
    });
    this.build();
    this.restore();
    for (const [i, figure] of this.figures.entries()) figure.host.addEventListener("step", () => this.follow(figure, this.figures[1 - i]));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    this.form.addEventListener("change", () => this.keep());
    this.erase.addEventListener("click", () => this.clear());
  }

  build() {
    const choice = (name, value, ...parts) => {
      const input = html("input", "", { type: "radio", value, required: "" });
      input.name = name;
      return html("label", "", {}, input, ...parts);
    };
    const legend = (key) => html("legend", "", { "data-text": key });
    this.lines = PRINTED.map(([, , text], line) => choice("line", line, html("code", "", {}, text)));
    this.whys = html("fieldset", "", {}, legend("page.bug-why"), ...WHYS.map((why) => choice("why", why, html("span", "", { "data-text": `page.bug-why-${why}` }))));
    this.says = html("p", "verdict", { role: "status" });
    this.button = html("button", "check", { type: "submit", "data-text": "page.fill-check" });
    this.erase = html("button", "erase", { type: "button", "data-text": "page.fill-erase" });
    const scrolling = html("div", "lines", { tabindex: 0, role: "group", "data-label": "figure.program" }, ...this.lines);
    this.form = html("form", "hunt", {}, html("fieldset", "", {}, legend("page.bug-line"), scrolling), this.says, this.whys, html("div", "ask", {}, this.button, this.erase));
    const hosts = [html("div"), html("div")];
    this.captions = hosts.map(() => html("h3"));
    this.runs = hosts.map((host, i) => html("div", "", {}, this.captions[i], host));
    const texts = [1, 2].map((number) => html("p", "", { "data-text": `page.bug-${number}` }));
    const parts = [titleOf("bug"), html("div", "text", {}, ...texts), this.form, html("div", "both", {}, ...this.runs)];
    this.host = html("section", "hunted", { id: "bug", "aria-labelledby": "bug-title" }, ...parts);
    this.figures = hosts.map((host, i) => new Figure(host, { compact: true, controls: i ? [] : ["first", "back", "step", "end"] }));
  }

  /** Take the chosen line, and once it is found, the reason. */
  check() {
    const given = new FormData(this.form);
    if (!this.found) {
      const line = Number(given.get("line"));
      this.found = line === WRONG;
      this.verdict = this.found ? ["page.bug-found"] : [`page.bug-not-${PRINTED[line][1]}`];
      if (!this.found) this.show(line);
    } else {
      this.solved = given.get("why") === "beta";
      this.verdict = [this.solved ? "page.bug-solved" : `page.bug-not-${given.get("why")}`];
    }
    this.keep();
    if (this.solved) {
      this.figures[0].go(0);
      this.figures[0].buttons.step.focus(); // the button that had the focus is gone
    } else if (this.found) this.whys.querySelector("input").focus();
  }

  /** Keep what has been chosen and found. */
  keep() {
    const { found, solved } = this;
    const { line, why } = this.form.elements;
    Kept.write("bug", { found, solved, line: line.value, why: why.value });
    this.render();
  }

  /** Take up what has been kept; or nothing. */
  restore() {
    const { found = false, solved = false, ...chosen } = Kept.read("bug");
    Object.assign(this, { found, solved, verdict: found ? [solved ? "page.bug-solved" : "page.bug-found"] : null });
    this.form.reset();
    for (const [name, value] of Object.entries(chosen)) this.form.elements[name].value = value;
  }

  clear() {
    Kept.write("bug", null);
    this.restore();
    this.render();
    this.lines[0].firstChild.focus();
  }

  /** Go to the first step that runs a line. */
  show(line) {
    const { walk, outline } = this.lessons[0];
    const at = walk.steps.findIndex((step) => linesRun(step, outline.nodes).includes(line));
    if (at >= 0) this.figures[0].go(at);
  }

  /** Both figures show the same step. */
  follow(figure, other) {
    if (other.at !== figure.at) other.go(figure.at);
    this.tell(figure);
  }

  /** Say what the program has computed. */
  tell(figure) {
    const step = figure.lesson.walk.steps[figure.at];
    figure.told = this.sentence(step, figure.labels.say, figure === this.figures[1] ? "new_beta" : "beta");
    if (figure !== this.figures[0]) return;
    const run = linesRun(step, figure.lesson.outline.nodes);
    for (const [line, label] of this.lines.entries()) label.classList.toggle("runs", run.includes(line));
  }

  sentence(step, say, compared) {
    const { kind, node, child, value, best } = step;
    const shown = (score) => say.score(score, node);
    if (kind === "done") {
      const taken = say.say("result-branch", { player: say.mover(0), branch: say.path(child), value: shown(value) });
      return `max(${this.returned(step, say).join(", ")}) = ${shown(value)}. ${taken}`;
    }
    if (kind === "enter" && !node) return say.say("begins");
    if (kind === "enter") return say.arrival(node) + (value === null ? ` new_beta = beta = ${shown(step.beta)}.` : "");
    if (!node) return say.say("returns", { branch: say.label(child), value: shown(value) });
    const kept = `new_beta = min(${compared}, ${shown(value)}) = min(${shown(step.compared)}, ${shown(value)}) = ${shown(best)}.`;
    return step.complete ? `${kept} ${say.complete(step)}` : kept;
  }

  /** What the root's branches have returned. */
  returned(last, say) {
    return say.walk.steps.filter(({ kind, node }) => kind === "back" && node === last.node).map(({ value }) => say.score(value, 0));
  }

  speak(lang) {
    this.lang = lang;
    for (const [i, figure] of this.figures.entries()) {
      figure.lang = lang;
      figure.lesson ? figure.speak(lang) : figure.show(this.lessons[i]);
      this.tell(figure);
    }
    this.render();
  }

  render() {
    const { lang, found, solved, verdict } = this;
    const [printed, mended] = this.lessons.map(({ walk }) => walk.value);
    localise(this.host, lang, { printed, mended, tree: HUNTED });
    this.captions[0].textContent = Say.tell(lang, "page.bug-printed", { value: printed });
    this.captions[1].textContent = Say.tell(lang, "page.bug-mended", { value: mended });
    const right = verdict && Say.tell(lang, /found|solved/.test(verdict) ? "say.right" : "say.wrong");
    this.says.textContent = verdict ? `${right} ${Say.tell(lang, ...verdict)}` : "";
    for (const label of this.lines) label.firstChild.disabled = found;
    this.whys.hidden = !found;
    this.whys.disabled = !found || solved; // what is hidden must not be required
    this.button.hidden = solved;
    this.erase.hidden = !this.form.elements.line.value;
    this.runs[1].hidden = !solved;
    this.lines[WRONG].classList.toggle("wrong", found);
  }
}
