// A USD file by two readers that know nothing of ours: read_usd.mjs PACKAGES FILE.usda FOLDER_OF_PC2.
// TinyUSDZ (C++ as WebAssembly) is strict about syntax and types and gives the meshes of the first frame;
// the reader of three.js gives all samples in time. Both must agree with the OBJ and PC2 files of the run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packages, file, folder] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(packages, path)).href);

// It was built for browsers and windows of Electron alone, but asks nothing of them.
async function strictReader() {
  globalThis.window = globalThis;
  process.type = 'renderer';
  const { default: make } = await load('tinyusdz/tinyusdz.js');
  const module = await make({ wasmBinary: readFileSync(join(packages, 'tinyusdz/tinyusdz.wasm')) });
  const reader = new module.TinyUSDZLoaderNative();
  const good = reader.loadFromBinary(new Uint8Array(readFileSync(file)), file);
  assert.ok(good, reader.error());
  return reader;
}

// All frames of a body: [frame][3 * vertex + axis].
function readCache(name) {
  const data = readFileSync(join(folder, `${name}.pc2`));
  const [count, frames] = [data.readInt32LE(16), data.readInt32LE(28)];
  const row = (f) => Float32Array.from({ length: 3 * count }, (_, i) => data.readFloatLE(32 + 4 * (3 * count * f + i)));
  return Array.from({ length: frames }, (_, f) => row(f));
}

function readFaces(name) {
  const lines = readFileSync(join(folder, `${name}.obj`), 'utf8').split('\n');
  return lines.filter((l) => l.startsWith('f ')).flatMap((l) => l.slice(2).split(' ').map((w) => parseInt(w, 10) - 1));
}

const same = (a, b) => a.length === b.length && a.every((x, i) => Math.fround(x) === b[i]);

const { USDAParser } = await load('three/examples/jsm/loaders/usd/USDAParser.js');
const specs = new USDAParser().parseData(readFileSync(file, 'utf8')).specsByPath;
const fields = (path) => specs[path]?.fields;
const stage = fields('/');
assert.equal(stage.upAxis, 'Y');
assert.equal(stage.metersPerUnit, 1);
assert.equal(stage.defaultPrim, 'run');

const reader = await strictReader();
const strict = new Map();
for (let i = 0; i < reader.numMeshes(); ++i) strict.set(reader.getMesh(i).absPath, reader.getMesh(i));

let most = 1;
let meshes = 0;
for (const name of fields('/run').primChildren) {
  const frames = readCache(name);
  const path = `/run/${name}/surface`;
  if (!fields(path)) continue; // curves and points: their vertices are in an order of their own
  assert.deepEqual([...fields(`${path}.faceVertexIndices`).default], readFaces(name), `${path}: faces`);
  const { timeSamples, default: still } = fields(`${path}.points`);
  if (timeSamples) {
    assert.equal(timeSamples.times.length, frames.length);
    frames.forEach((f, i) => assert.ok(same(timeSamples.values[i], f), `${path}: frame ${i}`));
    timeSamples.times.forEach((t, i) => assert.equal(t, i)); // steps of one size
    most = Math.max(most, frames.length);
  } else {
    frames.forEach((f, i) => assert.ok(same(still, f), `${path}: frame ${i}`));
  }
  const mesh = strict.get(path);
  assert.ok(mesh, `${path} is no mesh for TinyUSDZ`);
  assert.deepEqual([...mesh.faceVertexIndices], readFaces(name), `${path}: faces by TinyUSDZ`);
  assert.ok(same([...mesh.points], frames[0]), `${path}: first frame by TinyUSDZ`);
  ++meshes;
}
assert.ok(meshes > 0 && meshes === strict.size);
console.log(`${file}: ${most} frames, ${stage.timeCodesPerSecond} per second, ${meshes} meshes`);
