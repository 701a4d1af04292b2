// Count strings: reading, writing, adding, taking, and rows of cards.
import { describe, expect, it } from 'vitest';
import { cards, entries, of, parse, total } from './counts';
import { add, format } from './sums';

describe('counts', () => {
  it('reads and writes every form', () => {
    for (const text of ['-', 'K2Y1R3', '?7', 'R1?3', 'K1G1P1Y1O1R1']) expect(format(parse(text))).toBe(text);
    expect(entries('R3K2')).toEqual([['K', 2], ['R', 3]]);
    expect(total('K2?5')).toBe(7);
    expect(of('K2Y1', 'Y')).toBe(1);
    expect(of('K2Y1', 'G')).toBe(0);
  });
  it('treats text it does not know as nothing', () => {
    expect(total('nonsense')).toBe(0);
    expect(format(parse(''))).toBe('-');
  });
  it('adds and takes known cards', () => {
    expect(add('K2', 'K1Y1')).toBe('K3Y1');
    expect(add('K2Y1', 'K2', -1)).toBe('Y1');
    expect(add('K1', 'K1', -1)).toBe('-');
  });
  it('takes known cards out of a hidden set, never below nothing', () => {
    expect(add('?7', 'R2', -1)).toBe('?5');
    expect(add('?1', 'R2', -1)).toBe('-');
    expect(add('?5', '?3')).toBe('?8');
  });
  it('lays out one letter a card', () => {
    expect(cards('Y1K2?1')).toEqual(['K', 'K', 'Y', '?']);
  });
});
