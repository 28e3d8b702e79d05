// The section of the panel that says what is drawn and how. Every control is one row of a table and
// follows the settings, whoever changes them.
import { fillTrack, make, section } from './dom.js';
import { MAP_NAMES } from './colours.js';
import { chosenField } from './values.js';
import { scaleOf } from './format.js';

const CHECKS = [
  ['faces', 'Faces'],
  ['edges', 'Mesh edges'],
  ['smooth', 'Smooth shading'],
  ['creases', 'Sharp edges'],
  ['contacts', 'Contacts'],
  ['normals', 'Normals'],
  ['boxes', 'Bounding boxes'],
  ['obstacles', 'Obstacles'],
  ['shadows', 'Shadows'],
  ['ambient', 'Ambient light'],
  ['grid', 'Grid and axes'],
  ['follow', 'Follow bodies'],
];
const RANGES = [
  ['all', 'So far'],
  ['frame', 'This frame'],
  ['fixed', 'Fixed'],
];
const CLIPS = [
  ['off', 'Off', 'No cut'],
  ['x', 'x', 'Cut across x'],
  ['y', 'y', 'Cut across y'],
  ['z', 'z', 'Cut across z'],
  ['view', 'Me', 'Cut facing the viewer'],
];
const ARROWS = [
  ['off', 'Off'],
  ['velocity', 'Velocity'],
  ['field', 'Field that is shown'],
];
const PARTS = [
  ['size', 'Size'],
  ['x', 'x'],
  ['y', 'y'],
  ['z', 'z'],
];

export class Look {
  constructor(panel, view) {
    this.view = view;
    this.settings = view.settings;
    const { body } = section(panel, 'look', 'Display');
    this.controls = {};
    this.colour = this.select('colour', []);
    this.part = this.select('component', PARTS);
    this.rows = {
      colour: row('Colour by', make('div', { class: 'pair' }, this.colour, this.part)),
      map: row(
        'Map',
        make(
          'div',
          { class: 'pair' },
          this.select(
            'palette',
            MAP_NAMES.map((n) => [n, n[0].toUpperCase() + n.slice(1)]),
          ),
          this.select('range', RANGES),
        ),
      ),
      limits: row('From, to', this.limits()),
      clip: row('Cut', make('div', { class: 'pair' }, this.buttons('clip', CLIPS), this.check('clipFlip', 'Flip'))),
      at: row('', this.slider()),
      arrows: row('Arrows', this.select('arrows', ARROWS)),
    };
    body.append(
      ...Object.values(this.rows),
      make('div', { class: 'checks' }, ...CHECKS.map(([key, label]) => this.check(key, label))),
    );
    this.settings.on('change', () => this.show());
    view.model.on('scene', () => this.fields());
    view.on('range', () => this.showLimits());
    this.fields();
  }

  select(key, options) {
    const element = make(
      'select',
      { 'aria-label': NAMES[key], onchange: () => this.settings.set(key, element.value) },
      ...options.map(option),
    );
    this.controls[key] = () => (element.value = this.settings[key]);
    return element;
  }

  check(key, label) {
    const input = make('input', {
      type: 'checkbox',
      'data-setting': key,
      onchange: () => this.settings.set(key, input.checked),
    });
    this.controls[key] = () => (input.checked = this.settings[key]);
    return make('label', { class: 'check' }, input, label);
  }

  // One of several, each a button.
  buttons(key, options) {
    const list = options.map(([value, label, title]) =>
      make('button', { class: 'small', title, 'aria-label': title, 'data-value': value, onclick: () => this.settings.set(key, value) }, label),
    );
    this.controls[key] = () =>
      list.forEach((button) => button.setAttribute('aria-pressed', button.dataset.value === this.settings[key]));
    return make('div', { class: 'choices', role: 'group', 'aria-label': NAMES[key] }, ...list);
  }

  slider() {
    const input = make('input', { type: 'range', min: 0, max: 1, step: 0.005, 'aria-label': 'Position of the clip plane' });
    input.addEventListener('input', () => this.settings.set('clipAt', Number(input.value)));
    this.controls.clipAt = () => {
      input.value = this.settings.clipAt;
      fillTrack(input);
    };
    return input;
  }

  // Two numbers in the unit of the legend; typing in them fixes the range.
  limits() {
    const entry = (key, label) => {
      const input = make('input', { type: 'number', step: 'any', 'aria-label': label });
      input.addEventListener('change', () => {
        const value = Number(input.value) / this.scale().factor;
        if (input.value === '' || !Number.isFinite(value)) return;
        const { low, high } = this.view.range;
        if (this.settings.range !== 'fixed') {
          this.settings.set('low', low);
          this.settings.set('high', high);
        }
        this.settings.set(key, value);
        this.settings.set('range', 'fixed');
      });
      return input;
    };
    this.entries = { low: entry('low', 'Lower bound of the range'), high: entry('high', 'Upper bound of the range') };
    return make('div', { class: 'pair' }, this.entries.low, this.entries.high);
  }

  scale() {
    const row = chosenField(this.view.model, this.settings);
    const { low, high } = this.view.range;
    return scaleOf(Math.max(Math.abs(low), Math.abs(high)), row?.unit ?? '');
  }

  showLimits() {
    const { factor } = this.scale();
    for (const [key, input] of Object.entries(this.entries)) {
      if (document.activeElement !== input) input.value = Number((this.view.range[key] * factor).toPrecision(4));
    }
  }

  fields() {
    const { model } = this.view;
    const rows = [['body', 'Body'], ...model.fields.map((f) => [f.key, f.label])];
    this.colour.replaceChildren(...rows.map(option));
    if (model.scene && !rows.some(([key]) => key === this.settings.colour)) this.settings.set('colour', 'body');
    this.show();
  }

  show() {
    for (const refresh of Object.values(this.controls)) refresh();
    const row = chosenField(this.view.model, this.settings);
    this.part.hidden = row?.components !== 3;
    this.rows.map.hidden = !row;
    this.rows.limits.hidden = !row;
    this.rows.at.hidden = this.settings.clip === 'off';
    this.showLimits();
  }
}

const NAMES = {
  colour: 'Colour by',
  component: 'Component',
  palette: 'Colour map',
  range: 'Range of the colours',
  clip: 'Cut',
  arrows: 'Arrows',
};
const option = ([value, label]) => make('option', { value }, label);
const row = (label, content) => make('div', { class: 'row' }, make('span', {}, label), content);
