// A run inside the page itself, for files that are looked at without a server. It stands in for the
// connection: the same messages come out, the same requests go in. The format is in web/README.md.
import { decode, KIND } from './protocol.js';

const TEXT = 0;
const PACKED = 6; // kind of positions in 16 bits, by differences
const DIFFERENCE = 1; // flag
const HEADER_BYTES = 32;
const FASTEST = 60; // [frames/s]

// The element that holds it, or null.
export const findRecording = () => document.getElementById('recording');

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replace(/\s+/g, '')), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

// Messages one behind the other: u32 size, u8 0 text or 1 binary, bytes.
export function* split(buffer) {
  const data = new DataView(buffer);
  for (let at = 0; at < buffer.byteLength;) {
    const size = data.getUint32(at, true);
    const kind = data.getUint8(at + 4);
    if (at + 5 + size > buffer.byteLength) throw new Error('the recording ends too early');
    yield { text: kind === TEXT, bytes: buffer.slice(at + 5, at + 5 + size) };
    at += 5 + size;
  }
}

// Whole numbers of one frame from those of the frame before: low bytes, then high bytes.
export function unpackFrame(bytes, count, difference, whole) {
  for (let i = 0; i < 3 * count; ++i) {
    const value = bytes[i] | (bytes[3 * count + i] << 8);
    whole[i] = difference ? whole[i] + value : value; // modulo 2^16
  }
}

export class Recording {
  constructor(element, { text, binary, status, fault }) {
    Object.assign(this, { element, text, binary, status, fault });
    this.isOpen = false;
    this.frames = []; // {message, bytes, origin, quantum, extras}
    this.at = -1; // frame that `whole` holds
    this.playing = false;
    this.sequence = 0;
  }

  async open() {
    this.status({ phase: 'connecting' });
    try {
      const buffer = await unpack(this.element.textContent);
      this.element.remove();
      this.status({ phase: 'open' });
      this.isOpen = true;
      for (const part of split(buffer)) this.take(part);
      if (this.frames.length === 0) throw new Error('it holds no frame');
      this.rate = Math.min(FASTEST, this.naturalRate());
      this.playing = true;
      this.show(0);
      this.next();
    } catch (error) {
      this.fault(new Error(`the recording in this file: ${error.message}`));
    }
  }

  retry() {}

  take({ text, bytes }) {
    if (text) {
      this.text(JSON.parse(new TextDecoder().decode(bytes)));
      return;
    }
    const message = decode(bytes);
    if (message.kind === KIND.topology) this.binary(message);
    else if (message.kind === PACKED) this.takeFrame(message, bytes);
    else this.frames[this.frames.length - 1]?.extras.push(message);
  }

  takeFrame(message, bytes) {
    const numbers = new Float32Array(bytes, HEADER_BYTES, 6);
    const packed = new Uint8Array(bytes, HEADER_BYTES + 24);
    if (packed.length < 6 * message.count) throw new Error('a frame is too short');
    this.frames.push({
      message,
      bytes: packed,
      origin: numbers.subarray(0, 3),
      quantum: numbers.subarray(3),
      extras: [],
    });
  }

  naturalRate() {
    const last = this.frames.length - 1;
    const span = this.frames[last].message.time - this.frames[0].message.time;
    return span > 0 ? last / span : 25;
  }

  // Whole numbers of a frame: on from the present one, or from the last that stands alone.
  bring(frame) {
    const { message } = this.frames[frame];
    if (this.whole?.length !== 3 * message.count) this.whole = new Uint16Array(3 * message.count);
    let from = frame;
    while (from > 0 && from !== this.at + 1 && this.frames[from].message.flags & DIFFERENCE) --from;
    if (this.at === frame) return;
    for (let f = from; f <= frame; ++f) {
      const row = this.frames[f];
      unpackFrame(row.bytes, row.message.count, (row.message.flags & DIFFERENCE) !== 0, this.whole);
    }
    this.at = frame;
  }

  show(frame) {
    this.bring(frame);
    const { message, origin, quantum, extras } = this.frames[frame];
    const positions = Float32Array.from(this.whole, (w, i) => origin[i % 3] + quantum[i % 3] * w);
    this.shown = frame;
    this.waits = true;
    this.binary({
      ...message,
      kind: KIND.positions,
      flags: 0,
      sequence: ++this.sequence,
      vertices: null,
      positions,
    });
    for (const extra of extras) this.binary({ ...extra, step: message.step });
    this.tell();
  }

  tell() {
    const frame = Math.max(0, this.shown ?? 0);
    this.text({
      type: 'state',
      playing: this.playing,
      step: this.frames[frame].message.step,
      time: this.frames[frame].message.time,
      frame,
      frames: this.frames.length,
      rate: this.rate,
      clients: 1,
      grabbed: -1,
    });
  }

  // The next frame when it is due and the last one has been drawn.
  next() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    const began = performance.now();
    const first = this.shown;
    const tick = () => {
      const due = this.rate > 0 ? first + Math.floor(((performance.now() - began) / 1000) * this.rate) : this.shown + 1;
      if (due > this.shown && !this.waits) this.show(Math.min(due, this.frames.length - 1));
      if (this.shown === this.frames.length - 1) {
        this.playing = false;
        this.tell();
        return;
      }
      this.timer = setTimeout(tick, 8);
    };
    this.timer = setTimeout(tick, 8);
  }

  send(type, members = {}) {
    if (!this.isOpen || this.frames.length === 0) return false;
    requests[type]?.(this, members);
    return true;
  }

  go(frame) {
    this.show(Math.min(this.frames.length - 1, Math.max(0, Math.round(frame))));
    this.next();
  }
}

const requests = {
  ack: (r) => (r.waits = false),
  play: (r) => {
    r.playing = true;
    r.tell();
    r.next();
  },
  pause: (r) => {
    r.playing = false;
    r.next();
    r.tell();
  },
  step: (r) => {
    r.playing = false;
    r.go(r.shown + 1);
  },
  restart: (r) => r.go(0),
  seek: (r, { frame }) => r.go(frame),
  rate: (r, { value }) => {
    r.rate = value;
    r.tell();
    r.next();
  },
};
