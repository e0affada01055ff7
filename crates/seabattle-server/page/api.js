// Requests to the server. A refused request is an error with a code and a reason.

import { hasMessage, t } from './i18n.js';

const MOST_RETRIES = 10;
const MOST_POSTS = 3;
const POST_RETRY_DELAY = 1000;

export class RefusedRequest extends Error {
  /** @param {{code: string, reason: string, refusals?: ShipRefusal[]}} error @param {number} status @param {number} [retryAfter] in seconds */
  constructor({ code, reason, refusals = [] }, status, retryAfter = 0) {
    super(reason);
    this.code = code;
    this.status = status;
    this.refusals = refusals;
    this.retryAfter = retryAfter;
  }
}

/** @param {string} path @param {RequestInit} [options] */
async function request(path, options) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw await readRefusal(response);
  return response;
}

/** @param {Response} response */
async function readRefusal(response) {
  const body = await response.json().catch(() => null);
  return new RefusedRequest(body?.error ?? { code: 'failed', reason: t('error.failed') }, response.status,
    Number(response.headers.get('retry-after')));
}

/** @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return (await request(path)).json();
}

/** @param {string} path */
export async function getText(path) {
  return (await request(path)).text();
}

/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export async function post(path, body) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return (await request(path, options)).json();
}

export function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Posts until there is an answer. The server executes it once, since the id stays the same. @param {string} path @param {object} body @returns {Promise<any>} */
export async function postOnce(path, body) {
  const identified = { ...body, command: randomId() };
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await post(path, identified);
    } catch (error) {
      const mayPass = !(error instanceof RefusedRequest) || error.status === 503;
      if (!mayPass || attempts >= MOST_POSTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, POST_RETRY_DELAY));
    }
  }
}

/** Asks again as long as the server says when. @param {string} path @returns {Promise<any>} */
export async function getPatiently(path) {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await get(path);
    } catch (error) {
      if (!(error instanceof RefusedRequest) || !error.retryAfter || attempts >= MOST_RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
    }
  }
}

/** @param {string} id */
export const gamePath = (id) => `/api/games/${encodeURIComponent(id)}`;

/** @param {unknown} error */
export function reasonOf(error) {
  if (!(error instanceof RefusedRequest)) return t('error.unreachable');
  const key = `error.${error.code}`;
  return hasMessage(key) ? t(key) : error.message;
}
