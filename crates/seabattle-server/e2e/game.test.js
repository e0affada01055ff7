// Whole games in the browser: by mouse, keyboard and touch, alone and for two.

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import en from '../page/messages-en.js';
import ru from '../page/messages-ru.js';
import {
  BASE, checkAccessibility, closeBrowser, inviteFriend, joinGame, myTurnOrEnd, openBrowser, placeAtRandom, playToEnd, RULES, shotCount, startGame, visit,
} from './harness.js';

// Chromium ignores a tap right after a drag.
const AFTER_A_DRAG = 1000;

before(openBrowser);
after(closeBrowser);

test('a whole game by mouse: drag, turn, hint, odds, end, rematch', async () => {
  const { page, close } = await visit();
  await startGame(page);
  await dragShip(page, 0, 0);
  await dragShip(page, 1, 10);
  await page.locator('.placing-board .cell').nth(0).click();
  await page.waitForSelector('.ships i[data-down]');
  await page.locator('.dock-side > .primary:enabled').click();
  await page.waitForSelector('.target[data-active]');
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.waitForSelector('.target .cell[data-best]');
  await page.getByLabel('Show odds').check();
  await page.waitForSelector('.target .cell[data-heat]');
  assert.match(await page.locator('.target .cell[data-best]').getAttribute('aria-label'), /\d+% chance, best cell/);
  await playToEnd(page, (cell) => cell.click());
  assert.match(await page.locator('h1').textContent(), /Victory|Defeat/);
  await page.waitForSelector('.numbers dl');
  assert.equal(await page.locator('.over .ships i').count(), 4);
  const address = page.url();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.waitForSelector('.placing');
  assert.notEqual(page.url(), address);
  await close();
});

async function dragShip(page, index, cell) {
  const from = await page.locator('.piece').nth(index).boundingBox();
  const to = await page.locator('.placing-board .cell').nth(cell).boundingBox();
  await page.mouse.move(from.x + 20, from.y + 15);
  await page.mouse.down();
  await page.mouse.move(from.x - 30, from.y + 30, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
  await page.mouse.up();
  await page.waitForSelector(`.piece[data-index="${index}"][data-placed]`);
}

test('a whole game by keyboard alone', async () => {
  const { page, close } = await visit();
  await startGame(page);
  await page.locator('.piece').first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.piece[data-index="0"][data-placed]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reason[data-refused]');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.piece[data-index="1"][data-placed]');
  await page.locator('.dock-side > .primary:enabled').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.target[data-active]');
  await edgesDoNotWrap(page);
  await playToEnd(page, async (cell) => {
    const label = (await cell.getAttribute('aria-label')).split(',')[0];
    await walkTo(page, label);
    await page.keyboard.press('Enter');
  });
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Rematch');
  await close();
});

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label')?.split(',')[0]);

async function edgesDoNotWrap(page) {
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(page), 'A1');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(page), 'E1');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(page), 'E5');
  assert.equal(await page.locator('.target [tabindex="0"]').count(), 1);
}

async function walkTo(page, label) {
  await page.keyboard.press('Control+Home');
  for (let x = 0; x < label.charCodeAt(0) - 65; x += 1) await page.keyboard.press('ArrowRight');
  for (let y = 1; y < Number(label.slice(1)); y += 1) await page.keyboard.press('ArrowDown');
  assert.equal(await focused(page), label);
}

