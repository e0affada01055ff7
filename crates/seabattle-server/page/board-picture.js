// Turns a view into the picture of one board.

import { cellName, cellPoint, columnLabel, pointLabel } from './cells.js';
import { percent, shipName, t } from './i18n.js';

/** @param {{width: number, height: number}} size @param {Waters} waters @param {PictureOptions} options @returns {BoardPicture} */
export function boardPicture(size, waters, options) {
  const knowledge = knowledgeOf(waters, options);
  const most = Math.max(0.0001, ...Object.values(options.odds ?? {}));
  return {
    title: options.title,
    width: size.width,
    height: size.height,
    active: options.active ?? false,
    column: columnLabel,
    cell: (point) => cellPicture(cellName(point), pointLabel(point), knowledge, options, most),
    outlines: outlines(waters),
  };
}

/** @typedef {{marks: Map<string, string>, names: Map<string, string>}} Knowledge */

/** @param {Waters} waters @param {PictureOptions} options @returns {Knowledge} */
function knowledgeOf(waters, options) {
  /** @type {Map<string, string>} */
  const marks = new Map();
  /** @type {Map<string, string>} */
  const names = new Map();
  if (options.showImpossible) waters.impossible.forEach((cell) => marks.set(cell, 'impossible'));
  waters.fleet?.forEach((ship) => ship.cells.forEach((cell) => {
    marks.set(cell, 'ship');
    names.set(cell, ship.name);
  }));
  waters.shots.forEach(({ cell, answer, ship }) => {
    marks.set(cell, answer === 'miss' ? 'miss' : 'hit');
    if (ship) names.set(cell, ship);
  });
  waters.sunk.forEach((cells) => cells.forEach((cell) => marks.set(cell, 'sunk')));
  options.aimed?.forEach((cell) => marks.set(cell, 'aimed'));
  return { marks, names };
}

/** @param {string} cell @param {string} label @param {Knowledge} knowledge @param {PictureOptions} options @param {number} most @returns {CellPicture} */
function cellPicture(cell, label, { marks, names }, { active, last, odds, best }, most) {
  const mark = marks.get(cell) ?? 'open';
  const isFiredAt = mark === 'miss' || mark === 'hit' || mark === 'sunk';
  const chance = isFiredAt ? undefined : odds?.[cell];
  const name = names.get(cell);
  const parts = [label, t(/** @type {Key} */ (`mark.${mark}`))];
  if (name) parts.push(shipName(name));
  if (last?.has(cell)) parts.push(t('mark.last'));
  if (chance !== undefined) parts.push(t('mark.chance', { chance: percent(chance) }));
  if (best === cell) parts.push(t('mark.best'));
  return {
    label: parts.join(', '),
    mark,
    text: chance !== undefined && chance >= 0.005 && mark !== 'aimed' ? String(Math.round(chance * 100)) : '',
    heat: chance === undefined ? undefined : chance / most,
    last: last?.has(cell),
    best: best === cell,
    choosable: active && !isFiredAt,
  };
}

/** @param {Waters} waters @returns {Outline[]} */
function outlines(waters) {
  const sunk = waters.sunk.map((cells) => outline(cells, 'sunk'));
  const sunkCells = new Set(waters.sunk.flat());
  const afloat = (waters.fleet ?? []).filter((ship) => !sunkCells.has(ship.cells[0])).map((ship) => outline(ship.cells, 'own'));
  return [...afloat, ...sunk];
}

/** @param {string[]} cells @param {Outline['look']} look @returns {Outline} */
const outline = (cells, look) => ({ points: cells.map(cellPoint), look });

/** @param {Waters} waters */
export const lastShot = (waters) => new Set(waters.shots.slice(-1).map(({ cell }) => cell));
