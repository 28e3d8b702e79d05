// The page in a real browser, before a server without a solver.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { calm, drawn, frames, launch, openPage, picture, quiet, ready, until } from './browser.mjs';
import { RATE, startMock } from './mock.mjs';
import { exactPositions, recordedPage } from './record.mjs';
import { colourCount, coloured, difference, part, pixel, readPng, red } from './png.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

// A server and a page for it; both end with the test.
async function visit(t, mockOptions = {}, pageOptions = {}, hash = '') {
  const server = await startMock(mockOptions);
  t.after(() => server.close());
  const page = await openPage(browser, `http://127.0.0.1:${server.port}/${hash}`, pageOptions);
  if (mockOptions.mode !== 'gallery') await ready(page);
  return { page, server, mock: server.mock };
}

// The page of the tests that need no other: to load one is most of the work of a test. It starts anew
// with the scene, with the settings of a fresh page.
let live;
async function fresh() {
  if (!live) {
    const server = await startMock();
    const page = await openPage(browser, `http://127.0.0.1:${server.port}/`);
    await ready(page);
    const settings = await page.evaluate(() => JSON.parse(JSON.stringify({ ...pliant.settings, listeners: undefined })));
    live = { server, page, mock: server.mock, settings };
    return live;
  }
  const { page, mock, settings } = live;
  mock.load('boxes');
  mock.rate = RATE;
  mock.received.length = 0;
  await page.evaluate((given) => {
    pliant.model.reset(null);
    pliant.settings.given.clear();
    for (const [key, value] of Object.entries(given)) if (key !== 'given') pliant.settings.assume(key, value);
  }, settings);
  for (const client of mock.clients) mock.greet(client);
  await ready(page);
  await frames(page, 1);
  return live;
}
afterEach(() => {
  if (live) live.mock.playing = false; // others need the processor
});
after(() => live?.server.close());

const step = (page) => page.evaluate(() => pliant.model.step);
const said = (mock, type) => mock.received.filter((m) => m.type === type);
const pause = async (page) => {
  await page.locator('#transport [data-do="play"]').click();
  await until(page, () => !pliant.model.state.playing);
};

test('loads, gets frames, draws them, and the picture changes', async () => {
  const { page, mock } = await fresh();
  const first = await picture(page);
  assert.ok(colourCount(first) > 60, `${colourCount(first)} colours`);
  const covered = part(first, coloured);
  assert.ok(covered > 0.03 && covered < 0.7, `bodies cover ${covered}`);
  const at = await step(page);
  await page.waitForFunction((s) => pliant.model.step > s + 4, at);
  await frames(page);
  assert.ok(difference(first, await picture(page)) > 0.005);
  assert.ok(said(mock, 'ack').length > 2);
  assert.equal(await page.locator('#name').textContent(), 'boxes');
  assert.equal(await page.locator('#mode').textContent(), 'Live');
  calm(page);
});

test('acknowledges only what has been drawn, and is never ahead by more than one frame', async () => {
  const { page, mock } = await fresh();
  mock.rate = 500;
  await frames(page, 4);
  const [client] = mock.clients;
  assert.ok(client.dropped > 0, 'a slow browser gets fewer frames');
  assert.ok(client.open <= 2);
  calm(page);
});

test('pause, single step, restart, speed', async () => {
  const { page, mock } = await fresh();
  await pause(page);
  await page.waitForFunction((s) => pliant.model.step === s, mock.step);
  const at = mock.step;
  await drawn(page);
  await page.locator('[data-do="step"]').click();
  await page.waitForFunction((s) => pliant.model.step === s, at + 1);
  assert.match(await page.locator('#clock').textContent(), new RegExp(`step ${at + 1}`));
  assert.equal(await page.locator('#mode').textContent(), 'Paused');
  await page.locator('#rate').selectOption('10');
  await until(page, () => pliant.model.state.rate === 10);
  await page.locator('[data-do="restart"]').click();
  await until(page, () => pliant.model.step === 0);
  await page.locator('#transport [data-do="play"]').click();
  await until(page, () => pliant.model.step > 2);
  calm(page);
});

