// A real browser without a window. What the page complains about is collected; `quiet` checks it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readPng } from './png.mjs';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing', // the processor draws here: once is enough
];
const PATIENCE = 60000; // [ms]; drawing is done by the processor here, and it may be busy

export const findChromium = () => PLACES.find((path) => path && existsSync(path));

export const launch = () => chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });

export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 780, height: 340 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && page.complaints.push(m.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error.stack ?? error)));
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && host !== new URL(url).host)
      page.complaints.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

// The page must not have complained, but for what `except` matches. That software draws slowly when
// pixels are read is no fault of the page.
export function calm(page, except = /^$/) {
  const left = page.complaints.filter((text) => !except.test(text) && !/GPU stall due to ReadPixels/.test(text));
  page.complaints.length = 0;
  assert.deepEqual(left, []);
}

// And it is closed.
export async function quiet(page, except) {
  await page.context().close();
  calm(page, except);
}

// Until the page has drawn `count` more frames.
export async function frames(page, count = 2) {
  const from = await page.evaluate(() => pliant.view.frames);
  await page.waitForFunction((wanted) => pliant.view.frames >= wanted, from + count);
}

// Until everything that has changed is drawn. For a run that stands still.
export const drawn = (page) => page.waitForFunction(() => !pliant.view.scheduled && pliant.view.pending === undefined);

export const ready = (page) => page.waitForFunction(() => globalThis.pliant?.model.placed && pliant.view.frames > 2);

// Until an expression over the page's own objects is true.
export const until = (page, expression) => page.waitForFunction(expression);

export async function picture(page) {
  const box = await page.locator('#stage').boundingBox();
  return readPng(await page.screenshot({ clip: box }));
}
