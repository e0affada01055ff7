// Before two people play: the link to send, and the friend's form to join.

import { gamePath, postOnce, reasonOf } from './api.js';
import { field, make } from './dom.js';
import { nameInput, rulesText, saveName } from './start.js';
import { t } from './i18n.js';

/** @param {string} id */
export function invitePart(id) {
  const link = make('input', { readonly: true, value: `${location.origin}/game/${id}`, onfocus: () => link.select() });
  const button = make('button', { type: 'button', class: 'primary', onclick: copy }, t('invite.copy'));

  async function copy() {
    link.select();
    const copied = navigator.clipboard
      ? await navigator.clipboard.writeText(link.value).then(() => true, () => false) : document.execCommand('copy');
    button.textContent = t(copied ? 'invite.copied' : 'invite.copy');
  }

  const element = make('section', { class: 'card narrow' },
    make('h1', { tabindex: '-1' }, t('invite.title')),
    make('p', {}, t('invite.lead')),
    field(t('invite.link'), link), button,
    make('p', { class: 'waiting' }, t('turn.waiting')));
  return { element };
}

/** @param {View} view @param {(view: View) => void} joined */
export function joinPart(view, joined) {
  const name = nameInput();
  const problem = make('p', { class: 'problem', role: 'alert' });

  /** @param {Event} event */
  async function join(event) {
    event.preventDefault();
    saveName(name.value);
    try {
      joined(await postOnce(`${gamePath(view.game)}/join`, { name: name.value.trim() || undefined }));
    } catch (error) {
      problem.textContent = reasonOf(error);
    }
  }

  const host = view.names.A ?? view.names.B;
  const element = make('form', { class: 'card narrow', onsubmit: join },
    make('h1', { tabindex: '-1' }, host ? t('join.title', { name: host }) : t('join.title-plain')),
    make('p', {}, t('join.rules', { rules: rulesText(view.rules) })),
    view.clock ? make('p', {}, t('join.clock', { n: view.clock })) : null,
    field(t('start.name'), name), problem,
    make('button', { class: 'primary big' }, t('join.join')));
  return { element };
}
