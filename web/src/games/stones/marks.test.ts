// Marks: what others touched since the viewer's own last move.
import { expect, it } from 'vitest';
import { marks } from './marks';
import type { Step, StonesEvent } from './types';

const act = (seat: number, ...events: StonesEvent[]): Step => ({ v: 0, kind: 'action', seat, events });
const log = [
  act(0, { type: 'move', seat: 0, pattern: 'star', origin: 2, to: 1 }),
  act(1, { type: 'move', seat: 1, pattern: 'circle', origin: 4, to: 5 }, { type: 'gather', seat: 1, space: 2, stones: [{ stack: 9, stone: 'r' }] }),
  act(2, { type: 'score', seat: 2, colour: null, points: 1, stones: [{ space: 3, stone: 'Y', height: 1, points: 1 }], places: [7], bonuses: [] }),
];

it('marks every move of the others since the own one', () => {
  expect([...marks(log, 0)].sort()).toEqual(['a-5', 'm-7', 's-9', 't-1-2', 't-2-3']);
  expect([...marks(log, 1)].sort()).toEqual(['m-7', 't-2-3']);
  expect(marks(log, 2).size).toBe(0);
});
it('marks the last move for who only watches', () => {
  expect([...marks(log, null)].sort()).toEqual(['m-7', 't-2-3']);
});
