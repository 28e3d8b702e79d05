// What a live run has shown, kept in this page so that its timeline can be scrubbed. Memory is bounded:
// when `budget` bytes are full, every second frame of the older half goes.
const BUDGET = 192 * 1024 * 1024; // [bytes]

export class Past {
  constructor(budget = BUDGET) {
    this.budget = budget;
    this.clear();
  }

  clear() {
    this.frames = [];
    this.bytes = 0;
  }

  // `frame`: {step, time, positions, field: {key, values} or null}; the arrays now belong to the past.
  add(frame) {
    const last = this.frames[this.frames.length - 1];
    if (last && frame.step <= last.step) {
      if (frame.step < last.step)
        this.clear(); // the run began again
      else this.remove(this.frames.length - 1);
    }
    this.frames.push(frame);
    this.bytes += size(frame);
    if (this.bytes > this.budget) this.thin();
  }

  remove(i) {
    this.bytes -= size(this.frames[i]);
    this.frames.splice(i, 1);
  }

  thin() {
    const half = this.frames.length >> 1;
    for (let i = half - (half % 2 === 0 ? 1 : 0); i > 0; i -= 2) this.remove(i);
    while (this.bytes > this.budget && this.frames.length > 2) this.remove(1);
  }

  // The last frame at or before `step`.
  find(step) {
    let found = this.frames[0] ?? null;
    for (const frame of this.frames) {
      if (frame.step > step) break;
      found = frame;
    }
    return found;
  }
}

const size = (frame) => frame.positions.byteLength + (frame.field?.values.byteLength ?? 0);
