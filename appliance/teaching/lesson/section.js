/* The sections that teach: each has a text, a small figure, and perhaps variants to compare, an exercise, or a tree to
   fill in. */

const GAME_TREE = 549_946; // positions of the whole tree of tic-tac-toe, as `tictactoe analyse` counts them
const [DISTINCT, MIRRORED] = [5_478, 765]; // those that differ; and those that differ even if turned or mirrored
const PLAYOUTS = 60;

const SECTIONS = [
  { id: "tree", subject: ".xo/ox./x.o", counted: false, variants: [{ algorithm: "minimax" }] },
  { id: "minimax", subject: "((4,8),(6,3),(2,9))", counted: false, code: true, fills: true, variants: [{ algorithm: "minimax" }], paragraphs: 2 },
  {
    id: "cut",
    code: true,
    asks: true,
    variants: [
      { kind: "leaf", tree: "((5,6),(3,9))" }, // Min cuts
      { kind: "high", tree: "(((5,2),(7,9)),3)" }, // Max cuts
      { kind: "subtree", tree: "((5,6),(3,(8,9)))" },
      { kind: "deep", tree: "(5,(((3,9),(6,7)),8))" }, // alpha comes from three levels above
    ].map((one) => ({ algorithm: "alpha-beta", ...one })),
    name: ({ kind }) => [`page.cut-${kind}`],
    columns: [],
  },
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

/** The columns of the variants' table: the key of the heading, and what a lesson has there. */
const COLUMNS = {
  visited: ["figure.visited", ({ walk }) => walk.visited],
  saved: ["figure.saved", ({ walk }) => walk.saved],
  total: ["figure.whole", ({ outline }) => outline.nodes.length],
  known: ["figure.known", ({ walk }) => walk.steps.filter(({ kind }) => kind === "known").length],
  chosen: ["page.chosen", ({ walk }, say) => say.label(walk.steps.at(-1).child)],
  value: ["figure.value", ({ walk }, say) => say.score(walk.value, 0)],
};

class Section {
  constructor({ paragraphs = 3, counted = true, ...wanted }) {
    Object.assign(this, wanted);
    const texts = Array.from({ length: paragraphs }, (_, i) => html("p", "", { "data-text": `page.${this.id}-${i + 1}` }));
    const host = html("div");
    this.link = html("a", "change", { "data-text": "page.change" });
    this.table = html("table", "variants");
    const compared = this.name ? [html("div", "compared", {}, this.table)] : [];
    const parts = [titleOf(this.id), html("div", "text", {}, ...texts), ...compared, host, this.link];
    this.host = html("section", this.broad ? "broad" : "narrow", { id: this.id, "aria-labelledby": `${this.id}-title` }, ...parts);
    this.figure = new Figure(host, { compact: true, montecarlo: Boolean(this.playouts), code: this.code });
    this.figure.host.classList.toggle("uncounted", !counted);
    this.exercise = this.asks && new Exercise(this.figure);
    this.fill = this.fills && new FillIn(this.figure);
    if (this.fills) {
      this.number = 1;
      const button = html("button", "another", { type: "button", "data-text": "page.practice-another" });
      button.addEventListener("click", () => this.show(this.number + 1));
      host.before(html("div", "compared trees", {}, button));
    }
    this.lessons = this.playouts ? [this.sampled()] : this.variants.map((options) => this.lessonIn(options));
  }

  /** A variant may have a tree of its own. */
  lessonIn({ tree, ...options }, subject = parseSubject(tree ?? this.subject)) {
    return { subject, ...lessonOf(subject, options) };
  }

  sampled() {
    const subject = parseSubject(this.subject);
    const outline = outlineOf(subject);
    return { subject, outline, montecarlo: monteCarlo(outline, 1, this.playouts) };
  }

  /** Show another tree to fill in, by its number. */
  show(number) {
    if (number === this.number) return;
    this.number = number;
    this.lessons = [this.lessonIn(this.variants[0], number > 1 ? minimaxTree(number) : undefined)];
    this.choose(0);
    this.changed();
  }

  /** Show one of the variants; what is asked about another one is over. */
  choose(at) {
    this.exercise?.stop();
    (this.fill ?? this.figure).show(this.lessons[at]);
    for (const [i, row] of [...this.table.querySelectorAll("tbody tr")].entries()) row.querySelector("button").setAttribute("aria-pressed", i === at);
    this.chosen = at;
    this.point();
  }

  /** Link to the figure where everything can be changed. */
  point() {
    const { subject, options } = this.lessons[this.chosen];
    this.link.href = writeAddress({ subject, options, section: "free", lang: this.lang });
  }

  speak(lang) {
    this.lang = lang;
    this.figure.lang = lang;
    this.chosen === undefined ? this.choose(0) : (this.fill ?? this.figure).speak(lang);
    localise(this.host, lang, this.values());
    this.exercise?.speak(lang);
    if (this.name) this.compare();
    this.point();
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
    const heads = [`page.${this.id}-variants`, ...columns.map((name) => COLUMNS[name][0])];
    const rows = lessons.map((lesson, at) => {
      const button = html("button", "", { type: "button", "aria-pressed": at === this.chosen }, Say.tell(lang, ...this.name(lesson.options)));
      button.addEventListener("click", () => this.choose(at));
      const cells = columns.map((name) => COLUMNS[name][1](lesson, new Say(lang, lesson)));
      return html("tr", "", {}, html("th", "", { scope: "row" }, button), ...cells.map((cell) => html("td", "", {}, typeof cell === "number" ? number.format(cell) : cell)));
    });
    const head = html("tr", "", {}, ...heads.map((key) => html("th", "", { scope: "col" }, Say.tell(lang, key))));
    this.table.replaceChildren(html("thead", "", {}, head), html("tbody", "", {}, ...rows));
  }
}

/** A section's heading; a link leads the focus here. */
const titleOf = (id) => html("h2", "", { id: `${id}-title`, tabindex: -1, "data-text": `page.${id}` });

/** Write every text below `root`: `data-text` and `data-label` are keys of words. */
function localise(root, lang, values) {
  for (const part of root.querySelectorAll("[data-text]")) part.textContent = Say.tell(lang, part.dataset.text, values);
  for (const part of root.querySelectorAll("[data-label]")) part.setAttribute("aria-label", Say.tell(lang, part.dataset.label, values));
}
