// Everything that a button or a key does, once: {id, label, keys, group, run}. Buttons name an action by
// data-do; the help overlay is this table.
import { find, make, setIcon } from './dom.js';
import { glyph } from './icons.js';

const TURN = 24; // of one press of an arrow key [px]

export function actionTable(app) {
  const { view, transport, settings, model } = app;
  const flip = (key) => () => settings.set(key, !settings[key]);
  const next = (key, values) => () => settings.set(key, values[(values.indexOf(settings[key]) + 1) % values.length]);
  const arrows = (dx, dy) => () => (view.grab ? app.nudgeGrab(dx, dy) : view.rig.orbit(TURN * dx, TURN * dy));
  return [
    { id: 'play', label: 'Play, pause', keys: ['Space'], group: 'Simulation', run: () => transport.toggle() },
    { id: 'step', label: 'One step', keys: ['.'], group: 'Simulation', run: () => transport.single() },
    { id: 'restart', label: 'Restart', keys: ['R'], group: 'Simulation', run: () => transport.restart() },
    { id: 'back', label: 'Earlier on the timeline', keys: ['['], group: 'Simulation', run: () => transport.nudge(-1) },
    { id: 'forward', label: 'Later on the timeline', keys: [']'], group: 'Simulation', run: () => transport.nudge(1) },
    { id: 'now', label: 'Back to now', keys: ['L'], group: 'Simulation', run: () => transport.now() },
    {
      id: 'grab',
      label: 'Pull tool: a vertex, a body, off',
      keys: ['G'],
      group: 'Simulation',
      run: () => app.toggleGrabTool(),
    },
    { id: 'fit', label: 'Frame what moves', keys: ['F'], group: 'Camera', run: () => view.fit() },
    {
      id: 'start',
      label: 'First view',
      keys: ['0'],
      group: 'Camera',
      run: () => view.firstLook(),
    },
    { id: 'front', label: 'From the front', keys: ['1'], group: 'Camera', run: () => view.turn('front') },
    { id: 'side', label: 'From the side', keys: ['2'], group: 'Camera', run: () => view.turn('side') },
    { id: 'top', label: 'From above', keys: ['3'], group: 'Camera', run: () => view.turn('top') },
    { id: 'iso', label: 'At equal angles', keys: ['4'], group: 'Camera', run: () => view.turn('iso') },
    {
      id: 'projection',
      label: 'With, without perspective',
      keys: ['5'],
      group: 'Camera',
      run: next('projection', ['perspective', 'parallel']),
    },
    { id: 'follow', label: 'Follow the bodies, or the selected one', keys: ['Q'], group: 'Camera', run: flip('follow') },
    { id: 'zoomIn', label: 'Zoom in', keys: ['+'], group: 'Camera', run: () => view.rig.zoom(1 / 1.15) },
    { id: 'zoomOut', label: 'Zoom out', keys: ['-'], group: 'Camera', run: () => view.rig.zoom(1.15) },
    { id: 'measure', label: 'Measure: click two points, or three', keys: ['M'], group: 'Display', run: () => app.measure.toggle() },
    { id: 'left', label: 'Turn left', keys: ['←'], group: 'Camera', canvas: true, run: arrows(-1, 0) },
    { id: 'right', label: 'Turn right', keys: ['→'], group: 'Camera', canvas: true, run: arrows(1, 0) },
    { id: 'up', label: 'Turn up', keys: ['↑'], group: 'Camera', canvas: true, run: arrows(0, -1) },
    { id: 'down', label: 'Turn down', keys: ['↓'], group: 'Camera', canvas: true, run: arrows(0, 1) },
    {
      id: 'panLeft',
      label: 'Move left',
      keys: ['Shift ←'],
      group: 'Camera',
      canvas: true,
      run: () => view.rig.pan(-TURN, 0),
    },
    {
      id: 'panRight',
      label: 'Move right',
      keys: ['Shift →'],
      group: 'Camera',
      canvas: true,
      run: () => view.rig.pan(TURN, 0),
    },
    {
      id: 'panUp',
      label: 'Move up',
      keys: ['Shift ↑'],
      group: 'Camera',
      canvas: true,
      run: () => view.rig.pan(0, -TURN),
    },
    {
      id: 'panDown',
      label: 'Move down',
      keys: ['Shift ↓'],
      group: 'Camera',
      canvas: true,
      run: () => view.rig.pan(0, TURN),
    },
    {
      id: 'colour',
      label: 'Next colouring',
      keys: ['C'],
      group: 'Display',
      run: () => next('colour', ['body', ...model.fields.map((f) => f.key)])(),
    },
    { id: 'faces', label: 'Faces', keys: ['W'], group: 'Display', run: flip('faces') },
    { id: 'edges', label: 'Mesh edges', keys: ['E'], group: 'Display', run: flip('edges') },
    { id: 'smooth', label: 'Smooth shading', keys: ['S'], group: 'Display', run: flip('smooth') },
    { id: 'cut', label: 'Next cut', keys: ['X'], group: 'Display', run: next('clip', ['off', 'x', 'y', 'z', 'view']) },
    { id: 'contacts', label: 'Contacts', keys: ['K'], group: 'Display', run: flip('contacts') },
    { id: 'normals', label: 'Normals', keys: ['N'], group: 'Display', run: flip('normals') },
    { id: 'boxes', label: 'Bounding boxes', keys: ['B'], group: 'Display', run: flip('boxes') },
    { id: 'obstacles', label: 'Obstacles', keys: ['O'], group: 'Display', run: flip('obstacles') },
    { id: 'grid', label: 'Grid and axes', keys: ['A'], group: 'Display', run: flip('grid') },
    { id: 'undo', label: 'Undo a parameter', keys: ['Ctrl Z'], group: 'Simulation', run: () => app.parameters.undo() },
    { id: 'picture', label: 'Save a picture', keys: ['P'], group: 'Page', run: () => app.savePicture() },
    { id: 'record', label: 'Record a video: start, stop', keys: ['V'], group: 'Page', run: () => app.video.toggle() },
    {
      id: 'link',
      label: 'Copy a link with camera and settings',
      keys: ['Y'],
      group: 'Page',
      run: () => app.copyLink(),
    },
    { id: 'theme', label: 'Dark, light', keys: ['T'], group: 'Page', run: () => app.theme.toggle() },
    { id: 'panel', label: 'Panel', keys: ['H'], group: 'Page', run: () => app.togglePanel() },
    { id: 'help', label: 'All keys', keys: ['?'], group: 'Page', run: () => app.help.toggle() },
    { id: 'escape', label: 'Release, clear the selection', keys: ['Esc'], group: 'Page', run: () => app.escape() },
  ];
}

