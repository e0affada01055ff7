// A chart of hits per shot, with the expected hits beside them.

import { playerName } from './descriptions.js';
import { make } from './dom.js';
import { t, tenths } from './i18n.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 640;
const HEIGHT = 260;
const EDGE = { left: 40, right: 12, top: 12, bottom: 28 };
const SIDES = /** @type {Side[]} */ (['A', 'B']);

/** @param {View} view @param {Review | null} review */
export function hitsChart(view, review) {
  const sides = SIDES.filter((side) => (review?.[side]?.shots.length ?? 0) > 0);
  if (!review || sides.length === 0) return '';
  const most = Math.max(...sides.map((side) => review[side].shots.length));
  const top = Math.max(...sides.flatMap((side) => [review[side].hits, review[side].expected]), 1);
  const at = (/** @type {number} */ shots, /** @type {number} */ hits) => {
    const x = EDGE.left + (shots / most) * (WIDTH - EDGE.left - EDGE.right);
    const y = HEIGHT - EDGE.bottom - (hits / top) * (HEIGHT - EDGE.top - EDGE.bottom);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const chart = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': t('turning.chart') });
  chart.append(svg('path', { class: 'axis', d: `M${at(0, top)} L${at(0, 0)} L${at(most, 0)}` }),
    label(EDGE.left - 6, EDGE.top + 10, 'end', String(Math.round(top))), label(EDGE.left - 6, HEIGHT - EDGE.bottom, 'end', '0'),
    label(WIDTH - EDGE.right, HEIGHT - 8, 'end', t('turning.shots', { n: most })));
  for (const side of sides) {
    const { shots } = review[side];
    chart.append(curve(side, 'expected', sums(shots.map(({ chosen }) => chosen)), at), curve(side, 'made', sums(shots.map(isHit)), at));
  }
  const key = sides.map((side) => make('li', { 'data-side': side }, t('turning.key', {
    name: playerName(view, side), hits: review[side].hits, expected: tenths(review[side].expected),
  })));
  return make('section', { class: 'card chart' }, make('h2', {}, t('turning.chart')), chart, make('ul', {}, ...key));
}

/** @param {ReviewedShot} shot */
function isHit({ answer }) {
  return answer.endsWith('.') ? 0 : 1;
}

/** @param {number[]} values */
function sums(values) {
  let total = 0;
  return [0, ...values.map((value) => (total += value))];
}

/** @param {Side} side @param {string} kind @param {number[]} heights @param {(x: number, y: number) => string} at */
function curve(side, kind, heights, at) {
  return svg('polyline', { 'data-side': side, 'data-kind': kind, points: heights.map((height, shots) => at(shots, height)).join(' ') });
}

/** @param {number} x @param {number} y @param {string} anchor @param {string} words */
function label(x, y, anchor, words) {
  const text = svg('text', { x: String(x), y: String(y), 'text-anchor': anchor });
  text.textContent = words;
  return text;
}

/** @param {string} name @param {Record<string, string>} traits */
function svg(name, traits) {
  const element = document.createElementNS(SVG, name);
  for (const [trait, value] of Object.entries(traits)) element.setAttribute(trait, value);
  return element;
}
