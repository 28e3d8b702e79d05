// The parts of the page that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxSurface } from './scenes.mjs';

const source = (name) => import(new URL(`../../web/src/${name}.js`, import.meta.url));
const { decode } = await source('protocol');
const { number, quantity, scaleOf, ticks, niceStep, pretty } = await source('format');
const { sliderRange, toPosition, fromPosition, STEPS } = await source('slider');
const { Settings } = await source('settings');
const { Past } = await source('past');
const { Stats } = await source('stats');
const { Model } = await source('model');
const { surfaceEdges, vertexNormals } = await source('edges');
const { creaseKeys, splitAtCreases } = await source('creases');
const { frameBodies } = await source('framing');
const { shotAt } = await source('shot');
const { sections } = await source('cut');
const { enclosing } = await source('inside');
const { joints, rimsOf } = await source('threads');
const { fillValues, tidyRange } = await source('values');
const { mapBytes, TONES } = await source('colours');
const { address } = await source('connection');
const { split, unpackFrame } = await source('recording');

function message(
  { kind, flags = 0, sequence = 7, step = 3, time = 0.25, count, extra = 0, magic = 0x31494c50 },
  ...arrays
) {
  const out = new Uint8Array(arrays.reduce((n, a) => n + a.byteLength, 32));
  const view = new DataView(out.buffer);
  view.setUint32(0, magic, true);
  view.setUint16(4, kind, true);
  view.setUint16(6, flags, true);
  view.setUint32(8, sequence, true);
  view.setUint32(12, step, true);
  view.setFloat64(16, time, true);
  view.setUint32(24, count, true);
  view.setUint32(28, extra, true);
  let at = 32;
  for (const a of arrays) {
    out.set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength), at);
    at += a.byteLength;
  }
  return out.buffer;
}

