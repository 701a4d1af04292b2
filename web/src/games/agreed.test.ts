// What a pause, a move taken back and talk do to the tables of both games: nothing can be chosen, it is told, and no answer outlives its position.
import { beforeAll, describe, expect, it } from 'vitest';
import { refusedText } from '../lib/failures';
import { loadLocale, loadSet } from '../lib/i18n';
import { turnText } from '../lib/turn';
import type { FrameListener } from '../lib/session';
import type { Step, TableInfo } from '../lib/wire';
import { snapshot, table, update } from '../../tests/socket';
import { agreed } from './agreed';
import { Table } from './mandala/table.svelte';
import { artist } from './stones/touch';
import { StonesTable } from './stones/table.svelte';

const clock: NonNullable<TableInfo['clock']> = { plan: { base_s: 60 }, at: 0, remaining: [1, 1], running: null, deadline: null, paused: true };
const back: Step[] = [{ v: 3, kind: 'action', seat: 1, ply: 1 }, { v: 6, kind: 'undone', seat: 1, ply: 0 }];
const names = () => 'Ben';

beforeAll(() => Promise.all([loadSet('together'), loadSet('lobby'), loadSet('mandala'), loadSet('stones')]).then(() => loadLocale('en')));

/** A session of either game; `tell`: something arrives. */
function scene(view: object, change: Partial<TableInfo> = {}) {
  let listener: FrameListener<never, never> | null = null;
  const session = {
    info: table(change), options: {}, view, shown: view, log: [] as Step[], connection: 'live', pending: null, refusal: null, online: [], spectators: 0, highlight: null,
    act: () => undefined, resign: () => undefined, rematch: () => undefined, hurry: () => undefined,
    subscribe: (heard: FrameListener<never, never>) => ((listener = heard), () => void (listener = null)),
  } as never; // prettier-ignore
  return { session, tell: (frame: object) => listener!(frame as never) };
}

describe('what was agreed', () => {
  it('is a pause above all else, then a move taken back until somebody acts', () => {
    expect(agreed({ info: table(), log: [] }, names)).toBe('');
    expect(agreed({ info: table({ clock }), log: back }, names)).toBe('Paused. It goes on when all agree to “Go on”.');
    expect(agreed({ info: table(), log: back }, names)).toBe('Ben took the move back');
    expect(agreed({ info: table({ you: 1 }), log: back }, names)).toBe('You took your move back');
    expect(agreed({ info: table(), log: [...back, { v: 7, kind: 'action', seat: 1, ply: 1 }] }, names)).toBe('');
  });

  it('stands in the bar, and in the sentence for a refused command', () => {
    expect(turnText({ info: table({ clock }), view: null, shown: null })).toBe('Paused');
    expect(refusedText({ code: 'not_running', rule: 'paused' })).toContain('Paused');
    expect(refusedText({ code: 'not_running', rule: 'not_paused' })).toBe('The game had already moved on. This is how it stands now.');
    expect(refusedText({ code: 'not_running', rule: null })).toBe('The game has not begun.');
  });
});

describe('a paused table', () => {
  const choice = { kind: 'build', colour: 'R', mandala: 0, effects: [{ action: 'b1R', count: 1 }] };

  it('of Mandala offers nothing', () => {
    const view = { choices: [choice], sides: [{ hand: 'R1' }, { hand: '?1' }] };
    expect(new Table(scene(view).session, names).choices).toHaveLength(1);
    expect(new Table(scene(view, { clock }).session, names).choices).toEqual([]);
  });

  it('of Mandala Stones offers nothing, and says why', () => {
    const view = { choices: { spaces: [1], picks: [], tops: [], colours: [] }, artists: [] };
    expect(new StonesTable(scene(view).session, names).choices).not.toBeNull();
    const paused = new StonesTable(scene(view, { clock }).session, names);
    artist(paused, 1);
    expect([paused.choices, paused.known, paused.answered]).toEqual([null, null, { code: 'paused', params: {} }]);
  });
});

describe('an answer to a touch', () => {
  const step = (v: number, kind: Step['kind']) => ({ ...update(v), step: { v, kind, seat: 1 } });
  const frames = { step: step(7, 'paused'), snapshot: snapshot(8) };

  it.each(['step', 'snapshot'] as const)('goes with a new %s of Mandala', (kind) => {
    const { session, tell } = scene({ choices: [], sides: [] });
    const mandala = new Table(session, names);
    const stop = mandala.start();
    mandala.explain('It is not your turn.');
    tell(step(6, 'said'));
    expect(mandala.word).toBe('It is not your turn.');
    tell(frames[kind]);
    expect(mandala.word).toBe('');
    stop();
  });

  it.each(['step', 'snapshot'] as const)('goes with a new %s of Mandala Stones', (kind) => {
    const { session, tell } = scene({ choices: null, artists: [], phase: 'turn' });
    const stones = new StonesTable(session, names);
    const stop = stones.start();
    stones.refuse('not_your_turn');
    tell(step(6, 'said'));
    expect(stones.answered).not.toBeNull();
    tell(frames[kind]);
    expect(stones.answered).toBeNull();
    stop();
  });
});
