/* What a lesson says, in one language: for each step a sentence with the reason. The texts are whole
   sentences with places for names and scores, which no language inflects. */

class Say extends Names {
  /* ---- Steps ---- */

  /** Those of the search; of playouts there are none. */
  get steps() {
    return this.walk?.steps ?? [];
  }

  /** What happens at a step, and why. @type {(step: Step) => string} */
  step(step) {
    return this.sentences(step).filter((sentence) => sentence).join(" ");
  }

  /** @type {(step: Step) => string[]} */
  sentences(step) {
    if (step.kind === "enter") return this.tellEnter(step);
    if (step.kind === "known") return this.tellKnown(step);
    if (step.kind === "back") return this.tellBack(step);
    return step.kind === "cut" ? this.tellCut(step) : this.tellDone(step);
  }

  /** @type {(step: Enter) => string[]} */
  tellEnter({ node, value, ...window }) {
    if (value !== null) return this.leaf(node, value, window);
    const mover = this.mover(node);
    const turn = this.say(this.negamax ? "turn-self" : this.raises(node) ? "turn-max" : "turn-min", {
      mover,
    });
    return [this.arrival(node), turn, this.plain ? "" : this.entered(node, window)];
  }

  /** @type {(node: number, window: Ends) => string} */
  entered(node, window) {
    if (!node) return this.say("window-open", this.ends(window, node));
    return this.say(this.negamax ? "window-negated" : "window-above", this.ends(window, node));
  }

  /** @type {(node: number) => string} */
  arrival(node) {
    const { parent, mark, move } = this.nodes[node];
    if (parent < 0) return this.say("begins");
    return mark
      ? this.say("plays", { mark, move: move + 1 })
      : this.say("next", { branch: this.label(node) });
  }

  /** @type {(node: number, value: number, window: Ends) => string[]} */
  leaf(node, value, window) {
    const one = this.nodes[node];
    const own = present(one.value);
    const eyes = {
      value: this.told(own, node),
      player: this.negamax ? this.mover(node) : this.outline.players[0],
    };
    const worth = this.say(this.negamax ? "worth-self" : "worth", eyes);
    const clamped = value === own ? "" : this.clamped(node, value, window);
    if (one.reason === "number") return [this.arrival(node), worth, clamped];
    const { rule } = this.outline;
    if (one.reason === "drawn") {
      return [this.arrival(node), this.say(rule === "vanishing" ? "drawn-repeated" : "drawn-full"), clamped];
    }
    if (one.reason === "won") {
      const line = this.say(rule === "misere" ? "line-loses" : "line-wins", { mark: one.mark });
      return [this.arrival(node), line, worth, clamped];
    }
    return [this.arrival(node), this.say("guess"), this.guess(own), worth, clamped];
  }

  /** Fail-hard returns no value outside the window.
      @type {(node: number, value: number, window: Ends) => string} */
  clamped(node, value, window) {
    return this.say("clamped", { ...this.ends(window, node), value: this.told(value, node) });
  }

  /** @type {(value: number) => string} */
  guess(value) {
    const { players, rule } = this.outline;
    const [ahead, behind] = value > 0 ? players : [...players].reverse();
    const count = Math.abs(value);
    if (rule === "vanishing") return this.say(value ? "guess-marks" : "guess-marks-even", { ahead });
    if (!value) return this.say("guess-even");
    // Where a line loses, whoever has fewer open lines is ahead.
    if (rule === "misere") return this.say("guess-fewer", { more: behind, less: ahead, count });
    return this.say("guess-more", { more: ahead, less: behind, count });
  }

  /** A value from the table. @type {(step: Known) => string[]} */
  tellKnown({ node, value, bound, from, ...window }) {
    const returned = this.steps.find(({ kind, child }) => kind === "back" && child === from);
    const values = { path: this.path(from), value: this.told(value, node), ...this.ends(window, node) };
    const clamped = returned && returned.value !== value ? this.clamped(node, value, window) : "";
    return [this.arrival(node), this.say(`known-${this.way(bound, node)}`, values), clamped];
  }

  /** @type {(step: Back) => string[]} */
  tellBack(step) {
    return [...this.news(step), step.complete ? this.complete(step) : ""];
  }

  /** @type {(step: Back) => string[]} */
  news({ node, child, value, bound, best, change, ...window }) {
    const [mover, other] = [this.mover(node), this.other(node)];
    const values = { mover, other, best: this.told(best, node), ...this.ends(window, node) };
    const lead = this.returned(node, child, value, bound);
    if (change === "nothing") return [lead, this.say(this.raises(node) ? "keeps-max" : "keeps-min", values)];
    const kind = this.plain ? "first" : change;
    return [lead, this.say(`${kind}-${this.raises(node) ? "max" : "min"}`, values)];
  }

