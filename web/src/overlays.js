// What is drawn over the bodies: selection, failed vertices, contacts, normals, boxes, the spring to
// the cursor. Lists of lines and dots that grow and are filled anew when they are shown.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineSegments, Points, ShaderMaterial } from 'three';
import { faceNormals } from './edges.js';
import { CONTACT } from './protocol.js';
import { dotFragment, dotVertex, lineFragment, lineVertex } from './shaders.js';

// A buffer of points with colours (and sizes) that doubles when full.
class List {
  constructor(object, order) {
    this.object = object;
    object.frustumCulled = false;
    object.renderOrder = order;
    this.clear();
    this.room = 0;
  }
  clear() {
    this.place = [];
    this.tint = [];
    this.size = [];
  }
  add(x, y, z, tint, size = 0) {
    this.place.push(x, y, z);
    this.tint.push(...tint);
    this.size.push(size);
  }
  // To the GPU.
  show() {
    const count = this.size.length;
    this.object.visible = count > 0;
    if (count > this.room) this.grow(count);
    const { geometry } = this.object;
    for (const [name, list] of [
      ['position', this.place],
      ['tint', this.tint],
      ['size', this.size],
    ]) {
      const attribute = geometry.getAttribute(name);
      if (!attribute) continue;
      attribute.array.set(list);
      attribute.needsUpdate = true;
    }
    geometry.setDrawRange(0, count);
  }
  grow(count) {
    this.room = Math.max(2 * this.room, count, 64);
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry();
    const make = (name, size) =>
      this.object.geometry.setAttribute(
        name,
        new BufferAttribute(new Float32Array(size * this.room), size).setUsage(DynamicDrawUsage),
      );
    make('position', 3);
    make('tint', 4);
    make('size', 1);
  }
}

const lineMaterial = (depthTest) =>
  new ShaderMaterial({
    vertexShader: lineVertex,
    fragmentShader: lineFragment,
    transparent: true,
    depthTest,
    depthWrite: false,
  });

const RED = [0.84, 0.1, 0.1, 1];

export class Overlays {
  constructor() {
    this.group = new Group();
    this.ratio = { value: 1 };
    this.rim = { value: [1, 1, 1] };
    this.accent = [0, 0.45, 0.7, 1];
    this.ink = [0.12, 0.16, 0.2, 1];
    const dots = new ShaderMaterial({
      vertexShader: dotVertex,
      fragmentShader: dotFragment,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      uniforms: { uRatio: this.ratio, uRim: this.rim },
    });
    this.dots = this.list(new Points(new BufferGeometry(), dots), 52);
    this.lines = this.list(new LineSegments(new BufferGeometry(), lineMaterial(false)), 51);
    this.normals = this.list(new LineSegments(new BufferGeometry(), lineMaterial(true)), 40);
    this.largestForce = 0;
  }

  list(object, order) {
    this.group.add(object);
    return new List(object, order);
  }

  setTheme(theme) {
    this.accent = [...theme.accent, 1];
    this.ink = [...theme.ink, 0.7];
    this.rim.value = theme.background;
  }

  // `shown`: {model, settings, selection: {vertex, body}, grab: {vertex, target}, rig, clip: the plane}
  prepare(shown) {
    const { settings } = shown;
    this.dots.clear();
    this.lines.clear();
    this.normals.clear();
    if (settings.contacts) this.addContacts(shown);
    if (settings.boxes) shown.model.bodies.forEach((_, b) => this.addBox(shown.model, b, this.ink));
    if (settings.normals) this.addNormals(shown);
    if (shown.clip) this.addCut(shown);
    this.addFailure(shown);
    this.addSelection(shown);
    if (settings.arrows !== 'off') this.addArrows(shown);
    if (shown.measure) this.addMeasure(shown.measure);
    this.addGrab(shown);
    for (const list of [this.dots, this.lines, this.normals]) list.show();
  }

  // A dot where two bodies touch and a line along the force, as long as it is strong.
  addContacts({ model, rig }) {
    const c = model.contacts;
    this.largestForce = 0;
    for (let i = 6; i < c.length; i += CONTACT) this.largestForce = Math.max(this.largestForce, Math.abs(c[i]));
    const reach = (0.22 * rig.radius) / Math.max(this.largestForce, 1e-300);
    for (let i = 0; i < c.length; i += CONTACT) {
      const [ax, ay, az, bx, by, bz, force] = c.subarray(i, i + 7);
      const part = Math.min(1, Math.abs(force) / Math.max(this.largestForce, 1e-300));
      const tint = [0.9, 0.62 - 0.42 * part, 0.05, 0.95];
      const length = Math.hypot(bx - ax, by - ay, bz - az);
      const s = length > 0 ? (reach * Math.abs(force)) / length : 0;
      const middle = [(ax + bx) / 2, (ay + by) / 2, (az + bz) / 2];
      this.dots.add(...middle, tint, 5 + 5 * Math.sqrt(part));
      for (const sign of [-1, 1]) {
        this.lines.add(...middle, tint);
        this.lines.add(
          middle[0] + (sign * s * (bx - ax)) / 2,
          middle[1] + (sign * s * (by - ay)) / 2,
          middle[2] + (sign * s * (bz - az)) / 2,
          tint,
        );
      }
    }
  }

