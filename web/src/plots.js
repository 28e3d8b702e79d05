// Live plots of the steps: energies, Newton iterations, residual, time per step, contacts. Plain canvas:
// a column of pixels shows the smallest and largest value in it, so that long runs stay quick and honest.
import { make, section } from './dom.js';
import { CURVE_COLOURS } from './colours.js';
import { niceStep, number, powerOfTen, pretty, quantity, scaleOf, ticks } from './format.js';

const LEFT = 44;
const BOTTOM = 16;
const PHASES = ['collision', 'hessian', 'numeric', 'solve'];
const colour = (i) => CURVE_COLOURS[i % CURVE_COLOURS.length];

// A speed, or a force relative to others, which has no unit; replays do not say which.
const residualUnit = (scene) => (scene?.fields?.find((f) => f.key === 'residual')?.unit === 'm/s' ? 'm/s' : '');

// unit, or unit(scene); series(scene) -> [{name, colour, dashed, of(record)}]
const PLOTS = [
  {
    title: 'Energy',
    unit: 'J',
    series: (scene) => [
      ...(scene?.energies ?? []).map((name, i) => ({ name, colour: colour(i), of: (r) => r.energies?.[i] })),
      { name: 'total', colour: 'ink', dashed: true, of: (r) => r.total },
    ],
  },
  {
    title: 'Newton iterations',
    unit: '',
    zero: true,
    series: () => [{ name: '', colour: colour(0), of: (r) => r.iterations }],
  },
  { title: 'Residual', unit: residualUnit, log: true, series: () => [{ name: '', colour: colour(1), of: (r) => r.residual }] },
  {
    title: 'Time per step',
    unit: 's',
    zero: true,
    series: () => [
      ...PHASES.map((name, i) => ({ name, colour: colour(i), of: (r) => r.seconds?.[name] })),
      { name: 'total', colour: 'ink', of: (r) => r.seconds?.total },
    ],
  },
  { title: 'Contacts', unit: '', zero: true, series: () => [{ name: '', colour: colour(2), of: (r) => r.contacts }] },
];

// A vertex over time, from the frames that the page keeps: its way since the first of them, or the field.
const probe = (model, vertex) => {
  const at = (frame, k) => frame.positions[3 * vertex + k] - model.past.frames[0].positions[3 * vertex + k];
  const axes = ['x', 'y', 'z'].slice(0, model.isPlane ? 2 : 3);
  return {
    title: `Way of vertex ${vertex}`,
    unit: 'm',
    records: (m) => m.past.frames,
    series: () => axes.map((name, k) => ({ name, of: (frame) => at(frame, k) })),
  };
};
const probeField = (model, vertex, field) => ({
  title: `${field.label} at vertex ${vertex}`,
  unit: field.unit,
  records: (m) => m.past.frames.filter((frame) => frame.field?.key === field.key),
  series: () => [{ name: '', colour: colour(0), of: ({ field: { components: n, values } }) => Math.hypot(...values.subarray(n * vertex, n * vertex + n)) * (n === 1 ? Math.sign(values[vertex]) || 1 : 1) }],
});

export class Plots {
  constructor(panel, model, seek) {
    const { details, body, note } = section(panel, 'plots', 'Steps');
    Object.assign(this, { model, details, note, seek });
    this.facts = make('dl', { class: 'facts' });
    this.empty = make('p', { class: 'note' }, 'No steps yet.');
    this.plots = PLOTS.map((row) => new Plot(row, model, seek));
    body.append(this.empty, this.facts, ...this.plots.map((plot) => plot.figure));
    const later = () => this.later();
    for (const name of ['stats', 'positions', 'scene', 'state']) model.on(name, later);
    model.on('scene', ({ again }) => {
      if (!again) this.setProbe(-1);
      this.plots.forEach((plot) => plot.build());
    });
    details.addEventListener('toggle', later);
    new ResizeObserver(later).observe(body);
  }

  // Plots for a vertex, in place of those for another; -1: none.
  setProbe(vertex, field) {
    for (const plot of this.probes ?? []) plot.figure.remove();
    this.plots = this.plots.filter((plot) => !(this.probes ?? []).includes(plot));
    const rows = vertex < 0 ? [] : [probe(this.model, vertex), ...(field ? [probeField(this.model, vertex, field)] : [])];
    this.probes = rows.map((row) => new Plot(row, this.model, this.seek));
    this.facts.after(...this.probes.map((plot) => plot.figure));
    this.plots.push(...this.probes);
    this.details.open ||= vertex >= 0;
    this.later();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(
      () =>
        requestAnimationFrame(() => {
          this.waiting = false;
          this.show();
        }),
      60,
    );
  }

