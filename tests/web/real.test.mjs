// The page and `pliant view` together: PLIANT names the program, PLIANT_SOURCE the source folder.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

// Pulls body 1 to the left with the mouse over twelve steps; what its middle has moved along x.
async function pull(page, keys) {
  const before = await middle(page, 1);
  const from = await page.evaluate(() => pliant.model.step);
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(before.x, before.y);
  await page.mouse.down();
  await page.mouse.move(before.x - 90, before.y - 30, { steps: 3 });
  await until(page, () => pliant.model.state.grabbed >= 0);
  for (const key of keys) await page.keyboard.up(key);
  for (let i = 1; i <= 12; ++i)
    await page.keyboard.press('.').then(() => page.waitForFunction((s) => pliant.model.step === s, from + i));
  await page.mouse.up();
  await until(page, () => pliant.model.state.grabbed === -1);
  return (await middle(page, 1)).centre[0] - before.centre[0];
}

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
  const vertex = await pull(page, ['Shift']);
  assert.ok(vertex < -0.005, `moved by ${vertex}`);
  assert.ok(difference(first, await picture(page)) > 0.01);
  assert.ok((await page.evaluate(() => pliant.model.stats.records.length)) > 0);
  // a parameter is changed between steps, and the state goes on
  const state = () => page.evaluate(() => ({ step: pliant.model.step, x: [...pliant.model.positions] }));
  const before = await state();
  await page.locator('.parameter[data-path="contact.friction"] input[type="text"]').fill('0.35');
  await page.keyboard.press('Enter');
  await until(page, () => pliant.model.scene.parameters.find((p) => p.path === 'contact.friction').value === 0.35);
  assert.deepEqual(await state(), before);
  await toStart(page);
  const body = await pull(page, ['Shift', 'Control']);
  assert.ok(body < -0.005, `moved by ${body}`);
  await quiet(page);
});

test('a scene begins again when it is saved; one that is wrong is reported', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-watch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'scene.json');
  const text = readFileSync(cubes, 'utf8');
  writeFileSync(file, text);
  const { url } = await view(t, file);
  const page = await openPage(browser, url);
  await ready(page);
  await page.evaluate(() => pliant.send('pause'));
  writeFileSync(file, text.replace('"bodies"', '"bodees"'));
  await page.waitForFunction(() => /bodies is missing/.test(document.getElementById('toast').textContent));
  assert.ok(await page.evaluate(() => pliant.model.vertexCount > 0));
  writeFileSync(file, text.replace('"gravity"', '"camera": {"from": [3, 1, 0], "to": [0, 0.5, 0]}, "gravity"'));
  await until(page, () => pliant.model.scene.camera?.from[0] === 3);
  await ready(page);
  // Saved again the camera stays; the first view is that of the scene.
  await page.keyboard.press('0');
  assert.ok(await page.evaluate(() => pliant.view.rig.camera.position.distanceTo({ x: 3, y: 1, z: 0 }) < 1e-5));
  await quiet(page);
});

test('a solid is cut with faces', async (t) => {
  const { url } = await view(t, cubes);
  const page = await openPage(browser, url);
  await toStart(page);
  await page.getByRole('button', { name: 'Cut across z' }).click();
  await drawn(page);
  assert.ok(await page.evaluate(() => pliant.view.cap.faces.geometry.index.count > 30));
  const { mass } = await page.evaluate(() => pliant.model.motion(0));
  assert.ok(mass > 0);
  await quiet(page);
});

test('a failed step is shown: where, why, and what is left over', async (t) => {
  const { url } = await view(t, cubes, '--set', 'solver.max_iterations=9');
  const page = await openPage(browser, url);
  await ready(page);
  await page.evaluate(() => pliant.send('rate', { value: 0 }));
  const notice = page.locator('.notice[data-name="stop"]');
  await notice.waitFor();
  const text = await notice.textContent();
  assert.match(text, /failed in “(upper|lower)”.*iteration cap.*Remedy: raise solver.max_iterations/);
  await until(page, () => pliant.model.field?.key === 'residual');
  assert.match(await page.locator('#legend').textContent(), /Residual.*m\/s/);
  const { worst, most, at } = await page.evaluate(() => {
    const { field, stop } = pliant.model;
    return { worst: stop.where.vertex, most: Math.max(...field.values), at: field.values[stop.where.vertex] };
  });
  assert.ok(worst >= 0 && at === most && most > 0, `${at} at ${worst}, ${most}`);
  const distance = await page.evaluate(() => pliant.view.rig.distance);
  await notice.getByRole('button', { name: 'Show where' }).click();
  assert.ok((await page.evaluate(() => pliant.view.rig.distance)) < distance);
  await notice.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('0');
  await drawn(page);
  const low = (r, g, b) => r < 110 && g < 60 && b > g + 15; // the low end of the map, also in the shade
  const purple = part(await picture(page), low);
  assert.ok(purple > 0.02, `${purple}`);
  await page.locator('[data-do="restart"]').click();
  await until(page, () => pliant.model.stop === null);
  assert.equal(await page.evaluate(() => pliant.settings.colour), 'body');
  await quiet(page);
});

test('beyond loopback the page needs the token', async (t) => {
  const { url } = await view(t, cubes, '--host', '0.0.0.0');
  const { port, search } = new URL(url);
  assert.match(search, /^\?token=[0-9a-f]{32}$/);
  const at = `http://127.0.0.1:${port}/`;
  const page = await openPage(browser, at + search);
  await ready(page);
  assert.ok(part(await picture(page), coloured) > 0.03);
  for (const wrong of ['', `?token=${'0'.repeat(32)}`, search.slice(0, -1)]) {
    const answer = await page.request.get(at + wrong);
    assert.equal(answer.status(), 403, wrong);
    const closed = page.evaluate(
      (address) =>
        new Promise((resolve) => {
          const socket = new WebSocket(address, 'pliant-1');
          socket.onopen = () => resolve(false);
          socket.onerror = () => resolve(true);
        }),
      `ws://127.0.0.1:${port}/ws${wrong}`,
    );
    assert.ok(await closed, wrong);
  }
  await quiet(page, /WebSocket connection .* failed/);
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
  execFileSync(PLIANT, ['run', cubes, '-o', join(folder, 'result'), '--set', 'time.duration=0.3'], { stdio: 'ignore' });
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
  await page.waitForFunction((f) => pliant.model.state.frame === f && pliant.model.time > 0.25, last);
  await drawn(page);
  assert.ok(difference(first, await picture(page)) > 0.01);
  await page.getByRole('checkbox', { name: 'Contacts' }).check();
  await until(page, () => pliant.model.contacts.length >= 9);
  assert.match(await page.locator('#legend').textContent(), /\d+ contacts, at most/);
  await quiet(page);
});

test('an exported page replays the run without a server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-web-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const fields = 'output.fields=["velocity", "stress", "energy_density", "contact_force"]';
  execFileSync(PLIANT, ['run', cubes, '-o', join(folder, 'result'), '--set', 'time.duration=0.4', '--set', fields], { stdio: 'ignore' });
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
