// Values of the selected vertex and its body. A vertex can also be named by its number, and pulled at
// with the arrow keys, so that no mouse is needed.
import { make, section } from './dom.js';
import { toneOf, TONES } from './colours.js';
import { number, quantity, vector } from './format.js';
import { chosenField, valueAt } from './values.js';

export class Inspector {
  constructor(panel, view, hands) {
    this.view = view;
    this.hands = hands;
    const { body } = section(panel, 'selection', 'Selection');
    this.entry = make('input', {
      type: 'number',
      min: 0,
      step: 1,
      id: 'vertex',
      placeholder: 'number',
      'aria-label': 'Vertex number',
    });
    this.entry.addEventListener('change', () => this.typed());
    this.pulls = [
      ['Pull', 'Pull at this vertex with the arrow keys', false],
      ['Pull body', 'Pull at all of its body with the arrow keys', true],
    ].map(([label, title, body]) => {
      const button = make('button', { class: 'small', title, onclick: () => this.toggle(body) }, label);
      return { button, label, body };
    });
    this.probe = make('button', { class: 'small', title: 'Plot this vertex over time', onclick: () => view.emit('probe', view.selection.vertex) }, 'Plot');
    this.list = make('dl', { class: 'values' });
    body.append(
      make(
        'div',
        { class: 'row' },
        make('label', { for: 'vertex' }, 'Vertex'),
        this.entry,
      ),
      make('div', { class: 'row' }, make('span'), make('div', { class: 'pair' }, ...this.pulls.map((p) => p.button), this.probe)),
      this.list,
    );
    view.on('select', () => this.show(true));
    view.on('frame', () => this.show(false));
    view.model.on('scene', () => (this.text = ''));
    this.show(true);
  }

  typed() {
    const vertex = this.entry.value === '' ? -1 : Math.floor(Number(this.entry.value));
    const { model } = this.view;
    const there = vertex >= 0 && vertex < model.vertexCount;
    this.view.select(there ? vertex : -1, there ? model.bodyOf[vertex] : -1);
  }

  toggle(body) {
    const { view } = this;
    const { vertex } = view.selection;
    const held = view.grab?.body;
    if (view.grab) this.hands.release();
    if (held !== body && vertex >= 0 && this.hands.grab(vertex, [...view.model.position(vertex)], body))
      view.canvas.focus();
    this.show(true);
  }

  show(chosen) {
    const { selection, model } = this.view;
    for (const { button, label, body } of this.pulls) {
      const held = this.view.grab !== null && this.view.grab.body === body;
      button.disabled = selection.vertex < 0 || model.isReplay;
      button.setAttribute('aria-pressed', held);
      if (button.textContent !== (held ? 'Let go' : label)) button.textContent = held ? 'Let go' : label;
    }
    this.probe.disabled = selection.vertex < 0;
    if (chosen) {
      this.entry.max = Math.max(0, model.vertexCount - 1);
      this.entry.value = selection.vertex >= 0 ? selection.vertex : '';
    }
    const rows = selection.vertex >= 0 && selection.vertex < model.vertexCount ? this.rows(selection) : [];
    const text = rows.map(([name, value]) => `${name}:${value}`).join('|');
    if (text === this.text) return;
    this.text = text;
    if (rows.length === 0) {
      this.list.replaceChildren(make('dd', { class: 'note' }, 'Click a body, or type a number.'));
      return;
    }
    this.list.replaceChildren(
      ...rows.flatMap(([name, value, colour]) => [
        make('dt', {}, name),
        make('dd', {}, colour ? make('span', { class: 'swatch', style: `background:${colour}` }) : null, value),
      ]),
    );
  }

  rows({ vertex, body }) {
    const { model, settings } = this.view;
    const velocity = model.velocity(vertex);
    const owner = model.bodies[body];
    const box = owner && model.box(...owner.vertices);
    const field = chosenField(model, settings);
    const out = [
      ['Body', `${owner?.name ?? body}${owner?.obstacle ? ' (obstacle)' : ''}`, TONES[toneOf(model.bodies, body)].line],
      ['Position [m]', vector(flat(model, model.position(vertex)))],
      ['Velocity [m/s]', vector(flat(model, velocity), 3)],
      ['Speed', quantity(Math.hypot(...velocity), 'm/s')],
    ];
    if (field && field.key !== 'velocity' && !field.local) {
      out.push([field.label, quantity(valueAt(model, field, settings.component, vertex), field.unit)]);
    }
    if (owner) {
      const count = (range) => range[1] - range[0];
      out.push([
        'Vertices of body',
        `${number(count(owner.vertices), 9)}${count(owner.triangles) ? `, ${count(owner.triangles)} triangles` : ''}`,
      ]);
      if (owner.thickness > 0) out.push(['Thickness', quantity(owner.thickness, 'm')]);
      if (box)
        out.push([
          'Extent [m]',
          flat(
            model,
            box.high.map((h, k) => h - box.low[k]),
          )
            .map((v) => number(v, 3))
            .join(' × '),
        ]);
    }
    return out;
  }
}

const flat = (model, values) => [...values].slice(0, model.isPlane ? 2 : 3);
