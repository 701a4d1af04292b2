// A socket that tests drive: it opens, speaks and dies when told to, and keeps what was sent.
import type { Command, Frame, Snapshot, Step, TableInfo, Update, View } from '../src/lib/wire';

export class FakeSocket {
  static all: FakeSocket[] = [];
  /** Whether new sockets reach anybody. */
  static reachable = true;
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: Command[] = [];
  /** A half-open socket: it takes everything and nothing comes back. */
  deaf = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
    queueMicrotask(() => (FakeSocket.reachable ? this.open() : this.die()));
  }

  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.onopen?.();
  }

  /** What the page sends. */
  send(text: string): void {
    const command = JSON.parse(text) as Command;
    this.sent.push(command);
    if (command.t === 'ping' && !this.deaf) this.say({ t: 'pong', at: 0 });
  }

  /** What the server says. */
  say(frame: Frame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  die(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  close(): void {
    this.readyState = 3;
  }

  /** Commands sent over it, signs of life left out. */
  get commands(): Command[] {
    return this.sent.filter(({ t }) => t !== 'ping');
  }
}

const info: TableInfo = {
  id: 'abc',
  game: 'mandala',
  rules_version: 1,
  state: 'running',
  seats: [
    { kind: 'person', name: 'Ana', online: true },
    { kind: 'person', name: 'Ben', online: true },
  ],
  you: 0,
  owner: 0,
  first: 0,
  to_move: 0,
  commitment: '0'.repeat(64),
  secret: null,
  code: null,
  ended_by: null,
  winners: [],
  rematch: { asked_by: [], table: null },
};

export const table = (change: Partial<TableInfo> = {}): TableInfo => ({ ...info, ...change });

/** A view of which only what the shell reads is there. */
const view = (toMove: number): View => ({ to_move: toMove }) as View;
const step = (v: number): Step => ({ v, kind: 'action', seat: 0, ply: v - 4 });

/** The table at version `v`; the game began with version 4. */
export const snapshot = (v: number): Snapshot => ({
  t: 'snapshot',
  v,
  ply: v - 4,
  table: info,
  options: { limit: 20 },
  view: view(v % 2),
  log: Array.from({ length: v }, (_, i) => step(i + 1)),
});
export const update = (v: number): Update => ({ t: 'update', v, ply: v - 4, step: step(v), table: info, view: view(v % 2) });
