// Directions of the axes and a length to compare with, in the corner.
import { Vector3 } from 'three';
import { find } from './dom.js';
import { niceStep, number, quantity } from './format.js';

const AXES = [
  { name: 'x', colour: '#d55e00', direction: new Vector3(1, 0, 0) },
  { name: 'y', colour: '#009e73', direction: new Vector3(0, 1, 0) },
  { name: 'z', colour: '#0072b2', direction: new Vector3(0, 0, 1) },
];
const LONG = 26;
const BAR = 0.09; // wished length, of the width of the picture

export class Triad {
  constructor(view) {
    this.view = view;
    this.triad = find('triad');
    this.scale = find('scale');
    view.rig.on('change', () => this.show());
    view.settings.on('change', (key) => key === 'grid' && this.show());
  }

  show() {
    const { rig, settings } = this.view;
    this.triad.hidden = !settings.grid;
    this.scale.hidden = !settings.grid;
    if (!settings.grid) return;
    const { right, above, back } = rig.axes();
    const drawn = AXES.filter((axis) => !rig.plane || axis.name !== 'z').map((axis) => ({
      ...axis,
      x: LONG * axis.direction.dot(right),
      y: -LONG * axis.direction.dot(above),
      depth: axis.direction.dot(back),
    }));
    drawn.sort((a, b) => a.depth - b.depth);
    const lines = drawn.map(({ name, colour, x, y, depth }) => {
      const faint = depth < -0.2 ? ' opacity=".55"' : '';
      return (
        `<g${faint}><line x2="${x.toFixed(1)}" y2="${y.toFixed(1)}" stroke="${colour}" stroke-width="2" stroke-linecap="round"/>` +
        `<text x="${(1.32 * x).toFixed(1)}" y="${(1.32 * y).toFixed(1)}" fill="${colour}">${name}</text></g>`
      );
    });
    this.triad.innerHTML = `<svg viewBox="-37 -37 74 74">${lines.join('')}</svg>`;
    const length = niceStep(BAR * rig.size.width * rig.pixelAtTarget, 1);
    this.scale.firstElementChild.style.width = `${(length / rig.pixelAtTarget).toFixed(1)}px`;
    this.scale.lastElementChild.textContent = length < 0.1 ? quantity(length, 'm', 3) : `${number(length, 3)} m`;
  }
}
