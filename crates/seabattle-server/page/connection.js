// The connection to one game: a WebSocket that reconnects, polling where it fails, and commands repeated until answered.

import { gamePath, get, post, randomId, RefusedRequest } from './api.js';

/** @typedef {{body: {command: string}, resolve: () => void, reject: (reason: unknown) => void}} Pending */

const FIRST_RETRY = 400;
const LONGEST_RETRY = 10_000;
const FAILURES_BEFORE_POLLING = 3;
const FAST_POLL = 2_000;
const SLOW_POLL = 20_000;
const ANSWER_TIMEOUT = 6_000;
const REPLACED = 4001;

export class GameConnection {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<string, Pending>} */ #pending = new Map();
  #failures = 0;
  #revision = -1;
  #closed = false;
  #reconnect = 0;
  #poll = 0;
  #lastHeard = 0;

  /** @param {string} id @param {(view: View) => void} onView @param {(link: LinkState) => void} onLink */
  constructor(id, onView, onLink) {
    this.path = gamePath(id);
    this.onView = onView;
    this.onLink = onLink;
    this.wake = () => this.#pollNow();
  }

  async start() {
    this.#accept(await get(this.path));
    if (this.#closed) return;
    window.addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    this.#connect();
    this.#schedulePoll();
  }

  close() {
    this.#closed = true;
    window.removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    clearTimeout(this.#reconnect);
    clearTimeout(this.#poll);
    this.#socket?.close();
  }

  /** Takes the seat back from another window. */
  takeBack() {
    this.#failures = 0;
    this.#connect();
  }

  /** @param {string} kind @param {Record<string, unknown>} [details] @returns {Promise<void>} */
  command(kind, details = {}) {
    const body = { command: randomId(), kind, ...details };
    return new Promise((resolve, reject) => {
      const pending = { body, resolve, reject };
      this.#pending.set(body.command, pending);
      this.#send(pending);
    });
  }

  /** @param {View} view */
  #accept(view) {
    this.#lastHeard = Date.now();
    if (this.#closed || view.revision < this.#revision) return false;
    const newer = view.revision > this.#revision;
    this.#revision = view.revision;
    this.onView(view);
    return newer;
  }

  #connect() {
    if (this.#closed) return;
    clearTimeout(this.#reconnect);
    this.#disconnect();
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${this.path}/live`);
    this.#socket = socket;
    socket.onopen = () => this.#pending.forEach((pending) => this.#send(pending));
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#onClose(event.code);
  }

  #disconnect() {
    if (!this.#socket) return;
    this.#socket.onclose = null;
    this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = null;
  }

  /** @param {{view?: View, done?: string, refused?: string, error?: {code: string, reason: string, refusals?: ShipRefusal[]}}} message */
  #receive(message) {
    if (message.view) {
      this.#failures = 0;
      this.onLink('live');
      this.#accept(message.view);
    }
    if (message.done) this.#settle(message.done);
    if (message.refused) this.#settle(message.refused, new RefusedRequest(message.error ?? { code: '', reason: '' }, 400));
  }

  /** @param {number} code */
  #onClose(code) {
    this.#socket = null;
    if (this.#closed) return;
    if (code === REPLACED) {
      this.onLink('replaced');
      return;
    }
    this.#failures += 1;
    this.onLink(this.#failures > FAILURES_BEFORE_POLLING ? 'polling' : 'lost');
    const delay = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** (this.#failures - 1));
    this.#reconnect = window.setTimeout(() => this.#connect(), delay * (0.75 + Math.random() / 2));
    if (this.#failures > FAILURES_BEFORE_POLLING) this.#schedulePoll();
  }

  #schedulePoll() {
    clearTimeout(this.#poll);
    const delay = this.#failures > FAILURES_BEFORE_POLLING ? FAST_POLL : SLOW_POLL;
    this.#poll = window.setTimeout(() => this.#pollNow(), delay);
  }

  /** Polls over HTTP. A newer view that the socket did not deliver means that the socket is dead. */
  async #pollNow() {
    if (this.#closed || document.hidden) return this.#closed || this.#schedulePoll();
    const overdue = Date.now() - this.#lastHeard >= FAST_POLL;
    try {
      if (overdue && this.#accept(await get(this.path)) && this.#socket?.readyState === WebSocket.OPEN) this.#connect();
      if (this.#socket?.readyState !== WebSocket.OPEN) this.#pending.forEach((pending) => this.#sendByHttp(pending));
    } catch {
      // The next poll is scheduled below.
    }
    if (!this.#closed) this.#schedulePoll();
  }

  /** @param {Pending} pending */
  #send(pending) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      if (this.#failures > FAILURES_BEFORE_POLLING) this.#sendByHttp(pending);
      return;
    }
    this.#socket.send(JSON.stringify(pending.body));
    setTimeout(() => {
      if (this.#pending.has(pending.body.command) && this.#socket?.readyState === WebSocket.OPEN) this.#connect();
    }, ANSWER_TIMEOUT);
  }

  /** @param {Pending} pending */
  async #sendByHttp({ body }) {
    try {
      this.#accept(await post(`${this.path}/commands`, body));
      this.#settle(body.command);
    } catch (error) {
      if (error instanceof RefusedRequest && error.status < 500) this.#settle(body.command, error);
    }
  }

  /** @param {string} command @param {unknown} [failure] */
  #settle(command, failure) {
    const pending = this.#pending.get(command);
    this.#pending.delete(command);
    if (failure) pending?.reject(failure);
    else pending?.resolve();
  }
}
