// Things to take along: a picture, a video, a link with camera and settings.
import { download } from './dom.js';
import { toast } from './notices.js';

const FORMATS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'];
const RATE = 30; // [frames/s]

const fileName = (model, ending) =>
  `${(model.scene?.name ?? 'pliant').replace(/[^\w.-]+/g, '_')}_${String(model.step).padStart(5, '0')}.${ending}`;

export async function savePicture(view) {
  const blob = await view.picture();
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
