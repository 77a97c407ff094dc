/* Alpha and beta on a line of numbers: the window is what lies between them. A cut is where they have met or
   crossed. */

const AXIS = { wide: 440, high: 74, from: 22, to: 418, line: 40, edge: 4 };

class Axis {
  constructor() {
    /** @type {number[]} */
    this.scores = [];
    /** @type {Ruler} */
    this.measure = () => 0;
    this.ticked = false;
    this.host = svg("svg", { class: "axis", viewBox: `0 0 ${AXIS.wide} ${AXIS.high}`, role: "img" });
  }

  /** Take the scores of a lesson: they are spaced evenly, between minus and plus infinity. Where they find
      room, they stand below the line.
      @type {(lesson: Searched, labels: Labels) => void} */
  show({ walk, outline }, { say }) {
    const scores = [...outline.nodes, ...walk.steps].flatMap(({ value }) => (value === null ? [] : [value]));
    const sorted = [...new Set(scores)].sort((a, b) => a - b);
    const { fontFamily } = getComputedStyle(this.host);
    this.scores = [-INFINITE, ...sorted, INFINITE];
    this.measure = ruler(fontFamily, "700 18px");
    // Negamax turns signs.
    const shown = sorted.flatMap((score) => [0, 1].map((node) => say.score(score, node)));
    this.ticked = !outline.rule && ruler(fontFamily)(shown) + 6 < (AXIS.to - AXIS.from) / (sorted.length + 1);
  }

  /** Show the window after a step, as its node sees it. @type {(step: Step, labels: Labels) => void} */
  at({ node, kind, value, alpha, beta }, labels) {
    const { say } = labels;
    const flipped = say.seen(1, node) < 0;
    const [low, high] = flipped ? [beta, alpha] : [alpha, beta];
    /** @type {(score: number) => number} */
    const x = (score) => {
      const share = this.scores.indexOf(score) / (this.scores.length - 1);
      return AXIS.from + (AXIS.to - AXIS.from) * (flipped ? 1 - share : share);
    };
    const shut = alpha >= beta;
    const returned = [];
    if (kind === "back") {
      returned.push(svg("circle", { class: "returned", cx: x(value), cy: AXIS.line - 3, r: 6 }));
    }
    const texts = say.window(alpha, beta, node);
    const signs = ["α", "β"].map((sign, i) => (this.ticked ? sign : `${sign} ${texts[i]}`));
    this.host.setAttribute("aria-label", `${labels.t("alpha")} ${texts[0]}, ${labels.t("beta")} ${texts[1]}`);
    this.host.replaceChildren(
      svg("path", { class: "base", d: `M8 ${AXIS.line}H${AXIS.wide - 8}` }),
      this.between(x(low), x(high), shut),
      ...this.scores.flatMap((score) => this.tick(x(score), say.score(score, node))),
      ...this.limits([x(low), x(high)], signs, shut),
      ...returned,
    );
  }

  /** The window, or what alpha and beta have crossed.
      @type {(low: number, high: number, shut: boolean) => SVGElement} */
  between(low, high, shut) {
    const [left, right] = [Math.min(low, high), Math.max(low, high)];
    const end = Math.max(right, left + (shut ? 4 : 0));
    return svg("path", { class: shut ? "shut" : "open", d: `M${left} ${AXIS.line - 3}H${end}` });
  }

  /** @type {(x: number, score: string) => SVGElement[]} */
  tick(x, score) {
    const mark = svg("path", { class: "tick", d: `M${x} ${AXIS.line}v6` });
    return this.ticked ? [mark, svg("text", { class: "middle tick", x, y: AXIS.line + 22 }, score)] : [mark];
  }

  /** Alpha and beta: their texts stand outside the window, but inside the drawing, with room between them for
      the scissors.
      @type {(places: number[], texts: string[], shut: boolean) => SVGElement[]} */
  limits(places, texts, shut) {
    const room = shut ? 26 : 10;
    const [left, right] = (shut ? [1, 0] : [0, 1]).map((i) => {
      return { x: places[i], text: texts[i], wide: this.measure([texts[i]]) };
    });
    const middle = (left.x + right.x) / 2;
    const [from, to] = [AXIS.edge + left.wide, AXIS.wide - AXIS.edge - right.wide];
    const before = Math.max(from, Math.min(left.x - 5, middle - room / 2, to - room));
    const after = Math.min(to, Math.max(right.x + 5, middle + room / 2, from + room));
    /** @type {(kind: string, x: number, text: string) => SVGElement} */
    const put = (kind, x, text) => svg("text", { class: kind, x, y: 20 }, text);
    const scissors = shut ? [put("middle scissors", (before + after) / 2, "✂")] : [];
    const lines = places.map((x) => svg("path", { class: "limit", d: `M${x} ${AXIS.line - 16}v22` }));
    return [
      ...lines,
      put("limit before", before, left.text),
      put("limit after", after, right.text),
      ...scissors,
    ];
  }
}
