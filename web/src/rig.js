// The camera: a target, two angles around `up`, a distance. Scenes in the plane have the same numbers,
// seen straight on, without perspective: `distance` is then what would show the same height.
import { OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';
import { Emitter } from './emitter.js';

export const FIELD = (35 * Math.PI) / 180; // angle of view, vertical, of scenes that name none
const AIR = 1.1; // around what fits
const START = { yaw: 0.55, pitch: 0.38 };
const STEEPEST = Math.PI / 2 - 0.001;

export const VIEWS = {
  start: START,
  front: { yaw: 0, pitch: 0 },
  side: { yaw: Math.PI / 2, pitch: 0 },
  top: { yaw: 0, pitch: STEEPEST },
  iso: { yaw: Math.PI / 4, pitch: Math.atan(Math.SQRT1_2) },
};

export class Rig extends Emitter {
  constructor() {
    super();
    this.perspective = new PerspectiveCamera((FIELD * 180) / Math.PI, 1, 0.01, 100);
    this.orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
    this.target = new Vector3();
    this.up = new Vector3(0, 1, 0);
    this.front = new Vector3(0, 0, 1);
    this.side = new Vector3(1, 0, 0);
    this.size = { width: 1, height: 1 };
    this.radius = 1; // of all that is to be seen [m]
    this.distance = 3;
    this.plane = false; // a scene in the plane
    this.parallel = false; // without perspective
    this.field = FIELD;
    Object.assign(this, START);
  }

  get camera() {
    return this.flat ? this.orthographic : this.perspective;
  }

  get flat() {
    return this.plane || this.parallel;
  }

  // Up is against gravity; x points to the right where that is possible.
  orient(plane, gravity) {
    this.plane = plane;
    this.up.set(0, 1, 0);
    if (!plane && gravity && Math.hypot(...gravity) > 0) this.up.fromArray(gravity).normalize().negate();
    this.front.set(0, 0, 1);
    if (Math.abs(this.up.z) > 0.9) this.front.set(0, -Math.sign(this.up.z), 0);
    this.front.addScaledVector(this.up, -this.front.dot(this.up)).normalize();
    this.side.crossVectors(this.up, this.front);
    this.turnTo(plane ? VIEWS.front : START);
  }

  turnTo({ yaw, pitch }) {
    if (this.plane) {
      this.yaw = 0;
      this.pitch = 0;
    } else {
      this.yaw = yaw;
      this.pitch = Math.min(STEEPEST, Math.max(-STEEPEST, pitch));
    }
    this.place();
  }

  // Looks from the side that `outward` points to, a little from above.
  lookFrom(outward) {
    const along = (axis) => outward.dot(axis);
    const level = Math.hypot(along(this.front), along(this.side));
    if (level + Math.abs(along(this.up)) === 0) return;
    const pitch = Math.max(0.15, Math.min(1.2, Math.atan2(along(this.up), level)));
    this.turnTo({ yaw: level > 0 ? Math.atan2(along(this.side), along(this.front)) : this.yaw, pitch });
  }

  resize(width, height) {
    this.size = { width, height };
    this.place();
  }

  // All of the box, with some air around: a corner (x, y, z) from its middle needs the distance
  // z + |y| / tan(angle / 2), and likewise across; without perspective z counts nothing.
  fit(box) {
    const low = new Vector3().fromArray(box.low);
    const high = new Vector3().fromArray(box.high);
    this.target.addVectors(low, high).multiplyScalar(0.5);
    this.radius = Math.max(low.distanceTo(high) / 2, 1e-9);
    this.place();
    const slope = Math.tan(this.field / 2);
    const across = (slope * this.size.width) / this.size.height;
    const { right, above, back } = this.axes();
    this.distance = 0.06 * this.radius;
    for (let bits = 0; bits < 8; ++bits) {
      const corner = new Vector3(...['x', 'y', 'z'].map((axis, k) => (bits & (1 << k) ? high : low)[axis])).sub(this.target);
      const need = Math.max(Math.abs(corner.dot(above)) / slope, Math.abs(corner.dot(right)) / across);
      this.distance = Math.max(this.distance, AIR * need + (this.flat ? 0 : corner.dot(back)));
    }
    this.place();
  }

  // The place of a scene's camera: {from, to, field_of_view, height}, of which parts may be missing.
  look({ from, to, field_of_view: angle, height }) {
    if (angle > 0) this.field = (angle * Math.PI) / 180;
    if (to) this.target.fromArray(to);
    if (from && to && !this.plane) {
      const away = new Vector3().fromArray(from).sub(this.target);
      const length = away.length();
      if (length > 0) {
        this.distance = length;
        this.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, Math.asin(Math.max(-1, Math.min(1, away.dot(this.up) / length)))));
        if (Math.abs(this.pitch) < STEEPEST) this.yaw = Math.atan2(away.dot(this.side), away.dot(this.front));
      }
    }
    if (height > 0 && this.flat) this.distance = height / 2 / Math.tan(this.field / 2);
    this.place();
  }

  shift(way) {
    this.target.add(new Vector3(...way));
    this.place();
  }

  setParallel(parallel) {
    this.parallel = parallel;
    this.place();
  }

  place() {
    const { yaw, pitch, camera, flat } = this;
    const away = new Vector3()
      .addScaledVector(this.front, Math.cos(pitch) * Math.cos(yaw))
      .addScaledVector(this.side, Math.cos(pitch) * Math.sin(yaw))
      .addScaledVector(this.up, Math.sin(pitch));
    const distance = flat ? 10 * this.radius + this.distance : this.distance;
    camera.position.copy(this.target).addScaledVector(away, distance);
    camera.up.copy(this.up);
    camera.lookAt(this.target);
    const aspect = this.size.width / this.size.height;
    camera.near = Math.max(distance - 40 * this.radius, 0.004 * distance);
    camera.far = distance + 40 * this.radius;
    if (flat) {
      camera.top = this.distance * Math.tan(this.field / 2);
      camera.bottom = -camera.top;
      camera.right = camera.top * aspect;
      camera.left = -camera.right;
    } else {
      camera.aspect = aspect;
      camera.fov = (this.field * 180) / Math.PI;
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.emit('change');
  }

  // Size of a pixel [m] as a + b * depth.
  get pixel() {
    const b = (2 * Math.tan(this.field / 2)) / this.size.height;
    return this.flat ? [this.distance * b, 0] : [0, b];
  }
  get pixelAtTarget() {
    const [a, b] = this.pixel;
    return a + b * this.distance;
  }

  // ---- moves by pixels

  orbit(dx, dy) {
    this.emit('hand');
    if (this.plane) {
      this.pan(dx, dy);
      return;
    }
    const turn = (1.2 * Math.PI) / Math.min(this.size.width, this.size.height);
    this.turnTo({ yaw: this.yaw - turn * dx, pitch: this.pitch + turn * dy });
  }

  pan(dx, dy) {
    this.emit('hand');
    const size = this.pixelAtTarget;
    const { right, above } = this.axes();
    this.target.addScaledVector(right, -size * dx).addScaledVector(above, size * dy);
    this.place();
  }

  // Towards the point under (x, y), in pixels from the middle, right and down.
  zoom(factor, x = 0, y = 0) {
    this.emit('hand');
    const least = 1e-3 * this.radius;
    const next = Math.min(60 * this.radius, Math.max(least, this.distance * factor));
    const part = 1 - next / this.distance;
    const size = this.pixelAtTarget * part;
    const { right, above } = this.axes();
    this.target.addScaledVector(right, size * x).addScaledVector(above, -size * y);
    this.distance = next;
    this.place();
  }

  axes() {
    const e = this.camera.matrixWorld.elements;
    return {
      right: new Vector3(e[0], e[1], e[2]),
      above: new Vector3(e[4], e[5], e[6]),
      back: new Vector3(e[8], e[9], e[10]),
    };
  }

  // A ray through (x, y), pixels from the upper left: {origin, direction}.
  ray(x, y) {
    const device = new Vector3((2 * x) / this.size.width - 1, 1 - (2 * y) / this.size.height, 0);
    const { camera } = this;
    if (this.flat) {
      const { back } = this.axes();
      return { origin: device.setZ(-1).unproject(camera), direction: back.negate() };
    }
    const origin = camera.position.clone();
    return { origin, direction: device.setZ(0.5).unproject(camera).sub(origin).normalize() };
  }

  // Pixels from the upper left; null behind the camera.
  project(point) {
    const p = new Vector3(point[0], point[1], point[2]).project(this.camera);
    if (p.z < -1 || p.z > 1) return null;
    return { x: ((p.x + 1) / 2) * this.size.width, y: ((1 - p.y) / 2) * this.size.height };
  }

  // ---- as text, for links

  encode() {
    const numbers = [this.yaw, this.pitch, this.distance, this.target.x, this.target.y, this.target.z];
    return numbers.map((v) => Number(v.toPrecision(5))).join(',');
  }

  decode(text) {
    const numbers = text.split(',').map(Number);
    if (numbers.length !== 6 || !numbers.every(Number.isFinite) || !(numbers[2] > 0)) return false;
    this.emit('hand');
    this.distance = numbers[2];
    this.target.fromArray(numbers, 3);
    this.turnTo({ yaw: numbers[0], pitch: numbers[1] });
    return true;
  }
}
