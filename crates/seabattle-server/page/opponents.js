// The choice of an opponent: five levels at once, and the bots of the documents under "More opponents".

import { get } from './api.js';
import { make } from './dom.js';
import { hasMessage, opponentName, t } from './i18n.js';
import { readSetting, writeSetting } from './settings.js';

const LEVELS = /** @type {const} */ (['recruit', 'sailor', 'captain', 'admiral', 'champion']);
const FIRST_CHOICE = 'sailor';

/** The field of a form to choose an opponent, named `opponent`. */
export function opponentChoice() {
  const last = readSetting('level', FIRST_CHOICE);
  const isLevel = LEVELS.some((level) => level === last);
  const more = make('details', { class: 'more-opponents', hidden: true, open: !isLevel }, make('summary', {}, t('start.more-opponents')));
  const levels = LEVELS.map((level) => choice(level, t(`opponent-hint.${level}`), level === (isLevel ? last : FIRST_CHOICE)));
  showDocumentBots(more, last);
  return make('fieldset', { class: 'opponents' }, make('legend', {}, t('start.level')), make('div', { class: 'levels' }, ...levels), more);
}

/** Adds the bots of the documents. If the server does not answer, only the levels are offered. @param {HTMLElement} more @param {string} last */
async function showDocumentBots(more, last) {
  /** @type {{opponents: Opponent[]}} */
  const { opponents } = await get('/api/opponents').catch(() => ({ opponents: [] }));
  const bots = opponents.filter(({ group }) => group === 'document');
  if (bots.length === 0) return;
  const choices = bots.map(({ id, description }) => choice(id, hintOf(id, description), id === last));
  more.append(make('p', { class: 'hint' }, t('start.more-opponents-lead')), make('div', { class: 'bots' }, ...choices));
  more.hidden = false;
}

/** @param {string} id @param {string} description from the server, for a bot without a message */
function hintOf(id, description) {
  const key = `opponent-hint.${id}`;
  return hasMessage(key) ? t(key) : description;
}

/** @param {string} id @param {string} hint @param {boolean} checked */
function choice(id, hint, checked) {
  const input = make('input', { type: 'radio', name: 'opponent', value: id, onchange: () => writeSetting('level', id) });
  input.checked = checked;
  return make('label', {}, input, make('span', {}, make('strong', {}, opponentName(id)), make('small', {}, hint)));
}
