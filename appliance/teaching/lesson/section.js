/* The sections that teach: each has a text, a small figure, and perhaps an exercise, or variants to compare. */

const GAME_TREE = 549_946; // positions of the whole tree of tic-tac-toe, as `tictactoe analyse` counts them
const [DISTINCT, MIRRORED] = [5_478, 765]; // those that differ; and those that differ even if turned or mirrored
const PLAYOUTS = 60;

const SECTIONS = [
  { id: "tree", subject: ".xo/ox./x.o", variants: [{ algorithm: "minimax" }] },
  { id: "minimax", subject: "((4,8),(6,3),(2,9))", variants: [{ algorithm: "minimax" }], asks: ["value"], paragraphs: 2 },
  { id: "cut", subject: "((5,6),(3,9),(7,4))", variants: [{ algorithm: "alpha-beta" }], asks: ["cut", "window"] },
  {
    id: "order",
    subject: "xo./x../ox.",
    broad: true,
    variants: ["written", "reversed", "best", "worst"].map((order) => ({ algorithm: "alpha-beta", order })),
    name: ({ order }) => [`page.order-${order}`],
    columns: ["visited", "saved", "value"],
  },
  {
    id: "depth",
    subject: "oxo/..x/..x",
    broad: true,
    variants: [1, 2, 3].map((depth) => ({ algorithm: "alpha-beta", depth })),
    name: ({ depth }) => ["page.moves", { count: depth }],
    columns: ["total", "chosen", "value"],
  },
  {
    id: "table",
    subject: "xo./o.x/.x.",
    broad: true,
    variants: [false, true].map((table) => ({ algorithm: "alpha-beta", table })),
    name: ({ table }) => [table ? "page.with" : "page.without"],
    columns: ["visited", "known", "value"],
  },
  { id: "montecarlo", subject: "o.x/x../.ox", broad: true, playouts: PLAYOUTS },
];

/** What a figure shows of this subject, with the depth that it has. Throw a Mistake if it is too large. */
function lessonOf(subject, options) {
  const outline = outlineOf(subject, options.depth);
  return { outline, options: { ...options, depth: outline.depth }, walk: walkOf(outline, options) };
}

/** A column of the variants' table. */
const COLUMNS = {
  visited: ({ walk }) => walk.visited,
  saved: ({ walk }) => walk.saved,
  total: ({ outline }) => outline.nodes.length,
  known: ({ walk }) => walk.steps.filter(({ kind }) => kind === "known").length,
  chosen: ({ walk }, say) => say.label(walk.steps.at(-1).child),
  value: ({ walk }, say) => say.score(walk.value, 0),
};

class Section {
  constructor({ paragraphs = 3, ...wanted }) {
    Object.assign(this, wanted, { subject: parseSubject(wanted.subject) });
    const texts = Array.from({ length: paragraphs }, (_, i) => html("p", "", { "data-text": `page.${this.id}-${i + 1}` }));
    const host = html("div");
    this.link = html("a", "change", { "data-text": "page.change" });
    this.table = html("table", "variants");
    const parts = [titleOf(this.id), html("div", "text", {}, ...texts), ...(this.name ? [this.table] : []), host, this.link];
    this.host = html("section", this.broad ? "broad" : "narrow", { id: this.id, "aria-labelledby": `${this.id}-title` }, ...parts);
    this.figure = new Figure(host, { compact: true, montecarlo: Boolean(this.playouts) });
    this.exercise = this.asks && new Exercise(this.figure, this.asks);
    this.lessons = this.playouts ? [this.sampled()] : this.variants.map((options) => lessonOf(this.subject, options));
  }

  sampled() {
    const outline = outlineOf(this.subject);
    return { outline, montecarlo: monteCarlo(outline, 1, this.playouts) };
  }

  /** Show one of the variants; what is asked about another one is over. */
  choose(at) {
    this.exercise?.stop();
    this.figure.show(this.lessons[at]);
    for (const [i, row] of [...this.table.querySelectorAll("tbody tr")].entries()) row.querySelector("button").setAttribute("aria-pressed", i === at);
    this.chosen = at;
    this.address();
  }

  /** The link that opens this subject in the figure where everything can be changed. */
  address() {
    const { options } = this.lessons[this.chosen];
    this.link.href = writeAddress({ subject: this.subject, options, section: "free", lang: this.lang });
  }

  speak(lang) {
    this.lang = lang;
    this.figure.lang = lang;
    this.chosen === undefined ? this.choose(0) : this.figure.speak(lang);
    translate(this.host, lang, this.values());
    this.exercise?.speak(lang);
    if (this.name) this.compare();
    this.address();
  }

  /** The numbers that the text names. */
  values() {
    const { outline, walk } = this.lessons[0];
    const cut = walk?.steps.find(({ kind }) => kind === "cut");
    const numbers = { count: outline.nodes.length, playouts: this.playouts, all: GAME_TREE, distinct: DISTINCT, mirrored: MIRRORED };
    return cut ? { ...numbers, alpha: cut.alpha, reply: cut.best } : numbers;
  }

  /** Fill the table of the variants: one can compare them, and choose one. */
  compare() {
    const { lang, lessons, columns } = this;
    const number = new Intl.NumberFormat(lang);
    const heads = [`page.${this.id}-variants`, ...columns.map((name) => (name === "chosen" ? "page.chosen" : `figure.${name}`))];
    const rows = lessons.map((lesson, at) => {
      const button = html("button", "", { type: "button", "aria-pressed": at === this.chosen }, Say.tell(lang, ...this.name(lesson.options)));
      button.addEventListener("click", () => this.choose(at));
      const cells = columns.map((name) => COLUMNS[name](lesson, new Say(lang, lesson)));
      return html("tr", "", {}, html("th", "", { scope: "row" }, button), ...cells.map((cell) => html("td", "", {}, typeof cell === "number" ? number.format(cell) : cell)));
    });
    const head = html("tr", "", {}, ...heads.map((key) => html("th", "", { scope: "col" }, Say.tell(lang, key))));
    this.table.replaceChildren(html("thead", "", {}, head), html("tbody", "", {}, ...rows));
  }
}

/** A section's heading; a link leads the focus here. */
const titleOf = (id) => html("h2", "", { id: `${id}-title`, tabindex: -1, "data-text": `page.${id}` });

/** Write every text below `root`: `data-text` and `data-label` are keys of words. */
function translate(root, lang, values) {
  for (const part of root.querySelectorAll("[data-text]")) part.textContent = Say.tell(lang, part.dataset.text, values);
  for (const part of root.querySelectorAll("[data-label]")) part.setAttribute("aria-label", Say.tell(lang, part.dataset.label, values));
}
