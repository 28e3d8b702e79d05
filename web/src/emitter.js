// Events by name, synchronous, in the order of subscription.
export class Emitter {
  constructor() {
    this.listeners = new Map();
  }
  on(name, listener) {
    if (!this.listeners.has(name)) this.listeners.set(name, []);
    this.listeners.get(name).push(listener);
  }
  emit(name, value) {
    for (const listener of this.listeners.get(name) ?? []) listener(value);
  }
}
