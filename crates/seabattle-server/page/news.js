// What happened between two views, in words and sounds.

import { play } from './sounds.js';
import { other, playerName, shotWords } from './waters.js';
import { say } from './words.js';

const ANSWER_DELAY = 0.45;

/** @param {View | null} before @param {View} view @param {Side} owner @returns {Shot[]} */
export const newShots = (before, view, owner) => (before ? view.waters[owner].shots.slice(before.waters[owner].shots.length) : []);

/** @param {View | null} before @param {View} view @returns {Side[]} owners of waters, in the order in which they were fired at */
function order(before, view) {
  const first = before?.mover ?? view.mover ?? 'A';
  return [other(first), first];
}

/** @param {View} view @param {Side} shooter @param {Shot[]} shots */
function tell(view, shooter, shots) {
  const what = shots.map(shotWords).join(' ');
  return view.you === shooter ? what : `${playerName(view, shooter)}: ${what}`;
}

/** @param {View | null} before @param {View} view */
export function newsWords(before, view) {
  const lines = order(before, view)
    .map((owner) => ({ owner, shots: newShots(before, view, owner) }))
    .filter(({ shots }) => shots.length > 0)
    .map(({ owner, shots }) => tell(view, other(owner), shots));
  const turnChanged = lines.length > 0 || before?.stage !== view.stage;
  return [...lines, turnChanged && view.stage === 'battle' ? turnWords(view) : ''].filter(Boolean).join(' ');
}

/** @param {View} view */
export function turnWords(view) {
  if (view.stage === 'waiting') return say('turn.waiting');
  if (view.stage === 'placing') return placingWords(view);
  if (view.stage === 'over' || !view.mover) return say('turn.over');
  if (view.you !== view.mover) return say('turn.theirs', { name: playerName(view, view.mover) });
  return view.due > 1 ? say('turn.salvo', { n: view.due }) : say('turn.yours');
}

/** @param {View} view */
function placingWords(view) {
  const late = /** @type {Side[]} */ (['A', 'B']).filter((side) => !view.placed[side]);
  return say('turn.placing', { name: late.map((side) => playerName(view, side)).join(', ') });
}

/** @param {View | null} before @param {View} view */
export function newsSounds(before, view) {
  let at = 0;
  for (const owner of order(before, view)) {
    const shots = newShots(before, view, owner);
    if (shots.length === 0) continue;
    play(loudest(shots), at);
    at += ANSWER_DELAY;
  }
  if (before && before.stage !== 'over' && view.stage === 'over' && view.you) {
    play(view.end?.winner === view.you ? 'won' : 'lost', at + ANSWER_DELAY);
  }
}

/** @param {Shot[]} shots */
const loudest = (shots) => /** @type {const} */ (['sunk', 'hit', 'miss']).find((answer) => shots.some((shot) => shot.answer === answer)) ?? 'miss';
