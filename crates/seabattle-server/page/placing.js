// Placing the fleet: by drag, by taps, by keys; the server says what may be.

import { announce } from './announce.js';
import { get, reasonOf } from './api.js';
import { boardPlace, makeBoard } from './board.js';
import { cellName, columnLabel, pointLabel } from './cells.js';
import { fill, make, write } from './dom.js';
import { Draft } from './draft.js';
import { followDrag } from './drag.js';
import { Judge } from './judge.js';
import { layoutShelf } from './layouts.js';
import { shipLabel } from './roster.js';
import { recall, remember } from './settings.js';
import { play } from './sounds.js';
import { capital, language, say, shipName } from './words.js';

const GHOST_PATIENCE = 120;
const SERVER_LANGUAGE = 'en';

export class Placing {
  /** @type {Piece | null} */ #held = null;
  /** @type {Place | null} */ #ghost = null;
  #down = false;
  /** @type {string | null} `null` while nobody knows */ #objection = null;
  #busy = false;
  #wait = 0;
  #complete = false;

  /** @param {View} view @param {(fleet: string) => Promise<void>} place */
  constructor(view, place) {
    this.rules = view.rules;
    this.draftName = `draft.${view.game}`;
    this.draft = new Draft(view);
    this.judge = new Judge(view.rules);
    this.board = makeBoard({
      class: 'placing-board',
      onchoose: (/** @type {CustomEvent<Choice>} */ { detail }) => this.#choose(detail),
      onaim: (/** @type {CustomEvent<Point>} */ { detail }) => this.#haunt(detail),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
    });
    this.dock = make('ul', { class: 'dock', 'aria-label': say('placing.ships') });
    this.reason = make('p', { class: 'reason', role: 'status' });
    this.ready = make('button', { type: 'button', class: 'primary big', onclick: () => this.#submit(place) }, say('placing.ready'));
    this.turn = make('button', { type: 'button', onclick: () => this.#rotateHeld() }, say('placing.rotate'));
    this.element = this.#compose();
    this.draft.load(recall(this.draftName, '', sessionStorage));
    this.stopDragging = followDrag(this.board, this.dock, {
      piece: (point) => this.draft.pieceAt(point),
      docked: (index) => this.draft.pieces[index] ?? null,
      lift: (piece) => this.#lift(piece),
      over: (piece, point, grip) => this.#haunt(point, grip),
      drop: (onBoard) => this.#drop(onBoard),
    });
    this.#changed();
  }

  close() {
    this.stopDragging();
    clearTimeout(this.#wait);
  }

  #compose() {
    const button = (/** @type {Key} */ key, /** @type {() => void} */ onclick) =>
      make('button', { type: 'button', onclick }, say(key));
    return make('section', { class: 'placing' },
      make('h1', {}, say('placing.title')),
      make('p', { class: 'lead' }, say('placing.lead')),
      boardPlace('table', this.draft,
        make('div', { class: 'board-side' }, this.board, this.reason),
        make('div', { class: 'dock-side' },
          this.dock,
          make('div', { class: 'buttons' }, this.turn, button('placing.random', () => this.#random('')),
            button('placing.rest', () => this.#random(this.draft.text())), button('placing.clear', () => this.#clear())),
          this.ready,
          layoutShelf(this.rules, () => (this.#complete ? this.draft.text() : ''), (fleet) => this.#load(fleet)))));
  }

  #draw() {
    const shown = this.draft.pieces.filter((piece) => piece.place && piece !== this.#held);
    this.board.draw({
      title: say('placing.board'), width: this.draft.width, height: this.draft.height, active: true, column: columnLabel,
      square: (point) => this.#square(point),
      outlines: [
        ...shown.map((piece) => ({ points: this.draft.points(piece, /** @type {Place} */ (piece.place)), look: /** @type {const} */ ('own') })),
        ...(this.#held && this.#ghost ? [{ points: this.draft.points(this.#held, this.#ghost), look: this.#ghostLook }] : []),
      ],
    });
    this.turn.disabled = !this.#held;
    this.ready.disabled = !this.#complete || this.#busy;
  }

  /** @returns {Outline['look']} */
  get #ghostLook() {
    if (this.#objection === null) return 'asked';
    return this.#objection ? 'refused' : 'ghost';
  }

  /** @param {Point} point @returns {Square} */
  #square(point) {
    const piece = this.draft.pieceAt(point);
    const lies = piece && piece !== this.#held;
    const what = lies ? shipName(piece.name) : say('mark.water');
    return { label: `${pointLabel(point)}, ${what}`, mark: lies ? 'ship' : 'open', choosable: true, grip: Boolean(lies) };
  }

  #drawDock() {
    if (!this.dock.firstChild) fill(this.dock, ...this.draft.pieces.map((piece, index) => this.#dockItem(piece, index)));
    this.dock.querySelectorAll('button').forEach((button, index) => {
      const piece = this.draft.pieces[index];
      button.setAttribute('aria-pressed', String(piece === this.#held));
      button.toggleAttribute('data-placed', Boolean(piece.place));
      const where = piece.place
        ? say(piece.place.down ? 'placing.down' : 'placing.across', { cell: pointLabel(piece.place.start) }) : say('placing.unplaced');
      write(/** @type {Element} */ (button.lastElementChild), where);
    });
  }

  /** @param {Piece} piece @param {number} index */
  #dockItem(piece, index) {
    return make('li', {}, make('button', {
      type: 'button', class: 'piece', 'data-index': index,
      onclick: () => (piece === this.#held ? this.#rotateHeld() : this.#pick(piece)),
    },
    make('span', { class: 'hull', 'aria-hidden': 'true' }, ...Array.from({ length: piece.length }, () => make('i', { 'data-cell': 'whole' }))),
    shipLabel(piece.name), make('small', {})));
  }

  /** Takes a ship into the hand; the keyboard follows it to the board. @param {Piece} piece */
  #pick(piece) {
    this.#putBack();
    this.#lift(piece);
    if (!window.matchMedia('(pointer: coarse)').matches) this.board.focusCell(piece.place?.start);
    this.#tell(say('placing.picked', { ship: shipName(piece.name) }));
  }

  /** @param {Piece} piece */
  #lift(piece) {
    this.#held = piece;
    this.#ghost = piece.place;
    this.#down = piece.place?.down ?? this.#down;
    this.#objection = null;
    this.#redraw();
  }

  #putBack() {
    this.#held = null;
    this.#ghost = null;
    this.#objection = null;
    clearTimeout(this.#wait);
  }

  /** Moves the ghost, and asks after a moment whether it may lie there. @param {Point} point @param {number} [grip] */
  #haunt(point, grip = 0) {
    if (!this.#held) return;
    const start = this.#down ? { x: point.x, y: point.y - grip } : { x: point.x - grip, y: point.y };
    const place = this.draft.within(this.#held, { start, down: this.#down });
    if (this.#ghost && cellName(this.#ghost.start) === cellName(place.start) && this.#ghost.down === place.down) return;
    this.#ghost = place;
    this.#objection = null;
    this.#draw();
    clearTimeout(this.#wait);
    this.#wait = window.setTimeout(() => this.#examine(), GHOST_PATIENCE);
  }

  async #examine() {
    const [piece, place] = [this.#held, this.#ghost];
    if (!piece || !place) return;
    const objection = await this.#objectionTo(piece, place);
    if (piece !== this.#held || place !== this.#ghost) return;
    this.#objection = objection;
    this.#tell(objection);
    this.#draw();
  }

  /** @param {Piece} piece @param {Place} place */
  #objectionTo(piece, place) {
    return this.judge.objection(this.draft.text(piece, place)).catch(reasonOf);
  }

  /** @param {Choice} choice */
  async #choose(choice) {
    const piece = this.draft.pieceAt(choice);
    if (piece && piece !== this.#held && choice.by === 'pointer') return this.#rotate(piece, choice);
    if (this.#held) {
      this.#haunt(choice);
      return this.#settle(true);
    }
    if (piece) this.#pick(piece);
    else this.#tell(say('placing.pick-first'));
  }

  /** @param {boolean} next whether the next ship comes to the hand by itself */
  async #settle(next) {
    const [piece, place] = [this.#held, this.#ghost];
    if (!piece || !place || this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#wait);
    const objection = await this.#objectionTo(piece, place);
    this.#busy = false;
    if (objection) return this.#refuse(objection, next);
    piece.place = place;
    this.#putBack();
    play('place');
    this.#tell(say('placing.placed', { ship: capital(shipName(piece.name)), cell: pointLabel(place.start) }));
    const waiting = this.draft.pieces.find((each) => !each.place);
    if (next && waiting) this.#lift(waiting);
    await this.#changed();
    if (!waiting) this.#tell(say('placing.all-placed'));
  }

  /** @param {string} objection @param {boolean} stays whether the ship stays in the hand */
  #refuse(objection, stays) {
    this.#objection = objection;
    if (!stays) this.#putBack();
    this.#redraw();
    this.#tell(objection);
  }

  /** @param {boolean} onBoard */
  #drop(onBoard) {
    if (onBoard) return this.#settle(false);
    this.#putBack();
    this.#redraw();
  }

  #rotateHeld() {
    if (!this.#held) return;
    this.#down = !this.#down;
    const at = this.#ghost?.start ?? this.board.cursor;
    this.#ghost = null;
    this.#haunt(at);
    announce(say(this.#down ? 'placing.lies-down' : 'placing.lies-across'));
  }

  /** @param {Piece} piece @param {Point} around */
  async #rotate(piece, around) {
    if (!piece.place || this.#busy) return;
    this.#busy = true;
    this.#putBack();
    let objection = '';
    for (const place of this.draft.turned(piece, piece.place, around)) {
      objection = await this.#objectionTo(piece, place);
      if (objection) continue;
      piece.place = place;
      play('place');
      break;
    }
    this.#busy = false;
    await this.#changed();
    this.#tell(objection || say('placing.turned', { ship: capital(shipName(piece.name)) }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const piece = this.draft.pieceAt(this.board.cursor);
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.code === 'KeyR') {
      if (this.#held) this.#rotateHeld();
      else if (piece) this.#rotate(piece, this.board.cursor);
    } else if (event.key === 'Escape') {
      this.#putBack();
      this.#redraw();
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && piece && !this.#held) {
      piece.place = null;
      this.#changed();
    }
  }

  /** @param {string} around */
  async #random(around) {
    const more = around ? `&around=${encodeURIComponent(around)}` : '';
    try {
      const { fleet } = await get(`/api/layout?rules=${encodeURIComponent(this.rules)}${more}`);
      this.#load(fleet);
    } catch (error) {
      this.#tell(reasonOf(error));
    }
  }

  /** @param {string} fleet */
  #load(fleet) {
    this.#putBack();
    this.draft.load(fleet);
    play('place');
    this.#changed();
    this.#tell(this.draft.complete ? say('placing.all-placed') : '');
  }

  #clear() {
    this.#putBack();
    this.draft.clear();
    this.#tell('');
    this.#changed();
  }

  async #changed() {
    remember(this.draftName, this.draft.text(), sessionStorage);
    this.#complete = false;
    this.#redraw();
    if (!this.draft.complete) return;
    const text = this.draft.text();
    const verdict = await this.judge.ask(text).catch(() => null);
    if (text !== this.draft.text()) return;
    this.#complete = verdict?.complete ?? false;
    if (verdict && !verdict.complete) this.#tell(verdict.refusals[0]?.reason ?? '');
    this.#draw();
  }

  #redraw() {
    this.#draw();
    this.#drawDock();
  }

  /** @param {(fleet: string) => Promise<void>} place */
  async #submit(place) {
    this.#busy = true;
    this.ready.disabled = true;
    try {
      await place(this.draft.text());
    } catch (error) {
      this.#tell(reasonOf(error));
    }
    this.#busy = false;
    this.#draw();
  }

  /** @param {string} text */
  #tell(text) {
    const refused = Boolean(text) && text === this.#objection;
    write(this.reason, text);
    this.reason.lang = refused ? SERVER_LANGUAGE : language();
    this.reason.toggleAttribute('data-refused', refused);
  }
}