test('decode reads every kind', () => {
  const topology = decode(message({ kind: 1, count: 1, extra: 1 }, Uint32Array.of(0, 1, 2), Uint32Array.of(3, 4)));
  assert.deepEqual([...topology.triangles], [0, 1, 2]);
  assert.deepEqual([...topology.segments], [3, 4]);
  const all = decode(message({ kind: 2, count: 2 }, Float32Array.of(1, 2, 3, 4, 5, 6)));
  assert.equal(all.vertices, null);
  assert.deepEqual([...all.positions], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([all.sequence, all.step, all.time], [7, 3, 0.25]);
  const some = decode(message({ kind: 2, flags: 1, count: 1 }, Uint32Array.of(5), Float32Array.of(1, 2, 3)));
  assert.deepEqual([[...some.vertices], [...some.positions]], [[5], [1, 2, 3]]);
  assert.equal(decode(message({ kind: 3, count: 2, extra: 1 }, Float32Array.of(1, 2))).values.length, 2);
  assert.equal(decode(message({ kind: 4, count: 1 }, new Float32Array(9))).lines.length, 9);
  assert.deepEqual([...decode(message({ kind: 5, count: 2 }, Uint32Array.of(8, 9))).vertices], [8, 9]);
  assert.equal(decode(message({ kind: 99, count: 1 })).kind, 99);
});

test('decode refuses what is short or foreign', () => {
  assert.throws(() => decode(new ArrayBuffer(8)), /header/);
  assert.throws(() => decode(message({ kind: 2, count: 1, magic: 1 }, new Float32Array(3))), /not a message/);
  assert.throws(() => decode(message({ kind: 2, count: 2 }, new Float32Array(3))), /too early/);
  assert.throws(() => decode(message({ kind: 1, count: 4294967295, extra: 1 }, new Uint32Array(3))), /too early/);
});

test('numbers and units read well', () => {
  assert.equal(number(0), '0');
  assert.equal(number(-1.5), '−1.5');
  assert.equal(number(1234567), '1.235×10⁶');
  assert.equal(number(0.00012), '1.2×10⁻⁴');
  assert.equal(number(NaN), '–');
  assert.equal(number(null), '–');
  assert.equal(quantity(125000, 'Pa'), '125 kPa');
  assert.equal(quantity(0.0004, 'm'), '400 µm');
  assert.equal(quantity(2500, 'J/m^3'), '2.5 kJ/m³');
  assert.equal(quantity(2500, 'm^2'), '2500 m²');
  assert.equal(quantity(2500, 'kg'), '2500 kg');
  assert.equal(scaleOf(1e6, '1/s').unit, '1/s');
  assert.equal(pretty('N m/s^2'), 'N·m/s²');
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.equal(niceStep(0.37, 4), 0.1);
});

test('sliders are logarithmic where the range is wide', () => {
  const stiff = sliderRange({ min: 1, max: 1e12, value: 1e5 });
  assert.deepEqual(stiff, { low: 100, high: 1e8, log: true });
  assert.equal(toPosition(stiff, 1e5), STEPS / 2);
  assert.equal(fromPosition(stiff, STEPS / 2), 1e5);
  assert.deepEqual(sliderRange({ min: 0.01, max: 100, value: 1 }), { low: 0.01, high: 100, log: true });
  assert.deepEqual(sliderRange({ min: 1, max: 1000, value: 100 }), { low: 1, high: 1000, log: false });
  assert.deepEqual(sliderRange({ min: 0, max: 1, value: 0.2 }), { low: 0, high: 1, log: false });
  assert.deepEqual(sliderRange({ min: 0, max: 1, value: 0 }), { low: 0, high: 1, log: false });
  assert.deepEqual(sliderRange({ min: -1e12, max: 1e12, value: -10 }), { low: -30, high: 30, log: false });
  assert.deepEqual(sliderRange({ min: -1e12, max: 1e12, value: 2 }), { low: -6, high: 6, log: false });
  assert.equal(sliderRange({ min: 0, max: 1e12, value: 0 }), null);
  assert.deepEqual(sliderRange({ min: null, max: null, value: 0 }), { low: -10, high: 10, log: false });
  assert.equal(fromPosition({ low: 1, high: 10, log: false }, 333, true) % 1, 0);
});

test('settings go into a link and back; nonsense is passed over', () => {
  const a = new Settings();
  a.set('colour', 'stress');
  a.set('clip', 'x');
  a.set('clipAt', 0.25);
  a.set('edges', false);
  const b = new Settings();
  b.decode(`#${a.encode({ camera: '1,2,3,4,5,6' })}`);
  assert.deepEqual([b.colour, b.clip, b.clipAt, b.edges], ['stress', 'x', 0.25, false]);
  assert.equal(new URLSearchParams(a.encode({ camera: '1,2' })).get('camera'), '1,2');
  const c = new Settings();
  c.decode('#clip=sideways&at=abc&edges=7&range=fixed&low=');
  assert.deepEqual([c.clip, c.clipAt, c.edges, c.range, c.low], ['off', 0.5, true, 'fixed', 0]);
  c.propose('edges', false);
  assert.equal(c.edges, false);
  c.set('smooth', true);
  c.propose('smooth', false);
  assert.equal(c.smooth, true);
});

test('the past stays within its budget and keeps its ends', () => {
  const past = new Past(1200);
  for (let step = 0; step < 500; ++step) past.add({ step, time: step, positions: new Float32Array(3), field: null });
  assert.ok(past.bytes <= 1200);
  assert.equal(past.bytes, 12 * past.frames.length);
  assert.equal(past.frames[0].step, 0);
  assert.equal(past.frames.at(-1).step, 499);
  assert.ok(past.frames.every((f, i) => i === 0 || f.step > past.frames[i - 1].step));
  assert.ok(past.find(250).step <= 250);
  past.add({ step: 0, time: 0, positions: new Float32Array(3), field: null });
  assert.equal(past.frames.length, 1);
});

test('records of steps are in order; a restart forgets', () => {
  const stats = new Stats();
  for (const step of [1, 2, 3, 4]) stats.add({ step }, false);
  stats.add({ step: 2, again: true }, false);
  assert.deepEqual(
    stats.records.map((r) => r.step),
    [1, 2],
  );
  assert.equal(stats.last.again, true);
  for (const step of [9, 5, 7, 5]) stats.add({ step }, true);
  assert.deepEqual(
    stats.records.map((r) => r.step),
    [1, 2, 5, 7, 9],
  );
  assert.equal(stats.at(6).step, 5);
  assert.equal(stats.at(0), null);
});

const SCENE = {
  type: 'scene',
  name: 's',
  dimension: 3,
  fields: [{ key: 'stress', label: 'Stress', unit: 'Pa', components: 1 }],
  bodies: [{ name: 'b', vertices: [0, 3], triangles: [0, 1], segments: [0, 0] }],
};

test('the model takes positions, all or some, and makes velocities', () => {
  const model = new Model();
  model.text({ type: 'hello', version: 1, mode: 'live' });
  model.text(SCENE);
  model.binary(decode(message({ kind: 1, count: 1 }, Uint32Array.of(0, 1, 2))));
  model.binary(decode(message({ kind: 2, count: 3, step: 0, time: 0 }, new Float32Array(9))));
  model.binary(
    decode(message({ kind: 2, flags: 1, count: 1, step: 1, time: 0.5 }, Uint32Array.of(1), Float32Array.of(1, 0, 2))),
  );
  assert.deepEqual([...model.position(1)], [1, 0, 2]);
  assert.deepEqual([...model.velocity(1)], [2, 0, 4]);
  assert.deepEqual(model.box(), { low: [0, 0, 0], high: [1, 0, 2] });
  assert.equal(model.fields[0].key, 'speed');
  assert.throws(() => model.binary(decode(message({ kind: 1, count: 1 }, Uint32Array.of(0, 1, 9)))), /do not exist/);
  assert.throws(() => model.binary(decode(message({ kind: 3, count: 1 }, new Float32Array(1)))), /too short/);
  model.binary(decode(message({ kind: 2, flags: 1, count: 1, step: 1 }, Uint32Array.of(77), new Float32Array(3)))); // passed over
});

test('the past can be looked at while the run goes on', () => {
  const model = new Model();
  model.text({ type: 'hello', version: 1, mode: 'live' });
  model.text(SCENE);
  const at = (step) =>
    model.binary(decode(message({ kind: 2, count: 3, step, time: step }, new Float32Array(9).fill(step))));
  for (let step = 0; step < 5; ++step) at(step);
  model.look(model.past.find(2));
  assert.equal(model.positions[0], 2);
  at(5);
  assert.equal(model.positions[0], 2);
  assert.equal(model.step, 2);
  model.look(null);
  assert.equal(model.positions[0], 5);
  assert.equal(model.step, 5);
});

test('a failure is over when the run goes on, not when its last frame is late', () => {
  const model = new Model();
  model.text({ type: 'hello', version: 1, mode: 'live' });
  model.text(SCENE);
  const at = (step) => model.binary(decode(message({ kind: 2, count: 3, step, time: step }, new Float32Array(9))));
  at(1);
  model.text({ type: 'state', playing: false, step: 4 });
  model.text({ type: 'stop', over: false, reason: 'x' });
  at(4);
  assert.equal(model.stop.reason, 'x');
  at(0);
  assert.equal(model.stop, null);
  model.text({ type: 'stop', over: true });
  model.text({ type: 'state', playing: true });
  assert.equal(model.stop, null);
});

test('edges are found once; borders and creases are drawn if they are long', () => {
  // Two triangles in one plane, a third at a right angle on one of their sides.
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0.5, 1);
  const triangles = Uint32Array.of(0, 1, 2, 0, 2, 3, 1, 4, 2);
  const keys = creaseKeys(triangles, positions, 5, () => 1.7);
  const { all, sharp } = surfaceEdges(triangles, 5, keys);
  assert.equal(all.length / 2, 7);
  const names = [...Array(sharp.length / 2).keys()].map((e) => [sharp[2 * e], sharp[2 * e + 1]].sort().join('-'));
  assert.deepEqual(names.sort(), ['0-1', '0-3', '1-2', '1-4', '2-3', '2-4']);
  assert.equal(creaseKeys(triangles, positions, 5, () => 100).size, 0);
  const normals = new Float32Array(15);
  vertexNormals(Uint32Array.of(0, 1, 2, 0, 2, 3), positions, normals);
  assert.ok(normals[2] > 0 && normals[0] === 0);
});

