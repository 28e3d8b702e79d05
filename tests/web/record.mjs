// Puts a run of the mock server into the page, as web/README.md says.
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Mock, packet, PAGE } from './mock.mjs';

const PACKED = 6;
const KEY = 10; // every so many frames one stands alone

function framed(bytes, binary) {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(bytes.length, 0);
  head[4] = binary ? 1 : 0;
  return Buffer.concat([head, bytes]);
}

export function exactPositions(scene, step) {
  const mock = new Mock({ scene });
  mock.step = step;
  mock.compute();
  return mock.positions;
}

export function recordedPage(scene, frameCount) {
  const mock = new Mock({ scene, mode: 'replay' });
  const { triangles, segments, vertexCount } = mock.scene;
  const text = (message) => framed(Buffer.from(JSON.stringify(message)), false);
  const parts = [
    text(mock.hello()),
    text({ ...mock.describe(), parameters: [] }),
    framed(packet({ kind: 1, count: triangles.length / 3, extra: segments.length / 2 }, triangles, segments), true),
  ];
  const origin = Float32Array.of(-1.5, -0.5, -1.5);
  const quantum = new Float32Array(3).fill(3 / 65535);
  let last = null;
  for (mock.step = 0; mock.step < frameCount; mock.step += 1) {
    mock.compute();
    parts.push(text(mock.stats()));
    const whole = Uint16Array.from(mock.positions, (x, i) => Math.round((x - origin[i % 3]) / quantum[i % 3]));
    const key = mock.step % KEY === 0;
    const told = key ? whole : whole.map((w, i) => w - last[i]);
    const bytes = Buffer.concat([Uint8Array.from(told, (w) => w & 255), Uint8Array.from(told, (w) => w >> 8)]);
    parts.push(
      framed(
        packet(
          { kind: PACKED, flags: key ? 0 : 1, step: mock.step, time: mock.time, count: vertexCount },
          origin,
          quantum,
          bytes,
        ),
        true,
      ),
    );
    last = whole;
  }
  const data = gzipSync(Buffer.concat(parts)).toString('base64');
  return gunzipSync(readFileSync(PAGE))
    .toString()
    .replace('<!--recording-->', () => `<script id="recording" type="text/plain">${data}</script>`);
}
