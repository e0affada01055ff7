// What changed between two views, in words and sounds.

import { playSound } from './sounds.js';
import { otherSide, playerName, shotText } from './descriptions.js';
import { listOf, t } from './i18n.js';

const REPLY_DELAY = 0.45;

/** @param {View | null} before @param {View} view @param {Side} owner @returns {Shot[]} */
export const newShots = (before, view, owner) => (before ? view.waters[owner].shots.slice(before.waters[owner].shots.length) : []);

/** @param {View | null} before @param {View} view @returns {Side[]} the owners of the boards, in the order in which they were fired at */
function boardsInOrder(before, view) {
  const first = before?.mover ?? view.mover ?? 'A';
  return [otherSide(first), first];
}

/** @param {View} view @param {Side} shooter @param {Shot[]} shots */
function shotsText(view, shooter, shots) {
  const text = shots.map(shotText).join(' ');
  return view.you === shooter ? text : `${playerName(view, shooter)}: ${text}`;
}

/** @param {View | null} before @param {View} view */
export function changeText(before, view) {
  const lines = boardsInOrder(before, view)
    .map((owner) => ({ owner, shots: newShots(before, view, owner) }))
    .filter(({ shots }) => shots.length > 0)
    .map(({ owner, shots }) => shotsText(view, otherSide(owner), shots));
  const turnChanged = lines.length > 0 || before?.stage !== view.stage;
  return [...lines, turnChanged && view.stage === 'battle' ? turnText(view) : ''].filter(Boolean).join(' ');
}

/** @param {View} view */
export function turnText(view) {
  if (view.stage === 'waiting') return t('turn.waiting');
  if (view.stage === 'placing') return placingText(view);
  if (view.stage === 'over' || !view.mover) return t('turn.over');
  if (view.you !== view.mover) return t('turn.theirs', { name: playerName(view, view.mover) });
  return view.due > 1 ? t('turn.salvo', { n: view.due }) : t('turn.yours');
}

/** @param {View} view */
function placingText(view) {
  const late = /** @type {Side[]} */ (['A', 'B']).filter((side) => !view.placed[side]);
  return t('turn.placing', { name: listOf(late.map((side) => playerName(view, side))) });
}

/** @param {View | null} before @param {View} view */
export function playChangeSounds(before, view) {
  let at = 0;
  for (const owner of boardsInOrder(before, view)) {
    const shots = newShots(before, view, owner);
    if (shots.length === 0) continue;
    playSound(loudest(shots), at);
    at += REPLY_DELAY;
  }
  if (before && before.stage !== 'over' && view.stage === 'over' && view.you) {
    playSound(view.end?.winner === view.you ? 'won' : 'lost', at + REPLY_DELAY);
  }
}

/** @param {Shot[]} shots */
const loudest = (shots) => /** @type {const} */ (['sunk', 'hit', 'miss']).find((answer) => shots.some((shot) => shot.answer === answer)) ?? 'miss';
