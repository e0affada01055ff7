// Addresses and pages: opening one, going back, and asking before a running game is left.

import { confirmDialog } from './confirm-dialog.js';
import { t } from './i18n.js';

/** @typedef {[RegExp, (id: string) => Page]} Route */

/** @type {Route[]} */
let routes = [];
/** @type {Page | null} */
let current = null;
let shownPath = '';

/** @param {Route[]} known */
export function startRouter(known) {
  routes = known;
  window.addEventListener('popstate', goBack);
  window.addEventListener('beforeunload', (event) => {
    if (current?.running?.()) event.preventDefault();
  });
  document.addEventListener('click', followLink);
  show();
}

/** Draws the current page again, for example in another language. */
export function refresh() {
  show();
}

/** @param {string} path */
export async function navigate(path) {
  if (!(await mayLeave())) return;
  history.pushState(null, '', path);
  show();
}

async function mayLeave() {
  return !current?.running?.() || confirmDialog(t('leave.question'), t('leave.yes'));
}

async function goBack() {
  if (location.pathname === shownPath) return;
  const wanted = location.pathname;
  if (current?.running?.()) {
    history.pushState(null, '', shownPath);
    if (!(await confirmDialog(t('leave.question'), t('leave.yes')))) return;
    history.pushState(null, '', wanted);
  }
  show();
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  event.preventDefault();
  navigate(link.pathname);
}

function show() {
  current?.close?.();
  shownPath = location.pathname;
  const [pattern, screen] = routes.find(([route]) => route.test(shownPath)) ?? routes[0];
  current = screen(pattern.exec(shownPath)?.[1] ?? '');
  const outlet = /** @type {HTMLElement} */ (document.getElementById('screen'));
  outlet.replaceChildren(current.element);
  window.scrollTo(0, 0);
  focusHeading();
}

/** @param {string} title */
export function setTitle(title) {
  document.title = title === 'Seabattle' ? title : `${title} · Seabattle`;
}

let arrived = false;

/** Moves the focus to a new page, so that screen readers announce it. The browser announces the first page itself. */
function focusHeading() {
  if (arrived) document.getElementById('screen')?.focus({ preventScroll: true });
  arrived = true;
}
