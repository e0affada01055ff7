// Layouts a person has saved, per rules.

import { field, fill, make } from './dom.js';
import { recall, remember } from './settings.js';
import { say } from './words.js';

/** @typedef {{name: string, fleet: string}} Layout */

/** @param {string} rules @returns {Layout[]} */
const saved = (rules) => recall(`layouts.${rules}`, []);

/** @param {string} rules @param {() => string} current the whole fleet as text, or nothing @param {(fleet: string) => void} load */
export function layoutShelf(rules, current, load) {
  const list = make('ul', { class: 'games' });
  const name = make('input', { maxlength: '40' });
  const problem = make('p', { class: 'problem', role: 'status' });

  /** @param {Layout[]} layouts */
  function keep(layouts) {
    remember(`layouts.${rules}`, layouts);
    draw();
  }

  function save() {
    const fleet = current();
    problem.textContent = fleet ? '' : say('layouts.incomplete');
    if (!fleet) return;
    const layouts = saved(rules);
    const title = name.value.trim() || say('layouts.default', { n: layouts.length + 1 });
    keep([...layouts.filter((layout) => layout.name !== title), { name: title, fleet }]);
    name.value = '';
  }

  function draw() {
    const items = saved(rules).map((layout) => make('li', {},
      make('span', {}, layout.name),
      make('button', { type: 'button', 'aria-label': say('layouts.load-one', { name: layout.name }), onclick: () => load(layout.fleet) }, say('layouts.load')),
      make('button', {
        type: 'button', class: 'quiet', 'aria-label': say('layouts.delete-one', { name: layout.name }),
        onclick: () => {
          keep(saved(rules).filter((each) => each.name !== layout.name));
          name.focus();
        },
      }, say('layouts.delete'))));
    fill(list, ...(items.length ? items : [make('li', { class: 'none' }, say('layouts.none'))]));
  }

  draw();
  return make('details', { class: 'shelf' }, make('summary', {}, say('layouts.title')), list,
    make('div', { class: 'inline' }, field(say('layouts.name'), name), make('button', { type: 'button', onclick: save }, say('layouts.save'))), problem);
}
