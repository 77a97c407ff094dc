"use strict";
/* The front of the box: its panel, display, lamp and buttons, in millimetres, as hardware/dimensions.scad has
   them. */

const GLOW = [214, 234, 255]; // a lit pixel at full contrast; dimmed ones stay legible
const DARK = [6, 9, 14];
const DIMMEST = 0.45; // of the brightness, at contrast 0
// Milliseconds of a press: a screen reader's click has none, and the box ignores what is too short.
const SHORTEST = 100;

/** The element with an id, of this class.
    @type {<T extends HTMLElement>(id: string, kind: new () => T) => T} */
function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
}

/** Return an SVG element with attributes and children.
    @type {<T extends keyof SVGElementTagNameMap>(name: T, attributes?: Attributes, ...children: Node[])
      => SVGElementTagNameMap[T]} */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`);
  element.append(...children);
  return element;
}

/** Put an element somewhere on the panel.
    @type {(part: HTMLElement, at: Record<Edge, number>, panel: Size) => void} */
function put({ style }, { left, top, width, height }, panel) {
  style.left = `${(100 * left) / panel.width}%`;
  style.top = `${(100 * top) / panel.height}%`;
  style.width = `${(100 * width) / panel.width}%`;
  style.height = `${(100 * height) / panel.height}%`;
}

/** The panel, and its display once more, large enough to read. `press(key, down)` is called when a button
    goes down or up; keys count from 0. */
class Panel {
  /** @param {HTMLElement} host @param {HTMLCanvasElement} close
      @param {(key: number, down: boolean) => void} press */
  constructor(host, close, press) {
    this.host = host;
    this.close = close;
    this.press = press;
    /** @type {Map<string | number, { key: number, until: number }>} */
    this.holders = new Map(); // who holds which key, and for how long: a pointer's number or a key's code
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.size = { width: 0, height: 0 };
    this.screen = document.createElement("canvas");
    this.screen.className = "screen";
    this.screen.setAttribute("role", "img");
    this.screen.dataset.label = "display";
    this.wires = svg("svg", { "aria-hidden": "true", class: "wires" });
    /** @type {Element | null} */
    this.lamp = null;
    /** Where the middle of a button is. @type {(key: number) => [number, number]} */
    this.at = () => [0, 0];
    this.turned = false;
    this.names = [..."123456789"];
  }

  /** Draw the panel that a hello describes. @type {(hello: Hello) => void} */
  show({ panel, display, lamp, turned }) {
    this.size = display;
    const { width, height } = panel;
    this.host.parentElement?.style.setProperty("--proportion", `${width / height}`);
    const front = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "front" });
    front.append(svg("rect", { class: "plate", width, height, rx: 3 }));
    for (const x of [panel.screw_edge, width - panel.screw_edge]) {
      for (const y of [panel.screw_edge, height - panel.screw_edge]) {
        front.append(svg("circle", { class: "screw", cx: x, cy: y, r: panel.screw * 0.8 }));
      }
    }
    const [wide, high] = panel.lit;
    const rim = 2;
    const [left, top] = [(width - wide) / 2, panel.display_y - high / 2];
    const glass = { x: left - rim, y: top - rim, width: wide + 2 * rim, height: high + 2 * rim };
    front.append(svg("rect", { class: "glass", rx: 1, ...glass }));
    const bulb = svg("circle", { class: "lamp", cx: width - 12, cy: top + high + 8, r: 2.5 });
    this.lamp = lamp === null ? null : bulb;
    if (this.lamp) front.append(this.lamp);
    put(this.screen, { left, top, width: wide, height: high }, panel);
    for (const canvas of [this.screen, this.close]) Object.assign(canvas, display);
    const { pitch, keys_y: first } = panel;
    this.at = (key) => [width / 2 + ((key % 3) - 1) * pitch, first + Math.floor(key / 3) * pitch];
    this.buttons = Array.from({ length: 9 }, (_, key) => this.button(key, panel));
    this.wires.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.wires.replaceChildren();
    this.host.replaceChildren(front, this.screen, ...this.buttons, this.wires);
    this.turn(turned);
    this.light(lamp);
    this.holders.clear();
  }

  /** @type {(key: number, panel: Measures) => HTMLButtonElement} */
  button(key, panel) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "key";
    const [x, y] = this.at(key);
    const cap = panel.hole * 1.5; // the part that one presses is wider than its hole
    put(button, { left: x - cap / 2, top: y - cap / 2, width: cap, height: cap }, panel);
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      button.focus({ preventScroll: true });
      button.setPointerCapture(event.pointerId);
      this.hold(event.pointerId, key);
    });
    button.addEventListener("pointerup", (event) => this.release(event.pointerId));
    button.addEventListener("pointercancel", (event) => this.release(event.pointerId));
    button.addEventListener("lostpointercapture", (event) => this.release(event.pointerId));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    /** @type {(event: KeyboardEvent) => boolean} */
    const presses = (event) => {
      const pressed = event.key === "Enter" || event.key === " ";
      if (pressed) event.preventDefault();
      return pressed;
    };
    button.addEventListener("keydown", (event) => {
      if (presses(event) && !event.repeat) this.hold(`on${key}`, key);
    });
    // Firefox clicks when the space bar comes up, unless that is prevented too: it would be a second press.
    button.addEventListener("keyup", (event) => {
      if (presses(event)) this.release(`on${key}`);
    });
    button.addEventListener("blur", () => this.release(`on${key}`));
    // A click without a pointer or key comes from a screen reader: it is a tap.
    button.addEventListener("click", (event) => {
      if (event.detail || this.holders.size) return;
      this.hold("click", key);
      this.release("click");
    });
    return button;
  }

  /** Show the box upside down, or upright again: a box that turns its picture hangs so. Then its last button
      is the first that one sees, for the box as for the keys 1 to 9.
      @type {(turned: boolean) => void} */
  turn(turned) {
    this.turned = turned;
    for (const part of [this.host, this.close]) part.classList.toggle("turned", turned);
    this.name(this.names);
  }

  /** Name the buttons, in the order in which one sees them, by their number and what the display shows there.
      @type {(names: string[]) => void} */
  name(names) {
    this.names = names;
    this.buttons.forEach((button, key) => button.setAttribute("aria-label", names[this.seen(key)]));
  }

  /** Return the button that is seen where this one is on an upright box; and the other way round.
      @type {(key: number) => number} */
  seen(key) {
    return this.turned ? 8 - key : key;
  }

  /** @type {(key: number) => boolean} */
  held(key) {
    return [...this.holders.values()].some((one) => one.key === key);
  }

  /** @type {(who: string | number, key: number) => void} */
  hold(who, key) {
    if (this.holders.has(who)) return;
    const already = this.held(key);
    this.holders.set(who, { key, until: performance.now() + SHORTEST });
    if (!already) this.move(key, true);
  }

  /** @type {(who: string | number) => void} */
  release(who) {
    const one = this.holders.get(who);
    if (!one) return;
    const rest = one.until - performance.now();
    if (rest > 0) {
      setTimeout(() => this.release(who), rest);
      return;
    }
    this.holders.delete(who);
    if (!this.held(one.key)) this.move(one.key, false);
  }

  releaseAll() {
    for (const [who, one] of [...this.holders]) {
      one.until = 0;
      this.release(who);
    }
  }

  /** @type {(key: number, down: boolean) => void} */
  move(key, down) {
    this.buttons[key].classList.toggle("down", down);
    this.press(key, down);
  }

  /** Show which buttons are stuck. @type {(keys: number[]) => void} */
  stick(keys) {
    this.buttons.forEach((button, key) => button.classList.toggle("stuck", keys.includes(key)));
  }

  /** Draw what is wrong with the wires, from the contacts that each key closes: a cross on one that closes
      none, and a line to each that is not its own.
      @type {(wiring: number[][]) => void} */
  wire(wiring) {
    const arm = 4;
    const lines = wiring.flatMap((contacts, key) => {
      const [x, y] = this.at(key);
      const cross = `M${x - arm},${y - arm} l${2 * arm},${2 * arm} m0,${-2 * arm} l${-2 * arm},${2 * arm}`;
      if (!contacts.length) return [cross];
      const others = contacts.filter((contact) => contact !== key);
      return others.map((contact) => `M${x},${y} L${this.at(contact)}`);
    });
    this.wires.replaceChildren(...lines.map((d) => svg("path", { d })));
  }

  /** @type {(on: boolean | null) => void} */
  light(on) {
    this.lamp?.classList.toggle("on", on === true);
  }

  /** Show a picture: lit, contrast, flags, number, then the display's memory by page and column.
      @type {(bytes: Uint8Array | number[]) => void} */
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
    for (const canvas of [this.screen, this.close]) canvas.getContext("2d")?.putImageData(image, 0, 0);
  }
}
