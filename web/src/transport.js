// Play, step, restart, speed, and the timeline. In a replay the timeline asks the server for frames, one
// at a time: the next request leaves when the last has been answered. In a live run it looks back at
// what this page has seen, while the run goes on.
import { fillTrack, find, make, setIcon } from './dom.js';
import { number } from './format.js';

const PATIENCE = 700; // [ms] for a frame that does not come

export class Transport {
  constructor(model, send) {
    Object.assign(this, { model, send });
    this.play = document.querySelector('#transport [data-do="play"]');
    this.buttons = document.querySelectorAll('#transport button');
    this.timeline = find('timeline');
    this.clock = find('clock');
    this.rate = find('rate');
    this.toLive = find('to-live');
    this.wanted = null;
    this.asked = 0;
    this.timeline.addEventListener('input', () => this.scrub(Number(this.timeline.value)));
    this.rate.addEventListener('change', () => this.send('rate', { value: Number(this.rate.value) }));
    this.toLive.addEventListener('click', () => this.now());
    model.on('scene', () => this.rates());
    model.on('positions', () => this.arrived());
    for (const name of ['state', 'positions', 'behind', 'scene', 'hello', 'stop']) model.on(name, () => this.show());
    this.rates();
    this.show();
  }

  // ---- what a person asks for

  toggle() {
    const { model } = this;
    if (model.viewing) {
      this.now();
      return;
    }
    if (!model.state.playing && !model.isReplay && model.stop?.over) this.restart();
    if (!model.state.playing && model.isReplay && model.state.frame >= this.last && this.last > 0) this.seek(0);
    this.send(model.state.playing ? 'pause' : 'play');
  }

  single() {
    this.model.look(null);
    this.send('step');
  }

  restart() {
    this.model.look(null);
    if (!this.model.isReplay) this.model.past.clear();
    this.send('restart');
  }

  now() {
    this.model.look(null);
    this.show();
  }

  // By frames, for keys.
  nudge(by) {
    const at = Number(this.timeline.value);
    const to = Math.min(Number(this.timeline.max), Math.max(0, at + by));
    this.timeline.value = to;
    this.scrub(to);
  }

  // To a step, for clicks in plots. Frames of a replay may be several steps apart.
  toStep(step) {
    if (!this.model.isReplay) {
      this.scrub(step);
      return;
    }
    const last = this.model.stats.last?.step ?? this.last;
    this.seek(Math.round((step / Math.max(1, last)) * this.last));
  }

  scrub(value) {
    fillTrack(this.timeline);
    if (this.model.isReplay) {
      if (this.model.state.playing) this.send('pause');
      this.seek(value);
      return;
    }
    const { past } = this.model;
    const newest = past.frames[past.frames.length - 1];
    const atEnd = !newest || value >= newest.step;
    this.model.look(atEnd ? null : past.find(value));
    this.show();
  }

  seek(frame) {
    const now = performance.now();
    if (this.asked && now - this.asked < PATIENCE) {
      this.wanted = frame;
      return;
    }
    this.asked = now;
    this.wanted = null;
    this.send('seek', { frame });
  }

  arrived() {
    this.asked = 0;
    if (this.wanted !== null) this.seek(this.wanted);
  }

  // ---- what is shown

  get last() {
    return Math.max(0, (this.model.state.frames ?? 0) - 1);
  }

  rates() {
    const { scene, isReplay, state } = this.model;
    const real = scene?.time_step > 0 ? 1 / scene.time_step : 0;
    const unit = isReplay ? 'frames/s' : 'steps/s';
    const values = [1, 5, 10, 25, 60, 120].filter((v) => Math.abs(v - real) > 1e-9);
    const options = [
      [0, 'As fast as possible'],
      ...(real > 0 ? [[real, 'Real time']] : []),
      ...values.map((v) => [v, `${v} ${unit}`]),
    ];
    if (!options.some(([v]) => v === state.rate)) options.push([state.rate, `${number(state.rate, 3)} ${unit}`]);
    this.rate.replaceChildren(...options.map(([value, label]) => make('option', { value }, label)));
    this.rate.value = String(state.rate ?? 0);
  }

  show() {
    const { model } = this;
    const { state, scene } = model;
    const running = state.playing && model.viewing === null;
    setIcon(this.play, running ? 'pause' : 'play');
    this.play.setAttribute('aria-label', running ? 'Pause' : 'Play');
    this.play.title = `${running ? 'Pause' : 'Play'} (Space)`;
    for (const button of this.buttons) button.disabled = scene === null;
    if (document.activeElement !== this.rate && this.rate.value !== String(state.rate)) this.rates();
    this.showTimeline();
    const total = model.isReplay ? this.last : scene?.steps;
    const counted = model.isReplay ? `frame ${state.frame ?? 0}` : `step ${model.step}`;
    this.clock.replaceChildren(
      `${model.time.toFixed(3)} s `,
      make('small', {}, `${counted}${total ? ` / ${total}` : ''}`),
    );
    this.toLive.hidden = model.viewing === null;
  }

  showTimeline() {
    const { model, timeline } = this;
    const { frames } = model.past;
    const newest = frames[frames.length - 1]?.step ?? 0;
    const span = model.isReplay ? this.last : newest;
    timeline.max = span;
    timeline.disabled = span === 0;
    const held = timeline.matches(':active');
    if (!held && this.wanted === null && !(model.isReplay && this.asked))
      timeline.value = model.isReplay ? model.state.frame : model.step;
    timeline.setAttribute('aria-valuetext', `${model.time.toFixed(3)} s`);
    fillTrack(timeline);
  }
}
