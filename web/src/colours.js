// Colours: those of bodies are the ones of the pictures `pliant run` makes (src/render/svg.c); maps for
// fields are tables of a few colours between which one goes straight.
export const BODY_COLOURS = [
  { line: '#0072b2', fill: '#8ec6ea', edge: '#0b5a8c' },
  { line: '#d55e00', fill: '#f2b48a', edge: '#a34700' },
  { line: '#009e73', fill: '#8ad1bb', edge: '#00694d' },
  { line: '#cc79a7', fill: '#e8bfd5', edge: '#94446f' },
  { line: '#e69f00', fill: '#f6d48a', edge: '#9a6a00' },
  { line: '#56b4e9', fill: '#c3e3f7', edge: '#2a7eae' },
  { line: '#7f7f7f', fill: '#cfcfcf', edge: '#555555' },
];
export const PLAIN_COLOUR = { line: '#6b7683', fill: '#d9dee4', edge: '#76818d' }; // of obstacles
export const TONES = [...BODY_COLOURS, PLAIN_COLOUR];
// Number of the colour of a body in TONES.
export const toneOf = (bodies, body) => (bodies[body]?.obstacle ? BODY_COLOURS.length : body % BODY_COLOURS.length);

const MAPS = {
  viridis: [
    '#440154',
    '#482878',
    '#3e4989',
    '#31688e',
    '#26828e',
    '#1f9e89',
    '#35b779',
    '#6ece58',
    '#b5de2b',
    '#fde725',
  ],
  cividis: [
    '#00224e',
    '#123570',
    '#3b496c',
    '#575d6d',
    '#707173',
    '#8a8678',
    '#a59c74',
    '#c3b369',
    '#e1cc55',
    '#fee838',
  ],
  magma: ['#000004', '#2c115f', '#721f81', '#b73779', '#f1605d', '#feb078', '#fcfdbf'],
  'blue-red': ['#0b5a8c', '#4f9bc9', '#a9cfe6', '#eef0f2', '#f3bf9e', '#dd7a35', '#a34700'],
  'purple-green': ['#40004b', '#9970ab', '#e7d4e8', '#f7f7f7', '#d9f0d3', '#5aae61', '#00441b'],
  grey: ['#2b3036', '#f2f4f6'],
};
// Maps with a middle, which belongs to zero.
export const DIVERGING = ['blue-red', 'purple-green'];
// Of curves: each different, the first ones as those of bodies.
export const CURVE_COLOURS = [
  ...BODY_COLOURS.map((c) => c.line),
  '#8c564b',
  '#6a3d9a',
  '#b2a400',
  '#17becf',
  '#1b3a6b',
  '#ff6f91',
  '#5c7a29',
];
export const MAP_NAMES = Object.keys(MAPS);

export const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

// `count` colours of a map as bytes, 4 per colour.
export function mapBytes(name, count) {
  const stops = (MAPS[name] ?? MAPS.viridis).map(rgb);
  const out = new Uint8Array(4 * count);
  for (let i = 0; i < count; ++i) {
    const at = (i / (count - 1)) * (stops.length - 1);
    const k = Math.min(stops.length - 2, Math.floor(at));
    for (let c = 0; c < 3; ++c) out[4 * i + c] = Math.round(stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]));
    out[4 * i + 3] = 255;
  }
  return out;
}

export const mapGradient = (name) => `linear-gradient(to right, ${(MAPS[name] ?? MAPS.viridis).join(', ')})`;
