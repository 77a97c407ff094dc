/* A sheet of paper: trees with empty boxes to write in, or solved. */

function worksheet(lang, lessons, seeds, solved, windows) {
  const t = (key, values) => Say.tell(lang, `page.sheet-${key}`, values);
  const head = solved ? [html("p", "", {}, t("solutions"))] : [html("p", "blanks", {}, html("span", "", {}, t("name")), html("span", "", {}, t("date"))), html("p", "", {}, [t("task"), windows ? t("windows") : ""].join(" "))];
  const trees = lessons.map((lesson, i) => html("div", "exercise", {}, html("h3", "", {}, `${i + 1}`), treeOnPaper(lang, lesson, solved, windows)));
  const address = location.pathname.split("/").at(-1) + writeAddress({ practice: seeds[0], windows, section: "practice", lang });
  return html("section", "worksheet", {}, html("h2", "", {}, t("title")), ...head, ...trees, html("p", "source", {}, t("source", { seeds: seeds.join(", "), address })));
}

function treeOnPaper(lang, { outline, walk, options }, solved, windows) {
  const labels = new Labels(lang, { outline, walk, options });
  const number = (id, value) => labels.say.score(value, id);
  const lines = ENDS.map((end) => `${GREEK[end]} _______`);
  const drawing = new Drawing(outline, walk.children, { labels: { values: [], windows: windows ? lines.map((line) => `${line}___`) : [] }, levels: labels.levels(), family: "sans-serif", number: (id) => number(id, outline.nodes[id].value ?? 0) });
  const { state } = replay(outline, walk, solved ? walk.steps.length - 1 : 0);
  for (const [id, { item, edge }] of drawing.shapes.entries()) {
    const { parent, value } = outline.nodes[id];
    const { is } = solved ? state[id] : { is: "new" };
    item.setAttribute("class", `node ${is}${value === null ? " box" : ""}`);
    edge?.setAttribute("class", `edge ${is}${is === "cut" && state[parent].is !== "cut" ? " severed" : ""}`);
    if (value === null && is === "done") item.append(svg("text", { class: "number", y: 6 }, number(id, state[id].value)));
    if (!windows || value !== null || is === "cut") continue;
    const entered = walk.steps.find((step) => step.kind === "enter" && step.node === id);
    const text = drawing.window(id, solved || !id ? labels.window(id, entered) : lines);
    for (const [i, line] of [...text.children].entries()) line.setAttribute("y", drawing.place[id].y + (i ? 22 : -8)); // room to write
  }
  return html("div", "figure compact paper", {}, drawing.fill(html("div", "sheet")));
}
