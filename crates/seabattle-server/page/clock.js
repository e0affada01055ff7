// The countdown to the deadline, by the server's clock.

import { make, setText } from './dom.js';
import { t } from './i18n.js';

const HURRY_BELOW = 10_000;

export function makeClock() {
  const display = make('span', { class: 'clock', role: 'timer', hidden: true });
  /** @type {number | null} */
  let deadline = null;
  let serverOffset = 0;

  function tick() {
    display.hidden = deadline === null;
    if (deadline === null) return;
    const left = Math.max(0, deadline - Date.now() - serverOffset);
    const seconds = Math.ceil(left / 1000);
    setText(display, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
    display.toggleAttribute('data-hurry', left < HURRY_BELOW);
    display.setAttribute('aria-label', t('clock.left', { n: seconds }));
  }

  const timer = setInterval(tick, 250);
  return {
    element: display,
    /** @param {View} view */
    update(view) {
      deadline = view.stage === 'over' ? null : view.deadline;
      serverOffset = view.now - Date.now();
      tick();
    },
    close: () => clearInterval(timer),
  };
}
