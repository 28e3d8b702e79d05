// All that the page knows of the simulation. Messages go in by `text` and `binary`; whoever draws
// listens: "hello", "scene", "parameters", "topology", "positions", "field", "contacts", "highlight",
// "stats", "state", "stop", "error", and "behind" for positions that arrive while the past is shown. Arrays per vertex have 3 entries or 1, in the numbering of the server.
import { Emitter } from './emitter.js';
import { CONTACT, KIND } from './protocol.js';
import { Past } from './past.js';
import { Stats } from './stats.js';

const EMPTY = new Float32Array(0);
const NOTHING = new Uint32Array(0);

export const DIFFERENCES = 'speed'; // key of the field made here from two frames

export class Model extends Emitter {
  constructor() {
    super();
    this.hello = null;
    this.newsAt = 0; // when the run was heard of last [ms]
    this.state = { playing: false, step: 0, time: 0, frame: 0, frames: 0, rate: 0, clients: 1, grabbed: -1 };
    this.stats = new Stats();
    this.past = new Past();
    this.reset(null);
  }

  reset(scene) {
    this.scene = scene;
    this.vertexCount = 0;
    this.positions = EMPTY;
    this.before = EMPTY; // positions of the frame before
    this.velocities = EMPTY; // by differences
    this.time = 0;
    this.step = 0;
    this.sequence = 0;
    this.triangles = NOTHING;
    this.segments = NOTHING;
    this.solids = NOTHING; // tetrahedra, if the server tells
    this.masses = null; // of vertices [kg], likewise
    this.bodyOf = new Uint16Array(0);
    this.field = null; // {key, components, values}
    this.contacts = EMPTY;
    this.highlight = NOTHING;
    this.stop = null;
    this.viewing = null; // a frame of the past that is shown instead of the present
    this.placed = false; // positions have arrived
  }

  get mode() {
    return this.hello?.mode ?? '';
  }
  get isReplay() {
    return this.mode === 'replay';
  }
  get isPlane() {
    return this.scene?.dimension === 2;
  }
  get bodies() {
    return this.scene?.bodies ?? [];
  }
  // Fields that can be chosen: those of the server and, if it has no velocity, differences.
  get fields() {
    const given = this.scene?.fields ?? [];
    if (given.some((f) => f.key === 'velocity' || f.key === DIFFERENCES)) return given;
    return [{ key: DIFFERENCES, label: 'Velocity', unit: 'm/s', components: 3, local: true }, ...given];
  }

  text(message) {
    const handle = texts[message.type];
    if (handle) handle(this, message);
  }

  binary(message) {
    const handle = binaries[message.kind];
    if (handle) handle(this, message);
  }

  // Shows a frame of the past; null: the present.
  look(frame) {
    if (this.viewing === null && frame !== null) this.present = this.freeze();
    if (frame === null && this.viewing === null) return;
    const shown = frame ?? this.present;
    this.viewing = frame;
    this.positions.set(shown.positions);
    this.step = shown.step;
    this.time = shown.time;
    this.field = shown.field;
    this.velocities.fill(0);
    this.emit('positions', this.sequence);
    this.emit('field');
  }

  freeze() {
    return { step: this.step, time: this.time, positions: this.positions.slice(), field: this.field };
  }

  // Index of the first vertex of each body is ascending: the body of every vertex at once.
  numberBodies() {
    this.bodyOf = new Uint16Array(this.vertexCount);
    this.bodies.forEach((body, i) => this.bodyOf.fill(i, body.vertices[0], body.vertices[1]));
  }

  // Low and high corner of vertices [first, end); null without any finite one.
  box(first = 0, end = this.vertexCount) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const p = this.positions;
    for (let i = 3 * first; i < 3 * end; i += 3) {
      for (let k = 0; k < 3; ++k) {
        const x = p[i + k];
        if (x < low[k]) low[k] = x;
        if (x > high[k]) high[k] = x;
      }
    }
    return low[0] <= high[0] ? { low, high } : null;
  }

  // Mass [kg] and momentum [kg m/s] of a body; null if masses are not known.
  motion(body) {
    if (!this.masses) return null;
    const momentum = [0, 0, 0];
    let mass = 0;
    const [first, end] = this.bodies[body].vertices;
    for (let v = first; v < end; ++v) {
      const velocity = this.velocity(v);
      mass += this.masses[v];
      for (let k = 0; k < 3; ++k) momentum[k] += this.masses[v] * velocity[k];
    }
    return { mass, momentum };
  }

  // The sum of normal contact forces on a body [N]; null if contacts do not name it.
  contactForce(body) {
    const c = this.contacts;
    const sum = [0, 0, 0];
    if (c.length > 0 && Number.isNaN(c[7])) return null;
    for (let i = 0; i < c.length; i += CONTACT) {
      const side = c[i + 7] === body ? 1 : c[i + 8] === body ? -1 : 0;
      const way = [0, 1, 2].map((k) => c[i + k] - c[i + 3 + k]);
      const length = Math.hypot(...way);
      if (side === 0 || c[i + 7] === c[i + 8] || length === 0) continue;
      for (let k = 0; k < 3; ++k) sum[k] += (side * c[i + 6] * way[k]) / length;
    }
    return sum;
  }

  position(vertex) {
    return this.positions.subarray(3 * vertex, 3 * vertex + 3);
  }

  // From the field of velocities if that is what the server sends now, else from differences.
  velocity(vertex) {
    const exact = this.field?.key === 'velocity' && this.field.components === 3;
    const from = exact ? this.field.values : this.velocities;
    return from.subarray(3 * vertex, 3 * vertex + 3);
  }
}

