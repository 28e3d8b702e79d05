// The camera of a scene (its section `camera`): where it is at a time, and whom it follows. It moves the
// rig until somebody takes hold of it; the first view gives it back.
import { frameBodies, merge, middle } from './framing.js';

const given = (point) => Array.isArray(point) && point.every(Number.isFinite);
const between = (a, b, part) => (a === undefined ? b : b === undefined ? a : a + part * (b - a));
const mixed = (a, b, part) => (!given(a) ? b : !given(b) ? a : a.map((x, k) => between(x, b[k], part)));

// Between two keys with s(u) = u^2 (3 - 2 u), as pli_shot_at in src/render/camera.c.
export function shotAt(camera, time) {
  const keys = (camera.keys ?? []).map((key) => ({ ...camera, ...key }));
  if (keys.length === 0) return camera;
  let i = 0;
  while (i + 1 < keys.length && keys[i + 1].time <= time) ++i;
  const [a, b] = [keys[i], keys[i + 1]];
  if (!b || !(time > a.time)) return a;
  const u = (time - a.time) / (b.time - a.time);
  const s = u * u * (3 - 2 * u);
  return {
    from: mixed(a.from, b.from, s),
    to: mixed(a.to, b.to, s),
    field_of_view: between(a.field_of_view, b.field_of_view, s),
    height: between(a.height, b.height, s),
  };
}

export class Shot {
  constructor(view) {
    this.view = view;
    this.restart();
    view.rig.on('hand', () => (this.free = true));
  }

  // At a new scene, or when the first view is asked for.
  restart() {
    this.free = false;
    this.last = null; // where what is followed was
  }

  get camera() {
    return this.view.model.scene?.camera ?? null;
  }

  // Whether the scene itself says where to look.
  get leads() {
    return this.camera !== null && !this.free;
  }

  // After new positions: first the place that the scene gives, then the way of what is followed.
  move() {
    const { rig, model } = this.view;
    if (this.leads && given(this.camera.to ?? this.camera.keys?.[0]?.to)) {
      rig.look(shotAt(this.camera, model.time));
      this.last = null;
    }
    this.follow();
  }

  follow() {
    const { rig } = this.view;
    const box = this.followed();
    if (!box) {
      this.last = null;
      return;
    }
    const now = middle(box);
    if (this.last && now.every(Number.isFinite)) rig.shift(now.map((x, k) => x - this.last[k]));
    this.last = now;
  }

  // The box of the selected body, of the one that the scene names, or of all that moves.
  followed() {
    const { model, settings, selection } = this.view;
    const name = this.leads ? this.camera.follow : undefined;
    if (!settings.follow && !name) return null;
    const body = settings.follow && selection.body >= 0 ? selection.body : model.bodies.findIndex((b) => b.name === name);
    return body >= 0 ? model.box(...model.bodies[body].vertices) : this.all();
  }

  // Of all bodies at the start of the run, or null.
  get start() {
    const corners = this.view.model.scene?.box ?? [];
    return corners.flat().filter(Number.isFinite).length === 6 ? { low: corners[0], high: corners[1] } : null;
  }

  all() {
    const { model } = this.view;
    const boxes = model.bodies.map((b) => {
      const box = model.box(...b.vertices);
      return box && { ...box, obstacle: !!b.obstacle };
    });
    return frameBodies(boxes, this.start);
  }

  // What a first look shows: what moves, and the ground if it is near.
  firstBox() {
    const now = this.all();
    return now && merge(now, footOf(now, this.view.model));
  }
}

// The point of the nearest half-space below the box, if it is not farther than the box is large.
function footOf(box, model) {
  const reach = Math.hypot(...box.high.map((h, k) => h - box.low[k]));
  const centre = middle(box);
  const feet = (model.scene.half_spaces ?? []).map(({ point: start, normal, carrier }) => {
    const point = carrier < model.vertexCount ? model.position(carrier) : start;
    const size = Math.hypot(...normal);
    const height = centre.reduce((sum, x, k) => sum + ((x - point[k]) * normal[k]) / size, 0);
    const foot = centre.map((x, k) => x - (height * normal[k]) / size);
    return height < 0 || height > 1.5 * reach ? null : { low: foot, high: foot };
  });
  return merge(...feet);
}