test('smooth shading is divided at the edges of a box, not at those of a coarse ball', () => {
  const { points, triangles } = boxSurface(3, 1);
  const flat = Uint32Array.from(triangles.flat());
  const place = (list) => Float32Array.from(list.flat());
  const count = points.length;
  const box = creaseKeys(flat, place(points), count, () => Math.sqrt(3));
  assert.equal(box.size, 12 * 3);
  const { index, source } = splitAtCreases(flat, count, box);
  assert.equal(source.length, count + 12 * 2 + 8 * 2); // edges twice, corners three times
  const normals = new Float32Array(3 * source.length);
  vertexNormals(index, place([...source].map((v) => points[v])), normals);
  for (let i = 0; i < source.length; ++i) {
    const n = normals.subarray(3 * i, 3 * i + 3);
    assert.equal([...n].filter((x) => Math.abs(x) > 1e-6).length, 1); // along an axis
  }
  const ball = points.map((p) => p.map((x) => x / Math.hypot(...p)));
  assert.equal(creaseKeys(flat, place(ball), count, () => 2 * Math.sqrt(3)).size, 0);
});

test('what is framed: the numbers that the pictures of runs have too', async () => {
  const { readFileSync } = await import('node:fs');
  const rows = JSON.parse(readFileSync(new URL('../render/framing.json', import.meta.url), 'utf8'));
  for (const { about, bodies, start, frame } of rows) assert.deepEqual(frameBodies(bodies, start), frame, about);
});

