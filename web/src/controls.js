// Pointer and touch on the picture. Left: orbit (in the plane: pan); right, middle or Ctrl: pan; wheel or
// two fingers: zoom and pan; a click selects; Shift pulls at a vertex in the plane of the screen, Shift and
// Ctrl at all of its body, and so does the grab tool. `hands` says what happens to the simulation:
// {grab(vertex, target, body), drag(target), release()}.
import { Vector3 } from 'three';

const NEAR = 16; // of the handle of the cut [px]
const STILL = 5; // a press that moves less is a click [px]

export class Controls {
  constructor(view, hands) {
    this.view = view;
    this.hands = hands;
    this.pointers = new Map();
    this.action = null;
    this.grabTool = ''; // 'vertex', 'body': what a drag pulls at
    const { canvas } = view;
    canvas.addEventListener('pointerdown', (e) => this.down(e));
    canvas.addEventListener('pointermove', (e) => this.move(e));
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (e) => this.up(e));
    canvas.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    canvas.addEventListener('dblclick', (e) => this.centre(e));
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
  }

  at(event) {
    const box = this.view.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event) {
    const { canvas } = this.view;
    canvas.setPointerCapture(event.pointerId);
    const place = this.at(event);
    this.pointers.set(event.pointerId, place);
    if (this.pointers.size === 2) {
      if (this.action?.type === 'grab') this.hands.release();
      this.action = { type: 'pinch' };
      return;
    }
    if (this.pointers.size > 2) return;
    const control = event.ctrlKey || event.metaKey;
    const pulls = event.shiftKey ? (control ? 'body' : 'vertex') : this.grabTool;
    const pans = event.button === 1 || event.button === 2 || (control && !event.shiftKey);
    const action = { type: pans ? 'pan' : 'orbit', start: place, still: true, selects: event.button === 0 };
    this.action = action;
    if (!pans && !pulls && this.atHandle(place)) action.type = 'cut';
    else if (!pans && pulls) this.seize(place, action, pulls === 'body');
  }

  // The handle of the cut, if it is here.
  atHandle(place) {
    const { clip, rig } = this.view;
    const at = clip && rig.project(clip.handle);
    return !!at && Math.hypot(at.x - place.x, at.y - place.y) < NEAR;
  }

  // Moves the plane by a drag: along its normal as it is seen. Straight on, up and down.
  moveCut(dx, dy) {
    const { clip, rig, settings } = this.view;
    if (!clip) return;
    const { right, above } = rig.axes();
    const normal = new Vector3(...clip.normal);
    const [x, y] = [normal.dot(right), -normal.dot(above)];
    const square = x * x + y * y;
    const pixels = square > 0.01 ? (dx * x + dy * y) / square : -dy;
    const part = (pixels * rig.pixelAtTarget) / Math.max(clip.high - clip.low, 1e-12);
    settings.set('clipAt', Math.min(1, Math.max(0, settings.clipAt + part)));
  }

  // Begins to pull if there is a body here; otherwise the camera turns as usual.
  seize(place, action, body) {
    const hit = this.view.pick(place.x, place.y);
    if (!hit || !this.hands.grab(hit.vertex, [...this.view.model.position(hit.vertex)], body)) return;
    action.type = 'grab';
    action.depthPoint = new Vector3(...this.view.model.position(hit.vertex));
    const under = this.onPlane(place, action.depthPoint);
    action.offset = action.depthPoint.clone().sub(under);
    this.view.canvas.classList.add('grabbing');
  }

  // Where the ray through a place meets the plane of the screen through `point`.
  onPlane(place, point) {
    const { rig } = this.view;
    const { origin, direction } = rig.ray(place.x, place.y);
    const { back } = rig.axes();
    const t = point.clone().sub(origin).dot(back) / direction.dot(back);
    return origin.addScaledVector(direction, t);
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.action) return;
    const place = this.at(event);
    const { action } = this;
    if (action.type === 'pinch') {
      this.pinch(event.pointerId, place);
      return;
    }
    this.pointers.set(event.pointerId, place);
    if (action.still && Math.hypot(place.x - action.start.x, place.y - action.start.y) < STILL) return;
    action.still = false;
    const { rig } = this.view;
    if (action.type === 'grab') this.hands.drag(this.onPlane(place, action.depthPoint).add(action.offset).toArray());
    else if (action.type === 'cut') this.moveCut(place.x - before.x, place.y - before.y);
    else if (action.type === 'pan') rig.pan(place.x - before.x, place.y - before.y);
    else rig.orbit(place.x - before.x, place.y - before.y);
  }

  // Two fingers: their middle pans, their distance zooms.
  pinch(id, place) {
    const measure = () => {
      const [a, b] = [...this.pointers.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)) };
    };
    const before = measure();
    this.pointers.set(id, place);
    const now = measure();
    const { rig } = this.view;
    rig.pan(now.x - before.x, now.y - before.y);
    rig.zoom(before.apart / now.apart, now.x - rig.size.width / 2, now.y - rig.size.height / 2);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    const { action } = this;
    if (action?.type === 'pinch') {
      if (this.pointers.size === 0) this.action = null;
      return;
    }
    if (this.pointers.size > 0) return;
    this.action = null;
    this.view.canvas.classList.remove('grabbing');
    if (action?.type === 'grab') this.hands.release();
    if (action?.still && action.selects && event.type === 'pointerup') this.click(this.at(event));
  }

  click(place) {
    const hit = this.view.pick(place.x, place.y);
    if (this.view.ruler?.take(hit ? hit.vertex : -1)) return;
    this.view.select(hit ? hit.vertex : -1, hit ? this.view.model.bodyOf[hit.vertex] : -1);
  }

  centre(event) {
    const place = this.at(event);
    const hit = this.view.pick(place.x, place.y);
    if (hit) this.view.lookAt(hit.point);
  }

  wheel(event) {
    event.preventDefault();
    const place = this.at(event);
    const { rig } = this.view;
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const factor = Math.exp(Math.max(-1, Math.min(1, (event.deltaY * lines) / 500)));
    rig.zoom(factor, place.x - rig.size.width / 2, place.y - rig.size.height / 2);
  }
}
