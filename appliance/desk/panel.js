"use strict";
/* The front of the box: its panel, display, lamp and buttons, in millimetres, as hardware/dimensions.scad has them. */

const SVG = "http://www.w3.org/2000/svg";
const GLOW = [214, 234, 255]; // a lit pixel at full contrast; dimmed ones stay legible
const DARK = [6, 9, 14];
const DIMMEST = 0.45; // of the brightness, at contrast 0
const SHORTEST = 100; // milliseconds of a press: a screen reader's click has none, and the box ignores what is too short

/** Return an SVG element with attributes and children. */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The panel, and its display once more, large enough to read. `press(key, down)` is called when a button goes down or
    up; keys count from 0. */
class Panel {
  constructor(host, close, press) {
    this.host = host;
    this.close = close;
    this.press = press;
    this.holders = new Map(); // who holds which key, and since when: a pointer's number or a key's code
    this.buttons = [];
    this.turned = false;
    this.names = [..."123456789"];
  }

  /** Draw the panel that a hello describes. */
  show({ panel, display, lamp, turned }) {
    this.size = display;
    const { width, height } = panel;
    this.host.parentElement.style.setProperty("--proportion", width / height);
    const front = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "front" });
    front.append(svg("rect", { class: "plate", width, height, rx: 3 }));
    for (const x of [panel.screw_edge, width - panel.screw_edge]) {
      for (const y of [panel.screw_edge, height - panel.screw_edge]) {
        front.append(svg("circle", { class: "screw", cx: x, cy: y, r: panel.screw * 0.8 }));
      }
    }
    const [wide, high] = panel.lit;
    const rim = 2;
    const window = { x: (width - wide) / 2 - rim, y: panel.display_y - high / 2 - rim, width: wide + 2 * rim, height: high + 2 * rim };
    front.append(svg("rect", { class: "glass", rx: 1, ...window }));
    if (lamp !== null) front.append(svg("circle", { class: "lamp", cx: width - 12, cy: panel.display_y + high / 2 + 8, r: 2.5 }));
    this.screen = Object.assign(document.createElement("canvas"), { className: "screen", ...display });
    this.screen.setAttribute("role", "img");
    this.screen.setAttribute("aria-label", "The display");
    const percent = (value, of) => `${(100 * value) / of}%`;
    Object.assign(this.screen.style, {
      left: percent((width - wide) / 2, width), top: percent(panel.display_y - high / 2, height),
      width: percent(wide, width), height: percent(high, height),
    });
    Object.assign(this.close, display);
    this.at = (key) => [width / 2 + ((key % 3) - 1) * panel.pitch, panel.keys_y + Math.floor(key / 3) * panel.pitch];
    this.buttons = Array.from({ length: 9 }, (_, key) => this.button(key, panel, percent));
    this.wires = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "wires" });
    this.host.replaceChildren(front, this.screen, ...this.buttons, this.wires);
    this.turn(turned);
    this.lamp = front.querySelector(".lamp");
    this.light(lamp);
    this.holders.clear();
  }

  button(key, { width, height, hole }, percent) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "key";
    const [x, y] = this.at(key);
    const cap = hole * 1.5; // the part that one presses is wider than its hole
    Object.assign(button.style, {
      left: percent(x - cap / 2, width), top: percent(y - cap / 2, height),
      width: percent(cap, width), height: percent(cap, height),
    });
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      button.focus({ preventScroll: true });
      button.setPointerCapture(event.pointerId);
      this.hold(event.pointerId, key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => this.release(event.pointerId));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    const pressed = (event) => event.key === "Enter" || event.key === " ";
    button.addEventListener("keydown", (event) => pressed(event) && (event.preventDefault(), event.repeat || this.hold(`on${key}`, key)));
    // Firefox clicks when the space bar comes up, unless that is prevented too: it would be a second press.
    button.addEventListener("keyup", (event) => pressed(event) && (event.preventDefault(), this.release(`on${key}`)));
    button.addEventListener("blur", () => this.release(`on${key}`));
    // A click without a pointer or key comes from a screen reader: it is a tap.
    button.addEventListener("click", (event) => event.detail === 0 && !this.holders.size && (this.hold("click", key), this.release("click")));
    return button;
  }

  /** Show the box upside down, or upright again: a box that turns its picture hangs so. Then its last button is the first that one
      sees, for the box as for the keys 1 to 9. */
  turn(turned) {
    this.turned = turned;
    for (const part of [this.host, this.close]) part.classList.toggle("turned", turned);
    this.name(this.names);
  }

  /** Name the buttons, in the order in which one sees them, by their number and what the display shows there. */
  name(names) {
    this.names = names;
    this.buttons.forEach((button, key) => button.setAttribute("aria-label", names[this.seen(key)]));
  }

  /** Return the button that is seen where this one is on an upright box; and the other way round. */
  seen(key) {
    return this.turned ? 8 - key : key;
  }

  held(key) {
    return [...this.holders.values()].some((one) => one.key === key);
  }

  hold(who, key) {
    if (this.holders.has(who)) return;
    const already = this.held(key);
    this.holders.set(who, { key, until: performance.now() + SHORTEST });
    if (!already) this.move(key, true);
  }

  release(who) {
    const { key, until } = this.holders.get(who) ?? {};
    if (key === undefined) return;
    if (until > performance.now()) return setTimeout(() => this.release(who), until - performance.now());
    this.holders.delete(who);
    if (!this.held(key)) this.move(key, false);
  }

  releaseAll() {
    for (const [who, one] of [...this.holders]) this.release(who, (one.until = 0));
  }

  move(key, down) {
    this.buttons[key].classList.toggle("down", down);
    this.press(key, down);
  }

  /** Show which buttons are stuck. */
  stick(keys) {
    this.buttons.forEach((button, key) => button.classList.toggle("stuck", keys.includes(key)));
  }

  /** Draw what is wrong with the wires, from the contacts that each key closes: a cross on one that closes none, and a line
      to each that is not its own. */
  wire(wiring) {
    const arm = 4;
    const lines = wiring.flatMap((contacts, key) => {
      const [x, y] = this.at(key);
      if (!contacts.length) return [`M${x - arm},${y - arm} l${2 * arm},${2 * arm} m0,${-2 * arm} l${-2 * arm},${2 * arm}`];
      return contacts.filter((contact) => contact !== key).map((contact) => `M${x},${y} L${this.at(contact)}`);
    });
    this.wires.replaceChildren(...lines.map((d) => svg("path", { d })));
  }

  light(on) {
    this.lamp?.classList.toggle("on", on === true);
  }

  /** Show a picture: lit, contrast, flags, number, then the display's memory by page and column. */
  draw(bytes) {
    const { width, height } = this.size;
    const [lit, contrast] = bytes;
    const strength = lit ? DIMMEST + ((1 - DIMMEST) * contrast) / 255 : 0;
    const on = DARK.map((dark, i) => dark + (GLOW[i] - dark) * strength);
    const image = new ImageData(width, height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const set = lit && (bytes[4 + (y >> 3) * width + x] >> (y & 7)) & 1;
        image.data.set([...(set ? on : DARK), 255], 4 * (y * width + x));
      }
    }
    for (const canvas of [this.screen, this.close]) canvas.getContext("2d").putImageData(image, 0, 0);
  }
}
