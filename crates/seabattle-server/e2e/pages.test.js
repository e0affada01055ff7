// Every page in both themes and both languages, and the replay.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { BASE, checkAccessibility, closeBrowser, inviteFriend, openBrowser, placeAtRandom, playToEnd, startGame, visit } from './harness.js';

before(openBrowser);
after(closeBrowser);

for (const colorScheme of ['light', 'dark']) {
  for (const [locale, width] of [['en-US', 1280], ['ru-RU', 320]]) {
    test(`nothing to object to: ${colorScheme}, ${locale}, ${width} pixels`, async () => {
      const { page, close } = await visit('/', { colorScheme, locale, viewport: { width, height: 800 } });
      const check = async (where) => {
        await checkAccessibility(page, where);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} is too wide`);
      };
      await check('start');
      await inviteFriend(page, 'Anna');
      await check('invitation');
      await page.goto(`${BASE}/game/nosuchgame`);
      await page.waitForSelector('h1');
      await check('no game');
      await page.goto(BASE);
      await startGame(page);
      await check('placing');
      await placeAtRandom(page);
      await page.locator('.tools input').nth(1).check();
      await page.waitForSelector('.cell[data-heat]');
      await check('battle');
      await page.locator('.tools .quiet').click();
      await check('question');
      await page.locator('dialog .quiet').click();
      await playToEnd(page, (cell) => cell.click());
      await page.waitForSelector('.numbers dl');
      await check('end');
      await page.locator('.result a').first().click();
      await page.waitForSelector('.player');
      await page.keyboard.press('ArrowRight');
      await check('replay');
      await close();
    });
  }
}

test('the language is switched, kept, and changes letters but not commands', async () => {
  const { page, close } = await visit();
  await startGame(page);
  await placeAtRandom(page);
  await page.locator('[data-language=ru]').click();
  await page.waitForSelector('.target[data-active]');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  assert.deepEqual(await page.locator('.target [role=columnheader]').allTextContents(), ['А', 'Б', 'В', 'Г', 'Д']);
  await page.locator('.target .cell').nth(1).click();
  await page.waitForFunction(() => document.querySelector('.target .cell:is([data-mark=miss], [data-mark=hit])'));
  assert.match(await page.locator('.target .cell').nth(1).getAttribute('aria-label'), /^Б1, (мимо|попадание)/);
  await page.reload();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  await page.locator('[data-language=en]').click();
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  await close();
});

test('results are announced in words', async () => {
  const { page, close } = await visit();
  await startGame(page);
  await placeAtRandom(page);
  await page.waitForSelector('.target[data-active]');
  await page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.getElementById('announcer').textContent)).observe(document.getElementById('announcer'), { childList: true, subtree: true });
  });
  await page.locator('.target .cell').nth(7).click();
  await page.waitForFunction(() => window.heard.some((text) => /C2, (miss|hit)/.test(text)));
  await close();
});

test('a replay steps by keys, knows the odds, and checks the fleet of the computer', async () => {
  const { page, close } = await visit();
  await startGame(page);
  await placeAtRandom(page);
  await playToEnd(page, (cell) => cell.click());
  await page.locator('.result a').first().click();
  await page.waitForSelector('.player');
  const marks = () => page.locator('.cell:is([data-mark=miss], [data-mark=hit], [data-mark=sunk])').count();
  assert.equal(await marks(), 0);
  await page.keyboard.press('ArrowRight');
  assert.equal(await marks(), 1);
  assert.match(await page.locator('.caption').textContent(), /^1 of \d+\. .*chance was \d+/);
  await page.locator('.replay .tools input').check();
  await page.waitForSelector('.cell[data-heat]');
  await page.locator('.replay .tools input').uncheck();
  await page.locator('h1').click();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await marks(), 0);
  await page.keyboard.press('End');
  const all = Number(await page.locator('.player input[type=range]').getAttribute('max'));
  assert.equal(await marks(), all);
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => document.querySelectorAll('.cell:is([data-mark=miss], [data-mark=hit])').length > 0);
  await page.keyboard.press(' ');
  await page.waitForSelector('.fair[data-fair=kept]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the record' }).click()]);
  assert.match(download.suggestedFilename(), /^seabattle-\w+\.txt$/);
  const turn = page.locator('.turning button').first();
  const number = /^\d+/.exec(await turn.textContent())[0];
  await turn.click();
  assert.match(await page.locator('.caption').textContent(), new RegExp(`^${number} of `));
  assert.equal(await page.locator('.chart polyline').count(), 4);
  const [film] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download as a GIF' }).click()]);
  assert.match(film.suggestedFilename(), /^seabattle-\w+\.gif$/);
  await close();
});

test('rules that cannot be are refused with a reason', async () => {
  const { page, close } = await visit();
  const form = page.locator('form[data-kind=computer]');
  await form.locator('.rules select').selectOption('own');
  await form.locator('.rules input').fill('nonsense');
  await form.locator('.primary').click();
  await form.locator('.problem:not(:empty)').waitFor();
  await close();
});
