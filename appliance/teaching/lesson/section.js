/* The sections that teach: each has a text, a small figure, and perhaps variants to compare, an exercise, or
   a tree to fill in. */

const GAME_TREE = 549_946; // positions of the whole tree of tic-tac-toe, as `tictactoe analyse` counts them
const [DISTINCT, MIRRORED] = [5_478, 765]; // those that differ; even if turned or mirrored
const PLAYOUTS = 60;

/** @type {Wanted[]} */
const SECTIONS = [
  { id: "tree", subject: ".xo/ox./x.o", counted: false, variants: [{ algorithm: "minimax" }] },
  {
    id: "minimax",
    subject: "((4,8),(6,3),(2,9))",
    counted: false,
    code: true,
    fills: true,
    variants: [{ algorithm: "minimax" }],
    paragraphs: 2,
  },
  {
    id: "cut",
    code: true,
    asks: true,
    variants: [
      { kind: "leaf", tree: "((5,6),(3,9))" }, // Min cuts
      { kind: "high", tree: "(((5,2),(7,9)),3)" }, // Max cuts
      { kind: "subtree", tree: "((5,6),(3,(8,9)))" },
      { kind: "deep", tree: "(5,(((3,9),(6,7)),8))" }, // alpha comes from three levels above
    ],
    name: ({ kind }) => [`page.cut-${kind}`],
  },
  {
    id: "order",
    subject: "xo./x../ox.",
    broad: true,
    variants: ["written", "reversed", "best", "worst"].map((order) => ({ order })),
    name: ({ order }) => [`page.order-${order}`],
    columns: ["visited", "saved", "value"],
  },
  {
    id: "depth",
    subject: "oxo/..x/..x",
    broad: true,
    variants: [1, 2, 3].map((depth) => ({ depth })),
    name: ({ depth }) => ["page.moves", { count: present(depth) }],
    columns: ["total", "chosen", "value"],
  },
  {
    id: "table",
    subject: "xo./o.x/.x.",
    broad: true,
    variants: [false, true].map((table) => ({ table })),
    name: ({ table }) => [table ? "page.with" : "page.without"],
    columns: ["visited", "known", "value"],
  },
  { id: "montecarlo", subject: "o.x/x../.ox", broad: true, playouts: PLAYOUTS },
];

/** What a figure shows of this subject, with the depth that it has. Throw a Mistake if it is too large.
    @type {(subject: Subject, options: Options) => Searched} */
function lessonOf(subject, options) {
  const outline = outlineOf(subject, options.depth);
  return { outline, options: { ...options, depth: outline.depth }, walk: walkOf(outline, options) };
}

/** The columns of the variants' table: the key of the heading, and what a lesson has there.
    @type {Record<string, [string, (lesson: Searched, say: Say) => string | number]>} */
const COLUMNS = {
  visited: ["figure.visited", ({ walk }) => walk.visited],
  saved: ["figure.saved", ({ walk }) => walk.saved],
  total: ["figure.whole", ({ outline }) => outline.nodes.length],
  known: ["figure.known", ({ walk }) => walk.steps.filter(({ kind }) => kind === "known").length],
  chosen: ["page.chosen", ({ walk }, say) => say.label(present(walk.steps.at(-1)).child)],
  value: ["figure.value", ({ walk }, say) => say.score(walk.value, 0)],
};

class Section {
  /** @param {Wanted} wanted */
  constructor({ paragraphs = 3, counted = true, ...wanted }) {
    const { id, playouts = 0, variants = [] } = wanted;
    this.id = id;
    this.variants = variants;
    this.wanted = wanted;
    this.lang = "en";
    this.number = 1; // of the tree to fill in
    this.chosen = -1; // of the lessons
    this.changed = () => {}; // called whenever another tree is shown
    const texts = Array.from({ length: paragraphs }, (_, i) =>
      html("p", "", { "data-text": `page.${id}-${i + 1}` }),
    );
    const host = html("div");
    this.link = html("a", "change", { "data-text": "page.change" });
    this.table = html("table", "variants");
    const compared = wanted.name ? [html("div", "compared", {}, this.table)] : [];
    const parts = [titleOf(id), html("div", "text", {}, ...texts), ...compared, host, this.link];
    const classes = wanted.broad ? "broad" : "narrow";
    this.host = html("section", classes, { id, "aria-labelledby": `${id}-title` }, ...parts);
    this.figure = new Figure(host, { compact: true, montecarlo: playouts > 0, code: wanted.code });
    this.figure.host.classList.toggle("uncounted", !counted);
    this.exercise = wanted.asks ? new Exercise(this.figure) : null;
    this.fill = wanted.fills ? new FillIn(this.figure) : null;
    if (this.fill) {
      const button = html("button", "another", { type: "button", "data-text": "page.practice-another" });
      button.addEventListener("click", () => this.show(this.number + 1));
      host.before(html("div", "compared trees", {}, button));
    }
    /** @type {(Lesson & { subject: Subject })[]} */
    this.lessons = playouts ? [this.sampled(playouts)] : variants.map((one) => this.lessonIn(one));
  }

