// The faces of a cut: where the plane crosses tetrahedra, with the field inside, and the mesh as lines.
// Filled again when the plane or the bodies move.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Group, LineSegments, Mesh, ShaderMaterial } from 'three';
import { sections } from './cut.js';
import { capFragment, capVertex, depthFragment, edgeFragment, edgeVertex } from './shaders.js';

export class Cap {
  constructor(shared) {
    this.group = new Group();
    this.normal = { value: [0, 0, 1] };
    const uPass = { value: 0 };
    const make = (vertexShader, fragmentShader, more = {}) =>
      new ShaderMaterial({ vertexShader, fragmentShader, side: DoubleSide, uniforms: { ...shared, uPass, uOpacity: { value: 0.45 }, uClip: { value: [0, 0, 0, 1] }, uNormal: this.normal }, ...more });
    this.coloured = make(capVertex, capFragment, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.plain = make(capVertex, depthFragment);
    this.faces = new Mesh(new BufferGeometry(), this.coloured);
    this.lines = new LineSegments(new BufferGeometry(), make(edgeVertex, edgeFragment, { transparent: true, depthWrite: false }));
    this.lines.renderOrder = 5;
    for (const object of [this.faces, this.lines]) {
      object.frustumCulled = false;
      object.visible = false;
      this.group.add(object);
    }
  }

  prepass(kind) {
    this.faces.material = kind ? this.plain : this.coloured;
    if (kind && this.shown === undefined) this.shown = this.lines.visible;
    this.lines.visible = kind ? false : (this.shown ?? this.lines.visible);
    if (!kind) this.shown = undefined;
  }

  // `clip`: the plane, or null. `values` per vertex.
  prepare(model, clip, values, settings) {
    const there = clip !== null && model.solids.length > 0 && settings.faces;
    this.faces.visible = there;
    this.lines.visible = there && settings.edges;
    if (!there) return;
    const found = sections(model.solids, model.positions, values, model.bodyOf, clip);
    this.normal.value = clip.slice(0, 3);
    const give = (object, index) => {
      object.geometry.dispose();
      const geometry = new BufferGeometry();
      const set = (name, list, size) =>
        geometry.setAttribute(name, new BufferAttribute(new Float32Array(list), size).setUsage(DynamicDrawUsage));
      set('position', found.places, 3);
      set('value', found.values, 1);
      set('body', found.bodies, 1);
      set('mark', new Float32Array(found.values.length), 1);
      geometry.setIndex(new BufferAttribute(new Uint32Array(index), 1));
      object.geometry = geometry;
    };
    give(this.faces, found.triangles);
    if (this.lines.visible) give(this.lines, found.lines);
  }
}
