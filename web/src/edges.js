// Edges of a surface, each once, and which of them a drawing needs even without its mesh: rims (one
// triangle), creases (two that meet at more than 35 degrees at the start), sides shared by three or more.
const CREASE = Math.cos((35 * Math.PI) / 180);

export function surfaceEdges(triangles, positions, vertexCount) {
  const known = new Map(); // low * vertexCount + high -> index of the edge
  const capacity = triangles.length;
  const ends = new Uint32Array(2 * capacity);
  const first = new Uint32Array(capacity); // a triangle at it
  const sharp = new Uint8Array(capacity); // 1: one triangle so far, or a crease
  const normals = faceNormals(triangles, positions);
  let count = 0;
  for (let t = 0; t < triangles.length / 3; ++t) {
    for (let k = 0; k < 3; ++k) {
      const a = triangles[3 * t + k];
      const b = triangles[3 * t + ((k + 1) % 3)];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      const edge = known.get(key);
      if (edge === undefined) {
        known.set(key, count);
        ends[2 * count] = a;
        ends[2 * count + 1] = b;
        first[count] = t;
        sharp[count++] = 1;
      } else {
        sharp[edge] = dot(normals, first[edge], t) < CREASE ? 1 : 0;
      }
    }
  }
  return { all: ends.slice(0, 2 * count), sharp: select(ends, sharp, count) };
}

function select(ends, wanted, count) {
  const out = [];
  for (let e = 0; e < count; ++e) if (wanted[e]) out.push(ends[2 * e], ends[2 * e + 1]);
  return Uint32Array.from(out);
}

const dot = (n, s, t) => n[3 * s] * n[3 * t] + n[3 * s + 1] * n[3 * t + 1] + n[3 * s + 2] * n[3 * t + 2];

// Of unit length; 0 where a triangle has no area.
export function faceNormals(triangles, positions) {
  const out = new Float32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    faceNormal(triangles, positions, i, out, i);
    const length = Math.hypot(out[i], out[i + 1], out[i + 2]);
    for (let k = 0; k < 3; ++k) out[i + k] = length > 0 ? out[i + k] / length : 0;
  }
  return out;
}

// (b - a) x (c - a), twice the area long.
function faceNormal(triangles, p, i, out, at) {
  const a = 3 * triangles[i];
  const b = 3 * triangles[i + 1];
  const c = 3 * triangles[i + 2];
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  out[at] = uy * vz - uz * vy;
  out[at + 1] = uz * vx - ux * vz;
  out[at + 2] = ux * vy - uy * vx;
}

// Normals of vertices: sums over the faces around, weighted by area; not of unit length.
export function vertexNormals(triangles, positions, out) {
  const n = new Float32Array(3);
  out.fill(0);
  for (let i = 0; i < triangles.length; i += 3) {
    faceNormal(triangles, positions, i, n, 0);
    for (let k = 0; k < 3; ++k) {
      const v = 3 * triangles[i + k];
      out[v] += n[0];
      out[v + 1] += n[1];
      out[v + 2] += n[2];
    }
  }
}