// ---- text

const texts = {
  hello(model, message) {
    model.hello = message;
    if (message.mode === 'gallery') model.reset(null);
    model.emit('hello', message);
  },
  scene(model, message) {
    const count = message.bodies.reduce((most, b) => Math.max(most, b.vertices[1]), 0);
    const sameRun = model.scene !== null && model.scene.name === message.name;
    const changed = sameRun && (model.scene.epoch ?? 0) !== (message.epoch ?? 0); // other bodies, the same run
    const again = sameRun && !changed && model.vertexCount === count;
    model.reset(message);
    model.vertexCount = count;
    for (const name of ['positions', 'before', 'velocities']) model[name] = new Float32Array(3 * count);
    if (!again && !changed) model.stats.clear();
    if (!again) model.past.clear();
    model.numberBodies();
    if (!sameRun) model.recall?.(model);
    model.emit('scene', { again, changed });
  },
  parameters(model, message) {
    if (model.scene) model.scene.parameters = message.parameters;
    model.emit('parameters');
  },
  stats(model, message) {
    model.stats.add(message, model.isReplay);
    model.emit('stats');
  },
  state(model, message) {
    Object.assign(model.state, message);
    model.newsAt = performance.now();
    if (message.playing) goOn(model);
    model.emit('state');
  },
  stop(model, message) {
    // The last positions may still be on their way.
    model.stop = { ...message, step: Math.max(model.step, model.state.step ?? 0) };
    model.emit('stop');
  },
  error(model, message) {
    model.emit('error', message.message ?? 'the server refused a request');
  },
};

// A run that goes on, or is somewhere else, has not failed any more.
function goOn(model) {
  if (model.stop === null && model.highlight.length === 0) return;
  model.stop = null;
  model.highlight = NOTHING;
  model.emit('stop');
}

// ---- binary

// v = (x - x_before) / (t - t_before), while time goes on.
function difference(model, dt) {
  const { positions, before, velocities } = model;
  if (dt === 0 && model.placed) return; // the same moment once more
  if (!(dt > 0) || !model.placed) velocities.fill(0);
  else for (let i = 0; i < positions.length; ++i) velocities[i] = (positions[i] - before[i]) / dt;
}

function place(model, message) {
  const { positions } = model;
  const { vertices, positions: moved } = message;
  if (vertices === null) {
    positions.set(moved.length > positions.length ? moved.subarray(0, positions.length) : moved);
    return;
  }
  for (let i = 0; i < vertices.length; ++i) {
    const v = vertices[i];
    if (v >= model.vertexCount) continue;
    positions[3 * v] = moved[3 * i];
    positions[3 * v + 1] = moved[3 * i + 1];
    positions[3 * v + 2] = moved[3 * i + 2];
  }
}

// While the past is on screen the present goes on behind it.
function behindThePast(model, message) {
  const shown = { positions: model.positions, step: model.step, time: model.time, field: model.field };
  model.positions = model.present.positions;
  place(model, message);
  Object.assign(model.present, { step: message.step, time: message.time });
  remember(model, { step: message.step, time: message.time, positions: model.positions.slice(), field: null });
  Object.assign(model, shown);
  model.emit('behind', message.sequence);
}

function remember(model, frame) {
  if (!model.isReplay) model.past.add(frame);
}

function topology(model, message) {
  const limit = model.vertexCount;
  const valid = (list) => list.every((v) => v < limit);
  if (!valid(message.triangles) || !valid(message.segments))
    throw new Error('topology names vertices that do not exist');
  if (message.solids && !valid(message.solids)) throw new Error('tetrahedra name vertices that do not exist');
  model.triangles = message.triangles;
  model.segments = message.segments;
  model.solids = message.solids ?? NOTHING;
  model.masses = message.masses?.length === limit ? message.masses : null;
  model.emit('topology');
}

function positions(model, message) {
  if (model.scene === null) return;
  model.sequence = message.sequence;
  model.newsAt = performance.now();
  if (model.viewing !== null) {
    behindThePast(model, message);
    return;
  }
  if (message.step < model.step && !model.isReplay) {
    model.stats.records.length = model.stats.lowerBound(message.step + 1);
    model.emit('stats');
  }
  model.before.set(model.positions);
  place(model, message);
  difference(model, message.time - model.time);
  model.placed = true;
  if (model.stop && (message.step > model.stop.step || message.step < model.step)) goOn(model);
  model.step = message.step;
  model.time = message.time;
  const inStep = model.field?.step === message.step;
  remember(model, { ...model.freeze(), field: inStep ? model.field : null });
  model.emit('positions', message.sequence);
}

function field(model, message) {
  const row = model.scene?.fields?.[message.extra];
  if (!row || model.viewing !== null) return;
  if (message.values.length < model.vertexCount * row.components) throw new Error(`field ${row.key} is too short`);
  model.field = { key: row.key, components: row.components, values: message.values, step: message.step };
  const last = model.past.frames[model.past.frames.length - 1];
  if (last && last.step === message.step && !last.field) {
    last.field = model.field;
    model.past.bytes += message.values.byteLength;
  }
  model.emit('field');
}

const binaries = {
  [KIND.topology]: topology,
  [KIND.positions]: positions,
  [KIND.field]: field,
  [KIND.contacts](model, message) {
    if (model.viewing !== null) return;
    model.contacts = message.lines;
    model.emit('contacts');
  },
  [KIND.highlight](model, message) {
    model.highlight = message.vertices;
    model.emit('highlight');
  },
};
