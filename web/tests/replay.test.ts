// A game looked at again: steps as updates, jumps as snapshots, nothing played, and the address in step with it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LookBack, eyesOf, placeOf } from '../src/lib/look-back.svelte';
import { CALM, ReplaySession, frameOfPly, frameOfVersion, movesSince } from '../src/lib/replay-session.svelte';
import { undone } from '../src/lib/undone';
import type { Replay, ReplayFrame, Snapshot, Step, Update, View } from '../src/lib/wire';
import { table } from './socket';

const view = (n: number): View => ({ to_move: n % 2 }) as View;
const step = (v: number, kind: Step['kind'], ply?: number): Step => ({ v, kind, seat: 0, ply: ply ?? null });
const frame = (v: number, ply: number, kind: Step['kind'] = 'action'): ReplayFrame => ({ v, ply, step: step(v, kind, ply), view: view(v) });

/** Five actions; the fourth was taken back and played otherwise. */
const frames = [frame(4, 0, 'started'), frame(5, 1), frame(6, 2), frame(9, 3), frame(11, 2, 'undone'), frame(12, 3), frame(13, 4)];
const replay = (change: Partial<Replay> = {}): Replay => ({ table: table({ state: 'over', winners: [1], ended_by: 'sixth_colour' }), options: { limit: 20 }, seen_as: 0, frames, ...change });

let session: ReplaySession;
let heard: (Snapshot | Update)[];
beforeEach(() => {
  vi.useFakeTimers();
  session = new ReplaySession(replay(), 2);
  heard = [];
  session.subscribe((update) => heard.push(update as Snapshot | Update));
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
});

describe('moving through it', () => {
  it('gives one step forward as an update, everything else as a snapshot', () => {
    session.go(3);
    session.shown = session.view;
    session.go(1);
    session.shown = session.view;
    session.go(6);
    expect(heard.map(({ t, v }) => [t, v])).toEqual([['update', 9], ['snapshot', 5], ['snapshot', 13]]); // prettier-ignore
    expect(session.log.map(({ v }) => v)).toEqual([4, 5, 6, 9, 11, 12, 13]);
  });

  it('does not wait for a scene that is still on its way', () => {
    session.go(3);
    session.go(4);
    expect(heard.map(({ t }) => t)).toEqual(['update', 'snapshot']);
  });

  it('stays within the game and does nothing twice', () => {
    session.go(-5);
    session.go(0);
    session.go(99);
    expect([session.index, session.ply, session.plies, heard.length]).toEqual([6, 4, 4, 2]);
  });

  it('tells the result only at the end', () => {
    expect([session.info?.state, session.info?.winners, session.info?.ended_by]).toEqual(['running', [], null]);
    session.go(6);
    expect([session.info?.state, session.info?.winners, session.info?.ended_by]).toEqual(['over', [1], 'sixth_colour']);
  });

  it('tells who had given up or gone away only from then on', () => {
    const seats = [{ kind: 'person', name: '', online: false, resigned: true }, { kind: 'person', name: '', online: true, absent: true }] as const;
    const log = [frame(4, 0, 'started'), frame(5, 1), frame(6, 1, 'resigned'), frame(7, 2)];
    const told = table({ state: 'over', winners: [1], ended_by: 'sixth_colour', seats: [...seats] });
    const again = new ReplaySession(replay({ frames: log, table: told }), 1);
    const standing = () => again.info?.seats.map(({ resigned, absent }) => [Boolean(resigned), Boolean(absent)]);
    expect(standing()).toEqual([[false, false], [false, false]]); // prettier-ignore
    again.go(2);
    expect(standing()).toEqual([[true, false], [false, false]]); // prettier-ignore
    again.go(3);
    expect(standing()).toEqual([[true, false], [false, true]]); // prettier-ignore
    again.close();
  });

  it('sits where the eyes are', () => {
    const seat = (seen_as: Replay['seen_as']) => new ReplaySession(replay({ seen_as })).info?.you;
    expect([seat(1), seat(null), seat('all')]).toEqual([1, null, 0]);
  });

  it('takes no command', () => {
    session.act();
    session.resign();
    session.hurry();
    expect(heard).toEqual([]);
    expect(session.pending).toBeNull();
  });

  it('refuses a game that has not begun', () => {
    expect(() => new ReplaySession(replay({ frames: [] }))).toThrow(RangeError);
  });
});

