// Both languages have the same messages.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import en from '../../page/messages-en.js';
import ru from '../../page/messages-ru.js';

const holes = (message) => [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].sort();

test('all languages have the same keys', () => {
  assert.deepEqual(Object.keys(ru), Object.keys(en));
});

test('all languages fill in the same values', () => {
  for (const key of Object.keys(en)) assert.deepEqual(holes(ru[key]), holes(en[key]), key);
});

test('russian has all forms of numbers', () => {
  for (const [key, message] of Object.entries(ru)) {
    if (typeof message !== 'string') assert.deepEqual(Object.keys(message), ['one', 'few', 'many', 'other'], key);
  }
});

test('every message is used', () => {
  const page = new URL('../../page/', import.meta.url);
  const files = readdirSync(page).filter((name) => name.endsWith('.js') && !name.startsWith('messages-'));
  const code = files.map((name) => readFileSync(new URL(name, page), 'utf8')).join('');
  const isUsed = (key) => code.includes(`'${key}'`) || code.includes(`\`${key.slice(0, key.indexOf('.') + 1)}\${`);
  const composed = /^(how\.you-|start\.none-)/;
  assert.deepEqual(Object.keys(en).filter((key) => !isUsed(key) && !composed.test(key)), []);
});

test('nothing is left in English in the Russian messages', () => {
  const known = /\{\w+\}|\b(Enter|Esc|R|GIF|SHA|touching=forbidden|turn=again|8x8)\b/g;
  for (const [key, message] of Object.entries(ru)) {
    for (const text of typeof message === 'string' ? [message] : Object.values(message)) assert.doesNotMatch(text.replace(known, ''), /[A-Za-z]/, key);
  }
});
