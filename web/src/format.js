// Numbers and units as people read them: 4 significant digits, powers of 1000 as prefixes.
const SUPERSCRIPT = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const PREFIXES = { '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G', 12: 'T' };

const superscript = (text) => [...text].map((c) => SUPERSCRIPT[c] ?? c).join('');

// "m/s^2" -> "m/s²"
export const pretty = (unit) => unit.replace(/\^(-?\d+)/g, (_, power) => superscript(power)).replace(/ /g, '·');

// Digits without trailing zeros; large and small numbers as 1.2×10⁻⁵.
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return minus(`${trim(mantissa)}×10${superscript(String(Number(exponent)))}`);
  }
  return minus(trim(value.toPrecision(digits)));
}

const trim = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
const minus = (text) => (text[0] === '-' ? `−${text.slice(1)}` : text);

// A prefix multiplies the first unit; it must stand alone there (Pa, N/m, not m^2, 1/s, kg).
const takesPrefix = (unit) => /^[A-Za-z]+(?![\^A-Za-z])/.test(unit) && !/^kg/.test(unit);

// The prefix that makes `size` read well in `unit`: {factor, unit}; shown = value * factor.
export function scaleOf(size, unit) {
  const plain = { factor: 1, unit: pretty(unit) };
  if (!takesPrefix(unit) || !(size > 0) || !Number.isFinite(size)) return plain;
  const power = Math.min(12, Math.max(-9, 3 * Math.floor(Math.log10(size * (1 + 1e-12)) / 3)));
  if (power === 0) return plain;
  return { factor: 10 ** -power, unit: PREFIXES[power] + pretty(unit) };
}

export function quantity(value, unit = '', digits = 4) {
  if (!unit || !Number.isFinite(value)) return number(value, digits) + (unit ? ` ${pretty(unit)}` : '');
  const scale = scaleOf(Math.abs(value), unit);
  return `${number(value * scale.factor, digits)} ${scale.unit}`;
}

export const vector = (values, digits = 4) => [...values].map((v) => number(v, digits)).join('  ');

// 10⁻⁴
export const powerOfTen = (value) => `10${superscript(String(Math.round(Math.log10(value))))}`;

// A step of 1, 2 or 5 times a power of ten, so that `span` has about `count` of them.
export function niceStep(span, count) {
  if (!(span > 0) || !Number.isFinite(span)) return 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const part = raw / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

export function ticks(low, high, count) {
  const step = niceStep(high - low, count);
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step && out.length < 100; ++i)
    out.push(i * step + 0); // no -0
  return out;
}
