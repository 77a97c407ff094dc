/* A sheet of paper: trees with empty boxes to write in, or solved. */

/** @param {string} lang @param {Searched[]} lessons @param {number[]} seeds
    @param {boolean} solved @param {boolean} windows */
function worksheet(lang, lessons, seeds, solved, windows) {
  /** @type {(key: string, values?: Values) => string} */
  const t = (key, values) => Say.tell(lang, `page.sheet-${key}`, values);
  const blanks = ["name", "date"].map((key) => html("span", "", {}, t(key)));
  const task = [t("task"), windows ? t("windows") : ""].join(" ");
  const head = solved
    ? [html("p", "", {}, t("solutions"))]
    : [html("p", "blanks", {}, ...blanks), html("p", "", {}, task)];
  const trees = lessons.map((lesson, i) => {
    const title = html("h3", "", {}, `${i + 1}`);
    return html("div", "exercise", {}, title, treeOnPaper(lang, lesson, solved, windows));
  });
  const file = location.pathname.split("/").at(-1);
  const address = file + writeAddress({ practice: seeds[0], windows, section: "practice", lang });
  const source = html("p", "source", {}, t("source", { seeds: seeds.join(", "), address }));
  return html("section", "worksheet", {}, html("h2", "", {}, t("title")), ...head, ...trees, source);
}

/** @type {(lang: string, lesson: Searched, solved: boolean, windows: boolean) => HTMLElement} */
function treeOnPaper(lang, lesson, solved, windows) {
  const { outline, walk } = lesson;
  const labels = new Labels(lang, lesson);
  /** @type {(id: number, value: number | null) => string} */
  const number = (id, value) => labels.say.score(value ?? 0, id);
  const lines = ENDS.map((end) => `${GREEK[end]} _______`);
  const drawing = new Drawing(outline, walk.children, {
    labels: { values: [], windows: windows ? lines.map((line) => `${line}___`) : [] },
    levels: labels.levels(),
    family: "sans-serif",
    number: (id) => number(id, outline.nodes[id].value),
  });
  const { state } = replay(outline, walk, solved ? walk.steps.length - 1 : 0);
  for (const [id, { item, edge }] of drawing.shapes.entries()) {
    const { parent, value } = outline.nodes[id];
    const { is } = solved ? state[id] : UNSEEN;
    item.setAttribute("class", `node ${is}${value === null ? " box" : ""}`);
    edge?.setAttribute("class", `edge ${is}${is === "cut" && state[parent].is !== "cut" ? " severed" : ""}`);
    if (value === null && is === "done") {
      item.append(svg("text", { class: "number", y: 6 }, number(id, state[id].value)));
    }
    if (!windows || value !== null || is === "cut") continue;
    const entered = walk.steps.find((step) => step.kind === "enter" && step.node === id);
    const text = drawing.window(id, solved || !id ? labels.window(id, present(entered)) : lines);
    const { y } = drawing.place[id];
    // Room to write.
    for (const [i, line] of [...text.children].entries()) line.setAttribute("y", `${y + (i ? 22 : -8)}`);
  }
  return html("div", "figure compact paper", {}, drawing.fill(html("div", "sheet")));
}