test('a camera moves smoothly between its keys', () => {
  const camera = { from: [0, 0, 5], to: [0, 0, 0], field_of_view: 35, keys: [{ time: 1 }, { time: 3, from: [4, 0, 5], field_of_view: 55 }] };
  assert.deepEqual(shotAt(camera, 0).from, [0, 0, 5]);
  assert.deepEqual(shotAt(camera, 9).from, [4, 0, 5]);
  assert.deepEqual(shotAt(camera, 2).from, [2, 0, 5]);
  assert.equal(shotAt(camera, 2).field_of_view, 45);
  assert.equal(shotAt(camera, 1.5).from[0], 4 * 0.15625);
});

test('an obstacle with a body inside is found, one beside it is not', () => {
  const { points, triangles } = boxSurface(2, 1);
  const flat = triangles.flat();
  const model = new Model();
  model.scene = { dimension: 3, bodies: [
    { name: 'wall', vertices: [0, points.length], triangles: [0, triangles.length], obstacle: true },
    { name: 'in', vertices: [points.length, points.length + 2], triangles: [0, 0] },
  ] };
  model.triangles = Uint32Array.from(flat);
  const at = (...p) => (model.positions = Float32Array.from([...points, ...p].flat()));
  at([0.1, 0, 0], [-0.1, 0.1, 0]);
  assert.deepEqual([...enclosing(model)], [0]);
  at([0.1, 0.8, 0], [-0.1, 0.7, 0]);
  assert.equal(enclosing(model).size, 0);
});

test('values of fields, their size and their range', () => {
  const model = {
    bodies: [{ vertices: [0, 2] }, { vertices: [2, 3], obstacle: true }],
    field: { key: 'v', components: 3, values: Float32Array.of(3, 4, 0, 0, 0, 1, 9, 9, 9) },
  };
  const out = new Float32Array(3);
  assert.deepEqual(fillValues(model, { key: 'v' }, 'size', out), { low: 1, high: 5 });
  assert.deepEqual(fillValues(model, { key: 'v' }, 'y', out), { low: 0, high: 4 });
  assert.equal(fillValues(model, { key: 'other' }, 'size', out), null);
  assert.ok(out.every(Number.isNaN));
  assert.deepEqual(tidyRange({ low: 1, high: 5 }, 'viridis'), { low: 0, high: 5 });
  assert.deepEqual(tidyRange({ low: -1, high: 5 }, 'blue-red'), { low: -5, high: 5 });
  assert.ok(tidyRange({ low: 2, high: 2 }, 'viridis').high > 2);
});

test('colours of bodies are those of the pictures', async () => {
  const { readFileSync } = await import('node:fs');
  const c = readFileSync(new URL('../../src/render/svg.c', import.meta.url), 'utf8');
  const rows = [...c.matchAll(/\{"(#\w{6})", "(#\w{6})", "(#\w{6})"\}/g)].map(([, line, fill, edge]) => ({
    line,
    fill,
    edge,
  }));
  assert.deepEqual(TONES, rows);
  assert.equal(mapBytes('viridis', 256).length, 1024);
});

test('a recording is cut into messages and its frames add up', () => {
  const bytes = Uint8Array.of(2, 0, 0, 0, 0, 123, 125, 1, 0, 0, 0, 1, 7);
  const parts = [...split(bytes.buffer)];
  assert.deepEqual(
    parts.map((p) => [p.text, p.bytes.byteLength]),
    [
      [true, 2],
      [false, 1],
    ],
  );
  assert.throws(() => [...split(bytes.slice(0, 12).buffer)], /too early/);
  const whole = new Uint16Array(3);
  unpackFrame(Uint8Array.of(1, 2, 3, 1, 0, 255), false, whole);
  assert.deepEqual([...whole], [257, 2, 65283]);
  unpackFrame(Uint8Array.of(255, 1, 253, 255, 0, 0), true, whole); // -1, 1, 253
  assert.deepEqual([...whole], [256, 3, 0]);
});

test('the address keeps the token', () => {
  assert.equal(address({ protocol: 'http:', host: 'h:1', search: '?token=t' }), 'ws://h:1/ws?token=t');
  assert.equal(address({ protocol: 'https:', host: 'h', search: '' }), 'wss://h/ws');
});

