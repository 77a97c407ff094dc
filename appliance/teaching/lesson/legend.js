/* The legend of a figure, drawn with the classes of the tree itself, so that the two cannot differ. */

/** The classes of each sign, and its word. */
const SIGNS_OF_SEARCH = [
  ["hand path", "Hand"], ["path", "Path"], ["done", "Done"],
  ["new", "New"], ["cut severed", "Cut"], ["known", "Known"],
];
const SIGNS_OF_PLAYOUTS = [["hand path", "Playout"], ["path", "Path"], ["done", "Sampled"], ["new", "New"]];

class Legend {
  constructor() {
    this.host = html("div", "legend");
  }

  /** @type {(scene: Scene) => void} */
  show({ lesson: { outline, montecarlo }, drawing, labels }) {
    const leaf = outline.nodes.findIndex(({ children }) => !children.length);
    /** @type {(classes: string) => SVGElement} */
    const sign = (classes) => {
      return this.sign(classes, pictureOf(outline, leaf, drawing.number(leaf)), drawing.size);
    };
    const entries = (montecarlo ? SIGNS_OF_PLAYOUTS : SIGNS_OF_SEARCH).map(([classes, word]) => {
      return html("p", classes.split(" ")[0], {}, sign(classes), labels.t(`legend${word}`));
    });
    this.host.replaceChildren(...entries);
  }

  /** @type {(classes: string, picture: SVGElement, size: Size) => SVGElement} */
  sign(classes, picture, { wide, high }) {
    const end = -wide / 2;
    const strike = svg("path", { class: "strike", d: `M${end - 24} 5l8 -10m-1 10l8 -10` });
    const line = svg("g", { class: `edge ${classes}` }, svg("path", { d: `M${end - 34} 0h30` }), strike);
    const box = `${end - 36} ${-high / 2 - 8} ${wide + 44} ${high + 16}`;
    const node = svg("g", { class: `node ${classes}` }, picture);
    return svg("svg", { viewBox: box, height: Math.min(high + 16, 60), "aria-hidden": "true" }, line, node);
  }
}
