// A server that speaks the protocol of docs/VIEWER.md without a solver, for work on the page and for its
// tests. Run by hand: node tests/web/mock.mjs [--port N] [--scene boxes|plane|large] [--mode live|replay|gallery]
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { SCENES } from './scenes.mjs';

const { WebSocketServer } = createRequire(new URL('../../web/package.json', import.meta.url))('ws');
export const PAGE = new URL('../../web/dist/viewer.html.gz', import.meta.url);
const MAGIC = 0x31494c50;
const H = 0.01; // time step [s]
const FRAMES = 120; // of a replay
export const RATE = 15; // steps per second: each is drawn, and the processor does that in the tests

const FIELDS = [
  { key: 'velocity', label: 'Velocity', unit: 'm/s', components: 3 },
  { key: 'stress', label: 'Von Mises stress', unit: 'Pa', components: 1 },
  { key: 'energy', label: 'Energy density', unit: 'J/m^3', components: 1 },
  { key: 'residual', label: 'Residual', unit: 'm/s', components: 1 },
];
const PARAMETERS = [
  {
    path: 'solver.max_iterations',
    label: 'Iterations',
    unit: '',
    help: 'most Newton iterations per step',
    type: 'integer',
    value: 100,
    min: 1,
    max: 1000,
  },
  {
    path: 'contact.friction',
    label: 'Friction',
    unit: '',
    help: 'coefficient',
    type: 'number',
    value: 0.2,
    min: 0,
    max: 1,
  },
  {
    path: 'contact.dhat',
    label: 'dhat',
    unit: 'm',
    help: 'distance where contact begins',
    type: 'number',
    value: 0.001,
    min: 0,
    max: 1e12,
  },
  {
    path: 'bodies.left.young',
    label: 'left: young',
    body: 'left',
    unit: 'Pa',
    help: 'stiffness',
    type: 'number',
    value: 1e5,
    min: 1,
    max: 1e12,
  },
  { path: 'contact.self', label: 'Self contact', unit: '', help: 'of each body', type: 'boolean', value: true },
  {
    path: 'time.scheme',
    label: 'Scheme',
    unit: '',
    help: 'time integration',
    type: 'choice',
    value: 'bdf2',
    choices: ['backward-euler', 'bdf2', 'newmark'],
  },
  { path: 'mock.fail', label: 'Fail the next step', unit: '', help: 'shows a failure', type: 'boolean', value: false },
];

export function packet({ kind, flags = 0, sequence = 0, step = 0, time = 0, count = 0, extra = 0 }, ...arrays) {
  const bytes = arrays.reduce((n, a) => n + a.byteLength, 32);
  const out = Buffer.alloc(bytes);
  out.writeUInt32LE(MAGIC, 0);
  out.writeUInt16LE(kind, 4);
  out.writeUInt16LE(flags, 6);
  out.writeUInt32LE(sequence, 8);
  out.writeUInt32LE(step, 12);
  out.writeDoubleLE(time, 16);
  out.writeUInt32LE(count, 24);
  out.writeUInt32LE(extra, 28);
  let at = 32;
  for (const a of arrays) {
    Buffer.from(a.buffer, a.byteOffset, a.byteLength).copy(out, at);
    at += a.byteLength;
  }
  return out;
}

export class Mock {
  constructor({ scene = 'boxes', mode = 'live', rate = RATE, cells } = {}) {
    this.mode = mode;
    this.rate = rate;
    this.received = []; // every message of a browser, for tests
    this.clients = new Set();
    this.sequence = 0;
    if (mode !== 'gallery') this.load(scene, cells);
  }

  load(name, cells) {
    this.scene = SCENES[name](cells);
    this.positions = new Float32Array(3 * this.scene.vertexCount);
    this.step = 0;
    this.playing = true;
    this.pull = null; // {vertex, target}
    this.offset = [0, 0, 0]; // where pulling has brought the body
    this.failed = false;
    this.parameters = PARAMETERS.map((p) => ({ ...p }));
    this.compute();
  }

  get time() {
    return this.step * H;
  }