test('the past of a live run can be looked at', async () => {
  const { page, mock } = await fresh();
  await until(page, () => pliant.model.step > 8 && pliant.model.past.frames.length > 4);
  await pause(page);
  await page.locator('#timeline').focus();
  await page.keyboard.press('Home');
  await until(page, () => pliant.model.viewing !== null);
  const then = await step(page);
  assert.ok(then < mock.step);
  await page.waitForFunction(() => document.getElementById('mode').textContent === 'Earlier moment');
  await page.locator('#to-live').click();
  await page.waitForFunction((s) => pliant.model.step === s && pliant.model.viewing === null, mock.step);
  assert.equal(said(mock, 'seek').length, 0);
  calm(page);
});

test('a replay is scrubbed by the server', async (t) => {
  const { page, mock } = await visit(t, { mode: 'replay' });
  await pause(page);
  await drawn(page);
  const before = await picture(page);
  const timeline = page.locator('#timeline');
  assert.equal(await timeline.getAttribute('max'), '119');
  await timeline.fill('100');
  await page.waitForFunction(() => pliant.model.step === 100 && pliant.model.state.frame === 100);
  await drawn(page);
  assert.ok(said(mock, 'seek').some((m) => m.frame === 100));
  assert.ok(difference(before, await picture(page)) > 0.003);
  await page.keyboard.press('[');
  await until(page, () => pliant.model.step === 99);
  await quiet(page);
});

for (const [what, keys] of [
  ['a vertex', ['Shift']],
  ['a whole body', ['Shift', 'Control']],
])
  test(`pulling at ${what} with the mouse moves it`, async () => {
    const { page, mock } = await fresh();
    const place = await page.evaluate(() => {
      const { view, model } = pliant;
      const box = model.box(...model.bodies[0].vertices);
      const middle = [0, 1, 2].map((k) => (box.low[k] + box.high[k]) / 2);
      const at = view.rig.project(middle);
      const canvas = view.canvas.getBoundingClientRect();
      return { x: canvas.left + at.x, y: canvas.top + at.y, centre: middle };
    });
    for (const key of keys) await page.keyboard.down(key);
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x - 60, place.y - 40, { steps: 4 });
    await until(page, () => pliant.model.state.grabbed >= 0);
    await page.waitForFunction((x) => {
      const { model } = pliant;
      const box = model.box(...model.bodies[0].vertices);
      return (box.low[0] + box.high[0]) / 2 < x - 0.05;
    }, place.centre[0]);
    await page.mouse.up();
    for (const key of keys) await page.keyboard.up(key);
    await until(page, () => pliant.model.state.grabbed === -1);
    assert.deepEqual(
      said(mock, 'grab').map((m) => m.body),
      [keys.length > 1],
    );
    assert.ok(said(mock, 'drag').length >= 1);
    assert.ok(said(mock, 'drag').every((m) => m.target.length === 3 && m.target.every(Number.isFinite)));
    assert.equal(said(mock, 'release').length, 1);
    calm(page);
  });

test('a server that is gone is missed and found again', async (t) => {
  const first = await startMock();
  const { port } = first;
  const page = await openPage(browser, `http://127.0.0.1:${port}/`);
  await ready(page);
  await first.close();
  const notice = page.locator('.notice[data-name="connection"]');
  await notice.waitFor();
  assert.match(await notice.textContent(), /connection to the server was lost.*comes back by itself/);
  assert.equal(await page.locator('#mode').textContent(), 'Not connected');
  const again = await startMock({ port });
  t.after(() => again.close());
  await Promise.any([
    notice.getByRole('button', { name: 'Try now' }).click(),
    notice.waitFor({ state: 'detached' }), // it may have come back alone
  ]);
  await notice.waitFor({ state: 'detached' });
  await page.waitForFunction(() => pliant.model.state.playing && pliant.model.step > 0);
  await frames(page, 3);
  assert.ok(part(await picture(page), coloured) > 0.03);
  await quiet(page, /WebSocket connection .* failed|ERR_CONNECTION/); // the browser itself says so
});

