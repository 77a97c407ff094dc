/* What is named in a lesson, in one language: scores, branches, positions. Scores are passed in for Max;
   negamax shows them for the side to move. */

/** @type {Record<Bound, string>} */
const SIGNS = { exact: "", upper: "≤\u00a0", lower: "≥\u00a0" }; // a label is never folded there
/** @type {Record<Bound, Bound>} */
const FLIPPED = { exact: "exact", upper: "lower", lower: "upper" };

/** An upper-case letter starts a sentence, except for the marks x and o. @type {(text: string) => string} */
const capital = (text) => (/^[xo]\b/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

class Names {
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
    return (Names.known ??= JSON.parse(present(document.getElementById("words")?.textContent)));
  }

  /** A text of the page, "group.key": `values.count` chooses among plural forms. What is missing is an error.
      @type {(lang: string, key: string, values?: Values) => string} */
  static tell(lang, key, values = {}) {
    const { languages, texts } = Names.words;
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
    return Names.tell(this.lang, key, values);
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
    if (Math.abs(shown) >= PROVEN) {
      return this.t(shown > 0 ? win : loss, { moves: WIN - Math.abs(shown) - this.outline.start });
    }
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
}
