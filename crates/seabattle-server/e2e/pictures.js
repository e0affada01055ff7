// Pictures of every page, on a desktop and on a phone, into the folder named: node pictures.js FOLDER

import { chromium } from 'playwright-core';

const base = process.env.SEABATTLE_URL;
const folder = process.argv[2];
const b = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox','--headless','--disable-gpu','--disable-background-networking','--disable-component-update','--disable-sync'] });
const post = async (page, path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json(), [path, body]);
const getj = async (page, path) => page.evaluate(async (path) => (await fetch(path)).json(), path);
async function tour(name, options) {
  const context = await b.newContext(options);
  const page = await context.newPage();
  await page.goto(base + '/'); await page.waitForTimeout(600);
  await page.screenshot({ path: `${folder}/${name}-start.png` });
  const view = await post(page, '/api/games', { rules: 'classic', opponent: 'captain', first: 'me', name: 'Anna' });
  const id = view.game;
  await page.goto(`${base}/game/${id}`); await page.waitForSelector('.placing'); await page.waitForTimeout(500);
  await page.getByRole('button', { name: /Random|Случайно/ }).first().click().catch(() => {});
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/${name}-placing.png` });
  const fleet = (await getj(page, '/api/layout?rules=classic')).fleet;
  await post(page, `/api/games/${id}/commands`, { command: 'p', kind: 'place', fleet });
  for (let n = 0; n < 18; n++) {
    let odds; for (let i = 0; i < 50; i++) { odds = await getj(page, `/api/games/${id}/odds`); if (odds.best) break; await page.waitForTimeout(50); }
    if (!odds.best) break;
    await post(page, `/api/games/${id}/commands`, { command: 's' + n, kind: 'shoot', cells: [odds.best] });
  }
  await page.waitForTimeout(900);
  await page.locator('.toggle', { hasText: /odds|шанс|вероят/i }).first().click().catch(() => {});
  await page.waitForTimeout(700);
  await page.screenshot({ path: `${folder}/${name}-battle.png` });
  for (let n = 18; n < 90; n++) {
    const v = await getj(page, `/api/games/${id}`); if (v.stage === 'over') break;
    if (v.mover !== 'A') { await page.waitForTimeout(40); n--; continue; }
    const odds = await getj(page, `/api/games/${id}/odds`);
    if (odds.best) await post(page, `/api/games/${id}/commands`, { command: 's' + n, kind: 'shoot', cells: [odds.best] });
  }
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `${folder}/${name}-end.png` });
  await page.goto(`${base}/replay/${id}`); await page.waitForSelector('.player'); 
  for (let n = 0; n < 25; n++) await page.keyboard.press('ArrowRight');
  await page.locator('.replay .tools .toggle').click(); await page.waitForTimeout(700);
  await page.screenshot({ path: `${folder}/${name}-replay.png` });
  await page.evaluate(() => { document.querySelector('.player').style.position = 'static'; });
  await page.locator('.chart').screenshot({ path: `${folder}/${name}-chart.png` });
  await context.close();
}
await tour('desktop', { viewport: { width: 1280, height: 800 }, locale: 'en-US' });
await tour('phone', { viewport: { width: 360, height: 740 }, locale: 'ru-RU', colorScheme: 'dark', hasTouch: true, isMobile: true });
await b.close();