describe('playing it back', () => {
  it('goes on when the scene has shown a picture, after a rest, and stops at the end', () => {
    session.play();
    vi.advanceTimersByTime(CALM + 100);
    expect(session.index).toBe(3);
    vi.advanceTimersByTime(10 * CALM);
    expect(session.index).toBe(3);
    for (let i = 0; i < 5; i++) {
      session.shown = session.view;
      vi.advanceTimersByTime(CALM + 200);
    }
    expect([session.index, session.playing]).toEqual([6, false]);
  });

  it('begins again at the end, and stops when asked', () => {
    session.go(6);
    session.play();
    expect(session.index).toBe(0);
    session.play();
    vi.advanceTimersByTime(10 * CALM);
    expect([session.index, session.playing]).toEqual([0, false]);
  });
});

describe('places', () => {
  it('finds the picture of a ply as it was played in the end', () => {
    expect([0, 2, 3, 4, 7].map((ply) => frameOfPly(frames, ply))).toEqual([0, 4, 5, 6, 6]);
  });

  it('finds the picture of a version, also of one that made none', () => {
    expect([1, 4, 7, 8, 9, 99].map((v) => frameOfVersion(frames, v))).toEqual([0, 0, 2, 2, 3, 6]);
  });

  it('reads and refuses addresses', () => {
    expect(placeOf('?ply=37&as=A')).toEqual({ place: { ply: 37 }, eyes: 'A' });
    expect(placeOf('?ply=0')).toEqual({ place: { ply: 0 }, eyes: null });
    for (const search of ['', '?ply=', '?ply=-1', '?ply=x', '?ply=1.5']) expect(placeOf(search), search).toBeNull();
  });

  it('offers all eyes only after the end', () => {
    expect(eyesOf(table())).toEqual([]);
    expect(eyesOf(table({ state: 'over' }))).toEqual(['A', 'B', 'spectator', 'all']);
  });
});

describe('actions taken back', () => {
  const log = frames.map((each) => each.step);
  it('are known', () => expect([...undone(log)]).toEqual([9]));
  it('do not count as new', () => {
    expect(movesSince(log, 4)).toBe(4);
    expect(movesSince(log, 12)).toBe(1);
    expect(movesSince(log, 13)).toBe(0);
  });
});

describe('looking back', () => {
  it('keeps the place when the eyes change, and the address follows', async () => {
    const asked: (string | null)[] = [];
    const back = new LookBack((eyes) => (asked.push(eyes), Promise.resolve(replay({ seen_as: eyes === 'B' ? 1 : 0 }))), '/t/abc');
    await back.open({ ply: 3 });
    expect([back.session?.index, back.address]).toEqual([5, '/t/abc?ply=3']);
    await back.look('B');
    expect([back.session?.index, back.address, asked]).toEqual([5, '/t/abc?ply=3&as=B', [null, 'B']]);
    vi.advanceTimersByTime(1_000);
    expect(location.search).toBe('?ply=3&as=B');
    back.close();
  });

  it('falls back to the own eyes where others may not be looked through', async () => {
    const back = new LookBack((eyes) => (eyes ? Promise.reject(new Error('forbidden')) : Promise.resolve(replay())), null);
    await back.open({}, 'all');
    expect([back.eyes, back.failed, back.address]).toEqual([null, false, '']);
  });

  it('says so when there is nothing to look at', async () => {
    const back = new LookBack(() => Promise.reject(new Error('no')), null);
    await back.open();
    expect([back.session, back.failed]).toEqual([null, true]);
  });
});
