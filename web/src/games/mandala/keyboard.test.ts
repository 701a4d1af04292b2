// Letters stand for colours unless a modifier is held.
import { expect, it } from 'vitest';
import { colourKey } from './keyboard';

it('knows letters', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  expect(colourKey({ key: 'y', ...plain })).toBe('Y');
  expect(colourKey({ key: 'R', ...plain, ctrlKey: true })).toBeNull();
  expect(colourKey({ key: 'x', ...plain })).toBeNull();
  expect(colourKey({ key: 'Enter', ...plain })).toBeNull();
});