test('a whole game on a small touch screen', async () => {
  const { page, close } = await visit('/', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await startGame(page);
  await page.locator('.piece').nth(0).tap();
  await page.locator('.placing-board .cell').nth(0).tap();
  await page.waitForSelector('.piece[data-index="0"][data-placed]');
  await page.locator('.placing-board .cell').nth(20).tap();
  await page.waitForSelector('.piece[data-index="1"][data-placed]');
  await page.locator('.placing-board .cell').nth(20).tap();
  await page.waitForSelector('.ships i[data-down]');
  await dragByTouch(page, 0, 2);
  await page.waitForFunction(() => document.querySelector('.piece small').textContent.startsWith('C1'));
  await page.locator('.dock-side > .primary:enabled').tap();
  await page.waitForSelector('.target[data-active]');
  const { width, height } = await page.locator('.target .cell').first().boundingBox();
  assert.ok(width >= 24 && height >= 24, `${width}x${height}`);
  await playToEnd(page, (cell) => cell.tap());
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await close();
});

async function dragByTouch(page, from, to) {
  const session = await page.context().newCDPSession(page);
  const middle = async (index) => {
    const box = await page.locator('.placing-board .cell').nth(index).boundingBox();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await page.locator('.placing-board').scrollIntoViewIfNeeded();
  const [start, end] = [await middle(from), await middle(to)];
  const send = (type, touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [start]);
  for (let step = 1; step <= 6; step += 1) {
    await send('touchMove', [{ x: start.x + ((end.x - start.x) * step) / 6, y: start.y + ((end.y - start.y) * step) / 6 }]);
  }
  await send('touchEnd', []);
  await page.waitForTimeout(AFTER_A_DRAG);
}

test('the smallest screen still has large enough cells on a full board', async () => {
  const { page, close } = await visit('/', { viewport: { width: 320, height: 640 } });
  await startGame(page, 'classic');
  const { width } = await page.locator('.placing-board .cell').first().boundingBox();
  assert.ok(width >= 24, String(width));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await close();
});

test('two people play, a third one watches, and they play again', async () => {
  const anna = await visit();
  const path = await inviteFriend(anna.page, 'Anna <b>bold</b>');
  const boris = await visit(path);
  assert.match(await boris.page.locator('h1').textContent(), /Anna <b>bold<\/b>/);
  await joinGame(boris.page, 'Boris');
  const carl = await visit(path);
  await placeAtRandom(anna.page);
  await placeAtRandom(boris.page);
  await anna.page.waitForSelector('.target[data-active]');
  await anna.page.locator('.target .cell').nth(0).click();
  await boris.page.waitForSelector('.target[data-active]');
  await carl.page.waitForSelector('.board-section .cell:is([data-mark=miss], [data-mark=hit])');
  assert.equal(await carl.page.locator('.ships i').count(), 0);
  assert.equal(await carl.page.locator('sea-board[data-active]').count(), 0);
  await checkAccessibility(carl.page, 'watching');
  await boris.page.locator('.target .cell').nth(24).click();
  await Promise.all([playToEnd(anna.page, (cell) => cell.click()), playToEnd(boris.page, (cell) => cell.click())]);
  await carl.page.waitForSelector('.over');
  assert.equal(await carl.page.locator('.rematch').count(), 0);
  await anna.page.locator('.rematch').click();
  await boris.page.waitForSelector('.rematch[data-wanted]');
  await boris.page.locator('.rematch').click();
  await Promise.all([anna.page, boris.page].map((page) => page.waitForSelector('.placing')));
  await Promise.all([anna.close(), boris.close(), carl.close()]);
});

test('reload and a lost connection in the middle of a game lose nothing', async () => {
  const { page, context, close } = await visit();
  await startGame(page);
  await page.locator('.piece').first().click();
  await page.locator('.placing-board .cell').first().click();
  await page.waitForSelector('.piece[data-placed]');
  await page.reload();
  await page.waitForSelector('.piece[data-placed]');
  await placeAtRandom(page);
  await page.waitForSelector('.target[data-active]');
  await page.locator('.target .cell[data-choosable]').first().click();
  await myTurnOrEnd(page);
  const count = await shotCount(page);
  await page.reload();
  await page.waitForSelector('.target[data-active]');
  assert.equal(await shotCount(page), count);
  await context.setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await context.setOffline(false);
  await playToEnd(page, (cell) => cell.click());
  await close();
});

test('a socket that is cut comes back, and the shot is fired once', async () => {
  const { page, close } = await visit();
  let open = true;
  const sockets = new Set();
  await page.routeWebSocket(/\/live$/, (socket) => {
    if (!open) return void socket.close();
    const server = socket.connectToServer();
    sockets.add({ socket, server });
  });
  await startGame(page);
  await placeAtRandom(page);
  await page.waitForSelector('.target[data-active]');
  open = false;
  for (const { socket, server } of sockets) await Promise.all([socket.close(), server.close()]);
  await page.waitForSelector('.banner:not([hidden])');
  await page.locator('.target .cell[data-choosable]').first().click();
  open = true;
  await page.waitForSelector('.banner', { state: 'hidden' });
  await page.waitForFunction(() => document.querySelector('.target .cell:is([data-mark=miss], [data-mark=hit])'));
  assert.equal(await shotCount(page), 1);
  await close();
});

test('where WebSockets fail, the game is polled', async () => {
  const { page, close } = await visit();
  await page.routeWebSocket(/\/live$/, (socket) => socket.close());
  await startGame(page);
  await page.locator('.dock-side .buttons button').nth(1).click();
  await page.locator('.dock-side > .primary:enabled').click();
  await page.waitForSelector('.target[data-active]');
  await page.locator('.target .cell[data-choosable]').first().click();
  await page.waitForFunction(() => document.querySelector('.target .cell:is([data-mark=miss], [data-mark=hit])'));
  await close();
});

test('a second window takes the seat over, and the first can take it back', async () => {
  const { page, context, close } = await visit();
  await startGame(page);
  const second = await context.newPage();
  await second.goto(page.url());
  await page.getByRole('button', { name: 'Play here' }).click();
  await second.getByRole('button', { name: 'Play here' }).waitFor();
  await close();
});

test('a salvo is collected, changed and fired', async () => {
  const { page, close } = await visit();
  await startGame(page, `${RULES},turn=salvo`);
  await placeAtRandom(page);
  await page.waitForSelector('.target[data-active]');
  const fire = page.locator('.board-section .big');
  const cell = (index) => page.locator('.target .cell').nth(index);
  await cell(0).click();
  await cell(1).click();
  await cell(1).click();
  assert.ok(await fire.isDisabled());
  await cell(2).click();
  await fire.click();
  await page.waitForFunction(() => document.querySelectorAll('.target .cell:is([data-mark=miss], [data-mark=hit], [data-mark=sunk])').length === 2);
  assert.doesNotMatch(await cell(1).getAttribute('aria-label'), /miss|hit/);
  await close();
});

test('a running game is not left by accident', async () => {
  const { page, close } = await visit();
  await startGame(page);
  const address = page.url();
  await page.locator('.masthead .button').click();
  await page.locator('dialog .quiet').click();
  assert.equal(page.url(), address);
  assert.equal(await page.locator('dialog').count(), 0);
  assert.ok(await page.locator('.masthead .button').evaluate((link) => link === document.activeElement), 'the focus is back');
  await page.goBack();
  await page.locator('dialog .danger').click();
  await page.waitForSelector('.start');
  await close();
});

test('a ship that cannot be placed marks its cells and says why, in both languages', async () => {
  const { page, close } = await visit();
  await startGame(page, '5x5:3,2,touching=forbidden');
  const cell = (index) => page.locator('.placing-board .cell').nth(index);
  const refused = () => page.locator('.placing-board .cell[data-refused]').evaluateAll((cells) => cells.map((each) => each.getAttribute('aria-label')));
  await page.locator('.piece').nth(0).click();
  await cell(0).click();
  await page.waitForSelector('.piece[data-index="0"][data-placed]');
  await cell(6).hover();
  await page.waitForSelector('.reason[data-refused]');
  assert.equal(await page.locator('.reason').textContent(), 'B2 touches the 3-cell ship at A1.');
  assert.deepEqual(await refused(), ['A1, 3-cell ship, not allowed here', 'B2, water, not allowed here']);
  await checkAccessibility(page, 'refused');
  await page.locator('[data-language=ru]').click();
  await page.locator('.piece').nth(1).click();
  await cell(6).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.reason[data-refused]');
  assert.equal(await page.locator('.reason').textContent(), 'Клетка Б2 касается другого корабля: трёхпалубный, клетка А1.');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.piece[data-index="1"][data-placed]');
  assert.deepEqual(await refused(), []);
  await close();
});

test('a bot of the documents is chosen, played, and offered again', async () => {
  const { page, close } = await visit();
  const more = page.locator('.more-opponents');
  await more.locator('summary').click();
  assert.equal(await more.locator('label').count(), 9);
  await more.getByText('Checkerboard', { exact: true }).click();
  await startGame(page, undefined, 'checkerboard');
  await placeAtRandom(page);
  await page.waitForSelector('.target[data-active]');
  assert.equal(await page.locator('.board-section h2').first().textContent(), 'Enemy board: Checkerboard');
  await playToEnd(page, (cell) => cell.click());
  await page.locator('.result a').last().click();
  await page.waitForSelector('.more-opponents[open] input[value=checkerboard]:checked', { state: 'attached' });
  assert.equal(await page.locator('.games strong, .games span').filter({ hasText: 'Checkerboard' }).count() > 0, true);
  await close();
});

test('every opponent of the server has its words in both languages', async () => {
  const { opponents } = await (await fetch(`${BASE}/api/opponents`)).json();
  assert.equal(opponents.length, 14);
  for (const { id, title, description, group } of opponents) {
    for (const messages of [en, ru]) assert.ok(messages[`opponent.${id}`] && messages[`opponent-hint.${id}`], id);
    assert.equal(en[`opponent.${id}`], title);
    if (group === 'document') assert.equal(en[`opponent-hint.${id}`], description);
  }
});

test('layouts are saved, loaded and deleted', async () => {
  const { page, close } = await visit();
  await startGame(page);
  await page.locator('.dock-side .buttons button').nth(1).click();
  await page.locator('.dock-side > .primary:enabled').waitFor();
  const where = () => page.locator('.piece small').allTextContents();
  const saved = await where();
  await page.locator('.saved-layouts summary').click();
  await page.locator('.saved-layouts input').fill('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Load: Mine' }).click();
  assert.deepEqual(await where(), saved);
  await page.getByRole('button', { name: 'Delete: Mine' }).click();
  assert.equal(await page.locator('.saved-layouts button').count(), 1);
  await close();
});