  show() {
    const { records, last } = this.model.stats;
    this.empty.hidden = records.length > 0;
    this.facts.hidden = records.length === 0;
    if (!this.details.open) return;
    for (const plot of this.plots) {
      plot.figure.hidden = plot.records.length === 0;
      if (plot.records.length > 0) plot.draw();
    }
    const failed = this.model.stop && !this.model.stop.over;
    if (last) this.tell(failed ? last : (this.model.stats.at(this.model.step) ?? last));
  }

  tell(record) {
    const rows = [
      ['Iterations', number(record.iterations)],
      ['Residual', number(record.residual, 2)],
      ['Time per step', quantity(record.seconds?.total ?? NaN, 's', 3)],
      ['Contacts', number(record.contacts)],
      ['Smallest gap', record.contacts > 0 ? quantity(record.min_distance ?? NaN, 'm', 3) : '–'],
      ['Verdict', record.reason ?? '–'],
    ];
    this.facts.replaceChildren(
      ...rows.map(([name, value]) =>
        make('div', { title: `${name}: ${value}` }, make('dt', {}, name), make('dd', {}, value)),
      ),
    );
  }
}

class Plot {
  constructor(row, model, seek) {
    Object.assign(this, { row, model });
    this.value = make('span');
    this.canvas = make('canvas', { role: 'img', 'aria-label': row.title });
    this.keys = make('div', { class: 'keys' });
    this.figure = make(
      'figure',
      { class: 'plot' },
      make('figcaption', {}, row.title, this.value),
      this.canvas,
      this.keys,
    );
    this.canvas.addEventListener('pointermove', (e) => this.hover(e));
    this.canvas.addEventListener('pointerleave', () => this.hover(null));
    this.canvas.addEventListener('click', (e) => {
      const record = this.recordAt(e);
      if (record) seek(record.step);
    });
    this.build();
  }

  build() {
    const { scene } = this.model;
    this.series = this.row.series(scene);
    this.ofValues = typeof this.row.unit === 'function' ? this.row.unit(scene) : this.row.unit;
    this.shown = '';
  }

  // Only what is not zero all the time, each in a colour of its own.
  choose(records) {
    const most = (s) => records.reduce((high, r) => Math.max(high, Math.abs(s.of(r) ?? 0) || 0), 0);
    const least = 1e-3 * Math.max(...this.series.map(most)); // less than a line's width
    const some = (s) => most(s) > least;
    const list = this.series.length > 1 ? this.series.filter((s) => s.name === 'total' || some(s)) : this.series;
    let next = 0;
    this.drawn = list.map((s) => (s.colour === 'ink' || list.length === 1 ? s : { ...s, colour: colour(next++) }));
    const text = this.drawn.map((s) => s.name).join('|');
    if (text === this.shown) return;
    this.shown = text;
    this.keys.replaceChildren(
      ...(this.drawn.length > 1 ? this.drawn : []).map((s) =>
        make('span', {}, make('i', { style: `background:${s.colour === 'ink' ? 'var(--ink)' : s.colour}` }), s.name),
      ),
    );
  }

  get records() {
    return this.row.records ? this.row.records(this.model) : this.model.stats.records;
  }

  recordAt(event) {
    const { records } = this;
    if (!this.span || records.length === 0) return null;
    const part = (event.offsetX - LEFT) / (this.canvas.clientWidth - LEFT - 4);
    const step = this.span.first + part * (this.span.last - this.span.first);
    return records.reduce((a, b) => (Math.abs(b.step - step) < Math.abs(a.step - step) ? b : a));
  }

  hover(event) {
    this.pointed = event ? this.recordAt(event) : null;
    this.draw();
  }

  // Low and high over all series; a logarithmic axis takes only what is above 0.
  limits(records) {
    let low = Infinity;
    let high = -Infinity;
    for (const record of records) {
      for (const series of this.drawn) {
        const value = series.of(record);
        if (!Number.isFinite(value) || (this.row.log && !(value > 0))) continue;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low <= high)) return null;
    if (this.row.log) return logLimits(low, high);
    if (this.row.zero) low = 0;
    if (high === low) high = low + Math.max(1e-12, Math.abs(low) || 1);
    const step = niceStep(high - low, 4);
    return { low: step * Math.floor(low / step + 1e-9), high: step * Math.ceil(high / step - 1e-9) };
  }

