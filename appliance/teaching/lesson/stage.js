/* Where a figure's tree is seen: its scale, what is scrolled into sight, and the room that a window or a
   turned phone leaves. Nothing is measured but when that room changes. */

const READABLE_SCALE = 0.72; // the least at which boards can be read
const READABLE_NUMBERS = 0.54; // numbers are larger
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Stage {
  /** @param {boolean} compact */
  constructor(compact) {
    this.compact = compact;
    /** @type {Drawing | null} */
    this.drawing = null;
    this.node = 0;
    this.zoom = 0;
    this.scale = 1;
    /** @type {{ width: number, height: number } | null} */
    this.view = null; // its size
    this.sheet = html("div", "sheet");
    this.tree = html("div", "tree", {}, this.sheet);
    this.host = html("div", "stage", {}, this.tree);
    new ResizeObserver(() => this.measure()).observe(this.host);
  }

  /** Show this drawing. @type {(drawing: Drawing) => void} */
  show(drawing) {
    this.drawing = drawing;
    this.node = 0;
    drawing.fill(this.sheet);
    this.resize();
  }

  /** Take the new size of the stage: of a window, or of a turned phone. @type {() => void} */
  measure() {
    const { width, height } = this.host.getBoundingClientRect();
    if (this.view?.width === width && (this.compact || this.view.height === height)) return;
    this.view = { width, height };
    if (this.drawing) this.resize();
  }

  /** The scale at which the whole tree is seen, if its boards can be read then. */
  get fitting() {
    const { margin, width, height } = present(this.drawing);
    const view = present(this.view);
    return Math.max(READABLE_SCALE, Math.min(view.width / (margin + width), view.height / height));
  }

  get usual() {
    const { margin, width, height, outline } = present(this.drawing);
    const view = present(this.view);
    const wide = view.width / (margin + width);
    const high = view.height / height; // a tree that is too wide at least fills the height
    if (this.compact) {
      return Math.max(outline.columns ? READABLE_SCALE : READABLE_NUMBERS, Math.min(wide, 1.1));
    }
    const large = view.width >= 1000 ? 1.15 : 1;
    return Math.max(0.92 * large, Math.min(wide, high, 1.7 * large), Math.min(high, 1.3 * large));
  }

  /** @type {() => void} */
  resize() {
    if (!this.view || !this.drawing) return this.measure();
    const { root, names, margin, width, height } = this.drawing;
    this.scale = this.zoom || this.usual;
    setAttributes(names, { width: Math.floor(margin * this.scale), height: Math.floor(height * this.scale) });
    setAttributes(root, { width: Math.floor(width * this.scale), height: Math.floor(height * this.scale) });
    this.sheet.style.setProperty("--scale", `${this.scale}`);
    // A focused node must not be behind the levels' names.
    this.tree.style.scrollPaddingLeft = `${margin * this.scale + 8}px`;
    this.reveal(false);
  }

  /** @type {(scale: number) => void} */
  enlarge(scale) {
    this.zoom = scale;
    this.resize();
  }

  /** Scroll the current node into the middle of what the names of the levels leave. */
  reveal(smooth = true) {
    if (!this.view || !this.drawing || this.node < 0) return;
    const { place, margin } = this.drawing;
    const { x, y } = place[this.node];
    this.tree.scrollTo({
      left: x * this.scale - (this.view.width - margin * this.scale) / 2,
      top: y * this.scale - this.view.height / 2,
      behavior: smooth && !calm.matches ? "smooth" : "instant",
    });
  }
}
