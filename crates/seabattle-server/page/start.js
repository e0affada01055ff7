// The start page: play the computer, play a friend, open games, recent games.

import { get, postOnce, reasonOf } from './api.js';
import { field, make, setChildren, toggle } from './dom.js';
import { opponentChoice } from './opponents.js';
import { navigate, setTitle } from './router.js';
import { readSetting, writeSetting } from './settings.js';
import { capital, opponentName, t } from './i18n.js';

const PRESETS = /** @type {const} */ (['classic', 'russian', 'salvo', 'own']);
const CLOCKS = [0, 15, 30, 60, 120];
const LIST_REFRESH = 10_000;
const LIST_LENGTH = 8;

/** @returns {Page} */
export function startScreen() {
  setTitle('Seabattle');
  const openGames = make('ul', { class: 'games' });
  const recentGames = make('ul', { class: 'games' });
  const element = make('div', { class: 'start' },
    make('div', { class: 'hero' }, make('h1', {}, t('start.title')), make('p', {}, t('start.lead'))),
    make('div', { class: 'cards' }, computerCard(), friendCard()),
    make('div', { class: 'cards' },
      make('section', { class: 'card' }, make('h2', {}, t('start.open')), openGames),
      make('section', { class: 'card' }, make('h2', {}, t('start.recent')), recentGames)));
  const refreshLists = () => {
    list(openGames, 'open', openItem);
    list(recentGames, 'over', recentItem);
  };
  refreshLists();
  const timer = setInterval(() => document.hidden || refreshLists(), LIST_REFRESH);
  return { element, close: () => clearInterval(timer) };
}

function computerCard() {
  const form = gameForm('computer', t('start.play'), () => ({ opponent: chosen(form, 'opponent') }));
  form.querySelector('h2')?.after(opponentChoice());
  return form;
}

function friendCard() {
  let listed = readSetting('listed', false);
  const form = gameForm('friend', t('start.invite'), () => ({ opponent: 'person', listed }));
  const box = toggle(t('start.listed'), listed, (on) => {
    listed = on;
    writeSetting('listed', on);
  });
  form.querySelector('details')?.before(box);
  form.querySelector('h2')?.after(make('p', {}, t('start.friend-lead')));
  return form;
}

/** @param {'computer' | 'friend'} kind @param {string} action @param {() => Record<string, unknown>} extra */
function gameForm(kind, action, extra) {
  const rules = rulesField(kind);
  const more = moreFields(kind);
  const problem = make('p', { class: 'problem', role: 'alert' });
  const form = make('form', {
    class: 'card', 'data-kind': kind,
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      create({ rules: rules.value(), ...more.values(), ...extra() }, problem);
    },
  },
  make('h2', {}, t(`start.${kind}`)), rules.element, more.element, problem,
  make('button', { class: kind === 'computer' ? 'primary big' : 'primary' }, action));
  return form;
}

/** @param {Record<string, unknown>} options @param {HTMLElement} problem */
async function create(options, problem) {
  try {
    const view = await postOnce('/api/games', options);
    navigate(`/game/${view.game}`);
  } catch (error) {
    problem.textContent = reasonOf(error);
  }
}

/** @param {HTMLFormElement} form @param {string} name */
const chosen = (form, name) => String(new FormData(form).get(name));

/** @param {string} kind */
function rulesField(kind) {
  const select = make('select', {}, ...PRESETS.map((name) => make('option', { value: name }, t(`rules.${name}`))));
  const own = make('input', { value: readSetting('own-rules', '8x8:4,3,2,2,touching=forbidden'), spellcheck: 'false', autocapitalize: 'off', maxlength: '400' });
  const ownField = field(t('start.own-rules'), own, t('start.own-rules-hint'));
  const hint = make('p', { class: 'hint' });
  const showChosen = () => {
    const preset = PRESETS.find((name) => name === select.value) ?? 'classic';
    ownField.hidden = preset !== 'own';
    hint.hidden = preset === 'own';
    hint.textContent = t(`rules-hint.${preset}`);
  };
  select.value = readSetting(`rules-${kind}`, 'classic');
  select.addEventListener('change', showChosen);
  showChosen();
  return {
    element: make('div', { class: 'rules' }, field(t('start.rules'), select), hint, ownField),
    value() {
      writeSetting(`rules-${kind}`, select.value);
      writeSetting('own-rules', own.value);
      return select.value === 'own' ? own.value.trim() : select.value;
    },
  };
}

/** @param {string} kind */
function moreFields(kind) {
  const name = nameInput();
  const first = make('select', {}, ...['random', 'me', 'them'].map((value) =>
    make('option', { value }, t(/** @type {Key} */ (`first.${value}`)))));
  const clock = make('select', {}, ...CLOCKS.map((seconds) =>
    make('option', { value: seconds }, seconds ? t('clock.seconds', { n: seconds }) : t('clock.none'))));
  const fields = make('div', { class: 'fields' }, field(t('start.first'), first), field(t('start.clock'), clock));
  const nameField = field(t('start.name'), name);
  const element = make('div', {}, kind === 'friend' && nameField,
    make('details', { class: 'more-options' }, make('summary', {}, t('start.more')), kind === 'computer' && nameField, fields));
  return {
    element,
    values() {
      saveName(name.value);
      return { first: first.value, clock: Number(clock.value) || undefined, name: name.value.trim() || undefined };
    },
  };
}

export const nameInput = () => make('input', { value: readSetting('name', ''), maxlength: '40', autocomplete: 'nickname' });

/** @param {string} name */
export const saveName = (name) => writeSetting('name', name.trim());

/** @param {HTMLElement} place @param {'open' | 'over'} state @param {(game: Listed) => HTMLElement} item */
async function list(place, state, item) {
  /** @type {{games: Listed[]}} */
  const answer = await get(`/api/games?state=${state}`).catch(() => ({ games: [] }));
  if (place.contains(document.activeElement)) return;
  const items = answer.games.slice(0, LIST_LENGTH).map(item);
  setChildren(place, ...(items.length ? items : [make('li', { class: 'none' }, t(`start.none-${state}`))]));
}

/** @param {Listed} game */
function openItem({ id, rules, name, clock }) {
  return make('li', {},
    make('span', {}, make('strong', {}, name || t('player.somebody')), ' ', make('small', {}, rulesText(rules), clock ? ` · ${t('clock.seconds', { n: clock })}` : '')),
    make('a', { href: `/game/${id}`, class: 'button' }, t('start.join')));
}

/** @param {Listed} game */
function recentItem({ id, rules, names, computer, winner }) {
  const players = (/** @type {Side[]} */ (['A', 'B'])).map((side) => names[side] || (computer?.side === side ? opponentName(computer.level) : t('player.side', { side })));
  const [a, b] = winner === 'B' ? players.reverse() : players;
  return make('li', {},
    make('span', {}, t(winner ? 'start.won' : 'start.draw', { a, b }), ' ', make('small', {}, rulesText(rules))),
    make('a', { href: `/replay/${id}`, class: 'button' }, t('start.replay')));
}

/** @param {string} rules */
export function rulesText(rules) {
  const preset = PRESETS.find((name) => name === rules && name !== 'own');
  return preset ? capital(t(`rules.${preset}`)) : rules;
}
