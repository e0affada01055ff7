// The browser of all tests, and helpers that play.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = require('axe-core').source;

export const BASE = process.env.SEABATTLE_URL ?? 'http://127.0.0.1:8080';
export const RULES = '5x5:3,2';

const FLAGS = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const LONGEST_GAME = 200;

let browser;

export async function openBrowser() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

export async function closeBrowser() {
  await browser?.close();
}

/** Opens a page. `close` fails the test if the page had errors. */
export async function visit(path = '/', options = {}) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !/WebSocket|Failed to load resource|net::ERR/.test(text)) errors.push(text);
  });
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(BASE + path);
  const close = async () => {
    await context.close();
    assert.deepEqual(errors, []);
  };
  return { page, context, close };
}

/** Creates a game against the computer from the start page. */
export async function startGame(page, rules = RULES, opponent = 'recruit') {
  const form = page.locator('form[data-kind=computer]');
  await form.locator(`input[value=${opponent}]`).check({ force: true });
  await chooseRules(form, rules);
  await form.locator('.more-options summary').click();
  await form.locator('.more-options select').first().selectOption('me');
  await form.locator('.primary').click();
  await page.waitForSelector('.placing');
}

/** Creates a game against a person, and returns its path. */
export async function inviteFriend(page, name, rules = RULES) {
  const form = page.locator('form[data-kind=friend]');
  await chooseRules(form, rules);
  await form.locator('input[autocomplete=nickname]').fill(name);
  await form.locator('.more-options summary').click();
  await form.locator('.more-options select').first().selectOption('me');
  await form.locator('.primary').click();
  return new URL(await page.locator('input[readonly]').inputValue()).pathname;
}

async function chooseRules(form, rules) {
  await form.locator('.rules select').selectOption('own');
  await form.locator('.rules input').fill(rules);
}

export async function joinGame(page, name) {
  await page.locator('input[autocomplete=nickname]').fill(name);
  await page.locator('form .primary').click();
  await page.waitForSelector('.placing');
}

export async function placeAtRandom(page) {
  await page.locator('.dock-side .buttons button').nth(1).click();
  await page.locator('.dock-side > .primary:enabled').click();
  await page.waitForSelector('.battle');
}

export const myTurnOrEnd = (page) => page.waitForSelector('.over, .target[data-active]');

/** Plays to the end: calls `shoot` with the first open cell on every turn. */
export async function playToEnd(page, shoot) {
  for (let shots = 0; shots < LONGEST_GAME; shots += 1) {
    await myTurnOrEnd(page);
    if (await page.locator('.over').count()) return;
    const before = await shotCount(page);
    await shoot(page.locator('.target .cell[data-choosable]').first());
    await page.waitForFunction((count) => document.querySelector('.over')
      || document.querySelectorAll('.target .cell:is([data-mark=miss], [data-mark=hit], [data-mark=sunk])').length > count, before);
  }
  assert.fail('the game does not end');
}

export const shotCount = (page) => page.locator('.target .cell:is([data-mark=miss], [data-mark=hit], [data-mark=sunk])').count();

/** Fails if axe finds an accessibility problem. */
export async function checkAccessibility(page, where) {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))));
  await session.send('Runtime.evaluate', { expression: AXE });
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0].html}`), []);
}
