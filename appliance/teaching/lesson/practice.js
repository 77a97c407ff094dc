/* The section with a tree of one's own to fill in, another for each seed; and the same trees on paper. */

class Practice {
  /** `changed` is called whenever another tree is shown. @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.lang = "en";
    this.seed = 0;
    this.windows = false;
    /** @type {(kind: string, action: () => void) => HTMLElement} */
    const button = (kind, action) => {
      const element = html("button", kind, { type: "button", "data-text": `page.practice-${kind}` });
      element.addEventListener("click", action);
      return element;
    };
    this.ways = button("windows", () => this.show(this.seed, !this.windows));
    const another = button("another", () => this.show(this.seed + 1));
    const paper = button("paper", () => this.print());
    const buttons = html("div", "compared trees", {}, this.ways, another, paper);
    const place = html("div");
    const texts = [1, 2, 3].map((number) => html("p", "", { "data-text": `page.practice-${number}` }));
    const parts = [titleOf("practice"), html("div", "text", {}, ...texts), buttons, place];
    this.host = html("section", "narrow", { id: "practice", "aria-labelledby": "practice-title" }, ...parts);
    const controls = CONTROLS.filter((kind) => kind !== "play");
    this.figure = new Figure(place, { compact: true, code: true, controls });
    this.fill = new FillIn(this.figure);
  }

  /** Show the tree of a seed, to fill in values, or windows.
      @type {(seed: number, windows?: boolean) => void} */
  show(seed, windows = this.windows) {
    if (seed === this.seed && windows === this.windows) return;
    this.seed = seed;
    this.windows = windows;
    this.ways.setAttribute("aria-pressed", `${windows}`);
    this.fill.show(this.lessonAt(seed), windows);
    this.changed();
  }

  /** @type {(seed: number) => Filled} */
  lessonAt(seed) {
    const subject = practiceTree(seed);
    return { subject, ...lessonOf(subject, { algorithm: "alpha-beta" }) };
  }

  /** @type {(lang: string) => void} */
  speak(lang) {
    this.lang = this.figure.lang = lang;
    if (this.seed) this.fill.speak(lang);
    else this.show(1);
    localise(this.host, lang);
  }

  /** Print this tree and the next two: a sheet to fill in, and one with the solutions. */
  print() {
    const seeds = [0, 1, 2].map((more) => this.seed + more);
    const lessons = seeds.map((seed) => this.lessonAt(seed));
    const sheets = [false, true].map((solved) => worksheet(this.lang, lessons, seeds, solved, this.windows));
    document.body.append(...sheets);
    document.body.classList.add("on-paper");
    addEventListener("afterprint", () => {
      document.body.classList.remove("on-paper");
      for (const sheet of sheets) sheet.remove();
    }, { once: true });
    print();
  }
}
