// Why ships cannot be placed: a sentence to read, and the cells to mark.

import { cellLabel } from './cells.js';
import { hasMessage, shipName, t } from './i18n.js';

/** @typedef {{text: string, cells: string[]}} Problem */

/** @type {Problem} */
export const NO_PROBLEM = { text: '', cells: [] };

/** The first refusal as a sentence, and the cells of all that concern the same ship. @param {ShipRefusal[]} refusals @returns {Problem} */
export function problemOf(refusals) {
  const [first] = refusals;
  if (!first) return NO_PROBLEM;
  const cells = refusals.filter(({ ship }) => ship === first.ship).flatMap((refusal) => refusal.cells ?? []);
  return { text: refusalText(first), cells: [...new Set(cells)] };
}

/** @param {ShipRefusal} refusal */
export function refusalText({ ship, code, cell, other, other_cell, reason }) {
  const key = `refusal.${code}`;
  if (!hasMessage(key)) return reason;
  const label = (/** @type {string | null} */ name) => (name ? cellLabel(name) : '');
  return t(key, { ship: shipName(ship), cell: label(cell), other: other ? shipName(other) : '', at: label(other_cell) });
}
