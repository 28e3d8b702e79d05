// How each body looks: its colours, hidden or not, how much one sees through it. Given to the shaders as a
// texture with two texels per body: light colour and opacity, dark colour and whether it is an obstacle.
import { DataTexture, NearestFilter, RGBAFormat, UnsignedByteType } from 'three';
import { rgb, TONES, toneOf } from './colours.js';
import { Emitter } from './emitter.js';

const ACROSS = 1024;
const GLASS = 0.42;

export class Bodies extends Emitter {
  constructor(model, uniforms) {
    super();
    Object.assign(this, { model, uniforms });
    this.choices = new Map(); // name -> {hidden, opacity, colour}
    this.solo = -1;
    this.glass = new Set(); // obstacles with something inside
    this.showObstacles = true;
  }

  // For a new scene; the choices for bodies of the same names stay.
  build(again) {
    if (!again) this.choices.clear();
    this.solo = -1;
    this.glass.clear();
    const rows = 2 * Math.max(1, Math.ceil(this.model.bodies.length / ACROSS));
    this.texture?.dispose();
    this.texture = new DataTexture(new Uint8Array(4 * ACROSS * rows), ACROSS, rows, RGBAFormat, UnsignedByteType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.uniforms.uBodies.value = this.texture;
    this.update();
  }

  choice(b) {
    return this.choices.get(this.model.bodies[b].name) ?? { hidden: false, opacity: 1, colour: null };
  }

  set(b, change) {
    this.choices.set(this.model.bodies[b].name, { ...this.choice(b), ...change });
    this.update();
  }

  setSolo(b) {
    this.solo = this.solo === b ? -1 : b;
    this.update();
  }

  setGlass(glass) {
    if (glass.size === this.glass.size && [...glass].every((b) => this.glass.has(b))) return;
    this.glass = glass;
    this.update();
  }

  setObstacles(shown) {
    if (shown === this.showObstacles) return;
    this.showObstacles = shown;
    if (this.texture) this.update();
  }

  // {line, fill, edge}
  colours(b) {
    const own = this.choice(b).colour;
    return own ? { line: own, fill: mix(own, '#ffffff', 0.45), edge: mix(own, '#000000', 0.25) } : TONES[toneOf(this.model.bodies, b)];
  }

  opacity(b) {
    const { hidden, opacity } = this.choice(b);
    if (hidden || (this.solo >= 0 && this.solo !== b)) return 0;
    if (this.model.bodies[b].obstacle && !this.showObstacles) return 0;
    return this.glass.has(b) ? Math.min(opacity, GLASS) : opacity;
  }

  // Whether some body is drawn so that one sees through it.
  get translucent() {
    return this.model.bodies.some((_, b) => this.opacity(b) > 0.005 && this.opacity(b) < 0.995);
  }

  update() {
    const { data } = this.texture.image;
    this.model.bodies.forEach((body, b) => {
      const { fill, edge } = this.colours(b);
      const at = 4 * ((b % ACROSS) + 2 * ACROSS * Math.floor(b / ACROSS));
      data.set([...rgb(fill), Math.round(255 * this.opacity(b))], at);
      data.set([...rgb(edge), body.obstacle ? 255 : 0], at + 4 * ACROSS);
    });
    this.texture.needsUpdate = true;
    this.emit('change');
  }
}

const mix = (a, b, part) =>
  `#${rgb(a)
    .map((x, k) => Math.round(x + part * (rgb(b)[k] - x)).toString(16).padStart(2, '0'))
    .join('')}`;
