// Half-spaces as planes with a grid, hatched in the plane; without any, a reference grid below the scene.
import { DoubleSide, FrontSide, Group, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from 'three';
import { niceStep } from './format.js';
import { floorFragment, floorVertex, hatchFragment } from './shaders.js';

const REACH = 9; // half a side of the drawn square, in radii of the scene

export class Ground {
  constructor(shared) {
    this.group = new Group();
    this.shared = shared;
    this.face = { value: [1, 1, 1] };
    this.line = { value: [0, 0, 0] };
    this.hatch = { value: [1, 1, 1] };
    this.darkness = { value: 0.2 };
    this.squares = [];
  }

  setTheme(theme) {
    this.face.value = theme.floor;
    this.line.value = theme.floorLine;
    this.hatch.value = theme.hatch;
    this.darkness.value = theme.shadow;
  }

  // `box` of the scene; half-spaces: {point, normal, carrier}.
  setScene(halfSpaces, box, rig) {
    this.dispose();
    const middle = new Vector3().fromArray(box.low).add(new Vector3().fromArray(box.high)).multiplyScalar(0.5);
    const make = rig.plane ? this.hatched : this.floor;
    for (const h of halfSpaces) {
      const normal = new Vector3().fromArray(h.normal).normalize();
      const origin = middle.clone().addScaledVector(normal, new Vector3().fromArray(h.point).sub(middle).dot(normal));
      const square = make.call(this, origin, normal, rig, 1);
      square.userData.carrier = h.carrier ?? -1;
    }
    this.reference(box, middle, rig);
  }

  // Half-spaces that a vertex carries are where it is: along their normals, the squares being endless.
  follow(model) {
    for (const square of this.squares) {
      const { normal, origin, carrier } = square.userData;
      if (!(carrier >= 0 && carrier < model.vertexCount)) continue;
      origin.addScaledVector(normal, new Vector3(...model.position(carrier)).sub(origin).dot(normal));
    }
  }

  // The reference grid: at the lowest point, or behind everything in the plane.
  reference(box, middle, rig) {
    const normal = rig.plane ? new Vector3(0, 0, 1) : rig.up.clone();
    const corners = [box.low, box.high].map((c) => new Vector3().fromArray(c).dot(normal));
    const depth = Math.min(...corners) - (rig.plane ? rig.radius : 0);
    const origin = middle.clone().addScaledVector(normal, depth - middle.dot(normal));
    this.grid = this.floor(origin, normal, rig, 0);
    this.grid.renderOrder = -10;
  }

  floor(origin, normal, rig, opacity) {
    const across = axisIn(normal, rig.side);
    const along = new Vector3().crossVectors(normal, across);
    const spacing = niceStep(2 * rig.radius, 12);
    return this.add(
      new ShaderMaterial({
        vertexShader: floorVertex,
        fragmentShader: floorFragment,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        uniforms: {
          ...this.shared,
          uNormal: { value: normal },
          uDarkness: this.darkness,
          uOrigin: { value: origin },
          uAcross: { value: across },
          uAlong: { value: along },
          uSize: { value: REACH * rig.radius },
          uSpacing: { value: spacing },
          uFaceOpacity: { value: opacity },
          uLineOpacity: { value: 1 },
          uFace: this.face,
          uLine: this.line,
          uShift: { value: [origin.dot(across), origin.dot(along)] },
        },
      }),
      normal,
      origin,
    );
  }

  hatched(origin, normal, rig) {
    const across = new Vector3(normal.y, -normal.x, 0);
    return this.add(
      new ShaderMaterial({
        vertexShader: floorVertex,
        fragmentShader: hatchFragment,
        transparent: true,
        depthWrite: false,
        side: FrontSide,
        uniforms: {
          uOrigin: { value: origin },
          uAcross: { value: across },
          uAlong: { value: normal },
          uSize: { value: 100 * rig.radius },
          uFace: this.hatch,
          uLine: this.line,
          uPixel: this.shared.uPixel,
        },
      }),
      normal,
      origin,
    );
  }

  add(material, normal, origin) {
    const square = new Mesh(new PlaneGeometry(2, 2), material);
    square.frustumCulled = false;
    square.renderOrder = -5;
    square.userData = { normal, origin };
    this.group.add(square);
    this.squares.push(square);
    return square;
  }

  // Surfaces that one sees from above count for ambient occlusion; none throws a shadow.
  prepass(kind) {
    for (const square of this.squares) {
      const { material } = square;
      if (kind && square.userData.was === undefined) square.userData.was = square.visible;
      const opaque = square !== this.grid && material.uniforms.uFaceOpacity?.value > 0.5;
      square.visible = kind ? kind === 'depth' && opaque : (square.userData.was ?? square.visible);
      if (!kind) square.userData.was = undefined;
      material.depthWrite = kind === 'depth';
    }
  }

  prepare(settings, rig) {
    for (const square of this.squares) {
      const { normal, origin } = square.userData;
      const uniforms = square.material.uniforms;
      if (square === this.grid) {
        square.visible = settings.grid && (rig.plane || this.squares.length === 1);
        if (rig.plane) uniforms.uSpacing.value = niceStep(rig.size.height * rig.pixelAtTarget, 25);
        uniforms.uLineOpacity.value = rig.plane ? 0.5 : 0.9;
        continue;
      }
      if (rig.plane) continue;
      const above = rig.camera.position.clone().sub(origin).dot(normal) > 0;
      uniforms.uFaceOpacity.value = above ? 1 : 0.13;
      uniforms.uLineOpacity.value = settings.grid ? 1 : 0;
    }
  }

  dispose() {
    for (const square of this.squares) {
      square.geometry.dispose();
      square.material.dispose();
      this.group.remove(square);
    }
    this.squares = [];
  }
}

// The part of `wish` in the plane of `normal`, or any direction there.
function axisIn(normal, wish) {
  const axis = wish.clone().addScaledVector(normal, -wish.dot(normal));
  if (axis.length() < 0.1) axis.set(normal.y, normal.z, normal.x).addScaledVector(normal, -axis.dot(normal));
  return axis.normalize();
}
