// Arrow keys find the neighbour that one sees; letters stand for colours unless a modifier is held.
import { describe, expect, it } from 'vitest';
import { colourKey, isArrow, nearest } from './keyboard';

const box = (x: number, y: number, width = 40, height = 40) => ({ x, y, width, height });

describe('keyboard', () => {
  it('walks along a row of cards', () => {
    const row = [box(0, 0), box(50, 0), box(100, 0)];
    expect(nearest(row, row[1]!, 'ArrowRight')).toBe(2);
    expect(nearest(row, row[1]!, 'ArrowLeft')).toBe(0);
    expect(nearest(row, row[2]!, 'ArrowRight')).toBe(-1);
    expect(nearest(row, row[0]!, 'ArrowUp')).toBe(-1);
  });
  it('goes up from a card to the area above it, not to its neighbour', () => {
    const all = [box(0, 0, 300, 60), box(0, 100), box(50, 95), box(320, 0, 300, 60)];
    expect(nearest(all, all[1]!, 'ArrowUp')).toBe(0);
    expect(nearest(all, all[0]!, 'ArrowRight')).toBe(3);
    expect(nearest(all, all[0]!, 'ArrowDown')).toBeGreaterThan(0);
  });
  it('knows arrows and letters', () => {
    expect(isArrow('ArrowUp')).toBe(true);
    expect(isArrow('a')).toBe(false);
    const plain = { ctrlKey: false, metaKey: false, altKey: false };
    expect(colourKey({ key: 'y', ...plain })).toBe('Y');
    expect(colourKey({ key: 'R', ...plain, ctrlKey: true })).toBeNull();
    expect(colourKey({ key: 'x', ...plain })).toBeNull();
    expect(colourKey({ key: 'Enter', ...plain })).toBeNull();
  });
});
