// Views and choices for the tests of this folder: a small moment of a game, written by hand.
import type { StonesChoices, StonesView } from './types';

/** Two artists could move; from A2 there is a pick of two stones on A5, of one on A1, and none on A9. */
export const choices: StonesChoices = {
  picks: [
    {
      artist: 2,
      to: 1,
      yields: [
        { stack: 1, stone: 'Y' },
        { stack: 5, stone: 'r', refusal: 'pattern' },
        { stack: 8, stone: 'B', refusal: 'blocked', blocker: 4 },
        { stack: 4, stone: '', refusal: 'empty' },
      ],
      firsts: [{ stack: 1, tower: 'Y' }],
      refusal: null,
    },
    {
      artist: 2,
      to: 5,
      yields: [
        { stack: 9, stone: 'R' },
        { stack: 13, stone: 'B', refusal: 'blocked', blocker: 6 },
        { stack: 16, stone: 'P' },
        { stack: 12, stone: 'Y', refusal: 'blocked', blocker: 4 },
      ],
      firsts: [
        { stack: 9, tower: 'RP' },
        { stack: 16, tower: 'PR' },
      ],
      refusal: null,
    },
    {
      artist: 2,
      to: 9,
      yields: [
        { stack: 17, stone: 'y', refusal: 'pattern' },
        { stack: 21, stone: 'r', refusal: 'pattern' },
        { stack: 24, stone: '', refusal: 'empty' },
        { stack: 20, stone: 'B', refusal: 'blocked', blocker: 8 },
      ],
      firsts: [],
      refusal: { code: 'nothing_gained', params: {} },
    },
  ],
  spaces: [3, 5],
  colours: [
    { colour: 'Y', action: 'sY', stones: [{ space: 1, stone: 'Y', height: 1, points: 3 }, { space: 4, stone: 'y', height: 3, points: 4 }], bonuses: [{ place: 20, points: 1 }], points: 8, ends: false, refusal: null },
    { colour: 'R', action: 'sR', stones: [{ space: 2, stone: 'R', height: 2, points: 4 }], bonuses: [], points: 4, ends: false, refusal: { code: 'too_few_towers', params: { towers: 2 } } },
    { colour: 'B', action: 'sB', stones: [], bonuses: [], points: 0, ends: false, refusal: { code: 'too_few_towers', params: { towers: 2 } } },
    { colour: 'P', action: 'sP', stones: [], bonuses: [], points: 0, ends: false, refusal: { code: 'too_few_towers', params: { towers: 2 } } },
  ],
  tops: [
    { count: 1, stones: 1, bonuses: [], points: 1, ends: false },
    { count: 2, stones: 2, bonuses: [{ place: 20, points: 1 }], points: 3, ends: false },
    { count: 3, stones: 3, bonuses: [{ place: 20, points: 1 }], points: 4, ends: true },
  ],
}; // prettier-ignore

/** The legal actions that go with it. */
export const legal = ['pA2-A1:S01@3', 'pA2-A1:S01@5', 'pA2-A5:S09@3', 'pA2-A5:S09@5', 'pA2-A5:S16@3', 'pA2-A5:S16@5', 'sY', 'q1', 'q2', 'q12', 'q4', 'q14', 'q24', 'q124'];

const side = (towers: [string, string, string, string, string], score: number) => ({ towers, score, heights: 3, objectives: null });

/** Seat 0 to move, as itself sees it; covered stones show only their colour. */
export const view: StonesView = {
  viewer: 0,
  to_move: 0,
  phase: 'turn',
  round: 6,
  first: 0,
  trigger: null,
  stacks: ['(y)(r)Y', '(b)(b)r', '(p)R', '', '(y)r', 'B', 'y', '(r)B', '(p)(y)R', 'b', 'P', 'Y', '(r)B', 'y', 'R', '(b)P', 'y', 'b', 'r', 'B', 'r', 'p', 'Y', ''],
  artists: [{ space: 2, pattern: 'star' }, { space: 4, pattern: 'circle' }, { space: 6, pattern: 'circle' }, { space: 8, pattern: 'star' }],
  mandala: { stones: 'YrBpYrBpYrBpYrBpYr', end: 40, next_bonus: { place: 20, points: 1 } },
  sides: [{ ...side(['Y', 'bR', '', 'rPy', ''], 12), objectives: [{ id: 'spire', points: 6 }, { id: 'open_space', points: 4 }] }, side(['', 'Yb', 'P', '', ''], 9)],
  notation: '',
  legal,
  choices,
  outcome: null,
  reckoning: null,
}; // prettier-ignore