test('a scene of another epoch keeps records and the camera, not the past', () => {
  const model = new Model();
  const kinds = [];
  model.on('scene', (kind) => kinds.push(kind));
  const scene = (epoch, vertices) => ({ type: 'scene', name: 'run', epoch, bodies: [{ name: 'a', vertices: [0, vertices] }] });
  model.text({ type: 'hello', mode: 'live' });
  model.text(scene(0, 3));
  model.text({ type: 'stats', step: 1 });
  model.past.add({ step: 1, time: 0, positions: new Float32Array(9), field: null });
  model.text(scene(1, 3));
  assert.deepEqual(kinds, [
    { again: false, changed: false },
    { again: false, changed: true },
  ]);
  assert.equal(model.stats.records.length, 1);
  assert.equal(model.past.frames.length, 0);
  model.text(scene(1, 3));
  assert.deepEqual(kinds[2], { again: true, changed: false });
});

test('segments become threads with neighbours, ends and strands', () => {
  const { rows, ends } = joints([0, 1, 1, 2, 5, 4, 4, 3]);
  assert.deepEqual(
    rows.map((row) => row.vertices),
    [
      [-1, 0, 1, 2],
      [0, 1, 2, -1],
      [-1, 5, 4, 3],
      [5, 4, 3, -1],
    ],
  );
  assert.deepEqual([...ends].sort(), [0, 2, 3, 5]);
  assert.equal(rows[0].strand, 0);
  assert.equal(rows[2].strand, rows[3].strand);
  assert.ok(rows[2].strand > 0 && rows[2].strand < 1);
  const star = joints([0, 1, 0, 2, 0, 3]); // a knot has no direction
  assert.ok(star.rows.every((row) => row.vertices[0] === -1 && row.vertices[3] === -1));
  assert.equal(star.ends.length, 4);
});

test('the border of a sheet is found, a closed body has none', () => {
  const square = rimsOf([0, 1, 2, 0, 2, 3], 4);
  assert.equal(square.length, 8);
  assert.ok(joints(square).rows.every((row) => !row.vertices.includes(-1)));
  assert.equal(rimsOf([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], 4).length, 0);
});

test('a cut through tetrahedra is closed, and its fields are interpolated', () => {
  // A cube of six tetrahedra around a diagonal, cut across x at a third.
  const corner = (i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1];
  const positions = Float32Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap(corner));
  const solids = Uint32Array.of(0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7);
  const values = Float32Array.from([0, 1, 2, 3, 4, 5, 6, 7], (i) => corner(i)[0] + 10 * corner(i)[1]);
  const cut = sections(solids, positions, values, new Uint16Array(8), [1, 0, 0, 1 / 3]);
  const point = (i) => cut.places.slice(3 * i, 3 * i + 3);
  let area = 0;
  for (let t = 0; t < cut.triangles.length; t += 3) {
    const [a, b, c] = cut.triangles.slice(t, t + 3).map(point);
    area += Math.abs((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])) / 2;
  }
  assert.ok(Math.abs(area - 1) < 1e-6);
  cut.values.forEach((value, i) => assert.ok(Math.abs(value - (1 / 3 + 10 * point(i)[1])) < 1e-5)); // single precision
  assert.ok(cut.values.every((_, i) => Math.abs(point(i)[0] - 1 / 3) < 1e-6));
  assert.equal(sections(solids, positions, values, new Uint16Array(8), [1, 0, 0, 2]).values.length, 0);
});

test('a topology may carry masses and tetrahedra', () => {
  const flat = message({ kind: 1, flags: 1, count: 1 }, Uint32Array.of(0, 1, 2), Uint32Array.of(1), Float32Array.of(1, 2, 3, 4), Uint32Array.of(0, 1, 2, 3));
  const { solids, masses } = decode(flat);
  assert.deepEqual([[...solids], [...masses]], [[0, 1, 2, 3], [1, 2, 3, 4]]);
  assert.throws(() => decode(message({ kind: 1, flags: 1, count: 1 }, Uint32Array.of(0, 1, 2), Uint32Array.of(2), Uint32Array.of(0))), /too early/);
});

test('momentum of a body, and the force of its contacts', () => {
  const model = new Model();
  model.text({ type: 'hello', version: 1, mode: 'live' });
  model.text(SCENE);
  model.masses = Float32Array.of(1, 2, 3);
  model.velocities = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 2);
  assert.deepEqual(model.motion(0), { mass: 6, momentum: [1, 2, 6] });
  model.contacts = Float32Array.of(0, 0.01, 0, 0, 0, 0, 5, 0, -1, 0, 0, 0, 1, 0, 0, 7, 2, 3);
  assert.ok(Math.abs(model.contactForce(0)[1] - 5) < 1e-6); // pushed up by a half-space
  model.contacts = new Float32Array(9).fill(NaN);
  assert.equal(model.contactForce(0), null);
});
