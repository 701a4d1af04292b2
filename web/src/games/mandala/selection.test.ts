// What is held and where it can go: only ever what the choices of this moment say.
import { describe, expect, it } from 'vitest';
import type { MandalaChoice } from '../../lib/wire';
import { pressColour } from './keyboard';
import { NOTHING, back, checked, choiceAt, chosen, selectionOf, tapCard, targets, withCount } from './selection';

const choices: MandalaChoice[] = [
  { kind: 'build', colour: 'Y', mandala: 0, effects: [{ action: 'b1Y', count: 1, draw: 2 }], refusal: null },
  { kind: 'build', colour: 'Y', mandala: 1, effects: [], refusal: { code: 'colour_in_other_field', params: {} } },
  { kind: 'grow', colour: 'Y', mandala: 0, effects: [{ action: 'f1Y1', count: 1 }, { action: 'f1Y2', count: 2 }], refusal: null },
  { kind: 'redraw', colour: 'Y', mandala: null, effects: [1, 2, 3].map((n) => ({ action: `dY${n}`, count: n, draw: n })), refusal: null },
  { kind: 'build', colour: 'K', mandala: 0, effects: [{ action: 'b1K', count: 1 }], refusal: null },
];
const hand = (colour: string) => ({ Y: 3, K: 1 })[colour] ?? 0;

describe('selection', () => {
  it('lifts exactly the tapped card, adds others of the colour, puts back', () => {
    let held = tapCard(NOTHING, 'Y', 2);
    expect(held.picks).toEqual([2]);
    held = tapCard(held, 'Y', 0);
    expect(held.picks).toEqual([2, 0]);
    held = tapCard(held, 'Y', 2);
    expect(held.picks).toEqual([0]);
    expect(tapCard(held, 'Y', 0)).toBe(NOTHING);
    expect(tapCard(held, 'K', 0)).toEqual({ colour: 'K', picks: [0], place: null });
  });
  it('counts up with a letter and starts over after the last card', () => {
    let held = NOTHING;
    const counts = [1, 2, 3, 4].map(() => (held = pressColour(held, 'Y', 3)).picks.length);
    expect(counts).toEqual([1, 2, 3, 0]);
    expect(pressColour(NOTHING, 'G', 0)).toBe(NOTHING);
  });
  it('gives each place the effect of that many cards, or of the most that may go there', () => {
    const found = targets(choices, 'Y', 3);
    expect(found.get('m0')?.effect?.action).toBe('b1Y');
    expect(found.get('f0')?.effect?.action).toBe('f1Y2');
    expect(found.get('f0')?.most).toBe(2);
    expect(found.get('d')?.effect?.action).toBe('dY3');
    expect(found.get('m1')).toMatchObject({ effect: null, refusal: { code: 'colour_in_other_field' } });
    expect(found.has('f1')).toBe(false);
  });
  it('offers nothing for a colour without choices', () => {
    expect(targets(choices, 'R', 1).size).toBe(0);
    expect(targets(choices, null, 0).size).toBe(0);
  });
  it('names the action only where it is legal now', () => {
    const held = { colour: 'Y', picks: [0, 1], place: 'f0' as const };
    expect(chosen(held, choices)?.action).toBe('f1Y2');
    expect(chosen({ ...held, place: 'm1' }, choices)).toBeNull();
    expect(chosen(held, [])).toBeNull();
    expect(choiceAt(held, choices)?.kind).toBe('grow');
  });
  it('puts down what has gone when the choices change', () => {
    const held = { colour: 'Y', picks: [0, 2], place: 'm1' as const };
    expect(checked(held, choices, hand)).toEqual({ ...held, place: null });
    expect(checked(held, choices, () => 1).picks).toEqual([0]);
    expect(checked(held, [], hand)).toBe(NOTHING);
  });
  it('steps back from the place, then from the cards', () => {
    const held = { colour: 'Y', picks: [0], place: 'm0' as const };
    expect(back(held).place).toBeNull();
    expect(back(back(held))).toBe(NOTHING);
    expect(withCount(held, 2).picks).toEqual([0, 1]);
  });
  it('finds a sent action again', () => {
    expect(selectionOf('f1Y2', choices)).toEqual({ colour: 'Y', picks: [0, 1], place: 'f0' });
    expect(selectionOf('zz', choices)).toBe(NOTHING);
  });
});
