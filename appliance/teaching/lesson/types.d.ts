/* The records that the scripts of a lesson share. They are for tsc and for readers: the page has none of this. */

type Side = "x" | "o";
type Rule = "classic" | "misere" | "vanishing";
type AlgorithmName = "minimax" | "alpha-beta" | "fail-hard" | "negamax" | "printed" | "mended";
type Bound = "exact" | "upper" | "lower";
type End = "alpha" | "beta";
type Tree = number | Tree[];
type Position = Board | Vanishing | Numbers;

/** What a text names in its places. */
type Values = Record<string, string | number | null | undefined>;

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

type TreeSubject = { kind: "tree"; tree: Tree } & { [key in Exclude<keyof BoardSubject, "kind">]?: undefined };
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
  subject: Subject | null;
  options: Options;
  minimax: number;
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

/** What is known about a node after a step. */
interface NodeState extends Partial<Pick<Moment, "alpha" | "beta" | "best" | "value" | "bound">> {
  is: "new" | "open" | "done" | "known" | "cut";
  visits?: number;
  mean?: number | null;
}

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
