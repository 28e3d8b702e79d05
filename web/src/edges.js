// Edges of a surface, each once, and which of them a drawing needs even without its mesh: those with
// the given keys (low * vertexCount + high).
export function surfaceEdges(triangles, vertexCount, creases) {
  const known = new Set(); // low * vertexCount + high
  const capacity = triangles.length;
  const ends = new Uint32Array(2 * capacity);
  const sharp = new Uint8Array(capacity); // 1: drawn
  let count = 0;
  for (let t = 0; t < triangles.length / 3; ++t) {
    for (let k = 0; k < 3; ++k) {
      const a = triangles[3 * t + k];
      const b = triangles[3 * t + ((k + 1) % 3)];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      if (!known.has(key)) {
        known.add(key);
        ends[2 * count] = a;
        ends[2 * count + 1] = b;
        sharp[count++] = creases.has(key) ? 1 : 0;
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

// Normals of vertices: sums over the faces around, not of unit length. A corner between edges u and v counts
// u x v / (|u|^2 |v|^2), which is right on a sphere however it is divided [Max99].
export function vertexNormals(triangles, p, out) {
  out.fill(0);
  const side = (a, b, k) => p[b + k] - p[a + k];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const [ux, uy, uz] = [side(a, b, 0), side(a, b, 1), side(a, b, 2)];
    const [vx, vy, vz] = [side(a, c, 0), side(a, c, 1), side(a, c, 2)];
    const [wx, wy, wz] = [vx - ux, vy - uy, vz - uz];
    const [uu, vv, ww] = [ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    add(out, a, n, uu * vv);
    add(out, b, n, uu * ww);
    add(out, c, n, vv * ww);
  }
}

function add(out, at, n, by) {
  if (!(by > 0)) return;
  for (let k = 0; k < 3; ++k) out[at + k] += n[k] / by;
}
