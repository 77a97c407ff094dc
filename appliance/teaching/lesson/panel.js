/* What a figure shows of a step beside its tree: the sentence, the position in large, the window, the
   program, the counts. */

class Panel {
  /** `controls` is an element above all that; with `code`, there are the program and the line of numbers.
      @param {HTMLElement} controls @param {boolean} code */
  constructor(controls, code) {
    /** @type {(kind: string, word?: string, classes?: string) => HTMLElement} */
    const pair = (kind, word = kind, classes = "") =>
      html("div", classes, {}, html("dt", "", { word }), html("dd", kind));
    this.bars = [html("span", "visited"), html("span", "saved")];
    this.axis = code ? new Axis() : null;
    this.program = code ? new Program() : null;
    this.shown = -1; // the node in large
    this.talk = html("div", "talk", {}, html("p", "says", { role: "status", "aria-live": "polite" }));
    const ends = [pair("alpha", "alpha", "pruned"), pair("beta", "beta", "pruned")];
    const searched = [pair("saved", "saved", "searched"), pair("known", "known", "table")];
    const counts = [pair("visited"), ...searched, pair("total", "whole")];
    const bar = html("div", "bar", { "aria-hidden": true }, ...this.bars);
    this.host = html(
      "div", "panel", {},
      controls,
      html("div", "hand"),
      html("dl", "window", {}, pair("where", "position"), pair("mover"), ...ends, pair("best")),
      this.talk,
      ...[this.axis, this.program].flatMap((part) => (part ? [part.host] : [])),
      html("div", "counts", {}, bar, html("dl", "", {}, ...counts)),
    );
    const measure = () => this.host.style.setProperty("--high", `${this.host.offsetHeight}px`);
    new ResizeObserver(measure).observe(this.host);
    this.parts = Object.fromEntries(
      partsOf(this.host, "dd, .hand, .says").map((part) => [part.className, part]),
    );
  }

  /** @type {(scene: Scene) => void} */
  draw({ lesson, labels }) {
    this.shown = -1;
    if (!lesson.walk) return;
    this.axis?.show(lesson, labels);
    this.program?.show(present(lesson.options.algorithm));
  }

  /** @type {(text: string) => void} */
  say(text) {
    this.parts.says.textContent = text;
  }

  /** Show what is known after a step; of a search, also the step itself.
      @type {(scene: Scene, now: Now, step?: Step) => void} */
  render(scene, now, step) {
    this.renderHand(scene, now.node);
    this.renderPosition(scene, now, step);
    this.renderCounts(scene, now);
    if (!step) return;
    this.axis?.at(step, scene.labels);
    this.program?.at(step, scene.lesson.outline.nodes);
  }

  /** @type {(scene: Scene, node: number) => void} */
  renderHand({ lesson: { outline }, drawing, labels }, node) {
    if (this.shown === node) return;
    this.shown = node;
    const { wide, high } = drawing.size;
    const box = `${-wide / 2 - 6} ${-high / 2 - 6} ${wide + 12} ${high + 12}`;
    const big = svg("svg", { viewBox: box, role: "img", "aria-label": labels.board(outline.nodes[node]) });
    big.append(pictureOf(outline, node, drawing.number(node), outline.columns < 6));
    this.parts.hand.replaceChildren(big);
  }

  /** @type {(scene: Scene, now: Now, step?: Step) => void} */
  renderPosition({ drawing, labels }, { state, node }, step) {
    const { say } = labels;
    const leaf = !drawing.children[node].length;
    /** @type {(kind: string, text: string) => void} */
    const put = (kind, text) => {
      this.parts[kind].textContent = text;
    };
    put("where", say.path(node));
    put("mover", leaf ? labels.t("nobody") : say.mover(node));
    const word = step ? (leaf ? "value" : "best") : "average";
    present(this.parts.best.previousSibling).textContent = labels.t(word);
    if (!step) return put("best", state[node].visits ? labels.mean(state[node]) : labels.t("none"));
    const [low, high] = say.window(step.alpha, step.beta, node);
    put("alpha", low);
    put("beta", high);
    put("best", step.best === null ? labels.t("none") : say.score(step.best, node));
  }

  /** @type {(scene: Scene, now: Now) => void} */
  renderCounts({ lesson, labels }, { visited, saved, known }) {
    const all = lesson.outline.nodes.length;
    const counts = { visited, saved, known, total: all };
    for (const [kind, count] of Object.entries(counts)) {
      this.parts[kind].textContent = labels.number.format(count);
    }
    this.bars[0].style.width = `${(100 * visited) / all}%`;
    this.bars[1].style.width = `${(100 * saved) / all}%`;
  }
}
