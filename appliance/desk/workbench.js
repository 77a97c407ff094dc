"use strict";
/* The workbench: what breaks the box, and what happens inside it. Nothing is watched while it is folded. */

/** @type {[speed: number, name: string][]} */
const SPEEDS = [[0, ""], [0.25, "¼ ×"], [1, "1 ×"], [4, "4 ×"], [16, "16 ×"]];
const KEPT = 200; // lines of a list
const SHOWN = 2; // seconds of the chart
const SIGNAL = 16; // pixels of a pin's line in the chart

class Workbench {
  /** @param {(message: Message) => void} send @param {(configuration: string) => void} start */
  constructor(send, start) {
    this.send = send;
    /** @type {State} */
    this.state = {};
    /** @type {[at: number, bits: number][]} */
    this.levels = []; // of the chart
    /** @type {Pins} */
    this.pins = { rows: [], columns: [] };
    this.due = 0; // the chart's next frame
    this.now = this.painted = 0; // the box's time at the right edge, in seconds, and when that was drawn
    this.parts = this.found();
    const { plug, cable, fault, record, load, next, leave, steps } = this.parts;
    const { workbench, configuration, file, apply, games } = this.parts;
    workbench.addEventListener("toggle", () => this.watch());
    plug.addEventListener("click", () => send({ plug: !this.state.plug }));
    cable.addEventListener("click", () => send({ cable: !this.state.cable }));
    fault.addEventListener("change", () => send({ fault: fault.value }));
    record.addEventListener("click", () => send({ record: this.state.recording === null }));
    load.addEventListener("click", () => send({ scenario: steps.value }));
    next.addEventListener("click", () => send({ next: true }));
    leave.addEventListener("click", () => send({ scenario: null }));
    file.addEventListener("change", async () => {
      configuration.value = (await file.files?.[0]?.text()) ?? "";
    });
    apply.addEventListener("click", () => start(configuration.value));
    games.addEventListener("click", () => send({ games: true }));
    for (const [speed, name] of SPEEDS) {
      const button = this.add(this.parts.speeds, "button", name);
      if (!speed) button.dataset.text = "pause";
      button.type = "button";
      button.dataset.speed = `${speed}`;
      button.addEventListener("click", () => send({ speed }));
    }
    for (let place = 0; place < 9; place++) {
      const box = this.check(this.parts.stuck, `${place + 1}`);
      box.addEventListener("change", () => send({ [box.checked ? "stick" : "unstick"]: this.key(place) }));
    }
    new ResizeObserver(() => this.paint()).observe(this.parts.chart);
  }

  found() {
    const [button, list] = [HTMLButtonElement, HTMLOListElement];
    return {
      workbench: byId("workbench", HTMLDetailsElement),
      plug: byId("plug", button),
      cable: byId("cable", button),
      fault: byId("fault", HTMLSelectElement),
      stuck: byId("stuck", HTMLElement),
      speeds: byId("speeds", HTMLElement),
      chart: byId("chart", HTMLCanvasElement),
      bus: byId("bus", list),
      journal: byId("journal", list),
      record: byId("record", button),
      recorded: byId("recorded", HTMLAnchorElement),
      steps: byId("steps", HTMLTextAreaElement),
      load: byId("load", button),
      next: byId("next", button),
      leave: byId("leave", button),
      played: byId("played", HTMLElement),
      configuration: byId("configuration", HTMLTextAreaElement),
      file: byId("file", HTMLInputElement),
      apply: byId("apply", button),
      saved: byId("saved", HTMLElement),
      games: byId("games", button),
    };
  }

  /** Append an element with a text.
      @type {<T extends keyof HTMLElementTagNameMap>(where: Element, name: T, text?: string) =>
        HTMLElementTagNameMap[T]} */
  add(where, name, text = "") {
    const element = document.createElement(name);
    element.textContent = text;
    where.append(element);
    return element;
  }

