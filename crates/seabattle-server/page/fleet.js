// Fleets as text and as cells: `carrier A1 across, cruiser B2 down`.

import { cellName, cellPoint } from './cells.js';

/** @param {Placement} placement */
export const placementText = ({ name, start, down }) => `${name} ${cellName(start)} ${down ? 'down' : 'across'}`;

/** @param {string} text @returns {Placement[]} */
export function parseFleet(text) {
  return text.split(',').map((part) => part.trim().split(/\s+/)).filter((words) => words.length >= 3).map((words) => {
    const [cell, heading] = words.slice(-2);
    return { name: words.slice(0, -2).join(' '), start: cellPoint(cell), down: heading === 'down' };
  });
}

/** @param {Point} start @param {boolean} down @param {number} length @returns {Point[]} */
export const shipPoints = (start, down, length) =>
  Array.from({ length }, (_, i) => (down ? { x: start.x, y: start.y + i } : { x: start.x + i, y: start.y }));
