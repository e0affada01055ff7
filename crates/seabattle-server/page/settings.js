// Settings in the browser. Where it forbids them, every visit starts with the defaults.

const PREFIX = 'seabattle.';

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @param {Storage} [store] `localStorage` by default
 * @returns {T}
 */
export function readSetting(name, otherwise, store) {
  try {
    const text = (store ?? localStorage).getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {unknown} value @param {Storage} [store] */
export function writeSetting(name, value, store) {
  try {
    (store ?? localStorage).setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden store only means that the next visit starts with the defaults.
  }
}
