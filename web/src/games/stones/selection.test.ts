// What is chosen and what follows from it: only ever what the choices of this moment say.
import { describe, expect, it } from 'vitest';
import { choices, legal } from './samples';
import { NOBODY, NOTHING, actionOf, checked, destinations, picking, selectionOf, settled, toScore, towerOf } from './selection';
import { back } from './touch';

const chosen = (artist: number | null, to: number | null = null, first: number | null = null, space: number | null = null) => ({ artist, to, first, space });

describe('a pick', () => {
  it('lists every vacant space with its stones, or the rule that forbids it', () => {
    expect(destinations(choices, 2)).toEqual([
      { to: 1, gained: 'Y', refusal: null },
      { to: 5, gained: 'RP', refusal: null },
      { to: 9, gained: '', refusal: { code: 'nothing_gained', params: {} } },
    ]);
    expect(destinations(choices, 4)).toEqual([]);
    expect(destinations(null, 2)).toEqual([]);
  });
  it('lets a single first stone, and a single empty space, follow by themselves', () => {
    expect(settled(choices, chosen(2, 1))).toEqual(chosen(2, 1, 1));
    expect(settled(choices, chosen(2, 5))).toEqual(chosen(2, 5));
    expect(settled({ ...choices, spaces: [3] }, chosen(2, 1))).toEqual(chosen(2, 1, 1, 3));
    expect(settled({ ...choices, spaces: [3] }, chosen(2, 5))).toEqual(chosen(2, 5));
  });
  it('shows the tower of the first stone chosen', () => {
    expect(towerOf(choices, chosen(2, 5, 16))).toBe('PR');
    expect(towerOf(choices, chosen(2, 5))).toBe('');
    expect(towerOf(choices, chosen(2, 5, 13))).toBe('');
  });
  it('names an action only when it is whole and legal', () => {
    expect(actionOf(choices, legal, picking(chosen(2, 5, 9, 3)))).toBe('pA2-A5:S09@3');
    expect(actionOf(choices, legal, picking(chosen(2, 5, 9)))).toBeNull();
    expect(actionOf(choices, legal, picking(chosen(2, 5, 9, 4)))).toBeNull();
    expect(actionOf(choices, [], picking(chosen(2, 5, 9, 3)))).toBeNull();
  });
  it('lets go of one thing after the other', () => {
    let held = back(choices, picking(chosen(2, 5, 9, 3)));
    expect(held.chosen).toEqual(chosen(2, 5, 9));
    held = back(choices, held);
    expect(held.chosen).toEqual(chosen(2, 5));
    held = back(choices, held);
    expect(held.chosen).toEqual(chosen(2));
    expect(back(choices, held)).toEqual(NOTHING);
  });
  it('lets what followed by itself go together with its cause', () => {
    expect(back({ ...choices, spaces: [3] }, picking(chosen(2, 5, 9, 3))).chosen).toEqual(chosen(2, 5));
    expect(back({ ...choices, spaces: [3] }, picking(chosen(2, 1, 1, 3))).chosen).toEqual(chosen(2));
    expect(back(choices, picking(chosen(2, 1, 1))).chosen).toEqual(chosen(2));
  });
});

describe('scoring', () => {
  it('sends the action of a colour, and the spaces of single tops in rising order', () => {
    expect(actionOf(choices, legal, toScore({ kind: 'colour', colour: 'Y' }))).toBe('sY');
    expect(actionOf(choices, legal, toScore({ kind: 'colour', colour: 'R' }))).toBeNull();
    expect(actionOf(choices, legal, toScore({ kind: 'tops', spaces: [4, 1] }))).toBe('q14');
    expect(actionOf(choices, legal, toScore({ kind: 'tops', spaces: [] }))).toBeNull();
    expect(actionOf(choices, legal, toScore({ kind: 'tops', spaces: [3] }))).toBeNull();
  });
});

describe('a selection that time has overtaken', () => {
  it('keeps what still makes sense and lets go of the rest', () => {
    const whole = picking(chosen(2, 5, 9, 3));
    expect(checked(choices, whole)).toBe(whole);
    expect(checked({ ...choices, spaces: [5] }, whole).chosen).toEqual(chosen(2, 5, 9));
    expect(checked({ ...choices, picks: choices.picks.filter((p) => p.to !== 5) }, whole).chosen).toEqual(chosen(2));
    expect(checked({ ...choices, picks: [] }, whole)).toBe(NOTHING);
    expect(checked(null, whole)).toBe(NOTHING);
  });
  it('drops a colour that can no longer be scored', () => {
    expect(checked(choices, toScore({ kind: 'colour', colour: 'R' }))).toBe(NOTHING);
    const yellow = toScore({ kind: 'colour', colour: 'Y' });
    expect(checked(choices, yellow)).toBe(yellow);
  });
});

it('reads a selection out of an action that is on its way', () => {
  expect(selectionOf('pA2-A5:S09@3')).toEqual(picking(chosen(2, 5, 9, 3)));
  expect(selectionOf('sY')).toEqual({ chosen: NOBODY, scoring: { kind: 'colour', colour: 'Y' } });
  expect(selectionOf('q135')).toEqual({ chosen: NOBODY, scoring: { kind: 'tops', spaces: [1, 3, 5] } });
  expect(selectionOf('-')).toEqual(NOTHING);
});
