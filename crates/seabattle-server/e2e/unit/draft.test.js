// A fleet that is being placed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Draft } from '../../page/draft.js';

const SHIPS = [{ name: '2', length: 2, count: 2 }, { name: '3', length: 3, count: 1 }];
const draft = () => new Draft({ width: 5, height: 4, ships: SHIPS });
const at = (x, y, down = false) => ({ start: { x, y }, down });

test('a draft has one piece for each ship, longest first, none placed', () => {
  const { pieces, complete } = draft();
  assert.deepEqual(pieces.map(({ name, place }) => [name, place]), [['3', null], ['2', null], ['2', null]]);
  assert.equal(complete, false);
});

test('the text has the placed ships, with one of them elsewhere', () => {
  const fleet = draft();
  const [three, two] = fleet.pieces;
  three.place = at(0, 0);
  two.place = at(4, 1, true);
  assert.equal(fleet.text(), '3 A1 across, 2 E2 down');
  assert.equal(fleet.text(two, at(0, 2)), '3 A1 across, 2 A3 across');
  assert.equal(fleet.text(two), '3 A1 across');
  assert.equal(fleet.text(fleet.pieces[2], at(0, 3)), '3 A1 across, 2 E2 down, 2 A4 across');
});

test('a fleet is loaded whole, in place of what was there', () => {
  const fleet = draft();
  fleet.pieces[0].place = at(2, 2);
  fleet.load('2 A1 across, 2 A3 down, 3 C1 down');
  assert.equal(fleet.text(), '3 C1 down, 2 A1 across, 2 A3 down');
  assert.ok(fleet.complete);
  fleet.clear();
  assert.equal(fleet.text(), '');
});

test('ships that the rules do not have are not loaded', () => {
  const fleet = draft();
  fleet.load('3 A1 across, 3 A2 across, carrier A3 across');
  assert.equal(fleet.text(), '3 A1 across');
});

test('the ship on a cell is found', () => {
  const fleet = draft();
  fleet.pieces[0].place = at(1, 0, true);
  assert.equal(fleet.pieceAt({ x: 1, y: 2 }), fleet.pieces[0]);
  assert.equal(fleet.pieceAt({ x: 1, y: 3 }), null);
});

test('a ship is moved onto the board', () => {
  const fleet = draft();
  const [three] = fleet.pieces;
  assert.deepEqual(fleet.within(three, at(4, 3)), at(2, 3));
  assert.deepEqual(fleet.within(three, at(-1, 9, true)), at(0, 1, true));
});

test('a ship rotates around its start, the cell touched, and its end, each place once', () => {
  const fleet = draft();
  const [three] = fleet.pieces;
  const places = (place, around) => fleet.rotated(three, place, around).map(({ start, down }) => [start.x, start.y, down]);
  assert.deepEqual(places(at(1, 1), { x: 2, y: 1 }), [[1, 1, true], [2, 0, true], [3, 0, true]]);
  assert.deepEqual(places(at(0, 0, true), { x: 0, y: 0 }), [[0, 0, false], [0, 2, false]]);
});
