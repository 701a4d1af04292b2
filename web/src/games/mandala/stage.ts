// From the events of one step to staged pictures: what the table shows after each event, what travels, how long to rest.
// Bookkeeping of what the events say, no rules; the last picture of a step is always the server's own view.
import type { MandalaClaimed, MandalaMandalaView } from '../../lib/wire';
import type { GameEvent, Step, View } from './types';
import { at } from './anchors';
import { COLOURS, entries, total } from './counts';
import { add } from './sums';

/** Cards that travel from one anchor of the table to another; "?" is a card back, `sand` turns them to grains on the way. */
export interface Flight {
  readonly from: string;
  readonly to: string;
  readonly card: string;
  readonly count: number;
  readonly sand?: boolean;
}

/** One picture: the table after an event, what flew there, and the rest in milliseconds before the next one. */
export interface Stage {
  readonly view: View;
  readonly flights: readonly Flight[];
  readonly rest: number;
  readonly event: GameEvent | null;
}

type Two<T> = [T, T];
const put = <T>(pair: Two<T>, i: number, value: T): Two<T> => (i === 0 ? [value, pair[1]] : [pair[0], value]);
const side = (view: View, seat: number, change: Partial<View['sides'][0]>): View => ({
  ...view,
  sides: put(view.sides, seat, { ...view.sides[seat]!, ...change }),
});

function ground(view: View, i: number, change: Partial<MandalaMandalaView>): View {
  const next = { ...view.mandalas[i]!, ...change };
  const there = next.mountain + next.fields.join('');
  const missing = COLOURS.filter((c) => !there.includes(c)).join('');
  return { ...view, mandalas: put(view.mandalas, i, { ...next, missing }) };
}

/** The picture after one event. */
export function apply(view: View, event: GameEvent): View {
  const hand = (seat: number, cards: string, sign: 1 | -1) => add(view.sides[seat]!.hand, cards, sign);
  switch (event.type) {
    case 'build': {
      const next = side(view, event.seat, { hand: hand(event.seat, `${event.colour}1`, -1) });
      return ground(next, event.mandala, { mountain: add(view.mandalas[event.mandala]!.mountain, `${event.colour}1`) });
    }
    case 'grow': {
      const cards = event.colour + event.count;
      const fields = view.mandalas[event.mandala]!.fields;
      const next = side(view, event.seat, { hand: hand(event.seat, cards, -1) });
      return ground(next, event.mandala, { fields: put(fields, event.seat, add(fields[event.seat]!, cards)) });
    }
    case 'redraw': {
      const cards = event.colour + event.count;
      return { ...side(view, event.seat, { hand: hand(event.seat, cards, -1) }), discard: add(view.discard, cards) };
    }
    case 'draw':
      return { ...side(view, event.seat, { hand: hand(event.seat, event.cards, 1) }), deck: Math.max(0, view.deck - total(event.cards)) };
    case 'shuffle':
      return { ...view, deck: view.deck + event.cards, discard: '-' };
    case 'last_mandala':
      return { ...view, last_mandala: true };
    case 'complete':
      return { ...view, claim: { mandala: event.mandala, completer: event.seat, colours_left: 0 } };
    case 'sweep':
      return { ...ground(view, event.mandala, { mountain: '-' }), discard: add(view.discard, event.cards) };
    case 'claim':
      return claim(view, event);
    case 'clear': {
      const discard = add(add(view.discard, event.fields[0]), event.fields[1]);
      return { ...ground(view, event.mandala, { fields: ['-', '-'] }), discard };
    }
    case 'refill': {
      const next = ground(view, event.mandala, { mountain: add(view.mandalas[event.mandala]!.mountain, event.cards) });
      return { ...next, deck: Math.max(0, view.deck - total(event.cards)), claim: null };
    }
    case 'end':
      return { ...view, claim: null };
  }
}

function claim(view: View, event: MandalaClaimed): View {
  const mine = view.sides[event.seat]!;
  const mountain = add(view.mandalas[event.mandala]!.mountain, event.colour + event.count, -1);
  const river = event.river_place ? mine.river + event.colour : mine.river;
  const claimed = event.cup ? add(mine.claimed, event.colour + event.cup) : mine.claimed;
  const discard = event.discarded ? add(view.discard, event.colour + event.discarded) : view.discard;
  return { ...side(ground(view, event.mandala, { mountain }), event.seat, { river, claimed }), discard };
}

/** What travels in one event. */
export function flights(event: GameEvent): Flight[] {
  const each = (cards: string, from: string, to: string, sand = false): Flight[] => {
    const known = entries(cards).map(([card, count]) => ({ from, to, card, count, sand }));
    return known.length || cards === '-' ? known : [{ from, to, card: '?', count: total(cards), sand }];
  };
  switch (event.type) {
    case 'build':
      return each(`${event.colour}1`, at.hand(event.seat), at.mountain(event.mandala));
    case 'grow':
      return each(event.colour + event.count, at.hand(event.seat), at.field(event.mandala, event.seat));
    case 'redraw':
      return each(event.colour + event.count, at.hand(event.seat), at.discard);
    case 'draw':
      return each(event.cards, at.deck, at.hand(event.seat));
    case 'shuffle':
      return [{ from: at.discard, to: at.deck, card: '?', count: Math.min(6, event.cards) }];
    case 'sweep':
      return each(event.cards, at.mountain(event.mandala), at.discard, true);
    case 'claim': {
      const from = at.mountain(event.mandala);
      const part = (n: number, to: string) => (n > 0 ? [{ from, to, card: event.colour, count: n, sand: true }] : []);
      const river = event.river_place ? part(1, at.river(event.seat, event.river_place)) : [];
      return [...river, ...part(event.cup, at.cup(event.seat)), ...part(event.discarded, at.discard)];
    }
    case 'clear':
      return [0, 1].flatMap((seat) => each(event.fields[seat]!, at.field(event.mandala, seat), at.discard, true));
    case 'refill':
      return each(event.cards, at.deck, at.mountain(event.mandala));
    default:
      return [];
  }
}

/** Rest after each event, in milliseconds: long where there is something to understand. */
const REST: Record<GameEvent['type'], number> = {
  build: 200, grow: 250, redraw: 200, draw: 60, shuffle: 300, last_mandala: 3200,
  complete: 2100, sweep: 600, claim: 900, clear: 400, refill: 250, end: 500,
}; // prettier-ignore

/** Every picture of one step, the last of them the view that the server sent. */
export function stages(before: View | null, step: Step, after: View | null): Stage[] {
  if (!after) return [];
  const found: Stage[] = [];
  if (!before) return [{ view: after, flights: [], rest: 0, event: null }];
  let view: View = { ...before, choices: [], legal: [], reckoning: null, outcome: null };
  for (const event of step.events ?? []) {
    view = apply(view, event);
    found.push({ view, flights: flights(event), rest: REST[event.type], event });
  }
  const last = found.at(-1);
  if (!last) return [{ view: after, flights: [], rest: 0, event: null }];
  found[found.length - 1] = { ...last, view: after };
  return found;
}

/** How many cards of each colour a seat drew in one of its steps. */
export function drawn(step: Step, seat: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const event of step.events ?? [])
    if (event.type === 'draw' && event.seat === seat) for (const [colour, n] of entries(event.cards)) found[colour] = (found[colour] ?? 0) + n;
  return found;
}
