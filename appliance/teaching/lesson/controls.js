/* The controls of a figure: a button for each way to step, a slider, and the size of the tree. */

class Controls {
  /** @param {string[]} kinds @param {boolean} compact */
  constructor(kinds, compact) {
    const buttons = kinds.map((kind) => html("button", kind, { type: "button", word: kind }));
    /** @type {Record<string, HTMLElement | undefined>} */
    this.buttons = Object.fromEntries(kinds.map((kind, i) => [kind, buttons[i]]));
    this.slider = html("input", "slider", { type: "range", min: 0, step: 1, name: "slider" });
    this.progress = html("span", "progress");
    const parts = [...buttons, this.slider, this.progress];
    this.host = html("div", "controls", { role: "group", name: "steps" }, ...parts);
    if (!compact) this.host.append(this.sizes());
  }

  sizes() {
    /** @type {(kind: string, sign: string) => HTMLElement} */
    const zoom = (kind, sign) => html("button", kind, { type: "button", name: kind }, sign);
    const fit = html("button", "fit", { type: "button", word: "fit" });
    const parts = [zoom("smaller", "−"), fit, zoom("larger", "+")];
    return html("div", "zoom", { role: "group", name: "size" }, ...parts);
  }

  /** Show at which step a figure is. Not `disabled`, which would take the focus from a button that has it.
      @type {(figure: Figure) => void} */
  render({ at, end, last, nextCut, labels }) {
    const [begun, over] = [at > 0, at >= end];
    const idle = { first: !begun, back: !begun, step: over, end: over, play: over, cut: nextCut < 0 };
    for (const [kind, is] of Object.entries(idle)) this.buttons[kind]?.setAttribute("aria-disabled", `${is}`);
    const progress = labels.progress(at, last);
    setAttributes(this.slider, { max: last, "aria-valuetext": progress });
    this.slider.value = `${at}`;
    this.progress.textContent = progress;
  }

  /** Say on the button whether it plays. @type {(plays: boolean, text: string) => void} */
  sounds(plays, text) {
    const { play } = this.buttons;
    play?.setAttribute("aria-pressed", `${plays}`);
    play?.replaceChildren(text);
  }
}
