// One game from invitation to end: picks the part that fits the view, and keeps the link to the server.

import { announce } from './announce.js';
import { reasonOf, Refusal } from './api.js';
import { Battle } from './battle.js';
import { fill, make, write } from './dom.js';
import { invitePart, joinPart } from './invite.js';
import { Live } from './live.js';
import { newsSounds, newsWords } from './news.js';
import { Over } from './over.js';
import { Placing } from './placing.js';
import { entitle } from './router.js';
import { say } from './words.js';

/** @typedef {'join' | 'invite' | 'placing' | 'battle' | 'over'} PartName */

/** @param {View} view @returns {PartName} */
function partFor(view) {
  if (view.stage === 'waiting') return view.you ? 'invite' : 'join';
  if (view.stage === 'placing' && view.you && !view.placed[view.you]) return 'placing';
  return view.stage === 'over' ? 'over' : 'battle';
}

/** @param {string} id @returns {Scene} */
export function gameScreen(id) {
  const place = make('div', { class: 'game' });
  const banner = make('div', { class: 'banner', role: 'status', hidden: true });
  /** @type {View | null} */
  let before = null;
  /** @type {PartName | null} */
  let name = null;
  /** @type {Part | null} */
  let part = null;

  /** @type {Record<PartName, (view: View) => Part>} */
  const parts = {
    join: (view) => joinPart(view, (joined) => {
      show(joined);
      live.takeBack();
    }),
    invite: () => invitePart(id),
    placing: (view) => new Placing(view, (fleet) => live.command('place', { fleet })),
    battle: (view) => new Battle(view, live),
    over: (view) => new Over(view, live),
  };

  /** @param {View} view */
  function show(view) {
    const next = partFor(view);
    const entered = next !== name;
    if (entered) {
      part?.close?.();
      part = parts[next](view);
      fill(place, part.element);
      entitle(say(`title.${next}`));
    }
    part?.update?.(view, before);
    if (before && view.revision !== before.revision) tell(view);
    if (entered && name) focusPart(next, place);
    name = next;
    before = view;
  }

  /** @param {View} view */
  function tell(view) {
    announce(newsWords(before, view));
    newsSounds(before, view);
  }

  const live = new Live(id, show, (link) => {
    banner.hidden = link === 'live';
    if (link === 'replaced') fill(banner, say('link.replaced'), ' ', make('button', { type: 'button', onclick: () => live.takeBack() }, say('link.take-back')));
    else if (link !== 'live') write(banner, say(`link.${link}`));
  });

  live.start().catch((error) => fill(place, failure(error)));
  return {
    element: make('div', {}, banner, place),
    running: () => Boolean(before?.you && (before.stage === 'battle' || before.stage === 'placing')),
    close() {
      live.close();
      part?.close?.();
    },
  };
}

/** @param {PartName} name @param {HTMLElement} place */
function focusPart(name, place) {
  const board = place.querySelector('sea-board');
  const heading = place.querySelector('h1');
  if (name === 'battle' && board) /** @type {SeaBoard} */ (board).focusCell();
  else heading?.focus();
  if (name === 'over' || name === 'battle') window.scrollTo({ top: 0 });
}

/** @param {unknown} error */
export function failure(error) {
  const missing = error instanceof Refusal && error.status === 404;
  return make('section', { class: 'card lone' },
    make('h1', {}, say(missing ? 'error.no-game' : 'error.title')),
    make('p', {}, missing ? say('error.no-game-lead') : reasonOf(error)),
    make('a', { href: '/', class: 'button primary' }, say('nav.new')));
}
