// The server's word on whether ships may lie so; the same question is asked once.

import { post } from './api.js';
import { cellLabel } from './cells.js';
import { knows, say, shipName } from './words.js';

const MOST_REMEMBERED = 500;

export class Judge {
  /** @type {Map<string, Promise<Verdict>>} */ #verdicts = new Map();

  /** @param {string} rules */
  constructor(rules) {
    this.rules = rules;
  }

  /** @param {string} ships @returns {Promise<Verdict>} */
  ask(ships) {
    const known = this.#verdicts.get(ships);
    if (known) return known;
    if (this.#verdicts.size > MOST_REMEMBERED) this.#verdicts.clear();
    const verdict = post('/api/fleet', { rules: this.rules, ships });
    this.#verdicts.set(ships, verdict);
    verdict.catch(() => this.#verdicts.delete(ships));
    return verdict;
  }

  /** @param {string} ships @returns {Promise<string>} why not; empty where they may */
  async objection(ships) {
    const { refusals } = await this.ask(ships);
    return refusals.length ? inWords(refusals[0]) : '';
  }
}

/** @param {ShipRefusal} refusal */
function inWords({ code, cell, other, other_cell, reason }) {
  const key = `refusal.${code}`;
  const label = (/** @type {string | null} */ name) => (name ? cellLabel(name) : '');
  return knows(key) ? say(key, { cell: label(cell), other: other ? shipName(other) : '', at: label(other_cell) }) : reason;
}
