// Which part of a scene a look frames; the rule is that of pli_camera_frame (src/render/camera.h), and
// tests/render/framing.json has numbers for both. Boxes: {low, high, obstacle}, null where there is none.
const FAR = 4; // diagonals of the core that a body may be away
const SPREAD = 2; // diagonals of the start
const AROUND = 2; // diagonals of what moves, for obstacles

export const diagonal = (box) => (box ? Math.hypot(...[0, 1, 2].map((k) => box.high[k] - box.low[k])) : 0);
export const middle = (box) => [0, 1, 2].map((k) => 0.5 * (box.low[k] + box.high[k]));

export function merge(...boxes) {
  const there = boxes.filter(Boolean);
  if (there.length === 0) return null;
  return {
    low: [0, 1, 2].map((k) => Math.min(...there.map((b) => b.low[k]))),
    high: [0, 1, 2].map((k) => Math.max(...there.map((b) => b.high[k]))),
  };
}

// Of an even number of values the one nearer to `start`.
function median(values, start) {
  const sorted = [...values].sort((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  return Math.abs(high - start) < Math.abs(low - start) ? high : low;
}

function coreOf(moving, start) {
  const middles = moving.map(middle);
  const from = [0, 1, 2].map((k) => median(middles.map((m) => m[k]), start ? middle(start)[k] : -Infinity));
  const away = middles.map((m) => (m[0] - from[0]) ** 2 + (m[1] - from[1]) ** 2 + (m[2] - from[2]) ** 2);
  const half = [...away].sort((a, b) => a - b)[Math.ceil(away.length / 2) - 1];
  return moving.filter((_, i) => away[i] <= half).reduce((a, b) => merge(a, b), null);
}

export function frameBodies(bodies, start = null) {
  const there = bodies.filter(Boolean);
  if (there.length === 0) return null;
  const free = there.filter((b) => !b.obstacle);
  const moving = free.length > 0 ? free : there;
  const core = coreOf(moving, start);
  const limit = Math.max(FAR * diagonal(core), SPREAD * diagonal(start));
  const box = moving.filter((b) => diagonal(merge(core, b)) <= limit).reduce((a, b) => merge(a, b), core);
  const around = AROUND * diagonal(box);
  return there.filter((b) => b.obstacle && diagonal(merge(box, b)) <= around).reduce((a, b) => merge(a, b), box);
}
