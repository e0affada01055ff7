// Asks the server whether ships may be placed like this. It sends the same question once.

import { post } from './api.js';
import { problemOf } from './refusals.js';

const MOST_REMEMBERED = 500;

/** @typedef {(path: string, body: unknown) => Promise<Validation>} Send */

export class PlacementValidator {
  /** @type {Map<string, Promise<Validation>>} */ #answers = new Map();

  /** @param {string} rules @param {Send} [send] */
  constructor(rules, send = post) {
    this.rules = rules;
    this.send = send;
  }

  /** @param {string} ships @returns {Promise<Validation>} */
  check(ships) {
    const known = this.#answers.get(ships);
    if (known) return known;
    if (this.#answers.size >= MOST_REMEMBERED) this.#answers.clear();
    const answer = this.send('/api/fleet', { rules: this.rules, ships });
    this.#answers.set(ships, answer);
    answer.catch(() => this.#answers.delete(ships));
    return answer;
  }

  /** What is wrong with these ships; an empty text where nothing is. @param {string} ships */
  async problem(ships) {
    const { refusals } = await this.check(ships);
    return problemOf(refusals);
  }
}
