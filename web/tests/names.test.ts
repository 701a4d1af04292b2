// Names, results, codes and the choice of a language, as they are shown.
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiFailure } from '../src/lib/api';
import { loadLocale, loadSet, pickLocale, type Locale } from '../src/lib/i18n';
import { gameLead, gameName } from '../src/games/about';
import { OPTIONS } from '../src/games/options';
import { failureText } from '../src/lib/failures';
import { cleanCode, opponents, result, seatName, spacedCode } from '../src/lib/names';
import { botHint, botLabel, levels } from '../src/lib/levels';
import { beginner, optionValue, toldOptions, wishText } from '../src/lib/options';
import { turnText } from '../src/lib/turn';
import type { SeatInfo, TableInfo, View } from '../src/lib/wire';
import { table } from './socket';

beforeEach(async () => {
  await loadLocale('en');
  await loadSet('lobby');
});

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
    expect(seatName(table({ seats: [seats[0]!, { kind: 'bot', name: 'stranger', online: true }] }), 1)).toBe('stranger');
    const bots = table({ seats: [seats[0]!, ...['apprentice', 'random', 'apprentice'].map((name) => ({ kind: 'bot' as const, name, online: true }))] });
    expect([1, 2, 3].map((seat) => seatName(bots, seat))).toEqual(['Apprentice 1', 'Random', 'Apprentice 2']);
    expect(seatName(table({ seats: [{ kind: 'person', name: '', online: true }, { kind: 'open', name: '', online: false }] }), 0)).toBe('You');
    expect(seatName(table({ seats: [{ kind: 'person', name: '', online: true }], you: null }), 0)).toBe('Guest');
    expect(seatName(table({ seats: [] }), 0)).toBe('Open seat');
  });

  it('says who begins before anybody does', () => {
    const [ana, ben] = table().seats as [SeatInfo, SeatInfo];
    const open: SeatInfo = { kind: 'open', name: '', online: false };
    const begins = (first: number | null, ...seats: SeatInfo[]) => beginner(table({ seats, first, you: null, state: 'open' }));
    expect(begins(null, ana, open)).toBe('By chance');
    expect(begins(1, ana, ben)).toBe('Ben');
    expect(begins(1, ana, open)).toBe('You');
    expect(begins(2, ana, open, open)).toBe('Player 3');
    expect(begins(2, ana, ben, open)).toBe('You');
    expect(begins(1, ana, { kind: 'bot', name: 'apprentice', online: true }, open)).toBe('Apprentice');
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

describe('several players', () => {
  const person = (name: string) => ({ kind: 'person' as const, name, online: true });
  const four = table({ seats: [person('Ana'), person(''), person(''), { kind: 'bot', name: 'random', online: true }] });

  it('tells guests without a name apart by their seats', () => {
    expect([0, 1, 2, 3].map((seat) => seatName(four, seat))).toEqual(['Ana', 'Guest 2', 'Guest 3', 'Random']);
    expect(seatName({ ...four, you: 1 }, 2)).toBe('Guest');
    expect(opponents(four)).toBe('Guest 2, Guest 3, and Random');
    expect(opponents({ ...four, you: null })).toBe('Ana – Guest 2 – Guest 3 – Random');
  });

  it.each([
    [[1, 3], 'Guest 2 and Random share the win'],
    [[0, 3], 'You share the win'],
    [[0, 1, 2, 3], 'A draw'],
    [[3], 'Random won'],
  ])('says who won: %j', (winners, text) => expect(result({ ...four, state: 'over', winners, ended_by: 'end_space' })).toBe(text));

  it('says that a game was stopped, and nothing of another player who resigned where there were several', () => {
    expect(result({ ...four, state: 'over', winners: [0, 1, 2, 3], ended_by: 'stopped' })).toBe('Stopped – a draw');
    expect(result({ ...four, state: 'over', winners: [0], ended_by: 'resigned' })).toBe('You won');
  });
});

describe('options', () => {
  it('has a text for every game, bot and option that the server has', () => {
    for (const game of ['mandala', 'stones']) expect([gameName(game), gameLead(game)].every((text) => text && text !== game)).toBe(true);
    expect(levels(null).map(({ id }) => id)).toEqual(['newcomer', 'apprentice', 'journeyman', 'master', 'champion']);
    for (const { id } of levels(null)) expect(botHint(id) && botLabel({ id, elo: null, thinking_ms: null }) !== id).toBe(true);
    expect(botLabel({ id: 'master', elo: 1450, thinking_ms: 8 })).toBe('Master · Elo 1450 · <\u00a00.1\u00a0sec');
    expect(botLabel({ id: 'champion', elo: 1450, thinking_ms: 165 })).toBe('Champion · Elo 1450 · 0.2\u00a0sec');
    expect(botLabel({ id: 'champion', elo: null, thinking_ms: null })).toBe('Champion');
    for (const text of Object.values(OPTIONS)) expect(text.label() && text.hint()).toBeTruthy();
    expect(Object.values(OPTIONS['tiebreak']!.values!).map((value) => value())).toHaveLength(3);
  });

  it('tells of a rules file only if it is not the one shipped', () => {
    expect(toldOptions({ ruleset: { name: 'default' }, tiebreak: 'shared', other: 1 })).toEqual([['tiebreak', 'shared']]);
    expect(toldOptions({ ruleset: { name: 'mine' } })).toHaveLength(1);
    expect(optionValue('ruleset', { name: 'mine' })).toBe('own: mine');
    expect(optionValue('ruleset', {})).toBe('own: –');
  });

  it('says which option was refused, and why a rules file was', async () => {
    const refused = (rule: string | null, params = {}) => wishText(new ApiFailure('bad_request', params, 400, rule));
    expect(await refused('bad_ruleset', { field: 'spaces[0].each', reason: 'at_least', n: 0 })).toBe('The rules file does not fit at “spaces[0].each”: at least 0 is wanted');
    expect(await refused('bad_ruleset', { field: 'name', reason: 'newer' })).toBe('The rules file does not fit at “name”: newer');
    expect(await refused('bad_option', { option: 'tiebreak' })).toBe('“On equal points” cannot have this value.');
    expect(await refused(null)).toBe(failureText('bad_request'));
    expect(await wishText(new ApiFailure('network'))).toBe(failureText('network'));
  });
});
