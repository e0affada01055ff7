// A finished game step by step, with the odds at each shot and the check of the commitment.

import { announce } from './live-region.js';
import { gamePath, get, getText } from './api.js';
import { boardFrame, makeBoard } from './board.js';
import { boardPicture } from './board-picture.js';
import { cellLabel } from './cells.js';
import { playerName, shotText } from './descriptions.js';
import { make, setChildren, setText, toggle } from './dom.js';
import { fairness } from './fairness.js';
import { failure } from './game.js';
import { endText, resultText, sideNumbers } from './game-over.js';
import { hitsChart } from './hits-chart.js';
import { roster } from './roster.js';
import { setTitle } from './router.js';
import { rulesText } from './start.js';
import { timeline, watersAfter } from './timeline.js';
import { turningPoints } from './turning-points.js';
import { percent, t } from './i18n.js';

const STEP_DELAY = 1100;
const SIDES = /** @type {Side[]} */ (['A', 'B']);

/** @param {string} id @returns {Page} */
export function replayScreen(id) {
  setTitle(t('title.replay'));
  const element = make('div', { class: 'game' }, make('p', { class: 'waiting' }, t('replay.loading')));
  /** @type {Player | null} */
  let player = null;
  let closed = false;
  load(id).then(({ view, steps, review, record }) => {
    if (closed) return;
    player = new Player(view, steps, review, record);
    setChildren(element, player.element);
  }).catch((error) => setChildren(element, failure(error)));
  return {
    element,
    close() {
      closed = true;
      player?.close();
    },
  };
}

/** @param {string} id */
async function load(id) {
  const path = gamePath(id);
  /** @type {[View, string, Review | null]} */
  const [view, record, review] = await Promise.all([get(path), getText(`${path}/record`), get(`${path}/review`).catch(() => null)]);
  return { view, record, review, steps: timeline(view, record, review) };
}

class Player {
  #at = 0;
  #timer = 0;

