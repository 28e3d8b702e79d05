// Makes dist/viewer.html.gz: one page with script and styles inside, the same bytes for the same sources.
// `--check` compares instead of writing and fails if the committed page is not what the sources give.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const TARGET = here('dist/viewer.html.gz');

async function bundle(entry, options) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: 'none',
    charset: 'utf8',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    logLevel: 'warning',
    ...options,
  });
  return result.outputFiles[0].text.trimEnd();
}

// Shaders are strings: without their comments and needless blanks they are a third of the size.
const lean = {
  name: 'lean-shaders',
  setup(api) {
    api.onLoad({ filter: /shaders\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\/\* glsl \*\/ `[^`]*`/g, (text) =>
        text
          .replace(/([;{}\s])\/\/[^\n`]*/g, '$1')
          .replace(/\n\s+/g, '\n')
          .replace(/\n{2,}/g, '\n'),
      ),
      loader: 'js',
    }));
  },
};

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export async function page() {
  const [script, style] = await Promise.all([
    bundle('src/main.js', { format: 'iife', plugins: [lean] }),
    bundle('src/style.css', {}),
  ]);
  if (/<\/script/i.test(script)) throw new Error('the script would end its own element');
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self' ws: wss:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const licence = readFileSync(here('node_modules/three/LICENSE'), 'utf8').trim();
  const parts = { CSP: policy, STYLE: style, SCRIPT: script };
  const html = readFileSync(here('src/index.html'), 'utf8').replace(/%(CSP|STYLE|SCRIPT)%/g, (_, name) => parts[name]);
  return html.replace('<html', () => `<!--\nThis page contains three.js:\n\n${licence}\n-->\n<html`);
}

// No time, no system in the header.
function pack(html) {
  const bytes = gzipSync(Buffer.from(html), { level: 9 });
  bytes.fill(0, 4, 8);
  bytes[9] = 255;
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const html = await page();
  if (process.argv.includes('--check')) {
    const there = gunzipSync(readFileSync(TARGET)).toString();
    if (there !== html) {
      console.error('web/dist/viewer.html.gz does not match web/src: run `make web`');
      process.exit(1);
    }
    console.log('web/dist/viewer.html.gz matches its sources');
  } else {
    mkdirSync(here('dist'), { recursive: true });
    const bytes = pack(html);
    writeFileSync(TARGET, bytes);
    console.log(`dist/viewer.html.gz: ${bytes.length} bytes, ${Buffer.byteLength(html)} unpacked`);
  }
}
