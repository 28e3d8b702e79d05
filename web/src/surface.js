// The surface triangles of all bodies. Vertices that creases divide are drawn several times (creases.js), so
// that each side has its normal: `source` says which vertex a drawn one is. Only positions and normals
// travel to the GPU with a frame. Opaque bodies are drawn first; of those one sees through only the nearest
// faces, behind a pass of depths.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedBufferGeometry,
  LineSegments,
  Mesh,
  ShaderMaterial,
} from 'three';
import { creaseKeys, splitAtCreases } from './creases.js';
import { surfaceEdges, vertexNormals } from './edges.js';
import * as glsl from './shaders.js';
import { rimsOf } from './threads.js';

const FACE = ['position', 'value', 'mark', 'smoothNormal', 'body', 'sheet'];
const LINE = ['position', 'mark', 'body'];

const material = (shared, vertexShader, fragmentShader, uniforms = {}, more = {}) =>
  new ShaderMaterial({ vertexShader, fragmentShader, uniforms: { ...shared, ...uniforms }, side: DoubleSide, ...more });

export class Surface {
  constructor(shared) {
    this.group = new Group();
    this.smooth = { value: 0 };
    this.edgeOpacity = { value: 0.55 };
    const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const faces = (pass, more, fragment = glsl.surfaceFragment) =>
      material(
        shared,
        glsl.surfaceVertex,
        fragment,
        { uSmooth: this.smooth, uPass: { value: pass } },
        { ...offset, ...more },
      );
    const lines = (uniforms) =>
      material(
        shared,
        glsl.edgeVertex,
        glsl.edgeFragment,
        { uPass: { value: 0 }, ...uniforms },
        { transparent: true, depthWrite: false },
      );
    this.solid = this.add(new Mesh(undefined, faces(0, {})), 0);
    this.veil = this.add(new Mesh(undefined, faces(1, { transparent: true, colorWrite: false })), 19);
    this.glass = this.add(new Mesh(undefined, faces(1, { transparent: true, depthWrite: false })), 20);
    this.mesh = this.add(new LineSegments(undefined, lines({ uOpacity: this.edgeOpacity })), 5);
    this.outline = this.add(new LineSegments(undefined, lines({ uOpacity: { value: 1 } })), 6);
    this.plain = faces(0, {}, glsl.depthFragment);
    this.coloured = this.solid.material;
    this.sizes = { triangles: 0, edges: 0 };
  }

  // Depths of opaque faces alone ("shadow", "depth"), or everything again ("").
  prepass(kind) {
    this.solid.material = kind ? this.plain : this.coloured;
    const others = [this.veil, this.glass, this.mesh, this.outline];
    if (kind && !this.hidden) {
      this.hidden = others.map((object) => object.visible);
      for (const object of others) object.visible = false;
    } else if (!kind && this.hidden) {
      others.forEach((object, i) => (object.visible = this.hidden[i]));
      this.hidden = null;
    }
  }

  add(object, order) {
    object.frustumCulled = false;
    object.renderOrder = order;
    object.visible = false;
    this.group.add(object);
    return object;
  }

  // Another scene: topology and attributes come with its first positions.
  setVertices() {
    this.dispose();
    this.attributes = null;
  }

  setTopology(model) {
    this.dispose();
    const size = this.bodySizes(model);
    const creases = creaseKeys(model.triangles, model.positions, model.vertexCount, (v) => size[model.bodyOf[v]]);
    const { index, source } = splitAtCreases(model.triangles, model.vertexCount, creases);
    this.makeAttributes(model, source);
    this.triangles = index;
    this.findSheets(model);
    const edges = surfaceEdges(model.triangles, model.vertexCount, creases);
    this.give(this.solid, index, FACE);
    for (const pass of [this.veil, this.glass]) {
      pass.geometry = this.solid.geometry;
      pass.has = this.solid.has;
    }
    this.give(this.mesh, join(edges.all, ownSegments(model)), LINE);
    this.give(this.outline, edges.sharp, LINE);
    this.sizes = { triangles: model.triangles.length / 3, edges: edges.all.length / 2 };
  }

  bodySizes(model) {
    return model.bodies.map((body) => {
      const box = model.box(...body.vertices);
      return box ? Math.hypot(...box.high.map((h, k) => h - box.low[k])) : 0;
    });
  }

