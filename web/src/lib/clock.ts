// The arithmetic of clocks in the browser: what time the server has, what is left by it, and how that is written. Pure.
import { m } from './i18n';
import type { ClockInfo, ClockPlan } from './wire';

/** At so many milliseconds a running clock is marked: there is not much left. */
export const SHORT = 20_000;

/**
 * By how much the server's time is ahead of a clock of our own that only ever goes forward (`performance.now()`), from the answers to pings.
 *
 * Each answer was written somewhere between question and arrival, so it bounds the difference from both sides. Answers narrow that down;
 * one that contradicts what was believed (the device slept) begins anew. What the device takes for the time of day is never asked.
 */
export class ServerTime {
  #least = -Infinity;
  #most = Infinity;

  /** A question sent at `sent` was answered at `heard` (own clock, ms) with the server's time `at`. */
  answered(sent: number, heard: number, at: number): void {
    const [least, most] = [at - heard, at - sent];
    // A little slack, for two clocks never go quite alike.
    const [low, high] = [Math.max(least, this.#least - 2), Math.min(most, this.#most + 2)];
    [this.#least, this.#most] = low <= high ? [low, high] : [least, most];
  }

  /** The server's time has reached `at`, as something that arrived at `heard` shows. */
  reached(at: number, heard: number): void {
    this.#least = Math.max(this.#least, at - heard);
    if (this.#most < this.#least) this.#most = this.#least;
  }

  /** Whether an answer has been heard. */
  get known(): boolean {
    return this.#most < Infinity;
  }

  /** The server's time at a moment of the own clock; before the first answer the earliest that it can be. */
  at(own: number): number {
    if (this.#least === -Infinity) return NaN;
    return own + (this.known ? (this.#least + this.#most) / 2 : this.#least);
  }
}

/** Milliseconds that a seat has left at the server's time `now`, never below zero. */
export function remaining(clock: ClockInfo, seat: number, now: number): number {
  const left = clock.remaining[seat] ?? 0;
  if (clock.running !== seat || clock.paused || Number.isNaN(now)) return left;
  return Math.max(0, left - Math.max(0, now - clock.at));
}

/** Milliseconds until the written time of the running clock changes. */
export const untilChange = (left: number): number => (left <= 0 ? 1000 : ((left - 1) % 1000) + 1);

const two = (n: number): string => String(n).padStart(2, '0');

/** Time as on a clock, rounded up to seconds, so that "0:00" means none: `4:05`, `1:02:03`; days are told in words. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours >= 24) return m.clock_days({ d: Math.floor(hours / 24), h: hours % 24 });
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Time to be heard: "4 minutes 5 seconds". */
export function clockSpoken(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours >= 24) return m.clock_days({ d: Math.floor(hours / 24), h: hours % 24 });
  if (hours) return m.clock_hours({ h: hours, m: minutes });
  return minutes ? m.clock_minutes({ m: minutes, s: seconds % 60 }) : m.clock_seconds({ s: seconds });
}

/** Whether a clock is short of time: it runs, and less than `SHORT` is left (where a move has not much more, less than a third). */
export function isShort(clock: ClockInfo, seat: number, left: number): boolean {
  const whole = clock.plan.kind === 'per_move' ? clock.plan.base_s * 1000 : Infinity;
  return clock.running === seat && !clock.paused && left <= Math.min(SHORT, whole / 3);
}

/** The plans offered, besides none and one's own. */
export const PRESETS: readonly ClockPlan[] = [
  { kind: 'fischer', base_s: 300, increment_s: 3 },
  { kind: 'fischer', base_s: 600, increment_s: 5 },
  { kind: 'fischer', base_s: 900, increment_s: 10 },
  { kind: 'per_move', base_s: 60 },
  { kind: 'per_move', base_s: 86_400 },
];

/** A length of time in the fewest words: "5 min", "1 min 30 s", "1 day". */
export function lengthText(seconds: number): string {
  if (seconds % 86_400 === 0) return m.length_days({ n: seconds / 86_400 });
  if (seconds % 3600 === 0) return m.length_hours({ n: seconds / 3600 });
  if (seconds < 60) return m.length_seconds({ s: seconds });
  return seconds % 60 ? m.length_minutes_seconds({ m: Math.floor(seconds / 60), s: seconds % 60 }) : m.length_minutes({ m: seconds / 60 });
}

/** A plan in few words: "10 min + 5 s a move", "1 min a move". */
export function planText({ kind, base_s, increment_s }: ClockPlan): string {
  const base = lengthText(base_s);
  if (kind === 'per_move') return m.plan_per_move({ base });
  return increment_s ? m.plan_fischer({ base, s: increment_s }) : m.plan_base({ base });
}
