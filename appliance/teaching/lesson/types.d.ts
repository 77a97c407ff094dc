/* The records that the scripts of a lesson share. They are for tsc and for readers: none is on the page. */

type Side = "x" | "o";
type Rule = "classic" | "misere" | "vanishing";
type AlgorithmName = "minimax" | "alpha-beta" | "fail-hard" | "negamax" | "printed" | "mended";
type Bound = "exact" | "upper" | "lower";
type End = "alpha" | "beta";
type Tree = number | Tree[];
type Position = Board | Vanishing | Numbers;

/** What a text names in its places. */
type Values = Record<string, string | number | undefined>;

/** What words_of in assemble.py has put on the page. */
interface Words {
  languages: string[];
  texts: Record<string, Record<string, (string | Record<string, string>)[]>>;
}

/** A Mistake that attempt() has caught. */
interface Wrong {
  error: string;
  values: Values;
}

/* ---- What is searched ---- */

/** The lines and the mirror images of a board: see shapeOf. */
interface Shape {
  lines: number[][];
  mirrors: number[][];
}

/** A sign or number of a typed tree, and the character with which it begins. */
type Token = { token: string; at: number };

interface BoardSubject {
  kind: "board";
  cells: string;
  rows: number;
  columns: number;
  k: number;
  rule: Rule;
  toMove: Side;
  past: number[] | null; // the cells played, where they matter
}

type Absent = { [key in Exclude<keyof BoardSubject, "kind">]?: undefined };
type TreeSubject = { kind: "tree"; tree: Tree } & Absent;
type Subject = BoardSubject | TreeSubject;

/** How an outline reaches a position. */
interface Branch {
  parent: number;
  move: number;
  moves: number[];
  mark: Side | "";
}

/** What a text alone does not say of a board. */
type Form = { rule?: string; k?: number | null; toMove?: Side | null };

/** A position of an outline: see outlineOf. */
interface OutlineNode extends Branch {
  ply: number;
  value: number | null; // of a leaf, for Max
  reason: "" | "won" | "drawn" | "number" | "guess";
  children: number[];
  size: number;
  cells: string;
  fading: number;
  line: number[];
  key: string | null;
}

interface Outline {
  nodes: OutlineNode[];
  kind: Subject["kind"];
  players: string[];
  start: number;
  depth: number;
  guessed: boolean;
  rule: Rule | "";
  columns: number; // 0 for numbers
  rows: number;
}

/* ---- How it is searched ---- */

interface Options {
  algorithm?: AlgorithmName;
  order?: string;
  depth?: number | null;
  table?: boolean;
}

/** What an address says: see readAddress. */
interface Shown {
  subject: Subject | null; // null if it names none
  options: Options;
  minimax: number; // the numbers of trees to fill in; 0 if it names none
  practice: number;
  windows: boolean;
  section: string;
  lang: string;
}

interface SearchWindow {
  alpha: number;
  beta: number;
  alphaFrom: number;
  betaFrom: number;
}

type Ends = Record<End, number>;

interface Returned {
  value: number;
  bound: Bound;
}

/** What a step has besides its kind and window: see Walk. */
interface Details {
  best: number | null;
  child: number;
  value: number | null;
  bound: Bound;
  cut: number[];
  change: "" | "nothing" | "best" | "window";
  complete: boolean;
  from: number;
  compared: number;
}

type Moment = SearchWindow & Details & { node: number };
type Enter = Moment & { kind: "enter" };
type Found = Moment & { kind: "known" | "back" | "done"; value: number; best: number };
type Known = Found & { kind: "known" };
type Back = Found & { kind: "back" };
type Done = Found & { kind: "done" };
type Cut = Moment & { kind: "cut"; best: number };
type Step = Enter | Known | Back | Cut | Done;

/** What a step of a kind must have, and may have. */
type Facts<K> = Partial<Details> &
  (K extends "enter" ? object : K extends "cut" ? { best: number } : { best: number; value: number });

/** Before step `before` is shown, an exercise asks what is cut next; the answer is seen after step `then`. */
interface Question {
  before: number;
  then: number;
  node: number;
  child: number;
  answer: number[];
}

interface Walked {
  children: number[][];
  steps: Step[];
  questions: Question[];
  visited: number;
  saved: number;
  value: number;
}

interface Playout {
  path: number[];
  played: number[];
  leaf: number;
  value: number;
}

type Sum = { visits: number; total: number };

interface Counts {
  visits: number[];
  mean: (number | null)[];
}

interface Playouts {
  playouts: Playout[];
  visits: (count: number) => Counts;
  best: (count: number) => number;
}

/** What a figure shows: a search, or playouts. */
interface Searched {
  outline: Outline;
  walk: Walked;
  options: Options;
  montecarlo?: undefined;
}

interface Sampled {
  outline: Outline;
  montecarlo: Playouts;
  walk?: undefined;
  options?: undefined;
}

