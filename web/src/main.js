// The page of `pliant view`: puts the parts together. The server is asked by `send`; what it says goes
// into the model; the parts listen to the model.
import { Vector3 } from 'three';
import { actionTable, bindButtons, bindKeys, Help } from './actions.js';
import { BodyList } from './bodylist.js';
import { address, Connection } from './connection.js';
import { Controls } from './controls.js';
import { find, keep, make, recall, setIcon, throttle } from './dom.js';
import { Gallery } from './gallery.js';
import { Inspector } from './inspector.js';
import { Legend } from './legend.js';
import { Look } from './look.js';
import { Measure } from './measure.js';
import { Model } from './model.js';
import { dismiss, notice, toast } from './notices.js';
import { Parameters } from './parameters.js';
import { Plots } from './plots.js';
import { VERSION } from './protocol.js';
import { findRecording, Recording } from './recording.js';
import { Settings } from './settings.js';
import { copyLink, savePicture, Video } from './share.js';
import { Theme } from './theme.js';
import { Transport } from './transport.js';
import { Triad } from './triad.js';
import { chosenField } from './values.js';
import { View } from './view.js';

const PATIENCE = 3; // [s] for a step: from here on it is said that it takes its time
const NARROW = '(max-width: 760px)';

class App {
  constructor() {
    this.model = new Model();
    this.settings = new Settings();
    this.link = this.settings.decode(location.hash);
    this.theme = new Theme();
    this.view = new View(find('canvas'), this.model, this.settings);
    this.view.setTheme(this.theme.colours);
    this.theme.on('change', (colours) => this.view.setTheme(colours));
    this.send = this.send.bind(this);
    this.keepHistory();
    const handlers = {
      text: (message) => this.model.text(message),
      binary: (message) => this.model.binary(message),
      status: (status) => this.showConnection(status),
      fault: (error) => toast(`Invalid message: ${error.message}`, 6),
    };
    const recording = findRecording();
    this.connection = recording ? new Recording(recording, handlers) : new Connection(address(location), handlers);
    this.parts();
    this.listen();
    this.connection.open();
  }

  // Records of steps outlive a reload of the page, in this tab.
  keepHistory() {
    const { model } = this;
    const key = 'pliant.history';
    model.recall = () => {
      try {
        const { name, stats } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
        if (name === model.scene.name && !model.isReplay) model.stats.load(stats);
      } catch {
        // nothing is kept there, or something else
      }
    };
    addEventListener('pagehide', () => {
      try {
        sessionStorage.setItem(key, JSON.stringify({ name: model.scene?.name, stats: model.stats.save() }));
      } catch {
        // no room: the history begins again
      }
    });
  }

  parts() {
    const { view, model, send, settings } = this;
    const panel = find('panel');
    const sizes = [1, 2, 4].map((n) => make('option', { value: n, selected: n === 2 }, `${n}×`));
    this.fineness = make('select', { 'aria-label': 'Pixels of saved pictures, times the page' }, ...sizes);
    panel.append(
      make(
        'div',
        { class: 'share' },
        this.fineness,
        ...[
          ['picture', 'Picture'],
          ['record', 'Video'],
          ['link', 'Link'],
        ].map(([id, label]) => make('button', { 'data-do': id }, label)),
      ),
    );
    this.look = new Look(panel, view);
    this.inspector = new Inspector(panel, view, this.hands());
    this.bodyList = new BodyList(panel, view);
    this.measure = new Measure(view);
    this.transport = new Transport(model, send);
    this.plots = new Plots(panel, model, (step) => this.transport.toStep(step));
    view.on('probe', (vertex) => this.plots.setProbe(vertex, chosenField(model, settings)));
    this.parameters = new Parameters(panel, model, send);
    this.theme.on('change', () => this.plots.later());
    this.legend = new Legend(view);
    this.triad = new Triad(view);
    this.controls = new Controls(view, this.hands());
    this.video = new Video(view, (running) => this.showRecording(running));
    this.gallery = new Gallery((scene) => send('open', { scene }));
    find('home').addEventListener('click', () => this.toGallery());
    this.help = null;
    const actions = actionTable(this);
    this.help = new Help(actions);
    bindButtons(actions);
    bindKeys(actions, () => this.help.open || this.gallery.shown);
    const open = matchMedia(NARROW).matches ? '0' : (recall('panel') ?? '1');
    this.showPanel(open === '1');
    settings.on('change', (key) => ['colour', 'contacts'].includes(key) && this.ask());
  }

