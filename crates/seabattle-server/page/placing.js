// Placing the fleet by mouse, touch or keyboard. The server decides what is allowed.

import { announce } from './live-region.js';
import { get, reasonOf, RefusedRequest } from './api.js';
import { boardFrame, makeBoard } from './board.js';
import { cellName, columnLabel, pointLabel } from './cells.js';
import { make, setChildren, setText } from './dom.js';
import { Draft } from './draft.js';
import { dragShips } from './drag.js';
import { PlacementValidator } from './validator.js';
import { savedLayouts } from './saved-layouts.js';
import { NO_PROBLEM, problemOf } from './refusals.js';
import { shipLabel } from './roster.js';
import { readSetting, writeSetting } from './settings.js';
import { playSound } from './sounds.js';
import { capital, shipName, t } from './i18n.js';

/** @typedef {import('./refusals.js').Problem} Problem */

const GHOST_CHECK_DELAY = 120;

export class Placing {
  /** @type {Piece | null} */ #held = null;
  /** @type {Place | null} */ #ghost = null;
  #down = false;
  /** @type {Problem | null} of the ship that is held or was just refused; `null` until the server answers */ #problem = null;
  #busy = false;
  #ghostTimer = 0;
  #complete = false;

  /** @param {View} view @param {(fleet: string) => Promise<void>} place */
  constructor(view, place) {
    this.rules = view.rules;
    this.draftName = `draft.${view.game}`;
    this.draft = new Draft(view);
    this.validator = new PlacementValidator(view.rules);
    this.board = makeBoard({
      class: 'placing-board',
      onchoose: (/** @type {CustomEvent<Choice>} */ { detail }) => this.#choose(detail),
      onaim: (/** @type {CustomEvent<Point>} */ { detail }) => this.#moveGhost(detail),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onKey(event),
    });
    this.dock = make('ul', { class: 'dock', 'aria-label': t('placing.ships') });
    this.message = make('p', { class: 'reason', role: 'status' });
    this.readyButton = make('button', { type: 'button', class: 'primary big', onclick: () => this.#submit(place) }, t('placing.ready'));
    this.rotateButton = make('button', { type: 'button', onclick: () => this.#rotateHeld() }, t('placing.rotate'));
    this.element = this.#compose();
    this.draft.load(readSetting(this.draftName, '', sessionStorage));
    this.stopDragging = dragShips(this.board, this.dock, {
      piece: (point) => this.draft.pieceAt(point),
      docked: (index) => this.draft.pieces[index] ?? null,
      pickUp: (piece) => this.#hold(piece),
      moveOver: (piece, point, grip) => this.#moveGhost(point, grip),
      drop: (onBoard) => this.#drop(onBoard),
    });
    this.#changed();
  }

  close() {
    this.stopDragging();
    clearTimeout(this.#ghostTimer);
  }

  #compose() {
    const button = (/** @type {Key} */ key, /** @type {() => void} */ onclick) =>
      make('button', { type: 'button', onclick }, t(key));
    return make('section', { class: 'placing' },
      make('h1', {}, t('placing.title')),
      make('p', { class: 'lead' }, t('placing.lead')),
      boardFrame('placing-layout', this.draft,
        make('div', { class: 'board-side' }, this.board, this.message),
        make('div', { class: 'dock-side' },
          this.dock,
          make('div', { class: 'buttons' }, this.rotateButton, button('placing.random', () => this.#random('')),
            button('placing.rest', () => this.#random(this.draft.text())), button('placing.clear', () => this.#clear())),
          this.readyButton,
          savedLayouts(this.rules, () => (this.#complete ? this.draft.text() : ''), (fleet) => this.#load(fleet)))));
  }

  #draw() {
    const shown = this.draft.pieces.filter((piece) => piece.place && piece !== this.#held);
    this.board.draw({
      title: t('placing.board'), width: this.draft.width, height: this.draft.height, active: true, column: columnLabel,
      cell: (point) => this.#cellPicture(point),
      outlines: [
        ...shown.map((piece) => ({ points: this.draft.points(piece, /** @type {Place} */ (piece.place)), look: /** @type {const} */ ('own') })),
        ...(this.#held && this.#ghost ? [{ points: this.draft.points(this.#held, this.#ghost), look: this.#ghostLook }] : []),
      ],
    });
    this.rotateButton.disabled = !this.#held;
    this.readyButton.disabled = !this.#complete || this.#busy;
  }

  /** @returns {Outline['look']} */
  get #ghostLook() {
    if (this.#problem === null) return 'asked';
    return this.#problem.text ? 'refused' : 'ghost';
  }

  /** @param {Point} point @returns {CellPicture} */
  #cellPicture(point) {
    const piece = this.draft.pieceAt(point);
    const isShip = piece && piece !== this.#held;
    const content = isShip ? shipName(piece.name) : t('mark.water');
    const refused = this.#problem?.cells.includes(cellName(point)) ?? false;
    const label = [pointLabel(point), content, refused && t('mark.refused')].filter(Boolean).join(', ');
    return { label, mark: isShip ? 'ship' : 'open', choosable: true, grip: Boolean(isShip), refused };
  }

  #drawDock() {
    if (!this.dock.firstChild) setChildren(this.dock, ...this.draft.pieces.map((piece, index) => this.#dockItem(piece, index)));
    this.dock.querySelectorAll('button').forEach((button, index) => {
      const piece = this.draft.pieces[index];
      button.setAttribute('aria-pressed', String(piece === this.#held));
      button.toggleAttribute('data-placed', Boolean(piece.place));
      const where = piece.place
        ? t(piece.place.down ? 'placing.down' : 'placing.across', { cell: pointLabel(piece.place.start) }) : t('placing.unplaced');
      setText(/** @type {Element} */ (button.lastElementChild), where);
    });
  }

  /** @param {Piece} piece @param {number} index */
  #dockItem(piece, index) {
    return make('li', {}, make('button', {
      type: 'button', class: 'piece', 'data-index': index,
      onclick: () => (piece === this.#held ? this.#rotateHeld() : this.#pickUp(piece)),
    },
    make('span', { class: 'hull', 'aria-hidden': 'true' }, ...Array.from({ length: piece.length }, () => make('i', { 'data-cell': 'whole' }))),
    shipLabel(piece.name), make('small', {})));
  }

  /** Picks a ship up, and moves the keyboard's focus to the board. @param {Piece} piece */
  #pickUp(piece) {
    this.#putBack();
    this.#hold(piece);
    if (!window.matchMedia('(pointer: coarse)').matches) this.board.focusCell(piece.place?.start);
    this.#showMessage(t('placing.picked', { ship: shipName(piece.name) }));
  }

  /** @param {Piece} piece */
  #hold(piece) {
    this.#held = piece;
    this.#ghost = piece.place;
    this.#down = piece.place?.down ?? this.#down;
    this.#problem = null;
    this.#redraw();
  }

  #putBack() {
    this.#held = null;
    this.#ghost = null;
    this.#problem = null;
    clearTimeout(this.#ghostTimer);
  }

  /** Moves the preview of the held ship, and soon asks whether it may be placed there. @param {Point} point @param {number} [grip] */
  #moveGhost(point, grip = 0) {
    if (!this.#held) return;
    const start = this.#down ? { x: point.x, y: point.y - grip } : { x: point.x - grip, y: point.y };
    const place = this.draft.within(this.#held, { start, down: this.#down });
    if (this.#ghost && cellName(this.#ghost.start) === cellName(place.start) && this.#ghost.down === place.down) return;
    this.#ghost = place;
    this.#problem = null;
    this.#draw();
    clearTimeout(this.#ghostTimer);
    this.#ghostTimer = window.setTimeout(() => this.#checkGhost(), GHOST_CHECK_DELAY);
  }

  async #checkGhost() {
    const [piece, place] = [this.#held, this.#ghost];
    if (!piece || !place) return;
    const problem = await this.#problemWith(piece, place);
    if (piece !== this.#held || place !== this.#ghost) return;
    this.#problem = problem;
    this.#showMessage(problem.text, Boolean(problem.text));
    this.#draw();
  }

  /** @param {Piece} piece @param {Place} place @returns {Promise<Problem>} */
  #problemWith(piece, place) {
    return this.validator.problem(this.draft.text(piece, place)).catch((error) => ({ text: reasonOf(error), cells: [] }));
  }

  /** @param {Choice} choice */
  async #choose(choice) {
    const piece = this.draft.pieceAt(choice);
    if (piece && piece !== this.#held && choice.by === 'pointer') return this.#rotate(piece, choice);
    if (this.#held) {
      this.#moveGhost(choice);
      return this.#placeHeld(true);
    }
    if (piece) this.#pickUp(piece);
    else this.#showMessage(t('placing.pick-first'));
  }

  /** Places the held ship where its preview is. @param {boolean} next whether to pick up the next ship */
  async #placeHeld(next) {
    const [piece, place] = [this.#held, this.#ghost];
    if (!piece || !place || this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#ghostTimer);
    const problem = await this.#problemWith(piece, place);
    this.#busy = false;
    if (problem.text) {
      if (!next) this.#putBack();
      return this.#showProblem(problem);
    }
    piece.place = place;
    this.#putBack();
    playSound('place');
    this.#showMessage(t('placing.placed', { ship: capital(shipName(piece.name)), cell: pointLabel(place.start) }));
    const waiting = this.draft.pieces.find((each) => !each.place);
    if (next && waiting) this.#hold(waiting);
    await this.#changed();
    if (!waiting && this.#complete) this.#showMessage(t('placing.all-placed'));
  }

  /** Says what is wrong, and marks the cells. @param {Problem} problem */
  #showProblem(problem) {
    this.#problem = problem;
    this.#redraw();
    this.#showMessage(problem.text, true);
  }

  /** @param {boolean} onBoard */
  #drop(onBoard) {
    if (onBoard) return this.#placeHeld(false);
    this.#putBack();
    this.#redraw();
  }

  #rotateHeld() {
    if (!this.#held) return;
    this.#down = !this.#down;
    const at = this.#ghost?.start ?? this.board.cursor;
    this.#ghost = null;
    this.#moveGhost(at);
    announce(t(this.#down ? 'placing.lies-down' : 'placing.lies-across'));
  }

  /** @param {Piece} piece @param {Point} around */
  async #rotate(piece, around) {
    if (!piece.place || this.#busy) return;
    this.#busy = true;
    this.#putBack();
    let problem = NO_PROBLEM;
    for (const place of this.draft.rotated(piece, piece.place, around)) {
      problem = await this.#problemWith(piece, place);
      if (problem.text) continue;
      piece.place = place;
      playSound('place');
      break;
    }
    this.#busy = false;
    await this.#changed();
    if (problem.text) this.#showProblem(problem);
    else this.#showMessage(t('placing.turned', { ship: capital(shipName(piece.name)) }));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
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
      this.#showMessage(reasonOf(error));
    }
  }

  /** @param {string} fleet */
  #load(fleet) {
    this.#putBack();
    this.draft.load(fleet);
    playSound('place');
    this.#changed();
    this.#showMessage(this.draft.complete ? t('placing.all-placed') : '');
  }

  #clear() {
    this.#putBack();
    this.draft.clear();
    this.#showMessage('');
    this.#changed();
  }

  async #changed() {
    writeSetting(this.draftName, this.draft.text(), sessionStorage);
    this.#complete = false;
    this.#redraw();
    if (!this.draft.complete) return;
    const text = this.draft.text();
    const validation = await this.validator.check(text).catch(() => null);
    if (text !== this.draft.text()) return;
    this.#complete = validation?.complete ?? false;
    if (validation?.refusals.length) this.#showProblem(problemOf(validation.refusals));
    else this.#draw();
  }

  #redraw() {
    this.#draw();
    this.#drawDock();
  }

  /** @param {(fleet: string) => Promise<void>} place */
  async #submit(place) {
    this.#busy = true;
    this.readyButton.disabled = true;
    try {
      await place(this.draft.text());
    } catch (error) {
      const refusals = error instanceof RefusedRequest ? error.refusals : [];
      this.#showProblem(refusals.length ? problemOf(refusals) : { text: reasonOf(error), cells: [] });
    }
    this.#busy = false;
    this.#draw();
  }

  /** @param {string} text @param {boolean} [isProblem] */
  #showMessage(text, isProblem = false) {
    setText(this.message, text);
    this.message.toggleAttribute('data-refused', isProblem);
  }
}
