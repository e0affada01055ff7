// The shots of a finished game, in the order in which they were fired.

import { otherSide } from './descriptions.js';

/** The side that fired each shot, read from the rounds of the record: `1. A B2x B A1x`. @param {string} record @returns {Side[]} */
export function shotOrder(record) {
  const rounds = record.split('\n').filter((line) => !/^\s*[[;]/.test(line)).join(' ');
  /** @type {Side[]} */
  const order = [];
  /** @type {Side} */
  let side = 'A';
  for (const word of rounds.split(/\s+/)) {
    if (word === 'A' || word === 'B') side = word;
    else if (/^[A-Z]+\d+[.x#]/.test(word)) order.push(side);
  }
  return order;
}

/** @param {View} view @param {string} record @param {Review | null} review @returns {Step[]} */
export function timeline(view, record, review) {
  const fired = { A: 0, B: 0 };
  return shotOrder(record).flatMap((shooter) => {
    const index = fired[shooter];
    const shot = view.waters[otherSide(shooter)].shots[index];
    fired[shooter] += 1;
    return shot ? [{ shooter, shot, index, odds: review?.[shooter]?.shots[index] }] : [];
  });
}

/**
 * The board of `owner` after the first `count` shots, with its fleet.
 * @param {View} view
 * @param {Step[]} steps
 * @param {number} count
 * @param {Side} owner
 * @returns {Waters}
 */
export function watersAfter(view, steps, count, owner) {
  const whole = view.waters[owner];
  const shots = steps.slice(0, count).filter(({ shooter }) => shooter !== owner).map(({ shot }) => shot);
  const shotCells = new Set(shots.map(({ cell }) => cell));
  const sunk = (whole.fleet ?? []).map(({ cells }) => cells).filter((cells) => cells.every((cell) => shotCells.has(cell)));
  return { ...whole, shots, sunk, impossible: [] };
}
