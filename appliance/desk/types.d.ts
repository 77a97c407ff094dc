/* What the box tells its page: see appliance/desk/desk.py. For tsc and for readers: none of it is on the page. */

type Attributes = Record<string, string | number>;

interface Size {
  width: number;
  height: number;
}

type Edge = "left" | "top" | "width" | "height";

/** The measures of the front panel, in millimetres: hardware/dimensions.scad. */
interface Measures extends Size {
  lit: [wide: number, high: number];
  display_y: number;
  screw_edge: number;
  screw: number;
  pitch: number;
  keys_y: number;
  hole: number;
}

/** The waves of each signal: hertz (0 is silence) and seconds. */
type Waves = Record<string, [frequency: number, seconds: number][]>;

/** The GPIOs of the keypad. */
interface Pins {
  rows: number[];
  columns: number[];
}

/** What a box says when it starts. */
interface Hello {
  panel: Measures;
  display: Size;
  lamp: boolean | null; // null without one
  turned: boolean;
  buzzer: Waves | null;
  faults: string[];
  pins: Pins;
}

interface Transaction {
  at: number;
  address: number;
  bytes: string; // in hex
  says: string;
}

interface Played {
  step: number;
  of: number;
  text: string;
  ok: boolean;
  why: string;
  next: string;
}

/** What the workbench has been told last. */
interface State {
  plug?: boolean;
  cable?: boolean;
  turned?: boolean;
  speed?: number;
  stuck?: number[];
  recording?: string | null;
  scenario?: Played | null;
}

/** What the worker posts: bytes loaded, why nothing is kept, or what the box says: JSON, or a picture. */
interface Posted {
  done?: number;
  lost?: string;
  said?: string | ArrayBuffer;
}

type Message = Record<string, unknown>;