test('keys alone are enough', async () => {
  const { page, mock } = await fresh();
  const seen = [];
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press('Tab');
    seen.push(
      await page.evaluate(() => {
        const e = document.activeElement;
        const style = getComputedStyle(e);
        return {
          id: e.id || e.dataset.do || e.tagName,
          name: e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent.trim(),
          ring: style.outlineStyle !== 'none',
        };
      }),
    );
  }
  for (const wanted of ['canvas', 'play', 'timeline', 'rate', 'fit', 'help', 'SELECT', 'vertex'])
    assert.ok(
      seen.some((s) => s.id === wanted),
      wanted,
    );
  assert.deepEqual(
    seen.filter((s) => s.id !== 'BODY' && (!s.name || !s.ring)),
    [],
  );
  await page.locator('#canvas').focus();
  const yaw = await page.evaluate(() => pliant.view.rig.yaw);
  await page.keyboard.press('ArrowLeft');
  assert.notEqual(await page.evaluate(() => pliant.view.rig.yaw), yaw);
  await page.keyboard.press('Space');
  await until(page, () => !pliant.model.state.playing);
  await page.keyboard.press('.');
  await page.waitForFunction((s) => pliant.model.step === s, mock.step);
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!(await page.locator('#help').isVisible()));
  await page.locator('#vertex').fill('5');
  await page.keyboard.press('Enter');
  await until(page, () => pliant.view.selection.vertex === 5);
  assert.match(await page.locator('.values').textContent(), /left.*Position/);
  await page.getByRole('button', { name: 'Pull', exact: true }).press('Enter');
  await until(page, () => pliant.model.state.grabbed === 5);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Escape');
  await until(page, () => pliant.model.state.grabbed === -1);
  await page.getByRole('button', { name: 'Pull body', exact: true }).press('Enter');
  await until(page, () => pliant.model.state.grabbed === 5);
  await page.keyboard.press('Escape');
  await until(page, () => pliant.model.state.grabbed === -1);
  assert.deepEqual(
    said(mock, 'grab').map((m) => [m.vertex, m.body]),
    [
      [5, false],
      [5, true],
    ],
  );
  assert.equal(said(mock, 'release').length, 2);
  for (const [key, setting] of [
    ['e', 'edges'],
    ['s', 'smooth'],
    ['n', 'normals'],
    ['b', 'boxes'],
    ['k', 'contacts'],
    ['x', 'clip'],
    ['w', 'faces'],
  ]) {
    const was = await page.evaluate((name) => pliant.settings[name], setting);
    await page.keyboard.press(key);
    assert.notEqual(await page.evaluate((name) => pliant.settings[name], setting), was, setting);
  }
  await drawn(page);
  calm(page);
});

test('the camera frames what moves, follows it, and goes without perspective', async () => {
  const { page, mock } = await fresh();
  await pause(page);
  await page.keyboard.press('f');
  const rig = () => page.evaluate(() => {
    const { target, distance, parallel, radius, pitch } = pliant.view.rig;
    return { target: target.toArray(), distance, parallel, radius, pitch };
  });
  const before = await rig();
  // A body flies away: the frame stays with the others.
  mock.scene.bodies.slice(0, 1).forEach(({ vertices: [first, end] }) => {
    for (let v = first; v < end; ++v) mock.positions[3 * v + 1] += 500;
  });
  for (const client of mock.clients) mock.frame(client);
  await until(page, () => pliant.model.position(0)[1] > 400);
  await page.keyboard.press('f');
  assert.ok((await rig()).radius < 2 * before.radius);
  await page.keyboard.press('3');
  const top = await rig();
  assert.ok(top.parallel && top.pitch > 1.5);
  await page.keyboard.press('5');
  assert.ok(!(await rig()).parallel);
  await page.keyboard.press('0');
  await page.evaluate(() => pliant.view.select(pliant.model.bodies[1].vertices[0], 1));
  await page.keyboard.press('q');
  const held = await rig();
  const { vertices: [first, end] } = mock.scene.bodies[1];
  for (let v = first; v < end; ++v) mock.positions[3 * v] += 3;
  for (const client of mock.clients) mock.frame(client);
  await page.waitForFunction((x) => pliant.view.rig.target.x > x + 2.9, held.target[0]);
  calm(page);
});

