// The end of a game: the result, skill and luck, both fleets, and the rematch.

import { gamePath, getPatiently, reasonOf } from './api.js';
import { boardFrame, makeBoard } from './board.js';
import { boardPicture, lastShot } from './board-picture.js';
import { otherSide, playerName, youOrName } from './descriptions.js';
import { make, setText } from './dom.js';
import { roster } from './roster.js';
import { navigate } from './router.js';
import { percent, signed, t } from './i18n.js';

/** @param {View} view */
export function resultText(view) {
  const winner = view.end?.winner;
  if (!winner) return t(view.end?.how === 'abandoned' ? 'over.nobody' : 'over.draw');
  if (view.you) return t(winner === view.you ? 'over.won' : 'over.lost');
  return t('over.winner', { name: playerName(view, winner) });
}

/** @param {View} view */
export function endText(view) {
  const { winner, how } = view.end ?? { winner: null, how: 'abandoned' };
  const loser = winner ? youOrName(view, otherSide(winner)) : '';
  if (how === 'sunk' && !winner) return t('how.both');
  const key = view.you && winner && otherSide(winner) === view.you ? `how.you-${how}` : `how.${how}`;
  return t(/** @type {Key} */ (key), { name: loser });
}

export class GameOver {
  /** @param {View} view @param {GameConnection} connection */
  constructor(view, connection) {
    this.view = view;
    this.connection = connection;
    this.rematch = make('button', { type: 'button', class: 'primary big rematch', onclick: () => this.#offerRematch() }, t('over.rematch'));
    this.note = make('p', { class: 'note', role: 'status' });
    this.numbers = make('div', { class: 'numbers' });
    const me = view.you ?? 'A';
    this.element = make('section', { class: 'over' },
      make('div', { class: 'result', 'data-result': view.you ? (view.end?.winner === view.you ? 'won' : view.end?.winner ? 'lost' : 'draw') : 'seen' },
        make('h1', { tabindex: '-1' }, resultText(view)), make('p', {}, endText(view)),
        make('div', { class: 'buttons' },
          view.you && this.rematch,
          make('a', { href: `/replay/${view.game}`, class: 'button' }, t('over.replay')),
          make('a', { href: '/', class: 'button' }, t('nav.new'))),
        this.note),
      this.numbers,
      boardFrame('boards', view, this.#boardSection(otherSide(me)), this.#boardSection(me)));
    this.#review();
  }

  /** @param {View} view */
  update(view) {
    this.view = view;
    if (view.rematch.game && view.you) {
      navigate(`/game/${view.rematch.game}`);
      return;
    }
    const { you } = view;
    if (!you) return;
    const mine = view.rematch.offered[you];
    const theirs = view.rematch.offered[otherSide(you)] && !view.computer;
    this.rematch.disabled = mine;
    setText(this.rematch, t(theirs && !mine ? 'over.accept' : 'over.rematch'));
    this.rematch.toggleAttribute('data-wanted', theirs && !mine);
    if (mine) setText(this.note, t('over.offered', { name: playerName(view, otherSide(you)) }));
    else if (theirs) setText(this.note, t('over.wanted', { name: playerName(view, otherSide(you)) }));
  }

  async #offerRematch() {
    this.rematch.disabled = true;
    try {
      await this.connection.command('rematch');
    } catch (error) {
      this.rematch.disabled = false;
      setText(this.note, reasonOf(error));
    }
  }

  /** @param {Side} side */
  #boardSection(side) {
    const board = makeBoard();
    const waters = this.view.waters[side];
    const title = this.view.you === side ? t('battle.yours') : t('battle.of', { name: playerName(this.view, side) });
    const section = make('section', { class: 'board-section' }, make('h2', {}, title), board, roster(this.view, side));
    board.draw(boardPicture(this.view, waters, { title, last: lastShot(waters) }));
    return section;
  }

  async #review() {
    try {
      const review = await getPatiently(`${gamePath(this.view.game)}/review`);
      const sides = /** @type {Side[]} */ (this.view.you === 'B' ? ['B', 'A'] : ['A', 'B']);
      this.numbers.append(...sides.map((side) => sideNumbers(youOrName(this.view, side), review[side])),
        make('p', { class: 'hint' }, t('over.numbers-hint')));
    } catch {
      // A game without shots has nothing to review, and some boards are too hard.
    }
  }
}

/** @param {string} name @param {SideReview | undefined} review */
export function sideNumbers(name, review) {
  if (!review || review.shots.length === 0) return '';
  const entry = (/** @type {string} */ term, /** @type {string} */ value) => make('div', {}, make('dt', {}, term), make('dd', {}, value));
  return make('section', { class: 'card' }, make('h2', {}, name), make('dl', {},
    entry(t('over.skill'), percent(review.skill / 100, 1)),
    entry(t('over.luck'), t('over.hits', { value: signed(review.luck), n: Math.abs(review.luck) })),
    entry(t('over.shots'), String(review.shots.length))));
}
