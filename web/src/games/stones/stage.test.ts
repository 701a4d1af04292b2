// From events to pictures: what the table shows after each, and that the last one is the server's own.
import { describe, expect, it } from 'vitest';
import { view } from './samples';
import { apply, flights, lowered, stages } from './stage';
import type { Step, StonesEvent } from './types';

const pick: StonesEvent[] = [
  { type: 'move', seat: 0, pattern: 'star', origin: 2, to: 5 },
  { type: 'gather', seat: 0, stones: [{ stack: 9, stone: 'R' }, { stack: 16, stone: 'P' }], space: 3 },
  { type: 'uncover', stones: [{ stack: 9, stone: 'y' }, { stack: 16, stone: 'B' }] },
]; // prettier-ignore
const score: StonesEvent = {
  type: 'score', seat: 0, colour: 'Y', points: 8, places: [19, 20], bonuses: [{ place: 20, points: 1 }],
  stones: [{ space: 1, stone: 'Y', height: 1, points: 3 }, { space: 4, stone: 'y', height: 3, points: 4 }],
}; // prettier-ignore
const step = (events: StonesEvent[]): Step => ({ v: 9, kind: 'action', seat: 0, events });

it('takes one stone off a stack, covered or not', () => {
  expect(['(p)(y)R', '(p)(y)', 'R', ''].map(lowered)).toEqual(['(p)(y)', '(p)', '', '']);
});

describe('a pick', () => {
  const [moved, gathered, uncovered] = pick.reduce((seen, event) => [...seen, apply(seen.at(-1) ?? view, event)], [] as (typeof view)[]) as [typeof view, typeof view, typeof view];

  it('moves the artist and nothing else', () => {
    expect(moved.artists.map((a) => a.space)).toEqual([5, 4, 6, 8]);
    expect(moved.stacks).toBe(view.stacks);
  });
  it('lowers the stacks, builds the tower in the order given', () => {
    expect(gathered.stacks[8]).toBe('(p)(y)');
    expect(gathered.stacks[15]).toBe('(b)');
    expect(gathered.sides[0]!.towers).toEqual(['Y', 'bR', 'RP', 'rPy', '']);
  });
  it('turns up what lay beneath', () => {
    expect(uncovered.stacks[8]).toBe('(p)y');
    expect(uncovered.stacks[15]).toBe('B');
  });
  it('lets artist and stones travel', () => {
    expect(flights(pick[0]!)).toEqual([{ from: 'a-2', to: 'a-5', stone: '' }]);
    expect(flights(pick[1]!).map((f) => [f.from, f.to, f.stone])).toEqual([['s-9', 't-0-3', 'R'], ['s-16', 't-0-3', 'P']]); // prettier-ignore
    expect(flights(pick[2]!)).toEqual([]);
  });
});

it('scores: tops leave their towers for the mandala, points are added', () => {
  const after = apply(view, score);
  expect(after.sides[0]!.towers).toEqual(['', 'bR', '', 'rP', '']);
  expect(after.sides[0]!.score).toBe(20);
  expect(after.mandala.stones).toBe(`${view.mandala.stones}Yy`);
  expect(flights(score).map((f) => [f.from, f.to])).toEqual([['t-0-1', 'm-19'], ['t-0-4', 'm-20']]); // prettier-ignore
});

describe('the pictures of a step', () => {
  const after = { ...view, round: 7 };
  it('are one for each event, without choices, the last one the server’s own', () => {
    const beats = stages(view, step(pick), after);
    expect(beats).toHaveLength(3);
    expect(beats[0]!.view.choices).toBeNull();
    expect(beats[2]!.view).toBe(after);
    expect(beats.every((beat) => beat.rest > 0)).toBe(true);
  });
  it('are one without events, and none without a view', () => {
    expect(stages(view, step([]), after)).toEqual([{ view: after, flights: [], rest: 0, event: null }]);
    expect(stages(null, step(pick), after)).toHaveLength(1);
    expect(stages(view, step(pick), null)).toEqual([]);
  });
  it('say when the last round begins', () => {
    expect(apply(view, { type: 'last_round', seat: 0, trigger: 'A' }).trigger).toBe('A');
    expect(apply(view, { type: 'skip', seat: 0 })).toBe(view);
  });
});