  /** A variant may have a tree of its own. @type {(variant: Variant, subject?: Subject) => Filled} */
  lessonIn({ tree, ...options }, subject = parseSubject(tree ?? `${this.wanted.subject}`)) {
    return { subject, ...lessonOf(subject, { algorithm: "alpha-beta", ...options }) };
  }

  /** @type {(playouts: number) => Sampled & { subject: Subject }} */
  sampled(playouts) {
    const subject = parseSubject(`${this.wanted.subject}`);
    const outline = outlineOf(subject);
    return { subject, outline, montecarlo: monteCarlo(outline, 1, playouts) };
  }

  /** Show another tree to fill in, by its number. @type {(number: number) => void} */
  show(number) {
    if (number === this.number) return;
    this.number = number;
    this.lessons = [this.lessonIn(this.variants[0], number > 1 ? minimaxTree(number) : undefined)];
    this.choose(0);
    this.changed();
  }

  /** Show one of the variants; what is asked about another one is over. @type {(at: number) => void} */
  choose(at) {
    const lesson = this.lessons[at];
    this.exercise?.stop();
    if (this.fill && lesson.walk) this.fill.show(lesson);
    else this.figure.show(lesson);
    for (const [i, button] of [...this.table.querySelectorAll("button")].entries()) {
      button.setAttribute("aria-pressed", `${i === at}`);
    }
    this.chosen = at;
    this.point();
  }

  /** Link to the figure where everything can be changed. */
  point() {
    const { subject, options } = this.lessons[this.chosen];
    this.link.href = writeAddress({ subject, options, section: "free", lang: this.lang });
  }

  /** @type {(lang: string) => void} */
  speak(lang) {
    this.lang = lang;
    this.figure.lang = lang;
    if (this.chosen < 0) this.choose(0);
    else (this.fill ?? this.figure).speak(lang);
    localise(this.host, lang, this.values());
    this.exercise?.speak(lang);
    const { name, columns } = this.wanted;
    if (name) this.compare(name, columns ?? []);
    this.point();
  }

  /** The numbers that the text names. */
  values() {
    const { outline, walk } = this.lessons[0];
    const cut = walk?.steps.find(({ kind }) => kind === "cut");
    const { playouts } = this.wanted;
    const numbers = {
      count: outline.nodes.length,
      playouts,
      all: GAME_TREE,
      distinct: DISTINCT,
      mirrored: MIRRORED,
    };
    return cut ? { ...numbers, alpha: cut.alpha, reply: present(cut.best) } : numbers;
  }

  /** Fill the table of the variants: one can compare them, and choose one.
      @type {(name: Naming, columns: string[]) => void} */
  compare(name, columns) {
    const { lang } = this;
    const number = new Intl.NumberFormat(lang);
    const heads = [`page.${this.id}-variants`, ...columns.map((column) => COLUMNS[column][0])];
    const rows = this.lessons.map((lesson, at) => {
      const pressed = { type: "button", "aria-pressed": at === this.chosen };
      const button = html("button", "", pressed, Say.tell(lang, ...name(this.variants[at])));
      button.addEventListener("click", () => this.choose(at));
      const say = new Say(lang, lesson);
      const cells = columns.map((column) => {
        const cell = lesson.walk ? COLUMNS[column][1](lesson, say) : "";
        return html("td", "", {}, typeof cell === "number" ? number.format(cell) : cell);
      });
      return html("tr", "", {}, html("th", "", { scope: "row" }, button), ...cells);
    });
    const named = heads.map((key) => html("th", "", { scope: "col" }, Say.tell(lang, key)));
    const head = html("tr", "", {}, ...named);
    this.table.replaceChildren(html("thead", "", {}, head), html("tbody", "", {}, ...rows));
  }
}

/** A section's heading; a link leads the focus here. @type {(id: string) => HTMLElement} */
const titleOf = (id) => html("h2", "", { id: `${id}-title`, tabindex: -1, "data-text": `page.${id}` });

/** Write every text below `root`: `data-text` and `data-label` are keys of words.
    @type {(root: HTMLElement, lang: string, values?: Values) => void} */
function localise(root, lang, values) {
  for (const part of partsOf(root, "[data-text]")) {
    part.textContent = Say.tell(lang, `${part.dataset.text}`, values);
  }
  for (const part of partsOf(root, "[data-label]")) {
    part.setAttribute("aria-label", Say.tell(lang, `${part.dataset.label}`, values));
  }
}
