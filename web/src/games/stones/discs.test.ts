// Stones as letters, taken apart.
import { expect, test } from 'vitest';
import { discsOf } from './discs';

test('capitals are stars, small letters circles, brackets hide the pattern', () => {
  expect(discsOf('(y)(r)Bp')).toEqual([
    { colour: 'Y', pattern: null },
    { colour: 'R', pattern: null },
    { colour: 'B', pattern: 'star' },
    { colour: 'P', pattern: 'circle' },
  ]);
  expect(discsOf('')).toEqual([]);
});