  listen() {
    const { model, view } = this;
    model.on('hello', (hello) => this.greet(hello));
    model.on('scene', ({ again }) => this.takeScene(again));
    model.on('stop', () => this.showStop());
    model.on('state', () => this.showMode());
    model.on('positions', () => this.showMode());
    setInterval(() => this.showMode(), 500);
    model.on('error', (text) => {
      toast(text, 5);
      if (this.view.grab) this.releaseQuietly(); // a vertex that cannot be pulled at
    });
    view.on('drawn', (sequence) => this.connection.send('ack', { sequence }));
    view.on('built', (fresh) => fresh && this.followLink());
    const remember = throttle(1000, () => this.model.scene && history.replaceState(null, '', this.hash()));
    view.rig.on('change', remember);
    this.settings.on('change', remember);
    view.canvas.addEventListener('webglcontextlost', () =>
      notice('webgl', 'warn', 'The graphics context was lost', 'The picture will be restored.'),
    );
    view.canvas.addEventListener('webglcontextrestored', () => dismiss('webgl'));
  }

  hash() {
    return `#${this.settings.encode({ scene: this.model.scene.name, camera: this.view.rig.encode() })}`;
  }

  send(type, members) {
    const sent = this.connection.send(type, members);
    if (!sent) toast('Not connected: the request was not sent');
    return sent;
  }

  // ---- server

  greet(hello) {
    if (hello.version !== VERSION) {
      notice(
        'version',
        'danger',
        'The versions of page and server differ',
        `The server uses protocol version ${hello.version}. Reload the page.`,
        [['Reload', () => location.reload()]],
      );
    }
    find('home').hidden = !(hello.mode === 'gallery' || hello.gallery || this.gallery.scenes);
    if (hello.mode === 'gallery') this.gallery.show();
    else if (this.gallery.shown && this.phase === 'open') this.gallery.hide();
    document.body.dataset.mode = hello.mode;
    this.showMode();
  }

  takeScene(again) {
    const { scene } = this.model;
    this.gallery.hide();
    dismiss('stop');
    this.showResidual(false);
    find('name').textContent = scene.name;
    find('about').textContent = scene.description ?? '';
    find('about').title = scene.description ?? '';
    document.title = `${scene.name} – Pliant`;
    const plane = this.model.isPlane;
    this.view.canvas.setAttribute(
      'aria-label',
      `${scene.name}, ${plane ? 'in the plane' : 'in space'}: ${scene.description ?? ''}`,
    );
    if (!again) this.releaseQuietly();
    this.ask();
    this.showMode();
  }

  // Camera and frame of the link, for the scene that the link was made for; only once.
  followLink() {
    const { link } = this;
    this.link = new URLSearchParams();
    if (link.get('scene') && link.get('scene') !== this.model.scene.name) return;
    if (link.get('camera')) this.view.rig.decode(link.get('camera'));
    if (link.get('frame') && this.model.isReplay) this.send('seek', { frame: Number(link.get('frame')) });
  }

  // Which field and lines the server shall send beside positions.
  ask() {
    if (!this.model.scene) return;
    const row = chosenField(this.model, this.settings);
    this.connection.send('show', { field: row && !row.local ? row.key : '', contacts: this.settings.contacts });
  }

  // The scene waits while others are looked at.
  toGallery() {
    if (this.gallery.shown) {
      if (this.model.scene) this.gallery.hide();
      return;
    }
    if (this.model.state.playing) this.send('pause');
    this.gallery.show();
  }

