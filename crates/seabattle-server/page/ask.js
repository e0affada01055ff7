// One question with two answers, before something that cannot be undone.

import { make } from './dom.js';
import { say } from './words.js';

/** @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function ask(question, yes) {
  return new Promise((resolve) => {
    const form = make('form', { method: 'dialog' },
      make('p', { id: 'question' }, question),
      make('div', { class: 'buttons' },
        make('button', { value: 'no', class: 'quiet', autofocus: true }, say('ask.no')),
        make('button', { value: 'yes', class: 'danger' }, yes)));
    const dialog = make('dialog', {
      'aria-labelledby': 'question',
      onclose: () => {
        dialog.remove();
        resolve(dialog.returnValue === 'yes');
      },
    }, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}
