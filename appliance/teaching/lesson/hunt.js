/* The section with a program that is wrong: find the line, say why, and see the right one run beside it. */

const HUNTED = "((2,7),(1,8))"; // where the program as printed is wrong
const WHYS = ["swapped", "beta", "order"]; // what may be wrong with the line: the second is

/** @type {(name: string, value: string, ...parts: Child[]) => HTMLElement} */
function radio(name, value, ...parts) {
  const input = html("input", "", { type: "radio", value, required: "" });
  input.name = name;
  return html("label", "", {}, input, ...parts);
}

/** @type {(key: string) => HTMLElement} */
const legendOf = (key) => html("legend", "", { "data-text": key });

/** @type {(label: HTMLElement) => HTMLInputElement} */
const inputOf = (label) => present(label.querySelector("input"));

class Hunt {
  constructor() {
    this.lang = "en";
    this.found = false; // the line
    this.solved = false; // the reason, too
    this.verdict = ""; // the key of a text
    const outline = outlineOf(parseSubject(HUNTED));
    this.walks = [false, true].map((mended) => finished(new PrintedWalk(outline, mended)));
    /** @type {Searched[]} */
    this.lessons = this.walks.map((walk, i) => {
      return { outline, options: { algorithm: i ? "mended" : "printed" }, walk };
    });
    this.lines = PRINTED.map(([, , text], line) => radio("line", `${line}`, html("code", "", {}, text)));
    const whys = WHYS.map((why) => {
      return radio("why", why, html("span", "", { "data-text": `page.bug-why-${why}` }));
    });
    this.whys = html("fieldset", "", {}, legendOf("page.bug-why"), ...whys);
    this.says = html("p", "verdict", { role: "status" });
    this.button = html("button", "check", { type: "submit", "data-text": "page.fill-check" });
    this.erase = html("button", "erase", { type: "button", "data-text": "page.fill-erase" });
    const program = { tabindex: 0, role: "group", "data-label": "figure.program" };
    const scrolling = html("div", "lines", program, ...this.lines);
    const lines = html("fieldset", "", {}, legendOf("page.bug-line"), scrolling);
    const buttons = html("div", "ask", {}, this.button, this.erase);
    this.form = html("form", "hunt", {}, lines, this.says, this.whys, buttons);
    const hosts = [html("div"), html("div")];
    this.captions = hosts.map(() => html("h3"));
    this.runs = hosts.map((host, i) => html("div", "", {}, this.captions[i], host));
    const texts = [1, 2].map((number) => html("p", "", { "data-text": `page.bug-${number}` }));
    const both = html("div", "both", {}, ...this.runs);
    const parts = [titleOf("bug"), html("div", "text", {}, ...texts), this.form, both];
    this.host = html("section", "hunted", { id: "bug", "aria-labelledby": "bug-title" }, ...parts);
    this.figures = hosts.map((host, i) => {
      return new Figure(host, { compact: true, controls: i ? [] : ["first", "back", "step", "end"] });
    });
    this.restore();
    this.listen();
  }

