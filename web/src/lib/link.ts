// The socket to one table: kept open, watched, and opened anew as often as it takes. It knows nothing of what the frames mean.
import type { Command, Frame } from './wire';
import type { Connection } from './session';

/** What a link tells its owner. */
export interface LinkEvents {
  /** The version from which the server shall go on; `null`: from nothing. */
  since(): number | null;
  /** A connection stands; commands can be sent. */
  opened(): void;
  /** A frame arrived. */
  frame(frame: Frame): void;
  changed(connection: Connection): void;
  /** A connection could not be had at all, for the first time since one stood. */
  failed(): void;
}

/** Times in milliseconds. */
export const TIMES = {
  /** Silence after which a sign of life is asked for. */
  quiet: 15_000,
  /** Silence after that question which means that the socket is dead. */
  answer: 5_000,
  /** The same when the page was just shown again, or the network changed: a dead socket must be found within two seconds. */
  answerAwake: 1_000,
  /** Longest time that a handshake may take. */
  handshake: 8_000,
  /** First and longest wait before another try; between them it doubles, and each is shortened by up to a half at random. */
  firstRetry: 300,
  lastRetry: 8_000,
} as const;

const OPEN = 1;

export class Link {
  #socket: WebSocket | null = null;
  #url: string;
  #events: LinkEvents;
  #closed = false;
  #stood = false;
  #tries = 0;
  #began = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #connection: Connection = 'connecting';
  #stops = new AbortController();
  /** When the pings were sent that have no answer yet, the oldest first. */
  #pings: number[] = [];
  /** When the question was sent that the newest answer answers (`performance.now()`). */
  asked = NaN;

  constructor(url: string, events: LinkEvents) {
    this.#url = url;
    this.#events = events;
    const { signal } = this.#stops;
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.wake(), { signal });
    for (const name of ['online', 'offline', 'pageshow', 'focus']) addEventListener(name, () => this.wake(), { signal });
    this.#open();
  }

  /** Send now if a connection stands. Returns whether it was handed to the socket, which does not mean that it arrives. */
  send(command: Command): boolean {
    if (this.#socket?.readyState !== OPEN) return false;
    if (command.t === 'ping') this.#pings.push(performance.now());
    this.#socket.send(JSON.stringify(command));
    return true;
  }

  /** Find out at once whether the connection lives; if it does not, or none stands, open another. */
  wake(): void {
    if (this.#closed) return;
    if (this.#socket?.readyState === OPEN) this.#ask(TIMES.answerAwake);
    else if (!this.#socket || Date.now() - this.#began > TIMES.answerAwake) this.renew();
  }

  /** Give this socket up and open another at once. */
  renew(): void {
    this.#tries = 0;
    this.#drop();
    this.#open();
  }

  /** Stop for good. */
  close(): void {
    this.#closed = true;
    this.#stops.abort();
    this.#drop();
  }

  #open(): void {
    if (this.#closed) return;
    this.#report(this.#stood ? 'reconnecting' : 'connecting');
    const since = this.#events.since();
    const socket = new WebSocket(since === null ? this.#url : `${this.#url}?since=${since}`);
    this.#socket = socket;
    this.#began = Date.now();
    this.#silence = setTimeout(() => this.#lost(socket), TIMES.handshake);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#listen();
      this.#events.opened();
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (socket !== this.#socket) return;
      this.#listen();
      this.#stood = true;
      this.#tries = 0;
      this.#report('live');
      const frame = read(event.data);
      if (frame?.t === 'pong') this.asked = this.#pings.shift() ?? NaN;
      if (frame) this.#events.frame(frame);
    };
    socket.onclose = socket.onerror = () => this.#lost(socket);
  }

  /** Something was heard: the next question is due after a while of silence. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#ask(TIMES.answer), TIMES.quiet);
  }

  #ask(patience: number): void {
    const socket = this.#socket;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lost(socket), patience);
    this.send({ t: 'ping' });
  }

  #lost(socket: WebSocket | null): void {
    if (this.#closed || socket !== this.#socket) return;
    this.#drop();
    this.#report(navigator.onLine ? (this.#stood ? 'reconnecting' : 'connecting') : 'offline');
    if (this.#tries === 0) this.#events.failed();
    if (this.#closed) return;
    const wait = Math.min(TIMES.lastRetry, TIMES.firstRetry * 2 ** this.#tries++) * (0.5 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#open(), wait);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#pings = [];
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }

  #report(connection: Connection): void {
    if (connection === this.#connection) return;
    // While there is no network, each try would say `reconnecting` for a moment: what the reader sees stays calm.
    if (this.#connection === 'offline' && connection !== 'live' && !navigator.onLine) return;
    this.#connection = connection;
    this.#events.changed(connection);
  }
}

/** A frame from its text; `null` if it is none, which no server of ours sends. */
function read(data: unknown): Frame | null {
  try {
    return JSON.parse(String(data)) as Frame;
  } catch {
    return null;
  }
}
