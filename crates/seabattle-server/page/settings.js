// What the browser remembers of a person; nothing breaks where it may not.

const PREFIX = 'seabattle.';

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @param {Storage} [store] that of the browser for good, if left out
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
    // A full or forbidden store only means that the next visit starts afresh.
  }
}
