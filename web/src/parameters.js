// Sliders of the scene's parameters, made from the rows that the server sends. A change goes out at most
// ten times a second and takes effect with the next step.
import { fillTrack, make, section, throttle } from './dom.js';
import { number, pretty } from './format.js';
import { toast } from './notices.js';
import { fromPosition, sliderRange, STEPS, toPosition } from './slider.js';

export class Parameters {
  constructor(panel, model, send) {
    const { details, body } = section(panel, 'parameters', 'Parameters');
    Object.assign(this, { model, send, details, body });
    this.controls = new Map(); // path -> {element, show, start}
    this.undone = []; // {path, value} before each change
    this.tools = make(
      'div',
      { class: 'pair' },
      make('button', { class: 'small', title: 'Undo a change (Ctrl Z)', onclick: () => this.undo() }, 'Undo'),
      make('button', { class: 'small', title: 'Copy the changes as options of pliant run', onclick: () => this.copy() }, 'Copy --set'),
    );
    model.on('scene', () => this.build());
    model.on('parameters', () => this.refresh());
    this.build();
  }

  get rows() {
    const rows = this.model.isReplay ? [] : (this.model.scene?.parameters ?? []);
    const order = [...new Set(rows.map(groupOf))];
    return rows.filter((row) => makers[row.type]).sort((a, b) => order.indexOf(groupOf(a)) - order.indexOf(groupOf(b)));
  }

  build() {
    const { rows } = this;
    const parts = [];
    let group = null;
    this.controls.clear();
    this.details.hidden = rows.length === 0;
    for (const row of rows) {
      const name = groupOf(row);
      if (name !== group) parts.push(make('h3', { class: 'group' }, name));
      group = name;
      const control = makers[row.type](row, ...this.sender(row));
      this.controls.set(row.path, { ...control, start: row.value });
      parts.push(control.element);
    }
    this.body.replaceChildren(this.tools, ...parts);
    this.undone = [];
    this.hear();
    this.showTools();
  }

  // The values as the server has them now; controls stay, and what is being changed is left alone.
  refresh() {
    const { rows } = this;
    if (rows.length !== this.controls.size || !rows.every((row) => this.controls.has(row.path))) {
      this.build();
      return;
    }
    this.hear();
    this.showTools();
    for (const { path, value } of rows) {
      const { show, element, start } = this.controls.get(path);
      show(value);
      element.classList.toggle('changed', value !== start);
    }
  }

  // The values that the server has.
  hear() {
    this.answered = new Map(this.rows.map((row) => [row.path, row.value]));
  }

  // The moves of one slider within two seconds are one change.
  note(path) {
    const last = this.undone[this.undone.length - 1];
    const now = performance.now();
    if (last?.path === path && now - last.at < 2000) last.at = now;
    else this.undone.push({ path, value: this.answered.get(path), at: now });
    this.showTools();
  }

  undo() {
    const last = this.undone.pop();
    this.showTools();
    if (last) this.send('set', { path: last.path, value: last.value });
  }

  showTools() {
    const [undo, copy] = this.tools.children;
    undo.disabled = this.undone.length === 0;
    copy.disabled = this.changes.length === 0;
  }

  // Overrides of what differs from the start; a vector as a whole.
  get changes() {
    const changed = this.rows.filter(({ path, value }) => this.controls.get(path)?.start !== value);
    const base = (path) => path.replace(/\[\d\]$/, '');
    const vector = (path) => this.rows.filter((row) => row.path !== path && base(row.path) === path);
    const text = (path) => {
      const parts = vector(path);
      const one = this.rows.find((row) => row.path === path);
      return parts.length > 0 && !one ? `${path}=[${parts.map((row) => row.value)}]` : `${path}=${JSON.stringify(one.value)}`;
    };
    const isPart = (path) => /\[\d\]$/.test(path) && !/^(bodies|obstacles|stencils)\[\d+\]$/.test(path);
    return [...new Set(changed.map(({ path }) => text(isPart(path) ? base(path) : path)))];
  }

