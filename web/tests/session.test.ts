// The table session over bad connections: no gap, no double, no lost move, whatever the socket does.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TIMES } from '../src/lib/link';
import { Session } from '../src/lib/session.svelte';
import type { Act, Fill, Refused } from '../src/lib/wire';
import { FakeSocket, snapshot, update } from './socket';

let session: Session;
const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const acts = () => FakeSocket.all.flatMap(({ commands }) => commands).filter((command): command is Act => command.t === 'act');
const versions = () => session.log.map(({ v }) => v);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  FakeSocket.all = [];
  FakeSocket.reachable = true;
  session = new Session('abc');
  await tick();
  FakeSocket.last.say(snapshot(6));
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('versions', () => {
  it('takes the snapshot, then each update once', () => {
    FakeSocket.last.say(update(7));
    FakeSocket.last.say(update(7));
    FakeSocket.last.say(update(6));
    expect(versions()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(session.connection).toBe('live');
  });

  it('asks once for what a gap hides, and shows nothing out of order', () => {
    FakeSocket.last.say(update(9));
    FakeSocket.last.say(update(9));
    expect(versions()).toHaveLength(6);
    expect(FakeSocket.last.commands).toEqual([{ t: 'sync', since: 6 }]);
    for (const v of [7, 8, 9, 10]) FakeSocket.last.say(update(v));
    expect(versions()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('takes a snapshot as the answer to a gap', () => {
    FakeSocket.last.say(update(9));
    FakeSocket.last.say(snapshot(9));
    expect(versions()).toHaveLength(9);
  });

  it('opens another connection when what exists does not arrive', async () => {
    FakeSocket.last.say(update(9));
    await tick(2_100);
    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.last.url).toContain('?since=6');
  });

  it('believes the first snapshot of a new connection, even an older one', async () => {
    FakeSocket.last.die();
    await tick(TIMES.firstRetry);
    FakeSocket.last.say(snapshot(5));
    expect(versions()).toHaveLength(5);
    FakeSocket.last.say(update(6));
    expect(versions()).toHaveLength(6);
  });

  it('tells listeners of each frame after the fields have changed', () => {
    const seen: number[] = [];
    const stop = session.subscribe((frame) => seen.push(frame.v, session.log.length));
    FakeSocket.last.say(update(7));
    FakeSocket.last.say(update(7));
    stop();
    FakeSocket.last.say(update(8));
    expect(seen).toEqual([7, 7]);
  });
});

describe('moves', () => {
  it('is pending until its step is shown, not only until it is acknowledged', () => {
    session.act('b1R');
    const [act] = acts();
    expect(act).toMatchObject({ ply: 2, action: 'b1R' });
    FakeSocket.last.say({ t: 'ack', id: act!.id, v: 7 });
    expect(session.pending).not.toBeNull();
    FakeSocket.last.say(update(7));
    expect(session.pending).toBeNull();
  });

  it('sends a second move only after the first was answered', () => {
    session.act('b1R');
    session.act('b1R');
    expect(acts()).toHaveLength(1);
  });

  it('resends the same command over every new connection until one answer comes', async () => {
    session.act('b1R');
    for (let i = 0; i < 3; i++) {
      FakeSocket.last.die();
      await tick(TIMES.firstRetry);
      FakeSocket.last.say(snapshot(6));
    }
    expect(FakeSocket.all).toHaveLength(4);
    expect(new Set(acts().map((act) => JSON.stringify(act))).size).toBe(1);
    expect(acts()).toHaveLength(4);
    FakeSocket.last.say({ t: 'ack', id: acts()[0]!.id, v: 7 });
    FakeSocket.last.say(update(7));
    FakeSocket.last.die();
    await tick(TIMES.firstRetry);
    expect(acts()).toHaveLength(4);
  });

  it('holds a move made without a connection and sends it once, with the ply it was made at', async () => {
    FakeSocket.reachable = false;
    FakeSocket.last.die();
    await tick();
    session.act('f2K3');
    await tick(20_000);
    expect(acts()).toHaveLength(0);
    expect(session.pending?.action).toBe('f2K3');
    FakeSocket.reachable = true;
    await tick(TIMES.lastRetry);
    expect(acts()).toEqual([{ t: 'act', id: session.pending!.id, ply: 2, action: 'f2K3' }]);
  });

  it('takes the fresh table along with a stale refusal', () => {
    session.act('b1R');
    const refused: Refused = { t: 'refused', id: acts()[0]!.id, code: 'stale', rule: null, params: {}, snapshot: snapshot(8) };
    FakeSocket.last.say(refused);
    expect(session.pending).toBeNull();
    expect(session.refusal?.code).toBe('stale');
    expect(versions()).toHaveLength(8);
    session.act('b1R');
    expect(session.refusal).toBeNull();
    expect(acts()[1]).toMatchObject({ ply: 4 });
  });

  it('tries the same command again when the server could not do it just now, and says so in the end', async () => {
    session.act('b1R');
    const refuse = () =>
      FakeSocket.last.say({ t: 'refused', id: acts()[0]!.id, code: 'try_again', rule: null, params: {}, snapshot: null });
    for (let i = 0; i < 5; i++) {
      refuse();
      expect(session.refusal).toBeNull();
      await tick(1_000);
    }
    expect(acts()).toHaveLength(6);
    expect(new Set(acts().map(({ id }) => id)).size).toBe(1);
    refuse();
    expect(session.refusal?.code).toBe('try_again');
    expect(session.pending).toBeNull();
  });

  it('resigns once, however often it is asked', () => {
    session.resign();
    session.resign();
    expect(FakeSocket.last.commands).toHaveLength(1);
  });

  it('gives each seat to a bot once, however often it is asked, and again after the answer', () => {
    session.fill(1, 'random');
    session.fill(1, 'random');
    session.fill(2, null);
    const fills = FakeSocket.last.commands;
    expect(fills).toMatchObject([
      { t: 'fill', seat: 1, bot: 'random' },
      { t: 'fill', seat: 2, bot: null },
    ]);
    FakeSocket.last.say({ t: 'ack', id: (fills[0] as Fill).id, v: 6 });
    session.fill(1, null);
    expect(FakeSocket.last.commands).toHaveLength(3);
  });

  it('keeps the options of the snapshot, which updates leave out', () => {
    FakeSocket.last.say(update(7));
    expect(session.options).toEqual({ limit: 20 });
  });

  it('lets another tab move: the step is shown, the own late move is refused', () => {
    FakeSocket.last.say(update(7));
    expect(session.pending).toBeNull();
    session.act('b1R');
    expect(acts()[0]!.ply).toBe(3);
  });
});

describe('connection', () => {
  it('finds a half-open socket within two seconds of the page being shown', async () => {
    FakeSocket.last.deaf = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await tick(1_500);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.say(update(7));
    expect(versions()).toHaveLength(7);
  });

  it('leaves a living socket alone when the page is shown', async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    await tick(5_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(session.connection).toBe('live');
  });

  it('asks for a sign of life in silence, and gives a dead socket up', async () => {
    FakeSocket.last.deaf = true;
    await tick(TIMES.quiet + TIMES.answer + 1);
    expect(session.connection).toBe('reconnecting');
    await tick(TIMES.firstRetry);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it('waits longer from try to try, but not when the network comes back', async () => {
    FakeSocket.reachable = false;
    FakeSocket.last.die();
    await tick(120_000);
    const tries = FakeSocket.all.length;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(40);
    FakeSocket.reachable = true;
    dispatchEvent(new Event('online'));
    await tick(10);
    FakeSocket.last.say(snapshot(6));
    expect(session.connection).toBe('live');
  });

  it('stops at a table that does not exist', async () => {
    FakeSocket.last.say({ t: 'refused', id: null, code: 'unknown_table', rule: null, params: {}, snapshot: null });
    FakeSocket.last.die();
    await tick(60_000);
    expect(session.failure).toBe('unknown_table');
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('is silent after it was closed', async () => {
    session.close();
    document.dispatchEvent(new Event('visibilitychange'));
    await tick(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it('shows who is here', () => {
    FakeSocket.last.say({ t: 'presence', online: [true, false], spectators: 3 });
    expect(session.online).toEqual([true, false]);
    expect(session.spectators).toBe(3);
  });
});
