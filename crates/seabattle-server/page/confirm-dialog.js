// A dialog that asks before something that cannot be undone.

import { make } from './dom.js';
import { t } from './i18n.js';

/** @type {((answer: boolean) => void) | null} answers the open question */
let pending = null;

/**
 * Asks a question and resolves to the answer. The dialog leaves the page before that, since the caller may ask again.
 * A question that is still open is answered with no.
 * @param {string} question @param {string} yes @returns {Promise<boolean>}
 */
export function confirmDialog(question, yes) {
  pending?.(false);
  return new Promise((resolve) => {
    const answer = (/** @type {boolean} */ agreed) => {
      if (pending === answer) pending = null;
      // Closing returns the focus to where it was; removing the dialog alone would lose it.
      dialog.close();
      dialog.remove();
      resolve(agreed);
    };
    const form = make('form', { method: 'dialog', onsubmit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      answer(event.submitter instanceof HTMLButtonElement && event.submitter.value === 'yes');
    } },
    make('p', { id: 'question' }, question),
    make('div', { class: 'buttons' },
      make('button', { value: 'no', class: 'quiet', autofocus: true }, t('confirm.stay')),
      make('button', { value: 'yes', class: 'danger' }, yes)));
    const dialog = make('dialog', { 'aria-labelledby': 'question', oncancel: () => answer(false), onclose: () => answer(false) }, form);
    pending = answer;
    document.body.append(dialog);
    dialog.showModal();
  });
}
