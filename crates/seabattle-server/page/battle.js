// The battle: both waters, whose turn, the clock, shots, salvos, hints.

import { announce } from './announce.js';
import { gamePath, get, reasonOf } from './api.js';
import { ask } from './ask.js';
import { boardPlace, makeBoard } from './board.js';
import { cellLabel, cellName } from './cells.js';
import { makeClock } from './clock.js';
import { fill, make, toggle, write } from './dom.js';
import { newShots, turnWords } from './news.js';
import { roster } from './roster.js';
import { recall, remember } from './settings.js';
import { lastShot, other, picture, playerName, shotWords, youOrName } from './waters.js';
import { percent, say } from './words.js';

export class Battle {
  /** @type {View} */ #view;
  /** @type {Set<string>} */ #aimed = new Set();
  /** @type {Record<Side, Set<string>>} */ #last = { A: new Set(), B: new Set() };
  /** @type {Odds | null} */ #odds = null;
  #firing = false;
  #hinted = -1;
  #showImpossible = recall('impossible', true);
  #showHeat = false;
  #clock = makeClock();

  /** @param {View} view @param {Live} live */
  constructor(view, live) {
    this.live = live;
    this.#view = view;
    this.me = view.you ?? 'A';
    this.them = other(this.me);
    this.target = makeBoard({ class: 'target', onchoose: (/** @type {CustomEvent<Point>} */ { detail }) => this.#choose(cellName(detail)) });
    this.home = makeBoard({ class: 'home' });
    this.turn = make('h1', { class: 'turn', tabindex: '-1' });
    this.note = make('p', { class: 'note' });
    this.fire = make('button', { type: 'button', class: 'primary big', hidden: true, onclick: () => this.#shoot() });
    this.hint = make('button', { type: 'button', onclick: () => this.#askHint() }, say('battle.hint'));
    this.rosters = { A: make('div'), B: make('div') };
    this.element = this.#compose();
  }

  close() {
    this.#clock.close();
  }

  /** @param {View} view @param {View | null} before */
  update(view, before) {
    this.#view = view;
    for (const side of /** @type {Side[]} */ (['A', 'B'])) this.#remark(side, before);
    const open = new Set(view.waters[this.them].shots.map(({ cell }) => cell));
    this.#aimed = new Set([...this.#aimed].filter((cell) => this.#mine && !open.has(cell)));
    this.#clock.update(view);
    this.#draw();
    this.#refreshOdds();
  }

  get #mine() {
    return this.#view.stage === 'battle' && this.#view.you !== null && this.#view.mover === this.#view.you;
  }

  get #helped() {
    return Boolean(this.#view.computer && this.#view.you);
  }

  /** @param {Side} side @param {View | null} before */
  #remark(side, before) {
    const fresh = newShots(before, this.#view, side);
    if (fresh.length) this.#last[side] = new Set(fresh.map(({ cell }) => cell));
    else if (this.#last[side].size === 0) this.#last[side] = lastShot(this.#view.waters[side]);
  }

  #compose() {
    const impossible = toggle(say('battle.impossible'), this.#showImpossible, (on) => {
      this.#showImpossible = on;
      remember('impossible', on);
      this.#draw();
    });
    const heat = toggle(say('battle.heat'), this.#showHeat, (on) => {
      this.#showHeat = on;
      this.#refreshOdds();
      this.#draw();
    });
    const resign = make('button', { type: 'button', class: 'quiet', onclick: () => this.#resign() }, say('battle.resign'));
    return make('section', { class: 'battle' },
      make('div', { class: 'status' }, this.turn, this.#clock.element), this.note,
      boardPlace('waters', this.#view, this.#sea(this.them, this.target, this.fire), this.#sea(this.me, this.home, null)),
      make('div', { class: 'tools' }, impossible, this.#helped && heat, this.#helped && this.hint, this.#view.you && resign));
  }

  /** @param {Side} side @param {HTMLElement} board @param {HTMLElement | null} below */
  #sea(side, board, below) {
    return make('section', { class: 'sea' }, make('h2', {}, this.#title(side)), board, below, this.rosters[side]);
  }

  /** @param {Side} side */
  #title(side) {
    if (this.#view.you === side) return say('battle.yours');
    return this.#view.you ? say('battle.theirs', { name: playerName(this.#view, side) }) : say('battle.of', { name: playerName(this.#view, side) });
  }

  #draw() {
    const view = this.#view;
    const active = this.#mine && !this.#firing;
    const heat = this.#showHeat && this.#oddsFit;
    this.target.draw(picture(view, view.waters[this.them], {
      title: this.#title(this.them), active, aimed: this.#aimed, showImpossible: this.#showImpossible, last: this.#last[this.them],
      odds: heat ? this.#odds?.cells : null, best: this.#oddsFit && (heat || this.#hinted === view.revision) ? this.#odds?.best : null,
    }));
    this.home.draw(picture(view, view.waters[this.me], { title: this.#title(this.me), showImpossible: this.#showImpossible && !view.you, last: this.#last[this.me] }));
    fill(this.rosters.A, roster(view, 'A'));
    fill(this.rosters.B, roster(view, 'B'));
    this.#drawStatus();
  }

  #drawStatus() {
    write(this.turn, turnWords(this.#view));
    this.turn.toggleAttribute('data-mine', this.#mine);
    this.hint.disabled = !this.#mine || this.#firing;
    this.fire.hidden = !this.#mine || this.#view.due < 2;
    this.fire.disabled = this.#firing || this.#aimed.size < this.#view.due;
    write(this.fire, say('battle.fire', { aimed: this.#aimed.size, n: this.#view.due }));
    write(this.note, this.#lastWords());
  }

  #lastWords() {
    const sides = /** @type {Side[]} */ ([this.them, this.me]);
    return sides.filter((side) => this.#view.waters[side].shots.length > 0).map((side) => {
      const shots = this.#view.waters[side].shots.filter(({ cell }) => this.#last[side].has(cell));
      return `${youOrName(this.#view, other(side))}: ${shots.map(shotWords).join(' ')}`;
    }).join(' · ');
  }

  /** @param {string} cell */
  #choose(cell) {
    if (this.#firing) return;
    const { due } = this.#view;
    if (this.#aimed.has(cell)) this.#aimed.delete(cell);
    else if (this.#aimed.size < due) this.#aimed.add(cell);
    else announce(say('battle.all-aimed', { n: due }));
    if (due === 1) this.#shoot();
    else this.#draw();
  }

  async #shoot() {
    this.#firing = true;
    if (document.activeElement === this.fire) this.target.focusCell();
    this.#draw();
    try {
      await this.live.command('shoot', { cells: [...this.#aimed] });
    } catch (error) {
      announce(reasonOf(error));
      this.note.textContent = reasonOf(error);
    }
    this.#aimed.clear();
    this.#firing = false;
    this.#draw();
  }

  async #resign() {
    if (await ask(say('battle.resign-question'), say('battle.resign'))) this.live.command('resign').catch((error) => announce(reasonOf(error)));
  }

  get #oddsFit() {
    return this.#mine && this.#odds?.revision === this.#view.revision;
  }

  async #refreshOdds() {
    if (!this.#showHeat || !this.#mine || this.#oddsFit) return;
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
    if (!this.#oddsFit) await this.#fetchOdds();
    if (!this.#odds || !this.#oddsFit || this.#view.revision !== revision) return;
    this.#hinted = revision;
    this.#draw();
    const words = say('battle.hint-words', { cell: cellLabel(this.#odds.best), chance: percent(this.#odds.cells[this.#odds.best] ?? 0) });
    write(this.note, words);
    announce(words);
  }
}
