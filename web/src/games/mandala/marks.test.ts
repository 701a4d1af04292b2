// Marks last from the others' moves until the viewer's own.
import { describe, expect, it } from 'vitest';
import type { Step } from './types';
import { marks, touchedBy } from './marks';

const build: Step = { v: 5, kind: 'action', seat: 1, ply: 1, events: [{ type: 'build', seat: 1, mandala: 0, colour: 'R' }, { type: 'draw', seat: 1, cards: '?2' }] };
const mine: Step = { v: 6, kind: 'action', seat: 0, ply: 2, events: [{ type: 'redraw', seat: 0, colour: 'K', count: 1 }] };
const claim: Step = {
  v: 7, kind: 'action', seat: 1, ply: 3,
  events: [{ type: 'claim', seat: 1, mandala: 0, colour: 'G', count: 3, river_place: 2, cup: 2, discarded: 0 }],
}; // prettier-ignore

describe('marks', () => {
  it('marks what others did since the own last action', () => {
    expect([...marks([build], 0)]).toEqual(['m-0 R']);
    expect(marks([build, mine], 0).size).toBe(0);
    expect([...marks([build, mine, claim], 0)]).toEqual(['river-1-2 G', 'cup-1 G']);
  });
  it('marks only the last action for a spectator', () => {
    expect([...marks([build, mine], null)]).toEqual(['discard K']);
  });
  it('knows what a step touched', () => {
    expect(touchedBy(null).size).toBe(0);
    expect([...touchedBy(claim)]).toEqual(['river-1-2 G', 'cup-1 G']);
  });
});
