// Events become pictures and flights: every card that leaves one place arrives in another, and the server's view has the last word.
import { describe, expect, it } from 'vitest';
import type { GameEvent, View } from './types';
import { total } from './counts';
import { apply, drawn, flights, stages } from './stage';

const forecast = { first: [0, 0], claims: [[3, 2], [3, 2]], tie: false, empty: [false, false] } as View['mandalas'][0]['forecast'];
const view: View = {
  viewer: 0, to_move: 0, phase: 'turn', claim: null,
  mandalas: [
    { mountain: 'Y1R2', fields: ['K3', 'G1'], missing: 'PO', forecast },
    { mountain: 'O2', fields: ['-', '-'], missing: 'KGPYR', forecast },
  ],
  sides: [
    { hand: 'K2G1', river: 'GK', dealt: 'P2', claimed: 'K1', points: 2 },
    { hand: '?6', river: '', dealt: '?2', claimed: '-', points: null },
  ],
  deck: 40, discard: 'Y2', last_mandala: false, redraws: 0, stall_limit: 20, notation: '', legal: [], choices: [], outcome: null, reckoning: null,
}; // prettier-ignore

const all = (v: View): number =>
  v.deck + total(v.discard) +
  v.mandalas.reduce((n, m) => n + total(m.mountain) + total(m.fields[0]) + total(m.fields[1]), 0) +
  v.sides.reduce((n, s) => n + total(s.hand) + s.river.length + total(s.dealt) + total(s.claimed), 0); // prettier-ignore

const events: GameEvent[] = [
  { type: 'build', seat: 0, mandala: 1, colour: 'K' },
  { type: 'grow', seat: 1, mandala: 1, colour: 'P', count: 2 },
  { type: 'redraw', seat: 0, colour: 'K', count: 2 },
  { type: 'draw', seat: 0, cards: 'R1Y1' },
  { type: 'draw', seat: 1, cards: '?3' },
  { type: 'shuffle', cards: 2 },
  { type: 'last_mandala' },
  { type: 'complete', seat: 1, mandala: 0, first: 0, tie: false },
  { type: 'sweep', mandala: 1, cards: 'O2' },
  { type: 'claim', seat: 1, mandala: 0, colour: 'R', count: 2, river_place: 1, cup: 1, discarded: 0 },
  { type: 'claim', seat: 0, mandala: 0, colour: 'Y', count: 1, river_place: null, cup: 0, discarded: 1 },
  { type: 'clear', mandala: 0, fields: ['K3', 'G1'] },
  { type: 'refill', mandala: 1, cards: 'G1O1' },
  { type: 'end', outcome: { reason: 'stall', winners: [0], scores: [1, 0] } },
];

describe('stages', () => {
  it.each(events)('loses no card in $type', (event) => {
    expect(all(apply(view, event))).toBe(all(view));
  });
  it('keeps the missing colours true', () => {
    expect(apply(view, events[0]!).mandalas[1].missing).toBe('GPYR');
    expect(apply(view, events[11]!).mandalas[0].missing).toBe('KGPO');
  });
  it('sends a claim to river, cup and discard pile', () => {
    expect(flights(events[9]!)).toEqual([
      { from: 'm-0', to: 'river-1-1', card: 'R', count: 1, sand: true },
      { from: 'm-0', to: 'cup-1', card: 'R', count: 1, sand: true },
    ]);
    expect(flights(events[10]!)).toEqual([{ from: 'm-0', to: 'discard', card: 'Y', count: 1, sand: true }]);
  });
  it('shows hidden draws as backs and sweeps fields as sand', () => {
    expect(flights(events[4]!)).toEqual([{ from: 'deck', to: 'hand-1', card: '?', count: 3, sand: false }]);
    expect(flights(events[11]!).map((f) => [f.from, f.card, f.count, f.sand])).toEqual([['f-0-0', 'K', 3, true], ['f-0-1', 'G', 1, true]]);
  });
  it('ends with the view that the server sent, and offers nothing in between', () => {
    const after = { ...view, deck: 39 };
    const shown = stages({ ...view, legal: ['b1K'] }, { v: 5, kind: 'action', seat: 0, events: [events[0]!, events[3]!] }, after);
    expect(shown).toHaveLength(2);
    expect(shown[0]!.view.legal).toEqual([]);
    expect(shown[1]!.view).toBe(after);
    expect(stages(null, { v: 1, kind: 'started' }, after)).toEqual([{ view: after, flights: [], rest: 0, event: null }]);
    expect(stages(view, { v: 1, kind: 'rematch' }, null)).toEqual([]);
  });
});

it('knows which cards a seat drew in a step', () => {
  const step = { v: 1, kind: 'action' as const, seat: 0, ply: 1, events: [...events.slice(0, 1), { type: 'draw' as const, seat: 0, cards: 'R1Y2' }, { type: 'draw' as const, seat: 0, cards: 'R1' }] };
  expect([drawn(step, 0), drawn(step, 1)]).toEqual([{ Y: 2, R: 2 }, {}]);
});
