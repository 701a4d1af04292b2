// The server's time on this page, as state that changes just when a running clock's written time does. One for each session.
import { ServerTime, remaining, untilChange } from './clock';
import type { Session } from './session.svelte';

/** Milliseconds between two questions after the time while a clock runs. */
const ASK = 15_000;

export class Timepiece {
  /** The server's time; NaN while nothing is known. Changes at least once a second while somebody needs it. */
  now = $state(NaN);
  #time = new ServerTime();
  #session: Session;
  #users = 0;
  #tick: ReturnType<typeof setTimeout> | undefined;
  #ask: ReturnType<typeof setInterval> | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Begin to keep time; returns the way to stop. */
  use(): () => void {
    if (this.#users++ === 0) {
      this.#session.timed = (sent, at) => {
        this.#time.answered(sent, performance.now(), at);
        this.look();
      };
      this.#session.askTime();
      this.#ask = setInterval(() => this.#session.askTime(), ASK);
    }
    this.look();
    return () => {
      if (--this.#users) return;
      this.#session.timed = null;
      clearTimeout(this.#tick);
      clearInterval(this.#ask);
    };
  }

  /** Read the time, and again when the running clock's seconds change. */
  look(): void {
    clearTimeout(this.#tick);
    const clock = this.#session.info?.clock;
    if (clock) this.#time.reached(clock.at, performance.now());
    this.now = this.#time.at(performance.now());
    const running = clock?.paused ? null : clock?.running;
    const wait = clock && running != null ? untilChange(remaining(clock, running, this.now)) : 1000;
    this.#tick = setTimeout(() => this.look(), Math.max(30, wait));
  }
}

const pieces = new WeakMap<Session, Timepiece>();

/** The timepiece of a session. */
export function timepiece(session: Session): Timepiece {
  let piece = pieces.get(session);
  if (!piece) pieces.set(session, (piece = new Timepiece(session)));
  return piece;
}
