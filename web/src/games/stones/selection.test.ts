// What is chosen and what follows from it: only ever what the choices of this moment say, and what the ruleset pays.
import { describe, expect, it } from 'vitest';
import { worth } from './answers';
import type { SpaceRule } from './ruleset';
import { choices, legal, view } from './samples';
import { NOBODY, NOTHING, actionOf, checked, destinations, picking, selectionOf, settled, toScore, towerOf } from './selection';
import type { StonesTable } from './table.svelte';
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
  it('shows what its tower would be worth on each empty space, by the rules of that space and table', () => {
    const table: SpaceRule = { rule: 'height_table', points: [6, 4, 2, 1] };
    const heights = (count_empty_as_height: boolean): SpaceRule => ({ rule: 'distinct_heights', each: 2, count_empty_as_height });
    const worthOf = (to: number | null, third: SpaceRule, towers = view.sides[0]!.towers, stands = 3) =>
      worth({
        chosen: chosen(2, to), mine: 0, yields: choices.picks.find((pick) => pick.to === to)?.yields ?? [],
        view: { ...view, sides: [{ ...view.sides[0]!, towers, heights: stands }] }, session: { options: { ruleset: { spaces: [table, table, third, table, { rule: 'distinct_colours', each: 1 }] } } },
      } as unknown as StonesTable); // prettier-ignore
    expect(worthOf(null, table)).toEqual({});
    expect(worthOf(5, table)).toEqual({ 3: 4, 5: 2 });
    expect(worthOf(1, table)).toEqual({ 3: 6, 5: 1 });
    // Towers of one, two and three stand there: of another two nothing new comes; a fourth height would.
    expect(worthOf(5, heights(false))[3]).toBe(6);
    expect(worthOf(5, heights(false), ['Y', 'Y', '', 'Y', 'Y'], 1)[3]).toBe(4);
    expect(worthOf(5, heights(true), ['Y', 'Y', '', 'Y', 'Y'], 2)[3]).toBe(4);
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