  listen() {
    for (const [i, figure] of this.figures.entries()) {
      figure.host.addEventListener("step", () => this.follow(figure, this.figures[1 - i]));
    }
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.check();
    });
    this.form.addEventListener("change", () => this.keep());
    this.erase.addEventListener("click", () => this.clear());
  }

  /** Take the chosen line, and once it is found, the reason. */
  check() {
    if (!this.found) {
      const line = Number(this.radios("line").value);
      this.found = line === WRONG;
      this.verdict = this.found ? "page.bug-found" : `page.bug-not-${PRINTED[line][1]}`;
      if (!this.found) this.show(line);
    } else {
      const why = this.radios("why").value;
      this.solved = why === "beta";
      this.verdict = this.solved ? "page.bug-solved" : `page.bug-not-${why}`;
    }
    this.keep();
    if (this.solved) {
      this.figures[0].go(0);
      this.figures[0].controls.buttons.step?.focus(); // the button that had the focus is gone
    } else if (this.found) inputOf(this.whys).focus();
  }

  /** Keep what has been chosen and found. */
  keep() {
    const { found, solved } = this;
    Kept.write("bug", { found, solved, line: this.radios("line").value, why: this.radios("why").value });
    this.render();
  }

  /** The answers to a question. @type {(name: "line" | "why") => RadioNodeList} */
  radios(name) {
    const found = this.form.elements.namedItem(name);
    if (found instanceof RadioNodeList) return found;
    throw new Error(`the form has no ${name}`);
  }

  /** Take up what has been kept; or nothing. */
  restore() {
    const { found = false, solved = false, line = "", why = "" } = Kept.read("bug");
    this.found = found;
    this.solved = solved;
    this.verdict = found ? `page.bug-${solved ? "solved" : "found"}` : "";
    this.form.reset();
    this.radios("line").value = line;
    this.radios("why").value = why;
  }

  clear() {
    Kept.write("bug", null);
    this.restore();
    this.render();
    inputOf(this.lines[0]).focus();
  }

  /** Go to the first step that runs a line. @type {(line: number) => void} */
  show(line) {
    const { walk, outline } = this.lessons[0];
    const at = walk.steps.findIndex((step) => linesRun(step, outline.nodes).includes(line));
    if (at >= 0) this.figures[0].go(at);
  }

  /** Both figures show the same step. @type {(figure: Figure, other: Figure) => void} */
  follow(figure, other) {
    if (other.at !== figure.at) other.go(figure.at);
    this.tell(figure);
  }

  /** Say what the program has computed. @type {(figure: Figure) => void} */
  tell(figure) {
    const step = present(figure.lesson.walk).steps[figure.at];
    figure.told = this.sentence(step, figure.labels.say, figure === this.figures[1] ? "new_beta" : "beta");
    if (figure !== this.figures[0]) return;
    const run = linesRun(step, figure.lesson.outline.nodes);
    for (const [line, label] of this.lines.entries()) label.classList.toggle("runs", run.includes(line));
  }

  /** @type {(step: Step, say: Say, compared: string) => string} */
  sentence(step, say, compared) {
    const { node } = step;
    /** @type {(score: number) => string} */
    const shown = (score) => say.score(score, node);
    if (step.kind === "enter") {
      if (!node) return say.say("begins");
      return say.arrival(node) + (step.value === null ? ` new_beta = beta = ${shown(step.beta)}.` : "");
    }
    if (step.kind === "cut") return ""; // at HUNTED nothing is cut
    const { kind, child, value, best } = step;
    if (kind === "done") {
      const values = { player: say.mover(0), branch: say.path(child), value: shown(value) };
      const taken = say.say("result-branch", values);
      return `max(${this.returned(step, say).join(", ")}) = ${shown(value)}. ${taken}`;
    }
    if (!node) return say.say("returns", { branch: say.label(child), value: shown(value) });
    const numbers = `min(${shown(step.compared)}, ${shown(value)}) = ${shown(best)}.`;
    const kept = `new_beta = min(${compared}, ${shown(value)}) = ${numbers}`;
    return step.kind === "back" && step.complete ? `${kept} ${say.complete(step)}` : kept;
  }

  /** What the root's branches have returned. @type {(last: Step, say: Say) => string[]} */
  returned(last, say) {
    return say.steps.flatMap((step) => {
      return step.kind === "back" && step.node === last.node ? [say.score(step.value, 0)] : [];
    });
  }

  /** @type {(lang: string) => void} */
  speak(lang) {
    this.lang = lang;
    for (const [i, figure] of this.figures.entries()) {
      figure.lang = lang;
      if (figure.scene) figure.speak(lang);
      else figure.show(this.lessons[i]);
      this.tell(figure);
    }
    this.render();
  }

  render() {
    const { lang, found, solved, verdict } = this;
    const [printed, mended] = this.walks.map(({ value }) => value);
    localise(this.host, lang, { printed, mended, tree: HUNTED });
    this.captions[0].textContent = Say.tell(lang, "page.bug-printed", { value: printed });
    this.captions[1].textContent = Say.tell(lang, "page.bug-mended", { value: mended });
    const right = Say.tell(lang, /found|solved/.test(verdict) ? "say.right" : "say.wrong");
    this.says.textContent = verdict ? `${right} ${Say.tell(lang, verdict)}` : "";
    for (const label of this.lines) inputOf(label).disabled = found;
    this.whys.hidden = !found;
    this.whys.disabled = !found || solved; // what is hidden must not be required
    this.button.hidden = solved;
    this.erase.hidden = !this.radios("line").value;
    this.runs[1].hidden = !solved;
    this.lines[WRONG].classList.toggle("wrong", found);
  }
}
