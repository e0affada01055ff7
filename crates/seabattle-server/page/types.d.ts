// Types of the answers of the server, and of what the modules exchange. For checking only; never served.

type Side = 'A' | 'B';
type Point = { x: number; y: number };
type Shot = { cell: string; answer: 'miss' | 'hit' | 'sunk'; ship?: string };
type Ship = { name: string; cells: string[] };
type ShipClass = { name: string; length: number; count: number };
type Waters = {
  shots: Shot[];
  sunk: string[][];
  impossible: string[];
  afloat: Record<string, number | null> | null;
  fleet: Ship[] | null;
};
type View = {
  game: string;
  revision: number;
  stage: 'waiting' | 'placing' | 'battle' | 'over';
  rules: string;
  width: number;
  height: number;
  ships: ShipClass[];
  touching: string;
  turn: string;
  announce: string;
  you: Side | null;
  names: Record<Side, string | null>;
  computer: { side: Side; level: string } | null;
  seated: Record<Side, boolean>;
  placed: Record<Side, boolean>;
  mover: Side | null;
  due: number;
  clock: number | null;
  deadline: number | null;
  now: number;
  waters: Record<Side, Waters>;
  end: { winner: Side | null; how: string } | null;
  commitment: string | null;
  proof: { salt: string; fleet: string } | null;
  rematch: { offered: Record<Side, boolean>; game: string | null };
};
type Odds = { revision: number; cells: Record<string, number>; best: string };
type ReviewedShot = { number: number; cell: string; answer: string; loss: number; chosen: number; best: number; best_cell: string; rank: number };
type SideReview = { hits: number; expected: number; skill: number; luck: number; deviations: number; shots: ReviewedShot[] };
type TurningPoint = { number: number; kind: 'lead' | 'luck' | 'choice'; hits: number | null };
type Review = Record<Side, SideReview> & { exact: boolean; turning_points: TurningPoint[] };
type Validation = { complete: boolean; refusals: ShipRefusal[]; missing: Record<string, number> };
type ShipRefusal = {
  ship: string;
  code: string;
  cells: string[];
  cell: string | null;
  other: string | null;
  other_cell: string | null;
  reason: string;
};
type Opponent = { id: string; title: string; description: string; group: 'level' | 'document' };
type Listed = {
  id: string;
  rules: string;
  name: string | null;
  clock: number | null;
  created: number;
  winner?: Side | null;
  names: Record<Side, string | null>;
  computer: { side: Side; level: string } | null;
};

type Key = keyof typeof import('./messages-en.js').default;
type SeaBoard = import('./board.js').SeaBoard;
type GameConnection = import('./connection.js').GameConnection;
type LinkState = 'live' | 'polling' | 'lost' | 'replaced';

/** A page, or a part of the page of a game: its element, and what to do when it leaves the screen. */
type Page = { element: HTMLElement; close?: () => void; running?: () => boolean };
type GamePart = { element: HTMLElement; update?: (view: View, before: View | null) => void; close?: () => void };

/** What the board draws in one cell. */
type CellPicture = {
  label: string;
  mark?: string;
  text?: string;
  heat?: number;
  last?: boolean;
  best?: boolean;
  choosable?: boolean;
  grip?: boolean;
  refused?: boolean;
};
type Outline = { points: Point[]; look: 'own' | 'sunk' | 'asked' | 'ghost' | 'refused' };
type BoardPicture = {
  title: string;
  width: number;
  height: number;
  active: boolean;
  column: (x: number) => string;
  cell: (point: Point) => CellPicture;
  outlines: Outline[];
};
type Choice = Point & { by: 'key' | 'pointer' };

/** What a picture of a board shows besides shots and ships. */
type PictureOptions = {
  title: string;
  active?: boolean;
  aimed?: Set<string>;
  showImpossible?: boolean;
  last?: Set<string>;
  odds?: Record<string, number> | null;
  best?: string | null;
};

/** A ship of a draft, and where it is placed. */
type Place = { start: Point; down: boolean };
type Piece = { name: string; length: number; place: Place | null };
type Placement = Place & { name: string };

/** One shot of a replay. */
type Step = { shooter: Side; shot: Shot; index: number; odds: ReviewedShot | undefined };
