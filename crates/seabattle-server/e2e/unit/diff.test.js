// What changed between two views, in words.

import assert from 'node:assert/strict';
import test from 'node:test';
import { changeText, newShots, turnText } from '../../page/diff.js';

const side = (shots) => ({ shots, sunk: [], impossible: [], afloat: null, fleet: null });
const view = (more = {}) => ({
  stage: 'battle', you: 'A', mover: 'A', due: 1, names: { A: 'Anna', B: null }, computer: { side: 'B', level: 'star' }, placed: { A: true, B: true },
  waters: { A: side([]), B: side([]) }, ...more,
});
const MISS = { cell: 'A1', answer: 'miss' };
const SUNK = { cell: 'B2', answer: 'sunk', ship: 'cruiser' };

test('only shots after the earlier view are new', () => {
  const before = view({ waters: { A: side([]), B: side([MISS]) } });
  const after = view({ waters: { A: side([]), B: side([MISS, SUNK]) } });
  assert.deepEqual(newShots(before, after, 'B'), [SUNK]);
  assert.deepEqual(newShots(null, after, 'B'), [], 'the first view is no news');
});

test('shots come in the order in which they were fired, then the turn', () => {
  const after = view({ waters: { A: side([SUNK]), B: side([MISS]) } });
  assert.equal(changeText(view(), after), 'A1, miss. Star: B2, cruiser sunk! Your turn');
});

test('a view without news says nothing', () => {
  assert.equal(changeText(view(), view()), '');
});

test('the turn is that of the viewer, of the other side, or of a salvo', () => {
  assert.equal(turnText(view()), 'Your turn');
  assert.equal(turnText(view({ due: 3 })), 'Your turn: 3 shots');
  assert.equal(turnText(view({ mover: 'B' })), 'Star’s turn');
  assert.equal(turnText(view({ stage: 'placing', placed: { A: false, B: false }, you: null })), 'Waiting for Anna and Star to place ships…');
});
