// The server's word on whether ships may lie so; the same question is asked once.

import { post } from './api.js';
import { cellLabel } from './cells.js';
import { hasMessage, shipName, t } from './i18n.js';

const MOST_REMEMBERED = 500;

export class PlacementValidator {
  /** @type {Map<string, Promise<Validation>>} */ #known = new Map();

  /** @param {string} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** @param {string} ships @returns {Promise<Validation>} */
  check(ships) {
    const known = this.#known.get(ships);
    if (known) return known;
    if (this.#known.size > MOST_REMEMBERED) this.#known.clear();
    const validation = post('/api/fleet', { rules: this.rules, ships });
    this.#known.set(ships, validation);
    validation.catch(() => this.#known.delete(ships));
    return validation;
  }

  /** @param {string} ships @returns {Promise<string>} why not; empty where they may */
  async problem(ships) {
    const { refusals } = await this.check(ships);
    return refusals.length ? refusalText(refusals[0]) : '';
  }
}

/** @param {ShipRefusal} refusal */
function refusalText({ code, cell, other, other_cell, reason }) {
  const key = `refusal.${code}`;
  const label = (/** @type {string | null} */ name) => (name ? cellLabel(name) : '');
  return hasMessage(key) ? t(key, { cell: label(cell), other: other ? shipName(other) : '', at: label(other_cell) }) : reason;
}
