// Things to take along: a picture, a video, a link with camera and settings.
import { mapBytes } from './colours.js';
import { download } from './dom.js';
import { niceStep, number, quantity, scaleOf } from './format.js';
import { toast } from './notices.js';
import { chosenField } from './values.js';

const FORMATS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
const RATE = 30; // [frames/s]

const fileName = (model, ending) =>
  `${(model.scene?.name ?? 'pliant').replace(/[^\w.-]+/g, '_')}_${String(model.step).padStart(5, '0')}.${ending}`;

const INK = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const FONT = 'system-ui, "Noto Sans", "Liberation Sans", sans-serif';

// Title and time, the scale of colours and the bar of length, over a picture `factor` times as fine.
function writeOver(c, view, width, height, factor) {
  const { model, settings, range, rig } = view;
  c.scale(factor, factor);
  c.textBaseline = 'top';
  const text = (words, x, y, size, ink, align = 'left') => {
    c.font = `${size}px ${FONT}`;
    c.textAlign = align;
    c.fillStyle = INK(ink);
    c.fillText(words, x, y);
  };
  text(model.scene?.name ?? '', 20, 16, 17, 'ink');
  text(`t = ${quantity(model.time, 's', 4)}`, 20, 40, 13, 'grey');
  const length = niceStep(0.09 * rig.size.width * rig.pixelAtTarget, 1);
  const pixels = length / rig.pixelAtTarget;
  c.fillStyle = INK('grey');
  c.fillRect(width - 20 - pixels, height - 22, pixels, 1.5);
  text(quantity(length, 'm', 3), width - 20 - pixels / 2, height - 40, 12, 'grey', 'center');
  const row = chosenField(model, settings);
  if (!row) return;
  const scale = scaleOf(Math.max(Math.abs(range.low), Math.abs(range.high)), row.unit ?? '');
  const [left, top, wide] = [20, height - 40, 240];
  const map = mapBytes(settings.palette, wide);
  for (let i = 0; i < wide; ++i) {
    c.fillStyle = `rgb(${map[4 * i]} ${map[4 * i + 1]} ${map[4 * i + 2]})`;
    c.fillRect(left + i, top, 1.2, 10);
  }
  text(`${row.label} [${scale.unit}]`, left, top - 20, 12, 'ink');
  text(number(range.low * scale.factor, 3), left, top + 14, 11, 'grey');
  text(number(range.high * scale.factor, 3), left + wide, top + 14, 11, 'grey', 'right');
}

// A picture of the page's size, `factor` times as fine, with legend, title, scale and time.
export async function makePicture(view, factor) {
  const { clientWidth: width, clientHeight: height } = view.canvas.parentElement;
  const canvas = document.createElement('canvas');
  canvas.width = width * factor;
  canvas.height = height * factor;
  const c = canvas.getContext('2d');
  view.drawAt(factor, (source) => c.drawImage(source, 0, 0, canvas.width, canvas.height));
  writeOver(c, view, width, height, factor);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

export async function savePicture(view, factor) {
  const blob = await makePicture(view, factor);
  if (!blob) {
    toast('The browser returned no picture');
    return;
  }
  download(blob, fileName(view.model, 'png'));
  toast('Picture saved');
}

export class Video {
  constructor(view, changed) {
    this.view = view;
    this.changed = changed;
    this.recorder = null;
  }

  get running() {
    return this.recorder !== null;
  }

  toggle() {
    if (this.running) this.recorder.stop();
    else this.start();
  }

  start() {
    const type = globalThis.MediaRecorder && FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
    if (!type || !this.view.canvas.captureStream) {
      toast('This browser cannot record video');
      return;
    }
    const parts = [];
    const recorder = new MediaRecorder(this.view.canvas.captureStream(RATE), {
      mimeType: type,
      videoBitsPerSecond: 12e6,
    });
    recorder.ondataavailable = (event) => event.data.size > 0 && parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      this.changed(false);
      download(new Blob(parts, { type }), fileName(this.view.model, type.includes('mp4') ? 'mp4' : 'webm'));
      toast('Video saved');
    };
    recorder.start(1000);
    this.recorder = recorder;
    this.changed(true);
    this.view.invalidate(); // a first frame even if nothing moves
    toast('Recording');
  }
}

// The address with camera, settings and, in a replay, the frame.
export function linkTo(view) {
  const { rig, settings, model } = view;
  const more = { camera: rig.encode(), scene: model.scene?.name ?? '' };
  if (model.isReplay) more.frame = String(model.state.frame ?? 0);
  const url = new URL(location.href);
  url.hash = settings.encode(more);
  return url.href;
}

export async function copyLink(view) {
  const link = linkTo(view);
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    toast('Copied a link with camera and settings');
  } catch {
    toast('This browser does not allow copying: the link is in the address bar');
  }
}