type Lesson = Searched | Sampled;

/** What Say needs to know of a lesson. */
type Told = { outline: Outline; walk?: Walked; options?: Options };

/** What is known about a node after a step. */
interface NodeState {
  is: "new" | "open" | "done" | "known" | "cut";
  alpha: number;
  beta: number;
  best: number | null;
  value: number | null;
  bound: Bound;
  visits: number;
  mean: number | null;
}

/** What a figure knows after a step. */
interface Now {
  state: NodeState[];
  node: number;
  path: number[];
  visited: number;
  saved: number;
  known: number;
}

/* ---- What is drawn ---- */

interface Point {
  x: number;
  y: number;
}

interface Size {
  cell: number;
  wide: number;
  high: number;
}

interface Place extends Point {
  hung?: boolean;
  beside?: boolean; // its window has room beside it
  label?: number;
}

/** Where layOut has put everything. */
interface Plan {
  place: Place[];
  width: number;
  height: number;
  level: number;
  top: number;
}

/** What needs room in a layout. */
interface Room {
  value: number;
  window: number;
  crowded: boolean;
  lines: number;
}

/** What a drawing shows besides its tree: all values and windows, the levels' names, the leaves' numbers. */
interface Drawable {
  labels: { values: string[][]; windows: string[] };
  levels: string[];
  family: string;
  number: (id: number) => string;
}

/** What a node shows: see Figure.renderNode. */
interface Seen {
  classes: string;
  severed: string;
  layer: number;
  hand: boolean;
  name: string;
  value: string[];
  window: string[];
}

interface Drawn {
  item: SVGElement;
  edge: SVGElement | null;
  value: SVGElement;
  bounds: SVGElement;
  said: Partial<Seen>;
}

/** A lesson in one language. */
interface Scene {
  lesson: Lesson;
  labels: Labels;
  drawing: Drawing;
}

type Attributes = Record<string, string | number | boolean>;
type Named = Attributes & { word?: string; name?: string }; // keys of words: see html
type Child = Node | string;

/** How wide lines of text are: see ruler. */
type Ruler = (lines: string[]) => number;

interface HTMLElementEventMap {
  pick: CustomEvent<number>; // a node is chosen
  step: CustomEvent<number>; // a figure shows another step
}

/** How a figure looks. */
interface Look {
  compact?: boolean;
  controls?: string[];
  montecarlo?: boolean;
  code?: boolean;
}

/* ---- A tree to fill in ---- */

type Filled = Searched & { subject: Subject };

/** Where something is written: see keyOf. */
type FieldKey = number | string;

interface Answer {
  written: Map<FieldKey, number>;
  struck: Set<number>;
  windows?: boolean; // are asked for, not values
}

/** A mistake of whoever fills in: `marked` are branches or fields, `at` is the step at which it is found. */
interface OpenFault {
  kind: "open";
  node: number;
  marked: number[];
  window: SearchWindow;
  at: number;
}

interface MissedFault {
  kind: "missed";
  node: number;
  marked: number[];
  step: Cut;
  at: number;
}

interface ValueFault {
  kind: "value";
  node: number;
  marked: FieldKey[];
  given: number;
  at: number;
}

interface WindowFault {
  kind: "window";
  node: number;
  marked: FieldKey[];
  ends: End[];
  window: SearchWindow;
  swapped: boolean;
  at: number;
}

type Fault = OpenFault | MissedFault | ValueFault | WindowFault;

/** A reason, and the positions whose written values it rests on. */
type Why = { text: string; uses: number[] };

/** How a field or branch is judged; `reason` is the id of the element that says why. */
interface Mark {
  kind?: "right" | "wrong" | "follows";
  sign?: string;
  reason?: string;
}

/** What a field or a branch shows. */
interface Entry {
  name: string;
  mark: Mark;
  closed: boolean;
}

/** What a person does. */
interface Actions {
  write: (key: FieldKey, text: string) => void;
  strike: (id: number) => void;
  check: () => void;
}

/** What is kept of a tree to fill in, and of the hunt. */
interface Stored {
  values?: [FieldKey, number][];
  refused?: [FieldKey, string][];
  struck?: number[];
  checked?: boolean;
  found?: boolean;
  solved?: boolean;
  line?: string;
  why?: string;
}

/* ---- The sections ---- */

/** Options to compare; or another tree, whose kind has a name. */
type Variant = Options & { kind?: string; tree?: string };
type Naming = (variant: Variant) => [key: string, values?: Values];

interface Wanted {
  id: string;
  subject?: string;
  paragraphs?: number; // three, if it is not said
  counted?: boolean; // positions: so it is, if it is not said
  code?: boolean; // with the program
  asks?: boolean; // an exercise
  fills?: boolean; // a tree to fill in
  broad?: boolean;
  playouts?: number;
  variants?: Variant[];
  name?: Naming; // of a variant
  columns?: string[]; // of the table of variants: see COLUMNS
}
