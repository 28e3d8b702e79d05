// Bodies without triangles: segments as rods with balls at their ends, lone points as balls; radius is
// the body's thickness, and at least a few pixels. Instanced: one small shape, and per instance what
// differs, filled anew with each frame.
import {
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three';
import { toneOf } from './colours.js';
import { ballVertex, rodVertex, thickFragment } from './shaders.js';

const MANY = 3000; // from here on shapes get coarser
const LEAST = { point: 3.2, end: 1.3 }; // radius [px]

export class Thick {
  constructor(shared) {
    this.group = new Group();
    this.shared = shared;
    this.parts = [];
  }

  setTopology(model) {
    this.dispose();
    const balls = [];
    const rods = [];
    for (const body of model.bodies) {
      if (body.triangles[1] > body.triangles[0]) continue;
      const list = model.segments.subarray(2 * body.segments[0], 2 * body.segments[1]);
      for (let i = 0; i < list.length; i += 2) rods.push([list[i], list[i + 1]]);
      for (let v = body.vertices[0]; v < body.vertices[1]; ++v)
        balls.push([v, list.length > 0 ? LEAST.end : LEAST.point]);
    }
    if (balls.length > 0)
      this.parts.push(this.make(model, ballShape(balls.length), ballVertex, ballRows(balls), balls));
    if (rods.length > 0) this.parts.push(this.make(model, rodShape(rods.length), rodVertex, rodRows(rods), rods));
    for (const part of this.parts) this.group.add(part.object);
  }

  // `rows`: name -> {size, fill(array, model, values)}; constant ones have `once`.
  make(model, shape, vertexShader, rows, list) {
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(shape.index);
    geometry.setAttribute('position', shape.getAttribute('position'));
    geometry.instanceCount = list.length;
    for (const [name, row] of Object.entries(rows)) {
      const attribute = new InstancedBufferAttribute(new Float32Array(row.size * list.length), row.size);
      if (!row.once) attribute.setUsage(DynamicDrawUsage);
      row.fill(attribute.array, model, null);
      geometry.setAttribute(name, attribute);
    }
    const object = new Mesh(
      geometry,
      new ShaderMaterial({
        vertexShader,
        fragmentShader: thickFragment,
        uniforms: { ...this.shared, uOpacity: { value: 1 } },
      }),
    );
    object.frustumCulled = false;
    return { object, rows };
  }

  update(model, what, values) {
    for (const { object, rows } of this.parts) {
      for (const [name, row] of Object.entries(rows)) {
        if (row.from !== what) continue;
        const attribute = object.geometry.getAttribute(name);
        row.fill(attribute.array, model, values);
        attribute.needsUpdate = true;
      }
    }
  }

  dispose() {
    for (const { object } of this.parts) {
      object.geometry.dispose();
      object.material.dispose();
      this.group.remove(object);
    }
    this.parts = [];
  }
}

const ballShape = (count) => new IcosahedronGeometry(1, count > MANY ? 1 : 3);
function rodShape(count) {
  return new CylinderGeometry(1, 1, 1, count > MANY ? 6 : 14, 1, true).translate(0, 0.5, 0);
}

// One entry per instance, from the vertex `pick` names.
const perVertex = (list, pick, size, from, read) => ({
  size,
  from,
  once: from === undefined,
  fill(array, model, values) {
    for (let i = 0; i < list.length; ++i) read(array, size * i, model, pick(list[i]), values, list[i]);
  },
});
const place = (array, at, model, v) => {
  for (let k = 0; k < 3; ++k) array[at + k] = model.positions[3 * v + k];
};
const radius = (array, at, model, v) => {
  array[at] = model.bodies[model.bodyOf[v]]?.thickness ?? 0;
};
const body = (array, at, model, v) => {
  array[at] = model.bodyOf[v];
};
const tone = (array, at, model, v) => {
  array[at] = toneOf(model.bodies, model.bodyOf[v]);
};
const mark = (array, at, model, v, marks) => {
  array[at] = marks?.has(v) ? 1 : 0;
};

const ballRows = (list) => ({
  centre: perVertex(list, (b) => b[0], 3, 'positions', place),
  radius: perVertex(list, (b) => b[0], 1, undefined, radius),
  least: perVertex(
    list,
    (b) => b[0],
    1,
    undefined,
    (array, at, _m, _v, _x, item) => (array[at] = item[1]),
  ),
  body: perVertex(list, (b) => b[0], 1, undefined, body),
  tone: perVertex(list, (b) => b[0], 1, undefined, tone),
  mark: perVertex(list, (b) => b[0], 1, 'marks', mark),
  value: perVertex(
    list,
    (b) => b[0],
    1,
    'values',
    (array, at, _m, v, values) => (array[at] = values ? values[v] : 0),
  ),
});
const rodRows = (list) => ({
  from: perVertex(list, (r) => r[0], 3, 'positions', place),
  to: perVertex(list, (r) => r[1], 3, 'positions', place),
  radius: perVertex(list, (r) => r[0], 1, undefined, radius),
  body: perVertex(list, (r) => r[0], 1, undefined, body),
  tone: perVertex(list, (r) => r[0], 1, undefined, tone),
  mark: perVertex(list, (r) => r[0], 1, 'marks', mark),
  values: perVertex(
    list,
    (r) => r[0],
    2,
    'values',
    (array, at, _m, v, values, item) => {
      array[at] = values ? values[v] : 0;
      array[at + 1] = values ? values[item[1]] : 0;
    },
  ),
});
