// Sentences in every language: log lines, sums, refusals, stones and towers.
import { beforeAll, describe, expect, it } from 'vitest';
import { LOCALES, loadSet, loadLocale, type Locale } from '../../lib/i18n';
import type { TableInfo } from '../../lib/wire';
import { gainOf, partsInWords } from './describe';
import { choices } from './samples';
import type { Step, StonesEvent } from './types';
import { objectiveInWords, sumInWords, why, whyNot } from './answers';
import { describeStep, eventInWords, reasonInWords } from './tell';
import { stackInWords, stoneName, towerInWords } from './words';

const names = () => 'Ben';
const score: StonesEvent = {
  type: 'score', seat: 1, colour: 'Y', points: 5, places: [19, 20], bonuses: [{ place: 20, points: 1 }],
  stones: [{ space: 1, stone: 'Y', height: 1, points: 2 }, { space: 4, stone: 'y', height: 3, points: 2 }],
}; // prettier-ignore
const info = { you: 0, seats: [{ kind: 'person', name: 'Ana', online: true }, { kind: 'person', name: 'Ben', online: true }] } as unknown as TableInfo;

beforeAll(async () => {
  await loadSet('stones');
  await loadSet('stones_more');
});

describe('in English', () => {
  beforeAll(() => loadLocale('en'));

  it('names stones, towers and stacks, covered stones by colour alone', () => {
    expect(stoneName('Y')).toBe('yellow star');
    expect(stoneName('p')).toBe('purple circle');
    expect(towerInWords('rPy')).toBe('yellow circle on purple star, red circle');
    expect(towerInWords('')).toBe('empty');
    expect(stackInWords(9, '(p)(y)R')).toBe('Stack S09: red star, below it yellow, purple');
    expect(stackInWords(24, '')).toBe('Stack S24: empty');
  });
  it('adds up what a way to score would pay', () => {
    expect(partsInWords(gainOf(choices, { kind: 'colour', colour: 'Y' })!)).toBe('space 1: 3, space 4: 4, mandala place 20: +1');
    expect(sumInWords(gainOf(choices, { kind: 'colour', colour: 'Y' })!)).toBe('3\u00a0+\u00a04, Mandala +1');
    const tops = gainOf(choices, { kind: 'tops', spaces: [2, 4] })!;
    expect([tops.points, partsInWords(tops)]).toEqual([3, 'space 2: 1, space 4: 1, mandala place 20: +1']);
    expect(gainOf(choices, { kind: 'tops', spaces: [1, 2, 4] })!.ends).toBe(true);
    expect(gainOf(choices, { kind: 'tops', spaces: [] })).toBeNull();
    expect(gainOf(choices, null)).toBeNull();
  });
  it('says of each stack why a destination gives nothing', () => {
    expect(whyNot(choices.picks[2]!)).toBe('Nothing to take on A9: 2 of the other pattern, 1 blocked from A8, 1 empty. A move must gain at least one stone.');
    expect(why('blocked', { artist: 6 })).toContain('the artist on A6');
    expect(why('blocked', { stack: 'S13', artist: 'A6' })).toContain('the artist on A6');
    expect(why('too_few_towers', { towers: 3 })).toContain('at least 3');
  });
  it('writes log lines', () => {
    const step: Step = { v: 5, kind: 'action', seat: 1, events: [
      { type: 'move', seat: 1, pattern: 'star', origin: 2, to: 5 }, { type: 'gather', seat: 1, space: 3, stones: [{ stack: 9, stone: 'R' }] }, { type: 'uncover', stones: [{ stack: 9, stone: 'y' }] },
    ] }; // prettier-ignore
    expect(describeStep(step, info)).toBe('Ben: star artist to A5 · red star to space 3 · now showing: yellow circle');
    expect(eventInWords(score, 0, names)).toBe('Ben: scored yellow · +5 (space 1: 2, space 4: 2, mandala place 20: +1)');
    expect(describeStep({ v: 6, kind: 'resigned', seat: 0 }, info)).toBe('You resigned');
  });
  it('says what an objective counts in the numbers of the table', () => {
    const ruleset = { objectives: { cards: [{ id: 'spire', count: 'tallest_height', each: 3 }, { id: 'red', count: 'stones_of_colour', of: 'red', each: 2 }] } } as never; // prettier-ignore
    expect(objectiveInWords('spire', ruleset)).toBe('3 for each stone of your tallest tower');
    expect(objectiveInWords('red', ruleset)).toBe('2 for each red stone left');
    expect(objectiveInWords('unheard of', ruleset)).toBe('unheard of');
  });
});

describe.each(Object.keys(LOCALES) as Locale[])('in %s', (locale) => {
  beforeAll(() => loadLocale(locale));

  it('has a sentence for every rule that forbids something', () => {
    const codes = ['must_move', 'space_occupied', 'not_beside', 'empty_stack', 'wrong_pattern', 'blocked', 'board_full', 'space_taken', 'too_few_towers', 'no_tower', 'must_skip',
      'no_pass', 'game_over', 'not_your_turn', 'stale', 'take_all', 'no_decline', 'choose_artist', 'choose_space', 'choose_first']; // prettier-ignore
    const texts = codes.map((code) => why(code, { artist: 6, colour: 'Y', towers: 2 }));
    expect(new Set(texts).size).toBe(codes.length);
    expect(texts).not.toContain(why('unheard of'));
  });
  it('has a word for every stone', () => {
    expect(new Set([...'YRBPyrbp'].map(stoneName)).size).toBe(8);
  });
  it('fills every placeholder', () => {
    const text = [eventInWords(score, 0, names), whyNot(choices.picks[2]!), reasonInWords('stuck')].join();
    expect(text).toContain('Ben');
    expect(text).not.toMatch(/[{}]|undefined|NaN/);
  });
});
