// The scale of the colours: what is shown, its unit, and marks at round numbers.
import { find, make } from './dom.js';
import { mapGradient } from './colours.js';
import { number, quantity, scaleOf, ticks } from './format.js';
import { CONTACT } from './protocol.js';
import { chosenField } from './values.js';

const PARTS = { size: '', x: ', x', y: ', y', z: ', z' };

export class Legend {
  constructor(view) {
    this.view = view;
    this.root = find('legend');
    this.text = '';
    view.on('range', () => this.show());
    view.on('frame', () => view.settings.contacts && this.show());
  }

  show() {
    const { model, settings, range, overlays } = this.view;
    const row = chosenField(model, settings);
    const force = settings.contacts
      ? `${model.contacts.length / CONTACT} contacts, at most ${quantity(overlays.largestForce, 'N', 3)}`
      : '';
    const text = row
      ? `${row.key} ${settings.component} ${settings.palette} ${range.low} ${range.high} ${force}`
      : force;
    if (text === this.text) return;
    this.text = text;
    this.root.hidden = text === '';
    this.root.replaceChildren(
      ...(row ? this.scale(row) : []),
      ...(force ? [make('div', { class: 'force' }, force)] : []),
    );
  }

  scale(row) {
    const { settings, range } = this.view;
    const scale = scaleOf(Math.max(Math.abs(range.low), Math.abs(range.high)), row.unit ?? '');
    const label = row.label + (row.components === 3 ? PARTS[settings.component] : '');
    this.root.setAttribute(
      'aria-label',
      `${label} from ${quantity(range.low, row.unit)} to ${quantity(range.high, row.unit)}`,
    );
    const inner = ticks(range.low, range.high, 4).filter((t) => inside((t - range.low) / (range.high - range.low)));
    const marks = [range.low, ...inner, range.high].map((value) =>
      make(
        'span',
        { style: `left:${(100 * (value - range.low)) / (range.high - range.low)}%` },
        number(value * scale.factor, 3),
      ),
    );
    return [
      make('div', { class: 'head' }, label, make('span', {}, scale.unit)),
      make('div', { class: 'ramp', style: `background:${mapGradient(settings.palette)}` }),
      make('div', { class: 'marks' }, ...marks),
    ];
  }
}

const inside = (part) => part > 0.249 && part < 0.751; // numbers at the ends need their room