test('a body can be hidden, shown alone and seen through; a cut is dragged', async () => {
  const { page } = await fresh();
  await pause(page);
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
  await drawn(page);
  const all = await picture(page);
  await page.getByRole('button', { name: 'Hide left' }).click();
  await drawn(page);
  assert.ok(difference(all, await picture(page)) > 0.01);
  assert.equal(await page.evaluate(() => pliant.view.bodies.opacity(0)), 0);
  await page.getByRole('button', { name: 'Hide left' }).click();
  await page.getByRole('button', { name: 'Only right' }).click();
  assert.deepEqual(await page.evaluate(() => [0, 1, 4].map((b) => pliant.view.bodies.opacity(b))), [0, 1, 0]);
  await page.getByRole('button', { name: 'Only right' }).click();
  await page.getByRole('button', { name: 'right', exact: true }).click();
  await page.getByLabel('Opacity of the selected body').fill('0.4');
  assert.ok(await page.evaluate(() => pliant.view.bodies.translucent));
  await page.getByLabel('Opacity of the selected body').fill('1');
  await page.getByRole('button', { name: 'Cut across x' }).click();
  await drawn(page);
  const at = await page.evaluate(() => {
    const { clip, rig, canvas } = pliant.view;
    const p = rig.project(clip.handle);
    const box = canvas.getBoundingClientRect();
    return { x: box.left + p.x, y: box.top + p.y };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 50, at.y, { steps: 3 });
  await page.mouse.up();
  assert.ok((await page.evaluate(() => pliant.settings.clipAt)) > 0.55);
  calm(page);
});

test('lengths and angles are measured, changes undone and copied', async () => {
  const { page, mock } = await fresh();
  await pause(page);
  await page.keyboard.press('m');
  const text = await page.evaluate(() => {
    const { ruler } = pliant.view;
    ruler.take(0);
    ruler.take(1);
    const far = ruler.text;
    ruler.take(2);
    const angle = ruler.text;
    pliant.measure.toggle();
    return [far, angle];
  });
  assert.match(text[0], /^Distance .*m$/);
  assert.match(text[1], /^Angle \d+\.\d\d°/);
  const row = page.locator('.parameter[data-path="contact.friction"] input[type="text"]');
  await row.fill('0.75');
  await page.keyboard.press('Enter');
  await until(page, () => pliant.model.scene.parameters.find((p) => p.path === 'contact.friction').value === 0.75);
  assert.deepEqual(await page.evaluate(() => pliant.parameters.changes), ['contact.friction=0.75']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(page, () => pliant.model.scene.parameters.find((p) => p.path === 'contact.friction').value === 0.2);
  assert.deepEqual(said(mock, 'set').map((m) => m.value), [0.75, 0.2]);
  calm(page);
});

test('plots leave out what is missing and what is zero, and outlive a reload', async (t) => {
  const { page } = await visit(t);
  await pause(page);
  const drawn_ = await page.evaluate(() => {
    const { plots, model } = pliant;
    const [energy] = plots.plots;
    model.stats.load({ stride: 1, records: [1, 2, 3, 9, 10].map((step) => ({ step, energies: [1, 0, 2], total: 3, seconds: {} })) });
    energy.choose(energy.records);
    const moves = [];
    const fake = new Proxy({}, { get: (_, name) => (name === 'moveTo' ? (x) => moves.push(x) : () => {}), set: () => true });
    energy.curve(fake, { x: (s) => 10 * s, y: (v) => v, ink: () => '' }, energy.drawn[0], energy.records, 1);
    return { moves, names: energy.drawn.map((s) => s.name), colours: energy.drawn.map((s) => s.colour) };
  });
  assert.deepEqual(drawn_.moves, [10, 90]); // a new line where steps are missing
  assert.deepEqual(drawn_.names, ['kinetic', 'barrier', 'total']);
  assert.equal(new Set(drawn_.colours).size, 3);
  const last = await page.evaluate(() => pliant.model.stats.last.step);
  await page.reload();
  await ready(page);
  assert.ok(await page.evaluate((step) => pliant.model.stats.records.some((r) => r.step === step), last - 1));
  await quiet(page);
});

test('colours by field come with a legend; contacts, clicks and values', async () => {
  const { page } = await fresh();
  await pause(page);
  const before = await picture(page);
  await page.getByLabel('Colour by').selectOption('stress');
  await page.locator('#legend').waitFor();
  await until(page, () => pliant.model.field?.key === 'stress');
  await drawn(page);
  assert.match(await page.locator('#legend').textContent(), /Von Mises stress.*kPa/);
  assert.ok(difference(before, await picture(page)) > 0.02);
  await page.getByLabel('Colour by').selectOption('velocity');
  await page.getByLabel('Component').selectOption('y');
  await until(page, () => pliant.model.field?.key === 'velocity');
  assert.match(await page.locator('#legend').textContent(), /Velocity, y.*m\/s/);
  await page.getByRole('checkbox', { name: 'Contacts' }).check();
  await page.waitForFunction(() => /9 contacts/.test(document.getElementById('legend').textContent));
  const place = await page.evaluate(() => {
    const { view, model } = pliant;
    const box = model.box(...model.bodies[1].vertices);
    const at = view.rig.project([0, 1, 2].map((k) => (box.low[k] + box.high[k]) / 2));
    const canvas = view.canvas.getBoundingClientRect();
    return { x: canvas.left + at.x, y: canvas.top + at.y };
  });
  await page.mouse.click(place.x, place.y);
  await until(page, () => pliant.view.selection.body === 1);
  assert.match(await page.locator('.values').textContent(), /right/);
  calm(page);
});

test('dark and light', async () => {
  const { page } = await fresh();
  await page.emulateMedia({ colorScheme: 'dark' });
  const corner = async () => {
    await frames(page, 1);
    const shot = await picture(page);
    return Math.max(...pixel(shot, shot.width - 3, 3));
  };
  assert.ok((await corner()) < 60);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.ok((await corner()) > 220);
  await page.locator('[data-do="theme"]').click();
  assert.ok((await corner()) < 60);
  assert.ok(part(await picture(page), coloured) > 0.03);
  await page.locator('[data-do="theme"]').click();
  calm(page);
});

test('a scene in the plane is seen straight on', async (t) => {
  const { page } = await visit(t, { scene: 'plane' });
  assert.ok(part(await picture(page), coloured) > 0.1);
  const look = () =>
    page.evaluate(() => ({
      yaw: pliant.view.rig.yaw,
      pitch: pliant.view.rig.pitch,
      x: pliant.view.rig.target.x,
      plane: pliant.view.rig.plane,
    }));
  const before = await look();
  assert.deepEqual([before.plane, before.yaw, before.pitch], [true, 0, 0]);
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.move(box.x + 80, box.y + 120);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 150, { steps: 3 });
  await page.mouse.up();
  const after = await look();
  assert.deepEqual([after.yaw, after.pitch], [0, 0]);
  assert.ok(after.x < before.x);
  const distance = await page.evaluate(() => pliant.view.rig.distance);
  await page.mouse.wheel(0, -240);
  await page.waitForFunction((d) => pliant.view.rig.distance < d, distance);
  await quiet(page);
});

test('a half-space that a vertex carries moves with it', async () => {
  const { page, mock } = await fresh();
  mock.scene.halfSpaces.push({ name: 'lid', point: [0, 3, 0], normal: [0, -1, 0], carrier: 7 });
  for (const client of mock.clients) mock.greet(client);
  await page.waitForFunction(() => pliant.view.ground.squares.length === 3);
  const look = () =>
    page.evaluate(() => {
      const { squares } = pliant.view.ground;
      const shown = squares.map((s) => s.material.uniforms.uOrigin.value.y);
      return { ground: shown[0], lid: shown[1], vertex: pliant.model.position(7)[1] };
    });
  const before = await look();
  assert.ok(Math.abs(before.lid - before.vertex) < 1e-6, JSON.stringify(before));
  await page.waitForFunction((y) => Math.abs(pliant.model.position(7)[1] - y) > 0.01, before.vertex);
  const after = await look();
  assert.ok(Math.abs(after.lid - after.vertex) < 1e-6 && after.lid !== before.lid, JSON.stringify(after));
  assert.equal(after.ground, before.ground);
  calm(page);
});

test('a failed step says why and shows where', async () => {
  const { page } = await fresh();
  const before = part(await picture(page), red);
  await page.getByLabel('Fail the next step').check();
  const notice = page.locator('.notice[data-name="stop"]');
  await notice.waitFor();
  assert.match(
    await notice.textContent(),
    /failed in “left”, where it touches “right”: stalled line search.*Remedy: lower the time step/,
  );
  await until(page, () => pliant.model.field?.key === 'residual');
  assert.match(await page.locator('#legend').textContent(), /Residual.*m\/s/);
  await until(page, () => pliant.model.highlight.length === 7);
  await notice.getByRole('button', { name: 'Show where' }).click();
  await drawn(page);
  assert.ok(part(await picture(page), red) > before + 0.0005);
  assert.equal(await page.locator('#mode').textContent(), 'Step failed');
  await page.locator('[data-do="restart"]').click();
  await notice.waitFor({ state: 'detached' });
  await until(page, () => pliant.settings.colour === 'body' && pliant.model.placed);
  calm(page);
});

test('parameters are sent as they are changed', async () => {
  const { page, mock } = await fresh();
  const row = (path) => page.locator(`.parameter[data-path="${path}"]`);
  await row('bodies.left.young').locator('input[type="range"]').focus();
  await page.keyboard.press('End');
  await row('contact.friction').locator('input[type="text"]').fill('0.75');
  await page.keyboard.press('Enter');
  await row('time.scheme').locator('select').selectOption('newmark');
  await row('contact.self').locator('input').uncheck();
  await row('contact.friction').locator('input[type="text"]').fill('nonsense');
  await page.keyboard.press('Enter');
  assert.equal(await row('contact.friction').locator('input[type="text"]').inputValue(), '0.75');
  await until(page, () => pliant.model.scene.parameters.find((p) => p.path === 'contact.self').value === false);
  const sent = Object.fromEntries(said(mock, 'set').map((m) => [m.path, m.value]));
  assert.deepEqual(sent, {
    'bodies.left.young': 1e8,
    'contact.friction': 0.75,
    'time.scheme': 'newmark',
    'contact.self': false,
  });
  calm(page);
});

test('a parameter that is refused goes back, focused or not', async (t) => {
  const { page, mock } = await fresh();
  const row = (path) => page.locator(`.parameter[data-path="${path}"]`);
  const young = row('bodies.left.young');
  const friction = row('contact.friction').locator('input[type="text"]');
  const before = [await young.locator('input[type="range"]').inputValue(), await friction.inputValue()];
  mock.refuses = true;
  t.after(() => (mock.refuses = false));
  await young.locator('input[type="range"]').focus();
  await page.keyboard.press('End');
  await until(page, () => /refused/.test(document.getElementById('toast').textContent));
  await page.waitForFunction((v) => document.activeElement.value === v, before[0]);
  await friction.fill('0.875');
  await page.keyboard.press('Enter');
  await page.waitForFunction((v) => document.activeElement.value === v, before[1]);
  assert.deepEqual(
    said(mock, 'set').map((m) => m.value),
    [1e8, 0.875],
  );
  assert.equal(await page.locator('.parameter.changed').count(), 0);
  // What is accepted stays where the hand has brought it.
  mock.refuses = false;
  await young.locator('input[type="range"]').focus();
  await page.keyboard.press('End');
  await until(page, () => pliant.model.scene.parameters.find((p) => p.path === 'bodies.left.young').value === 1e8);
  assert.notEqual(await young.locator('input[type="range"]').inputValue(), before[0]);
  assert.equal(await page.locator('.parameter.changed').count(), 1);
  calm(page);
});

test('the gallery shows scenes and opens them', async (t) => {
  const { page, mock } = await visit(t, { mode: 'gallery' });
  await page.locator('.card').first().waitFor();
  assert.equal(await page.locator('.card').count(), 2);
  await page.waitForFunction(() => document.querySelector('.card img').naturalWidth > 0);
  await page.getByLabel('Search scenes').fill('breathes');
  assert.equal(await page.locator('.card:visible').count(), 1);
  await page.locator('.card:visible').click();
  await ready(page);
  assert.deepEqual(
    said(mock, 'open').map((m) => m.scene),
    ['plane'],
  );
  assert.ok(!(await page.locator('#gallery').isVisible()));
  await page.locator('#home').click();
  assert.ok(await page.locator('#gallery').isVisible());
  await page.getByLabel('Search scenes').fill('');
  await page.locator('.card[data-scene="boxes"]').click();
  await page.waitForFunction(() => pliant.model.scene?.name === 'boxes' && pliant.model.placed);
  await quiet(page);
});

test('picture, video and link', async (t) => {
  const { page } = await visit(
    t,
    {},
    {
      viewport: { width: 640, height: 360 },
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    },
  );
  const saved = async (press) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const shot = await saved(() => page.keyboard.press('p'));
  assert.match(shot.name, /^boxes_\d+\.png$/);
  assert.ok(part(readPng(shot.bytes), coloured) > 0.03);
  await page.keyboard.press('v');
  await page.waitForFunction(() => pliant.video.running);
  await frames(page, 6);
  const video = await saved(() => page.keyboard.press('v'));
  assert.match(video.name, /\.webm$/);
  assert.equal(video.bytes.readUInt32BE(0), 0x1a45dfa3); // the first bytes of a WebM file
  await page.evaluate(() => pliant.view.rig.orbit(120, 30));
  await page.keyboard.press('b');
  await page.keyboard.press('y');
  await page.waitForFunction(() => /Copied a link/.test(document.getElementById('toast').textContent));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await openPage(browser, link);
  await ready(other);
  const look = (p) => p.evaluate(() => [pliant.view.rig.encode(), pliant.settings.boxes]);
  assert.deepEqual(await look(other), await look(page));
  await quiet(other);
  await quiet(page);
});

test('fits a phone and follows fingers', async (t) => {
  const { page } = await visit(t, {}, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.ok(await wide());
  assert.ok(part(await picture(page), coloured) > 0.01);
  await page.locator('[data-do="panel"]').tap();
  assert.ok(await page.locator('#panel').isVisible());
  assert.ok(await wide());
  await page.locator('[data-do="panel"]').tap();
  const before = await page.evaluate(() => ({ distance: pliant.view.rig.distance, yaw: pliant.view.rig.yaw }));
  const touch = await page.context().newCDPSession(page);
  const fingers = (type, ...points) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await fingers('touchStart', [150, 300]);
  await fingers('touchMove', [210, 300]);
  await fingers('touchEnd');
  await page.waitForFunction((yaw) => pliant.view.rig.yaw !== yaw, before.yaw);
  await fingers('touchStart', [150, 300], [220, 300]);
  await fingers('touchMove', [110, 300], [260, 300]);
  await fingers('touchEnd');
  await page.waitForFunction((distance) => pliant.view.rig.distance < 0.8 * distance, before.distance);
  await quiet(page);
});

test('a run inside the page is replayed without any server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-page-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'run.html');
  writeFileSync(file, recordedPage('boxes', 30));
  const page = await openPage(browser, pathToFileURL(file).href);
  await ready(page);
  await until(page, () => pliant.model.step === 29 && !pliant.model.state.playing);
  await drawn(page);
  const last = await picture(page);
  assert.ok(part(last, coloured) > 0.03);
  for (const frame of [3, 17, 8]) {
    await page.locator('#timeline').fill(String(frame));
    await page.waitForFunction((f) => pliant.model.step === f, frame);
    const [exact, there] = [exactPositions('boxes', frame), await page.evaluate(() => [...pliant.model.positions])];
    assert.ok(there.every((x, i) => Math.abs(x - exact[i]) < 1e-4)); // 16 bits of about 3 m
  }
  await drawn(page);
  assert.ok(difference(last, await picture(page)) > 0.003);
  await quiet(page);
});
