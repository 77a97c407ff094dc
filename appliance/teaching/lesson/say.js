/* What a lesson says, in one language: scores, names of branches, and for each step a sentence with the reason.
   The texts are whole sentences with places for names and scores, which no language inflects. Scores are passed in
   for Max; negamax shows them for the side to move. */

const SIGNS = { exact: "", upper: "≤\u00a0", lower: "≥\u00a0" }; // a label is never folded there
const FLIPPED = { exact: "exact", upper: "lower", lower: "upper" };

/** An upper-case letter starts a sentence, except for the marks x and o. */
const capital = (text) => (/^[xo]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

class Say {
  constructor(lang, { outline, walk = null, options = {} }) {
    Object.assign(this, { lang, outline, walk, options, nodes: outline.nodes });
    this.negamax = options.algorithm === "negamax";
    this.plain = options.algorithm === "minimax";
    this.signed = new Intl.NumberFormat(lang, { signDisplay: outline.rule ? "exceptZero" : "auto" });
    // British English has no comma before the last "and".
    this.list = new Intl.ListFormat(lang === "en" ? "en-GB" : lang);
  }

  /** A text of the page, "group.key": `values.count` chooses among plural forms. What is missing is an error. */
  static tell(lang, key, values = {}) {
    Say.words ??= JSON.parse(document.getElementById("words").textContent);
    const { languages, texts } = Say.words;
    const found = key.split(".").reduce((words, name) => words?.[name], texts)?.[languages.indexOf(lang)];
    const text = typeof found === "object" ? found[new Intl.PluralRules(lang).select(values.count)] : found;
    if (text === undefined) throw new Error(`${lang} has no text for ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name) => {
      if (values[name] === undefined) throw new Error(`${key} in ${lang} lacks ${name}`);
      return typeof values[name] === "number" ? new Intl.NumberFormat(lang).format(values[name]) : values[name];
    });
  }

  t(key, values) {
    return Say.tell(this.lang, key, values);
  }

  /** One sentence of this group. */
  say(key, values) {
    return capital(this.t(`say.${key}`, values));
  }

  /* ---- Names and scores ---- */

  mover(node) {
    return this.outline.players[this.nodes[node].ply % 2];
  }

  other(node) {
    return this.outline.players[1 - (this.nodes[node].ply % 2)];
  }

  /** A score with the sign shown at `node`; of a shown one, the score for Max. */
  seen(score, node) {
    return this.negamax && this.nodes[node].ply % 2 ? 0 - score : score;
  }

  /** A score at `node`: "win in 3", "draw", "+4"; distances count from the root. In a sentence: "a win in 3". */
  score(score, node, kinds = ["win", "loss", "draw"]) {
    const shown = this.seen(score, node);
    const [win, loss, draw] = kinds.map((kind) => `say.${kind}`);
    if (Math.abs(shown) > WIN) return shown > 0 ? "+∞" : "−∞";
    if (Math.abs(shown) >= PROVEN) return this.t(shown > 0 ? win : loss, { moves: WIN - Math.abs(shown) - this.outline.start });
    if (!shown && this.outline.rule && !this.outline.guessed) return this.t(draw);
    return this.signed.format(shown).replace("-", "−");
  }

  told(score, node) {
    return this.score(score, node, ["aWin", "aLoss", "aDraw"]);
  }

  bound(value, bound, node) {
    return SIGNS[this.way(bound, node)] + this.score(value, node);
  }

  /** The same in a sentence: "at most a draw". */
  phrase(value, bound, node) {
    return this.t(`say.${this.way(bound, node)}`, { value: this.told(value, node) });
  }

  way(bound, node) {
    return this.seen(1, node) > 0 ? bound : FLIPPED[bound];
  }

  /** Alpha and beta as `node` shows them. */
  window(alpha, beta, node) {
    const ends = this.seen(1, node) > 0 ? [alpha, beta] : [beta, alpha];
    return ends.map((end) => this.score(end, node));
  }

  ends({ alpha, beta }, node) {
    const [low, high] = this.seen(1, node) > 0 ? [alpha, beta] : [beta, alpha];
    return { low: this.told(low, node), high: this.told(high, node) };
  }

  /** Whether the side to move takes the highest value, and so raises alpha. */
  raises(node) {
    return this.negamax || this.nodes[node].ply % 2 === 0;
  }

  /** The branch that leads to `node`: "x 5", "branch 1.2", "the leaf 8". */
  label(node) {
    const { mark, move, moves, reason, value } = this.nodes[node];
    if (!moves.length) return this.t("say.root");
    if (mark) return `${mark} ${move + 1}`;
    if (reason === "number") return this.t("say.leaf", { value: this.score(value, node) });
    return this.path(node);
  }

  /** All branches from the root. */
  path(node) {
    const { moves } = this.nodes[node];
    if (!moves.length) return this.t("say.root");
    if (!this.outline.rule) return this.t("say.branch", { branch: moves.map((move) => move + 1).join(".") });
    return moves.map((move, ply) => `${this.outline.players[ply % 2]} ${move + 1}`).join(", ");
  }

  /** The name of a level: who is to move there, and what that side takes. */
  levels(ply) {
    const player = this.outline.players[ply % 2];
    const side = ply % 2 ? "▽ Min" : "△ Max";
    if (this.negamax) return this.t("say.level", { player });
    return this.outline.rule ? `${player}: ${side}` : side;
  }

  /** What is known about a node, for those who hear the tree. */
  state(node, { is, hand = false, value = null, bound = "exact" }) {
    const known = value === null ? "" : this.phrase(value, bound, node);
    const text = this.t(`say.state-${is}`, { value: known });
    return hand ? this.t("say.state-hand", { state: text }) : text;
  }

  /* ---- Steps ---- */

  /** What happens at a step, and why. */
  step(step) {
    return this[`tell_${step.kind}`](step).filter((sentence) => sentence).join(" ");
  }

  tell_enter({ node, value, ...window }) {
    if (value !== null) return this.leaf(node, value, window);
    const mover = this.mover(node);
    const turn = this.say(this.negamax ? "turn-self" : this.raises(node) ? "turn-max" : "turn-min", { mover });
    return [this.arrival(node), turn, this.plain ? "" : this.entered(node, window)];
  }

  entered(node, window) {
    if (!node) return this.say("window-open", this.ends(window, node));
    return this.say(this.negamax ? "window-negated" : "window-above", this.ends(window, node));
  }

  arrival(node) {
    const { parent, mark, move } = this.nodes[node];
    if (parent < 0) return this.say("begins");
    return mark ? this.say("plays", { mark, move: move + 1 }) : this.say("next", { branch: this.label(node) });
  }

  leaf(node, value, window) {
    const one = this.nodes[node];
    const eyes = { value: this.told(one.value, node), player: this.negamax ? this.mover(node) : this.outline.players[0] };
    const worth = this.say(this.negamax ? "worth-self" : "worth", eyes);
    const clamped = value === one.value ? "" : this.clamped(node, value, window);
    if (one.reason === "number") return [this.arrival(node), worth, clamped];
    if (one.reason === "drawn") return [this.arrival(node), this.say(this.outline.rule === "vanishing" ? "drawn-repeated" : "drawn-full"), clamped];
    if (one.reason === "won") return [this.arrival(node), this.say(this.outline.rule === "misere" ? "line-loses" : "line-wins", { mark: one.mark }), worth, clamped];
    return [this.arrival(node), this.say("guess"), this.guess(one.value), worth, clamped];
  }

  /** Fail-hard returns no value outside the window. */
  clamped(node, value, window) {
    return this.say("clamped", { ...this.ends(window, node), value: this.told(value, node) });
  }

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

  /** A value from the table. */
  tell_known({ node, value, bound, from, ...window }) {
    const returned = this.walk.steps.find(({ kind, child }) => kind === "back" && child === from);
    const values = { path: this.path(from), value: this.told(value, node), ...this.ends(window, node) };
    const clamped = returned && returned.value !== value ? this.clamped(node, value, window) : "";
    return [this.arrival(node), this.say(`known-${this.way(bound, node)}`, values), clamped];
  }

  tell_back(step) {
    return [...this.news(step), step.complete ? this.complete(step) : ""];
  }

  news({ node, child, value, bound, best, change, ...window }) {
    const [mover, other] = [this.mover(node), this.other(node)];
    const values = { mover, other, best: this.told(best, node), ...this.ends(window, node) };
    const lead = this.returned(node, child, value, bound);
    if (change === "nothing") return [lead, this.say(this.raises(node) ? "keeps-max" : "keeps-min", values)];
    const kind = this.plain ? "first" : change;
    return [lead, this.say(`${kind}-${this.raises(node) ? "max" : "min"}`, values)];
  }

  /** What a branch returns; of a leaf that has just said so, only what negamax makes of it. */
  returned(node, child, value, bound, always = false) {
    const values = { branch: this.label(child), value: this.phrase(value, bound, node), mover: this.mover(node) };
    if (this.negamax) return this.say("returns-negated", { ...values, returned: this.phrase(value, bound, child) });
    return always || this.nodes[child].value === null ? this.say("returns", values) : "";
  }

  complete({ node, best }) {
    if (!node) return this.say("complete-root");
    return this.say("complete", { value: this.phrase(best, this.boundAt(node, best), node) });
  }

  boundAt(node, value) {
    return boundOf(value, this.walk.steps.find((step) => step.kind === "enter" && step.node === node));
  }

  tell_cut(step) {
    return [this.reason(step), this.never(step.cut)];
  }

  /** Why the rest is cut: what the mover can reach here, and the other side elsewhere. */
  reason({ node, best, alpha, beta, alphaFrom, betaFrom }) {
    const maximizing = this.nodes[node].ply % 2 === 0;
    const [held, from] = maximizing ? [beta, betaFrom] : [alpha, alphaFrom];
    const values = { mover: this.mover(node), other: this.other(node), here: this.told(best, node), there: this.told(held, node) };
    const kind = `${this.raises(node) ? "reach" : "hold"}-${best === held ? "same" : "other"}`;
    return this.say(kind, { ...values, elsewhere: this.elsewhere(node, from) });
  }

  /** Where a bound was secured: another move of an ancestor. */
  elsewhere(node, from) {
    if (!this.outline.rule) return this.t("say.elsewhere", { branch: this.path(from) });
    const { ply, move } = this.nodes[from];
    const count = this.nodes[node].ply - ply + 1;
    return this.t(count === 1 ? "say.instead" : "say.earlier", { move: move + 1, count });
  }

  never(cut) {
    const count = cut.length;
    const { mark } = this.nodes[cut[0]];
    if (!mark) return this.say("never-branches", { branches: this.list.format(cut.map((node) => this.label(node))), count });
    return this.say("never-moves", { mark, moves: this.list.format(cut.map((node) => `${this.nodes[node].move + 1}`)), count });
  }

  tell_done({ value, child }) {
    const [player] = this.outline.players;
    const { mark, move } = this.nodes[child];
    const values = { player, value: this.told(value, 0), move: move + 1, branch: this.path(child) };
    return [this.say("over"), this.say(mark ? "result-move" : "result-branch", values), this.visits()];
  }

  visits() {
    const [seen, count] = [this.walk.visited, this.nodes.length];
    return this.say(seen < count ? "visited" : "visited-all", { seen, count });
  }

  /* ---- Exercises ---- */

  /** What an exercise asks: which branches are cut next. */
  question({ before, node, child }) {
    const { value, bound } = this.walk.steps[before];
    const earlier = this.walk.steps.slice(0, before).findLast((step) => step.node === node);
    const values = { mover: this.mover(node), path: this.path(node), ...this.ends(earlier, node) };
    return `${this.returned(node, child, value, bound, true)} ${this.say("ask-parent", values)} ${this.say("ask-cut")}`;
  }

  /** Whether an answer is right, and why the right one is. */
  judge({ node, then, answer }, given) {
    const step = this.walk.steps[then];
    const right = given.length === answer.length && answer.every((id) => given.includes(id));
    const why = answer.length ? this.shut(step) : this.say("why-open", this.ends(step, node));
    return { right, text: `${this.say(right ? "right" : "wrong")} ${why}` };
  }

  /** Why a window is shut, and what is cut then. */
  shut(step) {
    return `${this.say("why-cut", this.ends(step, step.node))} ${this.step(step)}`;
  }
}
