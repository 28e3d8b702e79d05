// The WebSocket to the server. It reopens by itself, waiting 0.5, 1, 2, 4, 8, 8, ... seconds, and
// says so through `status`: {phase: "connecting" | "open" | "waiting", wait: seconds, reason}.
// Handlers that throw close nothing: a bad message is reported and passed over.
import { decode, SUBPROTOCOL } from './protocol.js';

const FIRST_WAIT = 0.5; // [s]
const LONGEST_WAIT = 8; // [s]

export class Connection {
  constructor(url, { text, binary, status, fault }) {
    Object.assign(this, { url, text, binary, status, fault });
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.timer = 0;
    this.retry = this.retry.bind(this);
    addEventListener('online', this.retry);
  }

  get isOpen() {
    return this.socket !== null && this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    this.status({ phase: 'connecting' });
    const socket = new WebSocket(this.url, SUBPROTOCOL);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => this.status({ phase: 'open' });
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event);
    };
  }

  receive(data) {
    this.wait = FIRST_WAIT;
    try {
      if (typeof data === 'string') this.text(JSON.parse(data));
      else this.binary(decode(data));
    } catch (error) {
      this.fault(error);
    }
  }

  lost(event) {
    this.socket = null;
    this.status({ phase: 'waiting', wait: this.wait, reason: event.reason || '' });
    this.timer = setTimeout(() => this.open(), 1000 * this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  // At once, for a person who does not want to wait.
  retry() {
    if (this.socket === null) this.open();
  }

  // False if nobody listens; a message is never kept for later.
  send(type, members = {}) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify({ type, ...members }));
    return true;
  }
}

// Where the server is: same host, same token.
export function address(location) {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}/ws${location.search}`;
}