  draw() {
    const { canvas, model } = this;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0) return;
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const c = canvas.getContext('2d');
    c.scale(ratio, ratio);
    const { records } = this;
    this.choose(records);
    const limits = this.limits(records);
    if (!limits) return;
    const first = records[0].step;
    const last = Math.max(first + 1, records[records.length - 1].step);
    this.span = { first, last };
    const style = getComputedStyle(document.documentElement);
    const ink = (name) => style.getPropertyValue(`--${name}`).trim();
    const map = this.row.log ? Math.log10 : (v) => v;
    const area = {
      x: (step) => LEFT + ((step - first) / (last - first)) * (width - LEFT - 4),
      y: (v) => 5 + (1 - (map(v) - map(limits.low)) / (map(limits.high) - map(limits.low))) * (height - BOTTOM - 8),
      width,
      height,
      ink,
    };
    this.axes(c, area, limits);
    for (const series of this.drawn) this.curve(c, area, series, records, this.row.records ? Infinity : model.stats.stride);
    this.cursor(c, area);
  }

  axes(c, { x, y, width, height, ink }, limits) {
    const scale = scaleOf(Math.max(Math.abs(limits.low), Math.abs(limits.high)), this.row.log ? '' : this.ofValues); // powers of ten carry no prefix
    c.font = `10px ${getComputedStyle(document.body).fontFamily}`;
    c.lineWidth = 1;
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (const value of this.row.log ? decades(limits) : ticks(limits.low, limits.high, 4)) {
      c.strokeStyle = ink('faint');
      c.beginPath();
      c.moveTo(LEFT, Math.round(y(value)) + 0.5);
      c.lineTo(width - 4, Math.round(y(value)) + 0.5);
      c.stroke();
      c.fillStyle = ink('grey');
      c.fillText(this.row.log ? powerOfTen(value) : number(value * scale.factor, 3), LEFT - 5, y(value));
    }
    c.textBaseline = 'alphabetic';
    for (const value of ticks(this.span.first, this.span.last, 5)) {
      if (value % 1 !== 0) continue;
      c.textAlign = x(value) > width - 20 ? 'right' : 'center';
      c.fillText(String(value), Math.min(width - 2, x(value)), height - 3);
    }
    this.unit = this.row.log ? pretty(this.ofValues) : scale.unit;
    this.tell();
  }

  // The words beside the title: the unit, or the value under the cursor.
  tell() {
    const { pointed } = this;
    if (!pointed) {
      this.value.textContent = this.unit;
      return;
    }
    const main = this.drawn[this.drawn.length - 1];
    this.value.textContent = `step ${pointed.step}: ${main.name ? `${main.name} ` : ''}${quantity(main.of(pointed) ?? NaN, this.ofValues)}`;
  }

  // Between records that are more than `stride` steps apart nothing is drawn: there were others.
  curve(c, { x, y, ink }, series, records, stride) {
    c.strokeStyle = series.colour === 'ink' ? ink('ink') : series.colour;
    c.lineWidth = 1.4;
    c.lineJoin = 'round';
    c.setLineDash(series.dashed ? [4, 3] : []);
    c.beginPath();
    let column = null;
    const flush = () => {
      if (!column) return;
      if (column.pen) c.lineTo(column.x, column.first);
      else c.moveTo(column.x, column.first);
      if (column.low !== column.high) {
        c.lineTo(column.x, column.low);
        c.lineTo(column.x, column.high);
      }
      c.lineTo(column.x, column.last);
    };
    let pen = false;
    let last = -Infinity; // step of the record before
    for (const record of records) {
      const value = series.of(record);
      if (!Number.isFinite(value) || (this.row.log && !(value > 0))) continue;
      const at = x(record.step);
      const place = y(value);
      if (column && Math.abs(column.x - at) < 0.7) {
        column.low = Math.min(column.low, place);
        column.high = Math.max(column.high, place);
        column.last = place;
        last = record.step;
        continue;
      }
      flush();
      pen = column !== null && record.step - last <= stride;
      column = { x: at, first: place, last: place, low: place, high: place, pen };
      last = record.step;
    }
    flush();
    c.stroke();
    c.setLineDash([]);
    if (records.length === 1 && column) {
      c.fillStyle = c.strokeStyle;
      c.fillRect(column.x - 2, column.first - 2, 4, 4);
    }
  }

  cursor(c, { x, height, ink }) {
    const step = this.pointed?.step ?? this.model.step;
    if (step < this.span.first || step > this.span.last) return;
    c.strokeStyle = this.pointed ? ink('accent') : ink('strong');
    c.beginPath();
    c.moveTo(Math.round(x(step)) + 0.5, 3);
    c.lineTo(Math.round(x(step)) + 0.5, height - BOTTOM);
    c.stroke();
  }
}

function logLimits(low, high) {
  const from = Math.floor(Math.log10(low) + 1e-9);
  return { low: 10 ** from, high: 10 ** Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9)) };
}

function decades({ low, high }) {
  const from = Math.round(Math.log10(low));
  const count = Math.round(Math.log10(high)) - from;
  const step = Math.max(1, Math.ceil(count / 4));
  const out = [];
  for (let i = 0; i <= count; i += step) out.push(10 ** (from + i));
  return out;
}
