// Sentences: what has happened (log line, caption, live region), and why a game ended. Fetched as soon as the table stands, which needs none at first.
import { m } from '../../lib/i18n';
import { seatName } from '../../lib/names';
import type { TableInfo } from '../../lib/wire';
import { total } from './counts';
import { claimParts, completedInWords, type Names } from './describe';
import type { GameEvent, Step } from './types';
import { cardsInWords, some } from './words';

/** Why a game ended; reasons that a newer server may know are left out. */
export function reasonInWords(reason: string | null | undefined): string {
  const texts: Record<string, () => string> = {
    sixth_colour: m.mandala_why_sixth_colour,
    last_mandala: m.mandala_why_last_mandala,
    stall: m.mandala_why_stall,
  };
  return texts[reason ?? '']?.() ?? '';
}

/** One event as a short sentence or part of one; "" for what needs no words. `alone`: nothing before it says whose it is. */
export function eventInWords(event: GameEvent, me: number | null, names: Names, alone = false): string {
  const name = (seat: number) => (seat === me ? m.mandala_you() : names(seat));
  switch (event.type) {
    case 'build':
      return m.mandala_ev_build({ who: name(event.seat), cards: some(event.colour, 1), m: event.mandala + 1 });
    case 'grow':
      return m.mandala_ev_grow({ who: name(event.seat), cards: some(event.colour, event.count), m: event.mandala + 1 });
    case 'redraw':
      return m.mandala_ev_redraw({ who: name(event.seat), cards: some(event.colour, event.count) });
    case 'draw':
      return alone ? m.mandala_ev_drew({ who: name(event.seat), n: total(event.cards) }) : m.mandala_ev_draw({ n: total(event.cards) });
    case 'shuffle':
      return m.mandala_ev_shuffle();
    case 'last_mandala':
      return m.mandala_last();
    case 'complete':
      return `${m.mandala_ev_complete({ m: event.mandala + 1 })} ${completedInWords(event, me, names)}`;
    case 'sweep':
      return m.mandala_to_discard({ n: total(event.cards) });
    case 'claim': {
      const cards = some(event.colour, event.count);
      const claimed = event.seat === me ? m.mandala_ev_claim_you({ cards }) : m.mandala_ev_claim({ who: name(event.seat), cards });
      return `${claimed}: ${claimParts(event)}`;
    }
    case 'clear':
      return m.mandala_ev_clear();
    case 'refill':
      return m.mandala_ev_refill({ m: event.mandala + 1, cards: cardsInWords(event.cards) });
    case 'end':
      return reasonInWords(event.outcome.reason);
  }
}

/** A whole step in words, as the live region says it. */
export function stepInWords(step: Step, me: number | null, names: Names): string {
  const name = step.seat == null ? '' : step.seat === me ? m.mandala_you() : names(step.seat);
  switch (step.kind) {
    case 'action': {
      const parts = (step.events ?? []).map((e) => eventInWords(e, me, names)).filter(Boolean);
      return parts.join(' · ');
    }
    case 'started':
      return step.seat == null ? '' : m.mandala_ev_start({ who: name });
    case 'resigned':
      return m.mandala_ev_resign({ who: name });
    case 'rematch':
      return step.seat == null ? '' : m.mandala_ev_rematch({ who: name });
    // Who sits there is seen; what no game tells, the shell does.
    default:
      return '';
  }
}

/** The log line of a step, for the shell's move log. */
export function describeStep(step: Step, info: TableInfo): string {
  return stepInWords(step, info.you, (seat) => seatName(info, seat));
}