  /** @type {(where: Element, name: string) => HTMLInputElement} */
  check(where, name) {
    const label = this.add(where, "label");
    const box = this.add(label, "input");
    box.type = "checkbox";
    label.append(` ${name}`);
    return box;
  }

  watch() {
    this.send({ watch: this.parts.workbench.open ? ["bus", "pins", "journal"] : [] });
  }

  /** Begin with the box that a hello describes. @type {(hello: Hello) => void} */
  show({ faults, pins }) {
    this.parts.fault.replaceChildren(...faults.map((name) => new Option(name)));
    this.pins = pins;
    this.levels = [];
    for (const list of [this.parts.bus, this.parts.journal]) list.replaceChildren();
    this.paint();
    if (this.parts.workbench.open) this.watch();
  }

  /** Say what is said here in the page's language. */
  speak() {
    for (const [name, value] of Object.entries(this.state)) {
      if (["plug", "cable", "recording", "scenario"].includes(name)) this.hear(name, value);
    }
    this.parts.recorded.textContent = word("save", this.parts.recorded.download);
    this.paint();
  }

  /** @type {(keys: number[]) => void} */
  stuck(keys) {
    this.state.stuck = keys;
    for (const [place, box] of [...this.parts.stuck.querySelectorAll("input")].entries()) {
      box.checked = keys.includes(this.key(place));
    }
  }

  /** Number the buttons as one sees them on a box that hangs upside down.
      @type {(turned: boolean) => void} */
  turn(turned) {
    this.state.turned = turned;
    this.stuck(this.state.stuck ?? []);
  }

  /** @type {(place: number) => number} */
  key(place) {
    return this.state.turned ? 8 - place : place;
  }

  /** Take what the box says of itself: JSON. @type {(name: string, value: any) => void} */
  hear(name, value) {
    Object.assign(this.state, { [name]: value });
    if (name === "plug") this.press(this.parts.plug, value, word(value ? "plug-out" : "plug-in"));
    if (name === "cable") this.press(this.parts.cable, value, word(value ? "cable-out" : "cable-in"));
    if (name === "fault") this.parts.fault.value = value;
    if (name === "configuration") this.parts.configuration.value = value;
    if (name === "speed") this.run(value);
    if (name === "bus") this.pass(value);
    if (name === "journal") this.list(this.parts.journal, value.map((/** @type {string} */ line) => [line]));
    if (name === "pins") this.chart(value);
    if (name === "recording") this.record(value);
    if (name === "games") this.save(value);
    if (name === "scenario") this.play(value);
  }

  /** Say what a button does; the state is in the words, so it is no toggle for a screen reader.
      @type {(button: HTMLElement, on: boolean, words: string) => void} */
  press(button, on, words) {
    button.classList.toggle("off", !on);
    button.textContent = words;
  }

  /** Show how fast the box's time runs. @type {(speed: number) => void} */
  run(speed) {
    for (const button of this.parts.speeds.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", `${Number(button.dataset.speed) === speed}`);
    }
  }

  /** Show what has passed on the bus. @type {(transactions: Transaction[]) => void} */
  pass(transactions) {
    const lines = transactions.map(({ at, address, bytes, says }) => {
      const spaced = bytes.match(/../g)?.join(" ") ?? word("nothing");
      return [`${at.toFixed(3)} s  0x${address.toString(16)}  ${says}`, spaced];
    });
    this.list(this.parts.bus, lines);
  }

  /** Append lines to a list; a second part is the small print. It scrolls along unless one has scrolled back.
      @type {(list: HTMLElement, lines: string[][]) => void} */
  list(list, lines) {
    const follows = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    for (const [text, small] of lines.slice(-KEPT)) {
      const line = this.add(list, "li", text);
      if (small) this.add(line, "small", small);
    }
    while (list.children.length > KEPT) list.firstElementChild?.remove();
    if (follows) list.scrollTop = list.scrollHeight;
  }