  /** What a branch returns; of a leaf that has just said so, only what negamax makes of it.
      @type {(node: number, child: number, value: number, bound: Bound, always?: boolean) => string} */
  returned(node, child, value, bound, always = false) {
    const values = {
      branch: this.label(child),
      value: this.phrase(value, bound, node),
      mover: this.mover(node),
    };
    if (this.negamax) {
      return this.say("returns-negated", { ...values, returned: this.phrase(value, bound, child) });
    }
    return always || this.nodes[child].value === null ? this.say("returns", values) : "";
  }

  /** @type {(step: Back) => string} */
  complete({ node, best }) {
    if (!node) return this.say("complete-root");
    return this.say("complete", { value: this.phrase(best, this.boundAt(node, best), node) });
  }

  /** @type {(node: number, value: number) => Bound} */
  boundAt(node, value) {
    return boundOf(value, present(this.steps.find((step) => step.kind === "enter" && step.node === node)));
  }

  /** @type {(step: Cut) => string[]} */
  tellCut(step) {
    return [this.reason(step), this.never(step.cut)];
  }

  /** Why the rest is cut: what the mover can reach here, and the other side elsewhere.
      @type {(step: Cut) => string} */
  reason({ node, best, alpha, beta, alphaFrom, betaFrom }) {
    const maximizing = this.nodes[node].ply % 2 === 0;
    const [held, from] = maximizing ? [beta, betaFrom] : [alpha, alphaFrom];
    const values = {
      mover: this.mover(node),
      other: this.other(node),
      here: this.told(best, node),
      there: this.told(held, node),
    };
    const kind = `${this.raises(node) ? "reach" : "hold"}-${best === held ? "same" : "other"}`;
    return this.say(kind, { ...values, elsewhere: this.elsewhere(node, from) });
  }

  /** Where a bound was secured: another move of an ancestor.
      @type {(node: number, from: number) => string} */
  elsewhere(node, from) {
    if (!this.outline.rule) return this.t("say.elsewhere", { branch: this.path(from) });
    const { ply, move } = this.nodes[from];
    const count = this.nodes[node].ply - ply + 1;
    return this.t(count === 1 ? "say.instead" : "say.earlier", { move: move + 1, count });
  }

  /** @type {(cut: number[]) => string} */
  never(cut) {
    const count = cut.length;
    const { mark } = this.nodes[cut[0]];
    if (!mark) {
      return this.say("never-branches", {
        branches: this.list.format(cut.map((node) => this.label(node))),
        count,
      });
    }
    return this.say("never-moves", {
      mark,
      moves: this.list.format(cut.map((node) => `${this.nodes[node].move + 1}`)),
      count,
    });
  }

  /** @type {(step: Done) => string[]} */
  tellDone({ value, child }) {
    const [player] = this.outline.players;
    const { mark, move } = this.nodes[child];
    const values = { player, value: this.told(value, 0), move: move + 1, branch: this.path(child) };
    return [this.say("over"), this.say(mark ? "result-move" : "result-branch", values), this.visits()];
  }

  visits() {
    const [seen, count] = [present(this.walk).visited, this.nodes.length];
    return this.say(seen < count ? "visited" : "visited-all", { seen, count });
  }

  /* ---- Exercises ---- */

  /** What an exercise asks: which branches are cut next. @type {(question: Question) => string} */
  question({ before, node, child }) {
    const { value, bound } = this.steps[before];
    const earlier = present(this.steps.slice(0, before).findLast((step) => step.node === node));
    const values = { mover: this.mover(node), path: this.path(node), ...this.ends(earlier, node) };
    const returned = this.returned(node, child, present(value), bound, true);
    return `${returned} ${this.say("ask-parent", values)} ${this.say("ask-cut")}`;
  }

  /** Whether an answer is right, and why the right one is.
      @type {(question: Question, given: number[]) => { right: boolean, text: string }} */
  judge({ node, then, answer }, given) {
    const step = this.steps[then];
    const right = given.length === answer.length && answer.every((id) => given.includes(id));
    const why = answer.length ? this.shut(step) : this.say("why-open", this.ends(step, node));
    return { right, text: `${this.say(right ? "right" : "wrong")} ${why}` };
  }

  /** Why a window is shut, and what is cut then. @type {(step: Step) => string} */
  shut(step) {
    return `${this.say("why-cut", this.ends(step, step.node))} ${this.step(step)}`;
  }
}