  // Attributes of the drawn vertices, which all parts share.
  makeAttributes(model, source) {
    this.source = source;
    this.count = model.vertexCount;
    const count = source.length;
    const dynamic = (array, size, normalized) =>
      new BufferAttribute(array, size, normalized).setUsage(DynamicDrawUsage);
    this.attributes = {
      position: dynamic(new Float32Array(3 * count), 3),
      value: dynamic(new Float32Array(count), 1),
      mark: dynamic(new Uint8Array(count), 1, true),
      smoothNormal: dynamic(new Float32Array(3 * count), 3),
      sheet: new BufferAttribute(new Float32Array(count).fill(-1), 1),
      body: new BufferAttribute(Float32Array.from(source, (v) => model.bodyOf[v]), 1),
    };
    this.values = new Float32Array(model.vertexCount);
    this.setPositions(model.positions);
  }

  // Bodies with borders: half of their thickness at their vertices.
  findSheets(model) {
    const { sheet } = this.attributes;
    const half = new Float32Array(model.bodies.length).fill(-1);
    this.thick = false;
    this.open = 0; // triangles of sheets
    model.bodies.forEach((body, b) => {
      const [first, end] = body.triangles;
      if (rimsOf(model.triangles.subarray(3 * first, 3 * end), model.vertexCount).length === 0) return;
      half[b] = model.isPlane ? 0 : (body.radius ?? body.thickness ?? 0);
      this.thick ||= half[b] > 0;
      if (!body.obstacle) this.open += end - first;
    });
    this.source.forEach((v, i) => (sheet.array[i] = half[model.bodyOf[v]]));
    sheet.needsUpdate = true;
  }

  give(object, index, names) {
    object.geometry.dispose();
    const twice = names === FACE && this.thick;
    object.geometry = twice ? new InstancedBufferGeometry() : new BufferGeometry();
    if (twice) object.geometry.instanceCount = 2;
    object.geometry.setIndex(new BufferAttribute(index, 1));
    for (const name of names) object.geometry.setAttribute(name, this.attributes[name]);
    object.has = index.length > 0;
  }

  setPositions(positions) {
    if (!this.attributes) return;
    const { array } = this.attributes.position;
    array.set(positions);
    for (let i = this.count; i < this.source.length; ++i)
      for (let k = 0; k < 3; ++k) array[3 * i + k] = positions[3 * this.source[i] + k];
    this.attributes.position.needsUpdate = true;
    this.stale = true;
  }

  // `write` fills the values of the model's vertices.
  setValues(write) {
    if (!this.attributes) return;
    write(this.values);
    this.spread(this.attributes.value, (v) => this.values[v]);
  }

  setMarks(vertices) {
    if (!this.attributes) return;
    const marked = new Set(vertices);
    this.spread(this.attributes.mark, (v) => (marked.has(v) ? 255 : 0));
  }

  spread(attribute, read) {
    this.source.forEach((v, i) => (attribute.array[i] = read(v)));
    attribute.needsUpdate = true;
  }

  // Before a frame is drawn.
  prepare(settings, plane, translucent) {
    this.smooth.value = settings.smooth ? 1 : 0;
    this.solid.visible = this.solid.has && settings.faces;
    this.glass.visible = this.solid.visible && translucent;
    this.veil.visible = this.glass.visible;
    this.mesh.visible = this.mesh.has && (settings.edges || !settings.faces);
    this.outline.visible = this.outline.has && (settings.creases || plane);
    this.edgeOpacity.value = plane ? 0.4 : 0.5;
    if ((settings.smooth || this.thick) && this.stale && this.triangles && this.attributes) {
      vertexNormals(this.triangles, this.attributes.position.array, this.attributes.smoothNormal.array);
      this.attributes.smoothNormal.needsUpdate = true;
      this.stale = false;
    }
  }

  dispose() {
    for (const object of this.group.children) {
      object.geometry.dispose();
      object.has = false;
      object.visible = false;
    }
  }
}

function join(a, b) {
  const out = new Uint32Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

// Segments of bodies with triangles (springs of a sheet).
function ownSegments(model) {
  const lists = model.bodies.map((body) => {
    const [first, end] = body.triangles[1] > body.triangles[0] ? body.segments : [0, 0];
    return model.segments.subarray(2 * first, 2 * end);
  });
  return lists.reduce(join, new Uint32Array(0));
}