  showConnection({ phase, wait, reason }) {
    clearInterval(this.counting);
    this.phase = phase;
    if (phase === 'open') dismiss('connection');
    if (phase === 'waiting') {
      const until = performance.now() + 1000 * wait;
      const show = () => {
        const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
        notice(
          'connection',
          'warn',
          'The connection to the server was lost',
          `${reason ? `${reason}. ` : ''}Start \`pliant view\` again; this page comes back by itself${left > 0 ? `, next try in ${left} s` : ''}.`,
          [['Try now', () => this.connection.retry()]],
        );
      };
      show();
      this.counting = setInterval(show, 500);
      this.releaseQuietly();
    }
    this.showMode();
  }

  showMode() {
    const pill = find('mode');
    const [kind, text] = this.modeWords();
    pill.hidden = text === '';
    if (pill.lastElementChild.textContent === text) return;
    pill.dataset.kind = kind;
    pill.lastElementChild.textContent = text;
  }

  modeWords() {
    const { model, phase } = this;
    if (phase === 'waiting') return ['lost', 'Not connected'];
    if (phase === 'connecting') return ['', 'Connecting'];
    if (!model.scene) return ['', ''];
    if (model.viewing) return ['past', 'Earlier moment'];
    if (model.stop && !model.stop.over) return ['failed', 'Step failed'];
    if (model.isReplay) return model.state.playing ? ['live', 'Replay'] : ['', 'Replay, paused'];
    if (model.stop) return ['', 'Finished'];
    if (!model.state.playing) return ['', 'Paused'];
    const since = (performance.now() - model.newsAt) / 1000;
    if (since > PATIENCE + (model.state.rate > 0 ? 1 / model.state.rate : 0)) return ['past', `Step ${model.step + 1} since ${Math.round(since)} s`];
    const verdict = model.stats.last?.reason ?? 'converged';
    return verdict === 'converged' ? ['live', 'Live'] : ['failed', `Live: ${verdict}`];
  }

  // ---- a step failed, or the run is over

  showStop() {
    const { stop } = this.model;
    this.showMode();
    dismiss('stop');
    this.showResidual(stop !== null && !stop.over);
    if (stop === null) return;
    if (stop.over) {
      toast(stop.message || 'The run is over', 4);
      return;
    }
    const point = this.failurePoint();
    const actions = [];
    if (point) actions.push(['Show where', () => this.showWhere(point)]);
    actions.push(['Close', () => dismiss('stop')]);
    const body = stop.where?.body;
    const name = typeof body === 'number' ? this.model.bodies[body]?.name : body;
    const other = stop.where?.other;
    const where = name ? ` in “${name}”${other ? `, where it touches ${other === name ? 'itself' : `“${other}”`}` : ''}` : '';
    const text = [stop.message, stop.remedy && `Remedy: ${stop.remedy}`].filter(Boolean).map(sentence).join(' ');
    notice('stop', 'danger', `The step failed${where}: ${stop.reason ?? 'no reason given'}`, text, actions);
  }

  // The surface is coloured by what is left over, and afterwards as it was before.
  showResidual(failed) {
    const { model, settings } = this;
    if (failed && model.fields.some((f) => f.key === 'residual')) {
      if (settings.colour !== 'residual') this.colourBefore = settings.colour;
      settings.assume('colour', 'residual');
    } else if (!failed && this.colourBefore !== undefined) {
      if (settings.colour === 'residual') settings.assume('colour', this.colourBefore);
      this.colourBefore = undefined;
    }
  }

  failurePoint() {
    const where = this.model.stop?.where;
    const vertex = where?.vertex >= 0 ? where.vertex : (where?.vertices?.[0] ?? this.model.highlight[0]);
    if (vertex !== undefined && where?.point?.length === 3) return where.point;
    return vertex === undefined ? null : [...this.model.position(vertex)];
  }

