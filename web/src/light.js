// Light: a shadow map of everything, and ambient occlusion from the depths of the picture. Both are drawn
// before the picture and read by its shaders; what cannot be had (no depth textures) is left out.
//
// Ambient occlusion: a point is darkened by what rises above its tangent plane nearby, summed over points
// of a spiral on the screen [McGuire12], and smoothed over the dither where depths agree.
import {
  DepthTexture,
  FloatType,
  LessEqualCompare,
  LinearFilter,
  Matrix4,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  PlaneGeometry,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  UnsignedByteType,
  UnsignedIntType,
  Vector3,
  WebGLRenderTarget,
} from 'three';
import { ambientFragment, screenVertex, smoothFragment } from './shaders.js';

// Towards the key light: along right, up and towards the viewer of the first view. It stands still in the
// scene; the rest of the light is where the camera is.
const KEY = [-0.35, 0.85, 0.4];
const REACH = 0.14; // of ambient occlusion, in radii of the scene

export class Light {
  constructor(renderer, shared, soft) {
    Object.assign(this, { renderer, shared, soft });
    this.side = soft ? 1024 : 2048; // of the shadow map [px]
    this.camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    this.screen = new Scene();
    this.square = new Mesh(new PlaneGeometry(2, 2));
    this.square.frustumCulled = false;
    this.screen.add(this.square);
    this.maps = null;
    const pass = (fragmentShader, uniforms) =>
      new ShaderMaterial({ vertexShader: screenVertex, fragmentShader, uniforms, depthTest: false, depthWrite: false });
    this.depths = { value: null };
    this.rough = { value: null };
    this.back = { value: new Matrix4() };
    this.reach = { value: [0, 0] }; // [m], [px] at the depth 1, or at any without perspective
    this.size = { value: [1, 1] };
    const common = { uDepths: this.depths, uBack: this.back, uSize: this.size };
    this.ambient = pass(ambientFragment, {
      ...common,
      uReach: this.reach,
      uFlat: { value: 0 },
      uTurns: { value: soft ? 7 : 14 },
    });
    this.smooth = pass(smoothFragment, { ...common, uRough: this.rough });
  }

  makeShadowMap() {
    const target = new WebGLRenderTarget(this.side, this.side, { format: RGBAFormat, type: UnsignedByteType });
    target.depthTexture = new DepthTexture(this.side, this.side, UnsignedIntType);
    target.depthTexture.compareFunction = LessEqualCompare;
    target.depthTexture.minFilter = LinearFilter;
    target.depthTexture.magFilter = LinearFilter;
    this.shadow = target;
    this.shared.uShadows.value = target.depthTexture;
  }

  // Half as many pixels as the picture, each way: what is smooth needs no more.
  makeMaps(width, height) {
    const [w, h] = [width, height].map((n) => Math.max(1, Math.round(n / 2)));
    if (this.maps && this.maps.width === w && this.maps.height === h) return;
    this.disposeMaps();
    const target = (more = {}) => new WebGLRenderTarget(w, h, { minFilter: LinearFilter, magFilter: LinearFilter, ...more });
    const depths = target({ minFilter: NearestFilter, magFilter: NearestFilter });
    depths.depthTexture = new DepthTexture(w, h, FloatType);
    this.maps = { width: w, height: h, depths, rough: target({ depthBuffer: false }), smooth: target({ depthBuffer: false }) };
    this.depths.value = depths.depthTexture;
    this.rough.value = this.maps.rough.texture;
    this.size.value = [w, h];
    this.shared.uAmbient.value = this.maps.smooth.texture;
  }

  disposeMaps() {
    for (const name of ['depths', 'rough', 'smooth']) this.maps?.[name].dispose();
    this.maps = null;
  }

  // The direction of the key light in the world, and the box that throws shadows.
  place(rig, box) {
    const { side, up, front } = rig;
    const key = new Vector3().addScaledVector(side, KEY[0]).addScaledVector(up, KEY[1]).addScaledVector(front, KEY[2]);
    key.normalize();
    this.shared.uKey.value = key.toArray();
    const middle = new Vector3(...box.low).add(new Vector3(...box.high)).multiplyScalar(0.5);
    const radius = Math.max(1e-9, 0.53 * new Vector3(...box.low).distanceTo(new Vector3(...box.high)));
    const { camera } = this;
    Object.assign(camera, { left: -radius, right: radius, top: radius, bottom: -radius, near: 0, far: 6 * radius });
    camera.position.copy(middle).addScaledVector(key, 3 * radius);
    camera.up.copy(Math.abs(key.dot(up)) > 0.99 ? front : up);
    camera.lookAt(middle);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.texel = (2 * radius) / this.side;
    const half = new Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);
    const toMap = half.multiply(camera.projectionMatrix).multiply(camera.matrixWorldInverse);
    this.shared.uToShadow.value = toMap;
    this.shared.uTexel.value = this.texel;
  }

  // What the shaders of the picture need. `parts`: {surface, thick, ground}, each with `prepass(kind)`, which
  // makes it draw depths ("shadow": of what throws one; "depth": of all) or, with "", colours again.
  prepare({ scene, rig, settings, parts, box, width, height }) {
    const { renderer, shared } = this;
    const before = renderer.getRenderTarget();
    const shadows = settings.shadows && !rig.plane && box !== null;
    const ambient = settings.ambient && !rig.plane && box !== null;
    shared.uHasShadows.value = shadows ? 1 : 0;
    shared.uHasAmbient.value = ambient ? 1 : 0;
    if (!shadows && !ambient) {
      if (box) this.place(rig, box);
      return;
    }
    this.place(rig, box);
    const pass = (target, kind, camera) => {
      for (const part of parts) part.prepass(kind);
      renderer.setRenderTarget(target);
      renderer.clear();
      renderer.render(scene, camera);
    };
    if (shadows) {
      if (!this.shadow) this.makeShadowMap();
      shared.uPixel.value = [this.texel, 0];
      pass(this.shadow, 'shadow', this.camera);
      shared.uPixel.value = rig.pixel;
    }
    if (ambient) {
      this.makeMaps(width, height);
      pass(this.maps.depths, 'depth', rig.camera);
    }
    for (const part of parts) part.prepass('');
    if (ambient) this.occlude(rig);
    renderer.setRenderTarget(before);
  }

  occlude(rig) {
    const { renderer, maps, ambient, smooth } = this;
    this.back.value.copy(rig.camera.projectionMatrixInverse);
    const reach = REACH * rig.radius;
    const [a, b] = rig.pixel;
    const pixels = reach / (2 * (rig.flat ? a : b)); // maps have half as many
    this.reach.value = [reach, pixels];
    ambient.uniforms.uFlat.value = rig.flat ? 1 : 0;
    const draw = (target, material) => {
      this.square.material = material;
      renderer.setRenderTarget(target);
      renderer.render(this.screen, rig.camera);
    };
    draw(maps.rough, ambient);
    draw(maps.smooth, smooth);
    this.shared.uScreen.value = [1 / (2 * maps.width), 1 / (2 * maps.height)];
  }
}
