// A table as this browser knows it: numbered versions without gaps, and commands that arrive once, however often they must be sent.
import { api, ApiFailure, randomHex } from './api';
import { Link } from './link';
import type { Connection, FrameListener, Pending, TableSession } from './session';
import type { Act, Answer, Claim, Fill, Frame, Proposal, Propose, Refused, Rematch, Resign, Return, Say, Snapshot, Step, TableInfo, Update, View } from './wire';
import { version } from './version.svelte';

/** Commands that must not be lost: kept, and sent again over each new connection, until answered. */
type Lasting = Act | Resign | Rematch | Fill | Propose | Answer | Claim | Return | Say;
/** Such a command without its id. */
type Wish = { [T in Lasting['t']]: Omit<Extract<Lasting, { t: T }>, 'id'> }[Lasting['t']];

/** Refusals that mean: the same once more, a little later. */
const TRANSIENT = new Set(['try_again', 'too_many_requests']);
/** How often a command is sent again after such a refusal before the reader hears of it. */
const RETRIES = 5;
/** How long a step may be on its way, in milliseconds, after we know that it exists. */
const OVERDUE = 2_000;

/** The WebSocket address of a table. */
export function socketUrl(id: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/tables/${encodeURIComponent(id)}/socket`;
}

export class Session implements TableSession {
  info = $state.raw<TableInfo | null>(null);
  options = $state.raw<Snapshot['options']>({});
  view = $state.raw<View | null>(null);
  shown = $state.raw<View | null>(null);
  log = $state.raw<Step[]>([]);
  connection = $state<Connection>('connecting');
  pending = $state.raw<Pending | null>(null);
  refusal = $state.raw<Refused | null>(null);
  online = $state.raw<boolean[]>([]);
  spectators = $state(0);
  /** By seat: from when on (the server's time) others may say that its person is absent. */
  away = $state.raw<(number | null)[]>([]);
  highlight = $state.raw<Step | null>(null);
  /** Why there is nothing to show and never will be, e.g. `unknown_table`. */
  failure = $state<string | null>(null);

  /** Told the answers to questions after the server's time: when they were asked (`performance.now()`), and the time. */
  timed: ((asked: number, at: number) => void) | null = null;

  readonly id: string;
  #v: number | null = null;
  #ply = 0;
  /** Whether the next snapshot is the first word of a new connection, and so replaces whatever we knew. */
  #fresh = true;
  /** Newest version that is known to exist. */
  #known = 0;
  #waiting = new Map<string, { command: Lasting; refusals: number }>();
  #listeners = new Set<FrameListener>();
  #overdue: ReturnType<typeof setTimeout> | undefined;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #link: Link;
  /** A command without an answer would be lost with the page. */
  #holds = (): boolean => this.#waiting.size > 0;

  constructor(id: string) {
    this.id = id;
    version.holds.add(this.#holds);
    this.#link = new Link(socketUrl(id), {
      since: () => this.#v,
      opened: () => {
        this.#fresh = true;
        for (const { command } of this.#waiting.values()) this.#link.send(command);
      },
      frame: (frame) => this.#receive(frame),
      changed: (connection) => (this.connection = connection),
      failed: () => void this.#ask(),
    });
  }

  act(action: string): void {
    if (this.pending || !this.view) return;
    const id = randomHex(16);
    this.pending = { id, action };
    this.#give({ t: 'act', id, ply: this.#ply, action });
  }

  resign(): void {
    this.#order({ t: 'resign' });
  }

  /** Ask for another game, agree to one, or say that one wants none. */
  rematch(yes = true): void {
    this.#order({ t: 'rematch', yes });
  }

  /** Before the start, by the owner: give a seat to a bot, or (`null`) to people again. */
  fill(seat: number, bot: string | null): void {
    this.#order({ t: 'fill', seat, bot });
  }

  /** Ask everybody who plays to agree to something. */
  propose(what: Proposal['what']): void {
    this.#order({ t: 'propose', what, ply: this.#ply });
  }

  /** Agree to a proposal or not; no to one's own takes it back. */
  answer({ what, v }: Proposal, yes: boolean): void {
    this.#order({ t: 'answer', what, v, yes });
  }

  /** Somebody has been away for too long: win, or let a bot play for them. */
  claim(seat: number, to: Claim['to']): void {
    this.#order({ t: 'claim', seat, to });
  }

  /** Take over from the bot that played meanwhile. */
  comeBack(): void {
    this.#order({ t: 'return' });
  }

  /** Say something to the table; the id of the command. */
  say(words: Pick<Say, 'phrase' | 'text'>): string {
    return this.#order({ t: 'say', ...words });
  }

  /** Ask for the server's time; see `timed`. */
  askTime(): void {
    this.#link.send({ t: 'ping' });
  }

  /** Not kept: a pause that is over needs no skipping. */
  hurry(): void {
    this.#link.send({ t: 'hurry', id: randomHex(16) });
  }

  subscribe(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Look at once whether everything is current. */
  wake(): void {
    this.#link.wake();
  }

  /** Open the connection anew, e.g. after taking a seat: the server knows who one is from the handshake. */
  renew(): void {
    this.#link.renew();
  }

  /** Take in a snapshot that came another way, e.g. as the answer to taking a seat. */
  adopt(snapshot: Snapshot): void {
    if (this.#v === null || snapshot.v >= this.#v) this.#replace(snapshot);
  }

  /** Leave the table. Commands without an answer are given up. */
  close(): void {
    this.#link.close();
    version.holds.delete(this.#holds);
    clearTimeout(this.#overdue);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #give(command: Lasting): void {
    this.refusal = null;
    this.#waiting.set(command.id, { command, refusals: 0 });
    this.#link.send(command);
  }

  /** Give a command, unless the very same one waits for its answer already. Returns its id. */
  #order(wish: Wish): string {
    for (const { command } of this.#waiting.values()) if (JSON.stringify({ ...command, ...wish }) === JSON.stringify(command)) return command.id;
    const id = randomHex(16);
    this.#give({ ...wish, id } as Lasting);
    return id;
  }

  #receive(frame: Frame): void {
    switch (frame.t) {
      case 'snapshot':
        if (this.#fresh || this.#v === null || frame.v >= this.#v) this.#replace(frame);
        break;
      case 'update':
        this.#fresh = false;
        if (this.#v !== null && frame.v === this.#v + 1) this.#advance(frame);
        else if (this.#v === null || frame.v > this.#v) this.#missing(frame.v);
        break;
      case 'presence':
        this.online = frame.online;
        this.spectators = frame.spectators;
        this.away = frame.away ?? [];
        break;
      case 'ack':
        this.#waiting.delete(frame.id);
        this.#expect(frame.v);
        this.#settle();
        break;
      case 'refused':
        this.#refused(frame);
        break;
      case 'pong':
        this.timed?.(this.#link.asked, frame.at);
        break;
    }
  }

  #replace(snapshot: Snapshot): void {
    // The first snapshot of a connection is the newest state there is, even where we believed in a newer one.
    if (this.#fresh) this.#known = snapshot.v;
    this.#fresh = false;
    this.#v = snapshot.v;
    this.log = snapshot.log;
    this.options = snapshot.options;
    this.#show(snapshot);
  }

  #advance(update: Update): void {
    this.#v = update.v;
    this.log = [...this.log, update.step];
    this.#show(update);
  }

  #show(frame: Snapshot | Update): void {
    this.#ply = frame.ply;
    this.info = frame.table;
    this.view = frame.view;
    this.online = frame.table.seats.map((seat) => seat.online);
    this.failure = null;
    this.#settle();
    for (const listener of [...this.#listeners]) listener(frame);
  }

  /** A step arrived that does not join on: ask for those between. */
  #missing(v: number): void {
    const asked = this.#known >= v;
    this.#expect(v);
    if (!asked) this.#link.send({ t: 'sync', since: this.#v ?? 0 });
  }

  /** Version `v` exists. If it does not arrive soon, something is wrong with the connection. */
  #expect(v: number): void {
    if (v <= this.#known) return;
    this.#known = v;
    if (v <= (this.#v ?? 0)) return;
    clearTimeout(this.#overdue);
    this.#overdue = setTimeout(() => (this.#v ?? 0) < this.#known && this.#link.renew(), OVERDUE);
  }

  /** An acknowledged action stays pending until its step is shown, so that nobody acts on a view that is already past. */
  #settle(): void {
    if ((this.#v ?? 0) >= this.#known) {
      this.#known = this.#v ?? 0;
      clearTimeout(this.#overdue);
      if (this.pending && !this.#waiting.has(this.pending.id)) this.pending = null;
    }
  }

  #refused(frame: Refused): void {
    const waiting = frame.id === null ? undefined : this.#waiting.get(frame.id);
    if (frame.snapshot) this.adopt(frame.snapshot);
    // A rule that forbids it now will forbid it in a moment, too.
    if (waiting && !frame.rule && TRANSIENT.has(frame.code) && waiting.refusals++ < RETRIES) {
      this.#later(Number(frame.params['seconds'] ?? 1) * 1000, () => {
        if (this.#waiting.has(waiting.command.id)) this.#link.send(waiting.command);
      });
      return;
    }
    if (waiting) {
      this.#waiting.delete(waiting.command.id);
      if (this.pending?.id === frame.id) this.pending = null;
      this.refusal = frame;
    } else if (frame.code === 'unknown_table') this.#fail(frame.code);
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  /** A socket tells a page nothing of why it was turned away: ask for the table in the plain way. */
  async #ask(): Promise<void> {
    try {
      this.adopt(await api.table(this.id));
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'unknown_table') this.#fail(error.code);
    }
  }

  #fail(code: string): void {
    this.failure = code;
    this.#link.close();
  }
}
