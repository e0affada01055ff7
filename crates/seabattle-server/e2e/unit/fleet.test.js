// Fleets as text and as cells.

import assert from 'node:assert/strict';
import test from 'node:test';
import { parseFleet, placementText, shipPoints } from '../../page/fleet.js';

const CARRIER = { name: 'carrier', start: { x: 0, y: 0 }, down: false };
const CRUISER = { name: 'cruiser', start: { x: 1, y: 1 }, down: true };

test('a fleet is read from the text of the server', () => {
  assert.deepEqual(parseFleet('carrier A1 across, cruiser B2 down'), [CARRIER, CRUISER]);
  assert.deepEqual(parseFleet(''), []);
  assert.deepEqual(parseFleet('carrier'), []);
});

test('a placement is written as it is read', () => {
  assert.equal(placementText(CRUISER), 'cruiser B2 down');
  assert.deepEqual(parseFleet([CARRIER, CRUISER].map(placementText).join(', ')), [CARRIER, CRUISER]);
});

test('a ship has one cell after the other', () => {
  assert.deepEqual(shipPoints({ x: 2, y: 3 }, false, 3), [{ x: 2, y: 3 }, { x: 3, y: 3 }, { x: 4, y: 3 }]);
  assert.deepEqual(shipPoints({ x: 2, y: 3 }, true, 2), [{ x: 2, y: 3 }, { x: 2, y: 4 }]);
  assert.deepEqual(shipPoints({ x: 0, y: 0 }, true, 0), []);
});
