/* What a lesson says, in one language: scores, names of branches, and for each step a sentence with the
   reason. The texts are whole sentences with places for names and scores, which no language inflects. Scores
   are passed in for Max; negamax shows them for the side to move. */

/** @type {Record<Bound, string>} */
const SIGNS = { exact: "", upper: "≤\u00a0", lower: "≥\u00a0" }; // a label is never folded there
/** @type {Record<Bound, Bound>} */
const FLIPPED = { exact: "exact", upper: "lower", lower: "upper" };

/** An upper-case letter starts a sentence, except for the marks x and o. @type {(text: string) => string} */
const capital = (text) => (/^[xo]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

class Say {
  /** @type {Words | null} */
  static known = null;

  /** @param {string} lang @param {Told} lesson */
  constructor(lang, { outline, walk, options = {} }) {
    this.lang = lang;
    this.outline = outline;
    this.walk = walk;
    this.options = options;
    this.nodes = outline.nodes;
    this.negamax = options.algorithm === "negamax";
    this.plain = options.algorithm === "minimax";
    this.signed = new Intl.NumberFormat(lang, { signDisplay: outline.rule ? "exceptZero" : "auto" });
    // British English has no comma before the last "and".
    this.list = new Intl.ListFormat(lang === "en" ? "en-GB" : lang);
  }

  /** The words of the page, read once. @returns {Words} */
  static get words() {
    return (Say.known ??= JSON.parse(present(document.getElementById("words")?.textContent)));
  }

  /** A text of the page, "group.key": `values.count` chooses among plural forms. What is missing is an error.
      @type {(lang: string, key: string, values?: Values) => string} */
  static tell(lang, key, values = {}) {
    const { languages, texts } = Say.words;
    const [group, name] = key.split(".");
    const found = texts[group]?.[name]?.[languages.indexOf(lang)];
    const plural = new Intl.PluralRules(lang);
    const text = typeof found === "object" ? found[plural.select(Number(values.count))] : found;
    if (text === undefined) throw new Error(`${lang} has no text for ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${key} in ${lang} lacks ${name}`);
      return typeof value === "number" ? new Intl.NumberFormat(lang).format(value) : `${value}`;
    });
  }

  /** @type {(key: string, values?: Values) => string} */
  t(key, values) {
    return Say.tell(this.lang, key, values);
  }

  /** One sentence of this group. @type {(key: string, values?: Values) => string} */
  say(key, values) {
    return capital(this.t(`say.${key}`, values));
  }

  /* ---- Names and scores ---- */

  /** @type {(node: number) => string} */
  mover(node) {
    return this.outline.players[this.nodes[node].ply % 2];
  }

  /** @type {(node: number) => string} */
  other(node) {
    return this.outline.players[1 - (this.nodes[node].ply % 2)];
  }

  /** A score with the sign shown at `node`; of a shown one, the score for Max.
      @type {(score: number, node: number) => number} */
  seen(score, node) {
    return this.negamax && this.nodes[node].ply % 2 ? 0 - score : score;
  }

  /** A score at `node`: "win in 3", "draw", "+4"; distances count from the root. In a sentence: "a win in 3".
      @type {(score: number, node: number, kinds?: string[]) => string} */
  score(score, node, kinds = ["win", "loss", "draw"]) {
    const shown = this.seen(score, node);
    const [win, loss, draw] = kinds.map((kind) => `say.${kind}`);
    if (Math.abs(shown) > WIN) return shown > 0 ? "+∞" : "−∞";
    if (Math.abs(shown) >= PROVEN)
      return this.t(shown > 0 ? win : loss, { moves: WIN - Math.abs(shown) - this.outline.start });
    if (!shown && this.outline.rule && !this.outline.guessed) return this.t(draw);
    return this.signed.format(shown).replace("-", "−");
  }

  /** @type {(score: number, node: number) => string} */
  told(score, node) {
    return this.score(score, node, ["aWin", "aLoss", "aDraw"]);
  }

  /** @type {(value: number, bound: Bound, node: number) => string} */
  bound(value, bound, node) {
    return SIGNS[this.way(bound, node)] + this.score(value, node);
  }

  /** The same in a sentence: "at most a draw".
      @type {(value: number, bound: Bound, node: number) => string} */
  phrase(value, bound, node) {
    return this.t(`say.${this.way(bound, node)}`, { value: this.told(value, node) });
  }

  /** @type {(bound: Bound, node: number) => Bound} */
  way(bound, node) {
    return this.seen(1, node) > 0 ? bound : FLIPPED[bound];
  }

  /** Alpha and beta as `node` shows them. @type {(alpha: number, beta: number, node: number) => string[]} */
  window(alpha, beta, node) {
    const ends = this.seen(1, node) > 0 ? [alpha, beta] : [beta, alpha];
    return ends.map((end) => this.score(end, node));
  }

  /** @type {(window: Ends, node: number) => { low: string, high: string }} */
  ends({ alpha, beta }, node) {
    const [low, high] = this.seen(1, node) > 0 ? [alpha, beta] : [beta, alpha];
    return { low: this.told(low, node), high: this.told(high, node) };
  }

  /** Whether the side to move takes the highest value, and so raises alpha.
      @type {(node: number) => boolean} */
  raises(node) {
    return this.negamax || this.nodes[node].ply % 2 === 0;
  }

  /** The branch that leads to `node`: "x 5", "branch 1.2", "the leaf 8". @type {(node: number) => string} */
  label(node) {
    const { mark, move, moves, reason, value } = this.nodes[node];
    if (!moves.length) return this.t("say.root");
    if (mark) return `${mark} ${move + 1}`;
    if (reason === "number") return this.t("say.leaf", { value: this.score(present(value), node) });
    return this.path(node);
  }

  /** All branches from the root. @type {(node: number) => string} */
  path(node) {
    const { moves } = this.nodes[node];
    if (!moves.length) return this.t("say.root");
    if (!this.outline.rule) return this.t("say.branch", { branch: moves.map((move) => move + 1).join(".") });
    return moves.map((move, ply) => `${this.outline.players[ply % 2]} ${move + 1}`).join(", ");
  }

  /** The name of a level: who is to move there, and what that side takes. @type {(ply: number) => string} */
  levels(ply) {
    const player = this.outline.players[ply % 2];
    const side = ply % 2 ? "▽ Min" : "△ Max";
    if (this.negamax) return this.t("say.level", { player });
    return this.outline.rule ? `${player}: ${side}` : side;
  }

  /** What is known about a node, for those who hear the tree.
      @type {(node: number, state: Partial<NodeState> & { hand?: boolean }) => string} */
  state(node, { is, hand = false, value = null, bound = "exact" }) {
    const known = value === null ? "" : this.phrase(value, bound, node);
    const text = this.t(`say.state-${is}`, { value: known });
    return hand ? this.t("say.state-hand", { state: text }) : text;
  }

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
    if (this.negamax)
      return this.say("returns-negated", { ...values, returned: this.phrase(value, bound, child) });
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
    if (!mark)
      return this.say("never-branches", {
        branches: this.list.format(cut.map((node) => this.label(node))),
        count,
      });
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
