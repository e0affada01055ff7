// Translation: messages by key, names, and numbers in the language of the page.

import en from './messages-en.js';
import ru from './messages-ru.js';
import { readSetting, writeSetting } from './settings.js';

/** @typedef {keyof typeof languages} Language */
/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Message */

export const languages = { en: 'English', ru: 'Русский' };

/** @type {Record<Language, Record<string, Message>>} */
const messages = { en, ru };

/** @type {Language} */
let current = choose();

/** @returns {Language} */
function choose() {
  const wanted = readSetting('language', globalThis.navigator?.language.slice(0, 2) ?? 'en');
  return wanted === 'ru' ? 'ru' : 'en';
}

export const language = () => current;

/** @param {Language} wanted */
export function setLanguage(wanted) {
  current = wanted;
  writeSetting('language', wanted);
}

/** @param {string} key @returns {key is Key} */
export const hasMessage = (key) => key in en;

/** The text of a message. If it has plural forms, the value `n` chooses one. @param {Key} key @param {Record<string, string | number>} [values] */
export function t(key, values = {}) {
  const message = messages[current][key];
  const text = typeof message === 'string' ? message : message[new Intl.PluralRules(current).select(Number(values.n))] ?? message.other ?? '';
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** @param {string} name as in the rules */
export function shipName(name) {
  const key = `ship.${name}`;
  if (hasMessage(key)) return t(key);
  return /^\d+$/.test(name) ? t('ship.numbered', { length: name }) : name;
}

/** @param {string} id */
export function opponentName(id) {
  const key = `opponent.${id}`;
  return hasMessage(key) ? t(key) : id;
}

/** Names in a sentence: `Anna and Boris`. @param {string[]} names */
export const listOf = (names) => new Intl.ListFormat(current).format(names);

/** @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase(current) + text.slice(1);

/** @param {number} share @param {number} [digits] */
export const percent = (share, digits = 0) =>
  new Intl.NumberFormat(current, { style: 'percent', maximumFractionDigits: digits }).format(share);

/** A number with one digit after the decimal point. @param {number} value */
export const tenths = (value) =>
  new Intl.NumberFormat(current, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** A number with its sign; a real minus, not a hyphen. @param {number} value */
export const signed = (value) =>
  new Intl.NumberFormat(current, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(value).replace('-', '−');
