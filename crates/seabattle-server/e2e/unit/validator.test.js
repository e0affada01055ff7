// Asking the server about a placement, and its answer as a sentence and cells.

import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { setLanguage } from '../../page/i18n.js';
import { NO_PROBLEM, problemOf, refusalText } from '../../page/refusals.js';
import { PlacementValidator } from '../../page/validator.js';

const refusal = (code, more = {}) => ({ ship: 'cruiser', code, cells: ['B2'], cell: 'B2', other: null, other_cell: null, reason: 'in the words of the server', ...more });
const TOUCHING = refusal('touching', { cells: ['B2', 'B1'], other: 'carrier', other_cell: 'B1' });
const CODES = ['duplicate', 'gap', 'not-straight', 'wrong-length', 'outside', 'overlap', 'touching', 'too-many', 'missing', 'no-cells'];

afterEach(() => setLanguage('en'));

function serverThat(answers) {
  const asked = [];
  const send = (path, body) => {
    asked.push([path, body]);
    return answers.shift()();
  };
  return { asked, send };
}

test('the same question is asked once', async () => {
  const { asked, send } = serverThat([async () => ({ complete: false, refusals: [], missing: {} }), async () => ({ complete: true, refusals: [], missing: {} })]);
  const validator = new PlacementValidator('classic', send);
  const [first, again] = await Promise.all([validator.check('carrier A1 across'), validator.check('carrier A1 across')]);
  assert.equal(first, again);
  assert.ok((await validator.check('carrier A2 across')).complete);
  assert.deepEqual(asked.map(([path, { rules, ships }]) => [path, rules, ships]), [
    ['/api/fleet', 'classic', 'carrier A1 across'], ['/api/fleet', 'classic', 'carrier A2 across'],
  ]);
});

test('after a failure the question is asked again', async () => {
  const { asked, send } = serverThat([async () => { throw new Error('no connection'); }, async () => ({ complete: true, refusals: [], missing: {} })]);
  const validator = new PlacementValidator('classic', send);
  await assert.rejects(validator.check('carrier A1 across'));
  assert.ok((await validator.check('carrier A1 across')).complete);
  assert.equal(asked.length, 2);
});

test('ships that may be placed have no problem', async () => {
  const { send } = serverThat([async () => ({ complete: true, refusals: [], missing: {} })]);
  assert.deepEqual(await new PlacementValidator('classic', send).problem('carrier A1 across'), NO_PROBLEM);
});

test('a problem is the first reason, with the cells of all reasons for the same ship', () => {
  const problem = problemOf([TOUCHING, refusal('outside', { cells: ['B11'], cell: 'B11' }), refusal('overlap', { ship: 'submarine', cells: ['H8'] })]);
  assert.deepEqual(problem, { text: 'B2 touches the carrier at B1.', cells: ['B2', 'B1', 'B11'] });
});

test('every code has a sentence in both languages', () => {
  for (const language of ['en', 'ru']) {
    setLanguage(language);
    for (const code of CODES) {
      const text = refusalText(refusal(code, { other: 'carrier', other_cell: 'B1' }));
      assert.doesNotMatch(text, /words of the server|\{|undefined/, `${language}: ${code}`);
    }
  }
});

test('cells are labelled in the letters of the language', () => {
  setLanguage('ru');
  assert.equal(refusalText(TOUCHING), 'Клетка Б2 касается другого корабля: авианосец, клетка Б1.');
});

test('a code of a newer server is shown in its words', () => {
  assert.equal(refusalText(refusal('upside-down')), 'in the words of the server');
});
