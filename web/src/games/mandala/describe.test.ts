// Sentences in every language: what a move does, what a mandala promises, who claims first and why.
import { beforeAll, describe, expect, it } from 'vitest';
import { LOCALES, loadSet, loadLocale, type Locale } from '../../lib/i18n';
import type { MandalaEffect, MandalaForecast, TableInfo } from '../../lib/wire';
import { completedInWords, effectInWords, endInWords, forecastInWords, targetInWords } from './describe';
import { refusalInWords } from './answers';
import { describeStep, eventInWords } from './tell';
import { cardsInWords } from './words';
import type { Step, View } from './types';

const names = () => 'Ben';
beforeAll(() => Promise.all([loadSet('mandala'), loadSet('mandala_more')]));
const forecast: MandalaForecast = { first: [0, 0], claims: [[2, 1], [2, 1]], tie: false, empty: [false, false] };

describe('in English', () => {
  beforeAll(() => loadLocale('en'));

  it('says what a move would do', () => {
    expect(effectInWords({ kind: 'build', colour: 'Y', mandala: 1 }, { action: 'b2Y', count: 1, draw: 2 })).toBe('Build 1 yellow on mountain 2, draw 2');
    expect(effectInWords({ kind: 'grow', colour: 'K', mandala: 0 }, { action: 'f1K2', count: 2, completes: true })).toBe(
      'Grow 2 black in your field 1, no draw. It is destroyed.',
    );
    expect(effectInWords({ kind: 'claim', colour: 'R', mandala: 0 }, { action: 'cR', count: 2, river_place: 3, cup: 1, points: 3 })).toBe(
      '2 red: 1 to river place 3, 1 to the cup. That is 3 points now',
    );
  });
  it('says what ends the game', () => {
    const sides = (a: string, b: string) => [{ river: a }, { river: b }];
    const view = { mandalas: [{ mountain: 'K2G1' }, { mountain: 'R1O1' }], sides: sides('KGPYO', ''), redraws: 18, stall_limit: 20 } as unknown as View;
    const says = (choice: Parameters<typeof endInWords>[0], effect: Omit<MandalaEffect, 'action' | 'count'>, change: Partial<View> = {}) => {
      const whole = { action: 'x', count: 1, ...effect };
      return effectInWords(choice, whole, endInWords(choice, whole, { ...view, ...change }));
    };
    const claim = { kind: 'claim', colour: 'R', mandala: 1 } as const;
    expect(says(claim, { river_place: 6, points: 6 })).toBe('This ends the game. That is 6 points now');
    expect(says(claim, { river_place: 5 })).not.toContain('game');
    const grow = (mandala: number, empty: [boolean, boolean] = [false, false]) => says({ kind: 'grow', colour: 'K', mandala }, { completes: true, forecast: { ...forecast, empty } });
    expect(grow(1)).toBe('Grow 1 black in your field 2, no draw. This may end the game.');
    expect(grow(0), 'no sixth colour is to be had there').toContain('It is destroyed.');
    expect(grow(1, [true, false]), 'who has nothing in the field keeps nothing').toContain('It is destroyed.');
    const build = { kind: 'build', colour: 'R', mandala: 0 } as const;
    expect(says(build, { completes: true, forecast })).toContain('may end');
    expect(says(build, { completes: true, forecast }, { last_mandala: true })).toContain('This ends the game.');
    const redraw = { kind: 'redraw', colour: 'R', mandala: null } as const;
    expect(says(redraw, { draw: 1 })).toBe('Discard 1 red, draw 1');
    expect(says(redraw, { draw: 1 }, { redraws: 19 })).toBe('Discard 1 red, draw 1. 20 redraws in a row: at 20 the game ends');
  });
  it('labels targets with their consequence', () => {
    const effect = { action: 'f1Y1', count: 1 };
    expect(targetInWords({ place: 'f0', effect, most: 3, refusal: null })).toBe('grow 1 of up to 3: no draw');
    expect(targetInWords({ place: 'm0', effect: { ...effect, draw: 1 }, most: 1, refusal: null })).toBe('build 1, then draw 1');
    expect(targetInWords({ place: 'm0', effect: { ...effect, draw: 1, completes: true }, most: 1, refusal: null })).toBe('destroys it, draw 1');
    expect(targetInWords({ place: 'm0', effect: null, most: 0, refusal: { code: 'x', params: {} } })).toBe('');
  });
  it('says who would claim first, by majority or tie, and warns of empty fields', () => {
    expect(forecastInWords(forecast, 0, 0, names).text).toBe('If completed now: you claim first, colours 2 to 1');
    expect(forecastInWords(forecast, 0, 1, names).text).toBe('If completed now: Ben claims first, colours 2 to 1');
    const tie: MandalaForecast = { first: [1, 0], claims: [[1, 2], [2, 1]], tie: true, empty: [false, false] };
    expect(forecastInWords(tie, 0, 0, names).text).toContain('if you complete it, Ben claims first, 2 to 1');
    expect(forecastInWords(tie, 1, 0, names).text).toContain('if Ben completes it, you claim first, 2 to 1');
    expect(forecastInWords({ ...forecast, empty: [true, false] }, 0, 0, names)).toEqual({ text: 'If completed now: your field is empty, your claims are lost', warn: true });
    expect(forecastInWords({ ...forecast, empty: [true, true] }, 0, 0, names).text).toContain('both fields are empty');
  });
  it('gives the reason for the first claim', () => {
    expect(completedInWords({ first: 0, tie: false }, 0, names)).toBe('You claim first: more cards in your field');
    expect(completedInWords({ first: 1, tie: true }, 0, names)).toContain('not having completed it');
    expect(completedInWords({ first: null, tie: true }, 0, names)).toContain('Both fields are empty');
  });
  it('writes log lines', () => {
    const info = { you: 0, seats: [{ kind: 'person', name: 'Ana', online: true }, { kind: 'person', name: 'Ben', online: true }] } as unknown as TableInfo;
    const step: Step = { v: 5, kind: 'action', seat: 1, events: [{ type: 'build', seat: 1, mandala: 0, colour: 'R' }, { type: 'draw', seat: 1, cards: '?2' }] };
    expect(describeStep(step, info)).toBe('Ben built 1 red on mountain 1 · drew 2');
    expect(describeStep({ v: 6, kind: 'resigned', seat: 0 }, info)).toBe('You resigned');
  });
  it('names who drew where nothing else does', () => {
    expect(eventInWords({ type: 'draw', seat: 1, cards: '?3' }, 0, names, true)).toBe('Ben drew 3');
  });
  it('says sets of cards', () => {
    expect(cardsInWords('K2?3')).toBe('2 black, 3 cards');
    expect(cardsInWords('-')).toBe('empty');
  });
});

describe.each(Object.keys(LOCALES) as Locale[])('in %s', (locale) => {
  beforeAll(() => loadLocale(locale));

  it('has a sentence for every rule that forbids something', () => {
    const codes = ['colour_in_mountain', 'colour_in_own_field', 'colour_in_other_field', 'must_keep_card', 'not_in_hand', 'nothing_to_draw', 'must_claim',
      'not_claiming', 'not_in_mountain', 'game_over', 'not_your_turn', 'stale']; // prettier-ignore
    const texts = codes.map((code) => refusalInWords({ code }, 'R'));
    expect(new Set(texts).size).toBe(codes.length);
    expect(texts).not.toContain(refusalInWords({ code: 'unheard of' }, 'R'));
  });
  it('fills every placeholder of an event', () => {
    const text = eventInWords({ type: 'claim', seat: 1, mandala: 0, colour: 'O', count: 3, river_place: 2, cup: 2, discarded: 0 }, 0, names);
    expect(text).toContain('Ben');
    expect(text).not.toMatch(/[{}]|undefined/);
  });
});
