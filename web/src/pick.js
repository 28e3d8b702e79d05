// What is under the cursor: the nearest triangle along a ray, by trying all of them (a few milliseconds
// for 100,000), or the nearest vertex on the screen for points and segments.
const NEAR = 14; // [px]

// {vertex, point} or null. `keep(point)`: not cut away by the clip plane; `wanted(body)`: can be seen.
export function pick(model, rig, x, y, { keep, wanted }) {
  const ray = rig.ray(x, y);
  const hit = nearestTriangle(model, ray, keep, wanted);
  const thin = nearestThin(model, rig, x, y, keep, wanted);
  if (!hit) return thin;
  if (thin && thin.depth < hit.depth) return thin;
  return hit;
}

function nearestTriangle(model, { origin, direction }, keep, wanted) {
  const { triangles, positions: p } = model;
  const o = [origin.x, origin.y, origin.z];
  const d = [direction.x, direction.y, direction.z];
  let best = null;
  for (let i = 0; i < triangles.length; i += 3) {
    const t = crossing(p, 3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2], o, d);
    if (!(t > 0) || (best && t >= best.depth)) continue;
    if (!wanted(model.bodyOf[triangles[i]])) continue;
    const point = [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]];
    if (keep(point)) best = { depth: t, point, at: i };
  }
  if (!best) return null;
  const corners = [0, 1, 2].map((k) => triangles[best.at + k]);
  const away = (v) => Math.hypot(...[0, 1, 2].map((k) => p[3 * v + k] - best.point[k]));
  best.vertex = corners.reduce((a, b) => (away(b) < away(a) ? b : a));
  return best;
}

// Parameter of the ray where it meets triangle a b c, from either side; -1 if it does not.
// o + t d = a + u (b - a) + v (c - a), by Cramer's rule.
function crossing(p, a, b, c, o, d) {
  const e1x = p[b] - p[a],
    e1y = p[b + 1] - p[a + 1],
    e1z = p[b + 2] - p[a + 2];
  const e2x = p[c] - p[a],
    e2y = p[c + 1] - p[a + 1],
    e2z = p[c + 2] - p[a + 2];
  const hx = d[1] * e2z - d[2] * e2y,
    hy = d[2] * e2x - d[0] * e2z,
    hz = d[0] * e2y - d[1] * e2x;
  const det = e1x * hx + e1y * hy + e1z * hz;
  if (det === 0) return -1;
  const sx = o[0] - p[a],
    sy = o[1] - p[a + 1],
    sz = o[2] - p[a + 2];
  const u = (sx * hx + sy * hy + sz * hz) / det;
  if (!(u >= 0 && u <= 1)) return -1;
  const qx = sy * e1z - sz * e1y,
    qy = sz * e1x - sx * e1z,
    qz = sx * e1y - sy * e1x;
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / det;
  if (!(v >= 0 && u + v <= 1)) return -1;
  return (e2x * qx + e2y * qy + e2z * qz) / det;
}

// Vertices of bodies without triangles, on the screen.
function nearestThin(model, rig, x, y, keep, wanted) {
  let best = null;
  model.bodies.forEach((body, b) => {
    if (body.triangles[1] > body.triangles[0] || !wanted(b)) return;
    for (let v = body.vertices[0]; v < body.vertices[1]; ++v) {
      const point = model.position(v);
      const at = rig.project(point);
      if (!at || !keep(point)) continue;
      const pixels = Math.hypot(at.x - x, at.y - y) - (body.radius || body.thickness || 0) / Math.max(rig.pixelAtTarget, 1e-30);
      if (pixels > NEAR || (best && pixels >= best.pixels)) continue;
      best = { vertex: v, point: [...point], pixels };
    }
  });
  if (best) {
    const { origin } = rig.ray(x, y);
    best.depth = Math.hypot(best.point[0] - origin.x, best.point[1] - origin.y, best.point[2] - origin.z);
  }
  return best;
}