  compute() {
    const { scene, positions } = this;
    scene.place(this.time, positions);
    if (!this.pull && !this.offset.some((x) => x !== 0)) return;
    const owner = scene.bodies.find((b) => this.pulled >= b.vertices[0] && this.pulled < b.vertices[1]);
    for (let v = owner.vertices[0]; v < owner.vertices[1]; ++v)
      for (let k = 0; k < 3; ++k) positions[3 * v + k] += this.offset[k];
  }

  advance() {
    if (this.failed) return;
    if (this.parameters.find((p) => p.path === 'mock.fail').value) {
      this.fail();
      return;
    }
    this.step += 1;
    if (this.mode === 'replay' && this.step >= FRAMES) {
      this.step = FRAMES - 1;
      this.playing = false;
    }
    if (this.pull) {
      const at = this.positions.subarray(3 * this.pulled, 3 * this.pulled + 3);
      for (let k = 0; k < 3; ++k) this.offset[k] += 0.25 * (this.pull.target[k] - at[k]);
    }
    this.compute();
    this.tell(this.stats());
    this.tell(this.state());
  }

  fail() {
    this.failed = true;
    this.playing = false;
    const vertices = [0, 1, 2, 3, 9, 10, 11];
    this.tell({
      type: 'stop',
      over: false,
      reason: 'stalled line search',
      message: 'No step along the direction lowers the energy.',
      remedy: 'lower the time step or soften the contact',
      where: {
        vertex: vertices[0],
        point: [...this.positions.subarray(0, 3)],
        body: 'left',
        other: 'right',
        pair: [[...this.positions.subarray(0, 3)], [0, 0, 0]],
        vertices,
      },
    });
    for (const client of this.clients)
      client.socket.send(packet({ kind: 5, count: vertices.length }, Uint32Array.from(vertices)));
    this.tell(this.state());
  }

  stats() {
    const t = this.time;
    const kinetic = 1.2 + Math.sin(5 * t);
    const potential = 3 - Math.sin(5 * t);
    return {
      type: 'stats',
      step: this.step,
      time: t,
      iterations: 3 + ((this.step * 7) % 5),
      residual: 10 ** (-4 - ((this.step * 13) % 20) / 10),
      reason: 'converged',
      contacts: Math.round(20 + 10 * Math.sin(4 * t)),
      min_distance: 4e-4,
      blocked: 0,
      seconds: { total: 0.012 + 0.003 * Math.sin(t), hessian: 0.003, numeric: 0.004, solve: 0.001, collision: 0.002 },
      energies: [kinetic, potential, 0.2],
      total: kinetic + potential + 0.2,
    };
  }

  state() {
    return {
      type: 'state',
      playing: this.playing,
      step: this.step,
      time: this.time,
      frame: this.mode === 'replay' ? this.step : 0,
      frames: this.mode === 'replay' ? FRAMES : 0,
      rate: this.rate,
      clients: this.clients.size,
      grabbed: this.pull ? this.pulled : -1,
    };
  }

  hello() {
    return {
      type: 'hello',
      version: 1,
      mode: this.scene ? (this.mode === 'gallery' ? 'live' : this.mode) : 'gallery',
      pliant: '0.2.0',
      gallery: this.mode === 'gallery',
    };
  }

  describe() {
    const { name, description, dimension, bodies, halfSpaces } = this.scene;
    return {
      type: 'scene',
      name,
      description,
      dimension,
      gravity: [0, -9.81, 0],
      time_step: H,
      steps: this.mode === 'replay' ? FRAMES - 1 : 0,
      duration: 0,
      bodies,
      half_spaces: halfSpaces,
      fields: FIELDS,
      parameters: this.parameters,
      energies: ['kinetic', 'elastic', 'barrier'],
      box: this.startBox(),
    };
  }

  startBox() {
    const at = new Float32Array(this.positions.length);
    this.scene.place(0, at);
    const along = (k) => at.filter((_, i) => i % 3 === k);
    return [Math.min, Math.max].map((pick) => [0, 1, 2].map((k) => pick(...along(k).slice(0, 50000))));
  }

