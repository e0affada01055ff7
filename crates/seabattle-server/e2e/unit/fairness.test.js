// Whether the computer kept the fleet it committed to.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { fairness } from '../../page/fairness.js';

const FLEET = '3 A1 across, 2 C3 down';
const SHOWN = [{ name: '2', cells: ['C3', 'C4'] }, { name: '3', cells: ['A1', 'B1', 'C1'] }];
const commitmentTo = (fleet) => createHash('sha256').update(`salt:${fleet}`).digest('hex');

const view = (more = {}) => ({
  ships: [{ name: '3', length: 3, count: 1 }, { name: '2', length: 2, count: 1 }],
  computer: { side: 'B', level: 'sailor' },
  commitment: commitmentTo(FLEET), proof: { salt: 'salt', fleet: FLEET },
  waters: { A: { fleet: null }, B: { fleet: SHOWN } }, ...more,
});

test('a fleet that has the hash and is the one shown was kept', async () => {
  assert.equal(await fairness(view()), 'kept');
});

test('another hash, or another fleet on the board, is noticed', async () => {
  assert.equal(await fairness(view({ commitment: commitmentTo('3 A1 across, 2 C3 across') })), 'broken');
  assert.equal(await fairness(view({ waters: { A: { fleet: null }, B: { fleet: [SHOWN[1], { name: '2', cells: ['D3', 'D4'] }] } } })), 'broken');
});

test('without a proof, or between people, there is nothing to check', async () => {
  assert.equal(await fairness(view({ proof: null })), 'unknown');
  assert.equal(await fairness(view({ computer: null })), 'unknown');
});
