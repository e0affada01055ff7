// One game from invitation to end. It shows the part that fits the view and owns the connection.

import { announce } from './live-region.js';
import { reasonOf, RefusedRequest } from './api.js';
import { Battle } from './battle.js';
import { make, setChildren, setText } from './dom.js';
import { invitePart, joinPart } from './invite.js';
import { GameConnection } from './connection.js';
import { changeText, playChangeSounds } from './diff.js';
import { GameOver } from './game-over.js';
import { Placing } from './placing.js';
import { setTitle } from './router.js';
import { t } from './i18n.js';

/** @typedef {'join' | 'invite' | 'placing' | 'battle' | 'over'} GamePartName */

/** @param {View} view @returns {GamePartName} */
function partNameFor(view) {
  if (view.stage === 'waiting') return view.you ? 'invite' : 'join';
  if (view.stage === 'placing' && view.you && !view.placed[view.you]) return 'placing';
  return view.stage === 'over' ? 'over' : 'battle';
}

/** @param {string} id @returns {Page} */
export function gameScreen(id) {
  const place = make('div', { class: 'game' });
  const banner = make('div', { class: 'banner', role: 'status', hidden: true });
  /** @type {View | null} */
  let before = null;
  /** @type {GamePartName | null} */
  let name = null;
  /** @type {GamePart | null} */
  let part = null;

  /** @type {Record<GamePartName, (view: View) => GamePart>} */
  const parts = {
    join: (view) => joinPart(view, (joined) => {
      show(joined);
      connection.takeBack();
    }),
    invite: () => invitePart(id),
    placing: (view) => new Placing(view, (fleet) => connection.command('place', { fleet })),
    battle: (view) => new Battle(view, connection),
    over: (view) => new GameOver(view, connection),
  };

  /** @param {View} view */
  function show(view) {
    const next = partNameFor(view);
    const entered = next !== name;
    if (entered) {
      part?.close?.();
      part = parts[next](view);
      setChildren(place, part.element);
      setTitle(t(`title.${next}`));
    }
    part?.update?.(view, before);
    if (before && view.revision !== before.revision) announceChange(view);
    if (entered && name) focusPart(next, place);
    name = next;
    before = view;
  }

  /** @param {View} view */
  function announceChange(view) {
    announce(changeText(before, view));
    playChangeSounds(before, view);
  }

  const connection = new GameConnection(id, show, (link) => {
    banner.hidden = link === 'live';
    if (link === 'replaced') setChildren(banner, t('link.replaced'), ' ', make('button', { type: 'button', onclick: () => connection.takeBack() }, t('link.take-back')));
    else if (link !== 'live') setText(banner, t(`link.${link}`));
  });

  connection.start().catch((error) => setChildren(place, failure(error)));
  return {
    element: make('div', {}, banner, place),
    running: () => Boolean(before?.you && (before.stage === 'battle' || before.stage === 'placing')),
    close() {
      connection.close();
      part?.close?.();
    },
  };
}

/** @param {GamePartName} name @param {HTMLElement} place */
function focusPart(name, place) {
  const board = place.querySelector('sea-board');
  const heading = place.querySelector('h1');
  if (name === 'battle' && board) /** @type {SeaBoard} */ (board).focusCell();
  else heading?.focus();
  if (name === 'over' || name === 'battle') window.scrollTo({ top: 0 });
}

/** @param {unknown} error */
export function failure(error) {
  const missing = error instanceof RefusedRequest && error.status === 404;
  return make('section', { class: 'card narrow' },
    make('h1', {}, t(missing ? 'error.no-game' : 'error.title')),
    make('p', {}, missing ? t('error.no-game-lead') : reasonOf(error)),
    make('a', { href: '/', class: 'button primary' }, t('nav.new')));
}
