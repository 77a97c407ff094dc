/* Fields over a tree: one in each position that has branches, or two for its window, and a button on each branch, which
   strikes it. They are real fields over the drawing, so that keyboards, fingers and screen readers need nothing of their own. */

/** What a field says after an input: an infinity comes and goes as one. */
const typed = (text, how) => (/^delete/.test(how) && /[−+∞]/.test(text) ? "" : text.replace(/^[−+]∞(?=.)/, ""));

class Entries {
  /** `actions` are {write(key, text), strike(id), check()}. */
  constructor(actions) {
    this.actions = actions;
    this.host = html("div", "entries", { role: "group", "data-label": "page.fill-tree" });
    this.host.addEventListener("input", ({ target, inputType }) => actions.write(Entries.key(target), typed(target.value, inputType)));
    this.host.addEventListener("click", ({ target }) => target.closest(".snip") && actions.strike(Number(target.dataset.at)));
    this.host.addEventListener("keydown", (event) => this.press(event));
  }

  /** The key of a field: see keyOf. */
  static key({ dataset: { at, end } }) {
    return keyOf(Number(at), end);
  }

  /** Lay the fields over a drawing, in the order in which the search leaves the positions, or with the `ends` of windows,
      enters them: so Tab goes, too. */
  draw({ drawing, stage }, cuts, ends) {
    const { place, children, size, outline } = drawing;
    Object.assign(this, { drawing, ends, inputs: new Map(), snips: new Map() });
    const blank = (id, end) => {
      const input = html("input", "", { inputmode: "numeric", maxlength: 3, autocomplete: "off", "data-at": id, ...(end && { "data-end": end, placeholder: GREEK[end] }) });
      this.inputs.set(keyOf(id, end), input);
      return html("span", "blank", {}, input);
    };
    const put = (part, { x, y }) => {
      part.style.setProperty("--x", x);
      part.style.setProperty("--y", y);
      this.host.append(part);
    };
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

  /** In the tree, arrows move among the branches, x strikes one, + and - step a value or are infinite, Enter checks. */
  press(event) {
    const id = Number(event.target.dataset.at);
    const next = this.drawing.neighbours(id);
    const input = event.target.matches("input") && event.target;
    const change = { "+": 1, "-": -1 }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in next) this.focus(next[event.key]);
    else if (/^[xX]$/.test(event.key)) {
      this.actions.strike(id);
      this.focus(id);
    } else if (event.key === "Enter" && input) this.actions.check();
    else if (change && input && this.ends.length) this.actions.write(Entries.key(input), event.key);
    else if (change && input && /^[0-9]+$/.test(input.value)) this.actions.write(id, `${Math.max(0, Number(input.value) + change)}`);
    else return;
    event.preventDefault();
  }

  /** Go to a position's field, or if it has none to write in, to the branch to it. */
  focus(id) {
    const input = this.inputs.get(keyOf(id, this.ends[0]));
    (input?.disabled === false ? input : this.snips.get(id))?.focus();
  }

  /** Show one position: its value, its name, and how it is judged. */
  field(key, { value, name, mark, closed }) {
    const input = this.inputs.get(key);
    input.disabled = closed;
    input.value = closed ? "" : value;
    input.setAttribute("aria-label", name);
    input.setAttribute("aria-invalid", mark.kind === "wrong");
    this.mark(input, input.parentNode, mark);
  }

  /** Show one branch: whether it is struck, its name, and how that is judged. */
  branch(id, { struck, name, mark, closed }) {
    const snip = this.snips.get(id);
    snip.setAttribute("aria-pressed", struck);
    snip.setAttribute("aria-label", name);
    snip.disabled = closed;
    this.mark(snip, snip, mark);
  }

  /** Sign a part as right or wrong; `reason` is the element that says why. */
  mark(field, part, { kind = "", sign = "", reason = "" }) {
    Object.assign(part.dataset, { is: kind, sign });
    reason ? field.setAttribute("aria-describedby", reason) : field.removeAttribute("aria-describedby");
  }
}
