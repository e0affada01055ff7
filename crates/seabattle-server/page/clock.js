// The countdown to the server's deadline, by the server's clock.

import { make, write } from './dom.js';
import { say } from './words.js';

const HURRY = 10_000;

export function makeClock() {
  const face = make('span', { class: 'clock', role: 'timer', hidden: true });
  /** @type {number | null} */
  let deadline = null;
  let ahead = 0;

  function tick() {
    face.hidden = deadline === null;
    if (deadline === null) return;
    const left = Math.max(0, deadline - Date.now() - ahead);
    const seconds = Math.ceil(left / 1000);
    write(face, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
    face.toggleAttribute('data-hurry', left < HURRY);
    face.setAttribute('aria-label', say('clock.left', { n: seconds }));
  }

  const ticking = setInterval(tick, 250);
  return {
    element: face,
    /** @param {View} view */
    update(view) {
      deadline = view.stage === 'over' ? null : view.deadline;
      ahead = view.now - Date.now();
      tick();
    },
    close: () => clearInterval(ticking),
  };
}
