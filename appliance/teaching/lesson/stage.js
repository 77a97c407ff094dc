/* Where a figure's tree is seen: its scale, what is scrolled into sight, and the room that a window or a turned phone
   leaves. Nothing is measured but when that room changes. */

const READABLE_SCALE = 0.72; // the least at which boards can be read
const READABLE_NUMBERS = 0.54; // numbers are larger
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Stage {
  constructor(compact) {
    Object.assign(this, { compact, drawing: null, node: 0, zoom: 0, view: null });
    this.sheet = html("div", "sheet");
    this.tree = html("div", "tree", {}, this.sheet);
    this.host = html("div", "stage", {}, this.tree);
    new ResizeObserver(() => this.measure()).observe(this.host);
  }

  /** Show this drawing. */
  show(drawing) {
    Object.assign(this, { drawing, node: 0 });
    drawing.fill(this.sheet);
    this.resize();
  }

  /** Take the new size of the stage: of a window, or of a turned phone. */
  measure() {
    const { width, height } = this.host.getBoundingClientRect();
    if (this.view?.width === width && (this.compact || this.view.height === height)) return;
    this.view = { width, height };
    if (this.drawing) this.resize();
  }

  /** The scale at which the whole tree is seen, if its boards can be read then. */
  get fitting() {
    const { margin, width, height } = this.drawing;
    return Math.max(READABLE_SCALE, Math.min(this.view.width / (margin + width), this.view.height / height));
  }

  get usual() {
    const { margin, width, height } = this.drawing;
    const least = this.drawing.outline.columns ? READABLE_SCALE : READABLE_NUMBERS;
    if (this.compact) return Math.max(least, Math.min(this.view.width / (margin + width), 1.1));
    const large = this.view.width >= 1000 ? 1.15 : 1;
    const high = this.view.height / height; // a tree that is too wide at least fills the height
    return Math.max(0.92 * large, Math.min(this.view.width / (margin + width), high, 1.7 * large), Math.min(high, 1.3 * large));
  }

  resize() {
    if (!this.view) return this.measure();
    const { root, names, margin, width, height } = this.drawing;
    this.scale = this.zoom || this.usual;
    for (const [part, wide] of [[names, margin], [root, width]]) {
      part.setAttribute("width", Math.floor(wide * this.scale));
      part.setAttribute("height", Math.floor(height * this.scale));
    }
    this.sheet.style.setProperty("--scale", this.scale);
    this.tree.style.scrollPaddingLeft = `${margin * this.scale + 8}px`; // a focused node is not behind the levels' names
    this.reveal(false);
  }

  enlarge(scale) {
    this.zoom = scale;
    this.resize();
  }

  /** Scroll the current node into the middle of what the names of the levels leave. */
  reveal(smooth = true) {
    if (!this.view || this.node < 0) return;
    const { place, margin } = this.drawing;
    const { x, y } = place[this.node];
    this.tree.scrollTo({
      left: x * this.scale - (this.view.width - margin * this.scale) / 2,
      top: y * this.scale - this.view.height / 2,
      behavior: smooth && !calm.matches ? "smooth" : "instant",
    });
  }
}
