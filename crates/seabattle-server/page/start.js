// The start page: play now, play a friend, open games, recent games.

import { get, post, reasonOf } from './api.js';
import { field, fill, make, toggle } from './dom.js';
import { entitle, open } from './router.js';
import { recall, remember } from './settings.js';
import { capital, levelName, say } from './words.js';

const LEVELS = /** @type {const} */ (['recruit', 'sailor', 'captain', 'admiral', 'champion']);
const PRESETS = /** @type {const} */ (['classic', 'russian', 'salvo', 'own']);
const CLOCKS = [0, 15, 30, 60, 120];
const LIST_EVERY = 10_000;
const LIST_LENGTH = 8;

/** @returns {Scene} */
export function startScreen() {
  entitle('Seabattle');
  const openGames = make('ul', { class: 'games' });
  const recentGames = make('ul', { class: 'games' });
  const element = make('div', { class: 'start' },
    make('div', { class: 'hero' }, make('h1', {}, say('start.title')), make('p', {}, say('start.lead'))),
    make('div', { class: 'cards' }, computerCard(), friendCard()),
    make('div', { class: 'cards' },
      make('section', { class: 'card' }, make('h2', {}, say('start.open')), openGames),
      make('section', { class: 'card' }, make('h2', {}, say('start.recent')), recentGames)));
  const look = () => {
    list(openGames, 'open', openItem);
    list(recentGames, 'over', recentItem);
  };
  look();
  const looking = setInterval(() => document.hidden || look(), LIST_EVERY);
  return { element, close: () => clearInterval(looking) };
}

function computerCard() {
  const form = gameForm('computer', say('start.play'), () => ({ opponent: chosen(form, 'level') }));
  form.querySelector('h2')?.after(levelChoice());
  return form;
}

function friendCard() {
  let listed = recall('listed', false);
  const form = gameForm('friend', say('start.invite'), () => ({ opponent: 'person', listed }));
  const box = toggle(say('start.listed'), listed, (on) => {
    listed = on;
    remember('listed', on);
  });
  form.querySelector('details')?.before(box);
  form.querySelector('h2')?.after(make('p', {}, say('start.friend-lead')));
  return form;
}

/** @param {'computer' | 'friend'} kind @param {string} action @param {() => Record<string, unknown>} special */
function gameForm(kind, action, special) {
  const rules = rulesField(kind);
  const more = moreFields(kind);
  const problem = make('p', { class: 'problem', role: 'alert' });
  const form = make('form', {
    class: 'card', 'data-kind': kind,
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      create({ rules: rules.value(), ...more.values(), ...special() }, problem);
    },
  },
  make('h2', {}, say(`start.${kind}`)), rules.element, more.element, problem,
  make('button', { class: kind === 'computer' ? 'primary big' : 'primary' }, action));
  return form;
}

/** @param {Record<string, unknown>} wanted @param {HTMLElement} problem */
async function create(wanted, problem) {
  try {
    const view = await post('/api/games', wanted);
    open(`/game/${view.game}`);
  } catch (error) {
    problem.textContent = reasonOf(error);
  }
}

/** @param {HTMLFormElement} form @param {string} name */
const chosen = (form, name) => String(new FormData(form).get(name));

function levelChoice() {
  const last = recall('level', 'sailor');
  return make('fieldset', { class: 'levels' }, make('legend', {}, say('start.level')), ...LEVELS.map((level) => {
    const input = make('input', { type: 'radio', name: 'level', value: level, onchange: () => remember('level', level) });
    input.checked = level === last;
    return make('label', {}, input, make('span', {}, make('strong', {}, say(`level.${level}`)), make('small', {}, say(`level-hint.${level}`))));
  }));
}

/** @param {string} kind */
function rulesField(kind) {
  const select = make('select', {}, ...PRESETS.map((name) => make('option', { value: name }, say(`rules.${name}`))));
  const own = make('input', { value: recall('own-rules', '8x8:4,3,2,2,touching=forbidden'), spellcheck: 'false', autocapitalize: 'off', maxlength: '400' });
  const ownField = field(say('start.own-rules'), own, say('start.own-rules-hint'));
  const hint = make('p', { class: 'hint' });
  const adapt = () => {
    const preset = PRESETS.find((name) => name === select.value) ?? 'classic';
    ownField.hidden = preset !== 'own';
    hint.hidden = preset === 'own';
    hint.textContent = say(`rules-hint.${preset}`);
  };
  select.value = recall(`rules-${kind}`, 'classic');
  select.addEventListener('change', adapt);
  adapt();
  return {
    element: make('div', { class: 'rules' }, field(say('start.rules'), select), hint, ownField),
    value() {
      remember(`rules-${kind}`, select.value);
      remember('own-rules', own.value);
      return select.value === 'own' ? own.value.trim() : select.value;
    },
  };
}

/** @param {string} kind */
function moreFields(kind) {
  const name = nameInput();
  const first = make('select', {}, ...['random', 'me', 'them'].map((value) =>
    make('option', { value }, say(/** @type {Key} */ (`first.${value}`)))));
  const clock = make('select', {}, ...CLOCKS.map((seconds) =>
    make('option', { value: seconds }, seconds ? say('clock.seconds', { n: seconds }) : say('clock.none'))));
  const fields = make('div', { class: 'fields' }, field(say('start.first'), first), field(say('start.clock'), clock));
  const nameField = field(say('start.name'), name);
  const element = make('div', {}, kind === 'friend' && nameField,
    make('details', {}, make('summary', {}, say('start.more')), kind === 'computer' && nameField, fields));
  return {
    element,
    values() {
      rememberName(name.value);
      return { first: first.value, clock: Number(clock.value) || undefined, name: name.value.trim() || undefined };
    },
  };
}

export const nameInput = () => make('input', { value: recall('name', ''), maxlength: '40', autocomplete: 'nickname' });

/** @param {string} name */
export const rememberName = (name) => remember('name', name.trim());

/** @param {HTMLElement} place @param {'open' | 'over'} state @param {(game: Listed) => HTMLElement} item */
async function list(place, state, item) {
  /** @type {{games: Listed[]}} */
  const answer = await get(`/api/games?state=${state}`).catch(() => ({ games: [] }));
  if (place.contains(document.activeElement)) return;
  const items = answer.games.slice(0, LIST_LENGTH).map(item);
  fill(place, ...(items.length ? items : [make('li', { class: 'none' }, say(`start.none-${state}`))]));
}

/** @param {Listed} game */
function openItem({ id, rules, name, clock }) {
  return make('li', {},
    make('span', {}, make('strong', {}, name || say('player.somebody')), ' ', make('small', {}, rulesWords(rules), clock ? ` · ${say('clock.seconds', { n: clock })}` : '')),
    make('a', { href: `/game/${id}`, class: 'button' }, say('start.join')));
}

/** @param {Listed} game */
function recentItem({ id, rules, names, computer, winner }) {
  const called = (/** @type {Side[]} */ (['A', 'B'])).map((side) => names[side] || (computer?.side === side ? levelName(computer.level) : say('player.side', { side })));
  const [a, b] = winner === 'B' ? called.reverse() : called;
  return make('li', {},
    make('span', {}, say(winner ? 'start.won' : 'start.draw', { a, b }), ' ', make('small', {}, rulesWords(rules))),
    make('a', { href: `/replay/${id}`, class: 'button' }, say('start.replay')));
}

/** @param {string} rules */
export function rulesWords(rules) {
  const preset = PRESETS.find((name) => name === rules && name !== 'own');
  return preset ? capital(say(`rules.${preset}`)) : rules;
}
