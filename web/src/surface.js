// The surface triangles of all bodies: one buffer of positions, shared by faces, edges and shadows;
// obstacles are a second list of triangles, drawn translucent. Only positions travel to the GPU with a
// frame; flat normals come from derivatives in the shader.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  DynamicDrawUsage,
  EqualStencilFunc,
  Group,
  IncrementStencilOp,
  InstancedBufferGeometry,
  KeepStencilOp,
  LineSegments,
  Mesh,
  ShaderMaterial,
} from 'three';
import { toneOf } from './colours.js';
import { surfaceEdges, vertexNormals } from './edges.js';
import * as glsl from './shaders.js';
import { rimsOf } from './threads.js';

const FACE = ['position', 'value', 'mark', 'smoothNormal', 'body', 'tone', 'sheet'];
const LINE = ['position', 'mark', 'tone'];

const material = (shared, vertexShader, fragmentShader, uniforms = {}, more = {}) =>
  new ShaderMaterial({ vertexShader, fragmentShader, uniforms: { ...shared, ...uniforms }, side: DoubleSide, ...more });

export class Surface {
  constructor(shared) {
    this.group = new Group();
    this.smooth = { value: 0 };
    this.floor = { value: [0, 1, 0, 0] };
    this.up = { value: [0, 1, 0] };
    this.darkness = { value: 0.13 };
    this.edgeOpacity = { value: 0.55 };
    const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const faces = (uniforms, more) =>
      material(
        shared,
        glsl.surfaceVertex,
        glsl.surfaceFragment,
        { uSmooth: this.smooth, ...uniforms },
        { ...offset, ...more },
      );
    const lines = (uniforms) =>
      material(shared, glsl.edgeVertex, glsl.edgeFragment, uniforms, { transparent: true, depthWrite: false });
    this.solid = this.add(new Mesh(undefined, faces({ uOpacity: { value: 1 } }, {})), 0);
    // Depth first: of a translucent body only the nearest faces are seen, in any order of its triangles.
    this.veil = this.add(
      new Mesh(undefined, faces({ uOpacity: { value: 0 } }, { transparent: true, colorWrite: false })),
      19,
    );
    this.obstacle = this.add(
      new Mesh(undefined, faces({ uOpacity: { value: 0.55 } }, { transparent: true, depthWrite: false })),
      20,
    );
    this.mesh = this.add(new LineSegments(undefined, lines({ uOpacity: this.edgeOpacity })), 5);
    this.outline = this.add(new LineSegments(undefined, lines({ uOpacity: { value: 1 } })), 6);
    this.shadow = this.add(new Mesh(undefined, this.shadowMaterial()), 3);
    this.sizes = { triangles: 0, edges: 0 };
  }

  // Each pixel gets dark once, however many faces are above it.
  shadowMaterial() {
    return new ShaderMaterial({
      vertexShader: glsl.shadowVertex,
      fragmentShader: glsl.shadowFragment,
      side: DoubleSide,
      transparent: true,
      uniforms: { uFloor: this.floor, uUp: this.up, uDarkness: this.darkness },
      depthWrite: false,
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: EqualStencilFunc,
      stencilZPass: IncrementStencilOp,
      stencilFail: KeepStencilOp,
      stencilZFail: KeepStencilOp,
    });
  }

  add(object, order) {
    object.frustumCulled = false;
    object.renderOrder = order;
    object.visible = false;
    this.group.add(object);
    return object;
  }

  // New vertices: attributes that all parts share.
  setVertices(model) {
    this.dispose();
    const count = model.vertexCount;
    const dynamic = (array, size, normalized) =>
      new BufferAttribute(array, size, normalized).setUsage(DynamicDrawUsage);
    this.attributes = {
      position: dynamic(new Float32Array(3 * count), 3),
      value: dynamic(new Float32Array(count), 1),
      mark: dynamic(new Uint8Array(count), 1, true),
      smoothNormal: dynamic(new Float32Array(3 * count), 3),
      sheet: new BufferAttribute(new Float32Array(count).fill(-1), 1),
      body: new BufferAttribute(model.bodyOf, 1),
      tone: new BufferAttribute(
        Uint8Array.from(model.bodyOf, (b) => toneOf(model.bodies, b)),
        1,
      ),
    };
  }

