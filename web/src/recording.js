// A run inside the page itself, for files that are looked at without a server. It stands in for the
// connection: the same messages come out, the same requests go in. The format is in web/README.md.
import { decode, KIND } from './protocol.js';

const TEXT = 0;
const PACKED = 6; // kind of positions in 16 bits, by differences
const PACKED_FIELD = 7; // kind of fields, likewise
const DIFFERENCE = 1; // flag
const HEADER_BYTES = 32;
const FASTEST = 60; // [frames/s]

// The element that holds it, or null.
export const findRecording = () => document.getElementById('recording');

async function unpack(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
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
export function unpackFrame(bytes, difference, whole) {
  const count = whole.length;
  for (let i = 0; i < count; ++i) {
    const value = bytes[i] | (bytes[count + i] << 8);
    whole[i] = difference ? whole[i] + value : value; // modulo 2^16
  }
}

// A row of packed frames, unpacked in any order: on from the present one, or from the last that stands alone.
class Track {
  constructor(Type) {
    this.Type = Type;
    this.rows = []; // {bytes, difference, size}
    this.at = -1; // row that `whole` holds
  }
  bring(frame) {
    if (this.at === frame) return this.whole;
    const { size } = this.rows[frame];
    if (this.whole?.length !== size) this.whole = new this.Type(size);
    let from = frame;
    while (from > 0 && from !== this.at + 1 && this.rows[from].difference) --from;
    for (let f = from; f <= frame; ++f) unpackFrame(this.rows[f].bytes, this.rows[f].difference, this.whole);
    this.at = frame;
    return this.whole;
  }
}

export class Recording {
  constructor(element, { text, binary, status, fault }) {
    Object.assign(this, { element, text, binary, status, fault });
    this.isOpen = false;
    this.frames = []; // {message, origin, quantum, extras}
    this.places = new Track(Uint16Array);
    this.fields = []; // of the scene, those that came: {track, quanta}
    this.keys = []; // of the scene's fields
    this.chosen = -1; // field that is shown
    this.contacts = false; // are they shown?
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
      const message = JSON.parse(new TextDecoder().decode(bytes));
      if (message.type === 'scene') this.keys = (message.fields ?? []).map((f) => f.key);
      this.text(message);
      return;
    }
    const message = decode(bytes);
    if (message.kind === KIND.topology) this.binary(message);
    else if (message.kind === PACKED) this.takeFrame(message, bytes);
    else if (message.kind === PACKED_FIELD) this.takeField(message, bytes);
    else this.frames[this.frames.length - 1]?.extras.push(message);
  }

  takeFrame(message, bytes) {
    const numbers = new Float32Array(bytes, HEADER_BYTES, 6);
    const packed = new Uint8Array(bytes, HEADER_BYTES + 24);
    if (packed.length < 6 * message.count) throw new Error('a frame is too short');
    this.places.rows.push({ bytes: packed, difference: (message.flags & DIFFERENCE) !== 0, size: 3 * message.count });
    this.frames.push({ message, origin: numbers.subarray(0, 3), quantum: numbers.subarray(3), extras: [] });
  }

  // A field belongs to the frame before it; every frame has it.
  takeField(message, bytes) {
    const packed = new Uint8Array(bytes, HEADER_BYTES + 4);
    const field = (this.fields[message.extra] ??= { track: new Track(Int16Array), quanta: [] });
    if (packed.length % (2 * message.count) !== 0) throw new Error('a field is too short');
    field.quanta.push(new Float32Array(bytes, HEADER_BYTES, 1)[0]);
    field.track.rows.push({
      bytes: packed,
      difference: (message.flags & DIFFERENCE) !== 0,
      size: packed.length / 2,
    });
  }

  naturalRate() {
    const last = this.frames.length - 1;
    const span = this.frames[last].message.time - this.frames[0].message.time;
    return span > 0 ? last / span : 25;
  }

  show(frame) {
    const whole = this.places.bring(frame);
    const { message, origin, quantum } = this.frames[frame];
    const positions = new Float32Array(whole.length);
    for (let i = 0; i < whole.length; ++i) positions[i] = origin[i % 3] + quantum[i % 3] * whole[i];
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
    this.showExtras();
    this.tell();
  }

  // What was asked for beside positions.
  showExtras() {
    const { message, extras } = this.frames[this.shown];
    for (const extra of extras)
      if (extra.kind !== KIND.contacts || this.contacts) this.binary({ ...extra, step: message.step });
    const field = this.fields[this.chosen];
    if (!field?.track.rows[this.shown]) return;
    const quantum = field.quanta[this.shown];
    const values = Float32Array.from(field.track.bring(this.shown), (w) => quantum * w);
    this.binary({ ...message, kind: KIND.field, flags: 0, extra: this.chosen, values });
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
    if (!this.isOpen || (this.frames.length === 0 && type !== 'show')) return false;
    requests[type]?.(this, members);
    return true;
  }

  go(frame) {
    this.show(Math.min(this.frames.length - 1, Math.max(0, Math.round(frame))));
    this.next();
  }
}

const requests = {
  show: (r, { field, contacts }) => {
    r.chosen = r.keys.indexOf(field);
    r.contacts = contacts === true;
    if (r.shown !== undefined) r.showExtras();
  },
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
