// Reads the pictures that a browser takes (8 bits, RGB or RGBA, not interlaced) and says what is in them:
// how many colours, how much of it is not background, how much of two differs.
import { inflateSync } from 'node:zlib';

export function readPng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[bytes[25]];
  if (bytes[24] !== 8 || !channels || bytes[28] !== 0) throw new Error('a PNG of another kind');
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  return { width, height, channels, data: unfilter(inflateSync(Buffer.concat(parts)), width, height, channels) };
}

// Each row is told by its difference to the left, the row above, or both.
function unfilter(raw, width, height, channels) {
  const stride = width * channels;
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; ++y) {
    const kind = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? out[y * stride + x - channels] : 0;
      const above = y > 0 ? out[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? out[(y - 1) * stride + x - channels] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][kind];
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return out;
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

export const pixel = ({ data, width, channels }, x, y) => [
  ...data.subarray((y * width + x) * channels, (y * width + x) * channels + 3),
];

// Colours that differ by more than the steps of 8 levels.
export function colourCount({ data, channels }) {
  const seen = new Set();
  for (let i = 0; i < data.length; i += channels)
    seen.add(((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3));
  return seen.size;
}

// Part of the pixels for which `is(r, g, b)`.
export function part({ data, channels }, is) {
  let count = 0;
  for (let i = 0; i < data.length; i += channels) if (is(data[i], data[i + 1], data[i + 2])) count += 1;
  return (count * channels) / data.length;
}

export const coloured = (r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) > 40;
export const red = (r, g, b) => r > 150 && g < 90 && b < 90;

export function difference(a, b) {
  let count = 0;
  for (let i = 0; i < a.data.length; i += a.channels) {
    if ([0, 1, 2].some((k) => Math.abs(a.data[i + k] - b.data[i + k]) > 12)) count += 1;
  }
  return (count * a.channels) / a.data.length;
}
