// The picture: draws the model when something has changed, never otherwise. After a frame with new
// positions has been drawn it says so ("drawn" with the sequence), which is what the server waits for.
import { ColorManagement, DataTexture, LinearFilter, LinearSRGBColorSpace, Scene, WebGLRenderer } from 'three';
import { Bodies } from './bodies.js';
import { Cap } from './cap.js';
import { mapBytes } from './colours.js';
import { Emitter } from './emitter.js';
import { diagonal, merge, middle } from './framing.js';
import { Ground } from './ground.js';
import { enclosing } from './inside.js';
import { Light } from './light.js';
import { failedVertices, Overlays } from './overlays.js';
import { pick } from './pick.js';
import { FIELD, Rig, VIEWS } from './rig.js';
import { sharedUniforms } from './shaders.js';
import { Shot, shotAt } from './shot.js';
import { Surface } from './surface.js';
import { Thick } from './thick.js';
import { chosenField, fillValues, tidyRange } from './values.js';

const MAP_SIZE = 256;
const SLOW = 45; // [ms] between frames: from here on fewer pixels are drawn
const LOOK_INSIDE = 1000; // [ms] between searches for bodies inside obstacles

export class View extends Emitter {
  constructor(canvas, model, settings) {
    super();
    ColorManagement.enabled = false;
    Object.assign(this, { canvas, model, settings });
    const soft = drawnBySoftware();
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: !soft,
      powerPreference: 'high-performance',
    });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.uniforms = sharedUniforms();
    this.bodies = new Bodies(model, this.uniforms);
    this.light = new Light(this.renderer, this.uniforms, soft);
    this.rig = new Rig();
    this.shot = new Shot(this);
    this.surface = new Surface(this.uniforms);
    this.thick = new Thick(this.uniforms);
    this.ground = new Ground(this.uniforms);
    this.cap = new Cap(this.uniforms);
    this.overlays = new Overlays();
    this.scene = new Scene();
    this.scene.matrixWorldAutoUpdate = false; // nothing is moved by matrices
    for (const part of [this.ground, this.surface, this.thick, this.cap, this.overlays]) this.scene.add(part.group);
    this.selection = { vertex: -1, body: -1 };
    this.grab = null;
    this.seen = null; // range of the field since it was chosen
    this.range = { low: 0, high: 1 };
    this.frames = 0;
    this.pace = 0; // [ms] between frames while they come one after another
    this.listen();
  }

  listen() {
    const { model, settings, rig } = this;
    model.on('scene', (kind) => this.takeScene(kind));
    model.on('topology', () => (this.newTopology = true));
    model.on('positions', (sequence) => this.takePositions(sequence));
    model.on('behind', (sequence) => this.acknowledge(sequence));
    model.on('field', () => this.colour());
    model.on('contacts', () => this.invalidate());
    for (const name of ['highlight', 'stop']) model.on(name, () => this.mark());
    settings.on('change', (key) => this.takeSetting(key));
    rig.on('change', () => this.invalidate());
    this.bodies.on('change', () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    this.canvas.addEventListener('webglcontextrestored', () => this.invalidate());
    this.setMap();
  }

  // ---- what comes in

  // again: what was shown comes once more; changed: the run goes on with other bodies.
  takeScene({ again, changed }) {
    this.surface.setVertices();
    this.bodies.build(again || changed);
    this.keepCamera = again || changed;
    this.seen = null;
    if (!again) {
      this.select(-1);
      this.ground.dispose();
      this.thick.dispose();
    }
    if (!this.keepCamera) this.rig.orient(this.model.isPlane, this.model.scene.gravity);
    this.uniforms.uPlane.value = this.model.isPlane ? 1 : 0;
  }

  takePositions(sequence) {
    if (this.newTopology) this.build();
    else {
      this.surface.setPositions(this.model.positions);
      this.shot.move();
    }
    this.lookInside();
    this.ground.follow(this.model);
    this.thick.update(this.model, 'positions');
    const row = chosenField(this.model, this.settings);
    if (row?.local) this.colour();
    this.acknowledge(sequence);
  }

  // Obstacles that hide a body become glass.
  lookInside() {
    const now = performance.now();
    if (this.model.isPlane || now - (this.lookedInside ?? -LOOK_INSIDE) < LOOK_INSIDE) return;
    this.lookedInside = now;
    if (this.model.bodies.some((b) => b.obstacle)) this.bodies.setGlass(enclosing(this.model));
  }

  acknowledge(sequence) {
    this.pending = sequence;
    this.invalidate();
  }

  // Topology and positions are both there.
  build() {
    this.newTopology = false;
    this.lookedInside = undefined;
    this.surface.setTopology(this.model);
    this.thick.setTopology(this.model);
    const sheets = this.model.isPlane ? 0 : this.surface.open; // edges over folds look like noise
    this.settings.propose('edges', this.surface.sizes.triangles < (this.model.isPlane ? 20000 : 6000) && sheets < 1000);
    if (!this.keepCamera) this.firstLook();
    this.ground.setScene(this.model.scene.half_spaces ?? [], this.shot.firstBox() ?? UNIT, this.rig);
    this.mark();
    this.colour();
    this.emit('built', !this.keepCamera);
  }

  takeSetting(key) {
    if (key === 'palette') this.setMap();
    if (key === 'projection') this.rig.setParallel(this.settings.projection === 'parallel');
    if (key === 'follow') this.shot.move();
    if (key === 'colour' || key === 'component') this.seen = null;
    if (['colour', 'component', 'palette', 'range', 'low', 'high'].includes(key)) this.colour();
    this.invalidate();
  }

  setTheme(theme) {
    this.theme = theme;
    this.renderer.setClearColor(theme.backgroundHex, 1);
    this.uniforms.uInk.value = theme.ink;
    this.ground.setTheme(theme);
    this.overlays.setTheme(theme);
    this.invalidate();
  }

  setMap() {
    this.uniforms.uMap.value?.dispose();
    const texture = new DataTexture(mapBytes(this.settings.palette, MAP_SIZE), MAP_SIZE, 1);
    texture.minFilter = LinearFilter;
    texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    this.uniforms.uMap.value = texture;
  }

  // Values of the chosen field to the GPU, and their range.
  colour() {
    const { model, settings } = this;
    const row = chosenField(model, settings);
    this.uniforms.uByField.value = row ? 1 : 0;
    if (row && this.surface.attributes) {
      let found = null;
      this.surface.setValues((array) => {
        found = fillValues(model, row, settings.component, array);
        this.thick.update(model, 'values', array);
      });
      this.widen(found);
    }
    this.emit('range');
    this.invalidate();
  }

  widen(found) {
    if (found) {
      this.seen = this.seen
        ? { low: Math.min(this.seen.low, found.low), high: Math.max(this.seen.high, found.high) }
        : found;
    }
    const { range, low, high, palette } = this.settings;
    const wanted = { all: this.seen, frame: found ?? this.seen, fixed: { low, high } }[range];
    this.range = range === 'fixed' ? wanted : tidyRange(wanted ?? { low: 0, high: 1 }, palette);
    this.uniforms.uRange.value = [this.range.low, this.range.high];
  }

  mark() {
    const vertices = failedVertices(this.model);
    this.surface.setMarks(vertices);
    this.thick.update(this.model, 'marks', new Set(vertices));
    this.invalidate();
  }

  select(vertex, body = -1) {
    this.selection = { vertex, body };
    this.uniforms.uSelected.value = body;
    this.emit('select', this.selection);
    this.invalidate();
  }

  // ---- where to look

  // What moves, not the floor; the obstacles it touches.
  fit() {
    if (this.model.vertexCount === 0) return;
    this.rig.emit('hand');
    this.rig.fit(this.shot.all() ?? UNIT);
  }

  // The first view: that of the scene, if it has a camera.
  firstLook() {
    const { rig, settings, shot } = this;
    const { camera } = this.model.scene;
    shot.restart();
    rig.field = FIELD;
    settings.assume('projection', camera?.orthographic ? 'parallel' : 'perspective');
    rig.turnTo(rig.plane ? VIEWS.front : VIEWS.start);
    rig.fit(shot.firstBox() ?? UNIT);
    if (camera) rig.look(shotAt(camera, this.model.time));
    shot.move();
  }

  // A named view is without perspective, so that lengths can be compared.
  turn(name) {
    this.rig.emit('hand');
    this.settings.set('projection', 'parallel');
    this.rig.turnTo(VIEWS[name]);
  }

  lookAt(point) {
    this.rig.emit('hand');
    this.rig.target.fromArray(point);
    this.rig.place();
  }

  pick(x, y) {
    const { model } = this;
    const [nx, ny, nz, w] = this.uniforms.uClip.value;
    return pick(model, this.rig, x, y, {
      keep: (p) => !(nx * p[0] + ny * p[1] + nz * p[2] > w),
      wanted: (body) => this.bodies.opacity(body) > 0.005,
    });
  }

  // ---- drawing

  invalidate() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => {
      this.scheduled = false;
      this.draw(now);
    });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width === 0 || height === 0) return;
    this.ratio = Math.min(devicePixelRatio || 1, this.coarse ? 1 : 2);
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.overlays.ratio.value = this.ratio;
    this.rig.resize(width, height);
    this.draw(performance.now()); // at once: a resized canvas is empty
  }

  draw(now) {
    const { settings, model, rig } = this;
    this.uniforms.uPixel.value = rig.pixel;
    this.cut();
    this.ground.prepare(settings, rig);
    this.bodies.setObstacles(settings.obstacles);
    this.surface.prepare(settings, rig.plane, this.bodies.translucent);
    const { selection, grab, clip } = this;
    this.cap.prepare(model, clip?.plane ?? null, this.surface.values ?? [], settings);
    this.overlays.prepare({ model, settings, rig, selection, grab, clip, measure: this.ruler });
    this.shade();
    this.renderer.render(this.scene, rig.camera);
    this.measure(now);
    this.emit('frame');
    if (this.pending !== undefined) {
      const sequence = this.pending;
      this.pending = undefined;
      this.emit('drawn', sequence);
    }
  }

  // Shadows and ambient light, with everything that could throw a shadow into what is framed.
  shade() {
    const { settings, rig, scene, surface, thick, cap, ground, overlays } = this;
    const frame = this.model.placed ? this.shot.all() : null;
    const all = frame && this.model.box();
    const far = 1.25 * diagonal(frame);
    const near = frame && {
      low: middle(frame).map((x, k) => Math.max(all.low[k], x - far)),
      high: middle(frame).map((x, k) => Math.min(all.high[k], x + far)),
    };
    overlays.group.visible = false;
    const { width, height } = this.canvas;
    this.light.prepare({ scene, rig, settings, parts: [surface, thick, cap, ground], box: frame && merge(frame, near), width, height });
    overlays.group.visible = true;
  }

  // Time between frames that follow each other; too slow on a fine screen: one pixel per pixel.
  measure(now) {
    this.frames += 1;
    const gap = now - (this.last ?? now);
    this.last = now;
    if (gap <= 0 || gap > 500) return;
    this.pace = this.pace > 0 ? 0.9 * this.pace + 0.1 * gap : gap;
    if (!this.coarse && this.pace > SLOW && this.ratio > 1 && this.frames > 60) {
      this.coarse = true;
      setTimeout(() => this.resize());
    }
  }

  // The clip plane: along an axis of the scene or of the view, from one side of the box to the other.
  // `clip` is then {plane, normal, low, high, handle}: the handle is in the middle of the plane.
  cut() {
    const { clip, clipAt, clipFlip } = this.settings;
    const box = this.model.vertexCount > 0 && clip !== 'off' ? this.shot.all() : null;
    this.clip = null;
    this.uniforms.uClip.value = [0, 0, 0, 1];
    if (!box) return;
    const normal =
      clip === 'view' ? this.rig.axes().back.toArray() : ['x', 'y', 'z'].map((axis) => (axis === clip ? 1 : 0));
    const ends = [0, 1, 2].map((k) => [normal[k] * box.low[k], normal[k] * box.high[k]]);
    const low = ends.reduce((sum, pair) => sum + Math.min(...pair), 0);
    const high = ends.reduce((sum, pair) => sum + Math.max(...pair), 0);
    const at = low + clipAt * (high - low);
    const centre = middle(box);
    const off = at - centre.reduce((sum, x, k) => sum + x * normal[k], 0);
    const plane = clipFlip ? [...normal.map((x) => -x), -at] : [...normal, at];
    this.uniforms.uClip.value = plane;
    this.clip = { plane, normal, low, high, box, handle: centre.map((x, k) => x + off * normal[k]) };
  }

  // Draws once with `factor` pixels per pixel and hands the canvas over before it is drawn again.
  drawAt(factor, use) {
    const { width, height } = this.rig.size;
    this.renderer.setPixelRatio(factor);
    this.renderer.setSize(width, height, false);
    this.overlays.ratio.value = factor;
    this.draw(performance.now());
    use(this.canvas);
    this.resize();
  }
}

// Without a graphics card smooth edges cost half of the frames.
function drawnBySoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return false;
  const known = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(known ? gl.getParameter(known.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

const UNIT = { low: [-1, -1, -1], high: [1, 1, 1] }; // where there is nothing
