// A game looked at again, as a session: a scene shows it like a live table. Nothing can be played in it; it never leaves where the reader is.
import type { FrameListener, Pending, TableSession } from './session';
import { undone } from './undone';
import type { Replay, ReplayFrame, SeatInfo, Snapshot, Step, TableInfo, Update, View } from './wire';

/** How long a picture rests before the next one when the game is played back, in milliseconds. */
export const CALM = 1500;

export class ReplaySession implements TableSession {
  readonly replay: Replay;
  readonly options: Snapshot['options'];
  readonly connection = 'live';
  readonly pending: Pending | null = null;
  readonly refusal = null;
  readonly online: boolean[];
  readonly spectators = 0;
  /** Which frame is shown. */
  index = $state(0);
  info = $state.raw<TableInfo | null>(null);
  view = $state.raw<View | null>(null);
  shown = $state.raw<View | null>(null);
  log = $state.raw<Step[]>([]);
  highlight = $state.raw<Step | null>(null);
  /** Whether it goes on by itself. */
  playing = $state(false);
  #listeners = new Set<FrameListener>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `index`: the frame to begin with. Raises `RangeError` for a game that has not begun. */
  constructor(replay: Replay, index = 0) {
    if (!replay.frames.length) throw new RangeError('nothing has happened yet');
    this.replay = replay;
    this.options = replay.options;
    this.online = replay.table.seats.map(({ kind }) => kind !== 'open');
    this.#show(this.#within(index));
    this.shown = this.view;
    this.highlight = this.frames[this.index]!.step;
  }

  get frames(): ReplayFrame[] {
    return this.replay.frames;
  }

  /** Number of the last frame. */
  get last(): number {
    return this.frames.length - 1;
  }

  /** Actions played in the picture shown, and at the end. */
  get ply(): number {
    return this.frames[this.index]!.ply;
  }
  get plies(): number {
    return this.frames[this.last]!.ply;
  }

  /** Go to a frame. The next one comes as a step, so that what it moves travels; every other one simply lies there. */
  go(index: number): void {
    const wanted = this.#within(index);
    if (wanted === this.index) return;
    // While a scene is still on its way to the picture before, the newest one is shown at once.
    const forward = wanted === this.index + 1 && this.shown === this.view;
    this.#show(wanted);
    const { v, ply, step, view } = this.frames[wanted]!;
    const table = this.info!;
    const frame: Snapshot | Update = forward
      ? { t: 'update', v, ply, step, table, view }
      : { t: 'snapshot', v, ply, table, options: this.options, view, log: this.log };
    for (const listener of [...this.#listeners]) listener(frame);
    // What has just happened is marked and said, as when the log's reader points at it.
    this.highlight = step;
  }

  /** Go on by itself at a calm pace, from the start if it is at the end; or stop. */
  play(on = !this.playing): void {
    clearTimeout(this.#timer);
    this.playing = on;
    if (!on) return;
    if (this.index === this.last) this.go(0);
    this.#wait();
  }

  /** Stop for good. */
  close(): void {
    clearTimeout(this.#timer);
    this.playing = false;
    this.#listeners.clear();
  }

  act(): void {}
  resign(): void {}
  rematch(): void {}
  hurry(): void {}

  subscribe(listener: FrameListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Once the scene has shown this picture, and it has been looked at for a while, the next one follows. */
  #wait(rested = false): void {
    this.#timer = setTimeout(
      () => {
        if (this.shown && this.shown !== this.view) return this.#wait();
        if (!rested) return this.#wait(true);
        this.go(this.index + 1);
        if (this.index === this.last) this.playing = false;
        else this.#wait();
      },
      rested ? CALM : 100,
    );
  }

  #within(index: number): number {
    return Math.min(this.last, Math.max(0, index));
  }

  #show(index: number): void {
    this.index = index;
    const { replay, frames } = this;
    const { view } = frames[index]!;
    const ended = index === this.last;
    const { table, seen_as: eyes } = replay;
    // Through everybody's eyes one still sits where one sat, or at the first seat: somebody's things lie at the bottom.
    const you = eyes === 'all' ? (table.you ?? 0) : eyes;
    const log = (this.log = frames.slice(0, index + 1).map(({ step }) => step));
    const then = ended ? {} : { state: 'running' as const, winners: [], ended_by: null, seats: table.seats.map((it, seat) => ({ ...it, ...standing(log, seat) })) };
    this.info = { ...table, you, to_move: view.to_move, proposals: [], undo: false, ...then };
    this.view = view;
  }
}

/** Whether somebody had given up, run out of time or gone away by then: what a table tells is how it stands in the end. */
function standing(log: readonly Step[], seat: number): Pick<SeatInfo, 'resigned' | 'flagged' | 'absent'> {
  const own = log.filter((step) => step.seat === seat).map(({ kind }) => kind);
  return {
    resigned: own.includes('resigned'),
    flagged: own.includes('flagged'),
    absent: own.findLast((kind) => kind === 'absent' || kind === 'returned') === 'absent',
  };
}

/** The frame after which so many actions had been played: the last such one, for actions taken back have been played again. */
export function frameOfPly(frames: readonly ReplayFrame[], ply: number): number {
  const found = frames.findLastIndex((frame) => frame.ply === ply);
  return found < 0 ? (ply > 0 ? frames.length - 1 : 0) : found;
}

/** The frame that shows the table after version `v`: of an entry that makes none, the one before. */
export const frameOfVersion = (frames: readonly ReplayFrame[], v: number): number => Math.max(0, frames.findLastIndex((frame) => frame.v <= v));

/** How many moves a log holds after version `v`, those taken back left out. */
export function movesSince(log: readonly Step[], v: number): number {
  const gone = undone(log);
  return log.filter((step) => step.v > v && step.kind === 'action' && !gone.has(step.v)).length;
}
