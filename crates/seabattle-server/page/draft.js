// A fleet that is being placed: its ships, their places, and the text for the server.

import { cellName } from './cells.js';
import { parseFleet, placementText, shipPoints } from './fleet.js';

export class Draft {
  /** @param {{width: number, height: number, ships: ShipClass[]}} view */
  constructor({ width, height, ships }) {
    this.width = width;
    this.height = height;
    /** @type {Piece[]} */
    this.pieces = ships.flatMap(({ name, length, count }) => Array.from({ length: count }, () => ({ name, length, place: null })))
      .sort((a, b) => b.length - a.length);
  }

  /** The placed ships as text, with `piece` at `place` instead of where it is. @param {Piece} [piece] @param {Place | null} [place] */
  text(piece, place = null) {
    return this.pieces
      .map((each) => ({ name: each.name, place: each === piece ? place : each.place }))
      .flatMap(({ name, place: found }) => (found ? [placementText({ name, ...found })] : []))
      .join(', ');
  }

  /** @param {string} fleet */
  load(fleet) {
    this.clear();
    for (const { name, start, down } of parseFleet(fleet)) {
      const piece = this.pieces.find((each) => each.name === name && !each.place);
      if (piece) piece.place = { start, down };
    }
  }

  clear() {
    this.pieces.forEach((piece) => { piece.place = null; });
  }

  get complete() {
    return this.pieces.every(({ place }) => place);
  }

  /** @param {Piece} piece @param {Place} place */
  points(piece, place) {
    return shipPoints(place.start, place.down, piece.length);
  }

  /** @param {Point} point */
  pieceAt({ x, y }) {
    return this.pieces.find((piece) => piece.place && this.points(piece, piece.place).some((each) => each.x === x && each.y === y)) ?? null;
  }

  /** The place on the board that is nearest to `place`. @param {Piece} piece @param {Place} place @returns {Place} */
  within({ length }, { start, down }) {
    const limit = (/** @type {number} */ value, /** @type {number} */ size, /** @type {boolean} */ along) =>
      Math.max(0, Math.min(value, size - (along ? length : 1)));
    return { start: { x: limit(start.x, this.width, !down), y: limit(start.y, this.height, down) }, down };
  }

  /**
   * The places of a ship after a rotation: around its start, around the cell `around`, around its end.
   * @param {Piece} piece
   * @param {Place} place
   * @param {Point} around
   */
  rotated(piece, place, around) {
    const down = !place.down;
    const points = this.points(piece, place);
    const indexes = [0, points.findIndex(({ x, y }) => x === around.x && y === around.y), points.length - 1];
    const candidates = indexes.filter((index) => index >= 0).map((index) => {
      const { x, y } = points[index];
      return this.within(piece, { start: down ? { x, y: y - index } : { x: x - index, y }, down });
    });
    const names = candidates.map(({ start }) => cellName(start));
    return candidates.filter((_, i) => names.indexOf(names[i]) === i);
  }
}