  async copy() {
    const line = this.changes.map((change) => `--set '${change}'`).join(' ');
    try {
      await navigator.clipboard.writeText(line);
      toast(`Copied: ${line}`, 5);
    } catch {
      toast(line, 15);
    }
  }

  // A function that sends a value, and the list of those that were sent and not answered yet.
  sender(row) {
    const start = row.value;
    const sent = [];
    const send = throttle(100, (value) => {
      sent.push(value);
      if (sent.length > 50) sent.shift();
      this.send('set', { path: row.path, value });
    });
    const change = (value, element) => {
      this.note(row.path);
      row.value = value;
      element.classList.toggle('changed', value !== start);
      send(value);
    };
    return [change, sent];
  }
}

// Parameters of a body stand under its name, others under the first part of their path.
const groupOf = (row) => row.body || row.path.split(/[.[]/)[0];

// "cube: young" under "cube" is "young".
function labelOf(row) {
  const label = row.label || row.path;
  const group = groupOf(row);
  const rest = label.startsWith(group) ? label.slice(group.length).replace(/^[: .]+/, '') : label;
  return rest || label;
}

let serial = 0;

function frame(row, ...children) {
  return make('div', { class: 'parameter', title: row.help || null, 'data-path': row.path }, ...children);
}

function numberControl(row, send, sent) {
  const id = `p${++serial}`;
  const integer = row.type === 'integer';
  const range = sliderRange(row);
  const entry = make('input', { type: 'text', inputmode: 'decimal', id, value: plain(row.value), autocomplete: 'off' });
  const slider = range && make('input', { type: 'range', min: 0, max: STEPS, step: 1, 'aria-label': labelOf(row) });
  const element = frame(
    row,
    make(
      'div',
      { class: 'head' },
      make('label', { for: id }, labelOf(row), row.unit ? make('span', {}, ` ${pretty(row.unit)}`) : null),
      entry,
    ),
    slider,
  );
  const show = (value) => {
    const answered = sent.lastIndexOf(value);
    sent.splice(0, answered < 0 ? sent.length : answered + 1);
    // A slider in the hand is ahead of the answers; only another value (it was refused) moves it back.
    if (slider && document.activeElement === slider && answered >= 0) return;
    if (document.activeElement !== entry || entry.value === plain(row.value)) entry.value = plain(value);
    row.value = value;
    if (!slider) return;
    slider.value = toPosition(range, value);
    slider.setAttribute('aria-valuetext', `${number(value)} ${row.unit ?? ''}`);
    fillTrack(slider);
  };
  slider?.addEventListener('input', () => {
    const value = fromPosition(range, Number(slider.value), integer);
    entry.value = plain(value);
    fillTrack(slider);
    send(value, element);
  });
  entry.addEventListener('change', () => {
    let value = Number(entry.value.replace(',', '.'));
    if (entry.value.trim() === '' || !Number.isFinite(value)) value = row.value;
    value = Math.min(row.max ?? Infinity, Math.max(row.min ?? -Infinity, integer ? Math.round(value) : value));
    const before = row.value;
    entry.value = plain(value);
    show(value);
    if (value !== before) send(value, element);
  });
  show(row.value);
  return { element, show };
}

function booleanControl(row, send) {
  const input = make('input', { type: 'checkbox' });
  input.checked = !!row.value;
  const element = frame(row, make('div', { class: 'head' }, make('label', { class: 'check' }, input, labelOf(row))));
  input.addEventListener('change', () => send(input.checked, element));
  return { element, show: (value) => (input.checked = !!value) };
}

function choiceControl(row, send) {
  const id = `p${++serial}`;
  const select = make(
    'select',
    { id },
    ...(row.choices ?? []).map((choice) => make('option', { value: choice }, choice)),
  );
  select.value = row.value;
  const element = frame(row, make('div', { class: 'head' }, make('label', { for: id }, labelOf(row)), select));
  select.addEventListener('change', () => send(select.value, element));
  return { element, show: (value) => (select.value = value) };
}

const makers = { number: numberControl, integer: numberControl, boolean: booleanControl, choice: choiceControl };

const plain = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : '');
