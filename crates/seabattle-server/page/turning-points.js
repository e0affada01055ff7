// The list of shots at which a game turned.

import { cellLabel } from './cells.js';
import { playerName, shotText } from './descriptions.js';
import { make } from './dom.js';
import { percent, t } from './i18n.js';

/**
 * @param {View} view
 * @param {Step[]} steps
 * @param {Review | null} review
 * @param {(step: number) => void} go
 */
export function turningPoints(view, steps, review, go) {
  const items = (review?.turning_points ?? []).flatMap(({ number, kind, hits }) => {
    const step = steps[number - 1];
    if (!step?.odds) return [];
    const { chosen, best, best_cell } = step.odds;
    const key = kind === 'luck' ? ((hits ?? 0) > 0 ? 'turning.hit' : 'turning.miss') : `turning.${kind}`;
    const why = t(/** @type {Key} */ (key), { chosen: percent(chosen), best: percent(best), cell: cellLabel(best_cell) });
    const shot = `${number}. ${playerName(view, step.shooter)}: ${shotText(step.shot)}`;
    return [make('li', {}, make('button', { type: 'button', onclick: () => go(number) }, shot), ` ${why}`)];
  });
  if (items.length === 0) return '';
  return make('section', { class: 'card' }, make('h2', {}, t('turning.title')), make('ul', { class: 'turning' }, ...items));
}
