// Where smooth shading stops: borders, and edges that are sharp at the start, if they form long chains. On a coarse ball all
// edges are sharp and none is meant; on a box the chains from corner to corner are as long as its sides.
import { faceNormals } from './edges.js';

const SHARP = Math.cos((35 * Math.PI) / 180);
const STRAIGHT = Math.cos((30 * Math.PI) / 180); // where several edges meet, those in line are one chain
const LONG = 0.18; // of the diagonal of the body

// Edges of one triangle, and those of two that meet there sharply: [{a, b, key}].
function sharpEdges(triangles, positions, vertexCount) {
  const normals = faceNormals(triangles, positions);
  const dot = (s, t) => [0, 1, 2].reduce((sum, k) => sum + normals[3 * s + k] * normals[3 * t + k], 0);
  const first = new Map(); // key -> the edge and its first triangle
  const out = [];
  for (let t = 0; t < triangles.length / 3; ++t) {
    for (let k = 0; k < 3; ++k) {
      const a = triangles[3 * t + k];
      const b = triangles[3 * t + ((k + 1) % 3)];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      const other = first.get(key);
      if (other === undefined) first.set(key, { t, a, b, key });
      else {
        if (other.t >= 0 && dot(other.t, t) < SHARP) out.push(other);
        other.t = -1; // it has another side
      }
    }
  }
  return [...out, ...[...first.values()].filter((edge) => edge.t >= 0)];
}

// The two edges at a vertex that are in line, if any pair is: of two edges both.
function partners(vertex, edges, directions) {
  const pairs = new Map();
  if (edges.length === 2) return pairs.set(edges[0], edges[1]).set(edges[1], edges[0]);
  for (const e of edges) {
    const line = edges.find((f) => f !== e && directions(vertex, e, f) < -STRAIGHT);
    if (line !== undefined) pairs.set(e, line);
  }
  return pairs;
}

// Keys (low * vertexCount + high) of the edges in chains that are long beside `size(vertex)`, the diagonal
// of the vertex' body.
export function creaseKeys(triangles, positions, vertexCount, size) {
  const edges = sharpEdges(triangles, positions, vertexCount);
  const at = new Map();
  const length = edges.map(({ a, b }) => Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + k] - positions[3 * b + k])));
  edges.forEach(({ a, b }, e) => {
    for (const v of [a, b]) at.has(v) ? at.get(v).push(e) : at.set(v, [e]);
  });
  const away = (v, e, k) => {
    const other = edges[e].a === v ? edges[e].b : edges[e].a;
    return (positions[3 * other + k] - positions[3 * v + k]) / (length[e] || 1);
  };
  const directions = (v, e, f) => [0, 1, 2].reduce((sum, k) => sum + away(v, e, k) * away(v, f, k), 0);
  const root = edges.map((_, e) => e);
  const find = (e) => {
    while (root[e] !== e) e = root[e] = root[root[e]];
    return e;
  };
  for (const [vertex, list] of at) for (const [e, f] of partners(vertex, list, directions)) root[find(e)] = find(f);
  const total = new Float64Array(edges.length);
  edges.forEach((_, e) => (total[find(e)] += length[e]));
  return new Set(edges.filter(({ a }, e) => total[find(e)] > LONG * size(a)).map((edge) => edge.key));
}

// Corners of triangles as vertices of a drawing: one that creases divide becomes several. {index: for each
// corner its drawn vertex, source: for each drawn vertex the one it shows}; the first ones are the vertices
// themselves.
export function splitAtCreases(triangles, vertexCount, creases) {
  const index = Uint32Array.from(triangles);
  const source = Array.from({ length: vertexCount }, (_, v) => v);
  const sharp = new Set();
  for (const key of creases) sharp.add(key % vertexCount).add(Math.floor(key / vertexCount));
  const corners = new Map(); // vertex -> its corners
  for (let c = 0; c < triangles.length; ++c) {
    const v = triangles[c];
    if (!sharp.has(v)) continue;
    corners.has(v) ? corners.get(v).push(c) : corners.set(v, [c]);
  }
  for (const [v, list] of corners) {
    const fans = fansOf(v, list, triangles, vertexCount, creases);
    fans.slice(1).forEach((fan) => {
      for (const c of fan) index[c] = source.length;
      source.push(v);
    });
  }
  return { index, source: Uint32Array.from(source) };
}

// Corners at a vertex in groups, joined across edges that are no creases.
function fansOf(v, list, triangles, vertexCount, creases) {
  const across = new Map(); // key of an edge at v -> corners beside it
  for (const c of list) {
    const t = c - (c % 3);
    for (const other of [triangles[t + ((c + 1) % 3)], triangles[t + ((c + 2) % 3)]]) {
      const key = Math.min(v, other) * vertexCount + Math.max(v, other);
      if (creases.has(key)) continue;
      across.has(key) ? across.get(key).push(c) : across.set(key, [c]);
    }
  }
  const fan = new Map(list.map((c) => [c, c]));
  const find = (c) => {
    while (fan.get(c) !== c) c = fan.get(c);
    return c;
  };
  for (const near of across.values()) for (const c of near.slice(1)) fan.set(find(c), find(near[0]));
  const groups = new Map();
  for (const c of list) {
    const r = find(c);
    groups.has(r) ? groups.get(r).push(c) : groups.set(r, [c]);
  }
  return [...groups.values()];
}
