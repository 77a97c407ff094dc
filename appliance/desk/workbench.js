"use strict";
/* The workbench: what breaks the box, and what happens inside it. Nothing is watched while it is folded. */

const SPEEDS = [[0, "Pause"], [0.25, "¼"], [1, "1"], [4, "4"], [16, "16"]];
const KEPT = 200; // lines of a list
const SHOWN = 2; // seconds of the chart
const SIGNAL = 16; // pixels of a pin's line in the chart

class Workbench {
  constructor(send, start) {
    this.send = send;
    this.state = {};
    this.levels = []; // [at, bits] of the chart
    this.due = 0; // the chart's next frame
    this.now = this.painted = 0; // the box's time at the right edge, in seconds, and when that was drawn
    const find = (id) => document.getElementById(id);
    this.parts = Object.fromEntries(
      "workbench plug cable fault stuck speeds chart bus journal record recorded steps load next leave played configuration file apply saved games".split(" ").map((id) => [id, find(id)]),
    );
    const { workbench, plug, cable, fault, record, load, next, leave, steps, configuration, file, apply, games } = this.parts;
    workbench.addEventListener("toggle", () => this.watch());
    plug.addEventListener("click", () => send({ plug: !this.state.plug }));
    cable.addEventListener("click", () => send({ cable: !this.state.cable }));
    fault.addEventListener("change", () => send({ fault: fault.value }));
    record.addEventListener("click", () => send({ record: this.state.recording === null }));
    load.addEventListener("click", () => send({ scenario: steps.value }));
    next.addEventListener("click", () => send({ next: true }));
    leave.addEventListener("click", () => send({ scenario: null }));
    file.addEventListener("change", async () => (configuration.value = await file.files[0]?.text() ?? ""));
    apply.addEventListener("click", () => start(configuration.value));
    games.addEventListener("click", () => send({ games: true }));
    for (const [speed, name] of SPEEDS) {
      const button = this.add("speeds", "button", { type: "button", textContent: speed ? `${name} ×` : name });
      button.dataset.speed = speed;
      button.addEventListener("click", () => send({ speed }));
    }
    for (let place = 0; place < 9; place++) {
      const box = this.check("stuck", String(place + 1));
      box.addEventListener("change", () => send({ [box.checked ? "stick" : "unstick"]: this.key(place) }));
    }
    new ResizeObserver(() => this.paint()).observe(this.parts.chart);
  }

  add(where, name, properties) {
    const element = Object.assign(document.createElement(name), properties);
    this.parts[where].append(element);
    return element;
  }

  check(where, name) {
    const label = this.add(where, "label", {});
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    label.append(box, ` ${name}`);
    return box;
  }

  watch() {
    this.send({ watch: this.parts.workbench.open ? ["bus", "pins", "journal"] : [] });
  }

  /** Begin with the box that a hello describes. */
  show({ faults, pins }) {
    this.parts.fault.replaceChildren(...faults.map((name) => new Option(name)));
    const named = (kind) => (pin, i) => `${kind} ${i + 1}, GPIO${pin}`;
    this.names = [...pins.rows.map(named("row")), ...pins.columns.map(named("column"))];
    this.levels = [];
    for (const name of ["bus", "journal"]) this.parts[name].replaceChildren();
    this.paint();
    if (this.parts.workbench.open) this.watch();
  }

  stuck(keys) {
    this.state.stuck = keys;
    this.parts.stuck.querySelectorAll("input").forEach((box, place) => (box.checked = keys.includes(this.key(place))));
  }

  /** Number the buttons as one sees them on a box that hangs upside down. */
  turn(turned) {
    this.state.turned = turned;
    this.stuck(this.state.stuck ?? []);
  }

  key(place) {
    return this.state.turned ? 8 - place : place;
  }

  hear(name, value) {
    this.state[name] = value;
    this[`on_${name}`]?.(value);
  }

  on_plug(on) {
    this.press("plug", on, on ? "Pull the plug" : "Plug it in");
  }

  on_cable(on) {
    this.press("cable", on, on ? "Pull the display's cable" : "Plug the display in");
  }

  /** Say what a button does; the state is in the words, so it is no toggle for a screen reader. */
  press(id, on, words) {
    this.parts[id].removeAttribute("aria-pressed");
    this.parts[id].classList.toggle("off", !on);
    this.parts[id].textContent = words;
  }

  on_fault(name) {
    this.parts.fault.value = name;
  }

