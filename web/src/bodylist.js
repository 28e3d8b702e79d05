// The list of bodies: colour, hidden, alone, transparency; and of the selected one what it weighs and how
// it is pushed.
import { make, section, setIcon } from './dom.js';
import { quantity, vector } from './format.js';

const MOST = 60; // rows; others are found by their name

export class BodyList {
  constructor(panel, view) {
    this.view = view;
    const { details, body } = section(panel, 'bodies', 'Bodies', false);
    this.details = details;
    this.filter = make('input', { type: 'text', placeholder: 'name', 'aria-label': 'Show bodies with this in their name' });
    this.filter.addEventListener('input', () => this.build());
    this.rows = make('ul', { class: 'bodies' });
    this.facts = make('dl', { class: 'of-body' });
    this.opacity = make('input', { type: 'range', min: 0.05, max: 1, step: 0.05, 'aria-label': 'Opacity of the selected body' });
    this.opacity.addEventListener('input', () => this.chosen >= 0 && view.bodies.set(this.chosen, { opacity: Number(this.opacity.value) }));
    this.opacityRow = make('div', { class: 'row' }, make('span', {}, 'Opacity'), this.opacity);
    body.append(this.filter, this.rows, this.opacityRow, this.facts);
    view.model.on('scene', () => this.build());
    view.bodies.on('change', () => this.refresh());
    view.on('select', () => this.refresh());
    view.on('frame', () => this.tell());
    details.addEventListener('toggle', () => this.refresh());
    this.build();
  }

  get chosen() {
    return this.view.selection.body;
  }

  build() {
    const { model } = this.view;
    const wanted = this.filter.value.toLowerCase();
    this.filter.hidden = model.bodies.length <= 12;
    const list = model.bodies.map((body, b) => ({ body, b })).filter(({ body }) => body.name.toLowerCase().includes(wanted));
    this.items = list.slice(0, MOST).map(({ body, b }) => this.item(body, b));
    const more = list.length - this.items.length;
    this.rows.replaceChildren(...this.items.map((i) => i.row), ...(more > 0 ? [make('li', { class: 'note' }, `and ${more} more`)] : []));
    this.refresh();
  }

  item(body, b) {
    const { view } = this;
    const colour = make('input', { type: 'color', 'aria-label': `Colour of ${body.name}` });
    colour.addEventListener('input', () => view.bodies.set(b, { colour: colour.value }));
    const name = make('button', { class: 'name', onclick: () => view.select(body.vertices[0], b) }, body.name);
    const eye = make('button', { class: 'icon tiny', 'aria-label': `Hide ${body.name}`, title: 'Hide', onclick: () => view.bodies.set(b, { hidden: !view.bodies.choice(b).hidden }) });
    setIcon(eye, 'eye');
    const solo = make('button', { class: 'small', 'aria-label': `Only ${body.name}`, title: 'Show only this one', onclick: () => view.bodies.setSolo(b) }, 'only');
    return { row: make('li', {}, colour, name, eye, solo), b, colour, eye, solo };
  }

  refresh() {
    const { bodies } = this.view;
    if (!this.items || !bodies.texture) return;
    for (const { row, b, colour, eye, solo } of this.items) {
      if (b >= this.view.model.bodies.length) continue;
      colour.value = bodies.colours(b).line;
      eye.setAttribute('aria-pressed', bodies.choice(b).hidden);
      solo.setAttribute('aria-pressed', bodies.solo === b);
      row.classList.toggle('chosen', b === this.chosen);
    }
    this.opacityRow.hidden = this.chosen < 0;
    if (this.chosen >= 0) {
      this.opacity.value = bodies.choice(this.chosen).opacity;
      this.opacity.style.setProperty('--part', `${100 * this.opacity.value}%`);
    }
    this.tell();
  }

  tell() {
    const { model } = this.view;
    if (!this.details.open) return;
    const motion = this.chosen >= 0 && this.chosen < model.bodies.length ? model.motion(this.chosen) : null;
    const force = motion && this.view.settings.contacts ? model.contactForce(this.chosen) : null;
    const rows = motion
      ? [
          ['Mass', quantity(motion.mass, 'kg')],
          ['Momentum [kg m/s]', vector(motion.momentum, 3)],
          ['Contact force [N]', force ? vector(force, 3) : 'shown with contacts'],
        ]
      : [];
    const text = rows.join('|');
    if (text === this.text) return;
    this.text = text;
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
  }
}
