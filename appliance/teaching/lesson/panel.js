/* What a figure shows of a step beside its tree: the sentence, the position in large, the window, the program, the
   counts. */

class Panel {
  /** `controls` is an element above all that; with `code`, there are the program and the line of numbers. */
  constructor(controls, code) {
    const pair = (kind, word = kind, classes = "") => html("div", classes, {}, html("dt", "", { word }), html("dd", kind));
    const bar = html("div", "bar", { "aria-hidden": true }, html("span", "visited"), html("span", "saved"));
    Object.assign(this, { bars: [...bar.children], axis: code ? new Axis() : null, program: code ? new Program() : null, shown: -1 });
    this.talk = html("div", "talk", {}, html("p", "says", { role: "status", "aria-live": "polite" }));
    this.host = html(
      "div", "panel", {},
      controls,
      html("div", "hand"),
      html("dl", "window", {}, pair("where", "position"), pair("mover"), pair("alpha", "alpha", "pruned"), pair("beta", "beta", "pruned"), pair("best", "best")),
      this.talk,
      ...(code ? [this.axis.host, this.program.host] : []),
      html("div", "counts", {}, bar, html("dl", "", {}, pair("visited"), pair("saved", "saved", "searched"), pair("known", "known", "table"), pair("total", "whole"))),
    );
    new ResizeObserver(() => this.host.style.setProperty("--high", `${this.host.offsetHeight}px`)).observe(this.host);
    this.parts = Object.fromEntries([...this.host.querySelectorAll("dd, .hand, .says")].map((part) => [part.className, part]));
  }

  /** Take a lesson, its drawing and its labels. */
  draw(lesson, drawing, labels) {
    Object.assign(this, { lesson, drawing, labels, shown: -1 });
    if (!lesson.walk) return;
    this.axis?.show(lesson, labels);
    this.program?.show(lesson.options.algorithm);
  }

  say(text) {
    this.parts.says.textContent = text;
  }

  /** Show what is known after a step; of a search, also the step itself. */
  render(now, step) {
    this.renderHand(now.node);
    this.renderPosition(now, step);
    this.renderCounts(now);
    if (!step) return;
    this.axis?.at(step);
    this.program?.at(step, this.lesson.outline.nodes);
  }

  renderHand(node) {
    if (this.shown === node) return;
    this.shown = node;
    const { outline } = this.lesson;
    const { wide, high } = this.drawing.size;
    const box = `${-wide / 2 - 6} ${-high / 2 - 6} ${wide + 12} ${high + 12}`;
    const big = svg("svg", { viewBox: box, role: "img", "aria-label": this.labels.board(outline.nodes[node]) });
    big.append(pictureOf(outline, node, this.drawing.number(node), outline.columns < 6));
    this.parts.hand.replaceChildren(big);
  }

  renderPosition({ state, node }, step) {
    const { say } = this.labels;
    const leaf = !this.drawing.children[node].length;
    const put = (kind, text) => (this.parts[kind].textContent = text);
    put("where", say.path(node));
    put("mover", leaf ? this.labels.t("nobody") : say.mover(node));
    const word = step ? (leaf ? "value" : "best") : "average";
    this.parts.best.previousSibling.textContent = this.labels.t(word);
    if (!step) return put("best", state[node].visits ? this.labels.mean(state[node]) : this.labels.t("none"));
    const [low, high] = say.window(step.alpha, step.beta, node);
    put("alpha", low);
    put("beta", high);
    put("best", step.best === null ? this.labels.t("none") : say.score(step.best, node));
  }

  renderCounts({ visited, saved = 0, known = 0 }) {
    const all = this.lesson.outline.nodes.length;
    const counts = { visited, saved, known, total: all };
    for (const [kind, count] of Object.entries(counts)) this.parts[kind].textContent = this.labels.number.format(count);
    this.bars[0].style.width = `${(100 * visited) / all}%`;
    this.bars[1].style.width = `${(100 * saved) / all}%`;
  }
}
