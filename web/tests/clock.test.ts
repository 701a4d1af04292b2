// The clock's arithmetic: the server's time from answers to pings, what is left by it, and how it is written.
import { beforeAll, describe, expect, it } from 'vitest';
import { ServerTime, clockText, isShort, planText, remaining, untilChange } from '../src/lib/clock';
import { loadLocale, loadSet } from '../src/lib/i18n';
import type { ClockInfo } from '../src/lib/wire';

const clock = (change: Partial<ClockInfo> = {}): ClockInfo => ({
  plan: { kind: 'fischer', base_s: 300, increment_s: 3 },
  at: 1_000_000,
  remaining: [60_000, 90_000],
  running: 0,
  deadline: 1_060_000,
  paused: false,
  ...change,
});

beforeAll(async () => {
  await loadLocale('en');
  await loadSet('together');
});

describe("the server's time", () => {
  it('is unknown before anything was heard, and at least what a frame was stamped with', () => {
    const time = new ServerTime();
    expect(time.at(10)).toBeNaN();
    time.reached(5_000, 100);
    expect(time.at(350)).toBe(5_250);
    expect(time.known).toBe(false);
  });

  it('lies between question and answer, and quick answers narrow it down', () => {
    const time = new ServerTime();
    // The server is ahead by 1000; the answer took 400 there and 200 back, then 10 and 10.
    time.answered(0, 600, 1_400);
    expect(time.at(0)).toBe(1_100);
    time.answered(1_000, 1_020, 2_010);
    expect(Math.abs(time.at(0) - 1_000)).toBeLessThanOrEqual(10);
    // A slow one later takes nothing of that away.
    time.answered(2_000, 2_600, 3_100);
    expect(Math.abs(time.at(0) - 1_000)).toBeLessThanOrEqual(12);
  });

  it('begins anew when an answer contradicts it, as after a sleep', () => {
    const time = new ServerTime();
    time.answered(0, 20, 1_010);
    time.answered(100, 120, 61_110);
    expect(time.at(0)).toBe(61_000);
  });

  it('never takes the time of day of the device', () => {
    const time = new ServerTime();
    time.answered(0, 0, 42);
    expect(time.at(8)).toBe(50);
  });
});

describe('what is left', () => {
  it('goes down for the running seat only, and never below nothing', () => {
    expect(remaining(clock(), 0, 1_010_000)).toBe(50_000);
    expect(remaining(clock(), 1, 1_010_000)).toBe(90_000);
    expect(remaining(clock(), 0, 9_000_000)).toBe(0);
    expect(remaining(clock(), 0, 990_000)).toBe(60_000);
  });

  it('stands still in a pause, and while the time is not known', () => {
    expect(remaining(clock({ paused: true }), 0, 1_010_000)).toBe(60_000);
    expect(remaining(clock(), 0, NaN)).toBe(60_000);
  });

  it('is short for the last twenty seconds, or the last third of a move', () => {
    expect(isShort(clock(), 0, 20_001)).toBe(false);
    expect(isShort(clock(), 0, 20_000)).toBe(true);
    expect(isShort(clock(), 1, 5_000)).toBe(false);
    expect(isShort(clock({ plan: { kind: 'per_move', base_s: 30 } }), 0, 10_001)).toBe(false);
    expect(isShort(clock({ paused: true }), 0, 1_000)).toBe(false);
  });

  it('is written in whole seconds, none only when there is none', () => {
    expect([0, 1, 999, 1_000, 1_001, 59_999, 60_000, 61_000, 3_600_000, 3_723_000].map(clockText)).toEqual([
      '0:00', '0:01', '0:01', '0:01', '0:02', '1:00', '1:00', '1:01', '1:00:00', '1:02:03',
    ]); // prettier-ignore
    expect(clockText(90_000_000)).toBe('1 d 1 h');
  });

  it('is read again just when what is written changes', () => {
    for (const left of [1, 500, 1_000, 1_001, 59_500]) {
      const wait = untilChange(left);
      expect(clockText(left - wait), String(left)).not.toBe(clockText(left));
      expect(clockText(left - wait + 1), String(left)).toBe(clockText(left));
    }
  });
});

it('names plans in few words', () => {
  expect(planText({ kind: 'fischer', base_s: 600, increment_s: 5 })).toBe('10 min + 5 s a move');
  expect(planText({ kind: 'fischer', base_s: 90, increment_s: 0 })).toBe('1 min 30 s each');
  expect(planText({ kind: 'per_move', base_s: 86_400 })).toBe('1 day a move');
});
