// Dark and light: what the system prefers, unless chosen by hand. Colours stand in style.css alone; the
// picture reads them from there.
import { keep, recall } from './dom.js';
import { rgb } from './colours.js';
import { Emitter } from './emitter.js';

export class Theme extends Emitter {
  constructor() {
    super();
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.chosen = recall('theme'); // "dark", "light" or null
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get name() {
    return this.chosen ?? (this.system.matches ? 'dark' : 'light');
  }

  toggle() {
    this.chosen = this.name === 'dark' ? 'light' : 'dark';
    keep('theme', this.chosen);
    this.apply();
    return this.chosen;
  }

  apply() {
    document.documentElement.dataset.theme = this.name;
    const style = getComputedStyle(document.documentElement);
    const hex = (name) => style.getPropertyValue(`--${name}`).trim();
    const part = (name) => rgb(hex(name)).map((v) => v / 255);
    this.colours = {
      backgroundHex: hex('background'),
      background: part('background'),
      ink: part('ink'),
      accent: part('accent'),
      floor: part('floor'),
      floorLine: part('floor-line'),
      hatch: part('hatch'),
      shadow: this.name === 'dark' ? 0.45 : 0.19,
    };
    this.emit('change', this.colours);
  }
}
