// The end of a game: the result, both fleets, skill and luck, and another game.

import { gamePath, get, reasonOf } from './api.js';
import { boardPlace, makeBoard } from './board.js';
import { make, write } from './dom.js';
import { roster } from './roster.js';
import { open } from './router.js';
import { lastShot, other, picture, playerName, youOrName } from './waters.js';
import { percent, say, signed } from './words.js';

/** @param {View} view */
export function resultWords(view) {
  const winner = view.end?.winner;
  if (!winner) return say(view.end?.how === 'abandoned' ? 'over.nobody' : 'over.draw');
  if (view.you) return say(winner === view.you ? 'over.won' : 'over.lost');
  return say('over.winner', { name: playerName(view, winner) });
}

/** @param {View} view */
export function howWords(view) {
  const { winner, how } = view.end ?? { winner: null, how: 'abandoned' };
  const loser = winner ? youOrName(view, other(winner)) : '';
  if (how === 'sunk' && !winner) return say('how.both');
  const key = view.you && winner && other(winner) === view.you ? `how.you-${how}` : `how.${how}`;
  return say(/** @type {Key} */ (key), { name: loser });
}

export class Over {
  /** @param {View} view @param {Live} live */
  constructor(view, live) {
    this.view = view;
    this.live = live;
    this.rematch = make('button', { type: 'button', class: 'primary big rematch', onclick: () => this.#want() }, say('over.rematch'));
    this.note = make('p', { class: 'note', role: 'status' });
    this.numbers = make('div', { class: 'numbers' });
    const me = view.you ?? 'A';
    this.element = make('section', { class: 'over' },
      make('div', { class: 'result', 'data-result': view.you ? (view.end?.winner === view.you ? 'won' : view.end?.winner ? 'lost' : 'draw') : 'seen' },
        make('h1', { tabindex: '-1' }, resultWords(view)), make('p', {}, howWords(view)),
        make('div', { class: 'buttons' },
          view.you && this.rematch,
          make('a', { href: `/replay/${view.game}`, class: 'button' }, say('over.replay')),
          make('a', { href: '/', class: 'button' }, say('nav.new'))),
        this.note),
      this.numbers,
      boardPlace('waters', view, this.#sea(other(me)), this.#sea(me)));
    this.#review();
  }

  /** @param {View} view */
  update(view) {
    this.view = view;
    if (view.rematch.game && view.you) {
      open(`/game/${view.rematch.game}`);
      return;
    }
    const { you } = view;
    if (!you) return;
    const mine = view.rematch.offered[you];
    const theirs = view.rematch.offered[other(you)] && !view.computer;
    this.rematch.disabled = mine;
    write(this.rematch, say(theirs && !mine ? 'over.accept' : 'over.rematch'));
    this.rematch.toggleAttribute('data-wanted', theirs && !mine);
    if (mine) write(this.note, say('over.offered', { name: playerName(view, other(you)) }));
    else if (theirs) write(this.note, say('over.wanted', { name: playerName(view, other(you)) }));
  }

  async #want() {
    this.rematch.disabled = true;
    try {
      await this.live.command('rematch');
    } catch (error) {
      this.rematch.disabled = false;
      write(this.note, reasonOf(error));
    }
  }

  /** @param {Side} side */
  #sea(side) {
    const board = makeBoard();
    const waters = this.view.waters[side];
    const title = this.view.you === side ? say('battle.yours') : say('battle.of', { name: playerName(this.view, side) });
    const sea = make('section', { class: 'sea' }, make('h2', {}, title), board, roster(this.view, side));
    board.draw(picture(this.view, waters, { title, last: lastShot(waters) }));
    return sea;
  }

  async #review() {
    try {
      const review = await get(`${gamePath(this.view.game)}/review`);
      const sides = /** @type {Side[]} */ (this.view.you === 'B' ? ['B', 'A'] : ['A', 'B']);
      this.numbers.append(...sides.map((side) => sideNumbers(youOrName(this.view, side), review[side])),
        make('p', { class: 'hint' }, say('over.numbers-hint')));
    } catch {
      // A game without shots has nothing to review.
    }
  }
}

/** @param {string} name @param {SideReview | undefined} review */
export function sideNumbers(name, review) {
  if (!review || review.shots.length === 0) return '';
  const entry = (/** @type {string} */ term, /** @type {string} */ value) => make('div', {}, make('dt', {}, term), make('dd', {}, value));
  return make('section', { class: 'card' }, make('h2', {}, name), make('dl', {},
    entry(say('over.skill'), percent(review.skill / 100, 1)),
    entry(say('over.luck'), say('over.hits', { value: signed(review.luck), n: Math.abs(review.luck) })),
    entry(say('over.shots'), String(review.shots.length))));
}
