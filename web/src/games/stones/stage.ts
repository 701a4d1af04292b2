// From the events of one step to staged pictures: what the table shows after each event, what travels, how long to rest.
// Bookkeeping of what the events say, no rules; the last picture of a step is always the server's own view.
import { at } from './anchors';
import type { Step, StonesEvent, StonesView } from './types';

/** A stone or an artist that travels from one anchor of the table to another. */
export interface Flight {
  readonly from: string;
  readonly to: string;
  /** A stone's letter; empty for an artist. */
  readonly stone: string;
}

/** One picture: the table after an event, what flew there, and the rest in milliseconds before the next one. */
export interface Beat {
  readonly view: StonesView;
  readonly flights: readonly Flight[];
  readonly rest: number;
  readonly event: StonesEvent | null;
}

const replaced = <T>(list: readonly T[], i: number, value: T): T[] => list.map((old, j) => (j === i ? value : old));

/** A seat with other towers. */
function tower(view: StonesView, seat: number, space: number, stones: string, score = 0): StonesView {
  const side = view.sides[seat]!;
  const towers = replaced(side.towers, space - 1, stones) as typeof side.towers;
  return { ...view, sides: replaced(view.sides, seat, { ...side, towers, score: side.score + score }) };
}

/** A stack's text without its top: stones are letters, covered ones letters in brackets. */
export const lowered = (stack: string): string => stack.replace(/(\(.\)|.)$/, '');

/** The picture after one event. */
export function apply(view: StonesView, event: StonesEvent): StonesView {
  switch (event.type) {
    case 'move': {
      const artists = view.artists.map((a) => (a.space === event.origin ? { ...a, space: event.to } : a));
      return { ...view, artists };
    }
    case 'gather': {
      const gone = new Set(event.stones.map((taken) => taken.stack));
      const stacks = view.stacks.map((stack, i) => (gone.has(i + 1) ? lowered(stack) : stack));
      return tower({ ...view, stacks }, event.seat, event.space, event.stones.map((taken) => taken.stone).join(''));
    }
    case 'uncover': {
      const tops = new Map(event.stones.map((taken) => [taken.stack, taken.stone]));
      return { ...view, stacks: view.stacks.map((stack, i) => (tops.has(i + 1) ? lowered(stack) + tops.get(i + 1)! : stack)) };
    }
    case 'score': {
      let next: StonesView = { ...view, mandala: { ...view.mandala, stones: view.mandala.stones + event.stones.map((s) => s.stone).join('') } };
      for (const { space } of event.stones) next = tower(next, event.seat, space, next.sides[event.seat]!.towers[space - 1]!.slice(0, -1));
      return tower(next, event.seat, 1, next.sides[event.seat]!.towers[0], event.points);
    }
    case 'last_round':
      return { ...view, trigger: event.trigger };
    default:
      return view;
  }
}

/** What travels in one event. */
export function flights(event: StonesEvent): Flight[] {
  if (event.type === 'move') return [{ from: at.artist(event.origin), to: at.artist(event.to), stone: '' }];
  if (event.type === 'gather') return event.stones.map(({ stack, stone }) => ({ from: at.stack(stack), to: at.tower(event.seat, event.space), stone }));
  if (event.type === 'score') return event.stones.map(({ space, stone }, i) => ({ from: at.tower(event.seat, space), to: at.place(event.places[i]!), stone }));
  return [];
}

/** Rest after each event, in milliseconds: long where there is something to understand. */
const REST: Record<StonesEvent['type'], number> = { move: 40, gather: 120, uncover: 250, score: 450, last_round: 1400, skip: 1200, end: 500 };

/** Every picture of one step, the last of them the view that the server sent. */
export function stages(before: StonesView | null, step: Step | null, after: StonesView | null): Beat[] {
  if (!after) return [];
  const events = step?.events ?? [];
  const found: Beat[] = [];
  if (before) {
    let view: StonesView = { ...before, choices: null, legal: [], reckoning: null, outcome: null };
    for (const event of events) {
      view = apply(view, event);
      found.push({ view, flights: flights(event), rest: REST[event.type], event });
    }
  }
  const last = found.at(-1);
  if (!last) return [{ view: after, flights: [], rest: 0, event: null }];
  found[found.length - 1] = { ...last, view: after };
  return found;
}
