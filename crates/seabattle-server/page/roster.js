// One side's ships, and as much of their state as the viewer may know.

import { make } from './dom.js';
import { capital, shipName, t } from './i18n.js';

/** @typedef {{name: string, cells: ('whole' | 'hit')[], state: 'afloat' | 'sunk' | 'unknown'}} Entry */

/** @param {View} view @param {Side} side @returns {HTMLElement} */
export function roster(view, side) {
  const waters = view.waters[side];
  const entries = waters.fleet ? stateOfFleet(waters.fleet, waters.shots) : stateOfAnnounced(view.ships, waters.afloat);
  return make('ul', { class: 'roster', 'aria-label': t('roster.title') }, ...entries.map(item));
}

/** @param {Ship[]} fleet @param {Shot[]} shots @returns {Entry[]} */
function stateOfFleet(fleet, shots) {
  const shotCells = new Set(shots.map(({ cell }) => cell));
  return [...fleet].sort((a, b) => b.cells.length - a.cells.length).map(({ name, cells }) => {
    const marks = cells.map((cell) => /** @type {'hit' | 'whole'} */ (shotCells.has(cell) ? 'hit' : 'whole'));
    return { name, cells: marks, state: marks.includes('whole') ? 'afloat' : 'sunk' };
  });
}

/** @param {ShipClass[]} classes @param {Record<string, number | null> | null} afloat @returns {Entry[]} */
function stateOfAnnounced(classes, afloat) {
  return classes.flatMap(({ name, length, count }) => {
    const left = afloat?.[name];
    return Array.from({ length: count }, (_, i) => {
      const state = /** @type {Entry['state']} */ (left === null || left === undefined ? 'unknown' : i < left ? 'afloat' : 'sunk');
      return { name, cells: Array(length).fill(state === 'sunk' ? 'hit' : 'whole'), state };
    });
  });
}

/** @param {Entry} entry */
function item({ name, cells, state }) {
  const hits = cells.filter((cell) => cell === 'hit').length;
  const words = state === 'afloat' && hits > 0 ? t('roster.damaged', { n: hits }) : t(`roster.${state}`);
  return make('li', { 'data-state': state },
    make('span', { class: 'hull', 'aria-hidden': 'true' }, ...cells.map((cell) => make('i', { 'data-cell': cell }))),
    shipLabel(name),
    make('span', { class: 'visually-hidden' }, `, ${words}`));
}

/** The name of a ship. A name that is only a length is hidden, since the picture beside it shows the length. @param {string} name */
export const shipLabel = (name) => make('span', { class: /^\d+$/.test(name) ? 'visually-hidden' : 'ship-name' }, capital(shipName(name)));
