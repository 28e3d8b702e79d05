// The page and `pliant view` together: PLIANT names the program, PLIANT_SOURCE the source folder.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { drawn, launch, openPage, picture, quiet, ready, until } from './browser.mjs';
import { colourCount, coloured, difference, part } from './png.mjs';

const { PLIANT, PLIANT_SOURCE } = process.env;
const cubes = join(PLIANT_SOURCE, 'scenes/two_cubes.json');

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// Starts `pliant view` and waits for the address it prints.
async function view(t, ...words) {
  const child = spawn(PLIANT, ['view', ...words, '--no-open'], {
    env: { ...process.env, PLIANT_SCENES: join(PLIANT_SOURCE, 'scenes') },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const close = async () => {
    child.kill('SIGINT');
    await ended;
  };
  t.after(close);
  const url = await new Promise((resolve, reject) => {
    let text = '';
    const listen = (data) => {
      text += data;
      const found = text.match(/http:\/\/\S+/);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => reject(new Error(`pliant view ended with ${code}: ${text}`)));
  });
  return { url, close };
}

// At the start and standing still, wherever the run is by now.
async function toStart(page) {
  await ready(page);
  await page.evaluate(() => {
    pliant.send('pause');
    pliant.send('restart');
  });
  await until(page, () => !pliant.model.state.playing && pliant.model.step === 0 && pliant.model.state.step === 0);
  await drawn(page);
}

async function oneStep(page) {
  const at = await page.evaluate(() => pliant.model.step);
  await page.locator('[data-do="step"]').click();
  await page.waitForFunction((s) => pliant.model.step === s + 1, at);
}

const middle = (page, body) =>
  page.evaluate((b) => {
    const { model, view } = pliant;
    const box = model.box(...model.bodies[b].vertices);
    const centre = [0, 1, 2].map((k) => (box.low[k] + box.high[k]) / 2);
    const at = view.rig.project(centre);
    const canvas = view.canvas.getBoundingClientRect();
    return { centre, x: canvas.left + at.x, y: canvas.top + at.y };
  }, body);

test('a scene is simulated, shown, coloured, stepped and pulled at', async (t) => {
  const { url } = await view(t, cubes);
  const page = await openPage(browser, url);
  await toStart(page);
  const first = await picture(page);
  assert.ok(colourCount(first) > 40);
  assert.ok(part(first, coloured) > 0.03);
  await page.getByLabel('Colour by').selectOption('energy_density');
  await until(page, () => pliant.model.field?.key === 'energy_density');
  assert.match(await page.locator('#legend').textContent(), /Energy density/);
  const before = await middle(page, 1);
  await page.keyboard.down('Shift');
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  await page.mouse.move(before.x - 90, before.y - 30, { steps: 3 });
  await until(page, () => pliant.model.state.grabbed >= 0);
  for (let i = 0; i < 12; ++i)
    await page.keyboard.press('.').then(() => page.waitForFunction((s) => pliant.model.step === s, i + 1));
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await until(page, () => pliant.model.state.grabbed === -1);
  const after = await middle(page, 1);
  assert.ok(after.centre[0] < before.centre[0] - 0.005, `${after.centre[0]} after ${before.centre[0]}`);
  assert.ok(difference(first, await picture(page)) > 0.01);
  assert.ok((await page.evaluate(() => pliant.model.stats.records.length)) > 0);
  await quiet(page);
});

test('a parameter is changed between steps', async (t) => {
  const { url } = await view(t, cubes);
  const page = await openPage(browser, url);
  await toStart(page);
  const row = page.locator('.parameter[data-path="contact.friction"]');
  await row.locator('input[type="text"]').fill('0.35');
  await page.keyboard.press('Enter');
  await until(page, () => pliant.model.scene.parameters.find((p) => p.path === 'contact.friction').value === 0.35);
  await oneStep(page);
  await quiet(page);
});

test('a killed server is missed and found again', async (t) => {
  const { url, close } = await view(t, cubes);
  const page = await openPage(browser, url);
  await ready(page);
  await close();
  await page.locator('.notice[data-name="connection"]').waitFor();
  await view(t, cubes, '--port', new URL(url).port);
  await page.locator('.notice[data-name="connection"]').waitFor({ state: 'detached' });
  await toStart(page);
  assert.ok(part(await picture(page), coloured) > 0.03);
  await quiet(page, /WebSocket connection .* failed|ERR_CONNECTION/);
});

test('a result is replayed and scrubbed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-web-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(PLIANT, ['run', cubes, '-o', join(folder, 'result'), '--set', 'time.duration=0.2'], { stdio: 'ignore' });
  const { url } = await view(t, join(folder, 'result'));
  const page = await openPage(browser, url);
  await ready(page);
  await until(page, () => pliant.model.isReplay && pliant.model.state.frames > 5);
  await page.evaluate(() => pliant.send('pause'));
  await until(page, () => !pliant.model.state.playing);
  await page.locator('#timeline').fill('0');
  await until(page, () => pliant.model.state.frame === 0 && pliant.model.time === 0);
  await drawn(page);
  const first = await picture(page);
  const last = await page.evaluate(() => pliant.model.state.frames - 1);
  await page.locator('#timeline').fill(String(last));
  await page.waitForFunction((f) => pliant.model.state.frame === f && pliant.model.time > 0.15, last);
  await drawn(page);
  assert.ok(difference(first, await picture(page)) > 0.01);
  await quiet(page);
});

test('an exported page replays the run without a server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-web-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(PLIANT, ['run', cubes, '-o', join(folder, 'result'), '--set', 'time.duration=0.4'], { stdio: 'ignore' });
  execFileSync(PLIANT, ['export', join(folder, 'result'), '--to', 'html', '--every', '2', '-q']);
  const page = await openPage(browser, pathToFileURL(join(folder, 'result.html')).href);
  await ready(page);
  await page.evaluate(() => pliant.send('pause'));
  await until(page, () => !pliant.model.state.playing);
  const last = await page.evaluate(() => pliant.model.state.frames - 1);
  assert.ok(last > 15);
  await page.locator('#timeline').fill(String(last));
  await until(page, () => Math.abs(pliant.model.time - 0.4) < 1e-9);
  assert.equal(await page.evaluate(() => pliant.model.step), 2 * last);
  await drawn(page);
  const end = await picture(page);
  assert.ok(colourCount(end) > 40);
  assert.ok(part(end, coloured) > 0.03);
  await page.locator('#timeline').fill('0');
  await until(page, () => pliant.model.time === 0);
  await drawn(page);
  assert.ok(difference(end, await picture(page)) > 0.01);
  assert.ok((await page.evaluate(() => pliant.model.stats.records.length)) > 30);
  const keys = await page.evaluate(() => pliant.model.fields.map((f) => f.key));
  assert.deepEqual(keys, ['velocity', 'stress', 'energy_density', 'contact_force']);
  const largest = (frame) =>
    page.evaluate((f) => {
      pliant.send('seek', { frame: f });
      return Math.max(...pliant.model.field.values);
    }, frame);
  await page.evaluate(() => pliant.settings.set('colour', 'stress'));
  await until(page, () => pliant.model.field?.key === 'stress');
  const there = await largest(last);
  assert.ok(there > 100); // [Pa]
  assert.notEqual(await largest(3), there);
  assert.equal(await largest(last), there); // forward and back again
  await drawn(page);
  assert.ok(difference(end, await picture(page)) > 0.01);
  await quiet(page);
});

test('the gallery opens a scene', async (t) => {
  const { url } = await view(t);
  const page = await openPage(browser, url);
  await page.locator('.card').first().waitFor();
  assert.ok((await page.locator('.card').count()) > 10);
  await page.locator('.card[data-scene="tutorial/3_contact"]').click();
  await ready(page);
  assert.equal(await page.evaluate(() => pliant.view.rig.plane), true);
  assert.ok(part(await picture(page), coloured) > 0.01);
  await quiet(page);
});