  setTopology(model) {
    const { triangles, segments } = split(model);
    const edges = surfaceEdges(triangles.solid, model.positions, model.vertexCount);
    const rims = surfaceEdges(triangles.obstacle, model.positions, model.vertexCount);
    this.triangles = model.triangles;
    this.findSheets(model);
    this.give(this.solid, triangles.solid, FACE);
    this.give(this.obstacle, triangles.obstacle, FACE);
    this.veil.geometry = this.obstacle.geometry;
    this.give(this.shadow, model.triangles, ['position']);
    this.give(this.mesh, join(edges.all, segments), LINE);
    this.give(this.outline, join(edges.sharp, rims.sharp), LINE);
    this.sizes = { triangles: model.triangles.length / 3, edges: edges.all.length / 2 };
  }

  // Bodies with borders: half of their thickness at their vertices.
  findSheets(model) {
    this.thick = false;
    this.open = 0; // triangles of sheets
    for (const body of model.bodies) {
      const [first, end] = body.triangles;
      if (rimsOf(model.triangles.subarray(3 * first, 3 * end), model.vertexCount).length === 0) continue;
      const half = model.isPlane ? 0 : (body.radius ?? body.thickness ?? 0);
      this.attributes.sheet.array.fill(half, ...body.vertices);
      this.thick ||= half > 0;
      if (!body.obstacle) this.open += end - first;
    }
    this.attributes.sheet.needsUpdate = true;
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
    this.attributes.position.array.set(positions);
    this.attributes.position.needsUpdate = true;
    this.stale = true;
  }

  setValues(write) {
    if (!this.attributes) return;
    write(this.attributes.value.array);
    this.attributes.value.needsUpdate = true;
  }

  setMarks(vertices) {
    if (!this.attributes) return;
    const marks = this.attributes.mark.array;
    marks.fill(0);
    for (const v of vertices) if (v < marks.length) marks[v] = 255;
    this.attributes.mark.needsUpdate = true;
  }

  // Before a frame is drawn. `floor`: {normal, offset} of the half-space below, or null.
  prepare(settings, plane, floor) {
    this.smooth.value = settings.smooth ? 1 : 0;
    this.solid.visible = this.solid.has && settings.faces;
    this.obstacle.visible = this.obstacle.has && settings.obstacles;
    this.veil.visible = this.obstacle.visible;
    this.mesh.visible = this.mesh.has && (settings.edges || !settings.faces);
    this.outline.visible = this.outline.has;
    this.edgeOpacity.value = plane ? 0.4 : 0.5;
    this.shadow.visible = this.shadow.has && floor !== null && settings.shadows && settings.clip === 'off';
    if (floor) this.floor.value = [...floor.normal, floor.offset];
    if ((settings.smooth || this.thick) && this.stale && this.triangles) {
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

// Triangles of bodies and of obstacles; segments that lie in bodies with triangles (springs of a sheet).
function split(model) {
  const lists = { solid: [], obstacle: [] };
  const segments = [];
  for (const body of model.bodies) {
    const [first, end] = body.triangles;
    (body.obstacle ? lists.obstacle : lists.solid).push(model.triangles.subarray(3 * first, 3 * end));
    if (end > first) segments.push(model.segments.subarray(2 * body.segments[0], 2 * body.segments[1]));
  }
  const merge = (parts) => {
    const out = new Uint32Array(parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  };
  return { triangles: { solid: merge(lists.solid), obstacle: merge(lists.obstacle) }, segments: merge(segments) };
}
