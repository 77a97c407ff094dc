/* A sheet of paper: trees with empty boxes to write in, or solved. */

function worksheet(lang, lessons, seeds, solved) {
  const t = (key, values) => Say.tell(lang, `page.sheet-${key}`, values);
  const head = solved ? [html("p", "", {}, t("solutions"))] : [html("p", "blanks", {}, html("span", "", {}, t("name")), html("span", "", {}, t("date"))), html("p", "", {}, t("task"))];
  const trees = lessons.map((lesson, i) => html("div", "exercise", {}, html("h3", "", {}, `${i + 1}`), treeOnPaper(lang, lesson, solved)));
  const address = location.pathname.split("/").at(-1) + writeAddress({ practice: seeds[0], section: "practice", lang });
  return html("section", "worksheet", {}, html("h2", "", {}, t("title")), ...head, ...trees, html("p", "source", {}, t("source", { seeds: seeds.join(", "), address })));
}

function treeOnPaper(lang, { outline, walk, options }, solved) {
  const labels = new Labels(lang, { outline, walk, options });
  const number = (id, value) => labels.say.score(value, id);
  const drawing = new Drawing(outline, walk.children, { labels: { values: [], windows: [] }, levels: labels.levels(), family: "sans-serif", number: (id) => number(id, outline.nodes[id].value ?? 0) });
  const { state } = replay(outline, walk, solved ? walk.steps.length - 1 : 0);
  for (const [id, { item, edge }] of drawing.shapes.entries()) {
    const { parent, value } = outline.nodes[id];
    const { is } = solved ? state[id] : { is: "new" };
    item.setAttribute("class", `node ${is}${value === null ? " box" : ""}`);
    edge?.setAttribute("class", `edge ${is}${is === "cut" && state[parent].is !== "cut" ? " severed" : ""}`);
    if (value === null && is === "done") item.append(svg("text", { class: "number", y: 6 }, number(id, state[id].value)));
  }
  return html("div", "figure compact paper", {}, drawing.fill(html("div", "sheet")));
}
