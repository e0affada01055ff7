// Before two people play: the link for the friend, and the friend's way in.

import { gamePath, post, reasonOf } from './api.js';
import { field, make } from './dom.js';
import { nameInput, rememberName, rulesWords } from './start.js';
import { say } from './words.js';

/** @param {string} id */
export function invitePart(id) {
  const link = make('input', { readonly: true, value: `${location.origin}/game/${id}`, onfocus: () => link.select() });
  const button = make('button', { type: 'button', class: 'primary', onclick: copy }, say('invite.copy'));

  async function copy() {
    link.select();
    const copied = navigator.clipboard
      ? await navigator.clipboard.writeText(link.value).then(() => true, () => false) : document.execCommand('copy');
    button.textContent = say(copied ? 'invite.copied' : 'invite.copy');
  }

  const element = make('section', { class: 'card lone' },
    make('h1', { tabindex: '-1' }, say('invite.title')),
    make('p', {}, say('invite.lead')),
    field(say('invite.link'), link), button,
    make('p', { class: 'waiting' }, say('turn.waiting')));
  return { element };
}

/** @param {View} view @param {(view: View) => void} joined */
export function joinPart(view, joined) {
  const name = nameInput();
  const problem = make('p', { class: 'problem', role: 'alert' });

  /** @param {Event} event */
  async function join(event) {
    event.preventDefault();
    rememberName(name.value);
    try {
      joined(await post(`${gamePath(view.game)}/join`, { name: name.value.trim() || undefined }));
    } catch (error) {
      problem.textContent = reasonOf(error);
    }
  }

  const host = view.names.A ?? view.names.B;
  const element = make('form', { class: 'card lone', onsubmit: join },
    make('h1', { tabindex: '-1' }, host ? say('join.title', { name: host }) : say('join.title-plain')),
    make('p', {}, say('join.rules', { rules: rulesWords(view.rules) })),
    view.clock ? make('p', {}, say('join.clock', { n: view.clock })) : null,
    field(say('start.name'), name), problem,
    make('button', { class: 'primary big' }, say('join.join')));
  return { element };
}