  /** Draw how the pins' levels change. @type {(changes: [number, number][]) => void} */
  chart(changes) {
    this.levels.push(...changes);
    const since = this.last - SHOWN;
    while (this.levels.length > 1 && this.levels[1][0] < since) this.levels.shift();
    [this.now, this.painted] = [this.last, performance.now()];
    this.due ||= requestAnimationFrame(() => this.advance());
  }

  /** When a level has changed last. */
  get last() {
    return this.levels.at(-1)?.[0] ?? -SHOWN;
  }

  /** Let the chart run on until the last change has left it: after that it would draw the same. */
  advance() {
    const now = performance.now();
    const { speed = 0 } = this.state;
    this.now = Math.min(this.now + ((now - this.painted) / 1000) * speed, this.last + SHOWN);
    this.painted = now;
    this.paint();
    const runs = speed && this.now < this.last + SHOWN;
    this.due = runs ? requestAnimationFrame(() => this.advance()) : 0;
  }

  /** Draw the levels until now. */
  paint() {
    const { chart } = this.parts;
    const context = chart.getContext("2d");
    /** @type {(kind: string) => (pin: number, i: number) => string} */
    const named = (kind) => (pin, i) => `${word(kind)} ${i + 1}, GPIO${pin}`;
    const names = [...this.pins.rows.map(named("row")), ...this.pins.columns.map(named("column"))];
    if (!context || !names.length || !chart.clientWidth) return;
    const ratio = devicePixelRatio;
    Object.assign(chart, { width: chart.clientWidth * ratio, height: SIGNAL * names.length * ratio });
    chart.style.height = `${SIGNAL * names.length}px`;
    context.scale(ratio, ratio);
    context.fillStyle = getComputedStyle(chart).color;
    context.strokeStyle = context.fillStyle;
    context.font = "11px system-ui, sans-serif";
    const left = 116;
    /** @type {(at: number) => number} */
    const across = (at) => {
      return Math.max(left, chart.clientWidth - ((this.now - at) / SHOWN) * (chart.clientWidth - left));
    };
    names.forEach((name, pin) => {
      /** @type {(bits: number) => number} */
      const height = (bits) => SIGNAL * pin + ((bits >> pin) & 1 ? 4 : SIGNAL - 3) + 0.5;
      context.fillText(name, 4, SIGNAL * pin + 12);
      context.beginPath();
      for (const [i, [at, bits]] of this.levels.entries()) {
        if (i) context.lineTo(across(at), height(this.levels[i - 1][1]));
        context.lineTo(across(at), height(bits));
      }
      const now = this.levels.at(-1);
      if (now) context.lineTo(chart.clientWidth, height(now[1]));
      context.stroke();
    });
  }

  /** Show whether what one does is recorded, or offer what has been. @type {(text: string | null) => void} */
  record(text) {
    const { record, recorded } = this.parts;
    record.textContent = word(text === null ? "record" : "recorded");
    if (text === null) return;
    this.offer(recorded, text);
    recorded.hidden = false;
  }

  /** Let a link save a text. @type {(link: HTMLAnchorElement, text: string) => void} */
  offer(link, text) {
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([text]));
  }

  /** Offer files of the games. @type {(files: Record<string, string>) => void} */
  save(files) {
    for (const link of this.parts.saved.querySelectorAll("a")) {
      URL.revokeObjectURL(link.href);
      link.remove();
    }
    for (const [name, text] of Object.entries(files)) {
      const link = this.add(this.parts.saved, "a", word("save", name));
      link.download = name;
      this.offer(link, text);
    }
  }

  /** Show how far a scenario is. @type {(played: Played | null) => void} */
  play(played) {
    const { next, leave, played: says } = this.parts;
    leave.disabled = !played;
    next.disabled = !played || played.step >= played.of;
    says.textContent = played ? this.told(played) : "";
  }

  /** @type {(played: Played) => string} */
  told({ step, of, text, ok, why, next }) {
    const held = ok ? word("held") : word("failed", why);
    const done = step ? `${word("played", step, of, text)} ${held}` : word("loaded", of);
    return next ? `${done} ${word("coming", next)}` : done;
  }
}
