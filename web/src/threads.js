// Polylines in a list of segments, and the borders of sheets as such a list.

// For each segment the vertices [before, from, to, after]: `before` and `after` are the other neighbours
// of its ends, or -1 where the thread ends or more than two segments meet; and a number from 0 to 1 of the
// strand, a run of segments each of which begins where the one before it ends (0: there is only one).
// `ends`: the vertices without two neighbours, each once.
export function joints(segments) {
  const near = new Map(); // vertex -> its neighbours
  for (let i = 0; i < segments.length; i += 2) {
    for (let k = 0; k < 2; ++k) {
      const list = near.get(segments[i + k]);
      const other = segments[i + 1 - k];
      if (list) list.push(other);
      else near.set(segments[i + k], [other]);
    }
  }
  const beyond = (vertex, from) => {
    const list = near.get(vertex);
    return list.length === 2 ? (list[0] === from ? list[1] : list[0]) : -1;
  };
  const rows = [];
  let strand = 0;
  for (let i = 0; i < segments.length; i += 2) {
    const [a, b] = [segments[i], segments[i + 1]];
    if (i > 0 && a !== segments[i - 1]) strand++;
    rows.push({ vertices: [beyond(a, b), a, b, beyond(b, a)], strand: strand > 0 ? scattered(strand) : 0 });
  }
  return { rows, ends: [...near.keys()].filter((v) => near.get(v).length !== 2) };
}

// As in src/render/picture_thin.c.
function scattered(i) {
  let bits = Math.imul(i, 2654435769) >>> 0;
  bits ^= bits >>> 15;
  return (Math.imul(bits, 2246822519) >>> 8) / (1 << 24);
}

// Edges of exactly one triangle, two vertices each.
export function rimsOf(triangles, vertexCount) {
  const seen = new Map(); // low * vertexCount + high -> [from, to], or null: two triangles or more
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; ++k) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      const key = Math.min(a, b) * vertexCount + Math.max(a, b);
      seen.set(key, seen.has(key) ? null : [a, b]);
    }
  }
  return Uint32Array.from([...seen.values()].filter(Boolean).flat());
}