  addBox(model, body, tint) {
    const row = model.bodies[body];
    const box = row && model.box(row.vertices[0], row.vertices[1]);
    if (!box) return;
    const corner = (bits) => [0, 1, 2].map((k) => (bits & (1 << k) ? box.high[k] : box.low[k]));
    for (let from = 0; from < 8; ++from) {
      for (const bit of [1, 2, 4]) {
        if (from & bit || (model.isPlane && (bit === 4 || from & 4))) continue;
        this.lines.add(...corner(from), tint);
        this.lines.add(...corner(from | bit), tint);
      }
    }
  }

  addNormals({ model, rig, settings, clip }) {
    const { triangles: t, positions: p, bodyOf, bodies } = model;
    const n = faceNormals(t, p);
    const length = 0.04 * rig.radius;
    const foot = [0, 0, 0];
    for (let i = 0; i < t.length; i += 3) {
      if (bodies[bodyOf[t[i]]].obstacle && !settings.obstacles) continue;
      for (let k = 0; k < 3; ++k) foot[k] = (p[3 * t[i] + k] + p[3 * t[i + 1] + k] + p[3 * t[i + 2] + k]) / 3;
      if (clip && clip.plane[0] * foot[0] + clip.plane[1] * foot[1] + clip.plane[2] * foot[2] > clip.plane[3]) continue;
      this.normals.add(...foot, this.accent);
      this.normals.add(foot[0] + length * n[i], foot[1] + length * n[i + 1], foot[2] + length * n[i + 2], this.accent);
    }
  }

  // The frame of the cut and its handle, an arrow across the plane.
  addCut({ clip, rig }) {
    const { normal, handle, box } = clip;
    const faint = [...this.accent.slice(0, 3), 0.35];
    const k = [0, 1, 2].reduce((a, b) => (Math.abs(normal[b]) > Math.abs(normal[a]) ? b : a));
    if (Math.abs(normal[k]) > 0.999) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      const corner = (a, b) => {
        const p = [...handle];
        p[u] = (a ? box.high : box.low)[u];
        p[v] = (b ? box.high : box.low)[v];
        return p;
      };
      const round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
      round.forEach((p, i) => this.lines.add(...p, faint) ?? this.lines.add(...round[(i + 1) % 4], faint));
    }
    for (const sign of [-1, 1]) {
      this.lines.add(...handle, this.accent);
      this.lines.add(...handle.map((x, i) => x + sign * 26 * rig.pixelAtTarget * normal[i]), this.accent);
    }
    this.dots.add(...handle, this.accent, 13);
  }

  // Where a step failed: the vertices, and a ring around the point.
  addFailure({ model }) {
    const where = model.stop?.where;
    for (const v of failedVertices(model)) this.dots.add(...model.position(v), RED, 7);
    if (!model.stop?.over && where?.vertex >= 0 && where.point?.length === 3)
      this.dots.add(...where.point, [0.84, 0.1, 0.1, 0.35], 26);
    if (!model.stop?.over && where?.pair) {
      for (const end of where.pair) {
        this.lines.add(...end, RED);
        this.dots.add(...end, RED, 5);
      }
    }
  }

  addMeasure({ points }) {
    points.forEach((p, i) => {
      this.dots.add(...p, this.accent, 11);
      if (i === 0) return;
      this.lines.add(...points[i - 1], this.accent);
      this.lines.add(...p, this.accent);
    });
  }

  // Vectors at vertices: velocities, or the field that is shown; the longest is a tenth of the scene.
  addArrows({ model, settings, rig }) {
    const shown = settings.arrows === 'field' && model.field?.components === 3 ? model.field.values : null;
    if (settings.arrows === 'field' && !shown) return;
    const from = shown ?? (model.field?.key === 'velocity' ? model.field.values : model.velocities);
    let most = 0;
    for (let v = 0; v < model.vertexCount; ++v) most = Math.max(most, Math.hypot(from[3 * v], from[3 * v + 1], from[3 * v + 2]));
    if (!(most > 0)) return;
    const reach = (0.22 * rig.radius) / most;
    const every = Math.max(1, Math.floor(model.vertexCount / 6000));
    for (let v = 0; v < model.vertexCount; v += every) {
      if (model.bodies[model.bodyOf[v]]?.obstacle) continue;
      const p = model.position(v);
      const way = [0, 1, 2].map((k) => reach * from[3 * v + k]);
      if (Math.hypot(...way) < 0.004 * rig.radius) continue;
      this.normals.add(...p, [...this.accent.slice(0, 3), 0.2]);
      this.normals.add(p[0] + way[0], p[1] + way[1], p[2] + way[2], this.accent);
    }
  }

  addSelection({ model, selection }) {
    if (selection.body >= 0) this.addBox(model, selection.body, this.accent);
    if (selection.vertex >= 0 && selection.vertex < model.vertexCount) {
      this.dots.add(...model.position(selection.vertex), this.accent, 12);
    }
  }

  addGrab({ model, grab }) {
    if (!grab || grab.vertex >= model.vertexCount) return;
    const from = model.position(grab.vertex);
    this.lines.add(...from, this.accent);
    this.lines.add(...grab.target, this.accent);
    this.dots.add(...from, this.accent, 10);
    this.dots.add(...grab.target, [...this.accent.slice(0, 3), 0.35], 20);
  }
}

// Named by `stop` and by the binary list.
export function failedVertices(model) {
  const where = model.stop && !model.stop.over ? model.stop.where : null;
  const out = new Set(model.highlight);
  for (const v of where?.vertices ?? []) out.add(v);
  if (where && where.vertex >= 0) out.add(where.vertex);
  return [...out].filter((v) => v < model.vertexCount);
}
