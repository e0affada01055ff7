// Names of players, and shots in words.

import { cellLabel } from './cells.js';
import { opponentName, shipName, t } from './i18n.js';

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === 'A' ? 'B' : 'A');

/** @param {Shot} shot */
export function shotText({ cell, answer, ship }) {
  const values = { cell: cellLabel(cell), ship: ship ? shipName(ship) : '' };
  if (ship) return t(answer === 'sunk' ? 'shot.sunk-named' : 'shot.hit-named', values);
  return t(/** @type {Key} */ (`shot.${answer}`), values);
}

/** @param {View} view @param {Side} side */
export function playerName(view, side) {
  if (view.names[side]) return /** @type {string} */ (view.names[side]);
  if (view.computer?.side === side) return opponentName(view.computer.level);
  return t('player.side', { side });
}

/** @param {View} view @param {Side} side */
export const youOrName = (view, side) => (view.you === side ? t('player.you') : playerName(view, side));
