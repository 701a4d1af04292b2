// Sentences: what a move would do, and what has happened (log line, caption, live region).
import { m } from '../../lib/i18n';
import { seatName } from '../../lib/names';
import type { TableInfo } from '../../lib/wire';
import type { Scoring } from './selection';
import type { Step, StonesChoices, StonesEvent } from './types';
import { colourName, list, reasonInWords, stoneName, stonesInWords } from './words';

export type Names = (seat: number) => string;

/** What a way to score would pay: each stone, each place of the mandala, and the sum. `spaces` are the own spaces scored. */
export interface Gain {
  readonly stones: readonly { space: number; points: number }[];
  readonly bonuses: readonly { place: number; points: number }[];
  readonly points: number;
  readonly ends: boolean;
}

/** The gain of what is chosen to score, as the choices say it; null for nothing. */
export function gainOf(choices: StonesChoices | null, scoring: Scoring | null): Gain | null {
  if (scoring?.kind === 'colour') return choices?.colours.find((c) => c.colour === scoring.colour) ?? null;
  const tops = choices?.tops.find((t) => t.count === scoring?.spaces.length);
  if (!tops || scoring?.kind !== 'tops') return null;
  return { ...tops, stones: scoring.spaces.map((space) => ({ space, points: tops.stones / tops.count })) };
}

/** The parts of a sum: "space 1: 3, space 3: 4, mandala place 20: +1". */
export function partsInWords(gain: Gain): string {
  const stones = gain.stones.map(({ space, points }) => m.stones_at_space({ i: space, n: points }));
  const bonuses = gain.bonuses.map(({ place, points }) => m.stones_at_mandala({ i: place, n: points }));
  return list([...stones, ...bonuses]);
}

/** One event as a short sentence or part of one; "" for what needs no words. */
export function eventInWords(event: StonesEvent, me: number | null, names: Names): string {
  const name = (seat: number) => (seat === me ? m.stones_you() : names(seat));
  switch (event.type) {
    case 'move':
      return (event.pattern === 'star' ? m.stones_ev_move_star : m.stones_ev_move_circle)({ who: name(event.seat), a: event.to });
    case 'gather':
      return m.stones_ev_gather({ stones: list(event.stones.map(({ stone }) => stoneName(stone))), i: event.space });
    case 'uncover':
      return event.stones.length ? m.stones_ev_uncover({ stones: stonesInWords(event.stones.map(({ stone }) => stone).join('')) }) : '';
    case 'score': {
      const who = name(event.seat);
      const what = event.colour ? m.stones_ev_colour({ who, colour: colourName(event.colour) }) : m.stones_ev_tops({ who, n: event.stones.length });
      return `${what} · ${m.stones_plus({ n: event.points })} (${partsInWords({ ...event, ends: false })})`;
    }
    case 'last_round':
      return event.trigger === 'A' ? m.stones_last_a() : m.stones_last_b();
    case 'skip':
      return m.stones_ev_skip({ who: name(event.seat) });
    case 'end':
      return reasonInWords(event.outcome.reason);
  }
}

/** A whole step in words, as the live region says it. */
export function stepInWords(step: Step, me: number | null, names: Names): string {
  const name = step.seat == null ? '' : step.seat === me ? m.stones_you() : names(step.seat);
  switch (step.kind) {
    case 'action':
      return (step.events ?? []).map((event) => eventInWords(event, me, names)).filter(Boolean).join(' · ');
    case 'started':
      return step.seat == null ? '' : m.stones_ev_start({ who: name });
    case 'resigned':
      return m.stones_ev_resign({ who: name });
    case 'rematch':
      return step.seat == null ? '' : m.stones_ev_rematch({ who: name });
    default:
      return '';
  }
}

/** The log line of a step, for the shell's move log: without what the table itself shows better. */
export function describeStep(step: Step, info: TableInfo): string {
  return stepInWords(step, info.you, (seat) => seatName(info, seat));
}
