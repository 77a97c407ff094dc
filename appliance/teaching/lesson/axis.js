/* Alpha and beta on a line of numbers: the window is what lies between them. A cut is where they have met or crossed. */

const AXIS = { wide: 440, high: 74, from: 22, to: 418, line: 40 };
const MOST_TICKS = 17; // with more, the scores find no room below the line

class Axis {
  constructor() {
    this.host = svg("svg", { class: "axis", viewBox: `0 0 ${AXIS.wide} ${AXIS.high}`, role: "img" });
  }

  /** Take the scores of a lesson: they are spaced evenly, between minus and plus infinity. */
  show({ walk, outline }, labels) {
    const scores = [...outline.nodes, ...walk.steps].flatMap(({ value }) => (value === null ? [] : [value]));
    const sorted = [...new Set(scores)].sort((a, b) => a - b);
    Object.assign(this, { labels, scores: [-INFINITE, ...sorted, INFINITE] });
    this.ticked = !outline.rule && sorted.length < MOST_TICKS;
  }

  /** Show the window after a step, as its node sees it. */
  at({ node, kind, value, alpha, beta }) {
    const { say } = this.labels;
    const flipped = say.seen(1, node) < 0;
    const [low, high] = flipped ? [beta, alpha] : [alpha, beta];
    const x = (score) => {
      const share = this.scores.indexOf(score) / (this.scores.length - 1);
      return AXIS.from + (AXIS.to - AXIS.from) * (flipped ? 1 - share : share);
    };
    const shut = alpha >= beta;
    const returned = kind === "back" ? [svg("circle", { class: "returned", cx: x(value), cy: AXIS.line - 3, r: 6 })] : [];
    const texts = say.window(alpha, beta, node);
    this.host.setAttribute("aria-label", `${this.labels.t("alpha")} ${texts[0]}, ${this.labels.t("beta")} ${texts[1]}`);
    this.host.replaceChildren(
      svg("path", { class: "base", d: `M8 ${AXIS.line}H${AXIS.wide - 8}` }),
      this.between(x(low), x(high), shut),
      ...this.scores.flatMap((score) => this.tick(x(score), say.score(score, node))),
      this.limit("α", texts[0], x(low), !shut),
      this.limit("β", texts[1], x(high), shut),
      ...returned,
      ...(shut ? [svg("text", { class: "middle scissors", x: (x(low) + x(high)) / 2, y: 20 }, "✂")] : []),
    );
  }

  /** The window, or what alpha and beta have crossed. */
  between(low, high, shut) {
    const [left, right] = [Math.min(low, high), Math.max(low, high)];
    return svg("path", { class: shut ? "shut" : "open", d: `M${left} ${AXIS.line - 3}H${Math.max(right, left + (shut ? 4 : 0))}` });
  }

  tick(x, score) {
    const mark = svg("path", { class: "tick", d: `M${x} ${AXIS.line}v6` });
    return this.ticked ? [mark, svg("text", { class: "middle tick", x, y: AXIS.line + 22 }, score)] : [mark];
  }

  /** Alpha or beta; its sign stands outside the window, and the score with it where there is no room below. */
  limit(sign, score, x, before) {
    const text = this.ticked ? sign : `${sign} ${score}`;
    const at = svg("text", { class: before ? "before" : "after", x: x + (before ? -5 : 5), y: 20 }, text);
    return svg("g", { class: "limit" }, svg("path", { d: `M${x} ${AXIS.line - 16}v22` }), at);
  }
}
