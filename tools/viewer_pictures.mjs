// Makes docs/pictures/viewer_*.png: the page of `pliant view` in a browser without a window.
// usage: node tools/viewer_pictures.mjs PROGRAM [NAME...]
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { launch, openPage, ready } from '../tests/web/browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const PATIENCE = 300000; // [ms]
const panel = (...titles) =>
  `document.querySelectorAll('details').forEach((d) => (d.open = ${JSON.stringify(titles)}.some((t) => d.querySelector('summary').textContent.trim().startsWith(t))))`;

// words: of the command; steps: to wait for; code: run in the page before the picture is taken
const SHOTS = [
  { name: 'live', words: ['scenes/cloth_on_spinning_ball.json'], steps: 32, code: panel('Bodies', 'Steps') },
  {
    name: 'cut',
    words: ['scenes/two_cubes.json'],
    steps: 24,
    code: `${panel('Display')}; pliant.settings.set('colour', 'stress'); pliant.settings.set('clip', 'z'); pliant.settings.set('clipAt', 0.45); pliant.view.fit()`,
  },
  {
    name: 'dark',
    words: ['scenes/card_house.json'],
    steps: 40,
    options: { colorScheme: 'dark' },
    code: `${panel('Bodies', 'Steps')}; pliant.view.select(30, pliant.model.bodyOf[30]); pliant.settings.set('contacts', true)`,
  },
  {
    name: 'phone',
    words: ['scenes/disks.json'],
    steps: 60,
    options: { viewport: { width: 390, height: 720 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1.5 },
    code: 'pliant.view.fit()',
  },
  {
    name: 'failed',
    words: ['scenes/two_cubes.json', '--set', 'solver.max_iterations=9'],
    failed: true,
    code: `${panel('Display', 'Steps')}; document.querySelector('.notice[data-name="stop"] button').click()`,
  },
  { name: 'gallery', words: [], gallery: true },
];

async function serve(program, words) {
  const child = spawn(program, ['view', ...words, '--no-open'], { cwd: root, env: { ...process.env, PLIANT_SCENES: `${root}/scenes` } });
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
  return { url, end: () => child.kill('SIGINT') };
}

async function take(browser, program, { name, words, steps, failed, gallery, options, code }) {
  const { url, end } = await serve(program, words);
  try {
    const page = await openPage(browser, url, { viewport: { width: 940, height: 560 }, ...options });
    page.setDefaultTimeout(PATIENCE);
    if (gallery) {
      await page.locator('.card').first().waitFor();
      await page.waitForFunction(() => [...document.querySelectorAll('.card img')].slice(0, 8).every((i) => i.complete));
    } else {
      await ready(page);
      if (failed) await page.waitForFunction(() => pliant.model.stop !== null);
      else {
        await page.evaluate(() => (pliant.send('pause'), pliant.send('restart')));
        await page.waitForFunction(() => pliant.model.step === 0 && pliant.model.state.step === 0);
        for (let i = 1; i <= steps; ++i) {
          await page.evaluate(() => pliant.send('step'));
          await page.waitForFunction((n) => pliant.model.state.step >= n, i);
        }
      }
      await page.waitForTimeout(1000);
      if (code) await page.evaluate(code);
    }
    await page.waitForTimeout(4000); // messages go, fields arrive
    await page.screenshot({ path: `${root}/docs/pictures/viewer_${name}.png` });
    console.log(`docs/pictures/viewer_${name}.png`);
    await page.context().close();
  } finally {
    end();
  }
}

const [program, ...names] = process.argv.slice(2);
const browser = await launch();
for (const shot of SHOTS) if (names.length === 0 || names.includes(shot.name)) await take(browser, program, shot);
await browser.close();
