// Both languages say the same things.

import assert from 'node:assert/strict';
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
