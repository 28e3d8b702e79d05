// The wire format of docs/VIEWER.md, version 1. `decode` checks every length before it looks at a
// payload: a message that does not fit throws, and nothing of it is used. Arrays are views into the
// message, not copies.
export const VERSION = 1;
export const SUBPROTOCOL = 'pliant-1';
const MAGIC = 0x31494c50; // "PLI1"
const HEADER_BYTES = 32;

export const KIND = { topology: 1, positions: 2, field: 3, contacts: 4, highlight: 5 };
const PARTIAL = 1; // flag of positions: only vertices that moved
const SOLIDS = 1; // flag of a topology: masses and tetrahedra follow
export const CONTACT = 9; // numbers of a contact: both closest points, the force, both bodies (NaN: not known)

// Reads one payload after another; throws where the message is too short.
class Cursor {
  constructor(buffer) {
    this.buffer = buffer;
    this.at = HEADER_BYTES;
  }
  take(Type, count) {
    const bytes = count * Type.BYTES_PER_ELEMENT;
    if (this.at + bytes > this.buffer.byteLength) {
      throw new Error(`message of ${this.buffer.byteLength} bytes ends too early`);
    }
    const view = new Type(this.buffer, this.at, count);
    this.at += bytes;
    return view;
  }
  rest(Type) {
    return this.take(Type, Math.floor((this.buffer.byteLength - this.at) / Type.BYTES_PER_ELEMENT));
  }
}

const payloads = {
  [KIND.topology]: (m, c) => {
    m.triangles = c.take(Uint32Array, 3 * m.count);
    m.segments = c.take(Uint32Array, 2 * m.extra);
    if (!(m.flags & SOLIDS)) return;
    const [count] = c.take(Uint32Array, 1);
    const rest = c.rest(Uint32Array);
    if (rest.length < 4 * count) throw new Error('topology ends too early');
    m.solids = rest.subarray(rest.length - 4 * count);
    m.masses = new Float32Array(rest.buffer, rest.byteOffset, rest.length - 4 * count);
  },
  [KIND.positions]: (m, c) => {
    m.vertices = m.flags & PARTIAL ? c.take(Uint32Array, m.count) : null;
    m.positions = c.take(Float32Array, 3 * m.count);
  },
  [KIND.field]: (m, c) => {
    m.values = c.rest(Float32Array);
  },
  [KIND.contacts]: (m, c) => {
    m.lines = c.take(Float32Array, CONTACT * m.count);
  },
  [KIND.highlight]: (m, c) => {
    m.vertices = c.take(Uint32Array, m.count);
  },
};

export function decode(buffer) {
  if (buffer.byteLength < HEADER_BYTES) throw new Error('message without a header');
  const data = new DataView(buffer);
  if (data.getUint32(0, true) !== MAGIC) throw new Error('not a message of Pliant');
  const message = {
    kind: data.getUint16(4, true),
    flags: data.getUint16(6, true),
    sequence: data.getUint32(8, true),
    step: data.getUint32(12, true),
    time: data.getFloat64(16, true),
    count: data.getUint32(24, true),
    extra: data.getUint32(28, true),
  };
  const read = payloads[message.kind];
  if (read) read(message, new Cursor(buffer)); // kinds of later versions are passed over
  return message;
}
