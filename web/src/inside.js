// Obstacles with something inside, which are drawn as glass.

const WAYS = [];
for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) if (x || y || z) WAYS.push([x, y, z]);

// Obstacles that hide a body: from some of its vertices they are seen in nearly all directions.
export function enclosing(model) {
  const lists = model.bodies.map((body) => model.triangles.subarray(3 * body.triangles[0], 3 * body.triangles[1]));
  const obstacles = model.bodies.flatMap((body, b) => (body.obstacle && lists[b].length > 0 ? [b] : []));
  const boxes = new Map(obstacles.map((b) => [b, model.box(...model.bodies[b].vertices)]));
  const out = new Set();
  model.bodies.forEach((body) => {
    if (body.obstacle || obstacles.every((b) => out.has(b))) return;
    const [first, end] = body.vertices;
    const met = new Map();
    let count = 0;
    let hidden = 0;
    for (let i = 0; i < 5; ++i) {
      const o = model.position(Math.min(end - 1, first + Math.floor(((end - first) * (i + 0.5)) / 5)));
      const near = obstacles.filter((b) => inBox(boxes.get(b), o));
      count += 1;
      if (near.length === 0) continue;
      let hits = 0;
      for (const d of WAYS) {
        const b = near.find((n) => hitsAny(model.positions, lists[n], o, d));
        if (b === undefined) continue;
        hits += 1;
        met.set(b, (met.get(b) ?? 0) + 1);
      }
      if (hits >= 20) hidden += 1;
    }
    if (2 * hidden > count) for (const [b, n] of met) if (n > 10) out.add(b);
  });
  return out;
}

const inBox = (box, p) => box && [0, 1, 2].every((k) => p[k] >= box.low[k] && p[k] <= box.high[k]);

// Whether the ray o + t d, t > 0, meets a triangle of the list [Moeller97].
function hitsAny(p, list, o, d) {
  for (let i = 0; i < list.length; i += 3) {
    const [a, b, c] = [3 * list[i], 3 * list[i + 1], 3 * list[i + 2]];
    const e = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const f = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const h = [d[1] * f[2] - d[2] * f[1], d[2] * f[0] - d[0] * f[2], d[0] * f[1] - d[1] * f[0]];
    const det = e[0] * h[0] + e[1] * h[1] + e[2] * h[2];
    if (det === 0) continue;
    const s = [o[0] - p[a], o[1] - p[a + 1], o[2] - p[a + 2]];
    const u = (s[0] * h[0] + s[1] * h[1] + s[2] * h[2]) / det;
    if (u < 0 || u > 1) continue;
    const q = [s[1] * e[2] - s[2] * e[1], s[2] * e[0] - s[0] * e[2], s[0] * e[1] - s[1] * e[0]];
    const v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
    if (v < 0 || u + v > 1) continue;
    if ((f[0] * q[0] + f[1] * q[1] + f[2] * q[2]) / det > 0) return true;
  }
  return false;
}
