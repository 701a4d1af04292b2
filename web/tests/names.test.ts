// Names, results, codes and the choice of a language, as they are shown.
import { beforeEach, describe, expect, it } from 'vitest';
import { loadLocale, pickLocale, type Locale } from '../src/lib/i18n';
import { cleanCode, failureText, opponents, result, seatName, spacedCode } from '../src/lib/names';
import { optionValue } from '../src/lib/options';
import { turnText } from '../src/lib/turn';
import type { TableInfo, View } from '../src/lib/wire';
import { table } from './socket';

beforeEach(() => loadLocale('en'));

describe('languages', () => {
  it.each<[string[], Locale]>([
    [['pt-PT', 'en'], 'pt-BR'],
    [['de', 'el-GR'], 'el'],
    [['JA'], 'ja'],
    [['de', 'fr'], 'en'],
    [[], 'en'],
  ])('%j is answered in %s', (wanted, locale) => expect(pickLocale(wanted)).toBe(locale));

  it('sets the language of the document and of every message', async () => {
    await loadLocale('el');
    expect(document.documentElement.lang).toBe('el');
    expect(turnText({ info: table(), view: { to_move: 0 } as View, shown: null })).toBe('Σειρά σου');
  });
});

describe('seats', () => {
  it('names people, bots and open seats', () => {
    const seats = table().seats;
    expect(seatName(table(), 1)).toBe('Ben');
    expect(opponents(table())).toBe('Ben');
    expect(seatName(table({ seats: [seats[0]!, { kind: 'bot', name: 'apprentice', online: true }] }), 1)).toBe('Apprentice');
    expect(seatName(table({ seats: [seats[0]!, { kind: 'bot', name: 'newcomer', online: true }] }), 1)).toBe('newcomer');
    expect(seatName(table({ seats: [{ kind: 'person', name: '', online: true }, { kind: 'open', name: '', online: false }] }), 0)).toBe('You');
    expect(seatName(table({ seats: [{ kind: 'person', name: '', online: true }], you: null }), 0)).toBe('Guest');
    expect(seatName(table({ seats: [] }), 0)).toBe('Open seat');
  });

  it('says whose turn it is', () => {
    const say = (info: TableInfo | null, view: View | null, shown: View | null = null) => turnText({ info, view, shown });
    const [mine, bens] = [{ to_move: 0 } as View, { to_move: 1 } as View];
    expect(say(null, null)).toBe('');
    expect(say(table({ state: 'open' }), null)).toBe('Waiting for a player');
    expect(say(table(), bens)).toBe('Ben to play');
    // While a move is still being shown, the picture counts: neither the next turn nor the end is told before it is seen.
    expect(say(table(), mine, bens)).toBe('Ben to play');
    const over = table({ state: 'over', winners: [0], ended_by: 'resigned' });
    expect(say(over, mine, bens)).toBe('Ben to play');
    expect(say(over, mine, mine)).toBe('You won');
  });
});

describe('results', () => {
  const over = { state: 'over' as const };
  it.each([
    [table(), ''],
    [table({ ...over, winners: [0] }), 'You won'],
    [table({ ...over, winners: [0], ended_by: 'resigned' }), 'You won – the other player resigned'],
    [table({ ...over, winners: [1] }), 'Ben won'],
    [table({ ...over, winners: [1], ended_by: 'resigned' }), 'Ben won by resignation'],
    [table({ ...over, winners: [0], you: null }), 'Ana won'],
    [table({ ...over, winners: [0, 1] }), 'A draw'],
  ])('%#', (info, text) => expect(result(info)).toBe(text));
});

describe('codes', () => {
  it('reads what people type and shows it in two groups', () => {
    expect(cleanCode(' pdd-fqu ')).toBe('PDDFQU');
    expect(spacedCode('PDDFQU')).toBe('PDD FQU');
    expect(spacedCode('ABC')).toBe('ABC');
  });
});

it('has a sentence for every code, known or not', () => {
  expect(failureText('seat_taken')).toBe('That seat has been taken.');
  expect(failureText('something_new')).toBe(failureText('bad_request'));
});

it('puts option values in words', () => {
  expect([true, false, 0, 20, 'eager', 'other'].map((value) => optionValue('exhaustion', value))).toEqual([
    'yes',
    'no',
    'off',
    '20',
    'As soon as it is empty',
    'other',
  ]);
});
