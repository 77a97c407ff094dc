/* Fields over a tree: one in each position that has branches, or two for its window, and a button on each
   branch, which strikes it. They are real fields over the drawing, so that keyboards, fingers and screen
   readers need nothing of their own. */

/** What a field says after an input: an infinity comes and goes as one.
    @type {(text: string, how: string) => string} */
const typed = (text, how) =>
  /^delete/.test(how) && /[−+∞]/.test(text) ? "" : text.replace(/^[−+]∞(?=.)/, "");

class Entries {
  /** `actions` are {write(key, text), strike(id), check()}. @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {End[]} */
    this.ends = [];
    /** @type {Map<FieldKey, HTMLInputElement>} */
    this.inputs = new Map();
    /** @type {Map<number, HTMLButtonElement>} */
    this.snips = new Map();
    this.host = html("div", "entries", { role: "group", "data-label": "page.fill-tree" });
    this.host.addEventListener("input", (event) => {
      const how = event instanceof InputEvent ? event.inputType : "";
      const { target } = event;
      if (target instanceof HTMLInputElement) actions.write(Entries.key(target), typed(target.value, how));
    });
    this.host.addEventListener("click", (event) => {
      const snip = targetOf(event, ".snip");
      if (snip) actions.strike(Number(snip.dataset.at));
    });
    this.host.addEventListener("keydown", (event) => this.press(event));
  }

  /** The key of a field: see keyOf. @type {(field: HTMLElement) => FieldKey} */
  static key({ dataset: { at, end } }) {
    return keyOf(Number(at), ENDS.find((one) => one === end));
  }

  /** Lay the fields over a drawing, in the order in which the search leaves the positions, or with the `ends`
      of windows, enters them: so Tab goes, too.
      @type {(figure: Figure, cuts: boolean, ends: End[]) => void} */
  draw({ drawing, stage }, cuts, ends) {
    const { place, children, size, outline } = drawing;
    this.drawing = drawing;
    this.ends = ends;
    this.inputs = new Map();
    this.snips = new Map();
    /** @type {(id: number, end?: End) => HTMLElement} */
    const blank = (id, end) => {
      const input = html("input", "", {
        inputmode: "numeric",
        maxlength: 3,
        autocomplete: "off",
        "data-at": id,
      });
      if (end) setAttributes(input, { "data-end": end, placeholder: GREEK[end] });
      this.inputs.set(keyOf(id, end), input);
      return html("span", "blank", {}, input);
    };
    /** @type {(part: HTMLElement, at: Point) => void} */
    const put = (part, { x, y }) => {
      part.style.setProperty("--x", `${x}`);
      part.style.setProperty("--y", `${y}`);
      this.host.append(part);
    };
    /** @type {(id: number) => void} */
    const add = (id) => {
      if (!ends.length) children[id].forEach(add);
      if (id && cuts) {
        const snip = html("button", "snip", { type: "button", tabindex: -1, "data-at": id });
        this.snips.set(id, snip);
        put(snip, edgeOf(size, place[outline.nodes[id].parent], place[id]));
      }
      if (!children[id].length) return;
      if (!ends.length) return put(blank(id), place[id]);
      if (id) put(html("span", "pair", {}, ...ends.map((end) => blank(id, end))), place[id]);
      children[id].forEach(add);
    };
    this.host.replaceChildren();
    add(0);
    stage.sheet.insertBefore(this.host, drawing.root);
  }

  /** In the tree, arrows move among the branches, x strikes one, + and - step a value or are infinite, Enter
      checks.
      @type {(event: KeyboardEvent) => void} */
  press(event) {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || event.ctrlKey || event.altKey || event.metaKey) return;
    const id = Number(target.dataset.at);
    const next = present(this.drawing).neighbours(id);
    const input = target instanceof HTMLInputElement && target;
    const change = key === "+" ? 1 : key === "-" ? -1 : 0;
    if (key in next) this.focus(next[key]);
    else if (/^[xX]$/.test(key)) {
      this.actions.strike(id);
      this.focus(id);
    } else if (key === "Enter" && input) this.actions.check();
    else if (change && input && this.ends.length) this.actions.write(Entries.key(input), key);
    else if (change && input && /^[0-9]+$/.test(input.value)) {
      this.actions.write(id, `${Math.max(0, Number(input.value) + change)}`);
    } else return;
    event.preventDefault();
  }

  /** Go to a position's field, or if it has none to write in, to the branch to it.
      @type {(id: number | undefined) => void} */
  focus(id) {
    if (id === undefined) return;
    const input = this.inputs.get(keyOf(id, this.ends[0]));
    (input?.disabled === false ? input : this.snips.get(id))?.focus();
  }

  /** Show one position: its value, its name, and how it is judged.
      @type {(key: FieldKey, shown: Entry & { value: string }) => void} */
  field(key, { value, name, mark, closed }) {
    const input = present(this.inputs.get(key));
    input.disabled = closed;
    input.value = closed ? "" : value;
    input.setAttribute("aria-label", name);
    input.setAttribute("aria-invalid", `${mark.kind === "wrong"}`);
    this.mark(input, present(input.parentElement), mark);
  }

  /** Show one branch: whether it is struck, its name, and how that is judged.
      @type {(id: number, shown: Entry & { struck: boolean }) => void} */
  branch(id, { struck, name, mark, closed }) {
    const snip = present(this.snips.get(id));
    snip.setAttribute("aria-pressed", `${struck}`);
    snip.setAttribute("aria-label", name);
    snip.disabled = closed;
    this.mark(snip, snip, mark);
  }

  /** Sign a part as right or wrong; `reason` is the element that says why.
      @type {(field: Element, part: HTMLElement, mark: Mark) => void} */
  mark(field, part, { kind = "", sign = "", reason = "" }) {
    part.dataset.is = kind;
    part.dataset.sign = sign;
    if (reason) field.setAttribute("aria-describedby", reason);
    else field.removeAttribute("aria-describedby");
  }
}
