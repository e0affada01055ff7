// Layouts that a person has saved, by rules.

import { field, make, setChildren } from './dom.js';
import { readSetting, writeSetting } from './settings.js';
import { t } from './i18n.js';

/** @typedef {{name: string, fleet: string}} Layout */

/** @param {string} rules @returns {Layout[]} */
const saved = (rules) => readSetting(`layouts.${rules}`, []);

/** @param {string} rules @param {() => string} current the complete fleet as text, or an empty text @param {(fleet: string) => void} load */
export function savedLayouts(rules, current, load) {
  const list = make('ul', { class: 'games' });
  const name = make('input', { maxlength: '40' });
  const problem = make('p', { class: 'problem', role: 'status' });

  /** @param {Layout[]} layouts */
  function store(layouts) {
    writeSetting(`layouts.${rules}`, layouts);
    draw();
  }

  function save() {
    const fleet = current();
    problem.textContent = fleet ? '' : t('layouts.incomplete');
    if (!fleet) return;
    const layouts = saved(rules);
    const title = name.value.trim() || t('layouts.default', { n: layouts.length + 1 });
    store([...layouts.filter((layout) => layout.name !== title), { name: title, fleet }]);
    name.value = '';
  }

  function draw() {
    const items = saved(rules).map((layout) => make('li', {},
      make('span', {}, layout.name),
      make('button', { type: 'button', 'aria-label': t('layouts.load-one', { name: layout.name }), onclick: () => load(layout.fleet) }, t('layouts.load')),
      make('button', {
        type: 'button', class: 'quiet', 'aria-label': t('layouts.delete-one', { name: layout.name }),
        onclick: () => {
          store(saved(rules).filter((each) => each.name !== layout.name));
          name.focus();
        },
      }, t('layouts.delete'))));
    setChildren(list, ...(items.length ? items : [make('li', { class: 'none' }, t('layouts.none'))]));
  }

  draw();
  return make('details', { class: 'saved-layouts' }, make('summary', {}, t('layouts.title')), list,
    make('div', { class: 'inline' }, field(t('layouts.name'), name), make('button', { type: 'button', onclick: save }, t('layouts.save'))), problem);
}
