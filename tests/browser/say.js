/* Bare words, so that a figure is tested apart from the languages of the lesson; in German, long ones. */
class Say {
  constructor(lang, { outline }) {
    this.outline = outline;
    this.kinds = lang === "de" ? ["sehr sicherer Gewinn in", "Niederlage in", "unentschieden"] : ["win in", "loss in", "draw"];
    this.words = JSON.parse(document.getElementById("words").textContent).en;
  }

  t(key, values) {
    const text = key.split(".").reduce((words, name) => words[name], this.words);
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  mover(id) {
    return this.outline.players[this.outline.nodes[id].ply % 2];
  }

  score(score, id) {
    const [win, loss, draw] = this.kinds;
    if (Math.abs(score) > WIN) return score > 0 ? "+∞" : "−∞";
    if (Math.abs(score) >= PROVEN) return `${score > 0 ? win : loss} ${WIN - Math.abs(score) - this.outline.start}`;
    return score || !this.outline.rule ? String(score).replace("-", "−") : draw;
  }

  bound(value, bound, id) {
    return { exact: "", upper: "≤ ", lower: "≥ " }[bound] + this.score(value, id);
  }

  window(alpha, beta, id) {
    return [this.score(alpha, id), this.score(beta, id)];
  }

  path(id) {
    const { moves } = this.outline.nodes[id];
    return moves.length ? moves.map((move) => move + 1).join(", ") : "the root";
  }

  step({ kind, node }) {
    return `${kind} at ${this.path(node)}, for a reason that is told in a sentence of some length, as in the lesson.`;
  }

  state(id, { is, hand }) {
    return `${hand ? "current, " : ""}${is}`;
  }

  levels(ply) {
    const [player, side] = [this.outline.players[ply % 2], ply % 2 ? "▽ Min" : "△ Max"];
    return this.outline.columns ? `${player}: ${side}` : side;
  }
}
