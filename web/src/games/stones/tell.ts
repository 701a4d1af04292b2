// Sentences: what has happened (log line, caption, live region), and why a game ended. Fetched as soon as the table stands, which needs none at first.
import { m } from '../../lib/i18n';
import { seatName } from '../../lib/names';
import type { TableInfo } from '../../lib/wire';
import { partsInWords, type Names } from './describe';
import type { Step, StonesEvent } from './types';
import { colourName, list, stoneName, stonesInWords } from './words';

/** Why a game ended; reasons that a newer server may know are left out. */
export function reasonInWords(reason: string | null | undefined): string {
  const texts: Record<string, () => string> = { end_space: m.stones_why_end_space, stuck: m.stones_why_stuck };
  return texts[reason ?? '']?.() ?? '';
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
