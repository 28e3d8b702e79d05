// Scenes of the mock server: shapes that move by a formula, not by physics. `place(t, out)` fills the
// positions at a time; bodies and elements are numbered as the protocol says.

// A box of n^3 cells, its surface alone.
export function boxSurface(n, size) {
  const numbers = new Map();
  const points = [];
  const at = (i, j, k) => {
    const key = (i * (n + 1) + j) * (n + 1) + k;
    if (!numbers.has(key)) {
      numbers.set(key, points.length);
      points.push([i, j, k].map((x) => size * (x / n - 0.5)));
    }
    return numbers.get(key);
  };
  const triangles = [];
  const quad = (a, b, c, d) => triangles.push([a, b, c], [a, c, d]);
  for (let u = 0; u < n; ++u) {
    for (let v = 0; v < n; ++v) {
      quad(at(u, v, n), at(u + 1, v, n), at(u + 1, v + 1, n), at(u, v + 1, n));
      quad(at(u, v, 0), at(u, v + 1, 0), at(u + 1, v + 1, 0), at(u + 1, v, 0));
      quad(at(n, u, v), at(n, u + 1, v), at(n, u + 1, v + 1), at(n, u, v + 1));
      quad(at(0, u, v), at(0, u, v + 1), at(0, u + 1, v + 1), at(0, u + 1, v));
      quad(at(u, n, v), at(u, n, v + 1), at(u + 1, n, v + 1), at(u + 1, n, v));
      quad(at(u, 0, v), at(u + 1, 0, v), at(u + 1, 0, v + 1), at(u, 0, v + 1));
    }
  }
  return { points, triangles, segments: [] };
}

function sphereSurface(n, radius) {
  const { points, triangles } = boxSurface(n, 2);
  return { points: points.map((p) => p.map((x) => (radius * x) / Math.hypot(...p))), triangles, segments: [] };
}

function chain(count, length) {
  const points = Array.from({ length: count }, (_, i) => [length * (i / (count - 1) - 0.5), 0, 0]);
  return { points, triangles: [], segments: points.slice(1).map((_, i) => [i, i + 1]) };
}

function sheet(n, size) {
  const points = [];
  const triangles = [];
  for (let j = 0; j <= n; ++j)
    for (let i = 0; i <= n; ++i) points.push([size * (i / n - 0.5), size * (j / n - 0.5), 0]);
  const at = (i, j) => j * (n + 1) + i;
  for (let j = 0; j < n; ++j) {
    for (let i = 0; i < n; ++i)
      triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
  }
  return { points, triangles, segments: [] };
}

// Squashes and shears about the foot of the body, and hops.
const wobble = (height, phase) => (p, t, centre) => {
  const s = 1 + 0.18 * Math.sin(5 * t + phase);
  const hop = 0.12 * Math.abs(Math.sin(2.5 * t + phase));
  const y = (p[1] + height / 2) * s;
  return [
    centre[0] + p[0] / Math.sqrt(s) + 0.25 * y * Math.sin(3 * t + phase),
    centre[1] + y + hop,
    centre[2] + p[2] / Math.sqrt(s),
  ];
};
const sway = (p, t, c) => [
  c[0] + p[0],
  c[1] + p[1] + 0.06 * Math.sin(9 * p[0] + 6 * t),
  c[2] + p[2] + 0.06 * Math.cos(7 * p[0] + 5 * t),
];
const rest = (p, _t, c) => p.map((x, k) => x + c[k]);
const flat = (p, t, c) => [
  c[0] + p[0] * (1 + 0.15 * Math.sin(4 * t)),
  c[1] + p[1] * (1 - 0.15 * Math.sin(4 * t)) + 0.1 * p[0] * Math.sin(3 * t),
  0,
];

// parts: {name, shape, move, centre, obstacle, thickness}
function assemble(name, description, dimension, halfSpaces, parts) {
  const bodies = [];
  const points = [];
  const triangles = [];
  const segments = [];
  for (const part of parts) {
    const first = points.length;
    const [t, s] = [triangles.length, segments.length];
    part.shape.points.forEach((p) => points.push({ p, part }));
    part.shape.triangles.forEach((e) => triangles.push(e.map((v) => v + first)));
    part.shape.segments.forEach((e) => segments.push(e.map((v) => v + first)));
    bodies.push({
      name: part.name,
      vertices: [first, points.length],
      triangles: [t, triangles.length],
      segments: [s, segments.length],
      obstacle: !!part.obstacle,
      thickness: part.thickness ?? 0,
    });
  }
  const place = (time, out) => points.forEach(({ p, part }, i) => out.set(part.move(p, time, part.centre), 3 * i));
  return {
    name,
    description,
    dimension,
    halfSpaces,
    bodies,
    place,
    vertexCount: points.length,
    triangles: Uint32Array.from(triangles.flat()),
    segments: Uint32Array.from(segments.flat()),
  };
}

const ground = { name: 'ground', point: [0, 0, 0], normal: [0, 1, 0] };

export const SCENES = {
  boxes: () =>
    assemble(
      'boxes',
      'Two boxes wobble beside a ball that does not.',
      3,
      [ground],
      [
        { name: 'left', shape: boxSurface(8, 0.5), move: wobble(0.5, 0), centre: [-0.4, 0, 0] },
        { name: 'right', shape: boxSurface(6, 0.4), move: wobble(0.4, 1.3), centre: [0.35, 0, 0.2] },
        { name: 'chain', shape: chain(24, 1.4), move: sway, centre: [0, 0.95, -0.2], thickness: 0.025 },
        {
          name: 'dust',
          shape: {
            points: Array.from({ length: 12 }, (_, i) => [0.09 * i - 0.5, 0.04 * Math.sin(i), 0.05 * (i % 3)]),
            triangles: [],
            segments: [],
          },
          move: sway,
          centre: [0, 0.05, 0.65],
        },
        { name: 'ball', shape: sphereSurface(8, 0.22), move: rest, centre: [0.95, 0.22, -0.1], obstacle: true },
      ],
    ),
  plane: () =>
    assemble(
      'plane',
      'A sheet breathes in the plane.',
      2,
      [ground],
      [
        { name: 'sheet', shape: sheet(8, 0.8), move: flat, centre: [0, 0.6, 0] },
        { name: 'other', shape: sheet(4, 0.3), move: flat, centre: [0.9, 0.3, 0] },
        {
          name: 'string',
          shape: chain(12, 0.9),
          move: (p, t, c) => [c[0] + p[0], c[1] + 0.05 * Math.sin(8 * p[0] + 5 * t), 0],
          centre: [0.1, 1.35, 0],
        },
      ],
    ),
  large: (cells = 91) =>
    assemble(
      'large',
      'A box with many vertices.',
      3,
      [ground],
      [{ name: 'box', shape: boxSurface(cells, 1), move: wobble(1, 0), centre: [0, 0, 0] }],
    ),
};
