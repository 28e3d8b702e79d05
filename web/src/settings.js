// What the reader of a picture has chosen: one table, one place. The link that is copied, the hash of
// the address and the controls of the panel all read it. A value outside its row is not taken.
import { MAP_NAMES } from './colours.js';
import { Emitter } from './emitter.js';

const flag = (name, value) => ({
  name,
  value,
  read: (text) => ({ 0: false, 1: true })[text],
  write: (v) => (v ? '1' : '0'),
});
const word = (name, value, words) => ({
  name,
  value,
  read: (text) => (!words || words.includes(text) ? text : undefined),
  write: (v) => v,
});
const real = (name, value) => ({
  name,
  value,
  read: (text) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  write: (v) => String(Number(v.toPrecision(5))),
});

// `name` is the short form in links.
const rows = {
  colour: word('by', 'body'),
  component: word('part', 'size', ['size', 'x', 'y', 'z']),
  palette: word('map', 'viridis', MAP_NAMES),
  range: word('range', 'all', ['all', 'frame', 'fixed']),
  low: real('low', 0),
  high: real('high', 1),
  faces: flag('faces', true),
  edges: flag('edges', true),
  smooth: flag('smooth', true),
  creases: flag('creases', true),
  ambient: flag('ambient', true),
  shadows: flag('shadow', true),
  grid: flag('grid', true),
  obstacles: flag('obstacles', true),
  contacts: flag('contacts', false),
  normals: flag('normals', false),
  boxes: flag('boxes', false),
  arrows: word('arrows', 'off', ['off', 'velocity', 'field']),
  projection: word('projection', 'perspective', ['perspective', 'parallel']),
  follow: flag('follow', false),
  clip: word('clip', 'off', ['off', 'x', 'y', 'z', 'view']),
  clipAt: real('at', 0.5),
  clipFlip: flag('flip', false),
};

export class Settings extends Emitter {
  constructor() {
    super();
    this.given = new Set(); // keys that were chosen and not left to the scene
    for (const [key, row] of Object.entries(rows)) this[key] = row.value;
  }

  set(key, value) {
    this.given.add(key);
    this.assume(key, value);
  }

  // A default that depends on the scene.
  propose(key, value) {
    if (!this.given.has(key)) this.assume(key, value);
  }

  assume(key, value) {
    if (this[key] === value) return;
    this[key] = value;
    this.emit('change', key);
  }

  // "by=speed&clip=x": what differs from the defaults.
  encode(more = {}) {
    const parts = new URLSearchParams(more);
    for (const [key, row] of Object.entries(rows)) {
      if (this.given.has(key)) parts.set(row.name, row.write(this[key]));
    }
    return parts.toString().replace(/%2C/g, ',');
  }

  decode(hash) {
    const parts = new URLSearchParams(hash.replace(/^#/, ''));
    for (const [key, row] of Object.entries(rows)) {
      const text = parts.get(row.name);
      const value = text === null ? undefined : row.read(text);
      if (value !== undefined) this.set(key, value);
    }
    return parts;
  }
}