  tell(message) {
    for (const client of this.clients) client.socket.send(JSON.stringify(message));
  }

  greet(client) {
    client.socket.send(JSON.stringify(this.hello()));
    if (this.scene) this.present(client);
  }

  present(client) {
    const { scene } = this;
    client.socket.send(JSON.stringify(this.describe()));
    client.socket.send(
      packet(
        { kind: 1, count: scene.triangles.length / 3, extra: scene.segments.length / 2 },
        scene.triangles,
        scene.segments,
      ),
    );
    client.open = 0; // frames that have not been acknowledged
    client.last = null;
    this.frame(client);
    client.socket.send(JSON.stringify(this.state()));
  }

  // At most one frame is on its way to each browser; of later ones only what moved.
  frame(client) {
    client.waits = !this.scene || client.open > 1;
    if (client.waits) {
      client.dropped += 1;
      return;
    }
    client.open += 1;
    const { positions } = this;
    const head = { kind: 2, sequence: ++this.sequence, step: this.step, time: this.time };
    const moved = client.last ? this.moved(client.last) : null;
    if (moved) {
      const places = new Float32Array(3 * moved.length);
      moved.forEach((v, i) => places.set(positions.subarray(3 * v, 3 * v + 3), 3 * i));
      client.socket.send(packet({ ...head, flags: 1, count: moved.length }, moved, places));
    } else {
      client.socket.send(packet({ ...head, count: this.scene.vertexCount }, positions));
    }
    client.last = positions.slice();
    this.extras(client, head);
  }

  // Numbers of vertices that differ, if that is less than half of them.
  moved(last) {
    const list = [];
    for (let v = 0; v < this.scene.vertexCount; ++v) {
      if ([0, 1, 2].some((k) => last[3 * v + k] !== this.positions[3 * v + k])) list.push(v);
    }
    return 2 * list.length < this.scene.vertexCount ? Uint32Array.from(list) : null;
  }

  extras(client, head) {
    const k = FIELDS.findIndex((f) => f.key === client.field);
    const count = this.scene.vertexCount;
    if (k >= 0) {
      const values = Float32Array.from({ length: count * FIELDS[k].components }, (_, i) => this.value(k, i));
      client.socket.send(packet({ ...head, kind: 3, count, extra: k }, values));
    }
    if (client.contacts) {
      const lines = Array.from({ length: 9 }, (_, i) => {
        const p = [-0.6 + 0.2 * (i % 3), 0, -0.2 + 0.2 * Math.floor(i / 3)];
        return [...p, p[0], p[1] + 0.001, p[2], 2 + i + Math.sin(5 * this.time), 0, -1];
      });
      client.socket.send(packet({ ...head, kind: 4, count: lines.length }, Float32Array.from(lines.flat())));
    }
  }

  value(k, i) {
    const p = this.positions;
    if (FIELDS[k].components === 3) return Math.cos(5 * this.time + (i % 3)) * (0.2 + p[i - (i % 3) + 1]);
    return (k === 1 ? 4e4 : 900) * (1 + Math.sin(6 * p[3 * i] + 4 * p[3 * i + 1] + 3 * this.time));
  }

  receive(client, message) {
    this.received.push(message);
    const handle = requests[message.type];
    if (!handle)
      client.socket.send(JSON.stringify({ type: 'error', message: `no request is called "${message.type}"` }));
    else handle(this, message, client);
  }

  broadcast() {
    for (const client of this.clients) this.frame(client);
  }
}

