// Names of cells, for the server and for people.

import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { cellLabel, cellName, cellPoint, columnLabel, pointLabel } from '../../page/cells.js';
import { setLanguage } from '../../page/i18n.js';

afterEach(() => setLanguage('en'));

test('a cell is a column letter and a row number', () => {
  assert.equal(cellName({ x: 0, y: 0 }), 'A1');
  assert.equal(cellName({ x: 9, y: 9 }), 'J10');
  assert.deepEqual(cellPoint('J10'), { x: 9, y: 9 });
  assert.deepEqual(cellPoint('b7'), { x: 1, y: 6 });
});

test('columns after Z have two letters', () => {
  assert.deepEqual([25, 26, 27, 49].map((x) => cellName({ x, y: 0 })), ['Z1', 'AA1', 'AB1', 'AX1']);
});

test('every cell of the largest board has a name that leads back to it', () => {
  for (let x = 0; x < 50; x += 1) for (let y = 0; y < 50; y += 1) assert.deepEqual(cellPoint(cellName({ x, y })), { x, y });
});

test('labels have the letters of the language, names never', () => {
  setLanguage('ru');
  assert.deepEqual([0, 1, 9, 10].map(columnLabel), ['А', 'Б', 'К', 'Л']);
  assert.equal(pointLabel({ x: 6, y: 4 }), 'Ж5');
  assert.equal(cellLabel('G5'), 'Ж5');
  assert.equal(cellName({ x: 6, y: 4 }), 'G5');
});
