// Which numbers a slider of a parameter runs through. Logarithmic where max / min > 1000; where the
// table allows nearly everything (0 to 1e12), three decades to both sides of the present value.
const WIDE = 1e6;
const DECADES = 1000;
export const STEPS = 1000; // positions of a slider

const finite = (value, otherwise) => (typeof value === 'number' && Number.isFinite(value) ? value : otherwise);

// {low, high, log} or null: such a value can only be typed.
export function sliderRange(parameter) {
  const min = finite(parameter.min, -Infinity);
  const max = finite(parameter.max, Infinity);
  const value = finite(parameter.value, 0);
  const bounded = Number.isFinite(min) && Number.isFinite(max) && max > min;
  if (bounded && min > 0 && max / min <= WIDE) return { low: min, high: max, log: max / min > DECADES };
  if (bounded && max - min <= DECADES * (Math.abs(value) || 1)) return { low: min, high: max, log: false };
  if (min < 0 && max > 0) {
    const reach = 3 * Math.abs(value) || 10;
    return { low: Math.max(min, -reach), high: Math.min(max, reach), log: false };
  }
  if (value > 0)
    return { low: Math.max(min > 0 ? min : 0, value / DECADES), high: Math.min(max, value * DECADES), log: true };
  return null;
}

export function toPosition(range, value) {
  const t = range.log
    ? Math.log(Math.max(value, range.low) / range.low) / Math.log(range.high / range.low)
    : (value - range.low) / (range.high - range.low);
  return Math.round(STEPS * Math.min(1, Math.max(0, t)));
}

export function fromPosition(range, position, integer = false) {
  const t = position / STEPS;
  const value = range.log ? range.low * (range.high / range.low) ** t : range.low + t * (range.high - range.low);
  if (t === 0) return range.low;
  if (t === 1) return range.high;
  return integer ? Math.round(value) : Number(value.toPrecision(3));
}