  showWhere(point) {
    const { rig } = this.view;
    const { where } = this.model.stop;
    const body = this.model.bodies[this.model.bodyOf[where?.vertex]];
    const box = body && this.model.box(...body.vertices);
    this.view.lookAt(point);
    if (box) rig.lookFrom(new Vector3(...point.map((x, k) => x - (box.low[k] + box.high[k]) / 2)));
    rig.zoom(Math.min(1, (1.3 * rig.radius) / rig.distance));
    if (where?.vertex >= 0) this.view.select(where.vertex, this.model.bodyOf[where.vertex]);
  }

  // ---- pulling at a body

  hands() {
    const drag = throttle(16, (target) => this.view.grab && this.connection.send('drag', { target }));
    return {
      grab: (vertex, target, body) => this.grab(vertex, target, body),
      drag: (target) => {
        if (!this.view.grab) return;
        this.view.grab.target = target;
        this.view.invalidate();
        drag(target);
      },
      release: () => this.release(),
    };
  }

  // With `whole` all of the vertex' body.
  grab(vertex, target, whole) {
    const { model, view } = this;
    if (model.isReplay || model.viewing) {
      toast(model.isReplay ? 'Bodies of a replay cannot be pulled' : 'This is a past state: return to the present first');
      return false;
    }
    const body = model.bodyOf[vertex];
    if (model.bodies[body]?.obstacle) {
      toast('Obstacles cannot be pulled: their motion is prescribed');
      return false;
    }
    if (!this.send('grab', { vertex, target, body: whole })) return false;
    view.grab = { vertex, target, body: whole };
    view.select(vertex, body);
    if (!model.state.playing) toast('Paused: the body follows when the simulation runs');
    return true;
  }

  release() {
    if (this.view.grab) this.connection.send('release');
    this.releaseQuietly();
  }

  releaseQuietly() {
    this.view.grab = null;
    this.view.canvas.classList.remove('grabbing');
    this.view.invalidate();
  }

  // By keys: the target moves in the plane of the screen.
  nudgeGrab(dx, dy) {
    const { rig, grab } = this.view;
    const { right, above } = rig.axes();
    const size = 14 * rig.pixelAtTarget;
    grab.target = grab.target.map((x, k) => x + size * (dx * right.getComponent(k) - dy * above.getComponent(k)));
    this.connection.send('drag', { target: grab.target });
    this.view.invalidate();
  }

  toggleGrabTool() {
    const next = { '': 'vertex', vertex: 'body', body: '' }[this.controls.grabTool];
    this.setGrabTool(next);
    toast({ '': 'Drag to rotate the view', vertex: 'Drag to pull at a vertex', body: 'Drag to pull a whole body' }[next]);
  }

  setGrabTool(tool) {
    this.controls.grabTool = tool;
    this.view.canvas.classList.toggle('tool', tool !== '');
    const button = document.querySelector('[data-do="grab"]');
    button.setAttribute('aria-pressed', tool !== '');
    button.dataset.tool = tool;
  }

  escape() {
    if (this.view.grab) this.release();
    else if (this.controls.grabTool) this.setGrabTool('');
    else this.view.select(-1);
  }

  // ---- page

  togglePanel() {
    this.showPanel(document.body.classList.contains('no-panel'));
    keep('panel', document.body.classList.contains('no-panel') ? '0' : '1');
  }

  showPanel(open) {
    document.body.classList.toggle('no-panel', !open);
    document.querySelector('[data-do="panel"]').setAttribute('aria-expanded', open);
  }

  showRecording(running) {
    const button = document.querySelector('#bar [data-do="record"]');
    setIcon(button, running ? 'stop' : 'record');
    button.setAttribute('aria-pressed', running);
  }

  savePicture() {
    return savePicture(this.view, Number(this.fineness.value));
  }

  copyLink() {
    return copyLink(this.view);
  }
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function start() {
  try {
    globalThis.pliant = new App(); // for the curious, at the console
  } catch (error) {
    notice('webgl', 'danger', 'This browser cannot draw the scene', `This page needs WebGL 2. ${error.message}`);
  }
}

start();
