// The number that colours a vertex: a field, one of its components or its size; and the range of it.

import { DIVERGING } from './colours.js';

const COMPONENTS = { x: 0, y: 1, z: 2 };

// The chosen row of fields, null for "by body".
export const chosenField = (model, settings) => model.fields.find((f) => f.key === settings.colour) ?? null;

// What there is of it now: {components, values} or null while it has not arrived.
function source(model, row) {
  if (row.local) return { components: 3, values: model.velocities };
  return model.field?.key === row.key ? model.field : null;
}

export function valueAt(model, row, component, vertex) {
  const from = source(model, row);
  return from ? read(from, component, vertex) : NaN;
}

function read({ components, values }, component, v) {
  if (components === 1) return values[v];
  const k = COMPONENTS[component];
  return k === undefined ? Math.hypot(values[3 * v], values[3 * v + 1], values[3 * v + 2]) : values[3 * v + k];
}

// Fills `out` and returns {low, high} over bodies that are no obstacles; null if there is nothing.
export function fillValues(model, row, component, out) {
  const from = source(model, row);
  if (!from) {
    out.fill(NaN);
    return null;
  }
  let low = Infinity;
  let high = -Infinity;
  for (const body of model.bodies) {
    for (let v = body.vertices[0]; v < body.vertices[1]; ++v) {
      const value = read(from, component, v);
      out[v] = value;
      if (body.obstacle || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : null;
}

// Sizes begin at 0; what has both signs is symmetric on a map with a middle.
export function tidyRange({ low, high }, palette) {
  if (low >= 0 && low < 0.5 * high) low = 0;
  if (DIVERGING.includes(palette) && low < 0 && high > 0) {
    high = Math.max(-low, high);
    low = -high;
  }
  if (!(high > low)) high = low + Math.max(1e-12, 1e-6 * Math.abs(low));
  return { low, high };
}
