// Sections of tetrahedra with a plane.

const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];
// For each set of corners on the far side (bits) the crossed edges, in order around the section.
const SECTIONS = Array.from({ length: 16 }, (_, bits) => {
  const far = [0, 1, 2, 3].filter((k) => bits & (1 << k));
  const near = [0, 1, 2, 3].filter((k) => !(bits & (1 << k)));
  const edge = (a, b) => EDGES.findIndex(([p, q]) => (p === a && q === b) || (p === b && q === a));
  if (far.length === 2) return [edge(far[0], near[0]), edge(far[0], near[1]), edge(far[1], near[1]), edge(far[1], near[0])];
  const [one, others] = far.length === 1 ? [far, near] : [near, far];
  return one.length === 1 ? others.map((k) => edge(one[0], k)) : [];
});

// The sections of tetrahedra with the plane n . x = w: {places (3 per corner), values, bodies, triangles,
// lines}, numbers of corners from 0.
export function sections(solids, positions, values, bodyOf, [nx, ny, nz, w]) {
  const out = { places: [], values: [], bodies: [], triangles: [], lines: [] };
  const height = new Float64Array(positions.length / 3);
  for (let v = 0; v < height.length; ++v)
    height[v] = nx * positions[3 * v] + ny * positions[3 * v + 1] + nz * positions[3 * v + 2] - w;
  for (let i = 0; i < solids.length; i += 4) {
    let bits = 0;
    for (let k = 0; k < 4; ++k) if (height[solids[i + k]] > 0) bits |= 1 << k;
    const crossed = SECTIONS[bits];
    const first = out.values.length;
    for (const e of crossed) {
      const [a, b] = EDGES[e].map((k) => solids[i + k]);
      const part = height[a] / (height[a] - height[b]);
      for (let k = 0; k < 3; ++k) out.places.push(positions[3 * a + k] + part * (positions[3 * b + k] - positions[3 * a + k]));
      out.values.push(values[a] + part * (values[b] - values[a]));
      out.bodies.push(bodyOf[a]);
    }
    for (let k = 2; k < crossed.length; ++k) out.triangles.push(first, first + k - 1, first + k);
    for (let k = 0; k < crossed.length; ++k) out.lines.push(first + k, first + ((k + 1) % crossed.length));
  }
  return out;
}
