// The entry point: masthead, language, sound and routes.

import { make, setChildren } from './dom.js';
import { gameScreen } from './game.js';
import { replayScreen } from './replay.js';
import { refresh, startRouter } from './router.js';
import { setSound, soundOn } from './sounds.js';
import { startScreen } from './start.js';
import { language, languages, setLanguage, t } from './i18n.js';

const masthead = /** @type {HTMLElement} */ (document.getElementById('masthead'));

function drawMasthead() {
  document.documentElement.lang = language();
  setChildren(masthead,
    make('a', { href: '/', class: 'brand' }, make('img', { src: '/logo.svg', alt: '', width: 36, height: 36 }), 'Seabattle'),
    make('nav', { 'aria-label': t('nav.title') },
      make('a', { href: '/', class: 'button' }, t('nav.new')), soundButton(), ...languageButtons()));
}

function soundButton() {
  const on = soundOn();
  return make('button', {
    type: 'button', class: 'icon', 'data-sound': on ? 'on' : 'off', 'aria-pressed': String(on),
    'aria-label': t('nav.sound'), title: t('nav.sound'),
    onclick: () => {
      setSound(!on);
      drawMasthead();
      masthead.querySelector('button')?.focus();
    },
  }, '♪');
}

function languageButtons() {
  const names = /** @type {(keyof typeof languages)[]} */ (Object.keys(languages));
  return names.filter((name) => name !== language()).map((name) => make('button', {
    type: 'button', lang: name, 'data-language': name,
    onclick: () => {
      setLanguage(name);
      drawMasthead();
      refresh();
    },
  }, languages[name]));
}

drawMasthead();
startRouter([
  [/^\/$/, startScreen],
  [/^\/game\/(\w+)\/?$/, gameScreen],
  [/^\/replay\/(\w+)\/?$/, replayScreen],
]);
