// Looking back at a game: fetches it as somebody knew it, keeps the place when the eyes change, and the address in step with what is shown.
import { request } from './api';
import { paths } from './router.svelte';
import { ReplaySession, frameOfPly, frameOfVersion } from './replay-session.svelte';
import type { Session } from './session.svelte';
import type { Replay, Step, TableInfo } from './wire';

/** Where to begin: after so many actions, after a version of the table, or (none of them) with the last picture. */
export interface Place {
  ply?: number;
  v?: number;
}

/** What each seat is called in addresses, as in the notation. */
export const letter = (seat: number): string => String.fromCharCode(65 + seat);

/** How long the reader must rest, in milliseconds, before the address follows: browsers allow few changes in a row. */
const REST = 400;

export class LookBack {
  session = $state.raw<ReplaySession | null>(null);
  /** Whose eyes: a seat's letter, `spectator`, `all`; `null`: one's own. */
  eyes = $state<string | null>(null);
  busy = $state(false);
  failed = $state(false);
  readonly #load: (eyes: string | null) => Promise<Replay>;
  /** The address of the table; `null`: there is none to be kept in step. */
  readonly #path: string | null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(load: (eyes: string | null) => Promise<Replay>, path: string | null) {
    this.#load = load;
    this.#path = path;
  }

  /** Fetch the game and go to a place in it. Eyes that may not be looked through are exchanged for one's own. */
  async open(place: Place = {}, eyes: string | null = this.eyes): Promise<void> {
    this.busy = true;
    this.failed = false;
    try {
      const replay = await this.#load(eyes).catch((failure: unknown) => {
        if (eyes === null) throw failure;
        eyes = null;
        return this.#load(null);
      });
      const frame = place.v !== undefined ? frameOfVersion(replay.frames, place.v) : place.ply !== undefined ? frameOfPly(replay.frames, place.ply) : replay.frames.length - 1;
      const session = new ReplaySession(replay, frame);
      this.session?.close();
      this.session = session;
      this.eyes = eyes;
      this.follow();
    } catch {
      this.failed = true;
    } finally {
      this.busy = false;
    }
  }

  /** The same place through other eyes. */
  async look(eyes: string): Promise<void> {
    const v = this.session?.frames[this.session.index]?.v;
    await this.open(v === undefined ? {} : { v }, eyes);
  }

  /** Go to what a line of the log tells of. Comes with the game where it has not been fetched, or is older than that. */
  to(v: number): void {
    const { session } = this;
    if (!session || (session.frames.at(-1)?.v ?? 0) < v) void this.open({ v });
    else session.go(frameOfVersion(session.frames, v));
  }

  /** The address of the picture shown. */
  get address(): string {
    const { session } = this;
    return !session || !this.#path ? '' : `${this.#path}?ply=${session.ply}${this.eyes ? `&as=${this.eyes}` : ''}`;
  }

  /** Let the address follow in a moment. */
  follow(): void {
    if (!this.#path) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.session && history.replaceState(history.state, '', this.address), REST);
  }

  /** Leave it, and its address. */
  close(): void {
    clearTimeout(this.#timer);
    this.session?.close();
    if (this.#path && location.pathname === this.#path) history.replaceState(history.state, '', this.#path);
  }
}

/** The game of a table as it was seen by a seat (its letter), a `spectator`, or with nothing hidden (`all`); `null`: by oneself. */
const ofTable = (id: string, eyes: string | null): Promise<Replay> => request('GET', `/tables/${encodeURIComponent(id)}/replay${eyes ? `/${encodeURIComponent(eyes)}` : ''}`);

/** The game of a record, likewise; `null`: with nothing hidden. */
export const ofRecord = (record: string, eyes: string | null): Promise<Replay> => request('POST', '/replay', { record, seen_as: eyes });

/** Look back at a table: where the address says (`linked`), after a step, else from the start of a game that is over, at the newest picture of one that is not. `null` if that cannot be. */
export async function lookBack(session: Session, linked: boolean, step?: Step): Promise<LookBack | null> {
  const over = session.info?.state === 'over';
  const back = new LookBack((eyes) => ofTable(session.id, eyes), paths.table(session.id));
  const { place, eyes } = (linked && placeOf(location.search)) || { place: step ? { v: step.v } : over ? { ply: 0 } : {}, eyes: null };
  await back.open(place, eyes);
  if (back.failed) {
    session.refusal = { t: 'refused', id: null, code: 'try_again', rule: null, params: {}, snapshot: null };
    return null;
  }
  // No scene follows the live table any more: nothing of it is still to be shown.
  session.shown = null;
  return back;
}

/** Where an address wants to begin; `null`: with the game as it is now. */
export function placeOf(search: string): { place: Place; eyes: string | null } | null {
  const query = new URLSearchParams(search);
  const ply = Number(query.get('ply') || NaN);
  return Number.isInteger(ply) && ply >= 0 ? { place: { ply }, eyes: query.get('as') } : null;
}

/** Through whose eyes a game can be looked at: before its end only one's own. */
export function eyesOf(info: TableInfo): string[] {
  return info.state === 'over' ? [...info.seats.map((_, seat) => letter(seat)), 'spectator', 'all'] : [];
}