const MOUSE = [
  ['Drag', 'Rotate; in the plane: pan'],
  ['Right drag, Ctrl drag', 'Pan'],
  ['Wheel, two fingers', 'Zoom'],
  ['Click', 'Select a vertex and its body'],
  ['Double click', 'Rotate around this point'],
  ['Shift drag', 'Pull at a vertex'],
  ['Ctrl Shift drag', 'Pull a whole body'],
];

const NAMED = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  '=': '+',
  _: '-',
};

function keyName(event) {
  const name = NAMED[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  return event.shiftKey && /^[←→↑↓]$/.test(name) ? `Shift ${name}` : name;
}

export function bindButtons(actions) {
  const byId = new Map(actions.map((a) => [a.id, a]));
  for (const button of document.querySelectorAll('button[data-icon]')) setIcon(button, button.dataset.icon);
  for (const button of document.querySelectorAll('[data-do]')) {
    const action = byId.get(button.dataset.do);
    button.addEventListener('click', action.run);
    if (!button.textContent) button.setAttribute('aria-label', action.label);
    button.title = `${action.label} (${action.keys[0]})`;
    button.setAttribute('aria-keyshortcuts', action.keys[0].replace('Esc', 'Escape'));
  }
}

// Keys work everywhere but in fields where one types; arrows and Space belong to the control that has
// the focus, if it uses them.
export function bindKeys(actions, busy) {
  const byKey = new Map(actions.flatMap((a) => a.keys.map((key) => [key, a])));
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !event.target.matches?.('input[type="text"], input[type="number"]')) {
      event.preventDefault();
      actions.find((a) => a.id === 'undo').run();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || busy()) return;
    const action = byKey.get(keyName(event));
    if (!action) return;
    const { target } = event;
    const typing = target.matches?.('input:not([type="range"]):not([type="checkbox"]), select, textarea');
    if (typing && event.key !== 'Escape') return;
    const own = target.matches?.('input, button, summary, select, a');
    if (own && (action.canvas || event.key === ' ')) return;
    event.preventDefault();
    action.run();
  });
}

export class Help {
  constructor(actions) {
    this.dialog = find('help');
    const groups = [...new Set(actions.map((a) => a.group))];
    const list = (rows) =>
      make('dl', {}, ...rows.flatMap(([key, label]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, label)]));
    const close = make(
      'button',
      { class: 'icon', 'aria-label': 'Close', onclick: () => this.dialog.close() },
      glyph('close'),
    );
    this.dialog.append(
      make('header', {}, make('h2', { id: 'help-title' }, 'Keys and mouse'), close),
      make(
        'div',
        { class: 'columns' },
        make('section', {}, make('h3', {}, 'Mouse and touch'), list(MOUSE)),
        ...groups.map((group) =>
          make('section', {}, make('h3', {}, group), list(shortened(actions.filter((a) => a.group === group)))),
        ),
      ),
    );
    this.dialog.addEventListener('click', (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener('keydown', (event) => event.key === '?' && this.dialog.close());
  }

  get open() {
    return this.dialog.open;
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}

// Four arrows are one line.
function shortened(actions) {
  const out = [];
  for (const { keys, label } of actions) {
    if (keys[0] === '←') out.push(['Arrows', 'Rotate; move what is pulled']);
    else if (keys[0] === 'Shift ←') out.push(['Shift arrows', 'Move']);
    else if (!/[→↑↓]/.test(keys[0])) out.push([keys[0], label]);
  }
  return out;
}
