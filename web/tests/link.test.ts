// The link when a server ends: it comes back at once, not all at the same moment, asks for what it missed, and is patient with a server that is gone.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Link, TIMES } from '../src/lib/link';
import { FakeSocket, snapshot } from './socket';

const links: Link[] = [];
const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const ignore = () => undefined;

function link(): Link {
  const made = new Link('/socket', { since: () => 6, opened: ignore, frame: ignore, changed: ignore, failed: ignore });
  links.push(made);
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  FakeSocket.reachable = true;
});

afterEach(() => {
  for (const each of links.splice(0)) each.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('comes back at once when the server ends its sockets, each link after a moment of its own', async () => {
  for (let count = 0; count < 100; count++) link();
  await tick();
  const first = [...FakeSocket.all];
  for (const socket of first) {
    socket.say(snapshot(6));
    socket.die();
  }
  const came: number[] = [];
  for (let ms = 0; ms < TIMES.firstRetry; ms += 10) {
    await tick(10);
    came.push(FakeSocket.all.length - first.length);
  }
  expect(came.at(-1)).toBe(100);
  expect(came[TIMES.firstRetry / 20 - 2]).toBe(0);
  const busiest = Math.max(...came.map((count, index) => count - (came[index - 1] ?? 0)));
  expect(busiest).toBeLessThan(40);
  expect(FakeSocket.last.url).toBe('/socket?since=6');
});

it('tries ever more seldom while nobody answers, and never gives up', async () => {
  link();
  await tick();
  FakeSocket.reachable = false;
  FakeSocket.last.die();
  await tick(60_000);
  const tries = FakeSocket.all.length;
  expect(tries).toBeGreaterThan(8);
  expect(tries).toBeLessThan(30);
  FakeSocket.reachable = true;
  await tick(TIMES.lastRetry);
  expect(FakeSocket.last.readyState).toBe(1);
});
