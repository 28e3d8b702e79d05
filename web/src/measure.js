// Measuring: two points give a distance, a third one the angle at the second. The points are on bodies
// and move with their vertices.
import { quantity } from './format.js';
import { toast } from './notices.js';

export class Measure {
  constructor(view) {
    this.view = view;
    this.active = false;
    this.vertices = [];
    view.ruler = this;
    view.model.on('scene', () => this.clear());
  }

  clear() {
    this.vertices = [];
    this.view.invalidate();
  }

  toggle() {
    this.active = !this.active;
    this.clear();
    this.view.canvas.classList.toggle('measuring', this.active);
    toast(this.active ? 'Click two vertices to measure their distance, a third for the angle' : 'Measuring ended');
  }

  // Takes a click if it is measuring.
  take(vertex) {
    if (!this.active) return false;
    if (vertex >= 0) {
      if (this.vertices.length === 3) this.vertices = [];
      this.vertices.push(vertex);
      if (this.vertices.length > 1) toast(this.text, 8);
    } else this.vertices = [];
    this.view.invalidate();
    return true;
  }

  get points() {
    return this.vertices.map((v) => [...this.view.model.position(v)]);
  }

  get text() {
    const [a, b, c] = this.points;
    if (!b) return '';
    const way = (from, to) => to.map((x, k) => x - from[k]);
    const size = (v) => Math.hypot(...v);
    if (!c) return `Distance ${quantity(size(way(a, b)), 'm', 5)}`;
    const [u, v] = [way(b, a), way(b, c)];
    const cosine = u.reduce((sum, x, k) => sum + x * v[k], 0) / (size(u) * size(v));
    const angle = (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;
    return `Angle ${angle.toFixed(2)}°, distances ${quantity(size(u), 'm', 4)} and ${quantity(size(v), 'm', 4)}`;
  }
}
