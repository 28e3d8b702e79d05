// The committed page: made from these sources, complete in itself, small enough.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

const file = (path) => new URL(`../../web/${path}`, import.meta.url);
const packed = readFileSync(file('dist/viewer.html.gz'));
const html = gunzipSync(packed).toString();

test('the page is what the sources give', async () => {
  const { page } = await import(file('build.mjs'));
  assert.ok(html === (await page()), 'web/dist/viewer.html.gz does not match web/src: run `make web`');
});

test('its bytes depend on nothing else', () => {
  assert.deepEqual([...packed.subarray(4, 8)], [0, 0, 0, 0]); // no time
  assert.equal(packed[9], 255); // no system
});

test('it asks no other host for anything', () => {
  const hosts = new Set([...html.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host));
  hosts.delete('www.w3.org'); // names of XML, not addresses
  assert.deepEqual([...hosts], []);
  assert.doesNotMatch(html, /<(script|link|img|iframe)[^>]*(src|href)="(?!data:)/);
  assert.doesNotMatch(html, /@import|url\((?!["']?(data:|#))/);
  assert.match(html, /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
});

test('it is small', () => {
  assert.ok(packed.length < 250_000, `${packed.length} bytes`);
});

test('it carries the licence of three.js', () => {
  assert.match(html, /three\.js:[\s\S]*MIT License[\s\S]*Permission is hereby granted/);
});

test('the lock file names no server', () => {
  assert.doesNotMatch(readFileSync(file('package-lock.json'), 'utf8'), /https?:\/\/|"resolved"/);
});