const requests = {
  play: (m) => {
    m.playing = true;
    m.tell(m.state());
  },
  pause: (m) => {
    m.playing = false;
    m.tell(m.state());
  },
  step: (m) => {
    m.playing = false;
    m.advance();
    m.broadcast();
  },
  restart: (m) => {
    m.step = 0;
    m.offset = [0, 0, 0];
    m.pull = null;
    m.failed = false;
    m.parameters.find((p) => p.path === 'mock.fail').value = false;
    m.compute();
    for (const client of m.clients) m.present(client);
  },
  seek: (m, { frame }) => {
    m.step = Math.max(0, Math.min(FRAMES - 1, frame));
    m.compute();
    m.broadcast();
    m.tell(m.state());
  },
  rate: (m, { value }) => {
    m.rate = value;
    m.tell(m.state());
  },
  show: (m, { field, contacts }, client) => {
    client.field = field;
    client.contacts = contacts;
    m.extras(client, { sequence: m.sequence, step: m.step, time: m.time });
  },
  grab: (m, { vertex, target }) => {
    m.pulled = vertex;
    m.pull = { target };
    m.tell(m.state());
  },
  drag: (m, { target }) => {
    if (m.pull) m.pull.target = target;
  },
  release: (m) => {
    m.pull = null;
    m.tell(m.state());
  },
  set: (m, { path, value }) => {
    if (m.refuses) m.tell({ type: 'error', message: `${path} is refused` });
    else m.parameters.find((p) => p.path === path).value = value;
    m.tell({ type: 'parameters', parameters: m.parameters });
  },
  open: (m, { scene }) => {
    m.load(scene);
    for (const client of m.clients) m.greet(client);
  },
  ack: (m, _message, client) => {
    client.open = Math.max(0, client.open - 1);
    if (client.waits) m.frame(client);
  },
};

const GALLERY = [
  {
    name: 'boxes',
    title: 'Boxes',
    description: 'Two boxes wobble beside a ball that does not.',
    dimension: 3,
    thumbnail: 'thumbnail/boxes.svg',
  },
  { name: 'plane', title: 'In the plane', description: 'A sheet breathes.', dimension: 2, thumbnail: null },
];
const THUMBNAIL =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 100"><rect width="160" height="100" fill="#fbfcfd"/><path d="M30 80L60 30h40l30 50z" fill="#8ec6ea" stroke="#0b5a8c"/></svg>';

function answer(mock, request, response) {
  const path = request.url.split('?')[0];
  const send = (type, body, more = {}) => {
    response.writeHead(200, { 'Content-Type': type, ...more });
    response.end(body);
  };
  if (path === '/') send('text/html; charset=utf-8', gunzipSync(readFileSync(PAGE)));
  else if (path === '/gallery.json' && mock.mode === 'gallery')
    send('application/json', JSON.stringify({ scenes: GALLERY }));
  else if (path === '/thumbnail/boxes.svg') send('image/svg+xml', THUMBNAIL);
  else {
    response.writeHead(404);
    response.end();
  }
}

// Listens; {mock, port, close()}. Port 0 takes a free one.
export async function startMock({ port = 0, ...options } = {}) {
  const mock = new Mock(options);
  const http = createServer((request, response) => answer(mock, request, response));
  const sockets = new WebSocketServer({
    server: http,
    path: '/ws',
    handleProtocols: (offered) => (offered.has('pliant-1') ? 'pliant-1' : false),
  });
  sockets.on('connection', (socket) => {
    const client = { socket, open: 0, dropped: 0, field: '', contacts: false, last: null };
    mock.clients.add(client);
    socket.on('message', (data) => mock.receive(client, JSON.parse(data)));
    socket.on('close', () => mock.clients.delete(client));
    mock.greet(client);
  });
  await new Promise((resolve) => http.listen(port, '127.0.0.1', resolve));
  let timer = 0;
  const tick = () => {
    if (mock.scene && mock.playing && mock.clients.size > 0) {
      mock.advance();
      mock.broadcast();
    }
    timer = setTimeout(tick, 1000 / (mock.rate || 200));
  };
  tick();
  const close = async () => {
    clearTimeout(timer);
    for (const client of mock.clients) client.socket.terminate();
    sockets.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { mock, port: http.address().port, close };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const options = {};
  for (let i = 2; i + 1 < process.argv.length; i += 2)
    options[process.argv[i].slice(2)] = /^\d+$/.test(process.argv[i + 1])
      ? Number(process.argv[i + 1])
      : process.argv[i + 1];
  const { port } = await startMock(options);
  console.log(`http://127.0.0.1:${port}/`);
}
