// The live region, through which screen readers announce news.

const region = () => /** @type {HTMLElement} */ (document.getElementById('announcer'));

/** @param {string} text */
export function announce(text) {
  if (!text) return;
  const line = document.createElement('p');
  line.textContent = text;
  region().replaceChildren(line);
}