  on_speed(speed) {
    for (const button of this.parts.speeds.children) button.setAttribute("aria-pressed", Number(button.dataset.speed) === speed);
  }

  on_bus(transactions) {
    const spaced = (hex) => hex.match(/../g)?.join(" ") ?? "nothing";
    this.list("bus", transactions.map(({ at, address, bytes, says }) => [`${at.toFixed(3)} s  0x${address.toString(16)}  ${says}`, spaced(bytes)]));
  }

  on_journal(lines) {
    this.list("journal", lines.map((line) => [line]));
  }

  /** Append lines to a list; a second part is the small print. It scrolls along unless one has scrolled back. */
  list(name, lines) {
    const list = this.parts[name];
    const follows = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    for (const [text, small] of lines.slice(-KEPT)) {
      const line = this.add(name, "li", { textContent: text });
      if (small) line.append(Object.assign(document.createElement("small"), { textContent: small }));
    }
    while (list.children.length > KEPT) list.firstElementChild.remove();
    if (follows) list.scrollTop = list.scrollHeight;
  }

  on_pins(changes) {
    this.levels.push(...changes);
    const since = this.levels.at(-1)[0] - SHOWN;
    while (this.levels.length > 1 && this.levels[1][0] < since) this.levels.shift();
    [this.now, this.painted] = [this.levels.at(-1)[0], performance.now()];
    this.due ||= requestAnimationFrame(() => this.pass());
  }

  /** Let the chart run on until the last change has left it: after that it would draw the same. */
  pass() {
    const [last, now] = [this.levels.at(-1)?.[0] ?? -SHOWN, performance.now()];
    this.now = Math.min(this.now + ((now - this.painted) / 1000) * this.state.speed, last + SHOWN);
    this.painted = now;
    this.paint();
    this.due = this.state.speed && this.now < last + SHOWN ? requestAnimationFrame(() => this.pass()) : 0;
  }

  /** Draw the levels until now. */
  paint() {
    const { chart } = this.parts;
    if (!this.names || !chart.clientWidth) return;
    const ratio = devicePixelRatio;
    Object.assign(chart, { width: chart.clientWidth * ratio, height: SIGNAL * this.names.length * ratio });
    chart.style.height = `${SIGNAL * this.names.length}px`;
    const context = chart.getContext("2d");
    context.scale(ratio, ratio);
    context.strokeStyle = context.fillStyle = getComputedStyle(chart).color;
    context.font = "11px system-ui, sans-serif";
    const left = 116;
    const across = (at) => Math.max(left, chart.clientWidth - ((this.now - at) / SHOWN) * (chart.clientWidth - left));
    this.names.forEach((name, pin) => {
      const height = (bits) => SIGNAL * pin + (bits >> pin & 1 ? 4 : SIGNAL - 3) + 0.5;
      context.fillText(name, 4, SIGNAL * pin + 12);
      context.beginPath();
      for (const [i, [at, bits]] of this.levels.entries()) {
        if (i) context.lineTo(across(at), height(this.levels[i - 1][1]));
        context.lineTo(across(at), height(bits));
      }
      if (this.levels.length) context.lineTo(chart.clientWidth, height(this.levels.at(-1)[1]));
      context.stroke();
    });
  }

  on_recording(text) {
    const { record, recorded } = this.parts;
    record.textContent = text === null ? "Record what I do" : "End the recording";
    if (text === null) return;
    this.offer(recorded, text);
    recorded.hidden = false;
  }

  /** Let a link save a text. */
  offer(link, text) {
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([text]));
  }

  on_games(files) {
    this.parts.saved.querySelectorAll("a").forEach((link) => (URL.revokeObjectURL(link.href), link.remove()));
    for (const [name, text] of Object.entries(files)) this.offer(this.add("saved", "a", { download: name, textContent: `Save ${name}` }), text);
  }

  on_configuration(text) {
    this.parts.configuration.value = text;
  }

  on_scenario(played) {
    const { next, leave, played: says } = this.parts;
    leave.disabled = !played;
    next.disabled = !played || played.step >= played.of;
    if (!played) return (says.textContent = "");
    const done = played.step ? `Step ${played.step} of ${played.of}: ${played.text}. ${played.ok ? "It held." : `It failed: ${played.why}.`}` : `${played.of} steps.`;
    says.textContent = `${done}${played.next ? ` Next: ${played.next}.` : ""}`;
  }
}
