// Bodies without triangles: segments as tubes with balls at their free ends and knots, lone points as
// balls; and the borders of thick sheets as tubes. The radius is that of the body, and at least a part
// of a pixel. Instanced: one small shape, and per instance the numbers of its vertices; positions and
// values are in a texture, the only thing that travels to the GPU with a frame.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  FloatType,
  Group,
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  NearestFilter,
  RGBAFormat,
  ShaderMaterial,
} from 'three';
import { ballVertex, depthFragment, thickFragment, tubeVertex } from './shaders.js';
import { joints, rimsOf } from './threads.js';

const MANY = 3000; // from here on shapes get coarser
// Smallest radius [px] of points, of threads without a radius, and of those with one and of rims.
const LEAST = { point: 3.2, line: 1.3, thread: 0.6 };
const ACROSS = 1024; // vertices in a row of the texture

export class Thick {
  constructor(shared) {
    this.group = new Group();
    this.places = { value: null };
    this.shared = { ...shared, uPlaces: this.places };
    this.parts = [];
  }

  setTopology(model) {
    this.dispose();
    const points = [];
    const balls = []; // at ends and knots
    const tubes = [];
    for (const [b, body] of model.bodies.entries()) {
      const radius = radiusOf(body);
      if (body.triangles[1] > body.triangles[0]) {
        if (radius > 0 && !model.isPlane) addRims(model, b, tubes, balls);
        continue;
      }
      const list = model.segments.subarray(2 * body.segments[0], 2 * body.segments[1]);
      const least = list.length === 0 ? LEAST.point : radius > 0 ? LEAST.thread : LEAST.line;
      const { rows, ends } = joints(list);
      for (const row of rows) tubes.push({ ...row, body: b, radius, least, rim: 0 });
      const [to, loose] = list.length > 0 ? [balls, ends] : [points, range(body.vertices)];
      for (const v of loose) to.push({ vertices: [v], body: b, radius, least, rim: 0, strand: 0 });
    }
    if (points.length + balls.length + tubes.length > 0) this.makePlaces(model);
    const add = (shape, shader, list, width) => {
      if (list.length > 0) this.parts.push(this.make(model, shape, shader, list, width));
    };
    add(ballShape(points.length, 1), ballVertex, points, 1);
    add(ballShape(balls.length, 0), ballVertex, balls, 1);
    add(tubeShape(tubes.length), tubeVertex, tubes, 4);
    for (const part of this.parts) this.group.add(part.object);
  }

  // Position and value of every vertex.
  makePlaces(model) {
    const rows = Math.ceil(model.vertexCount / ACROSS) || 1;
    const texture = new DataTexture(new Float32Array(4 * ACROSS * rows), ACROSS, rows, RGBAFormat, FloatType);
    texture.minFilter = texture.magFilter = NearestFilter;
    this.places.value = texture;
    this.update(model, 'positions');
  }

  make(model, shape, vertexShader, list, width) {
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(shape.index);
    geometry.setAttribute('position', shape.getAttribute('position'));
    geometry.instanceCount = list.length;
    const give = (name, size, read) => {
      const array = new Float32Array(size * list.length);
      list.forEach((item, i) => read(item, array, size * i));
      geometry.setAttribute(name, new InstancedBufferAttribute(array, size));
    };
    give('vertices', width, (item, array, at) => array.set(item.vertices, at));
    give('size', 4, (item, array, at) => array.set([item.radius, item.least, item.rim, item.strand], at));
    give('body', 1, (item, array, at) => (array[at] = item.body));
    give('mark', 1, () => {});
    geometry.getAttribute('mark').setUsage(DynamicDrawUsage);
    const material = (fragmentShader) =>
      new ShaderMaterial({
        vertexShader,
        fragmentShader,
        side: DoubleSide,
        uniforms: { ...this.shared, uPass: { value: 0 } },
      });
    const object = new Mesh(geometry, material(thickFragment));
    object.userData = { coloured: object.material, plain: material(depthFragment) };
    object.frustumCulled = false;
    return { object, list, own: width > 1 ? 1 : 0 };
  }

  prepass(kind) {
    for (const { object } of this.parts) object.material = kind ? object.userData.plain : object.userData.coloured;
  }

  update(model, what, values) {
    const texture = this.places.value;
    if (what === 'marks') this.setMarks(values);
    if (!texture || what === 'marks') return;
    const to = texture.image.data;
    const from = model.positions;
    for (let v = 0; v < model.vertexCount; ++v) {
      if (what === 'values') {
        to[4 * v + 3] = values ? values[v] : 0;
        continue;
      }
      to[4 * v] = from[3 * v];
      to[4 * v + 1] = from[3 * v + 1];
      to[4 * v + 2] = from[3 * v + 2];
    }
    texture.needsUpdate = true;
  }

  setMarks(marks) {
    for (const { object, list, own } of this.parts) {
      const attribute = object.geometry.getAttribute('mark');
      list.forEach((item, i) => (attribute.array[i] = marks?.has(item.vertices[own]) ? 1 : 0));
      attribute.needsUpdate = true;
    }
  }

  dispose() {
    for (const { object } of this.parts) {
      object.geometry.dispose();
      for (const material of Object.values(object.userData)) material.dispose();
      this.group.remove(object);
    }
    this.places.value?.dispose();
    this.places.value = null;
    this.parts = [];
  }
}

const radiusOf = (body) => body.radius ?? body.thickness ?? 0;
const range = ([first, end]) => Array.from({ length: end - first }, (_, i) => first + i);

function addRims(model, b, tubes, balls) {
  const body = model.bodies[b];
  const rims = rimsOf(model.triangles.subarray(3 * body.triangles[0], 3 * body.triangles[1]), model.vertexCount);
  const { rows, ends } = joints(rims);
  const more = { body: b, radius: radiusOf(body), least: LEAST.thread, rim: 1 };
  for (const row of rows) tubes.push({ ...row, ...more, strand: 0 });
  for (const v of ends) balls.push({ vertices: [v], ...more, strand: 0 });
}

const ballShape = (count, coarse) => new IcosahedronGeometry(1, count > MANY ? coarse : 3);

// The half of a tube that faces the viewer: y from 0 to 1 along it, x the angle from 0 to 1 over it.
function tubeShape(count) {
  const sides = count > MANY ? 4 : 10;
  const points = [];
  const index = [];
  for (let i = 0; i <= sides; ++i) {
    points.push(i / sides, 0, 0, i / sides, 1, 0);
    if (i < sides) index.push(2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 2, 2 * i + 1, 2 * i + 3);
  }
  const shape = new BufferGeometry();
  shape.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  shape.setIndex(index);
  return shape;
}
