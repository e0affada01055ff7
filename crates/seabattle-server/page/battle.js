// The battle: both boards, whose turn it is, the clock, shots, salvos and hints.

import { announce } from './live-region.js';
import { gamePath, get, reasonOf } from './api.js';
import { confirmDialog } from './confirm-dialog.js';
import { boardFrame, makeBoard } from './board.js';
import { boardPicture, lastShot } from './board-picture.js';
import { cellLabel, cellName } from './cells.js';
import { makeClock } from './clock.js';
import { otherSide, playerName, shotText, youOrName } from './descriptions.js';
import { make, setChildren, setText, toggle } from './dom.js';
import { newShots, turnText } from './diff.js';
import { roster } from './roster.js';
import { readSetting, writeSetting } from './settings.js';
import { percent, t } from './i18n.js';

export class Battle {
  /** @type {View} */ #view;
  /** @type {Set<string>} */ #aimed = new Set();
  /** @type {Record<Side, Set<string>>} */ #lastShots = { A: new Set(), B: new Set() };
  /** @type {Odds | null} */ #odds = null;
  #firing = false;
  #hinted = -1;
  #showImpossible = readSetting('impossible', true);
  #showHeat = false;
  #clock = makeClock();

  /** @param {View} view @param {GameConnection} connection */
  constructor(view, connection) {
    this.connection = connection;
    this.#view = view;
    this.me = view.you ?? 'A';
    this.them = otherSide(this.me);
    this.target = makeBoard({ class: 'target', onchoose: (/** @type {CustomEvent<Point>} */ { detail }) => this.#choose(cellName(detail)) });
    this.home = makeBoard({ class: 'home' });
    this.turn = make('h1', { class: 'turn', tabindex: '-1' });
    this.note = make('p', { class: 'note' });
    this.fire = make('button', { type: 'button', class: 'primary big', hidden: true, onclick: () => this.#shoot() });
    this.hint = make('button', { type: 'button', onclick: () => this.#askHint() }, t('battle.hint'));
    this.rosters = { A: make('div'), B: make('div') };
    this.element = this.#compose();
  }

  close() {
    this.#clock.close();
  }

  /** @param {View} view @param {View | null} before */
  update(view, before) {
    this.#view = view;
    for (const side of /** @type {Side[]} */ (['A', 'B'])) this.#updateLastShots(side, before);
    const open = new Set(view.waters[this.them].shots.map(({ cell }) => cell));
    this.#aimed = new Set([...this.#aimed].filter((cell) => this.#isMyTurn && !open.has(cell)));
    this.#clock.update(view);
    this.#draw();
    this.#refreshOdds();
  }

  get #isMyTurn() {
    return this.#view.stage === 'battle' && this.#view.you !== null && this.#view.mover === this.#view.you;
  }

  get #hasHints() {
    return Boolean(this.#view.computer && this.#view.you);
  }

  /** @param {Side} side @param {View | null} before */
  #updateLastShots(side, before) {
    const addedShots = newShots(before, this.#view, side);
    if (addedShots.length) this.#lastShots[side] = new Set(addedShots.map(({ cell }) => cell));
    else if (this.#lastShots[side].size === 0) this.#lastShots[side] = lastShot(this.#view.waters[side]);
  }

  #compose() {
    const impossible = toggle(t('battle.impossible'), this.#showImpossible, (on) => {
      this.#showImpossible = on;
      writeSetting('impossible', on);
      this.#draw();
    });
    const heat = toggle(t('battle.heat'), this.#showHeat, (on) => {
      this.#showHeat = on;
      this.#refreshOdds();
      this.#draw();
    });
    const resign = make('button', { type: 'button', class: 'quiet', onclick: () => this.#resign() }, t('battle.resign'));
    return make('section', { class: 'battle' },
      make('div', { class: 'status' }, this.turn, this.#clock.element), this.note,
      boardFrame('boards', this.#view, this.#boardSection(this.them, this.target, this.fire), this.#boardSection(this.me, this.home, null)),
      make('div', { class: 'tools' }, impossible, this.#hasHints && heat, this.#hasHints && this.hint, this.#view.you && resign));
  }

  /** @param {Side} side @param {HTMLElement} board @param {HTMLElement | null} below */
  #boardSection(side, board, below) {
    return make('section', { class: 'board-section' }, make('h2', {}, this.#title(side)), board, below, this.rosters[side]);
  }

  /** @param {Side} side */
  #title(side) {
    if (this.#view.you === side) return t('battle.yours');
    return this.#view.you ? t('battle.theirs', { name: playerName(this.#view, side) }) : t('battle.of', { name: playerName(this.#view, side) });
  }

  #draw() {
    const view = this.#view;
    const active = this.#isMyTurn && !this.#firing;
    const heat = this.#showHeat && this.#oddsAreCurrent;
    this.target.draw(boardPicture(view, view.waters[this.them], {
      title: this.#title(this.them), active, aimed: this.#aimed, showImpossible: this.#showImpossible, last: this.#lastShots[this.them],
      odds: heat ? this.#odds?.cells : null, best: this.#oddsAreCurrent && (heat || this.#hinted === view.revision) ? this.#odds?.best : null,
    }));
    this.home.draw(boardPicture(view, view.waters[this.me], { title: this.#title(this.me), showImpossible: this.#showImpossible && !view.you, last: this.#lastShots[this.me] }));
    setChildren(this.rosters.A, roster(view, 'A'));
    setChildren(this.rosters.B, roster(view, 'B'));
    this.#drawStatus();
  }

  #drawStatus() {
    setText(this.turn, turnText(this.#view));
    this.turn.toggleAttribute('data-mine', this.#isMyTurn);
    this.hint.disabled = !this.#isMyTurn || this.#firing;
    this.fire.hidden = !this.#isMyTurn || this.#view.due < 2;
    this.fire.disabled = this.#firing || this.#aimed.size < this.#view.due;
    setText(this.fire, t('battle.fire', { aimed: this.#aimed.size, n: this.#view.due }));
    setText(this.note, this.#lastShotsText());
  }

  #lastShotsText() {
    const sides = /** @type {Side[]} */ ([this.them, this.me]);
    return sides.filter((side) => this.#view.waters[side].shots.length > 0).map((side) => {
      const shots = this.#view.waters[side].shots.filter(({ cell }) => this.#lastShots[side].has(cell));
      return `${youOrName(this.#view, otherSide(side))}: ${shots.map(shotText).join(' ')}`;
    }).join(' · ');
  }

  /** @param {string} cell */
  #choose(cell) {
    if (this.#firing) return;
    const { due } = this.#view;
    if (this.#aimed.has(cell)) this.#aimed.delete(cell);
    else if (this.#aimed.size < due) this.#aimed.add(cell);
    else announce(t('battle.all-aimed', { n: due }));
    if (due === 1) this.#shoot();
    else this.#draw();
  }

  async #shoot() {
    this.#firing = true;
    if (document.activeElement === this.fire) this.target.focusCell();
    this.#draw();
    try {
      await this.connection.command('shoot', { cells: [...this.#aimed] });
    } catch (error) {
      announce(reasonOf(error));
      this.note.textContent = reasonOf(error);
    }
    this.#aimed.clear();
    this.#firing = false;
    this.#draw();
  }

  async #resign() {
    if (await confirmDialog(t('battle.resign-question'), t('battle.resign'))) this.connection.command('resign').catch((error) => announce(reasonOf(error)));
  }

  get #oddsAreCurrent() {
    return this.#isMyTurn && this.#odds?.revision === this.#view.revision;
  }

  async #refreshOdds() {
    if (!this.#showHeat || !this.#isMyTurn || this.#oddsAreCurrent) return;
    await this.#fetchOdds();
  }

  async #fetchOdds() {
    try {
      this.#odds = await get(`${gamePath(this.#view.game)}/odds`);
      this.#draw();
    } catch (error) {
      announce(reasonOf(error));
    }
  }

  async #askHint() {
    const { revision } = this.#view;
    if (!this.#oddsAreCurrent) await this.#fetchOdds();
    if (!this.#odds || !this.#oddsAreCurrent || this.#view.revision !== revision) return;
    this.#hinted = revision;
    this.#draw();
    const text = t('battle.hint-words', { cell: cellLabel(this.#odds.best), chance: percent(this.#odds.cells[this.#odds.best] ?? 0) });
    setText(this.note, text);
    announce(text);
  }
}
