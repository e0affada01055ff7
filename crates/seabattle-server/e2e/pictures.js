// Pictures of the pages, on a desktop and on a phone: node pictures.js FOLDER [all]
// Without `all`: those of docs/pages.md. With it: every page as a whole, in both themes.

import { BASE, closeBrowser, openBrowser, visit } from './harness.js';

const [, , folder, scope] = process.argv;
const ALL = scope === 'all';
const SETTLE = 600;
const SHOTS_IN_BATTLE = 18;

const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: 'en-US' };
const PHONE = { viewport: { width: 360, height: 740 }, locale: 'ru-RU', hasTouch: true, isMobile: true };

await openBrowser();
const player = await visit();
const games = await playGames();
const storageState = await player.context.storageState();
for (const [device, options, shownTheme] of [['desktop', DESKTOP, 'light'], ['phone', PHONE, 'dark']]) {
  for (const colorScheme of ALL ? ['light', 'dark'] : [shownTheme]) {
    await tour(ALL ? `${device}-${colorScheme}` : device, { ...options, colorScheme, storageState });
  }
}
await player.close();
await closeBrowser();

/** One game for every stage that pictures show. */
async function playGames() {
  const create = async (more) => (await send('/api/games', { rules: 'classic', opponent: 'captain', first: 'me', name: 'Anna', ...more })).game;
  const [placing, battle, over] = [await create(), await create(), await create({ opponent: 'star' })];
  const [invitation, salvo] = [await create({ opponent: 'person', clock: 30, listed: true }), await create({ rules: 'salvo' })];
  for (const game of [battle, over, salvo]) await place(game);
  await shoot(battle, SHOTS_IN_BATTLE);
  await shoot(over, Infinity);
  return { placing, battle, over, invitation, salvo };
}

async function place(game) {
  const { fleet } = await ask('/api/layout?rules=classic');
  await send(`/api/games/${game}/commands`, { command: 'place', kind: 'place', fleet });
}

/** Fires this many shots, or to the end, each at the best cell. */
async function shoot(game, shots) {
  for (let fired = 0; fired < shots;) {
    const { stage, mover } = await ask(`/api/games/${game}`);
    if (stage === 'over') return;
    if (mover !== 'A') continue;
    const { best } = await ask(`/api/games/${game}/odds`);
    await send(`/api/games/${game}/commands`, { command: `shot-${fired}`, kind: 'shoot', cells: [best] });
    fired += 1;
  }
}

function ask(path) {
  return player.page.evaluate(async (path) => (await fetch(path)).json(), path);
}

function send(path, body) {
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return player.page.evaluate(async ([path, options]) => (await fetch(path, options)).json(), [path, options]);
}

async function tour(name, options) {
  const { page, close } = await visit('/', options);
  const picture = async (what, whole = ALL) => {
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.waitForTimeout(SETTLE);
    await page.screenshot({ path: `${folder}/${name}-${what}.png`, fullPage: whole });
  };
  const detail = async (what, selector) => {
    if (!ALL) await page.locator(selector).screenshot({ path: `${folder}/${name}-${what}.png` });
  };
  const go = async (path, until) => {
    await page.goto(BASE + path);
    await page.waitForSelector(until);
  };
  await picture('start');
  await page.locator('.more-opponents summary').click();
  await page.locator('.more-opponents label').first().click();
  await picture('opponents', true);
  if (ALL) {
    await go(`/game/${games.invitation}`, 'input[readonly]');
    await picture('invitation');
    await go('/game/nosuchgame', 'h1');
    await picture('no-game');
    await go(`/game/${games.salvo}`, '.battle');
    for (const cell of [11, 23, 35]) await page.locator('.target .cell').nth(cell).click();
    await picture('salvo');
  }
  await go(`/game/${games.placing}`, '.placing');
  await placeBadly(page);
  await picture('refused');
  await page.locator('.dock-side .buttons button').nth(1).click();
  if (ALL) await page.locator('.saved-layouts summary').click();
  await picture('placing');
  await go(`/game/${games.battle}`, '.battle');
  await page.locator('.tools .toggle').nth(1).click();
  await picture('battle');
  if (ALL) {
    await page.locator('.tools .quiet').click();
    await picture('question', false);
  }
  await go(`/game/${games.over}`, '.numbers dl');
  await picture('end');
  await go(`/replay/${games.over}`, '.player');
  for (let step = 0; step < 25; step += 1) await page.keyboard.press('ArrowRight');
  await page.locator('.replay .tools .toggle').click();
  await picture('replay');
  await page.evaluate(() => { document.querySelector('.player').style.position = 'static'; });
  await detail('chart', '.chart');
  await close();
}

/** Places the first ship, and tries to place the second one across it. */
async function placeBadly(page) {
  const cell = (index) => page.locator('.placing-board .cell').nth(index);
  await page.locator('.dock-side .buttons button').nth(3).click();
  await page.locator('.piece').nth(0).click();
  await cell(33).click();
  await page.waitForSelector('.piece[data-index="0"][data-placed]');
  await page.locator('.piece').nth(1).click();
  await cell(34).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reason[data-refused]');
}