  /** @param {View} view @param {Step[]} steps @param {Review | null} review @param {string} record */
  constructor(view, steps, review, record) {
    this.view = view;
    this.steps = steps;
    this.boards = { A: makeBoard(), B: makeBoard() };
    this.rosters = { A: make('div'), B: make('div') };
    this.caption = make('p', { class: 'caption' });
    this.slider = make('input', { type: 'range', min: '0', max: String(steps.length), value: '0', 'aria-label': t('replay.step'), oninput: () => this.#go(Number(this.slider.value)) });
    /** @type {Map<number, Record<string, number>>} */
    this.odds = new Map();
    this.heat = toggle(t('battle.heat'), false, () => this.#draw());
    this.playing = make('button', { type: 'button', class: 'primary', onclick: () => this.#togglePlay() });
    this.fair = make('p', { class: 'fair', role: 'status' });
    this.element = this.#compose(review, record);
    this.keys = (/** @type {KeyboardEvent} */ event) => this.#onKey(event);
    document.addEventListener('keydown', this.keys);
    this.#draw();
    fairness(view).then((found) => {
      this.fair.dataset.fair = found;
      setText(this.fair, view.computer ? t(`fair.${found}`) : '');
    });
  }

  close() {
    clearInterval(this.#timer);
    document.removeEventListener('keydown', this.keys);
  }

  /** @param {Review | null} review @param {string} record */
  #compose(review, record) {
    const { view } = this;
    const button = (/** @type {string} */ sign, /** @type {Key} */ key, /** @type {() => void} */ onclick) =>
      make('button', { type: 'button', class: 'icon', 'aria-label': t(key), title: t(key), onclick }, sign);
    return make('section', { class: 'replay' },
      make('h1', { tabindex: '-1' }, t('replay.title', { a: playerName(view, 'A'), b: playerName(view, 'B') })),
      make('p', { class: 'lead' }, `${resultText({ ...view, you: null })} ${endText({ ...view, you: null })} · ${rulesText(view.rules)}`),
      make('div', { class: 'player' },
        make('div', { class: 'buttons' },
          button('«', 'replay.first', () => this.#go(0)), button('‹', 'replay.back', () => this.#go(this.#at - 1)), this.playing,
          button('›', 'replay.next', () => this.#go(this.#at + 1)), button('»', 'replay.last', () => this.#go(this.steps.length))),
        this.slider, this.caption),
      make('div', { class: 'tools' }, this.heat),
      boardFrame('boards', view, ...SIDES.map((side) => make('section', { class: 'board-section' },
        make('h2', {}, t('battle.of', { name: playerName(view, side) })), this.boards[side], this.rosters[side]))),
      make('div', { class: 'numbers' }, ...SIDES.map((side) => sideNumbers(playerName(view, side), review?.[side]))),
      turningPoints(view, this.steps, review, (step) => this.#jump(step)), hitsChart(view, review),
      make('div', { class: 'card' }, make('h2', {}, t('replay.fairness')), this.fair, view.computer && proof(view),
        make('div', { class: 'buttons' }, make('button', { type: 'button', onclick: () => download(record, view.game) }, t('replay.download')),
          make('a', { class: 'button', href: `${gamePath(view.game)}/film.gif`, download: '' }, t('replay.film')))));
  }

  #draw() {
    const { view, steps } = this;
    const step = steps[this.#at - 1];
    for (const side of SIDES) {
      const waters = watersAfter(view, steps, this.#at, side);
      const aimedHere = step && step.shooter !== side;
      this.boards[side].draw(boardPicture(view, waters, {
        title: t('battle.of', { name: playerName(view, side) }),
        last: new Set(aimedHere ? [step.shot.cell] : []), best: aimedHere ? step.odds?.best_cell : null,
        odds: aimedHere && this.#showsOdds ? this.#oddsAt(this.#at) : null,
      }));
      setChildren(this.rosters[side], roster({ ...view, waters: { ...view.waters, [side]: waters } }, side));
    }
    this.slider.value = String(this.#at);
    this.slider.setAttribute('aria-valuetext', this.#captionText());
    setText(this.caption, this.#captionText());
    setText(this.playing, t(this.#timer ? 'replay.pause' : 'replay.play'));
  }

  get #showsOdds() {
    return this.heat.querySelector('input')?.checked ?? false;
  }

  /** The odds before a shot; `null` until the server has sent them. @param {number} at */
  #oddsAt(at) {
    const known = this.odds.get(at);
    if (known) return known;
    const { shooter, index } = this.steps[at - 1];
    get(`${gamePath(this.view.game)}/odds?side=${shooter}&shots=${index}`).then(({ cells }) => {
      this.odds.set(at, cells);
      if (this.#at === at && this.#showsOdds) this.#draw();
    }).catch(() => {});
    return null;
  }

  #captionText() {
    const step = this.steps[this.#at - 1];
    if (!step) return t('replay.begin', { n: this.steps.length });
    const shot = t('replay.shot', { n: this.#at, of: this.steps.length, name: playerName(this.view, step.shooter), shot: shotText(step.shot) });
    return step.odds ? `${shot} ${oddsText(step.odds)}` : shot;
  }

  /** @param {number} wanted */
  #go(wanted) {
    this.#at = Math.max(0, Math.min(this.steps.length, wanted));
    if (this.#at === this.steps.length) this.#stop();
    this.#draw();
    if (!this.#timer) announce(this.#captionText());
  }

  /** @param {number} step */
  #jump(step) {
    this.#stop();
    this.#go(step);
    this.element.scrollIntoView();
  }

  #togglePlay() {
    if (this.#timer) this.#stop();
    else {
      if (this.#at === this.steps.length) this.#at = 0;
      this.#timer = window.setInterval(() => this.#go(this.#at + 1), STEP_DELAY);
    }
    this.#draw();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.altKey || event.metaKey || target?.closest('.cell, input, button, a, dialog')) return;
    const actions = { ArrowLeft: () => this.#go(this.#at - 1), ArrowRight: () => this.#go(this.#at + 1), Home: () => this.#go(0), End: () => this.#go(this.steps.length), ' ': () => this.#togglePlay() };
    const action = actions[/** @type {keyof typeof actions} */ (event.key)];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

/** @param {ReviewedShot} odds */
function oddsText({ chosen, best, best_cell, rank }) {
  const values = { chosen: percent(chosen), best: percent(best), cell: cellLabel(best_cell), rank };
  return t(rank === 1 ? 'replay.best' : 'replay.odds', values);
}

/** @param {View} view */
function proof(view) {
  return make('details', {}, make('summary', {}, t('fair.details')), make('p', {}, t('fair.how')),
    make('code', {}, `${t('fair.commitment')}: ${view.commitment ?? ''}`), make('code', {}, view.proof ? `${view.proof.salt}:${view.proof.fleet}` : ''));
}

/** @param {string} record @param {string} id */
function download(record, id) {
  const url = URL.createObjectURL(new Blob([record], { type: 'text/plain' }));
  make('a', { href: url, download: `seabattle-${id}.txt` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

