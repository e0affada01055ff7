// Checks that the computer kept the fleet it committed to.

import { cellName } from './cells.js';
import { parseFleet, shipPoints } from './fleet.js';

/** @typedef {'kept' | 'broken' | 'unknown'} Fairness */

/** @param {View} view @returns {Promise<Fairness>} */
export async function fairness(view) {
  if (!view.commitment || !view.proof || !view.computer || !crypto.subtle) return 'unknown';
  const { salt, fleet } = view.proof;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${salt}:${fleet}`));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === view.commitment.toLowerCase() && sameFleet(view, fleet) ? 'kept' : 'broken';
}

/** @param {View} view @param {string} proven */
function sameFleet(view, proven) {
  const shown = view.computer && view.waters[view.computer.side].fleet;
  if (!shown) return false;
  const lengths = new Map(view.ships.map(({ name, length }) => [name, length]));
  const ships = parseFleet(proven).map(({ name, start, down }) => `${name} ${shipPoints(start, down, lengths.get(name) ?? 0).map(cellName)}`);
  return ships.sort().join() === shown.map(({ name, cells }) => `${name} ${cells}`).sort().join();
}
