// Records of steps in ascending order, for the plots. A live run that starts again forgets what came
// after; a replay may tell its records in any order. Above `LIMIT` every second old one goes.
const LIMIT = 20000;

export class Stats {
  constructor() {
    this.clear();
  }

  clear() {
    this.records = [];
    this.stride = 1; // steps from one record to the next, where none is missing
  }

  get last() {
    return this.records[this.records.length - 1] ?? null;
  }

  // First record whose step is not below `step`.
  lowerBound(step) {
    let low = 0;
    let high = this.records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.records[middle].step < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(record, replay) {
    const at = this.lowerBound(record.step);
    if (!replay) this.records.length = at;
    const known = at < this.records.length && this.records[at].step === record.step;
    this.records.splice(at, known ? 1 : 0, record);
    if (this.records.length > LIMIT) {
      this.records = this.records.filter((_, i) => i % 2 === 0 || i > LIMIT / 2);
      this.stride *= 2;
    }
  }

  // What a page that is loaded again shows of the same run; at most `most` records, the newest ones.
  save(most = 4000) {
    return { stride: this.stride, records: this.records.slice(-most) };
  }

  load({ stride, records }) {
    if (!Array.isArray(records) || !(stride >= 1)) return;
    this.clear();
    this.stride = stride;
    for (const record of records) if (record?.step >= 0) this.add(record, true);
  }

  // The record of a step, or the one before it.
  at(step) {
    const i = this.lowerBound(step + 1) - 1;
    return i >= 0 ? this.records[i] : null;
  }
}
