// Names of cells. The server has Latin letters; people see the letters of their language.

import { language } from './i18n.js';

const LATIN = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const RUSSIAN = [...'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ'];

/** @param {number} x @param {string[]} letters @returns {string} */
function column(x, letters) {
  const rest = Math.floor(x / letters.length);
  return (rest > 0 ? column(rest - 1, letters) : '') + letters[x % letters.length];
}

/** @param {number} x */
export const columnLabel = (x) => column(x, language() === 'ru' ? RUSSIAN : LATIN);

/** @param {Point} point */
export const cellName = ({ x, y }) => column(x, LATIN) + (y + 1);

/** @param {Point} point */
export const pointLabel = ({ x, y }) => columnLabel(x) + (y + 1);

/** @param {string} name @returns {Point} */
export function cellPoint(name) {
  const [, letters = 'A', row = '1'] = /^([A-Z]+)(\d+)$/i.exec(name) ?? [];
  const x = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { x, y: Number(row) - 1 };
}

/** @param {string} name */
export const cellLabel = (name) => pointLabel(cellPoint(name));
