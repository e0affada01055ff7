// The shots of a finished game in their order.

import assert from 'node:assert/strict';
import test from 'node:test';
import { shotOrder, timeline, watersAfter } from '../../page/timeline.js';

const RECORD = '[A "Anna"]\n[B "sailor"]\n; a comment A1x\n\n1. A B2x B A1x\n2. A B3# B C1.\n';
const waters = (shots, cells) => ({ shots, sunk: [], impossible: ['D4'], afloat: null, fleet: [{ name: '2', cells }] });
const VIEW = {
  waters: {
    A: waters([{ cell: 'A1', answer: 'hit' }, { cell: 'C1', answer: 'miss' }], ['A1', 'A2']),
    B: waters([{ cell: 'B2', answer: 'hit' }, { cell: 'B3', answer: 'sunk', ship: '2' }], ['B2', 'B3']),
  },
};

test('the record says who fired when', () => {
  assert.deepEqual(shotOrder(RECORD), ['A', 'B', 'A', 'B']);
  assert.deepEqual(shotOrder('1. A A1. B2x B C3# D4.'), ['A', 'A', 'B', 'B']);
});

test('every shot has its answer and the odds of its side', () => {
  const review = { A: { shots: [{ rank: 1 }, { rank: 2 }] }, B: { shots: [{ rank: 3 }] } };
  const steps = timeline(VIEW, RECORD, review);
  assert.deepEqual(steps.map(({ shooter, shot, index }) => [shooter, shot.cell, index]), [['A', 'B2', 0], ['B', 'A1', 0], ['A', 'B3', 1], ['B', 'C1', 1]]);
  assert.deepEqual(steps.map(({ odds }) => odds?.rank), [1, 3, 2, undefined]);
});

test('a shot that the view does not have is left out', () => {
  assert.equal(timeline(VIEW, `${RECORD}3. A D4.\n`, null).length, 4);
});

test('after some shots a board has those, and the ships that they sank', () => {
  const steps = timeline(VIEW, RECORD, null);
  const after = (count) => watersAfter(VIEW, steps, count, 'B');
  assert.deepEqual([after(0).shots, after(0).sunk, after(0).impossible], [[], [], []]);
  assert.deepEqual([after(2).shots.length, after(2).sunk], [1, []]);
  assert.deepEqual([after(3).shots.length, after(3).sunk], [2, [['B2', 'B3']]]);
  assert.deepEqual(watersAfter(VIEW, steps, 4, 'A').shots.map(({ cell }) => cell), ['A1', 'C1']);
});
